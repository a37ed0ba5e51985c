"""The card pool of a scenario: the pool given, and what the scenario defines itself."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

import yaml

from lkicore.cards import CardError, CardPool
from lkicore.ir.faces import KEYWORD_NAMES

from .errors import ScenarioError, UnsupportedError
from .labels import names_of
from .model import FILLER, Scenario, way

_FILLER_CARD = {"name": FILLER, "type": "Basic Land", "abilities": [{"cost": "{T}", "mana": "C"}]}
_REMINDER = re.compile(r"\s*\([^)]*\)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
#: Fields of a definition, and the keys of a card file that hold the same.
_FIELDS = {"mana_cost": "cost", "type_line": "type"}


def pool_for(scenario: Scenario, pool: CardPool) -> CardPool:
    """The pool that the scenario is played with: `pool` and, of its own cards, those that `pool` has not.

    Raises:
        UnsupportedError: a card is in neither, or its text is not understood; names card and sentence.
        ScenarioError: the notation of a card is faulty.
    """
    own = {card["name"]: (i, card) for i, card in enumerate(scenario.cards)}
    added: list[dict[str, Any]] = []
    tokens = {entry.card for entry in scenario.entries if entry.options.get("token")}
    for name in dict.fromkeys([*_names(scenario), *own]):
        if name in pool or (name in tokens and name not in own and face_number(pool, name) >= 0):
            continue
        if name not in own:
            if name != FILLER:
                raise UnsupportedError(f"{name}: no such card in the pool {pool.name}")
            continue
        number, card = own[name]
        try:
            added.append(_notation(card))
        except yaml.YAMLError as error:
            where = ("cards", number, "ir")
            raise _faulty(scenario, where, f"not YAML: {error}") from None
    if FILLER not in pool and FILLER not in own:
        added.append(_FILLER_CARD)
    if not added:
        return pool
    text = yaml.safe_dump(added, allow_unicode=True, sort_keys=False)
    try:
        return _extended(pool, text)
    except CardError as error:
        number = own[error.card][0] if error.card in own else 0
        cause = f"{error.card}: {error.cause}" + (f" ({error.text})" if error.text else "")
        raise _faulty(scenario, ("cards", number), cause) from None


def face_number(pool: CardPool, name: str) -> int:
    """Number of the face of a card, or else of the first token that is called so; -1 if there is none."""
    if name in pool:
        return pool.index(name)
    return next((i for i, face in enumerate(pool.faces) if face.token and name in names_of(face)), -1)


def _faulty(scenario: Scenario, where: tuple[str | int, ...], cause: str) -> ScenarioError:
    source = scenario.source
    return ScenarioError(cause, file=source.file, line=source.line_of(where), scenario=scenario.id, key=way(where))


@functools.lru_cache(maxsize=16)
def _extended(pool: CardPool, text: str) -> CardPool:
    """Scenarios of a file often need the same cards; making a pool takes longer than playing a scenario."""
    return pool.with_cards(text, name=pool.name)


def _names(scenario: Scenario) -> list[str]:
    names = []
    for entry in scenario.entries:
        names.append(entry.card)
        if "copy_of" in entry.options:
            names.append(entry.options["copy_of"])
    return names


def _notation(card: Mapping[str, Any]) -> dict[str, Any]:
    """A definition as a card of a card file."""
    made: dict[str, Any] = {"name": card["name"]}
    for field, key in _FIELDS.items():
        if card.get(field):
            made[key] = card[field]
    power, toughness = card.get("power"), card.get("toughness")
    if power is not None and toughness is not None:
        made["pt"] = f"{power}/{toughness}"
    if card.get("loyalty") is not None:
        if not str(card["loyalty"]).isdigit():
            raise UnsupportedError(f"{card['name']}: the loyalty {card['loyalty']!r} is not supported")
        made["loyalty"] = str(card["loyalty"])
    if "ir" in card:
        ir = card["ir"]
        if isinstance(ir, str):
            ir = yaml.safe_load(ir)
        if isinstance(ir, list) and len(ir) == 1:
            ir = ir[0]
        if not isinstance(ir, dict):
            raise yaml.YAMLError("the ir of a card is a map")
        return _costed(made | ir)
    if card.get("card_faces"):
        raise UnsupportedError(f"{card['name']}: cards with several faces are not supported")
    if not made.get("type"):
        raise UnsupportedError(f"{card['name']}: neither a type line nor ir")
    if "Battle" in made["type"].split():
        raise UnsupportedError(f"{card['name']}: battles are not supported")
    made["keywords"] = _keywords(card)
    if "cost" not in made and card.get("colors"):
        made["colors"] = "".join(card["colors"])
    return _costed(made)


def _costed(card: dict[str, Any]) -> dict[str, Any]:
    """A card that says that it has no mana cost, if it has none."""
    if "cost" not in card and not card.get("token") and "Land" not in str(card.get("type", "")).split():
        card["cost"] = "none"
    return card


def _keywords(card: Mapping[str, Any]) -> list[str]:
    """The keywords that the text of a card consists of; any other text is not understood."""
    found: list[str] = []
    text = _REMINDER.sub("", card.get("oracle_text") or "").strip()
    for line in filter(None, (line.strip() for line in text.split("\n"))):
        words = [word.strip().casefold() for word in line.split(",")]
        if not all(word in KEYWORD_NAMES for word in words):
            sentence = _SENTENCE.split(line)[0]
            raise UnsupportedError(f"{card['name']}: its text is not understood: {sentence}")
        found += words
    type_words = set(str(card.get("type_line", "")).split())
    if type_words & {"Instant", "Sorcery"}:
        raise UnsupportedError(f"{card['name']}: a spell without ir")
    return found
