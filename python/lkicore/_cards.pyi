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
        name: str,
        subtypes: list[str] | None = None,
    ) -> CardTable: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def n_faces(self) -> int: ...
    @property
    def hash(self) -> int: ...
