"""lkicore: Magic: The Gathering games in bulk, by the rules, with exact last known information."""

from lkicore._layout import layout
from lkicore.cards import CardError, CardPool, Deck, DeckError, UnknownCard, bundled_decks, workloads
from lkicore.errors import ArgumentError, EngineError, ResultError
from lkicore.game import Game, Option
from lkicore.records import Event, Incarnation, LkiRecord, ObjectFacts
from lkicore.results import SimulationResult
from lkicore.simulate import simulate

__version__ = "0.1.0"

__all__ = [
    "ArgumentError",
    "CardError",
    "CardPool",
    "Deck",
    "DeckError",
    "EngineError",
    "Event",
    "Game",
    "Incarnation",
    "LkiRecord",
    "ObjectFacts",
    "Option",
    "ResultError",
    "SimulationResult",
    "UnknownCard",
    "bundled_decks",
    "layout",
    "simulate",
    "workloads",
]
