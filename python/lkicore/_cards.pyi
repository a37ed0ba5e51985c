from typing import Any, final

@final
class CardTable:
    def __new__(
        cls,
        faces: list[dict[str, Any]],
        abilities: list[dict[str, Any]],
        targets: list[dict[str, Any]],
        values: list[tuple[int, int, int, int]],
        filters: list[tuple[int, int, int, int]],
        refs: list[tuple[int, int, int, int]],
        code: list[int],
        *,
        costs: list[tuple[int, int, int, int]] | None = None,
        changes: list[tuple[int, int, int, int]] | None = None,
        optional: list[dict[str, Any]] | None = None,
        ways: list[dict[str, Any]] | None = None,
        hybrids: list[int] | None = None,
        subtypes: list[str] | None = None,
        creature_types: list[bool] | None = None,
        land_abilities: list[int] | None = None,
        counter_names: list[str] | None = None,
        name: str = "cards",
    ) -> CardTable: ...
    @property
    def name(self) -> str: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def subtype_names(self) -> list[str]: ...
    @property
    def counter_names(self) -> list[str]: ...
    @property
    def uses(self) -> int: ...
    @property
    def n_faces(self) -> int: ...
    @property
    def hash(self) -> int: ...
    def __len__(self) -> int: ...
