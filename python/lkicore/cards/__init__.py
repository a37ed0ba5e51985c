"""Cards and decks: the notation of card files, pools, assembling, listings, deck lists."""

from . import listing
from .deck import Deck, bundled_decks, workloads
from .errors import CardError, DeckError, Fault, UnknownCard
from .pool import CardPool

__all__ = [
    "CardError",
    "CardPool",
    "Deck",
    "DeckError",
    "Fault",
    "UnknownCard",
    "bundled_decks",
    "listing",
    "workloads",
]
