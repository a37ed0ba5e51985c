"""Decks: what is read, what is refused and how, the deck rules, bundled decks and workloads."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lkicore import Game
from lkicore.cards import CardPool, Deck, DeckError, UnknownCard, bundled_decks, workloads
from lkicore.cards.deck import color_identity
from lkicore.opcodes import Color, TypeBit, Zone

POOL = CardPool.builtin()
LEGAL = "40 Mountain\n" + "".join(
    f"4 {n}\n" for n in ("Shock", "Raging Goblin", "Lava Axe", "Gray Ogre", "Lightning Bolt")
)


# -------------------------------------------------------------------------------------------------- reading
def test_every_usual_line_is_read() -> None:
    text = (
        "\ufeff# a comment\r\n// another\r\n\r\nDeck\r\n4 Lightning Bolt\r\n4x shock\r2X  Garruk’s companion\n"
        "1 Murder # one\n1 Murder // two\n3 Gray Ogre (M10) 146 *F*\n20 Mountain (BRO)\n\n"
        "Sideboard:\n2 Doom Blade\nSB: 1 Cancel"
    )
    deck = Deck.load(text)
    assert deck.cards == (
        (4, "Lightning Bolt"),
        (4, "Shock"),
        (2, "Garruk's Companion"),
        (2, "Murder"),
        (3, "Gray Ogre"),
        (20, "Mountain"),
    )
    assert deck.sideboard == ((2, "Doom Blade"), (1, "Cancel"))
    assert len(deck) == 35
    assert (deck.name, deck.origin) == ("deck", "<text>")


def test_sideboard_lines_stand_anywhere() -> None:
    deck = Deck.load("SB: 2 Murder\n4 Shock\nsb: 1 Murder\n")
    assert (deck.cards, deck.sideboard) == (((4, "Shock"),), ((3, "Murder"),))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_files_of_any_encoding_and_line_end_are_read(tmp_path: Path, encoding: str, newline: str) -> None:
    file = tmp_path / "mine.txt"
    file.write_bytes("# déjà vu\n4 Shock\n2 Murder".replace("\n", newline).encode(encoding))
    for source in (file, str(file)):
        deck = Deck.load(source)
        assert (deck.name, deck.origin, deck.cards) == ("mine", "mine.txt", ((4, "Shock"), (2, "Murder")))


def test_faces_are_the_numbers_of_the_pool() -> None:
    deck = Deck.load("2 Shock\n1 Murder\nSB: 1 Cancel")
    assert deck.faces(POOL) == [POOL.index("Shock")] * 2 + [POOL.index("Murder")]
    with pytest.raises(UnknownCard):
        Deck("x", ((1, "Nothing"),)).faces(POOL)


def test_a_deck_of_a_users_pool() -> None:
    pool = CardPool.from_yaml("- {name: Moor, type: Basic Land — Swamp}\n")
    deck = Deck.load("60 Moor", pool)
    deck.validate(pool)
    assert deck.faces(pool) == [0] * 60
    with pytest.raises(DeckError, match="no card is called 'Moor'"):
        Deck.load("60 Moor")


# ------------------------------------------------------------------------------------------------- refusals
def test_all_faulty_lines_are_in_one_error(tmp_path: Path) -> None:
    file = tmp_path / "bad.txt"
    file.write_text(
        "4 Lightnig Bolt\nfoo\n\n0 Shock\n1000 Shock\n"
        "4 Goblin Token\nCompanion\n4 Shock\nLightning Bolt\n-1 Shock\n1.5 Shock\n"
    )
    with pytest.raises(DeckError) as caught:
        Deck.load(file)
    error = caught.value
    assert isinstance(error, ValueError)
    assert [f.line for f in error.faults] == [1, 2, 4, 5, 6, 7, 9, 10, 11]
    assert {f.file for f in error.faults} == {"bad.txt"}
    assert error.faults[0].nearest[0] == "Lightning Bolt"
    assert error.faults[0].text == "4 Lightnig Bolt"
    lines = str(error).splitlines()
    assert lines[0] == "bad.txt: 9 faults in the deck"
    wanted = "  bad.txt:1: '4 Lightnig Bolt': no card is called 'Lightnig Bolt'; did you mean Lightning Bolt"
    assert lines[1].startswith(wanted)
    assert lines[1].endswith("?")
    reasons = " ".join(f.reason for f in error.faults)
    for part in ("not a line such as", "count 0", "count 1000", "is a token", "'companion' is not supported"):
        assert part in reasons


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("gren", "no deck or file is called 'gren'; did you mean green?"),
        ("qqqq", "no deck or file is called 'qqqq'; bundled are"),
        ("no/such.txt", "no deck or file is called"),
        ("", "there is no card in it"),
        ("# nothing\n", "there is no card in it"),
        ("SB: 1 Shock\n", "there is no card in it"),
        ("a\0b", "cannot be read"),
        ("4 " + "Shock" * 100 + "\n", "…"),
    ],
)
def test_other_refusals_are_clear(source: str, message: str) -> None:
    with pytest.raises(DeckError) as caught:
        Deck.load(source)
    assert message in str(caught.value)
    assert all(len(line) < 330 for line in str(caught.value).splitlines())


def test_a_folder_and_a_huge_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DeckError, match="cannot be read"):
        Deck.load(tmp_path)
    file = tmp_path / "huge"
    file.write_bytes(b"#" * (1 << 20) + b"\n\n")
    with pytest.raises(DeckError, match="larger than"):
        Deck.load(file)


# ---------------------------------------------------------------------------------------------------- rules
def test_the_deck_rules() -> None:
    Deck.load(LEGAL).validate()
    deck = Deck.load("30 Wastes\n5 Shock\n3 Murder\n4 Vanilla 2/2\nSideboard\n2 Murder\n14 Forest")
    with pytest.raises(DeckError) as caught:
        deck.validate()
    reasons = [f.reason for f in caught.value.faults]
    assert str(caught.value).startswith("the deck 'deck' is not legal: 5 faults")
    for part, reason in zip(
        ("42 cards", "5 copies of Shock", "5 copies of Murder", "Vanilla", "16 cards in"), reasons, strict=True
    ):
        assert part in reason


def test_the_hash_is_that_of_the_content() -> None:
    one, two = Deck.load("4 Shock\n2 Murder"), Deck.load("2 murder\n1 Shock\n3 Shock")
    assert one.hash == two.hash
    assert len(one.hash) == 64
    int(one.hash, 16)
    others = [Deck.load("3 Shock\n2 Murder"), Deck.load("4 Shock\nSB: 2 Murder"), Deck.load("4 Shock\n2 Cancel")]
    assert len({d.hash for d in (one, *others)}) == 4


# -------------------------------------------------------------------------------------------------- bundled
@pytest.mark.parametrize("name", bundled_decks())
def test_bundled_decks_are_legal(name: str) -> None:
    deck = Deck.load(name)
    deck.validate()
    assert (deck.name, len(deck), deck.workload) == (name, 60, False)
    lands = sum(n for n, card in deck.cards if POOL[card].types & TypeBit.LAND)
    assert 20 <= lands <= 24


def test_bundled_names() -> None:
    assert {"red", "green"} <= set(bundled_decks())
    assert {"vanilla", "bolt-mirror", "ogre-mirror"} <= set(workloads())
    assert not set(bundled_decks()) & set(workloads())


def test_workloads_are_free_of_the_deck_rules() -> None:
    for name in workloads():
        deck = Deck.load(name)
        assert deck.workload
        deck.validate()
        assert len(deck.faces()) == len(deck)
    assert Deck.load("bolt-mirror").cards == ((20, "Mountain"), (40, "Lightning Bolt"))
    assert Deck.load("ogre-mirror").cards == ((20, "Mountain"), (20, "Gray Ogre"))


def test_the_vanilla_workload_is_its_curve() -> None:
    curve = (1, 2, 2, 2, 3, 3, 4, 5, 6)
    wanted = Counter({None: 24})
    for k in curve:
        wanted[k, k if k < 4 else k - 1, k if k < 3 else k - 1] += 4
    made: Counter[object] = Counter()
    for number in Deck.load("vanilla").faces():
        face = POOL.faces[number]
        made[None if face.is_basic_land else (face.mana_value, face.power, face.toughness)] += 1
        assert not face.keywords
        assert not face.abilities or face.is_basic_land
    assert made == wanted


def test_a_file_of_a_bundled_name_is_read_by_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("red").write_text("1 Murder")
    assert len(Deck.load("red")) == 60
    assert len(Deck.load("./red")) == len(Deck.load(Path("red"))) == 1


# ------------------------------------------------------------------------------------------------- commanders
COMMANDERS = CardPool.builtin().with_cards(
    """
- {name: Test Chief, cost: "{1}{G}", type: Legendary Creature — Elf, pt: 2/2, test_only: true}
- {name: Test Spark, cost: "{R/G}", type: Instant, test_only: true, spell: {do: ["draw(you, 1)"]}}
- name: Test Rock
  cost: "{2}"
  type: Artifact
  test_only: true
  abilities:
    - {cost: "{T}", mana: U}
    - {cost: "{T}", mana: any}
""",
    name="test",
)


def test_a_commander_begins_in_the_command_zone() -> None:
    deck = Deck.load("Commander\n1 Test Chief\n\nDeck\n99 Forest", COMMANDERS)
    assert deck.commanders == ((1, "Test Chief"),)
    library, command, outside = deck.seat(COMMANDERS)
    assert (len(library), command, outside) == (99, [COMMANDERS.index("Test Chief")], [])
    game = Game([deck, deck], pool=COMMANDERS, seed=1)
    chiefs = [game.object(i) for i in game.zone(Zone.COMMAND)]
    assert [(o.name, o.owner) for o in chiefs if o is not None] == [("Test Chief", 0), ("Test Chief", 1)]
    assert [game.life(p) for p in range(2)] == [40, 40]  # CR 903.7


def test_a_deck_with_a_commander_is_checked() -> None:
    deck = Deck.load("Commander\n1 Test Chief\nDeck\n2 Test Spark\n1 Test Rock\n95 Forest\n1 Grizzly Bears", COMMANDERS)
    with pytest.raises(DeckError) as caught:
        deck.validate(COMMANDERS)
    text = str(caught.value)
    assert "2 copies of Test Spark; at most 1 are allowed (CR 903.5b)" in text
    assert "Test Spark is R besides" in text
    assert "Test Rock is U besides" in text
    assert "Grizzly Bears" not in text
    small = Deck.load("Commander\n1 Grizzly Bears\nDeck\n9 Forest", COMMANDERS)
    with pytest.raises(DeckError, match="10 cards with the commander"):
        small.validate(COMMANDERS)
    with pytest.raises(DeckError, match="no legendary creature"):
        small.validate(COMMANDERS)


def test_colour_identity() -> None:
    """CR 903.4: mana symbols of the cost and the text; `any` is no symbol."""
    assert color_identity(COMMANDERS["Test Spark"]) == Color.R | Color.G
    assert color_identity(COMMANDERS["Test Rock"]) == Color.U
    assert color_identity(COMMANDERS["Forest"]) == Color.G


def test_a_sideboard_is_there_only_for_cards_that_ask_for_it() -> None:
    pool = COMMANDERS.with_cards(
        """
- name: Test Wish
  cost: "{1}{R}"
  type: Sorcery
  test_only: true
  spell: {do: ["pick(you, sorcery, 0, 1, zone=sideboard, own=True)", return_to_hand(picked), exile(source)]}
""",
        name="wish",
    )
    assert len(Deck.load("60 Forest\nSideboard\n3 Shock", pool).seat(pool)) == 60
    library, command, outside = Deck.load("56 Forest\n4 Test Wish\nSideboard\n3 Shock", pool).seat(pool)
    assert (len(library), command, len(outside)) == (60, [], 3)
