"""Costs: mana costs (CR 202), and what activated abilities cost besides mana (CR 118)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lkicore.opcodes import Color, CostFlag

from .operands import describe

#: Colours in the order of their bits; the last stands for colourless mana.
COLOR_LETTERS = "WUBRGC"
ANY_COLOR = Color.W | Color.U | Color.B | Color.R | Color.G

#: Words of costs besides mana and {T}.
_COST_WORDS = {"{T}": CostFlag.TAP, "sacrifice": CostFlag.SACRIFICE}
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
    """

    pips: tuple[int, int, int, int, int, int] = (0, 0, 0, 0, 0, 0)
    generic: int = 0
    n_x: int = 0

    @property
    def colors(self) -> Color:
        """Colours of its symbols (CR 105.2)."""
        found = Color(0)
        for color, n in zip(Color, self.pips, strict=True):
            if n and color is not Color.C:
                found |= color
        return found

    @property
    def mana_value(self) -> int:
        """Its mana value while X is 0 (CR 202.3)."""
        return self.generic + sum(self.pips)

    def __str__(self) -> str:
        symbols = ["{X}"] * self.n_x
        if self.generic or not (self.n_x or any(self.pips)):
            symbols.append(f"{{{self.generic}}}")
        colorless = COLOR_LETTERS.index("C")
        symbols += ["{C}"] * self.pips[colorless]
        for i, letter in enumerate(COLOR_LETTERS[:colorless]):
            symbols += [f"{{{letter}}}"] * self.pips[i]
        return "".join(symbols)


#: No mana at all.
NO_MANA = ManaCost()
NO_FLAGS = CostFlag(0)


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of an activated ability (CR 602.1a).

    Attributes:
        mana: its mana cost.
        flags: what is paid besides.
    """

    mana: ManaCost = NO_MANA
    flags: CostFlag = NO_FLAGS

    def __str__(self) -> str:
        parts = [str(self.mana)] if self.mana != NO_MANA or not self.flags else []
        parts += [word for word, flag in _COST_WORDS.items() if flag in self.flags]
        return ", ".join(parts)


def mana_cost(text: str) -> ManaCost:
    """Return the mana cost written as `text`: "{X}{2}{R}".

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
    generic = n_x = 0
    for symbol in symbols:
        if symbol == "X":
            n_x += 1
        elif len(symbol) == 1 and symbol in COLOR_LETTERS:
            pips[COLOR_LETTERS.index(symbol)] += 1
        elif re.fullmatch("[0-9]{1,3}", symbol):
            generic += int(symbol)
        else:
            raise ValueError(f"the mana symbol {{{symbol}}} is not supported")
    if generic > MAX_GENERIC or n_x > MAX_GENERIC or max(pips) > MAX_GENERIC:
        raise ValueError(f"{text!r} asks for more than {MAX_GENERIC} mana of a kind")
    w, u, b, r, g, c = pips
    return ManaCost((w, u, b, r, g, c), generic, n_x)


def cost(text: str) -> Cost:
    """Return the cost written as `text`: "{1}, {T}, sacrifice" ("sacrifice" means the permanent itself).

    Raises:
        TypeError: `text` is not a string.
        ValueError: a part of it is not understood or stands twice.
    """
    if not isinstance(text, str):
        raise TypeError(f'a cost such as "{{1}}, {{T}}" is wanted, not {describe(text)}')
    mana: ManaCost | None = None
    flags = CostFlag(0)
    for part in (p.strip() for p in text.split(",")):
        flag = _COST_WORDS.get(part)
        if flag is not None:
            if flag in flags:
                raise ValueError(f"{part} stands twice in the cost {text!r}")
            flags |= flag
        elif part.startswith("{"):
            if mana is not None:
                raise ValueError(f"the cost {text!r} has two mana costs")
            mana = mana_cost(part)
        else:
            raise ValueError(f"{part!r} is not a cost; there are mana symbols, {', '.join(_COST_WORDS)}")
    return Cost(mana or NO_MANA, flags)


def mana_colors(text: str) -> Color:
    """Return the kinds of mana written as `text`: "G", "R/G" (one of them), "C", or "any" (one of the five colours).

    Raises:
        TypeError: `text` is not a string.
        ValueError: it names something else.
    """
    if not isinstance(text, str):
        raise TypeError(f'a kind of mana such as "G" is wanted, not {describe(text)}')
    if text == "any":
        return ANY_COLOR
    found = Color(0)
    for letter in text.split("/"):
        if len(letter) != 1 or letter not in COLOR_LETTERS:
            raise ValueError(f'{text!r} is not a kind of mana such as "G", "R/G", "C" or "any"')
        found |= Color[letter]
    return found


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
