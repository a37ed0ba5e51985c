"""The reference model: objects, zone changes and last known information in plain Python, written from the rules.

Slow and obvious on purpose: dictionaries, and a history that is kept for ever. Property tests drive it and the core
with the same operations and compare every answer (`compare`, `drive`).
"""

from __future__ import annotations

from lkicore.reference.cards import FACES, Face
from lkicore.reference.compare import MismatchError, Pair, Subject
from lkicore.reference.lki import Record, Records
from lkicore.reference.model import Answer, Model

__all__ = ["FACES", "Answer", "Face", "MismatchError", "Model", "Pair", "Record", "Records", "Subject"]
