"""The driver's cards in the effect language, as the core plays them: through a pool, as all cards.

The model has definitions of its own (`cards`); nothing but the names is shared.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from lkicore.opcodes import ChangeOp, EffectOp
from lkicore.reference.cards import EFFECTS, EXCEPTIONS, FACES

if TYPE_CHECKING:
    from lkicore._cards import CardTable

CARDS = """
- {name: Driver Bear, cost: "{1}{G}", type: Creature — Bear, pt: 2/2}
- {name: Driver Bird, cost: "{U}", type: Creature — Bird, pt: 1/1, keywords: [flying]}
- {name: Driver Land, type: Land}
- {name: Driver Wall, cost: "{W}", type: Creature — Wall, pt: 0/4}
- {name: Driver Token, token: true, type: Creature — Goblin, colors: R, pt: 1/1}
- name: Driver Lord
  cost: "{1}{W}"
  type: Creature — Bear
  pt: 2/2
  keywords: [vigilance]
  abilities: [{static: ["boost(1, 1)"], affects: creature & yours & other}]
- name: Driver Herald
  cost: "{2}{G}"
  type: Creature — Bird
  pt: 1/3
  abilities: [{static: [gain(flying)], affects: subtype("Bear") & yours}]
- name: Driver Blade
  cost: "{1}"
  type: Artifact — Equipment
  abilities: [{static: [gain(trample), "boost(2, 1)"], affects: host_of_this}]
- name: Driver Leash
  cost: "{2}"
  type: Artifact — Equipment
  abilities: [{static: [control], affects: host_of_this}]
- name: Driver Gag
  cost: "{R}"
  type: Artifact — Equipment
  abilities: [{static: [lose_all_abilities, "boost(0, -1)"], affects: host_of_this}]
- name: Driver Leveler
  cost: "{3}{W}"
  type: Enchantment
  abilities: [{static: [lose_all_abilities, "sets_pt(1, 1)"], affects: creature}]
- name: Driver Awakener
  cost: "{2}{G}"
  type: Creature — Bear
  pt: 2/3
  abilities: [{static: [add_types(creature), "sets_pt(1, 2)"], affects: land & yours}]
- name: Driver Painter
  cost: "{U}"
  type: Enchantment
  abilities: [{static: ['add_colors("U")'], affects: subtype("Bear")}]
- name: Driver Banner
  cost: "{2}"
  type: Enchantment
  abilities: [{static: [gain(haste), "boost(1, 0)"], affects: creature & blue}]
- name: Driver Mason
  cost: "{1}{R}"
  type: Creature — Goblin
  pt: 1/1
  abilities: [{static: ['add_subtype("Wall")'], affects: subtype("Bear") & yours}]
- name: Driver Forge
  cost: "{1}{R}"
  type: Enchantment
  abilities: [{static: [add_types(artifact)], affects: subtype("Wall")}]
- name: Driver Choir
  cost: "{1}{W}"
  type: Enchantment
  abilities: [{static: [gain(lifelink)], affects: creature & has(flying)}]
- name: Driver Crowd
  cost: "{1}{B}"
  type: Creature — Goblin
  pt: 1/1
  abilities: [{static: ["boost(count(creature & yours), 0)"]}]
- name: Driver Sleeper
  cost: "{2}{B}"
  type: Creature — Wall
  pt: 2/2
  abilities: [{static: [gain(flying), "sets_pt(5, 5)"], if: exists(land & yours)}]
- {name: Driver Knight, cost: "{1}{B}", type: Creature — Wall, pt: 3/3, keywords: [protection from green]}
- {name: Driver Ghost, cost: "{U}", type: Creature — Bird, pt: 2/1, keywords: [hexproof]}
- name: Driver Watcher
  cost: "{1}{W}"
  type: Creature — Wall
  pt: 1/1
  abilities:
    - {when: dies(creature & yours), do: ["gain_life(you, 1)"]}
    - {when: leaves(creature & power(at_least=2)), do: ["gain_life(you, 1)"]}
    - {when: enters(creature & yours & power(at_least=3)), do: ["gain_life(you, 1)"]}
- name: Driver Gate
  cost: "{1}{G}"
  type: Enchantment
  abilities: [{enters: ['counters(1, "+1/+1")'], affects: creature & yours & power(at_least=3)}]
- name: Driver Swarm
  cost: "{2}{G}"
  type: Creature — Goblin
  pt: "*/*"
  abilities: [{static: ["cda_pt(count(creature & yours), count(creature & yours))"]}]
"""

#: Effects in the effect language: the changes of `apply`, and what a `gain_ability` gives. Numbers are stand-ins.
EFFECT_TEXTS = {
    "pump": "boost(1, 2)",
    "set size": "sets_pt(1, 2)",
    "switch": "switch",
    "fly": "gain(flying)",
    "land": "lose(flying)",
    "shroud": "gain(shroud)",
    "gag": "lose_all_abilities",
    "frog": 'set_subtype("Frog"), set_colors("U"), lose_all_abilities, sets_pt(1, 2)',
    "animate": "add_types(creature), sets_pt(1, 2)",
    "statue": "set_types(artifact)",
    "beast": "set_types(creature)",
    "petrify": "lose_types(creature)",
    "bear": 'add_subtype("Bear")',
    "wall": 'set_subtype("Wall")',
    "redden": 'set_colors("R")',
    "blacken": 'add_colors("B")',
    "fade": 'set_colors("colorless")',
    "lead": {"static": ["boost(1, 1)"], "affects": "creature & yours & other"},
    "herald": {"static": ["gain(flying)"], "affects": 'subtype("Bear") & yours'},
    "knight": 'gain("protection from green")',
    "control": "control",
}


def _engine() -> dict[str, Any]:
    """A card whose abilities are those that the driver puts on the stack: each gains life by all that is asked."""
    from lkicore.reference.policies import KINDS, READS

    asks = [f"gain_life(you, {read.text})" for read in READS]
    abilities = [
        {"cost": "{X}, sacrifice(permanent)", "targets": [f"any_number({kind.text})"], "do": [*asks, "tap(targets(0))"]}
        for kind in KINDS
    ]
    return {"name": "Driver Engine", "cost": "{0}", "type": "Artifact", "abilities": abilities}


class CorePlan(NamedTuple):
    """The core's cards: the table, and what stands where in it."""

    table: CardTable
    #: First change and number of changes of each effect.
    effects: dict[str, tuple[int, int]]
    #: First change and number of changes of each kind of exception.
    exceptions: dict[str, tuple[int, int]]
    #: By number of an ability: what the model calls it.
    labels: dict[int, str]
    #: The ability of each kind, in order, and its target specification.
    kinds: tuple[tuple[int, int], ...]
    #: The values that all of them ask for, in order.
    reads: tuple[int, ...]


def _effect_cards() -> list[dict[str, Any]]:
    cards = []
    for name, text in EFFECT_TEXTS.items():
        does: Any = f"apply(target(0), {text})"
        if isinstance(text, dict):
            does = {"gain_ability": text, "what": "target(0)", "duration": "end_of_turn"}
        spell = {"targets": ["permanent"], "do": [does]}
        cards.append({"name": f"Effect {name}", "cost": "{0}", "type": "Sorcery", "spell": spell})
    for name, (text, _) in EXCEPTIONS.items():
        does = f"become_copy(target(0), target(1), but={text})"
        spell = {"targets": ["permanent", "permanent"], "do": [does]}
        cards.append({"name": f"Copy {name}", "cost": "{0}", "type": "Sorcery", "spell": spell})
    return cards


@cache
def core_plan() -> CorePlan:
    """Return the core's side of it, made once."""
    import yaml

    from lkicore.cards import CardPool
    from lkicore.cards.assemble import INSTRUCTION_WORDS

    text = CARDS + yaml.safe_dump([*_effect_cards(), _engine()], allow_unicode=True, sort_keys=False)
    pool = CardPool.from_yaml(text, name="driver")
    made = pool.assembly
    assert [face.name for face in pool.faces[: len(FACES)]] == [face.name for face in FACES]
    effects, labels = {}, {}
    for number, face in enumerate(FACES):
        first, n = made.faces[number]["abilities"]
        for k in range(n):
            labels[first + k] = face.abilities[k].label
    for name, changes in EFFECTS.items():
        at = made.abilities[made.faces[pool.index(f"Effect {name}")]["spell"]]["program"]
        assert made.code[at] == EffectOp.APPLY
        effects[name] = (made.code[at + 2], made.code[at + 3])
        for op, ability, _, _ in made.changes[made.code[at + 2] : made.code[at + 2] + made.code[at + 3]]:
            if op == ChangeOp.ADD_ABILITY:
                labels[ability] = changes[0].a.label
    exceptions = {"": (0, 0)}
    for name in EXCEPTIONS:
        at = made.abilities[made.faces[pool.index(f"Copy {name}")]["spell"]]["program"]
        assert made.code[at] == EffectOp.BECOME_COPY
        exceptions[name] = (made.code[at + 3], made.code[at + 4])
    first, n = made.faces[pool.index("Driver Engine")]["abilities"]
    kinds = tuple((k, made.abilities[k]["targets"][0]) for k in range(first, first + n))
    at, reads = made.abilities[first]["program"], []
    while made.code[at] == EffectOp.GAIN_LIFE:
        reads.append(made.code[at + 2])
        at += INSTRUCTION_WORDS
    return CorePlan(pool.table, effects, exceptions, labels, kinds, tuple(reads))
