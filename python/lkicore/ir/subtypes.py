"""Subtypes that are no creature types (CR 205.3): all others are taken for creature types."""

from __future__ import annotations

# fmt: off
#: CR 205.3i.
LAND_TYPES = frozenset((
    "Cave", "Desert", "Forest", "Gate", "Island", "Lair", "Locus", "Mine", "Mountain", "Plains", "Planet",
    "Power-Plant", "Sphere", "Swamp", "Tower", "Town", "Urza's",
))
#: CR 205.3g.
ARTIFACT_TYPES = frozenset((
    "Attraction", "Blood", "Bobblehead", "Clue", "Contraption", "Equipment", "Food", "Fortification", "Gold",
    "Incubator", "Infinity", "Junk", "Map", "Powerstone", "Spacecraft", "Stone", "Treasure", "Vehicle",
))
#: CR 205.3h.
ENCHANTMENT_TYPES = frozenset((
    "Aura", "Background", "Cartouche", "Case", "Class", "Curse", "Role", "Room", "Rune", "Saga", "Shard",
    "Shrine",
))
#: CR 205.3k.
SPELL_TYPES = frozenset((
    "Adventure", "Arcane", "Chorus", "Lesson", "Omen", "Trap",
))
# fmt: on
OTHER_TYPES = LAND_TYPES | ARTIFACT_TYPES | ENCHANTMENT_TYPES | SPELL_TYPES
