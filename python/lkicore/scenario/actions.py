"""Steps that are actions of players: casting, activating, playing lands, attacking, blocking."""

from __future__ import annotations

from collections.abc import Callable

from lkicore import _inspect
from lkicore.characteristics import COLOR_WORDS
from lkicore.game import Option
from lkicore.opcodes import ChoiceKind, Color, FrameKind, OptionKind, Step, Zone

from .abilities import Activated, activated_abilities, by_text
from .announce import Announcement, way_option
from .choices import answer, offered, settle
from .errors import StepError, UnsupportedError
from .labels import player_of
from .model import Action
from .table import Table

_ANNOUNCING = (FrameKind.CAST, FrameKind.ACTIVATE)


def act(table: Table, action: Action, *, anyhow: bool = False) -> None:
    """Carry out an action.

    `anyhow`: targets and modes that the step does not name may be any.

    Raises:
        StepError: it is not legal, or does not ask for what the step says.
        UnsupportedError: the engine has no such action.
    """
    _ACTIONS[action.verb](table, action, anyhow)


def _player(table: Table, action: Action, label: str) -> int:
    """The acting player: who is named, else who controls or holds the object."""
    if action.by is not None:
        return action.by
    obj = table.labels.object(table.game, label)
    facts = table.game.object(obj) if obj else None
    if facts is None:
        raise StepError(f"{action.verb} {label}", f"{label} is nowhere")
    return facts.controller if facts.zone in (Zone.BATTLEFIELD, Zone.STACK) else facts.owner


def priority(table: Table, player: int, what: str) -> None:
    """The players before `player` in turn order pass; `StepError` if priority cannot come there like this."""
    settle(table)
    game = table.game
    _at_priority(table, what)
    if player not in _inspect.alive(game):
        raise StepError(what, f"p{player} has left the game")
    while game.current_player != player:
        if _inspect.passes(game) + 1 >= len(_inspect.alive(game)):
            raise StepError(f"{what} by p{player}", f"all others have passed: {table.moment()}")
        table.pass_priority()
        settle(table)
        _at_priority(table, what)


def _at_priority(table: Table, what: str) -> None:
    if table.over or not table.at_priority:
        raise StepError(what, table.moment())


def _cast(table: Table, action: Action, anyhow: bool) -> None:
    label: str = action.value
    announcement = Announcement(table, action, anyhow=anyhow)
    _unsupported_payment(action)
    player = _player(table, action, label)
    priority(table, player, f"cast {label}")
    obj = table.labels.object(table.game, label)
    found = [(i, o) for i, o in enumerate(table.game.options()) if o.kind is OptionKind.CAST and o.object == obj]
    which = way_option(table, action, [o for _, o in found])
    if which < 0:
        raise _not_offered(table, action, player)
    table.apply(found[which][0])
    _announce(table, announcement, player)


def _take(table: Table, wanted: Callable[[Option], bool], action: Action, player: int) -> None:
    found = next((i for i, o in enumerate(table.game.options()) if wanted(o)), -1)
    if found < 0:
        raise _not_offered(table, action, player)
    table.apply(found)


def _not_offered(table: Table, action: Action, player: int) -> StepError:
    label: str = action.value
    handle = None if label.startswith("stack:") else table.labels.handle(label)
    facts = handle.facts(table.game) if handle else None
    where = f"{label} is in {facts.zone.name.lower()}" if facts else f"{label} is nowhere"
    return StepError(f"{action.verb} {label} by p{player}", f"it is not legal ({where}; {table.moment()})")


def _unsupported_payment(action: Action) -> None:
    pay = action.options.get("pay", {})
    if "reveal" in pay:
        raise UnsupportedError(f"{action.value}: revealing as a cost is not supported")


def _announce(table: Table, announcement: Announcement, player: int) -> None:
    """Answer what the cast or activation asks for, until it is on the stack."""
    while not table.game.is_terminal and not table.at_priority and _announcing(table):
        if table.game.current_player == player:
            table.apply(announcement.answer())
        else:
            answer(table)
    announcement.finish()


def _announcing(table: Table) -> bool:
    return any(frame[0] in _ANNOUNCING for frame in _inspect.frames(table.game))


def _play(table: Table, action: Action, _anyhow: bool) -> None:
    label: str = action.value
    player = _player(table, action, label)
    priority(table, player, f"play {label}")
    obj = table.labels.object(table.game, label)
    found = [(i, o) for i, o in enumerate(table.game.options()) if o.kind is OptionKind.PLAY and o.object == obj]
    which = way_option(table, action, [o for _, o in found])
    if which < 0:
        raise _not_offered(table, action, player)
    table.apply(found[which][0])


# ------------------------------------------------------------------------------------------ activating
def _activate(table: Table, action: Action, anyhow: bool) -> None:
    label: str = action.value
    announcement = Announcement(table, action, anyhow=anyhow)
    _unsupported_payment(action)
    player = _player(table, action, label)
    priority(table, player, f"activate {label}")
    obj = table.labels.object(table.game, label)
    ability = _ability(table, action, obj)
    if ability.mana:
        _activate_mana(table, action, announcement, obj, ability)
        return
    _take(
        table,
        lambda o: o.kind is OptionKind.ACTIVATE and o.object == obj and o.number in ability.numbers,
        action,
        player,
    )
    _announce(table, announcement, player)


def _ability(table: Table, action: Action, obj: int) -> Activated:
    """The ability that a step means."""
    label = action.value
    facts = table.game.facts(obj)
    if facts is None:
        raise StepError(f"activate {label}", f"{label} is nowhere")
    known = activated_abilities(table.pool, facts)
    asked = action.options.get("ability", 1)
    if isinstance(asked, str):
        found = by_text(known, asked)
        if not found:
            raise UnsupportedError(f"{label}: no ability is known by the text {asked!r}")
    else:
        found = known[asked - 1 : asked]
        if not found:
            raise StepError(f"ability {asked} of {label}", f"it has {len(known)} activated abilities")
    return found[0]


def _activate_mana(table: Table, action: Action, announcement: Announcement, obj: int, ability: Activated) -> None:
    """A mana ability (CR 605.3): no stack; the colour is the next answer where there are several."""
    player = table.game.current_player
    table.with_mana_abilities(True)
    try:
        every = list(enumerate(table.game.options()))
        mine = [(i, o) for i, o in every if o.object == obj]
        whole = [i for i, o in mine if o.kind is OptionKind.ACTIVATE and o.number in ability.numbers]
        if whole:
            table.apply(whole[0])
            _announce(table, announcement, player)
            return
        options = [(i, o) for i, o in mine if o.kind is OptionKind.MANA]
        options = [(i, o) for i, o in options if Color(1 << o.number) & ability.mana]
        if not options:
            raise _not_offered(table, action, player)
        table.apply(_color_of(table, action, player, options))
    finally:
        table.with_mana_abilities(False)


def _color_of(table: Table, action: Action, player: int, options: list[tuple[int, Option]]) -> int:
    """The option for the colour that is asked for."""
    queue = table.queues[player]
    if len(options) > 1 and queue:
        said = queue.popleft()
        words = COLOR_WORDS | {"colorless": Color.C}
        chosen = next((i for i, o in options if words.get(said) == Color(1 << o.number)), None)
        if chosen is None:
            raise StepError(f"{said!r} as mana of {action.value}", offered(table, [o for _, o in options]))
        return chosen
    if len(options) > 1:
        table.defaulted.append(f"p{player}: colour of the mana of {action.value}")
    return options[0][0]


# ------------------------------------------------------------------------------------------ combat
def _reach(table: Table, choice: ChoiceKind, last: Step, what: str, *, nobody: bool = False) -> None:
    """All pass until a declaration is asked for in this turn; with `nobody` it is enough that its step has begun."""
    game = table.game
    turn = game.turn
    while game.choice is not choice:
        if nobody and game.step == last and table.at_priority:
            return
        # (There may be another combat phase to come, CR 500.8.)
        if table.over or table.held or game.turn != turn:
            raise StepError(what, f"nobody is asked to: {table.moment()}")
        if table.at_priority:
            table.pass_priority()
        else:
            answer(table)


def _attack(table: Table, action: Action, _anyhow: bool) -> None:
    """Declare attackers (CR 508.1), creature by creature."""
    plan: dict[str, str] = dict(action.value)
    what = f"attack with {', '.join(plan) or 'nothing'}"
    game = table.game
    if action.by not in (None, game.active_player):
        raise StepError(f"{what} by p{action.by}", f"the active player is p{game.active_player}")
    handles = {table.labels.handle(label): label for label in plan}
    _reach(table, ChoiceKind.ATTACK, Step.DECLARE_ATTACKERS, what, nobody=not plan)
    while game.choice in (ChoiceKind.ATTACK, ChoiceKind.EXERT):
        if game.choice is ChoiceKind.EXERT:
            answer(table)
            continue
        options = game.options()
        label = handles.get(table.labels.handle_of(game, game.subject()), "")
        defender = plan.pop(label, None)
        if defender is None:
            taken = _none(table, options, f"{what} and not {{}}", "must attack")
        else:
            taken = _defender(table, defender, options)
            if taken < 0:
                raise StepError(f"{label} attacks {defender}", f"the options {offered(table, options)}")
        table.apply(taken)
    if plan:
        label, defender = next(iter(plan.items()))
        raise StepError(f"{label} attacks {defender}", f"it can't attack ({table.moment()})")


def _none(table: Table, options: list[Option], expected: str, must: str) -> int:
    """The option that the creature asked about does nothing; `StepError` if it must do something."""
    taken = next((i for i, o in enumerate(options) if o.kind is OptionKind.NO), -1)
    if taken < 0:
        word = table.labels.word(table.game, table.game.subject())
        raise StepError(expected.format(word), f"{word} {must}")
    return taken


def _defender(table: Table, label: str, options: list[Option]) -> int:
    seat = player_of(label, table.labels)
    for i, option in enumerate(options):
        if seat >= 0 and option.kind is OptionKind.PLAYER and option.player == seat:
            return i
        if seat < 0 and option.kind is OptionKind.OBJECT and table.labels.object(table.game, label) == option.object:
            return i
    return -1


def _block(table: Table, action: Action, _anyhow: bool) -> None:
    """Declare blockers (CR 509.1), creature by creature; other players' declarations before it are empty."""
    game = table.game
    plan: dict[str, list[str]] = {label: list(attackers) for label, attackers in action.value.items()}
    what = f"block {', '.join(f'{b} blocks {a[0]}' for b, a in plan.items() if a) or 'with nothing'}"
    players = {_player(table, action, label) for label in plan}
    if action.by is not None:
        players.add(action.by)
    handles = {table.labels.handle(label): label for label in plan}
    _reach(table, ChoiceKind.BLOCK, Step.DECLARE_BLOCKERS, what)
    for label in plan:
        facts = table.labels.handle(label).facts(game)
        if facts is None or facts.zone is not Zone.BATTLEFIELD or facts.controller not in players:
            raise StepError(what, f"{label} is not theirs to block with")
    while game.choice is ChoiceKind.BLOCK:
        options = game.options()
        if players and game.current_player not in players:
            if not plan:
                return
            answer(table)
            continue
        label = handles.get(table.labels.handle_of(game, game.subject()), "")
        wanted = plan.pop(label, [])
        if not wanted:
            taken = _none(table, options, f"{what} and not with {{}}", "must block")
        else:
            obj = table.labels.object(game, wanted[0])
            taken = next((i for i, o in enumerate(options) if o.kind is OptionKind.OBJECT and o.object == obj), -1)
            if taken < 0:
                raise StepError(f"{label} blocks {wanted[0]}", f"the options {offered(table, options)}")
            if wanted[1:]:
                plan[label] = wanted[1:]  # it is asked again
        table.apply(taken)
    if plan:
        label, attackers = next(iter(plan.items()))
        raise StepError(f"{label} blocks {', '.join(attackers)}", f"it can't block ({table.moment()})")


def _special(table: Table, action: Action, anyhow: bool) -> None:
    if action.options.get("action") == "turn_face_up":
        _turn_up(table, action, anyhow)
        return
    raise UnsupportedError(f"{action.value}: the special action {action.options.get('action', '?')} is not supported")


def _turn_up(table: Table, action: Action, anyhow: bool) -> None:
    """A permanent is turned face up (CR 116.2b), for the first cost that does it and can be paid."""
    label: str = action.value
    announcement = Announcement(table, action, anyhow=anyhow)
    _unsupported_payment(action)
    player = _player(table, action, label)
    priority(table, player, f"turn {label} face up")
    obj = table.labels.object(table.game, label)
    _take(table, lambda o: o.kind is OptionKind.TURN_UP and o.object == obj, action, player)
    _announce(table, announcement, player)


_ACTIONS: dict[str, Callable[[Table, Action, bool], None]] = {
    "cast": _cast,
    "activate": _activate,
    "play": _play,
    "attack": _attack,
    "block": _block,
    "special": _special,
}
