"""Abilities in card files: spell, activated, mana, triggered, static and replacement abilities, their instructions."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import yaml

from lkicore.ir.abilities import (
    GIVEN,
    LOYALTY_TIMING,
    OF_PLAYERS,
    OTHERWISE,
    Ability,
    ActivatedAbility,
    EnchantAbility,
    ManaAbility,
    Modes,
    OpeningAbility,
    ReplacementAbility,
    RuleAbility,
    SpellAbility,
    StaticAbility,
    TriggeredAbility,
    TurnUpAbility,
)
from lkicore.ir.changes import (
    PLAYER_CHANGES,
    Change,
    Enter,
    changes_of,
    enters_tapped,
    exceptions_of,
    gain_ability,
)
from lkicore.ir.conditions import all_of, equal
from lkicore.ir.costs import Cost, loyalty
from lkicore.ir.effects import MAX_LEVEL, Effect, set_level
from lkicore.ir.filters import Filter, creature, filter_of_objects, player, tapped, this, yourself
from lkicore.ir.flow import If, May, Pay
from lkicore.ir.giving import ManaUse, give_mana
from lkicore.ir.lasting import apply
from lkicore.ir.later import delayed, reflexive
from lkicore.ir.mana import mana_colors, mana_groups
from lkicore.ir.operands import Kind
from lkicore.ir.reading import cost
from lkicore.ir.references import Ref, source, you
from lkicore.ir.shields import shield
from lkicore.ir.target_specs import TargetSpec
from lkicore.ir.triggers import NO_TRIGGER_FLAGS, Event, counters_put
from lkicore.ir.turns import SKIP_WORDS
from lkicore.ir.values import Value, event_amount, level_of, value
from lkicore.ir.vocabulary import ZONE_WORDS
from lkicore.ir.way_words import way_kind
from lkicore.ir.ways import PLAYED, CastingAbility, Way
from lkicore.ir.words import mana_words
from lkicore.opcodes import (
    CastOp,
    Color,
    Duration,
    EnterOp,
    EventKind,
    ReplaceOp,
    RuleOp,
    RuleWhom,
    Timing,
    TriggerFlag,
    WayFlag,
    WayKind,
    Zone,
)

from .errors import did_you_mean, nearest
from .shapes import Shapes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lkicore.ir.flow import Instruction

T = TypeVar("T")

_CONTENT_KEYS = ("targets", "do", "choose", "modes")
_SPELL_KEYS = (*_CONTENT_KEYS, "cost", "escalate", "entwine")
#: Keys of each kind of ability, by the key that tells it.
_KEYS: dict[str, tuple[str, tuple[str, ...]]] = {
    "when": ("a triggered ability", ("when", "if", *_CONTENT_KEYS, "from", "once")),
    "again": ("an ability", ("again", "if", "from")),
    "static": ("a static ability", ("static", "affects", "if", "from")),
    "chapter": ("a chapter ability", ("chapter", *_CONTENT_KEYS)),
    "enters": ("an ability", ("enters", "but", "affects", "if", "from")),
    "instead": (
        "an ability",
        (
            *("instead", "affects", "if", "from", "amount", "who", "by", "kind", "mana", "combat"),
            *("except_first", "do", "to", "may"),
        ),
    ),
    "prevent": ("an ability", ("prevent", "affects", "if", "combat", "from", "who", "by", "amount", "do")),
    "opening_hand": ("an ability", ("opening_hand", "if")),
    "turned_up": ("an ability", ("turned_up", "if")),
    "turn_up": ("an ability", ("turn_up",)),
    "enchant": ("an ability", ("enchant",)),
    "rule": ("a rule", ("rule", "affects", "whom", "pay", "most", "what", "if")),
    "loyalty": ("a loyalty ability", ("loyalty", *_CONTENT_KEYS, "if")),
    "play": ("an ability", ("play", "from", "by", "way", "price", "also", "any_color", "only", "then", "if")),
    "flash": ("an ability", ("flash", "by", "if")),
    "cant_cast": ("an ability", ("cant_cast", "by", "if")),
    "cant_be_countered": ("an ability", ("cant_be_countered", "by", "if")),
    "cant_activate": ("an ability", ("cant_activate", "by", "if")),
    "costs_less": ("an ability", ("costs_less", "affects", "by", "if", "mana", "only_colors")),
    "costs_more": ("an ability", ("costs_more", "affects", "by", "if")),
    "costs_at_least": ("an ability", ("costs_at_least", "affects", "by", "if")),
    "cost": ("an ability", ("cost", "mana", "amount", "combination", "use", *_CONTENT_KEYS, "if", "timing", "from")),
}
_ALL_KEYS = tuple(dict.fromkeys(key for _, keys in _KEYS.values() for key in keys))
_INSTEAD = {
    "exile_if_dies": ReplaceOp.DIES_EXILE,
    "exile_if_put_into_graveyard": ReplaceOp.GRAVEYARD_EXILE,
    "counters": ReplaceOp.COUNTERS,
    "tokens": ReplaceOp.TOKENS,
    "damage": ReplaceOp.DAMAGE,
    "life_gain": ReplaceOp.LIFE_GAIN,
    "life_loss": ReplaceOp.LIFE_LOSS,
    "skip_draw": ReplaceOp.DRAW,
    "you_draw": ReplaceOp.DRAW,
    "redirect_to_this": ReplaceOp.REDIRECT,
    "redirect_to_host": ReplaceOp.REDIRECT,
    "damage_cant_be_prevented": ReplaceOp.UNPREVENTABLE,
    "moved_if_dies": ReplaceOp.DIES_EXILE,
    "moved_if_put_into_graveyard": ReplaceOp.GRAVEYARD_EXILE,
    "draw": ReplaceOp.DRAW,
    "draws": ReplaceOp.DRAWS,
    "mill": ReplaceOp.MILL,
    "scry": ReplaceOp.SCRY,
    "proliferate": ReplaceOp.PROLIFERATE,
}
#: Words of `instead` that say which way.
_WAYS = {"you_draw": GIVEN, "redirect_to_host": 1, "draw": OTHERWISE}
_PREVENT = {"to_it": ReplaceOp.PREVENT_TO, "by_it": ReplaceOp.PREVENT_BY}
#: Those that speak of all players, if nothing is said.
_OF_ALL = ("costs_more", "costs_at_least", "cant_cast", "cant_activate", "cant_be_countered")
_CASTING = {
    "play": CastOp.PERMIT,
    "flash": CastOp.FLASH,
    "cant_cast": CastOp.FORBID,
    "cant_activate": CastOp.FORBID_ACTIVATE,
    "cant_be_countered": CastOp.UNCOUNTERABLE,
    "costs_less": CastOp.LESS,
    "costs_more": CastOp.MORE,
    "costs_at_least": CastOp.LEAST,
}
#: Modes of a spell with entwine.
BOTH_MODES = 2
_TIMINGS = {t.name.lower(): t for t in Timing if t.name}
#: Keys of instructions that are maps, by the key that tells them.
_BRANCHES: dict[str, tuple[str, ...]] = {
    "may": ("may", "who", "else"),
    "if": ("if", "then", "else"),
    "pay": ("pay", "who", "x", "then", "else"),
    "delay": ("delay", "about", "until", "each_time", "do"),
    "reflexive": ("reflexive",),
    "shield": ("shield", "then"),
    "gain_ability": ("gain_ability", "what", "duration"),
}


def both(one: Value | None, other: Value) -> Value:
    """Return the condition that both hold, if there are two."""
    return other if one is None else all_of(one, other)


class AbilityReader(Shapes):
    """Reads abilities."""

    # ------------------------------------------------------------------------------------------ abilities
    def spell(self, node: yaml.Node) -> SpellAbility:
        """Return a spell ability, or a mode."""
        fields = self.map(node, _SPELL_KEYS, "a spell ability")
        targets, effects, modes = self.content(fields, node)
        price = self.parsed(cost, fields["cost"]) if "cost" in fields else None
        if price is not None and modes is not None:
            raise self.error("cost: modes have costs, not what they are chosen for", fields["cost"])
        return self.made(lambda: SpellAbility(effects, targets, modes, cost=price), node)

    def ability(self, node: yaml.Node) -> Ability:
        """Return an ability of a permanent or card."""
        keys = self.keys(node)
        for key, (what, allowed) in _KEYS.items():
            if key in keys:
                fields = self.map(node, allowed, what)
                break
        else:
            self.map(node, _ALL_KEYS, "an ability")
            raise self.error("an activated ability without a cost", node)
        if key == "when":
            return self.triggered(fields, node)
        if key == "again":
            event = self.of_type(Event, fields["again"], "an event such as dies(creature)")
            condition, zone = self.condition(fields), self.zone(fields)
            return self.made(lambda: TriggeredAbility(event, condition=condition, zone=zone, again=True), node)
        if key == "static":
            return self.static(fields, node)
        if key == "cost":
            return self.activated(fields, node)
        if key == "rule":
            return self.rule(fields, node)
        if key == "loyalty":
            return self.loyalty(fields, node)
        if key == "opening_hand":
            begun, condition = self.block(fields["opening_hand"]), self.condition(fields)
            return self.made(lambda: OpeningAbility(begun, condition), node)
        if key == "enchant":
            return EnchantAbility(self.affects({"affects": fields["enchant"]}))
        if key in _CASTING:
            return self.casting(key, fields, node)
        if key == "chapter":
            return self.chapter(fields, node)
        if key == "turn_up":
            # "mana cost": that of what it is face up (CR 701.40b)
            own = self.scalar(fields["turn_up"]) == "mana cost"
            price = None if own else self.parsed(cost, fields["turn_up"])
            return self.made(lambda: TurnUpAbility(price), node)
        return self.replacement(key, fields, node)

    def abilities_of(self, node: yaml.Node) -> list[Ability]:
        """Return an ability, or those of a level of a Class (CR 716.2)."""
        if not isinstance(node, yaml.MappingNode) or "level" not in self.keys(node):
            return [self.ability(node)]
        fields = self.map(node, ("level", "cost", "abilities"), "a level of a Class")
        if "cost" not in fields:
            raise self.error("a level without a cost", node)
        text = self.scalar(fields["level"])
        if re.fullmatch(f"[2-{MAX_LEVEL}]", text) is None:
            raise self.error(f"a level is a number from 2 to {MAX_LEVEL}", fields["level"])
        level, price = int(text), self.parsed(cost, fields["cost"])
        raised = (set_level(source, level),)
        below = equal(level_of(source), level - 1)
        gain = self.made(lambda: ActivatedAbility(price, raised, (), None, below, Timing.SORCERY), node)
        inner = [self.ability(item) for item in self.items(fields.get("abilities"))]
        return [gain, *self.made(lambda: [self.from_level(a, level) for a in inner], node)]

    @staticmethod
    def from_level(ability: Ability, level: int) -> Ability:
        """Return `ability` as one that the Class has from a level on (CR 716.2c)."""
        if isinstance(ability, TriggeredAbility) and ability.event.kind is EventKind.LEVEL:
            return replace(ability, condition=both(ability.condition, equal(event_amount, level)))
        if not isinstance(ability, ActivatedAbility | TriggeredAbility | StaticAbility | ReplacementAbility):
            raise ValueError("such an ability cannot be that of a level")
        return replace(ability, condition=both(ability.condition, level_of(source) >= level))

    def chapter(self, fields: dict[str, yaml.Node], node: yaml.Node) -> Ability:
        """Return a chapter ability (CR 714.2): `chapter: 1`, `chapter: "1, 2"`."""
        text = self.scalar(fields["chapter"])
        if re.fullmatch(r"[1-9](\s*,\s*[1-9])*", text) is None:
            raise self.error('chapters are numbers such as 1 or "1, 2"', fields["chapter"])
        chapters = tuple(int(part) for part in text.split(","))
        targets, effects, modes = self.content(fields, node)
        event = counters_put(this, "lore")
        return self.made(lambda: TriggeredAbility(event, effects, targets, modes, chapters=chapters), node)

    def activated(self, fields: dict[str, yaml.Node], node: yaml.Node) -> Ability:
        price = self.parsed(cost, fields["cost"])
        if "mana" in fields:
            return self.mana_ability(price, fields, node)
        targets, effects, modes = self.content(fields, node)
        condition, timing = self.condition(fields), self.timing(fields)
        zone = self.zone(fields) or Zone.BATTLEFIELD
        return self.made(lambda: ActivatedAbility(price, effects, targets, modes, condition, timing, zone), node)

    def rule(self, fields: dict[str, yaml.Node], node: yaml.Node) -> Ability:
        """Return a static ability that changes rules of turns or combat."""
        rule = self.word({r.name.lower(): r for r in RuleOp}, fields["rule"], "rule")
        affects = self.affects(fields) if "affects" in fields else creature
        whom, number = RuleWhom.ANYBODY, 0
        if "whom" in fields:
            whom = self.word({w.name.lower(): w for w in RuleWhom}, fields["whom"], "whom")
        wanted = {RuleOp.ATTACK_TAX: "pay", RuleOp.MOST_ATTACKERS: "most", RuleOp.MOST_BLOCKERS: "most"}
        key = "what" if rule is RuleOp.SKIP else wanted.get(rule)
        further = [k for k in ("pay", "most", "what") if k in fields and k != key]
        if further or (key is not None and key not in fields):
            raise self.error(f"the rule {rule.name.lower()} has {f'the key {key}' if key else 'no number'}", node)
        made: Value | int = number
        if key == "pay":
            made = self.value(fields["pay"], "a value")
        elif key == "most":
            text = self.scalar(fields["most"])
            if re.fullmatch("[0-9]{1,2}", text) is None:
                raise self.error("most: a whole number is wanted", fields["most"])
            made = int(text)
        elif key == "what":
            made = int(self.word(SKIP_WORDS, fields["what"], "what"))
        condition = self.condition(fields)
        return self.made(lambda: RuleAbility(rule, affects, whom, made, condition), node)

    def loyalty(self, fields: dict[str, yaml.Node], node: yaml.Node) -> Ability:
        """Return a loyalty ability (CR 606): its cost is "+1", "0", "-3" or "-X"."""
        text = self.scalar(fields["loyalty"])
        if re.fullmatch(r"\+[1-9][0-9]?|0|-[1-9][0-9]?|-X", text) is None:
            raise self.error("the cost of a loyalty ability is a number such as +1, 0 or -3, or -X", fields["loyalty"])
        price = loyalty(None if text == "-X" else int(text))
        targets, effects, modes = self.content(fields, node)
        condition = self.condition(fields)
        return self.made(lambda: ActivatedAbility(price, effects, targets, modes, condition, LOYALTY_TIMING), node)

    def mana_ability(self, price: Cost, fields: dict[str, yaml.Node], node: yaml.Node) -> Ability:
        """Return a mana ability (CR 605.1a)."""
        further = [k for k in fields if k not in ("cost", "mana", "amount", "combination", "use", "do", "if")]
        if further:
            raise self.error(f"a mana ability has neither targets nor modes (CR 605.1a): {further[0]}", node)
        groups = self.parsed(mana_groups, fields["mana"])
        amount = self.value(fields["amount"], "a number") if "amount" in fields else None
        use = self.of_type(ManaUse, fields["use"], "spend_on(creature)") if "use" in fields else None
        condition = self.condition(fields)
        together = self.flag(fields, "combination")
        block = self.block(fields.get("do"))
        colors = Color(0)
        for kinds, _ in groups:
            colors |= kinds
        plain = len(groups) == 1 and amount is None and use is None and not block and condition is None
        if plain:
            return self.made(lambda: ManaAbility(price, *groups[0]), node)
        one = not together
        effects = tuple(
            give_mana(you, mana_words(kinds), n if amount is None else amount, use, one and int(kinds).bit_count() > 1)
            for kinds, n in groups
        )
        return self.made(lambda: ManaAbility(price, colors, 1, (*effects, *block), condition), node)

    def triggered(self, fields: dict[str, yaml.Node], node: yaml.Node) -> Ability:
        event = self.of_type(Event, fields["when"], "an event such as dies(this)")
        targets, effects, modes = self.content(fields, node)
        condition, zone = self.condition(fields), self.zone(fields)
        once = self.flag(fields, "once")
        return self.made(lambda: TriggeredAbility(event, effects, targets, modes, condition, zone, once), node)

    def static(self, fields: dict[str, yaml.Node], node: yaml.Node) -> Ability:
        changes = tuple(self.change(item) for item in self.items(fields["static"]))
        if any(c.op in PLAYER_CHANGES for c in changes):
            affects = (
                self.of_type(Filter, fields["affects"], "a filter of players") if "affects" in fields else yourself
            )
        else:
            affects = self.affects(fields)
        condition, zone = self.condition(fields), self.zone(fields) or Zone.BATTLEFIELD
        return self.made(lambda: StaticAbility(changes_of(changes, "static"), affects, condition, zone), node)

    def replacement(self, key: str, fields: dict[str, yaml.Node], node: yaml.Node) -> Ability:
        affects, condition = self.affects(fields), self.condition(fields)
        zone = self.zone(fields) or Zone.BATTLEFIELD
        if key == "enters":
            ways = tuple(self.way(item) for item in self.items(fields["enters"]))
            if any(way.op is EnterOp.COPY for way in ways):
                return self.copying(ways, affects, condition, fields, node)
            if "but" in fields:
                raise self.error("but: exceptions are those of a copy", node)
            return self.made(lambda: ReplacementAbility(ReplaceOp.ENTERS, affects, ways, condition, zone=zone), node)
        if key == "turned_up":
            ways = tuple(self.way(item) for item in self.items(fields["turned_up"]))
            if any(way.op is not EnterOp.COUNTERS for way in ways):
                raise self.error("as it is turned face up, it gets counters", fields["turned_up"])
            return self.made(lambda: ReplacementAbility(ReplaceOp.TURNED_UP, affects, ways, condition), node)
        if key == "instead" and self.scalar(fields[key]) == "mana":
            return self.mana_instead(affects, condition, fields, node)
        kinds = _INSTEAD if key == "instead" else _PREVENT
        replaces = self.word(kinds, fields[key], key)
        flags = NO_TRIGGER_FLAGS
        if "combat" in fields:
            flags = TriggerFlag.COMBAT if self.flag(fields, "combat") else TriggerFlag.NONCOMBAT
        if "except_first" in fields and self.flag(fields, "except_first"):
            flags |= TriggerFlag.NOT_FIRST
        if self.flag(fields, "may"):
            if replaces is not ReplaceOp.DRAW:
                raise self.error("may: only a draw can be replaced or not, as its player likes", fields["may"])
            flags |= TriggerFlag.MAY
        zone_to = self.zone_to(fields)
        if (zone_to is None) is self.scalar(fields[key]).startswith("moved_"):
            raise self.error("to: where it goes instead is said with moved_if_dies and the like, and only there", node)
        effects = self.block(fields.get("do"))
        amount = self.value(fields["amount"], "a value") if "amount" in fields else None
        who, by = self.players(fields), self.affects({"affects": fields["by"]}) if "by" in fields else None
        counter = self.scalar(fields["kind"]) if "kind" in fields else ""
        way = _WAYS.get(self.scalar(fields[key]), 0)
        only = affects if "affects" in fields or replaces not in OF_PLAYERS else None
        if replaces is ReplaceOp.PREVENT_TO and only is None and who is None:
            only = affects
        return self.made(
            lambda: ReplacementAbility(
                *(replaces, only, (), condition, flags, zone, amount, who, by, counter, way),
                effects=effects,
                to=zone_to,
            ),
            node,
        )

    def zone_to(self, fields: dict[str, yaml.Node]) -> Zone | None:
        """Return the zone under "to", None if nothing is said."""
        if "to" not in fields:
            return None
        found = self.expression(fields["to"])
        if not isinstance(found, Zone):
            raise self.error("to: a zone such as library is wanted", fields["to"])
        return found

    def mana_instead(
        self, affects: Filter, condition: Value | None, fields: dict[str, yaml.Node], node: yaml.Node
    ) -> Ability:
        """Return what replaces mana that permanents are tapped for (CR 106.12b)."""
        further = [k for k in fields if k not in ("instead", "affects", "if", "amount", "who", "mana")]
        if further:
            raise self.error(f"the mana that a permanent is tapped for has no {further[0]}", node)
        amount = self.value(fields["amount"], "a value") if "amount" in fields else event_amount
        kinds = self.parsed(mana_colors, fields["mana"]) if "mana" in fields else Color(0)
        who = self.players(fields) or player
        return self.made(
            lambda: CastingAbility(CastOp.TAPPED, affects, who, amount, condition=condition, kinds=kinds), node
        )

    def players(self, fields: dict[str, yaml.Node]) -> Filter | None:
        """Return the players of whom something is replaced."""
        if "who" not in fields:
            return None
        found = self.expression(fields["who"])
        if not isinstance(found, Filter) or not found.kind & Kind.PLAYER:
            raise self.error("a filter of players such as yourself is wanted", fields["who"])
        return found

    def casting(self, key: str, fields: dict[str, yaml.Node], node: yaml.Node) -> Ability:
        """Return an ability about casting, playing and activating."""
        by = self.of_type(Filter, fields["by"], "a filter of players such as opponent") if "by" in fields else None
        who = by or (player if key in _OF_ALL else yourself)
        condition = self.condition(fields)
        if key.startswith("costs"):
            amount = self.value(fields[key], "a number")
            affects = self.affects(fields)
            kinds = self.parsed(mana_colors, fields["mana"]) if "mana" in fields else Color(0)
            colored = self.flag(fields, "only_colors")
            return self.made(
                lambda: CastingAbility(
                    _CASTING[key], affects, who, amount, condition=condition, kinds=kinds, only_colors=colored
                ),
                node,
            )
        found = self.expression(fields[key])
        affects = self.made(lambda: filter_of_objects(found, key), fields[key])
        if key != "play":
            return self.made(lambda: CastingAbility(_CASTING[key], affects, who, condition=condition), node)
        zones = self.zones(fields)
        kind = self.parsed(way_kind, fields["way"]) if "way" in fields else WayKind.NORMAL
        price = self.parsed(cost, fields["price"]) if "price" in fields else None
        also = self.parsed(cost, fields["also"]) if "also" in fields else None
        if price is None and also is None and kind is not WayKind.NORMAL:
            price = Cost()
        marks = WayFlag.ANY_COLOR if self.flag(fields, "any_color") else WayFlag(0)
        marks |= self.marks_of_way(fields)
        only = self.scalar(fields["only"]) if "only" in fields else "cards"
        if only not in PLAYED:
            raise self.error(f"only: there are {', '.join(PLAYED)}", fields["only"])
        way = self.made(lambda: Way(kind, price, (), flags=marks | PLAYED[only], also=also), node)
        return self.made(
            lambda: CastingAbility(CastOp.PERMIT, affects, who, way=way, zones=zones, condition=condition), node
        )

    def zones(self, fields: dict[str, yaml.Node]) -> tuple[Zone, ...]:
        """Return the zones under "from"; the hand if nothing is said."""
        words = {"exile" if z is Zone.EXILE else word: z for word, z in ZONE_WORDS.items()}
        found = []
        for item in self.items(fields.get("from")):
            text = self.scalar(item)
            if text not in words:
                raise self.error(f"from: there are {', '.join(words)}{did_you_mean(nearest(text, words))}", item)
            found.append(words[text])
        return tuple(found) or (Zone.HAND,)

    def marks_of_way(self, fields: dict[str, yaml.Node]) -> WayFlag:
        """Return what stands under "timing" and "then" of a way of casting."""
        marks = WayFlag(0)
        words = {"instant": WayFlag.INSTANT, "sorcery": WayFlag.SORCERY, "exile": WayFlag.EXILE}
        for key in ("timing", "then"):
            for item in self.items(fields.get(key)):
                text = self.scalar(item)
                if text not in words or (text == "exile") is not (key == "then"):
                    raise self.error(f"{key}: {text!r} is not understood", item)
                marks |= words[text]
        return marks

    def way_of_casting(self, node: yaml.Node) -> Way:
        """Return a way in which a card can be cast (CR 118.9, 601.2b)."""
        fields = self.map(
            node, ("way", "cost", "also", "from", "if", "timing", "then", "spell", "face"), "a way of casting"
        )
        kind = self.parsed(way_kind, fields["way"]) if "way" in fields else WayKind.ALTERNATIVE
        price = self.parsed(cost, fields["cost"]) if "cost" in fields else None
        zones, condition, marks = self.zones(fields), self.condition(fields), self.marks_of_way(fields)
        spell = self.spell(fields["spell"]) if "spell" in fields else None
        face = self.scalar(fields["face"]) if "face" in fields else ""
        also = self.parsed(cost, fields["also"]) if "also" in fields else None
        return self.made(lambda: Way(kind, price, zones, condition, marks, spell, face, also), node)

    def copying(
        self,
        ways: tuple[Enter, ...],
        affects: Filter,
        condition: Value | None,
        fields: dict[str, yaml.Node],
        node: yaml.Node,
    ) -> Ability:
        """Return "it may enter as a copy" (CR 707.5), with the exceptions under `but`."""
        but = tuple(self.change(item) for item in self.items(fields.get("but")))
        of, told, zone = ways[0].args
        assert isinstance(told, tuple)

        def made() -> Ability:
            way = Enter(EnterOp.COPY, (of, exceptions_of((*told, *but), "enters"), zone))
            return ReplacementAbility(ReplaceOp.COPY, affects, (way, *ways[1:]), condition)

        return self.made(made, node)

    def word(self, words: Mapping[str, T], node: yaml.Node, key: str) -> T:
        text = self.scalar(node)
        if text not in words:
            raise self.error(f"{key}: there are {', '.join(words)}{did_you_mean(nearest(text, words))}", node)
        return words[text]

    # ---------------------------------------------------------------------------------------------- parts
    def content(
        self, fields: dict[str, yaml.Node], node: yaml.Node
    ) -> tuple[tuple[TargetSpec, ...], tuple[Instruction, ...], Modes | None]:
        """Return targets and effects, or modes."""
        if "modes" in fields or "choose" in fields:
            return (), (), self.modes(fields, node)
        return self.targets(fields.get("targets")), self.effects(fields, node), None

    def modes(self, fields: dict[str, yaml.Node], node: yaml.Node) -> Modes:
        if "modes" not in fields or "do" in fields or "targets" in fields:
            raise self.error("what is chosen from stands under 'modes', with targets and effects in each mode", node)
        modes = tuple(self.spell(item) for item in self.items(fields["modes"]))
        least, most = 1, 1
        if "choose" in fields:
            text = self.scalar(fields["choose"])
            match = re.fullmatch(r"([0-9]{1,2})(?:\s*-\s*([0-9]{1,2}))?", text)
            if match is None:
                raise self.error('choose is a number of modes such as 1 or "1-2"', fields["choose"])
            least = int(match[1])
            most = int(match[2] or match[1])
        beyond = None
        for key in ("escalate", "entwine"):
            if key in fields:
                beyond = self.parsed(cost, fields[key])
                least, most = 1, len(modes)
        if "entwine" in fields and ("escalate" in fields or len(modes) != BOTH_MODES):
            raise self.error("entwine: both of two modes are chosen for its cost (CR 702.42)", fields["entwine"])
        return self.made(lambda: Modes(modes, least, most, beyond), node)

    def targets(self, node: yaml.Node | None) -> tuple[TargetSpec, ...]:
        return tuple(self.target(item) for item in self.items(node))

    def target(self, node: yaml.Node) -> TargetSpec:
        found = self.expression(node)
        if isinstance(found, TargetSpec):
            return found
        if not isinstance(found, Filter):
            raise self.error("a target is described by a filter such as creature & ~black", node)
        return self.made(lambda: TargetSpec(found), node)

    def condition(self, fields: dict[str, yaml.Node]) -> Value | None:
        return self.value(fields["if"], "a condition such as x >= 2") if "if" in fields else None

    def value(self, node: yaml.Node, wanted: str) -> Value:
        found = self.expression(node)
        if type(found) is int:
            return value(found)
        if not isinstance(found, Value):
            raise self.error(f"{wanted} is wanted", node)
        return found

    def affects(self, fields: dict[str, yaml.Node]) -> Filter:
        if "affects" not in fields:
            return this
        node = fields["affects"]
        found = self.expression(node)
        return self.made(lambda: filter_of_objects(found, "affects"), node)

    def timing(self, fields: dict[str, yaml.Node]) -> Timing:
        found = Timing(0)
        for item in self.items(fields.get("timing")):
            text = self.scalar(item)
            if text not in _TIMINGS:
                raise self.error(
                    f"timing: there are {', '.join(_TIMINGS)}{did_you_mean(nearest(text, _TIMINGS))}", item
                )
            found |= _TIMINGS[text]
        return found

    def zone(self, fields: dict[str, yaml.Node]) -> Zone | None:
        node = fields.get("from")
        if node is None:
            return None
        text = self.scalar(node)
        zones = {"exile" if z is Zone.EXILE else word: z for word, z in ZONE_WORDS.items()}
        if text not in zones:
            raise self.error(f"from: there are {', '.join(zones)}{did_you_mean(nearest(text, zones))}", node)
        return zones[text]

    def way(self, node: yaml.Node) -> Enter:
        if isinstance(node, yaml.MappingNode):
            fields = self.map(node, ("delay", "do"), "a way to enter")
            if set(fields) != {"delay", "do"}:
                raise self.error("what happens later is said by 'delay' and 'do'", node)
            later = self.later("delay", fields, node)
            return Enter(EnterOp.DELAY, (later.args[0], later.args[2]))
        found = self.expression(node)
        if found == tapped:
            return enters_tapped
        if not isinstance(found, Enter):
            raise self.error('tapped or counters(1, "+1/+1") is wanted', node)
        return found

    def change(self, node: yaml.Node) -> Change:
        if isinstance(node, yaml.MappingNode):
            fields = self.map(node, ("gain_ability",), "a change")
            if not fields:
                raise self.error("an empty map", node)
            return gain_ability(self.ability(fields["gain_ability"]))
        return self.of_type(Change, node, "a change such as boost(1, 1)")

    # --------------------------------------------------------------------------------------- instructions
    def effects(self, fields: dict[str, yaml.Node], node: yaml.Node) -> tuple[Instruction, ...]:
        if "do" not in fields:
            raise self.error("nothing to do: the key 'do' is missing", node)
        return self.block(fields["do"])

    def block(self, node: yaml.Node | None) -> tuple[Instruction, ...]:
        return tuple(effect for item in self.items(node) for effect in self.effect(item))

    def effect(self, node: yaml.Node) -> tuple[Instruction, ...]:
        """Return an instruction, or those that a keyword action stands for."""
        if isinstance(node, yaml.MappingNode):
            return (self.branch(node),)
        found = self.expression(node)
        if isinstance(found, tuple) and found and all(isinstance(e, Effect | If | May | Pay) for e in found):
            return found
        return (self.of_type(Effect, node, "an effect such as damage(target(0), 3)"),)

    def branch(self, node: yaml.Node) -> Instruction:
        keys = self.keys(node)
        for key, allowed in _BRANCHES.items():
            if key in keys:
                fields = self.map(node, allowed, f"the instruction {key!r}")
                break
        else:
            raise self.error(f"an instruction that is a map has one of the keys {', '.join(_BRANCHES)}", node)
        if key == "may":
            then, who, other = self.block(fields["may"]), self.who(fields), self.block(fields.get("else"))
            return self.made(lambda: May(then, who, other), node)
        if key == "if":
            condition = self.value(fields["if"], "a condition such as x >= 2")
            then, other = self.block(fields.get("then")), self.block(fields.get("else"))
            return self.made(lambda: If(condition, then, other), node)
        if key == "pay":
            return self.payment(fields, node)
        if key == "gain_ability":
            return self.gained(fields, node)
        if key == "shield":
            made = self.of_type(Effect, fields["shield"], "an effect such as prevent(you, 3)")
            follows = self.block(fields.get("then"))
            return self.made(lambda: shield(made, follows), node)
        return self.later(key, fields, node)

    def payment(self, fields: dict[str, yaml.Node], node: yaml.Node) -> Pay:
        price, who = self.parsed(cost, fields["pay"]), self.who(fields)
        x = self.value(fields["x"], "a value") if "x" in fields else None
        then, other = self.block(fields.get("then")), self.block(fields.get("else"))
        return self.made(lambda: Pay(price, then, other, who, x), node)

    def gained(self, fields: dict[str, yaml.Node], node: yaml.Node) -> Effect:
        if "what" not in fields:
            raise self.error("what gains the ability? the key 'what' is missing", node)
        what = self.of_type(Ref, fields["what"], "a reference such as target(0)")
        change = gain_ability(self.ability(fields["gain_ability"]))
        duration = Duration.END_OF_TURN
        if "duration" in fields:
            duration = self.of_type(Duration, fields["duration"], "a duration such as end_of_turn")
        return self.made(lambda: apply(what, change, duration=duration), node)

    def later(self, key: str, fields: dict[str, yaml.Node], node: yaml.Node) -> Effect:
        if key == "reflexive":
            inner = self.map(fields["reflexive"], ("targets", "do"), "a reflexive ability")
            targets, effects = self.targets(inner.get("targets")), self.effects(inner, fields["reflexive"])
            return self.made(lambda: reflexive(effects, targets), node)
        when = self.expression(fields["delay"])
        about = self.of_type(Ref, fields["about"], "a reference such as target(0)") if "about" in fields else None
        effects = self.effects(fields, node)
        if not isinstance(when, Duration | Event):
            raise self.error("a time such as next_end_step, or an event, is wanted", fields["delay"])
        until = Duration.END_OF_TURN
        if "until" in fields:
            until = self.of_type(Duration, fields["until"], "a duration such as always")
        each_time = self.flag(fields, "each_time")
        return self.made(lambda: delayed(when, effects, about, until, each_time), node)

    def who(self, fields: dict[str, yaml.Node]) -> Ref:
        return self.of_type(Ref, fields["who"], "a reference such as you") if "who" in fields else you
