"""Mana costs (CR 202) and kinds of mana (CR 106)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lkicore.opcodes import Color

from .operands import describe

#: Colours in the order of their bits; the last stands for colourless mana.
COLOR_LETTERS = "WUBRGC"
ANY_COLOR = Color.W | Color.U | Color.B | Color.R | Color.G
#: Kinds that depend on more: the colour chosen for the source, what the event's permanent was tapped for.
CHOSEN_KIND, MADE_KIND = Color(0x40), Color(0x80)
#: Words of kinds that are no letters.
KIND_WORDS = {"any": ANY_COLOR, "chosen": CHOSEN_KIND, "produced": MADE_KIND}
#: Marks of a hybrid symbol besides its colours: two generic mana pay it ({2/W}), or 2 life do ({W/P}) (CR 107.4e-f).
OR_TWO, OR_LIFE = 0x40, 0x80

_SYMBOLS = re.compile(r"\{([^{}]*)\}")
#: No card asks for more.
MAX_GENERIC = 99


@dataclass(frozen=True, slots=True)
class ManaCost:
    """A mana cost.

    Attributes:
        pips: number of {W}, {U}, {B}, {R}, {G} and {C} symbols.
        generic: generic mana.
        n_x: number of {X} symbols.
        hybrid: a mask for each hybrid or Phyrexian symbol: colours that pay it, OR_TWO, OR_LIFE.
        snow: number of {S} symbols: one mana of a snow source each (CR 107.4h).
        text: as it was written; no part of its identity.
    """

    pips: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)
    generic: int = 0
    n_x: int = 0
    hybrid: tuple[int, ...] = ()
    snow: int = 0
    text: str = field(default="", compare=False, repr=False)

    @property
    def colors(self) -> Color:
        """Colours of its symbols (CR 105.2, 202.2d)."""
        found = Color(0)
        for color, n in zip(Color, self.pips, strict=True):
            if n and color is not Color.C:
                found |= color
        for mask in self.hybrid:
            found |= Color(mask & int(ANY_COLOR))
        return found

    @property
    def mana_value(self) -> int:
        """Its mana value while X is 0; of a hybrid symbol, its largest part (CR 202.3)."""
        return self.generic + self.snow + sum(self.pips) + sum(2 if mask & OR_TWO else 1 for mask in self.hybrid)

    def __str__(self) -> str:
        if self.text:
            return self.text
        symbols = ["{X}"] * self.n_x
        if self.generic or not (self.n_x or any(self.pips) or self.hybrid or self.snow):
            symbols.append(f"{{{self.generic}}}")
        symbols += ["{S}"] * self.snow
        colorless = COLOR_LETTERS.index("C")
        symbols += ["{C}"] * self.pips[colorless]
        symbols += [hybrid_symbol(mask) for mask in self.hybrid]
        for i, letter in enumerate(COLOR_LETTERS[:colorless]):
            symbols += [f"{{{letter}}}"] * self.pips[i]
        return "".join(symbols)


#: No mana at all.
NO_MANA = ManaCost()


def hybrid_symbol(mask: int) -> str:
    """Return the hybrid symbol of `mask`: "{R/G}", "{2/W}", "{W/P}"."""
    parts = ["2"] * bool(mask & OR_TWO)
    parts += [letter for letter in COLOR_LETTERS if mask & int(Color[letter])]
    parts += ["P"] * bool(mask & OR_LIFE)
    return f"{{{'/'.join(parts)}}}"


def _hybrid(symbol: str) -> int | None:
    """Return the mask of hybrid `symbol` (without braces), or None if there is no such symbol."""
    parts = symbol.split("/")
    mask = 0
    if len(parts) > 1 and parts[-1] == "P":
        mask |= OR_LIFE
        parts = parts[:-1]
    elif parts[0] == "2":
        mask |= OR_TWO
        parts = parts[1:]
    wanted = (1, 2) if mask == OR_LIFE else (1,) if mask else (2,)
    if len(parts) not in wanted or len(set(parts)) != len(parts) or not set(parts) <= set("WUBRG"):
        return None
    return mask | sum(int(Color[letter]) for letter in parts)


def mana_cost(text: str) -> ManaCost:
    """Return the mana cost written as `text`: "{X}{2}{R}", "{R/G}{2/W}{U/P}".

    Raises:
        TypeError: `text` is not a string.
        ValueError: it is not a mana cost, or has a symbol that is not supported.
    """
    if not isinstance(text, str):
        raise TypeError(f'a mana cost such as "{{1}}{{R}}" is wanted, not {describe(text)}')
    symbols = _SYMBOLS.findall(text)
    if not symbols or _SYMBOLS.sub("", text).strip():
        raise ValueError(f'{text!r} is not a mana cost such as "{{1}}{{R}}"')
    pips = [0] * len(COLOR_LETTERS)
    generic = n_x = snow = 0
    hybrid: list[int] = []
    for symbol in symbols:
        if symbol == "X":
            n_x += 1
        elif symbol == "S":
            snow += 1
        elif len(symbol) == 1 and symbol in COLOR_LETTERS:
            pips[COLOR_LETTERS.index(symbol)] += 1
        elif re.fullmatch("[0-9]{1,3}", symbol):
            generic += int(symbol)
        else:
            mask = _hybrid(symbol)
            if mask is None:
                raise ValueError(f"the mana symbol {{{symbol}}} is not supported")
            hybrid.append(mask)
    if generic > MAX_GENERIC or n_x > MAX_GENERIC or max(pips) > MAX_GENERIC or max(len(hybrid), snow) > MAX_GENERIC:
        raise ValueError(f"{text!r} asks for more than {MAX_GENERIC} mana of a kind")
    w, u, b, r, g, c = pips
    return ManaCost((w, u, b, r, g, c), generic, n_x, tuple(hybrid), snow, "".join(f"{{{s}}}" for s in symbols))


def mana_colors(text: str) -> Color:
    """Return the kinds of mana written as `text`: "G", "R/G" (one of them), "C", or "any" (one of the five colours).

    "chosen" is the colour chosen for the source, "produced" what the event's permanent was tapped for.

    Raises:
        TypeError: `text` is not a string.
        ValueError: it names something else.
    """
    if not isinstance(text, str):
        raise TypeError(f'a kind of mana such as "G" is wanted, not {describe(text)}')
    if text in KIND_WORDS:
        return KIND_WORDS[text]
    found = Color(0)
    for letter in text.split("/"):
        if len(letter) != 1 or letter not in COLOR_LETTERS:
            raise ValueError(f'{text!r} is not a kind of mana such as "G", "R/G", "C" or "any"')
        found |= Color[letter]
    return found


def mana_groups(text: str) -> tuple[tuple[Color, int], ...]:
    """Return the (kinds, amount) of mana written as `text`, by kind: "{G}{G}{W}" is (G, 2), (W, 1).

    Raises:
        TypeError: `text` is not a string.
        ValueError: it is not understood.
    """
    symbols = _SYMBOLS.findall(str(text))
    if not symbols or _SYMBOLS.sub("", text).strip():
        return (mana_produced(text),)
    counts = {symbol: symbols.count(symbol) for symbol in symbols}
    return tuple((mana_colors(symbol), n) for symbol, n in counts.items())


def mana_produced(text: str) -> tuple[Color, int]:
    """Return (kinds, amount) of the mana written as `text`: "G", "{C}{C}", "CC", "R/G", "any".

    Raises:
        TypeError: `text` is not a string.
        ValueError: it is not understood, or is mana of several kinds at once.
    """
    if not isinstance(text, str):
        raise TypeError(f'mana such as "G" is wanted, not {describe(text)}')
    symbols = _SYMBOLS.findall(text)
    if symbols and _SYMBOLS.sub("", text).strip():
        raise ValueError(f'{text!r} is not mana such as "{{G}}"')
    if not symbols:
        symbols = list(text) if text and set(text) <= set(COLOR_LETTERS) else [text]
    if len(set(symbols)) > 1:
        raise ValueError(f"mana of several kinds at once ({text!r}) is not supported")
    return mana_colors(symbols[0]), len(symbols)
