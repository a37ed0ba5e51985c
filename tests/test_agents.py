"""The agent `greedy`: how often it wins, and that it is sensible wherever it is asked.

All games have fixed seeds and agents draw on nothing else, so that every figure here is the same in every run.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from random import Random
from typing import Any

import pytest

from lkicore import CardPool, Deck, Game, SimulationResult, bundled_decks, simulate, workloads
from lkicore.opcodes import ChoiceKind, GameStatus, Keyword, OptionKind, Status, Step, TypeBit, Zone

#: Damage to a chosen target that may be a player, and whether it may be a creature.
BURN = {"Lightning Bolt": 3, "Shock": 2, "Searing Spear": 3, "Lava Spike": 3, "Lava Axe": 5}
PINGERS = {"Prodigal Pyromancer", "Prodigal Sorcerer", "Mogg Fanatic"}
REMOVAL = {"Flame Slash", "Swords to Plowshares", "Doom Blade", "Murder", "Terminate", "Bone Splinters"}
SHACKLES = {"Pacifism", "Claustrophobia", "Control Magic", "Mind Control", "Narcolepsy", "Sinking Feeling", "Weakness"}
HARMFUL = {*BURN, *PINGERS, *REMOVAL, *SHACKLES, "Blaze", "Mind Rot"}
TRICKS = {"Giant Growth", "Titanic Growth", "Brute Strength"}
AURAS = {"Rancor", "Ethereal Armor", "Spirit Link", "Armadillo Cloak", "Elephant Guide", "Unholy Strength"}
EQUIPMENT = {"Bonesplitter", "Basilisk Collar", "Loxodon Warhammer", "Leonin Scimitar", "Vulshok Morningstar"}
HELPFUL = {*TRICKS, *AURAS, *EQUIPMENT}
COUNTERS = {"Cancel", "Essence Scatter", "Counterspell", "Mana Leak", "Absorb"}


def mixed_decks(pool: CardPool, number: int = 12, known: Collection[str] = ()) -> list[Deck]:
    """Decks of two or three colours and of cards drawn from the whole pool: half of them from the `known` ones."""
    colors = {"Plains": 1, "Island": 2, "Swamp": 4, "Mountain": 8, "Forest": 16}
    chance = Random(20)
    decks = []
    for k in range(number):
        lands = chance.sample(sorted(colors), 2 + k % 2)
        allowed = sum(colors[land] for land in lands)
        cards = []
        for face in pool.faces:
            real = not face.token and not face.test_only and not face.types & TypeBit.LAND
            if real and not face.real_colors & ~allowed:
                cards.append(face.name)
        first = chance.sample(familiar := [name for name in cards if name in known], min(len(familiar), 18))
        others = [name for name in cards if name not in first]
        drawn = first + chance.sample(others, min(len(others), 36 - len(first)))
        decks.append(
            Deck(f"mixed {k}", (*((24 // len(lands), land) for land in lands), *((1, name) for name in drawn)))
        )
    return decks


def positions(decks: Sequence[Deck | str], seeds: int, **options: Any) -> Iterator[tuple[Game, int]]:
    """All choices of games between greedy players, each with the option about to be taken."""
    for seed in range(seeds):
        game = Game(decks, seed=seed, **options)
        while not game.is_terminal:
            option = game.agent_option("greedy")
            yield game, option
            game.apply(option)
        assert game.status == GameStatus.ENDED, seed


# --- winning ---


def in_seat(decks: Sequence[Deck | str], games: int, seat: int, seed: int) -> SimulationResult:
    """Greedy in one seat, random in the other."""
    agents = ["random", "random"]
    agents[seat] = "greedy"
    result = simulate(decks, games, seed=seed, agents=agents)
    assert not result.stopped
    return result


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("deck", [*bundled_decks(), *workloads()])
def test_greedy_beats_random(deck: str, seat: int) -> None:
    """Half of ogre-mirror is land: who draws it loses, whatever they do."""
    assert in_seat([deck, deck], 1000, seat, 1).wins[seat] >= (720 if deck == "ogre-mirror" else 850)


def test_the_two_decks_are_even() -> None:
    result = simulate(["red", "green"], 4000, seed=1)
    assert not result.stopped
    assert 0.4 <= result.wins[0] / result.games <= 0.6


def test_threads_change_nothing() -> None:
    one, two = (simulate(["green", "red"], 500, seed=3, threads=n) for n in (1, 2))
    assert one.checksum == two.checksum
    assert one.wins == two.wins


def test_greedy_beats_random_with_any_cards() -> None:
    wins = games = 0
    for deck in mixed_decks(CardPool.builtin(), 24):
        for seat in range(2):
            result = in_seat([deck, deck], 50, seat, 5)
            wins += result.wins[seat]
            games += result.games
    assert wins >= 0.85 * games


# --- sense ---


@pytest.mark.parametrize(
    ("decks", "harm", "help_"),
    [
        (["red", "green"], 100, 10),
        (["auras", "weenie"], 0, 100),
        (["sacrifice", "skies"], 30, 0),
        (["mixed", "mixed"], 450, 250),
    ],
)
def test_harm_goes_to_enemies_and_help_to_friends(decks: list[str], harm: int, help_: int) -> None:
    seen: Counter[str] = Counter()
    chosen = positions(decks, 40) if decks[0] != "mixed" else mixed_positions()
    for game, option in chosen:
        if game.choice != ChoiceKind.TARGET:
            continue
        source = game.object(game.subject())
        if source is None:
            continue  # a triggered ability whose source has left
        taken = game.options()[option]
        target = game.object(taken.object) if taken.kind == OptionKind.OBJECT else None
        own = taken.player == game.decider if target is None else target.controller == game.decider
        if own and source.name == "Sinking Feeling" and target is not None and Keyword.DOESNT_UNTAP in target.keywords:
            # Any creature can be enchanted (CR 303.4a). The harm is done: a second effect that keeps it from untapping
            # in the untap step changes nothing (502.3). What is left is the ability to untap it, which the creature
            # gets (113.10, 613.1f) and its controller alone may activate (602.2).
            continue
        if source.name in HARMFUL | COUNTERS:
            assert not own, (source.name, taken)
            seen["harm"] += 1
        elif source.name in HELPFUL:
            assert own, (source.name, taken)
            seen["help"] += 1
    assert seen["harm"] >= harm
    assert seen["help"] >= help_


def mixed_positions() -> Iterator[tuple[Game, int]]:
    decks = mixed_decks(CardPool.builtin(), 24, HARMFUL | HELPFUL | COUNTERS)
    for one, other in itertools.pairwise(decks):
        yield from positions([one, other], 8)


def test_what_is_given_up_is_what_is_missed_least() -> None:
    """Of creatures to sacrifice a small one goes, but for what comes back."""
    seen = small = 0
    for game, option in positions(["sacrifice", "sacrifice"], 40):
        if game.choice not in (ChoiceKind.COST, ChoiceKind.SACRIFICE) or game.step == Step.DECLARE_BLOCKERS:
            continue
        objects = [obj for obj in (game.object(o.object) for o in game.options()) if obj is not None]
        sizes = [obj.power + obj.toughness for obj in objects]
        taken = objects[option]
        seen += 1
        small += (taken.power + taken.toughness) * len(sizes) <= sum(sizes)
    assert seen > 50
    assert small >= 0.75 * seen


def test_combat_damage_that_kills_all_blockers_is_divided_so() -> None:
    """CR 510.1c: where the damage left is lethal for every blocker that is still to come, this one gets enough."""
    enough = 0
    for game, option in (seen for deck in ("vanilla", "green") for seen in positions([deck, deck], 60)):
        if game.choice != ChoiceKind.ASSIGN:
            continue
        asked = game.object(game.options()[option].object)
        assert asked is not None
        blockers = [obj for obj in game.objects(Zone.BATTLEFIELD) if obj.blocking and obj.blocking == asked.blocking]
        left = [obj for obj in blockers if obj.timestamp >= asked.timestamp]
        if game.options()[-1].number >= sum(obj.toughness - obj.damage for obj in left):
            enough += 1
            assert game.options()[option].number >= asked.toughness - asked.damage
    assert enough >= 20


def test_a_spell_is_paid_for_rather_than_countered() -> None:
    asked = 0
    for game, option in positions(["skies", "skies"], 80):
        if game.choice == ChoiceKind.PAY_COST:
            source = game.object(game.subject())
            if source is not None and source.name == "Mana Leak":
                asked += 1
                assert game.options()[option].kind == OptionKind.YES
    assert asked >= 1


def lethal_burn(game: Game) -> bool:
    """Burn that the player with priority can cast now, with the mana there is, beats its one opponent."""
    me = game.decider
    life = game.life(1 - me)
    names = [o.name for o in game.options() if o.kind == OptionKind.CAST and o.name in BURN]
    if sum(BURN[name] for name in names) < life:
        return False
    costs = {"Searing Spear": 2, "Lava Axe": 5}
    lands = [obj for obj in game.objects(Zone.BATTLEFIELD) if obj.controller == me and obj.types & TypeBit.LAND]
    mana = sum(not land.tapped for land in lands)
    return any(
        sum(costs.get(name, 1) for name in some) <= mana and sum(BURN[name] for name in some) >= life
        for n in range(len(names) + 1)
        for some in itertools.combinations(names, n)
    )


@pytest.mark.parametrize("decks", [["red", "red"], ["bolt-mirror", "bolt-mirror"], ["red", "green"]], ids="-".join)
def test_lethal_burn_is_never_passed_by(decks: list[str]) -> None:
    found = 0
    for game, option in positions(decks, 60):
        if game.choice != ChoiceKind.PRIORITY:
            continue
        stack = game.objects(Zone.STACK)
        if stack and stack[-1].controller == game.decider:
            continue
        if lethal_burn(game):
            found += 1
            taken = game.options()[option]
            assert taken.kind != OptionKind.PASS, (game.turn, Step(game.step).name)
    assert found > 20


def test_lands_are_played_and_hands_are_kept_by_their_lands() -> None:
    kept = 0
    for game, option in positions(["red", "green"], 60):
        taken = game.options()[option]
        if game.choice == ChoiceKind.PRIORITY and any(o.kind == OptionKind.PLAY for o in game.options()):
            assert taken.kind == OptionKind.PLAY
        if taken.kind == OptionKind.KEEP and game.turn == 0:
            lands = sum(bool(card.types & TypeBit.LAND) for card in game.objects(Zone.HAND, game.decider))
            kept += 1
            assert 2 <= lands <= 5 or len(game.options()) == 1 or game.column("p_mulligans")[game.decider] >= 2
    assert kept >= 120


def test_attackers_are_not_thrown_away() -> None:
    """A creature alone never attacks into one that blocks it, kills it and survives, unless a spell may follow."""
    for game, option in positions(["vanilla", "vanilla"], 20):
        if game.choice != ChoiceKind.ATTACK or game.options()[option].kind == OptionKind.NO:
            continue
        me = game.decider
        table = [obj for obj in game.objects(Zone.BATTLEFIELD) if obj.types & TypeBit.CREATURE]
        mine = [obj for obj in table if obj.controller == me]
        theirs = [obj for obj in table if obj.controller != me and not obj.status & Status.TAPPED]
        if len(mine) == 1 and len(theirs) == 1 and game.turn < 20:
            assert theirs[0].power < mine[0].toughness or theirs[0].toughness <= mine[0].power


@pytest.mark.parametrize(
    "cards", [("Aether Adept",), ("Man-o'-War", "Serra Angel"), ("Cowardice", "Grafted Wargear", "Ornithopter")]
)
def test_it_does_not_go_round_in_circles(cards: tuple[str, ...]) -> None:
    """Where mana is waived, what only undoes itself is not worth doing, and patience has an end."""
    deck = Deck("circle", ((24, "Island"), *((36 // len(cards), name) for name in cards)))
    for seed in range(6):
        game = Game([deck, "green"], seed=seed, payment="free")
        acts: Counter[tuple[int, int]] = Counter()
        while not game.is_terminal:
            option = game.agent_option("greedy")
            if game.choice == ChoiceKind.PRIORITY and game.options()[option].kind != OptionKind.PASS:
                acts[game.turn, game.decider] += 1
            game.apply(option)
        assert game.status == GameStatus.ENDED
        assert max(acts.values()) < 60


# --- everywhere ---


@pytest.mark.sanitize
@pytest.mark.parametrize("payment", ["auto", "manual", "free"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_kind_of_choice_is_answered_and_the_game_left_alone(players: int, payment: str) -> None:
    pool = CardPool.builtin()
    mixed = mixed_decks(pool)
    tables = [list(itertools.islice(itertools.cycle(mixed), k, k + players)) for k in range(10)]
    how: dict[str, Any] = {"payment": payment, "auto_pass": players != 3}
    kinds: Counter[ChoiceKind] = Counter()
    for number, (game, option) in enumerate(seen for decks in tables for seen in positions(decks, 1, **how)):
        options = game.options()
        assert 0 <= option < len(options)
        kinds[game.choice] += 1
        if game.choice == ChoiceKind.PRIORITY:
            assert options[option].kind != OptionKind.MANA
        if number % 11 == 0:
            before = game.serialize()
            assert game.agent_option("greedy") == option
            assert game.serialize() == before
    asked = {ChoiceKind.PRIORITY, ChoiceKind.TARGET, ChoiceKind.ATTACK, ChoiceKind.BLOCK, ChoiceKind.MULLIGAN}
    asked |= {ChoiceKind.MAY}
    assert asked <= set(kinds)
    assert (ChoiceKind.PAY in kinds) == (payment == "manual")


def test_what_it_cannot_see_changes_nothing() -> None:
    """On the play, the first turn is the same whatever the opponent's deck is."""
    compared = 0
    for seed in range(40):
        games = [Game(["red", other], seed=seed) for other in ("red", "green", "vanilla")]
        if games[0].starting_player != 0:
            continue
        taken: list[list[str]] = [[] for _ in games]
        for game, actions in zip(games, taken, strict=True):
            while game.turn <= 1 and not game.is_terminal:
                if game.decider == 0:
                    actions.append(" ".join(str(game.options()[game.agent_option("greedy")]).split()[:1]))
                    game.step_agent("greedy")
                else:
                    game.apply(0)
        assert taken[0] == taken[1] == taken[2]
        compared += 1
    assert compared > 10
