"""Cards and decks for the fuzz battery: everything is free, so that a game is all departures and look-ups."""

from __future__ import annotations

import functools
import random

from lkicore.cards import CardPool, Deck, bundled_decks

CARDS = """
- name: Test Pinger
  cost: "{0}"
  type: Creature — Wizard
  pt: 1/2
  keywords: [haste, lifelink]
  test_only: true
  abilities:
    - {cost: "{T}", targets: [any_target], do: ["damage(target(0), 1)"]}
- name: Test Viper
  cost: "{0}"
  type: Creature — Snake
  pt: 2/1
  keywords: [haste, deathtouch, first strike]
  test_only: true
  abilities:
    - {cost: "{T}", targets: [any_target], do: ["damage(target(0), power_of(source))"]}
- name: Test Martyr
  cost: "{0}"
  type: Creature — Cleric
  pt: 2/2
  keywords: [vigilance, haste, trample]
  test_only: true
  abilities:
    - {cost: sacrifice, targets: [any_target], do: ["damage(target(0), power_of(source))", "gain_life(you, 1)"]}
- name: Test Oracle
  cost: "{0}"
  type: Creature — Spirit
  pt: 1/1
  keywords: [lifelink, deathtouch]
  test_only: true
  abilities:
    - {cost: sacrifice, targets: [any_target], do: ["draw(you, 2)", "damage(target(0), power_of(source))"]}
- {name: Test Squire, cost: "{0}", type: Creature — Soldier, pt: 2/2, keywords: [haste], test_only: true}
- {name: Test Guard, cost: "{0}", type: Creature — Soldier, pt: 3/3, keywords: [vigilance, menace, haste],
   test_only: true}
- {name: Test Drake, cost: "{0}", type: Creature — Drake, pt: 2/2, keywords: [flying, double strike, haste],
   test_only: true}
- {name: Test Insight, cost: "{0}", type: Instant, test_only: true, spell: {do: ["draw(you, 3)"]}}
- {name: Test Flood, cost: "{0}", type: Instant, test_only: true, spell: {do: ["draw(you, 5)", "discard(you, 4)"]}}
- {name: Test Spark, cost: "{0}", type: Instant,
   test_only: true, spell: {targets: [any_target], do: ["damage(target(0), 2)"]}}
- name: Test Surge
  cost: "{0}"
  type: Instant
  test_only: true
  spell: {targets: [creature], do: ["pump(target(0), 2, 1, first_strike)"]}
- {name: Test Ambush, cost: "{0}", type: Instant,
   test_only: true, spell: {targets: [creature & attacking], do: ["destroy(target(0))"]}}
- {name: Test Banish, cost: "{0}", type: Instant,
   test_only: true, spell: {targets: [creature & attacking], do: ["exile(target(0))"]}}
- {name: Test Riposte, cost: "{0}", type: Instant,
   test_only: true, spell: {targets: [creature & blocking], do: ["destroy(target(0))"]}}
- {name: Test Recall, cost: "{0}", type: Instant,
   test_only: true, spell: {targets: [creature], do: ["return_to_hand(target(0))"]}}
- {name: Test Denial, cost: "{0}", type: Instant,
   test_only: true, spell: {targets: [spell], do: ["counter(target(0))"]}}
- name: Test Rummage
  cost: "{0}"
  type: Sorcery
  test_only: true
  spell: {do: ["draw(you, 2)", "discard(you, 12)", "draw(you, 6)"]}
- name: Test Oblivion
  cost: "{0}"
  type: Instant
  test_only: true
  spell: {targets: [player], do: ["discard(target(0), 2)", "draw(target(0), 2)"]}
- name: Test Brood
  cost: "{0}"
  type: Sorcery
  test_only: true
  spell: {do: ['create_tokens(you, 3, "Goblin Token")']}
- name: Test Growth
  cost: "{0}"
  type: Instant
  test_only: true
  spell: {targets: [creature], do: ['put_counters(target(0), 1, "+1/+1")']}
- name: Test Blight
  cost: "{0}"
  type: Instant
  test_only: true
  spell:
    targets: [creature, creature]
    do: ['put_counters(target(0), 1, "-1/-1")', 'put_counters(target(1), 2, "-1/-1")']
- name: Test Brawl
  cost: "{0}"
  type: Sorcery
  test_only: true
  spell: {targets: [creature, creature], do: ["fight(target(0), target(1))"]}
- name: Test Sweep
  cost: "{0}"
  type: Sorcery
  test_only: true
  spell: {do: ["damage(each(creature), 2)"]}
- name: Test Rock
  cost: "{0}"
  type: Artifact
  test_only: true
  abilities:
    - {cost: "{T}", mana: any}
- name: Test Hydra
  cost: "{X}"
  type: Instant
  test_only: true
  spell: {targets: [any_target], do: ["damage(target(0), x)", "gain_life(you, x)"]}
- name: Test Offering
  cost: "{0}"
  type: Instant
  test_only: true
  additional: sacrifice(creature)
  spell: {targets: [any_target], do: ["damage(target(0), power_of(paid(0)))"]}
- {name: Test Dig, cost: "{8}", type: Instant, keywords: [delve], test_only: true, spell: {do: ["draw(you, 2)"]}}
- {name: Test Chaff, cost: "{0}", type: Instant, test_only: true, spell: {do: ["mill(you, 4)", "draw(you, 1)"]}}
- name: Test Altar
  cost: "{0}"
  type: Artifact
  test_only: true
  abilities:
    - {when: dies(creature), do: ["gain_life(you, 1)"]}
- name: Test Bell
  cost: "{0}"
  type: Artifact
  test_only: true
  abilities:
    - {when: is_dealt_damage(creature), do: ["gain_life(you, 1)"]}
- name: Test Purge
  cost: "{0}"
  type: Sorcery
  test_only: true
  spell: {do: ["destroy(each(permanent))", "draw(you, 6)", "discard(you, 5)", "draw(you, 3)"]}
- name: Test Storm
  cost: "{0}"
  type: Sorcery
  test_only: true
  spell: {do: ["damage(each(creature), 1)", "destroy(each(creature))", "draw(you, 6)", "discard(you, 5)"]}
- name: Test Omen
  cost: "{0}"
  type: Instant
  test_only: true
  spell:
    targets: [creature]
    do: [{delay: next_end_step, about: target(0), do: ["gain_life(you, 1)"]}]
- name: Test Augur
  cost: "{0}"
  type: Creature — Wizard
  pt: 1/1
  keywords: [haste]
  test_only: true
  abilities:
    - {cost: "{T}", targets: [creature], do: [{delay: next_end_step, about: target(0), do: ["gain_life(you, 1)"]}]}
- name: Test Geode
  cost: "{0}"
  type: Instant
  test_only: true
  spell: {do: ['give_mana(you, "R", 1, use=spend_on(creature & battle, stays=True))']}
- name: Test Palm
  cost: "{0}"
  type: Instant
  test_only: true
  spell:
    do:
      - pick_source()
      - shield: prevent_from(picked, you, all_damage)
        then: ["gain_life(you, event_amount)"]
- name: Test Charm
  cost: "{0}"
  type: Enchantment — Aura
  test_only: true
  keywords: [enchant creature]
  abilities:
    - {static: ["boost(1, 1)"], affects: host_of_this}
    - {cost: sacrifice, do: ["gain_life(you, 1)"]}
"""

DECKS = {
    "pingers": "14 Test Pinger\n6 Test Viper\n6 Test Martyr\n18 Test Insight\n8 Test Spark\n4 Test Surge\n4 Test Brood",
    "oracles": "48 Test Oracle\n8 Test Surge\n4 Test Insight",
    "war": "30 Test Squire\n8 Test Oracle\n10 Test Ambush\n8 Test Flood\n4 Test Surge",
    "siege": "24 Test Squire\n12 Test Banish\n12 Test Spark\n10 Test Flood\n2 Test Riposte",
    "brawl": (
        "4 Test Pinger\n4 Test Viper\n4 Test Martyr\n4 Test Guard\n4 Test Drake\n6 Test Insight\n3 Test Spark\n"
        "3 Test Surge\n3 Test Ambush\n3 Test Riposte\n2 Test Recall\n2 Test Denial\n2 Test Rummage\n2 Test Oblivion\n"
        "3 Test Brood\n2 Test Growth\n2 Test Blight\n2 Test Brawl\n1 Test Sweep\n3 Test Rock\n2 Test Hydra"
    ),
    "rites": "20 Test Squire\n16 Test Altar\n14 Test Purge\n10 Test Insight",
    "storms": "24 Test Guard\n12 Test Bell\n14 Test Storm\n10 Test Insight",
    "augurs": "20 Test Squire\n14 Test Augur\n10 Test Spark\n10 Test Flood\n6 Test Purge",
    "geodes": "20 Test Squire\n14 Test Geode\n16 Test Flood\n10 Test Rummage",
    "palms": "20 Test Squire\n16 Test Palm\n12 Test Flood\n12 Test Rummage",
    "omens": "20 Test Squire\n14 Test Omen\n10 Test Spark\n10 Test Flood\n6 Test Purge",
    # More phases than a turn has room for.
    "assaults": "22 Test Squire\n8 Aggravated Assault\n20 Relentless Assault\n10 Test Insight",
    # Tapping for mana makes other mana, or more.
    "floods": "8 Contamination\n8 Mana Reflection\n8 Mana Flare\n8 Boros Signet\n8 Test Squire\n10 Test Rock\n10 Swamp",
    # What a search or dig finds enters, and its controller chooses how, before the search goes on.
    "entrants": "12 Wood Elves\n14 Stomping Ground\n12 Port Town\n8 Island\n6 Plains\n8 Test Rock",
    # What defines characteristics is lost, and comes back.
    "humility": "8 Humility\n12 Lord of Extinction\n8 Disenchant\n12 Test Squire\n10 Test Flood\n10 Test Rummage",
    "charms": "22 Test Squire\n18 Test Charm\n8 Test Storm\n12 Test Flood",
    "pyres": "26 Test Squire\n16 Test Offering\n18 Test Insight",
    "digs": "24 Test Dig\n36 Test Chaff",
    "cards": (
        "10 Test Rummage\n12 Test Insight\n8 Test Pinger\n6 Test Oblivion\n6 Test Spark\n6 Test Martyr\n6 Test Surge\n"
        "6 Test Drake"
    ),
}


@functools.cache
def pool() -> CardPool:
    """The built-in cards and those above."""
    return CardPool.builtin().with_cards(CARDS, name="fuzz")


#: Different cards of a random deck, copies of each, and what makes mana for them.
KINDS, COPIES, ROCKS = 21, 2, 18


def random_deck(name: str) -> str:
    """Any cards of the pool that can be in a deck, by the name alone: "any-" or "led-" and whatever."""
    chance = random.Random(name)
    names = [card for card in pool().names(test_only=True) if pool()[card].types]
    return "\n".join([f"{ROCKS} Test Rock", *(f"{COPIES} {card}" for card in chance.sample(names, KINDS))])


def commanders(name: str) -> list[int]:
    """One or two legendary creatures, whichever, by the name alone."""
    chance = random.Random(f"{name}, led")
    able = [card for card in pool().names() if {"Legendary", "Creature"} <= set(pool()[card].type_line.split())]
    return [pool().index(card) for card in chance.sample(able, chance.randint(1, 2))]


@functools.cache
def deck(name: str) -> Deck:
    """A deck above, a bundled deck or workload, or a random one."""
    return Deck.load(random_deck(name) if name.startswith(("any-", "led-")) else DECKS.get(name, name), pool())


@functools.cache
def faces(name: str) -> tuple[int, ...]:
    """Face numbers of a deck."""
    return tuple(deck(name).faces(pool()))


def neighbours() -> list[tuple[str, str]]:
    """The decks that come with the package, each with the next one."""
    names = bundled_decks()
    return list(zip(names, names[1:] + names[:1], strict=True))


#: The faces of a deck, with its commanders and sideboard where it has some.
Seat = tuple[int, ...] | tuple[tuple[int, ...], list[int], list[int]]


def seat(name: str) -> Seat:
    """A deck by its name; random ones called "led-..." have commanders."""
    return (faces(name), commanders(name), []) if name.startswith("led-") else faces(name)


def decks(names: str) -> list[Seat]:
    """Decks of "a/b/...", one for each seat."""
    return [seat(name) for name in names.split("/")]
