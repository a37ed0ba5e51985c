"""Small games for rules tests: opening hands made to measure, choices taken by name.

A scene is a game in which each player's opening hand is known: decks of at most seven cards are drawn whole, for larger
ones the first seed is taken that deals the wanted hands. Test cards cost {0}, and most creatures have flash and haste,
so that a whole combat fits into the first turn. Whatever is asked of a scene and is not among the options of the open
choice fails with the list of them.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import NoReturn

from lkicore import CardPool, Deck, Game, LkiRecord, ObjectFacts
from lkicore.opcodes import ChoiceKind, OptionKind, Step, Zone

#: Everybody is asked at every priority, and choices with one option are asked too.
EXACT = {"auto_pass": False, "collapse_trivial": False}
HAND = 7

STANDARD = """
- {name: Blank, cost: none, type: Creature, pt: 1/1, test_only: true}
- {name: Bear, cost: "{0}", type: Creature — Bear, pt: 2/2, keywords: [flash, haste], test_only: true}
- {name: Ogre, cost: "{0}", type: Creature — Ogre, pt: 3/3, keywords: [flash, haste], test_only: true}
- {name: Giant, cost: "{0}", type: Creature — Giant, pt: 5/5, keywords: [flash, haste], test_only: true}
- {name: Wall, cost: "{0}", type: Creature — Wall, pt: 0/4, keywords: [flash, defender], test_only: true}
- {name: Footman, cost: "{0}", type: Creature — Human, pt: 1/1, keywords: [flash, haste], test_only: true}
- {name: Cub, cost: "{0}", type: Creature — Bear, pt: 2/2, test_only: true}
- {name: Golem, cost: "{0}", type: Creature — Golem, pt: 2/2, keywords: [flash, haste, indestructible],
   test_only: true}
- {name: Scout Token, token: true, type: Creature — Scout, colors: G, pt: 1/1, keywords: [haste], test_only: true}
- {name: Zap, cost: "{0}", type: Instant, test_only: true, spell: {targets: [any_target], do: ["damage(target(0), 1)"]}}
- {name: Bolt, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [any_target], do: ["damage(target(0), 3)"]}}
- {name: Blast, cost: "{0}", type: Sorcery, test_only: true,
   spell: {targets: [any_target], do: ["damage(target(0), 20)"]}}
- {name: Slay, cost: "{0}", type: Instant, test_only: true, spell: {targets: [creature], do: [destroy(target(0))]}}
- {name: Banish, cost: "{0}", type: Instant, test_only: true, spell: {targets: [creature], do: [exile(target(0))]}}
- {name: Recall, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: [return_to_hand(target(0))]}}
- {name: Grow, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), 3, 3)"]}}
- {name: Shrink, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), -3, -3)"]}}
- {name: Weaken, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ["pump(target(0), -5, 0)"]}}
- {name: Sweep, cost: "{0}", type: Instant, test_only: true, spell: {do: ["damage(each(creature), 2)"]}}
- {name: Wrath, cost: "{0}", type: Instant, test_only: true, spell: {do: ["destroy(each(creature))"]}}
- {name: Salve, cost: "{0}", type: Instant, test_only: true, spell: {do: ["gain_life(you, 4)"]}}
- {name: Muster, cost: "{0}", type: Instant, test_only: true, spell: {do: ['create_tokens(you, 1, "Scout Token")']}}
- {name: Grit, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ['put_counters(target(0), 1, "+1/+1")']}}
- {name: Wither, cost: "{0}", type: Instant, test_only: true,
   spell: {targets: [creature], do: ['put_counters(target(0), 1, "-1/-1")']}}
- {name: Snare, cost: "{0}", type: Instant, test_only: true, spell: {targets: [creature], do: [tap(target(0))]}}
- {name: Denial, cost: "{0}", type: Instant, test_only: true, spell: {targets: [spell], do: [counter(target(0))]}}
"""

Which = str | int


@functools.cache
def card_pool(cards: str = "") -> CardPool:
    """The built-in cards, the standard test cards above, and `cards` in the notation of card files."""
    return CardPool.builtin().with_cards(STANDARD, *([cards] if cards else []))


@functools.cache
def _seed(decks: tuple[tuple[str, ...], ...], wanted: tuple[int, ...], first: int, cards: str) -> int:
    """The first seed by which `first` begins and each player's hand has the first `wanted` cards of the deck."""
    pool = card_pool(cards)
    lists = [Deck(f"seat {p}", tuple((1, name) for name in deck)) for p, deck in enumerate(decks)]
    for seed in range(300_000):
        game = Game(lists, seed=seed, pool=pool, **EXACT)
        if game.starting_player == first and all(_has(game, p, decks, wanted[p]) for p in range(len(decks))):
            return seed
    raise AssertionError(f"no seed deals these hands: {decks}, {wanted}")


def _has(game: Game, player: int, decks: tuple[tuple[str, ...], ...], n: int) -> bool:
    offset = sum(len(deck) for deck in decks[:player])
    hand = {game.card_of(obj) for obj in game.zone(Zone.HAND, player)}
    return hand.issuperset(range(offset, offset + n))


class Scene:
    """A game with known hands, driven by names.

    `hands`: the cards of each seat that its opening hand must have, in order; physical cards are numbered in that order
    (`card`). `later`: cards of each library, or of each seat's; hands are filled up with blank cards then. `first`: who
    begins.
    The scene begins in the first main phase, or with `begin=False` at the first choice after the mulligans, or with
    `keep=False` before them. Other arguments are the options of the game; by default everybody is asked everything.

    An object is named by its card's name, which must be unambiguous, or its id; a player is "p0", "p1" …
    """

    def __init__(
        self,
        *hands: list[str],
        later: int | Sequence[int] = 0,
        cards: str = "",
        first: int = 0,
        keep: bool = True,
        begin: bool = True,
        **options: object,
    ) -> None:
        libraries = [later] * len(hands) if isinstance(later, int) else later
        blanks = [n + HAND - len(hand) if n else 0 for hand, n in zip(hands, libraries, strict=True)]
        self.decks = tuple((*hand, *["Blank"] * n) for hand, n in zip(hands, blanks, strict=True))
        wanted = tuple(min(len(hand), HAND) for hand in hands)
        seed = _seed(self.decks, wanted, first, cards)
        lists = [Deck(f"seat {p}", tuple((1, name) for name in deck)) for p, deck in enumerate(self.decks)]
        self.exact = not options.get("collapse_trivial", False)
        self.game = Game(lists, seed=seed, pool=card_pool(cards), **{**EXACT, **options})
        if keep:
            while self.game.choice is ChoiceKind.MULLIGAN:
                self.pick(OptionKind.KEEP)
        if keep and begin:
            self.to(Step.MAIN1)

    # ------------------------------------------------------------------------------------------ choices

    def fail(self, wanted: str) -> NoReturn:
        """Fail, with what there is instead of what was wanted."""
        options = "\n  ".join(str(o) for o in self.game.options()) or "(none)"
        stack = [obj.name for obj in self.game.objects(Zone.STACK)]
        raise AssertionError(f"wanted {wanted}, but {self.game!r}, stack {stack}; options:\n  {options}")

    def find(self, kind: OptionKind, which: Which | None = None, number: int | None = None) -> list[int]:
        """Numbers of the options of that kind that name the object or player and the number."""
        return [
            i
            for i, o in enumerate(self.game.options())
            if o.kind is kind
            and (which is None or which in (o.name, o.object) or (o.player >= 0 and which == f"p{o.player}"))
            and (number is None or o.number == number)
        ]

    def offers(self, kind: OptionKind, which: Which | None = None, number: int | None = None) -> bool:
        """Whether there is such an option."""
        return bool(self.find(kind, which, number))

    def offered(self, kind: OptionKind) -> list[Which]:
        """What the options of a kind choose: numbers, players or names of cards."""
        options = [o for o in self.game.options() if o.kind is kind]
        if kind is OptionKind.NUMBER:
            return [o.number for o in options]
        return [f"p{o.player}" if o.player >= 0 else o.name for o in options]

    def pick(
        self, kind: OptionKind, which: Which | None = None, number: int | None = None, *, alone: bool = False
    ) -> int:
        """Take the first such option and return the id of its object; with `alone` there may be no other."""
        found = self.find(kind, which, number)
        if not found or (alone and len(found) > 1):
            self.fail(f"{'one option' if alone else 'an option'} {kind.name} of {which!r}, number {number}")
        obj = self.game.options()[found[0]].object
        self.game.apply(found[0])
        return obj

    def _moment(self) -> tuple[object, ...]:
        return self.game.turn, self.game.step, self.game.zone(Zone.STACK)

    def has_priority(self, player: int) -> bool:
        return self.game.choice is ChoiceKind.PRIORITY and self.game.current_player == player

    def priority(self, player: int) -> None:
        """The others pass until `player` has priority, with the same stack in the same step."""
        before = self._moment()
        while not self.has_priority(player):
            if self.game.choice is not ChoiceKind.PRIORITY or self._moment() != before:
                self.fail(f"priority of p{player}")
            self.pick(OptionKind.PASS)
        if self._moment() != before:
            self.fail(f"priority of p{player} at the same moment")

    def idle(self) -> None:
        """Do as little as possible: pass, don't attack, don't block, discard a blank card if there is one."""
        choice = self.game.choice
        if choice is ChoiceKind.PRIORITY:
            self.pick(OptionKind.PASS)
        elif choice in (ChoiceKind.ATTACK, ChoiceKind.BLOCK):
            self.pick(OptionKind.NO)
        elif choice is ChoiceKind.DISCARD:
            self.pick(OptionKind.OBJECT, "Blank" if self.offers(OptionKind.OBJECT, "Blank") else None)
        else:
            self.fail("nothing that must be decided")

    def to(self, step: Step, turn: int | None = None) -> None:
        """Go on idly until somebody has priority in that step of this turn, or of turn number `turn`."""
        turn = self.game.turn or 1 if turn is None else turn
        while not (self.game.choice is ChoiceKind.PRIORITY and self.game.step == step and self.game.turn == turn):
            if self.game.is_terminal or self.game.turn > turn:
                self.fail(f"step {step.name} of turn {turn}")
            self.idle()

    def until(self, choice: ChoiceKind) -> None:
        """Everybody passes until there is a choice of that kind in this turn."""
        turn = self.game.turn
        while self.game.choice is not choice:
            if self.game.choice is not ChoiceKind.PRIORITY or self.game.turn != turn:
                self.fail(f"a choice {choice.name}")
            self.pick(OptionKind.PASS)

    def play(self, player: int, land: Which) -> None:
        self.priority(player)
        self.pick(OptionKind.PLAY, land)

    def cast(self, player: int, card: Which, *targets: Which, x: int | None = None) -> None:
        """Cast a card of the hand; what the engine takes by itself need not be asked."""
        self.priority(player)
        self.pick(OptionKind.CAST, card)
        self._announce(f"{card} by p{player}", list(targets), x)

    def activate(
        self, player: int, permanent: Which, *targets: Which, ability: int | None = None, x: int | None = None
    ) -> None:
        """Activate an ability of a permanent."""
        self.priority(player)
        self.pick(OptionKind.ACTIVATE, permanent, ability)
        self._announce(f"{permanent} by p{player}", list(targets), x)

    def _announce(self, what: str, targets: list[Which], x: int | None) -> None:
        asked = 0
        while self.game.choice in (ChoiceKind.X, ChoiceKind.TARGET):
            if self.game.choice is ChoiceKind.X:
                self.pick(OptionKind.NUMBER, number=x)
                continue
            while targets and not self._is_option(targets[0]):
                targets.pop(0)  # taken by the engine, as the only one
            if not targets:
                self.fail(f"target {asked} of {what}")
            which = targets.pop(0)
            player = isinstance(which, str) and self.offers(OptionKind.PLAYER, which)
            self.pick(OptionKind.PLAYER if player else OptionKind.OBJECT, which, alone=True)
            asked += 1
        if targets and self.exact:
            self.fail(f"targets {targets} of {what}")

    def _is_option(self, which: Which) -> bool:
        return self.offers(OptionKind.OBJECT, which) or self.offers(OptionKind.PLAYER, which)

    def resolve(self) -> None:
        """Everybody passes until the top of the stack has resolved, or something must be decided."""
        n = len(self.game.zone(Zone.STACK))
        if n == 0:
            self.fail("something to resolve")
        while len(self.game.zone(Zone.STACK)) >= n and self.game.choice is ChoiceKind.PRIORITY:
            self.pick(OptionKind.PASS)

    def resolve_all(self) -> None:
        """Everybody passes until the stack is empty."""
        while self.game.zone(Zone.STACK) and not self.game.is_terminal:
            if self.game.choice is not ChoiceKind.PRIORITY:
                self.fail("priority")
            self.pick(OptionKind.PASS)

    def put(self, player: int, *cards: str) -> list[int]:
        """Cast and resolve permanents or spells without targets, one after another; ids on the battlefield."""
        ids = []
        for card in cards:
            before = self.game.zone(Zone.BATTLEFIELD)
            self.cast(player, card)
            self.resolve_all()
            ids += [obj for obj in self.game.zone(Zone.BATTLEFIELD) if obj not in before]
        return ids

    # ------------------------------------------------------------------------------------------ combat

    def _takes(self, wanted: list[Which]) -> Which | None:
        """Which of the wanted names or ids is the creature that is asked about."""
        asked = self.game.object(self.game.subject())
        if asked is None:
            self.fail("a creature that is asked about")
        return next((which for which in wanted if which in (asked.name, asked.id)), None)

    def attack(self, *attackers: Which | tuple[Which, int]) -> None:
        """Go on to the declaration of attackers, and attack: with creatures, or (creature, defending player)."""
        self.until(ChoiceKind.ATTACK)
        plan = dict(a if isinstance(a, tuple) else (a, -1) for a in attackers)
        turn = self.game.turn
        while self.game.choice is ChoiceKind.ATTACK and self.game.turn == turn:
            which = self._takes(list(plan))
            if which is None:
                self.pick(OptionKind.NO)
                continue
            defender = plan.pop(which)
            self.pick(OptionKind.PLAYER, None if defender < 0 else f"p{defender}", alone=True)
        if plan:
            self.fail(f"attackers {list(plan)}")

    def block(self, blocks: Mapping[Which, Which]) -> None:
        """Go on to the declaration of blockers of one player, and block: blocker to attacker."""
        self.until(ChoiceKind.BLOCK)
        plan = dict(blocks)
        player = self.game.current_player
        while self.game.choice is ChoiceKind.BLOCK and self.game.current_player == player:
            which = self._takes(list(plan))
            if which is None:
                self.pick(OptionKind.NO)
            else:
                self.pick(OptionKind.OBJECT, plan.pop(which), alone=True)
        if plan:
            self.fail(f"blockers {list(plan)}")

    def assign(self, *amounts: int) -> None:
        """Go on to the assignment of damage, and assign to one blocker after another."""
        self.until(ChoiceKind.ASSIGN)
        for amount in amounts:
            if self.game.choice is not ChoiceKind.ASSIGN:
                self.fail(f"assignment of {amount}")
            self.pick(OptionKind.NUMBER, number=amount, alone=True)

    # ------------------------------------------------------------------------------------------ facts

    def names(self, zone: Zone, player: int = 0) -> list[str]:
        """Names of the objects of a zone, sorted."""
        return sorted(obj.name for obj in self.game.objects(zone, player))

    def field(self) -> list[str]:
        return self.names(Zone.BATTLEFIELD)

    def graveyard(self, player: int) -> list[str]:
        return self.names(Zone.GRAVEYARD, player)

    def hand(self, player: int) -> list[str]:
        return self.names(Zone.HAND, player)

    def stack(self) -> list[str]:
        """Names on the stack, from the bottom."""
        return [obj.name for obj in self.game.objects(Zone.STACK)]

    def obj(self, which: Which, zone: Zone = Zone.BATTLEFIELD, player: int = 0) -> ObjectFacts:
        """Facts about the one object of that name or id in a zone."""
        found = [obj for obj in self.game.objects(zone, player) if which in (obj.name, obj.id)]
        if len(found) != 1:
            self.fail(f"one {which!r} in {zone.name}, not {len(found)}")
        return found[0]

    def id(self, which: Which, zone: Zone = Zone.BATTLEFIELD, player: int = 0) -> int:
        return self.obj(which, zone, player).id

    def life(self) -> list[int]:
        return [self.game.life(p) for p in range(self.game.players)]

    def card(self, player: int, name: str) -> int:
        """Number of the physical card: decks in order, seat 0 first."""
        return sum(len(deck) for deck in self.decks[:player]) + self.decks[player].index(name)

    def left(self, which: Which, zone: Zone = Zone.BATTLEFIELD) -> LkiRecord:
        """The one record of a departure of that name or id from a zone."""
        found = [r for r in self.game.departures() if which in (r.name, r.id) and r.zone is zone]
        if len(found) != 1:
            raise AssertionError(f"wanted one departure of {which!r} from {zone.name}, not {found}")
        return found[0]
