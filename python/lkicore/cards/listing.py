"""Listings: a card in words: characteristics, abilities in the notation with policies, assembled instructions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lkicore.ir.abilities import (
    Ability,
    ActivatedAbility,
    EnchantAbility,
    EvasionAbility,
    HexproofAbility,
    LandwalkAbility,
    ManaAbility,
    OpeningAbility,
    ProtectionAbility,
    ReplacementAbility,
    RuleAbility,
    SpellAbility,
    StaticAbility,
    ToxicAbility,
    TriggeredAbility,
    TurnUpAbility,
)
from lkicore.ir.changes import PLAYERS_LAYER, Change
from lkicore.ir.costs import Cost
from lkicore.ir.effects import Effect
from lkicore.ir.face_down import turn_up
from lkicore.ir.faces import color_letters
from lkicore.ir.filters import this
from lkicore.ir.flow import If, May, Pay
from lkicore.ir.keywords import COMPOSITIONS
from lkicore.ir.operands import FILTER_SORTS, REFERENCE_SORTS, VALUE_SORTS, Sort
from lkicore.ir.references import Ref, source
from lkicore.ir.values import Value
from lkicore.ir.ways import CastingAbility
from lkicore.ir.words import cost_notation, mana_words, notation, operand_notation
from lkicore.opcodes import CastOp, Duration, EffectOp, EventKind, MoveFlag, Read, ReplaceOp, Timing

from .programs import INSTRUCTION_WORDS, Label, head, lines_of, nodes_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lkicore.ir.faces import Face
    from lkicore.ir.flow import Instruction
    from lkicore.ir.target_specs import TargetSpec

    from .lowering import Assembly
    from .pool import CardPool

#: How a replacement ability is written.
_REPLACES = {
    ReplaceOp.ENTERS: "enters",
    ReplaceOp.TURNED_UP: "is turned face up",
    ReplaceOp.COPY: "may enter",
    ReplaceOp.DIES_EXILE: "exiled instead of dying",
    ReplaceOp.GRAVEYARD_EXILE: "exiled instead of being put into a graveyard",
    ReplaceOp.PREVENT_TO: "damage to it is prevented",
    ReplaceOp.PREVENT_BY: "damage by it is prevented",
    ReplaceOp.COUNTERS: "other counters instead",
    ReplaceOp.TOKENS: "other tokens instead",
    ReplaceOp.DAMAGE: "other damage instead",
    ReplaceOp.LIFE_GAIN: "other gain of life instead",
    ReplaceOp.LIFE_LOSS: "other loss of life instead",
    ReplaceOp.DRAW: "a draw is replaced",
    ReplaceOp.REDIRECT: "damage is redirected",
    ReplaceOp.DESTROY: "this is destroyed instead",
    ReplaceOp.UNPREVENTABLE: "damage by it can't be prevented",
    ReplaceOp.DRAWS: "another number of draws instead",
    ReplaceOp.MILL: "another number of milled cards instead",
    ReplaceOp.SCRY: "another number of cards scried instead",
    ReplaceOp.PROLIFERATE: "another number of times proliferated instead",
}

#: What an ability about casting and activating says.
_CASTING = {
    CastOp.PERMIT: "can be played",
    CastOp.FLASH: "can be cast as though it had flash",
    CastOp.FORBID: "can't be cast",
    CastOp.FORBID_ACTIVATE: "its abilities can't be activated",
    CastOp.UNCOUNTERABLE: "can't be countered",
    CastOp.LESS: "costs less to cast",
    CastOp.MORE: "costs more to cast",
    CastOp.LEAST: "costs at least so much to cast",
    CastOp.TAPPED: "tapped for mana, makes so much instead",
}


def show(pool: CardPool, name: str) -> str:
    """Return the readable listing of the card called `name`, in lines.

    Raises:
        UnknownCard: there is none.
    """
    return "\n".join(_lines(pool, pool.index(name)))


def _lines(pool: CardPool, number: int) -> Iterator[str]:
    face = pool.faces[number]
    made = pool.assembly
    row = made.faces[number]
    yield from _characteristics(face, number)
    if face.spell_ability is not None:
        yield "what it enchants" if face.spell_ability.enchants else "spell ability"
        yield from _content(face.spell_ability, made, made.abilities[row["spell"]], "  ")
    first, _ = row["abilities"]
    for i, ability in enumerate(face.all_abilities):
        yield from _ability(ability, made, made.abilities[first + i], f" {i}", "")


def _characteristics(face: Face, number: int) -> Iterator[str]:
    yield f"{face.name}  {face.cost}" if face.cost is not None else face.name
    size = f"  {face.printed_size}" if face.printed_size else ""
    if face.loyalty is not None:
        size = f"  loyalty {face.loyalty}"
    if face.defense is not None:
        size = f"  defense {face.defense}"
    yield face.type_line + size
    colors = color_letters(face.real_colors) or "colourless"
    marks = [f"face {number}", f"colours {colors}", f"mana value {face.mana_value}"]
    marks += [f"{face.layout.name.lower()} with {face.other}"] * bool(face.other)
    marks += ["token"] * face.token + ["for tests only"] * face.test_only
    yield ", ".join(marks)
    if face.keyword_names:
        yield f"keywords: {', '.join(face.keyword_names)}"
    for keyword in face.keywords_with_parts:
        known = COMPOSITIONS.get(keyword.word)
        what = f", followed by {known.parameter.value}" if known and keyword.parameter else ""
        yield f"  {keyword.text}: CR {keyword.rule}{what}"
    if face.additional is not None:
        yield f"additional cost: {face.additional}"
        yield from _policies(face.additional, "  ")
    for way in face.all_ways:
        zones = ", ".join(z.name.lower() for z in way.zones)
        price = "its mana cost" if way.cost is None else str(way.cost)
        yield f"way of casting: {way.kind.name.lower()} from {zones} for {price}"


# ---------------------------------------------------------------------------------------------- abilities
def _mana(ability: ManaAbility, made: Assembly, row: dict[str, Any], begin: str, end: str) -> Iterator[str]:
    """Yield the lines of a mana ability, the first of which begins and ends so."""
    amount = f"{ability.amount} x " if ability.amount > 1 else ""
    yield f"{begin}{ability.cost}: add {amount}{mana_words(ability.colors)}{end}"
    if ability.effects:
        deeper = begin[: len(begin) - len(begin.lstrip())] + "  "
        yield from _effects(ability.effects, made, deeper)
        yield f"{deeper}instructions from word {row['program']}"
        yield from _instructions(ability.effects, made, row["program"], deeper + "  ")


def _replacement(ability: ReplacementAbility, made: Assembly, begin: str, end: str, deeper: str) -> Iterator[str]:
    """Yield the lines of a replacement ability, the first of which begins and ends so."""
    whose = [notation(of) for of in (ability.affects, ability.who) if of is not None]
    yield f"{begin}{', '.join(whose)}: {_REPLACES[ability.replaces]}{end}"
    if ability.amount is not None:
        yield f"{deeper}{notation(ability.amount)}"
    yield from _condition(ability, deeper)
    for way in ability.enters:
        yield f"{deeper}{notation(way)}"
        yield from _policies(way, deeper + "    ")
    if ability.to is not None:
        yield f"{deeper}to {ability.to.name.lower()}"
    yield from _effects(ability.effects, made, deeper)


def _ability(ability: Ability, made: Assembly, row: dict[str, Any], number: str, indent: str) -> Iterator[str]:
    """Yield the lines of `ability`, which is `row` in the table."""
    keyword = getattr(ability, "keyword", "")
    end = f"  ({keyword})" if keyword else ""
    deeper = indent + "  "
    if isinstance(ability, ManaAbility):
        yield from _mana(ability, made, row, f"{indent}mana ability{number}: ", end)
    elif isinstance(ability, ActivatedAbility):
        yield f"{indent}activated ability{number}: {cost_notation(ability.cost)}{end}"
        yield from _policies(ability.cost, deeper)
        yield from _when_it_works(ability, deeper)
        yield from _content(ability, made, row, deeper)
    elif isinstance(ability, TriggeredAbility):
        yield f"{indent}triggered ability{number}: when {notation(ability.event)}{end}"
        if ability.chapters:
            yield f"{deeper}chapter {', '.join(map(str, ability.chapters))}"
        yield from _policies(ability.event, deeper)
        yield from _when_it_works(ability, deeper)
        yield from _content(ability, made, row, deeper)
    elif isinstance(ability, StaticAbility):
        yield from _static(ability, made, row, f"{indent}static ability{number}", end)
    elif isinstance(ability, ReplacementAbility):
        yield from _replacement(ability, made, f"{indent}replacement ability{number}: ", end, deeper)
    elif isinstance(ability, CastingAbility):
        what = "itself" if ability.affects == this else notation(ability.affects)
        yield f"{indent}static ability{number}: {what}: {_CASTING[ability.says]}{end}"
        yield f"{deeper}by {notation(ability.by)}"
        if ability.amount is not None:
            yield f"{deeper}{notation(ability.amount)}"
            yield from _policies(ability.amount, deeper + "    ")
        if ability.kinds:
            yield f"{deeper}of {', '.join(kind.name for kind in ability.kinds if kind.name)}"
        yield from _policies(ability.affects, deeper)
    elif isinstance(ability, EvasionAbility):
        word = "can't block" if ability.blocking else "can't be blocked by"
        said = f"can block {ability.more} more" if ability.more else f"{word} {notation(ability.what)}"
        yield f"{indent}evasion{number}: {said}{end}"
    elif isinstance(ability, RuleAbility):
        much = notation(ability.number) if isinstance(ability.number, Value) else str(ability.number)
        name = f"{ability.rule.name.lower()} {much}, against {ability.whom.name.lower()}"
        yield f"{indent}rule{number}: {notation(ability.affects)}: {name}{end}"
        yield from _condition(ability, deeper)
    elif isinstance(ability, OpeningAbility):
        yield f"{indent}from the opening hand{number}:{end}"
        yield from _condition(ability, deeper)
        yield from _effects(ability.effects, made, deeper)
    elif isinstance(ability, TurnUpAbility):
        price = "its mana cost" if ability.cost is None else cost_notation(ability.cost)
        yield f"{indent}turned face up{number}: {price}{end}"
        yield from _effects((turn_up(source), *ability.effects), made, deeper)
    else:
        yield f"{indent}{_plain(ability, number)}{end}"


def headline(ability: Ability, made: Assembly) -> str:
    """Return an ability in one line: what it says, without policies and instructions."""
    row = {"program": -1, "modes": (0, 0), "reads": 0}
    lines = _ability(ability, made, row, "", "")
    if getattr(ability, "modes", None) is not None:
        return next(lines).strip()
    return "; ".join(line.strip() for line in lines if " is read " not in line)


def _plain(ability: Ability, number: str) -> str:
    """Return an ability that is said in a line."""
    if isinstance(ability, EnchantAbility):
        return f"enchant{number}: {notation(ability.host)}"
    if isinstance(ability, LandwalkAbility):
        return f"landwalk{number}: {notation(ability.land)}"
    if isinstance(ability, ToxicAbility):
        return f"toxic{number}: {ability.amount}"
    assert isinstance(ability, ProtectionAbility | HexproofAbility)
    word = "protection" if isinstance(ability, ProtectionAbility) else "hexproof"
    return f"{word}{number}: from {notation(ability.source)}"


def _static(ability: StaticAbility, made: Assembly, row: dict[str, Any], title: str, end: str) -> Iterator[str]:
    deeper = " " * (len(title) - len(title.lstrip()) + 2)
    yield f"{title}: {'itself' if ability.affects == this else notation(ability.affects)}{end}"
    yield from _policies(ability.affects, deeper)
    yield from _condition(ability, deeper)
    for change in ability.changes:
        yield f"{deeper}{_layer(change)}: {notation(change)}"
        yield from _policies(change, deeper + "    ")
        yield from _given(change, made, deeper + "  ")
    reads = Read(row["reads"])
    if reads:
        yield f"{deeper}looks at: {', '.join(str(r.name).lower() for r in Read if r in reads)}"


def _layer(change: Change) -> str:
    """Return the layer of `change` as the rules number it (CR 613.1, 613.4); what is true of players comes after all
    of them (613.10)."""
    if change.layer == PLAYERS_LAYER:
        return "of players"
    return f"layer {change.layer}" if change.layer < 7 else f"layer 7{'abcd'[change.layer - 7]}"


def _condition(ability: Any, indent: str) -> Iterator[str]:
    if ability.condition is not None:
        yield f"{indent}if {notation(ability.condition)}"
        yield from _policies(ability.condition, indent + "    ")


def _when_it_works(ability: ActivatedAbility | TriggeredAbility, indent: str) -> Iterator[str]:
    yield from _condition(ability, indent)
    if isinstance(ability, TriggeredAbility):
        if ability.once:
            yield f"{indent}only once each turn"
        if ability.again:
            yield f"{indent}abilities of your permanents that trigger on this trigger an additional time"
        if ability.zone is not None:
            yield f"{indent}works in {ability.zone.name.lower()}"
        return
    if ability.timing:
        yield f"{indent}timing: {', '.join(str(t.name).lower() for t in Timing if t in ability.timing)}"
    if 1 << ability.zone != 1 << 3:
        yield f"{indent}works in {ability.zone.name.lower()}"


def _content(
    ability: SpellAbility | ActivatedAbility | TriggeredAbility, made: Assembly, row: dict[str, Any], indent: str
) -> Iterator[str]:
    """Yield targets, effects and instructions of `ability`, or its modes."""
    if ability.modes is not None:
        first, _ = row["modes"]
        least, most = ability.modes.least, ability.modes.most
        yield f"{indent}modes: choose {least if least == most else f'{least} to {most}'}"
        if ability.modes.beyond is not None:
            yield f"{indent}each beyond the first: {ability.modes.beyond}"
        for i, mode in enumerate(ability.modes.modes):
            yield f"{indent}mode {i}" + ("" if mode.cost is None else f": {mode.cost}")
            yield from _content(mode, made, made.abilities[first + i], indent + "  ")
        return
    for i, spec in enumerate(ability.targets):
        yield from _target(i, spec, indent)
    yield from _effects(ability.effects, made, indent)
    if row["program"] >= 0:
        yield f"{indent}instructions from word {row['program']}"
        yield from _instructions(ability.effects, made, row["program"], indent + "  ")


def _target(number: int, spec: TargetSpec, indent: str) -> Iterator[str]:
    zone = f", in {spec.zone.name.lower()}" if spec.objects else ""
    word = "targets" if spec.several else "target"
    yield f"{indent}{word}({number}): {notation(spec)}{zone}"
    yield from _policies(spec, indent + "    ")


def _effects(effects: Iterable[Instruction], made: Assembly, indent: str) -> Iterator[str]:
    for effect in effects:
        if isinstance(effect, Effect):
            yield from _effect(effect, made, indent)
            continue
        yield f"{indent}{head(effect)}:"
        yield from _policies(_asked(effect), indent + "    ")
        yield from _effects(effect.then, made, indent + "  ")
        if effect.otherwise:
            yield f"{indent}{'else' if isinstance(effect, If) else 'if not'}:"
            yield from _effects(effect.otherwise, made, indent + "  ")


def _asked(effect: If | May | Pay) -> tuple[object, ...]:
    """Return the nodes that decide which way a branch goes."""
    if isinstance(effect, If):
        return (effect.condition,)
    return (effect.who,) if isinstance(effect, May) else (effect.who, effect.cost, effect.x)


def _effect(effect: Effect, made: Assembly, indent: str) -> Iterator[str]:
    later = next((a for a in effect.args if isinstance(a, TriggeredAbility)), None)
    follows = next((a for a in effect.args if isinstance(a, ReplacementAbility)), None)
    if follows is not None:
        yield f"{indent}{notation(effect)}"
        yield from _policies(effect.args[:-1], indent + "    ")
        yield f"{indent}when damage is prevented so:"
        yield from _effects(follows.effects, made, indent + "  ")
        return
    if later is None:
        yield f"{indent}{notation(effect)}"
        yield from _policies(effect, indent + "    ")
        for change in nodes_in(effect):
            if isinstance(change, Change):
                yield from _given(change, made, indent + "  ")
        return
    if later.event.kind is EventKind.DELAYED:
        _, about, when = effect.args
        assert isinstance(when, Duration)
        subject = f", about {operand_notation(about)}" if about is not None else ""
        yield f"{indent}at {when.name.lower()}{subject}:"
        yield from _policies((about,), indent + "    ")
    else:
        yield f"{indent}when that is done:"
    for i, spec in enumerate(later.targets):
        yield from _target(i, spec, indent + "  ")
    yield from _effects(later.effects, made, indent + "  ")


def _given(change: Change, made: Assembly, indent: str) -> Iterator[str]:
    """Yield the lines of abilities that `change` gives."""
    for ability in (a for arg in change.args for a in (arg if isinstance(arg, tuple) else (arg,))):
        if isinstance(ability, ActivatedAbility | TriggeredAbility | StaticAbility | ManaAbility):
            # What is given stands in the table without a name of its own: only its notation is shown.
            yield from _ability(ability, made, {"program": -1, "modes": (0, 0), "reads": 0}, "", indent)


def _policies(node: object, indent: str) -> Iterator[str]:
    """Yield how each reference in `node` is read; outer ones first, each once."""
    refs = dict.fromkeys(n for n in nodes_in(node) if isinstance(n, Ref))
    for ref in refs:
        yield f"{indent}{notation(ref)} is read {ref.policy.name}"


# ------------------------------------------------------------------------------------------- instructions
def _instructions(effects: Iterable[Instruction], made: Assembly, program: int, indent: str) -> Iterator[str]:
    for i, line in enumerate(lines_of(effects)):
        at = program + i * INSTRUCTION_WORDS
        words = iter(made.code[at + 1 : at + INSTRUCTION_WORDS])
        operands = []
        for arg, (_, sort) in zip(line.args, line.signature, strict=True):
            word = next(words)
            if sort is Sort.CHANGES:
                n, x, y = next(words), next(words), next(words)
                operands += [f"changes {word} to {word + n - 1}", f"x=v{x}", f"y=v{y}"]
            elif sort is Sort.EXCEPTIONS:
                n = next(words)
                operands.append(f"but for changes {word} to {word + n - 1}" if n else "")
            else:
                operands.append(_word(sort, word, arg))
        shown = "  ".join(o for o in operands if o)
        yield f"{indent}{at:5d}  {EffectOp(made.code[at]).name:<18}  {shown}".rstrip()


def _word(sort: Sort, word: int, arg: object) -> str:
    """Return an operand in words: the index of its node, or the immediate word, and what it means."""
    if isinstance(arg, Label):
        return f"to {word}"
    if arg is None:
        return "-"
    if isinstance(arg, Cost | TriggeredAbility | ReplacementAbility):
        return f"a{word}"
    if sort is Sort.MOVE_FLAGS:
        return " | ".join(str(f.name).lower() for f in MoveFlag if word & f) or str(word)
    letters = (("r", REFERENCE_SORTS), ("v", VALUE_SORTS), ("f", FILTER_SORTS))
    letter = next((letter for letter, sorts in letters if sort in sorts), "")
    text = operand_notation(arg)
    return f"{letter}{word}={text}" if letter or text != str(word) else text
