"""Card tables: built once from plain lists, then immutable and shared by all games and threads."""
from libc.stdint cimport int32_t, uint16_t, uint64_t, uint8_t, uintptr_t
from libc.stdlib cimport calloc, free

import hashlib

from lkicore._defs cimport face_ability, face_summary
from lkicore._opcodes cimport *
from lkicore._types cimport (ASKS_HOST, ASKS_STEP, Ability, Face, FACE_ANNOUNCE, FACE_AURA, FACE_EASY, FACE_EQUIPMENT,
                             FACE_HAS_COST, FACE_MODAL, FACE_RESTLESS, FACE_SPENT, FACE_SURE, FACE_TOKEN,
                             FACE_OTHER_COST, FACE_X_TARGETS, MOST_ABILITIES, Mana, NONE16, Node, OptionalCost,
                             TargetSpec, WORDS, Way)

cdef enum:
    LINE = 64   # bytes of a cache line


cdef unsigned int replaces_given(const CTable *t, const Ability *a) noexcept nogil:
    cdef const Ability *given
    cdef int i
    for i in range(a.first_change, a.first_change + a.n_changes if a.kind == AB_STATIC else a.first_change):
        if t.changes[i].op == X_ADD_ABILITY:
            given = &t.abilities[t.changes[i].a]
            if given.kind == AB_REPLACEMENT and given.event == RP_ENTERS:
                return 1 << RP_ENTERS
    return 0


cdef bint acts_given(const CTable *t, const Ability *a) noexcept nogil:
    """It gives cards of hands something to activate there, whatever their faces tell (Homing Sliver)."""
    cdef const Ability *given
    cdef int i
    for i in range(a.first_change, a.first_change + a.n_changes if a.kind == AB_STATIC else a.first_change):
        if t.changes[i].op == X_ADD_ABILITY:
            given = &t.abilities[t.changes[i].a]
            if given.kind == AB_ACTIVATED and given.zones >> Z_HAND & 1:
                return True
    return False


cdef Mana packed(object pips, int generic, int snow) except *:
    """Mana cost as lanes: W U B R | G C total snow."""
    cdef Mana m
    cdef uint64_t w, u, b, r, g, c
    w, u, b, r, g, c = pips
    total = w + u + b + r + g + c + generic + snow
    if max(w, u, b, r, g, c, total) > 1000 or generic < 0 or snow < 0:
        raise ValueError(f"mana cost out of range: {pips}, {generic}, {snow}")
    m.lo = w | (u << 16) | (b << 32) | (r << 48)
    m.hi = g | (c << 16) | (<uint64_t>total << 32) | (<uint64_t>snow << 48)
    return m


cdef tuple span(object of, Py_ssize_t size, str what):
    first, n = of
    if n == 0:
        return 0, 0
    if not (0 <= first and 0 < n <= 255 and first + n <= size):
        raise ValueError(f"{what}: range {first}, {n} outside 0..{size}")
    return first, n


def name_hash(str name):
    """64-bit hash of a card's name, as the checksum uses it."""
    return int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little")


#: Operands of the instructions: r reference, v value, f filter, o optional filter (-1), n optional reference, w
#: optional value, F face, z zone, k counter kind, K one or any (-1), m mask of one colour, c first change (the
#: next word says how many), d duration, p place in the code, a ability, b optional ability, y way of casting, X first
#: exception of a copy (the next word says how many, also none), x a number without a list.
OPERANDS = {
    E_END: "", E_DAMAGE: "rrv", E_DESTROY: "rx", E_EXILE: "rx", E_RETURN: "rx", E_DRAW: "rv", E_DISCARD: "rvox",
    E_GAIN_LIFE: "rv", E_LOSE_LIFE: "rv", E_APPLY: "rcxvvd", E_TAP: "r", E_UNTAP: "r", E_COUNTERS: "rkv",
    E_FIGHT: "rr",
    E_TOKEN: "rvFxXxn", E_MANA: "mv", E_SEARCH_LAND: "rfzxvn", E_COUNTER: "rx", E_MILL: "rvx", E_REMOVE_COUNTERS: "rkv",
    E_SACRIFICE: "rx", E_EDICT: "rvf", E_MOVE: "rzxnx", E_JUMP: "p", E_UNLESS: "vp", E_MAY: "rp", E_PAY: "rapw",
    E_PICK: "rfvvzx", E_PICK_PLAYER: "rf", E_PICK_COLOR: "r", E_REGENERATE: "r", E_PREVENT: "nwdxb", E_DELAY: "and",
    E_REFLEXIVE: "a", E_ATTACH: "rr", E_SCRY: "rv", E_SURVEIL: "rv", E_SHUFFLE: "r", E_PLAYER_COUNTERS: "rkv",
    E_EXILE_INSTEAD: "rd", E_EXILE_UNTIL: "r", E_DIG: "rvvfzzx", E_EXTRA_TURN: "r", E_LINK: "rxn",
    E_REMOVE_FROM_COMBAT: "r", E_LOSE_GAME: "r", E_COPY_TOKEN: "rvrxXxn", E_BECOME_COPY: "rrXxd",
    E_CAST: "rryxw", E_PERMIT: "rryd",
    E_COPY_SPELL: "rrvx", E_NEW_TARGETS: "rrx", E_DIG_UNTIL: "rfz", E_COPY_CARD: "rr", E_ADD_MANA: "rxvbx",
    E_REVEAL: "rx", E_DISCARD_CARD: "rx", E_ACT: "xrn", E_DESIGNATE: "rx",
    E_MOVE_COUNTERS: "rrKw", E_SET_LIFE: "rv", E_EXCHANGE_LIFE: "rr", E_REVEAL_UNTIL: "rvfzzx",
    E_PREVENT_FROM: "rnwdxob",
    E_EXTRA_PHASE: "x", E_SKIP: "rx", E_CUT_SHORT: "x", E_CONTROL_PLAYER: "r", E_PHASE_OUT: "r",
    E_EXCHANGE_CONTROL: "rrcx", E_GOAD: "r", E_REQUIRE: "rr", E_EXILE_LEAVING: "rd",
    E_TRANSFORM: "r", E_SET_LEVEL: "rx", E_TURN_UP: "r", E_TURN_DOWN: "rF", E_PUT_FACE_DOWN: "rFrx",
    E_APPLY_PLAYERS: "rcxvvd", E_WIN_GAME: "r",
    E_DRAW_GAME: "", E_PROLIFERATE: "rv", E_EMBLEM: "rF", E_TITLE: "rFx", E_VENTURE: "rF", E_DAY: "x", E_FLIP: "rvx",
    E_ROLL: "rvx", E_PICK_NAME: "rf", E_PICK_TYPE: "r", E_PICK_NUMBER: "rvv", E_VOTE: "rx",
    E_ENTERS_WITH: "kv",
    E_CHANGE_TEXT: "rrxdx",
}
#: Operands of nodes, in the same letters; 0 an earlier node of the same list.
VALUE_OPERANDS = {
    V_POWER: "r", V_TOUGHNESS: "r", V_MANA_VALUE: "r", V_COUNT: "f", V_HAND_SIZE: "r", V_LIFE: "r", V_ADD: "00",
    V_SUB: "00", V_MUL: "00", V_MIN: "00", V_MAX: "00", V_COUNTERS: "rK", V_DAMAGE: "r", V_NUMBER_OF: "r",
    V_HALF_UP: "0", V_HALF_DOWN: "0", V_COUNT_ZONE: "fzr", V_HAPPENED: "xno", V_GREATEST_POWER: "f", V_COLORS: "r",
    V_LIBRARY_SIZE: "r", V_GRAVEYARD_SIZE: "r", V_AT_LEAST: "00", V_EQUAL: "00", V_BOTH: "00", V_EITHER: "00",
    V_CAST_BEFORE: "r", V_QUOTIENT: "00", V_DIVIDED: "0",
    V_NOT: "0", V_MATCHES: "rf", V_EXISTS: "f", V_ON_BATTLEFIELD: "r",
    V_DEVOTION: "xr", V_GREATEST: "xf", V_LEAST: "xf", V_COUNT_OF: "rf", V_LEVEL: "r",
    V_PLAYER_COUNTERS: "rk",
    V_HAPPENED_LAST_TURN: "xno", V_HAS_TITLE: "rF", V_HAS_FACT: "rx",
}
FILTER_OPERANDS = {
    FT_SUBTYPE: "s", FT_AND: "00", FT_OR: "00", FT_NOT: "0", FT_CONTROLLED_BY: "r", FT_OWNED_BY: "r", FT_IS: "r",
    FT_COUNTERS: "kx",
    FT_NAMED: "F", FT_SAME_NAME: "r", FT_COMPARE: "xvv", FT_TARGETS: "f", FT_SHARES_COLOR: "r", FT_PLAYER_IS: "r",
    FT_DID: "x0x", FT_SAME_CONTROLLER: "r", FT_SHARES_SUBTYPE: "r", FT_DAMAGED_BY: "r",
}
CHANGE_OPERANDS = {X_CDA_PT: "ww", X_SET_PT: "ww", X_ADD_PT: "ww", X_ADD_ABILITY: "a", X_ADD_CHOSEN_ABILITY: "a",
                   X_SET_NAME: "F",
                   X_LAND_PLAYS: "w", X_HAND_SIZE: "w", X_ADD_HAND_SIZE: "w", X_PROTECT_PLAYER: "a"}
ENTER_OPERANDS = {EN_COUNTERS: "kv", EN_CHOOSE: "xo", EN_UNLESS_PAID: "a", EN_DELAY: "ad", EN_COPY: "f",
                  EN_EITHER: "kv"}
COST_OPERANDS = {
    CP_LIFE: "v", CP_SACRIFICE: "fx", CP_DISCARD: "fx", CP_EXILE_GRAVEYARD: "fx", CP_EXILE_HAND: "fx",
    CP_REMOVE_COUNTERS: "kx", CP_TAP_CREATURES: "fx", CP_RETURN: "fx", CP_PUT_COUNTERS: "kx", CP_REVEAL: "fx",
    CP_CREW: "fx",
    CP_PLAYER_COUNTERS: "kv",
}
REF_OPERANDS = {R_EACH: "f", R_CONTROLLER_OF: "0", R_OWNER_OF: "0", R_BLOCKERS_OF: "0", R_ATTACHED_TO: "0f",
                R_TOP_CARDS: "0v", R_GRAVEYARD_TOP: "0f"}


cdef class CardTable:
    """Immutable arrays that the engine plays cards from.

    Made by :attr:`lkicore.CardPool.table`; the lists are what the assembler writes (see ``docs/architecture.md``).

    Parameters
    ----------
    faces, abilities, targets, optional : list of dict
        Faces, abilities, target specifications, optional costs: the fields of the structs in ``_types.pxd``; ranges as
        (first, number).
    values, filters, refs, costs, changes : list of (op, a, b, c)
        Nodes of the effect language.
    code : list of int
        Instructions of eight words.
    hybrids : list of int
        Mana symbols that are paid in one of two ways, as masks.
    subtypes, counter_names : list of str
        Names of the subtypes and of the kinds of counters that are referred to by number.
    land_abilities : list of int
        By subtype: the mana ability of a basic land type (CR 305.6), 0xFFFF none.
    creature_types : list of bool
        Which subtypes are creature types (CR 205.3m).
    name : str
        Name of the table, for messages.

    Raises
    ------
    ValueError
        If a range, operand or program leads outside the lists.
    """

    def __cinit__(self, list faces, list abilities, list targets, list values, list filters, list refs, list code, *,
                  list costs=None, list changes=None, list optional=None, list ways=None, list hybrids=None,
                  list subtypes=None, list creature_types=None, list land_abilities=None,
                  list counter_names=None, str name="cards"):
        cdef Py_ssize_t n_sub = sum([len(f["subtypes"]) for f in faces])
        cdef size_t need
        cdef char *p
        costs, changes, optional, hybrids = costs or [], changes or [], optional or [], hybrids or []
        subtypes, creature_types, counter_names = subtypes or [], creature_types or [], counter_names or []
        ways = ways or []
        need = (len(faces) * sizeof(Face) + len(abilities) * sizeof(Ability) + len(targets) * sizeof(TargetSpec)
                + (len(values) + len(filters) + len(refs) + len(costs) + len(changes)) * sizeof(Node)
                + len(optional) * sizeof(OptionalCost) + len(ways) * sizeof(Way) + len(subtypes) * 11 + len(code) * 4
                + n_sub * 2 + len(hybrids) + LINE + 64)
        if not 0 < len(faces) < 0xC000:
            raise ValueError(f"{name}: {len(faces)} faces; 1 to 49151 are possible")
        if len(abilities) >= NONE16 or len(changes) >= NONE16 or len(costs) >= NONE16 or len(ways) >= NONE16:
            raise ValueError(f"{name}: more abilities, changes, costs or ways than 16 bits number")
        land_abilities = land_abilities or [NONE16] * len(subtypes)
        if len(land_abilities) != len(subtypes):
            raise ValueError(f"{name}: {len(land_abilities)} mana abilities for {len(subtypes)} subtypes")
        if len(creature_types) != len(subtypes):
            raise ValueError(f"{name}: {len(creature_types)} marks of creature types for {len(subtypes)} subtypes")
        self.memory = calloc(1, need)
        if self.memory == NULL:
            raise MemoryError(f"{need} bytes for a card table")
        self.name = name
        self.names = [str(f["name"]) for f in faces]
        self.subtype_names = list(subtypes)
        self.counter_names = list(counter_names)
        # Widest elements first, so that nothing is misaligned; faces and abilities from the beginning of a cache line.
        p = <char *>((<uintptr_t>self.memory + LINE - 1) & ~<uintptr_t>(LINE - 1))
        self.t.faces = <const Face *>p
        p += len(faces) * sizeof(Face)
        self.t.abilities = <const Ability *>p
        p += len(abilities) * sizeof(Ability)
        self.t.optional = <const OptionalCost *>p
        p += len(optional) * sizeof(OptionalCost)
        self.t.ways = <const Way *>p
        p += len(ways) * sizeof(Way)
        self.t.subtype_hashes = <const uint64_t *>p
        p += len(subtypes) * 8
        self.t.values = <const Node *>p
        p += len(values) * sizeof(Node)
        self.t.filters = <const Node *>p
        p += len(filters) * sizeof(Node)
        self.t.refs = <const Node *>p
        p += len(refs) * sizeof(Node)
        self.t.costs = <const Node *>p
        p += len(costs) * sizeof(Node)
        self.t.changes = <const Node *>p
        p += len(changes) * sizeof(Node)
        self.t.targets = <const TargetSpec *>p
        p += len(targets) * sizeof(TargetSpec)
        self.t.code = <const int32_t *>p
        p += len(code) * 4
        self.t.subtypes = <const uint16_t *>p
        p += n_sub * 2
        self.t.land_abilities = <const uint16_t *>p
        p += len(subtypes) * 2
        self.t.hybrids = <const uint8_t *>p
        p += len(hybrids)
        self.t.creature_types = <const uint8_t *>p
        self.t.n_faces = len(faces)
        self.t.n_code = len(code)
        self.t.n_abilities = len(abilities)
        self.t.n_values, self.t.n_filters, self.t.n_refs = len(values), len(filters), len(refs)
        self.t.n_changes, self.t.n_costs = len(changes), len(costs)
        self.t.n_ways = len(ways)
        self.t.n_subtypes = len(subtypes)
        self.t.n_counters = N_CK + len(counter_names)
        self.sizes = {"r": len(refs), "v": len(values), "f": len(filters), "F": len(faces), "z": N_Z, "m": 64,
                      "k": N_CK + len(counter_names), "c": len(changes), "d": N_D, "p": len(code),
                      "a": len(abilities), "cost": len(costs), "target": len(targets), "optional": len(optional),
                      "hybrid": len(hybrids), "s": len(subtypes), "y": len(ways)}
        for i, mask in enumerate(hybrids):
            if not 0 < mask < 256:
                raise ValueError(f"{name}: hybrid symbol {i} is {mask}")
            (<uint8_t *>self.t.hybrids)[i] = mask
        for i, word in enumerate(subtypes):
            (<uint64_t *>self.t.subtype_hashes)[i] = name_hash(word)
        for i, creature in enumerate(creature_types):
            (<uint8_t *>self.t.creature_types)[i] = bool(creature)
        for i, ability in enumerate(land_abilities):
            if ability != NONE16:
                self._inside(ability, "a", f"mana ability of subtype {i}")
            (<uint16_t *>self.t.land_abilities)[i] = ability
        self._nodes("value", <Node *>self.t.values, values, N_V, VALUE_OPERANDS)
        self._nodes("filter", <Node *>self.t.filters, filters, N_FT, FILTER_OPERANDS)
        self._nodes("reference", <Node *>self.t.refs, refs, N_R, REF_OPERANDS)
        self._nodes("cost", <Node *>self.t.costs, costs, N_CP, {})
        self._nodes("change", <Node *>self.t.changes, changes, N_X, {})
        entering = {k for a in abilities if a["kind"] == AB_REPLACEMENT
                    for k in range(a["changes"][0], sum(a["changes"]))}
        self._parts(costs, changes, entering)
        self._abilities(abilities)
        self._optional(optional)
        self._ways(ways)
        self._targets(targets)
        for i in range(self.t.n_abilities):
            (<Ability *>self.t.abilities)[i].sure = self._sure(i)
            self._activated(i)
        for i, w in enumerate(code):
            (<int32_t *>self.t.code)[i] = w
        self._programs(code)
        self._faces(faces, abilities)
        self._survey(len(targets))
        self._history({
            "v": values, "f": filters, "r": refs, "c": changes, "C": costs, "t": targets, "O": optional, "y": ways,
            "a": abilities, "F": faces, "P": [code[pc:pc + WORDS] for pc in range(0, len(code), WORDS)]})
        digest = hashlib.blake2b(repr((faces, abilities, targets, values, filters, refs, costs, changes, optional, ways,
                                       hybrids, code, subtypes, creature_types, land_abilities,
                                       counter_names)).encode(),
                                 digest_size=8)
        self.t.hash = int.from_bytes(digest.digest(), "little")

    def __dealloc__(self):
        free(self.memory)

    def _inside(self, x, kind, what):
        if not 0 <= x < self.sizes[kind]:
            raise ValueError(f"{self.name}: operand {x} of {what} leads outside its list")

    cdef void _nodes(self, str what, Node *nodes, list src, int count, dict operands) except *:
        """Operands must lead to nodes; a node of its own kind to an earlier one, so that reading ends."""
        for i, (op, a, b, c) in enumerate(src):
            if not 0 <= op < count:
                raise ValueError(f"{self.name}: no such operation {op} in {what} {i}")
            nodes[i].op, nodes[i].a, nodes[i].b, nodes[i].c = op, a, b, c
            for kind, x in zip(operands.get(op, ""), (a, b, c)):
                if kind == "0":
                    if not 0 <= x < i:
                        raise ValueError(f"{self.name}: operand {x} of {what} {i} (op {op}) leads outside its list")
                else:
                    self._operand(kind, x, f"{what} {i} (op {op})")

    def _operand(self, kind, x, what):
        if kind in "xX" or (kind in "bonwK" and x == -1):
            return
        self._inside(x, {"o": "f", "n": "r", "w": "v", "b": "a", "K": "k"}.get(kind, kind), what)

    def _parts(self, list costs, list changes, set entering):
        """Nodes of costs and changes lead into the other lists."""
        for i, (op, a, b, c) in enumerate(costs):
            for kind, x in zip(COST_OPERANDS.get(op, ""), (a, b)):
                self._operand(kind, x, f"cost {i}")
                if kind == "x" and not 0 < x < 256 and not (op == CP_REMOVE_COUNTERS and x == -1):
                    raise ValueError(f"{self.name}: cost {i} asks for {x}")
        for i, (op, a, b, c) in enumerate(changes):
            if i in entering:
                if not 0 <= op < N_EN:
                    raise ValueError(f"{self.name}: no such way to enter {op}")
                for kind, x in zip(ENTER_OPERANDS.get(op, ""), (a, b)):
                    self._operand(kind, x, f"way to enter {i}")
                if op == EN_CHOOSE and (a not in (CN_COLOR, CN_TYPE, CN_NUMBER, CN_PLAYER) or not 0 <= c < 64
                                        or (a == CN_PLAYER and b < 0)):
                    raise ValueError(f"{self.name}: way to enter {i} chooses what can't be chosen")
                if op == EN_EITHER and c >= 0:
                    self._inside(c, "c", f"way to enter {i}")
                    if c in entering or changes[c][0] != X_ADD_KEYWORDS:
                        raise ValueError(f"{self.name}: way to enter {i} gives something else than keywords")
                if op == EN_DEVOUR and not 0 < a < 100:
                    raise ValueError(f"{self.name}: way to enter {i} devours {a}")
            elif op == X_ADD_KEYWORDS:
                self.t.keywords |= <uint64_t>((a & 0xFFFFFFFF) | (b & 0xFFFFFFFF) << 32)
            elif op in (X_CDA_PT, X_SET_PT, X_ADD_PT):
                for x in (a, b):
                    if x not in (-1, -2):
                        self._inside(x, "v", f"change {i}")
            elif op in (X_LAND_PLAYS, X_HAND_SIZE, X_ADD_HAND_SIZE):
                if a not in (-1, -2):
                    self._inside(a, "v", f"change {i}")
            elif op == X_PROTECT_PLAYER:
                self._inside(a, "a", f"change {i}")
            elif op in (X_ADD_SUBTYPE, X_SET_SUBTYPE):
                self._inside(a, "s", f"change {i}")
            elif op == X_SET_NAME:
                self._inside(a, "F", f"change {i}")
            elif op in (X_ADD_ABILITY, X_ADD_CHOSEN_ABILITY):
                self._inside(a + (4 if op == X_ADD_CHOSEN_ABILITY else 0), "a", f"change {i}")

    def _history(self, dict items):
        """Kinds of events that each face, or what it creates, may ask about (CR 608.2i), and whether something of it
        asks for the step: along everything that leads from one item of the table to another."""
        asked = {kind: [0] * len(rows) for kind, rows in items.items()}
        asked["F"] = [ASKS_HOST if self.t.faces[i].flags & FACE_RESTLESS else 0 for i in range(len(items["F"]))]
        for i, (op, a, b, c) in enumerate(items["v"]):
            if op == V_HAPPENED or op == V_HAPPENED_LAST_TURN:
                if not 0 <= a < N_H:
                    raise ValueError(f"{self.name}: no such kind of event {a}")
                asked["v"][i] = 1 << a | (H_LAST_TURNS if op == V_HAPPENED_LAST_TURN else 0)
            elif op == V_STEP_IS:
                asked["v"][i] = ASKS_STEP
            elif op == V_CAST_BEFORE:
                asked["v"][i] = H_CAST
            elif op in (V_WAS_CAST, V_KICKED, V_CAST_WAY):
                self.t.asks_cast = 1
        for i, (op, a, b, c) in enumerate(items["f"]):
            if op == FT_KICKED:
                self.t.asks_cast = 1
            elif op == FT_ATTACKED_NOW:
                asked["f"][i] = H_ATTACKED
            elif op == FT_ENTERED_NOW:
                asked["f"][i] = H_ENTERED
            elif op == FT_DAMAGED_BY:
                asked["f"][i] = H_DAMAGE_OBJECT
            elif op == FT_DID:
                if not 0 <= a < N_H:
                    raise ValueError(f"{self.name}: no such kind of event {a}")
                asked["f"][i] = 1 << a
        for i, d in enumerate(items["a"]):
            if d["timing"] & (TM_SORCERY | TM_UPKEEP | TM_COMBAT | TM_SPECIAL):
                asked["a"][i] = ASKS_STEP
        links = self._links(items)
        more = True
        while more:
            more = False
            for kind, row in links.items():
                masks = asked[kind]
                for i in range(len(row) - 1, -1, -1):
                    mask = masks[i]
                    for other, x in row[i]:
                        mask |= asked[other][x]
                    if mask != masks[i]:
                        masks[i] = mask
                        more = True
        for i in range(len(items["F"])):
            (<Face *>&self.t.faces[i]).history = asked["F"][i]

    def _links(self, dict items):
        """For each item of the table, by kind and number, the items that it leads to."""
        cdef const Ability *a
        links = {kind: [[] for _ in rows] for kind, rows in items.items()}
        entering = {k for d in items["a"] if d["kind"] == AB_REPLACEMENT
                    for k in range(d["changes"][0], sum(d["changes"]))}
        kinds = {"o": "f", "w": "v", "n": "r", "b": "a"}

        def lead(from_, str letters, operands):
            for letter, x in zip(letters, operands):
                letter = from_[0] if letter == "0" else kinds.get(letter, letter)
                if letter in links and 0 <= x < len(links[letter]):
                    links[from_[0]][from_[1]].append((letter, x))

        def lead_all(from_, letter, of):
            lead(from_, letter * of[1], range(of[0], of[0] + of[1]))

        for kind, table in (("v", VALUE_OPERANDS), ("f", FILTER_OPERANDS), ("r", REF_OPERANDS), ("C", COST_OPERANDS)):
            for i, (op, *operands) in enumerate(items[kind]):
                lead((kind, i), table.get(op, ""), operands)
        for i, (op, *operands) in enumerate(items["c"]):
            lead(("c", i), (ENTER_OPERANDS if i in entering else CHANGE_OPERANDS).get(op, ""), operands)
            if i in entering and op == EN_COPY:
                lead_all(("c", i), "c", (operands[1], operands[2] & 0xFF))
            elif i in entering and op == EN_EITHER:
                lead(("c", i), "c", (operands[2],))
            elif i not in entering and op == X_ADD_CHOSEN_ABILITY:
                lead_all(("c", i), "a", (operands[0], 5))
        for i in range(len(items["P"])):
            # One instruction leads to the next, but for the last of a program.
            code = items["P"][i]
            lead(("P", i), OPERANDS[code[0]], code[1:])
            if code[0] in (E_APPLY, E_APPLY_PLAYERS):
                lead_all(("P", i), "c", code[2:4])
            if "X" in OPERANDS[code[0]]:
                k = 1 + OPERANDS[code[0]].index("X")
                lead_all(("P", i), "c", code[k:k + 2])
            if code[0] != E_END:
                lead(("P", i), "P", (i + 1,))
        for i, d in enumerate(items["a"]):
            a = &self.t.abilities[i]
            lead(("a", i), "wooo", (d["condition"], d["filter"], d["other"], d["player"]))
            if a.program >= 0:
                lead(("a", i), "P", (a.program // WORDS,))
            for key, kind in (("changes", "c"), ("modes", "a"), ("targets", "t"), ("costs", "C")):
                lead_all(("a", i), kind, d[key])
            if a.kind == AB_CASTING:
                lead(("a", i), "y" if a.event == CA_PERMIT else "v", (a.amount,))
            elif (a.kind == AB_RULE and a.event == RU_ATTACK_TAX) or (
                    a.kind == AB_REPLACEMENT and (RP_COUNTERS <= a.event <= RP_LIFE_LOSS or a.event >= RP_DRAWS
                                                  or (RP_PREVENT_TO <= a.event <= RP_PREVENT_BY and a.amount >= 0))):
                lead(("a", i), "v", (a.amount,))
        for i, d in enumerate(items["t"]):
            lead(("t", i), "fw", (d["filter"], d["divided"]))
        for i, d in enumerate(items["O"]):
            lead_all(("O", i), "C", d["costs"])
        for i, d in enumerate(items["y"]):
            lead(("y", i), "wFa", (d["condition"], d["face"], d["spell"]))
            lead_all(("y", i), "C", d["costs"])
        for i, d in enumerate(items["F"]):
            lead(("F", i), "aF", (d["spell"], d["other"]))
            for key, kind in (("abilities", "a"), ("costs", "C"), ("optional", "O"), ("ways", "y")):
                lead_all(("F", i), kind, d[key])
        return links

    def _span(self, d, key, kind, what):
        return span(d[key], self.sizes[kind], f"{self.name}: {key} of {what}")

    def _program(self, pc, what):
        if not -1 <= pc < self.t.n_code or (pc >= 0 and pc % WORDS):
            raise ValueError(f"{self.name}: program of {what} leads outside the code")
        return pc

    def _abilities(self, list abilities):
        cdef Ability *a
        for i, d in enumerate(abilities):
            a = <Ability *>&self.t.abilities[i]
            what = f"ability {i}"
            a.kind = d["kind"]
            if not 0 <= a.kind < N_AB:
                raise ValueError(f"{self.name}: no such kind of {what}")
            a.cost_flags = d["cost_flags"]
            a.cost = packed(d["pips"], d["generic"], d["snow"])
            a.n_x = d["n_x"]
            a.hybrid, a.n_hybrid = self._span(d, "hybrid", "hybrid", what)
            a.first_target, a.n_targets = self._span(d, "targets", "target", what)
            a.first_cost, a.n_costs = self._span(d, "costs", "cost", what)
            a.first_mode, a.n_modes = self._span(d, "modes", "a", what)
            a.least_modes, a.most_modes = d["least_modes"], d["most_modes"]
            a.first_change, a.n_changes = self._span(d, "changes", "c", what)
            a.program = self._program(d["program"], what)
            for key, kind in (("condition", "w"), ("filter", "o"), ("other", "o"), ("player", "o")):
                self._operand(kind, d[key], f"{key} of {what}")
            a.condition, a.filter, a.other, a.player = d["condition"], d["filter"], d["other"], d["player"]
            a.amount, a.reads, a.layers = d["amount"], d["reads"], d["layers"]
            a.affects = d["affects"]
            a.zones, a.zone_from, a.zone_to = d["zones"], d["zone_from"], d["zone_to"]
            a.event, a.step, a.flags, a.timing, a.own = d["event"], d["step"], d["flags"], d["timing"], d["own"]
            a.mana_mask = d["mana_mask"]
            a.mana_amount = d["mana_amount"]
            self._ability(a, d, i)

    cdef void _ability(self, const Ability *a, object d, object i) except *:
        if a.kind == AB_MANA and (a.mana_mask == 0 or a.mana_mask > 63
                                  or (a.program < 0 and not 0 < a.mana_amount < 100)):
            raise ValueError(f"{self.name}: mana ability {i} makes no mana")
        if a.kind == AB_MANA and a.program < 0 and (
                a.cost_flags != CO_TAP or a.cost.hi or a.n_x or a.n_costs or a.condition >= 0
                or (a.mana_amount > 1 and a.mana_mask & (a.mana_mask - 1))):
            raise ValueError(f"{self.name}: mana ability {i} costs or makes more than a plain one, and has no program")
        if a.kind == AB_MANA and a.n_targets:
            raise ValueError(f"{self.name}: mana ability {i} has targets (CR 605.1a)")
        if a.kind == AB_TRIGGERED and (a.flags & TF_CHAPTER) and (
                a.event != EV_COUNTERS_PUT or not 0 < a.amount < 1 << 16):
            raise ValueError(f"{self.name}: ability {i} is of no chapter")
        if a.kind == AB_TRIGGERED and a.flags & TF_AGAIN:
            self.t.again = 1
        if a.kind == AB_TRIGGERED and not 0 < a.event < N_EV:
            raise ValueError(f"{self.name}: ability {i} triggers on no event")
        if a.kind == AB_REPLACEMENT and not 0 <= a.event < N_RP:
            raise ValueError(f"{self.name}: ability {i} replaces nothing")
        if a.kind == AB_REPLACEMENT and a.event == RP_COPY:
            self._copying(&self.t.changes[a.first_change], a.n_changes, a.own, i)
        if a.kind in (AB_REPLACEMENT, AB_OPENING) and a.n_targets:
            raise ValueError(f"{self.name}: ability {i} has targets, but never is on the stack")
        if a.kind == AB_OPENING and a.program < 0:
            raise ValueError(f"{self.name}: ability {i} does nothing")
        if a.kind == AB_REPLACEMENT and a.event in (RP_PREVENT_TO, RP_PREVENT_BY):
            self._operand("w", a.amount, f"number of ability {i}")
        elif a.kind == AB_REPLACEMENT and (a.event in (RP_DIES_EXILE, RP_GRAVEYARD_EXILE) and a.step in (
                Z_BATTLEFIELD, Z_STACK) or a.step >= N_Z and a.event != RP_COUNTERS):
            raise ValueError(f"{self.name}: ability {i} sends where nothing goes")
        elif a.kind == AB_REPLACEMENT and a.event == RP_DRAW and a.step == 3 and a.program < 0:
            raise ValueError(f"{self.name}: ability {i} replaces a draw with nothing")
        if a.kind == AB_REPLACEMENT and (RP_COUNTERS <= a.event <= RP_LIFE_LOSS or a.event >= RP_DRAWS):
            self._inside(a.amount, "v", f"number of ability {i}")
        if a.kind == AB_REPLACEMENT and (a.step > 3 and a.event not in (RP_COUNTERS, RP_DIES_EXILE, RP_GRAVEYARD_EXILE)
                                         or not -1 <= a.amount <= 0x7FFFFFFF):
            raise ValueError(f"{self.name}: ability {i} replaces with what can't be")
        if a.kind == AB_REPLACEMENT and (RP_COUNTERS <= a.event <= RP_REDIRECT or a.event >= RP_DRAWS):
            return  # of objects, players or both; it has no modes
        if a.kind == AB_RULE:
            if not (0 <= a.event < N_RU and 0 <= a.step < N_RW):
                raise ValueError(f"{self.name}: ability {i} says no rule")
            if a.event == RU_ATTACK_TAX:
                self._operand("v", d["amount"], f"tax of ability {i}")
        if a.kind == AB_REPLACEMENT and a.event == RP_PREVENT_TO and a.player >= 0:
            return
        if a.kind in (AB_STATIC, AB_REPLACEMENT, AB_PROTECTION, AB_HEXPROOF_FROM, AB_LANDWALK, AB_EVASION,
                      AB_RULE, AB_ENCHANT) and a.filter < 0:
            raise ValueError(f"{self.name}: ability {i} affects nothing")
        if a.kind == AB_CASTING:
            self.t.way_reads = (1 << N_RD) - 1
            if not 0 <= a.event < N_CA or a.filter < 0:
                raise ValueError(f"{self.name}: ability {i} is about no casting")
            if a.event == CA_PERMIT or a.event in (CA_LESS, CA_MORE, CA_LEAST, CA_TAPPED):
                self._inside(a.amount, "y" if a.event == CA_PERMIT else "v", f"way or number of ability {i}")
        if a.kind == AB_SPELL and a.n_modes and a.flags & MD_COSTS and (
                a.least_modes > 1 or a.most_modes > 14 or a.n_costs > 4 or a.n_hybrid or a.n_x):
            raise ValueError(f"{self.name}: ability {i} has modes whose costs can't be told apart")
        if a.n_modes and not 0 <= a.least_modes <= a.most_modes <= a.n_modes:
            raise ValueError(f"{self.name}: ability {i} chooses {a.least_modes} to {a.most_modes} of {a.n_modes} modes")

    cdef void _copying(self, const Node *way, int n, int own, object i) except *:
        if (n != 1 or own != 1 or way.op != EN_COPY or not 0 <= way.a < self.t.n_filters or not 0 < way.c >> 8 < N_Z
                or way.b < 0 or way.b + (way.c & 0xFF) > self.t.n_changes):
            raise ValueError(f"{self.name}: ability {i} copies nothing")

    def _optional(self, list optional):
        cdef OptionalCost *o
        for i, d in enumerate(optional):
            o = <OptionalCost *>&self.t.optional[i]
            o.cost = packed(d["pips"], d["generic"], d["snow"])
            o.first_cost, o.n_costs = self._span(d, "costs", "cost", f"optional cost {i}")
            o.several, o.kicker, o.returns = bool(d["several"]), bool(d["kicker"]), bool(d["returns"])
            o.promise = bool(d["promise"])
            if d["hybrid"][1]:
                raise ValueError(f"{self.name}: optional cost {i} has hybrid symbols, which are not supported there")

    def _ways(self, list ways):
        cdef Way *w
        for i, d in enumerate(ways):
            w = <Way *>&self.t.ways[i]
            what = f"way {i}"
            w.cost = packed(d["pips"], d["generic"], d["snow"])
            w.n_x = d["n_x"]
            w.hybrid, w.n_hybrid = self._span(d, "hybrid", "hybrid", what)
            w.first_cost, w.n_costs = self._span(d, "costs", "cost", what)
            self._operand("w", d["condition"], f"condition of {what}")
            w.condition = d["condition"]
            if w.condition >= 0:
                self.t.way_reads = (1 << N_RD) - 1
            for key, kind in (("face", "F"), ("spell", "a")):
                if d[key] != NONE16:
                    self._inside(d[key], kind, f"{key} of {what}")
            w.face, w.spell = d["face"], d["spell"]
            w.zones, w.flags, w.kind = d["zones"], d["flags"], d["kind"]
            if not 0 <= w.kind < N_W or w.flags >> N_WF or w.zones >> N_Z:
                raise ValueError(f"{self.name}: {what} is of no kind")
            if w.zones & (1 << Z_STACK | 1 << Z_BATTLEFIELD | 1 << Z_NONE):
                raise ValueError(f"{self.name}: {what} casts from where nothing is cast")

    def _targets(self, list targets):
        cdef TargetSpec *t
        for i, d in enumerate(targets):
            t = <TargetSpec *>&self.t.targets[i]
            self._inside(d["filter"], "f", f"target {i}")
            if d["objects"] and not 0 < d["zone"] < N_Z:
                raise ValueError(f"{self.name}: zone of target {i} is none")
            t.filter = d["filter"]
            t.players = bool(d["players"])
            t.objects = bool(d["objects"])
            t.zone = d["zone"]
            t.least, t.most, t.x = d["least"], d["most"], bool(d["x"])
            t.divided = d["divided"]
            self._operand("w", t.divided, f"target {i}")
            t.related = self._about_targets(d["filter"])
            t.anybody = self._anybody(t.filter)
            if t.most == 0 or t.least > t.most:
                raise ValueError(f"{self.name}: target {i} is chosen {t.least} to {t.most} times")

    def _activated(self, int ability):
        """What decides whether and how it is activated, at a glance."""
        cdef Ability *a = <Ability *>&self.t.abilities[ability]
        cdef bint x = False
        cdef int k
        for k in range(a.n_costs):
            x |= self.t.costs[a.first_cost + k].op == CP_REMOVE_COUNTERS and self.t.costs[a.first_cost + k].b < 0
        a.alone = a.kind == AB_ACTIVATED or (a.kind == AB_MANA and a.flags & MA_APART != 0)
        a.odd = a.kind != AB_ACTIVATED or a.n_hybrid != 0 or a.cost_flags & CO_SOME_X != 0
        a.flat = a.kind != AB_TURN_UP and (a.n_x | a.n_hybrid | a.n_modes) == 0 and not x

    def _sure(self, int ability):
        """It asks for nothing but its costs: targets exist in every game, whatever is on the battlefield."""
        cdef const Ability *a = &self.t.abilities[ability]
        cdef const TargetSpec *t
        cdef int k
        if a.n_modes or a.condition >= 0:
            return False
        for k in range(a.n_targets):
            t = &self.t.targets[a.first_target + k]
            if not t.players or t.least > 1 or t.x or not t.anybody:
                return False
        return True

    def _anybody(self, int filter_):
        """The filter passes every player."""
        cdef const Node *n = &self.t.filters[filter_]
        if n.op == FT_OR:
            return self._anybody(n.a) or self._anybody(n.b)
        return n.op in (FT_PLAYER, FT_ALL)

    def _asks_x(self, int filter_):
        """Some number of the filter is worked out from X."""
        cdef const Node *n = &self.t.filters[filter_]
        if n.op in (FT_AND, FT_OR):
            return self._asks_x(n.a) or self._asks_x(n.b)
        if n.op == FT_NOT:
            return self._asks_x(n.a)
        return n.op == FT_COMPARE and (self._is_x(n.b) or self._is_x(n.c))

    def _is_x(self, int value_):
        cdef const Node *n = &self.t.values[value_]
        if n.op in (V_ADD, V_SUB, V_MUL, V_MIN, V_MAX):
            return self._is_x(n.a) or self._is_x(n.b)
        return n.op == V_X

    def _restless(self, int filter_):
        """The filter asks about more than computed values of the object: those are looked at when they change."""
        cdef const Node *n = &self.t.filters[filter_]
        if n.op in (FT_AND, FT_OR):
            return self._restless(n.a) or self._restless(n.b)
        if n.op == FT_NOT:
            return self._restless(n.a)
        return n.op not in (FT_TYPES_ANY, FT_TYPES_NONE, FT_COLORS_ANY, FT_COLORS_NONE, FT_KEYWORDS_ALL,
                            FT_KEYWORDS_NONE, FT_YOURS, FT_OPPONENTS, FT_TOKEN, FT_ZONE, FT_SUBTYPE, FT_ALL, FT_OWNED)

    def _about_targets(self, int filter_):
        """The filter asks about targets: of the same spell or ability."""
        cdef const Node *n = &self.t.filters[filter_]
        op = n.op
        if op == FT_OTHER_TARGET:
            return True
        if op in (FT_AND, FT_OR):
            return self._about_targets(n.a) or self._about_targets(n.b)
        if op == FT_NOT:
            return self._about_targets(n.a)
        if FILTER_OPERANDS.get(op) == "r":
            n = &self.t.refs[n.a]
            while n.op in (R_CONTROLLER_OF, R_OWNER_OF, R_ATTACHED_TO, R_BLOCKERS_OF):
                n = &self.t.refs[n.a]
            return n.op in (R_TARGET, R_TARGETS, R_ALL_TARGETS)
        return False

    def _programs(self, list code):
        """Operands of the instructions lead into their lists, and every program ends."""
        if len(code) % WORDS:
            raise ValueError(f"{self.name}: code is not made of instructions of {WORDS} words")
        if code and code[len(code) - WORDS] != E_END:
            raise ValueError(f"{self.name}: the last program has no end")
        for pc in range(0, len(code), WORDS):
            op = code[pc]
            if op == E_COPY_SPELL:
                self.t.copies = 1
            if op not in OPERANDS:
                raise ValueError(f"{self.name}: no such instruction {op} at {pc}")
            for k, kind in enumerate(OPERANDS[op]):
                word = code[pc + 1 + k]
                what = f"operand {k + 1} of the instruction at {pc}"
                self._operand(kind, word, what)
                if ((kind in "zm" and word == 0) or (kind == "m" and word & (word - 1))
                        or (kind == "p" and word % WORDS)):
                    raise ValueError(f"{self.name}: {what} leads outside its list")
            if op == E_ENTERS_WITH and code[pc + WORDS] not in (E_MOVE, E_TOKEN, E_COPY_TOKEN, E_PUT_FACE_DOWN):
                raise ValueError(f"{self.name}: the instruction at {pc} is about one that puts something onto the "
                                 "battlefield")
            if "X" in OPERANDS[op]:
                k = pc + 1 + OPERANDS[op].index("X")
                if code[k] < 0 or not 0 <= code[k + 1] < 256 or code[k] + code[k + 1] > self.sizes["c"]:
                    raise ValueError(f"{self.name}: exceptions of the instruction at {pc} lead outside their list")
            if op in (E_APPLY, E_APPLY_PLAYERS) and not 0 < code[pc + 2] + code[pc + 3] <= self.sizes["c"]:
                raise ValueError(f"{self.name}: changes of the instruction at {pc} lead outside their list")

    def _quick(self, list faces, int way):
        """What is cast in this way is another face, which can be cast at instant speed."""
        if self.t.ways[way].face == NONE16:
            return False
        d = faces[self.t.ways[way].face]
        return bool(d["types"] & T_INSTANT or d["keywords"] & K_FLASH)

    def _faces(self, list faces, list abilities):
        cdef Face *f
        cdef const Ability *s
        cdef int sub = 0
        cdef uint16_t *subtypes = <uint16_t *>self.t.subtypes
        for i, d in enumerate(faces):
            f = <Face *>&self.t.faces[i]
            what = d["name"]
            f.cost = packed(d["pips"], d["generic"], d["snow"])
            f.n_x = d["n_x"]
            f.hybrid, f.n_hybrid = self._span(d, "hybrid", "hybrid", what)
            f.mv = <uint8_t>((f.cost.hi >> 32) & 0xFFFF)
            for k in range(f.n_hybrid):
                f.mv += 2 if self.t.hybrids[f.hybrid + k] & 0x40 else 1  # CR 202.3f
            f.types = d["types"]
            f.colors = d["colors"]
            f.power = d["power"]
            f.toughness = d["toughness"]
            f.keywords = d["keywords"]
            self.t.keywords |= f.keywords
            f.name_hash = name_hash(d["name"])
            f.spell = d["spell"]
            if f.spell != NONE16:
                self._inside(f.spell, "a", f"spell ability of {what}")
                s = &self.t.abilities[f.spell]
                f.first_target, f.n_targets = s.first_target, s.n_targets
                if s.n_modes:
                    f.flags |= FACE_MODAL | FACE_ANNOUNCE
                for k in range(s.n_targets):
                    if self.t.targets[s.first_target + k].least != 1 or self.t.targets[s.first_target + k].most != 1:
                        f.flags |= FACE_ANNOUNCE
                    if self._asks_x(self.t.targets[s.first_target + k].filter) or self.t.targets[s.first_target + k].x:
                        f.flags |= FACE_X_TARGETS | FACE_ANNOUNCE
                if s.sure and s.n_targets:
                    f.flags |= FACE_SURE
            f.first_cost, f.n_costs = self._span(d, "costs", "cost", what)
            f.first_optional, f.n_optional = self._span(d, "optional", "optional", what)
            f.first_way, f.n_ways = self._span(d, "ways", "y", what)
            if f.n_ways >= 32:
                raise ValueError(f"{self.name}: {what} can be cast in {f.n_ways} further ways; at most 31")
            for k in range(f.n_ways):
                # A card that could be cast there counts among those that act there; from a library only during a
                # search.
                zones = self.t.ways[f.first_way + k].zones & ~(1 << Z_HAND | 1 << Z_LIBRARY)
                if self.t.ways[f.first_way + k].flags & WF_INSTANT or self._quick(faces, f.first_way + k):
                    zones |= self.t.ways[f.first_way + k].zones
                f.act_zones |= <uint16_t>zones
            if f.n_costs or f.n_optional or f.n_hybrid or f.keywords & (K_CONVOKE | K_DELVE | K_IMPROVISE):
                f.flags |= FACE_ANNOUNCE
            f.first_ability, f.n_abilities = self._span(d, "abilities", "a", what)
            f.n_first = f.n_abilities
            f.number = i
            if f.n_abilities > MOST_ABILITIES:
                raise ValueError(f"{self.name}: {what} has {f.n_abilities} abilities; at most {MOST_ABILITIES}")
            f.first_subtype = sub
            f.n_subtypes = f.n_first_subtypes = len(d["subtypes"])
            for s_ in d["subtypes"]:
                if not 0 <= s_ < len(self.subtype_names):
                    raise ValueError(f"{self.name}: subtype {s_} of {what} has no name")
                subtypes[sub] = s_
                sub += 1
                if self.subtype_names[s_] == "Aura":
                    f.flags |= FACE_AURA
                elif self.subtype_names[s_] == "Equipment":
                    f.flags |= FACE_EQUIPMENT
                    f.hosts |= T_CREATURE
                elif self.subtype_names[s_] == "Fortification":
                    f.hosts |= T_LAND
            f.layout, f.back, f.other = d["layout"], bool(d["back"]), d["other"]
            if f.other != NONE16:
                self._inside(f.other, "F", f"other face of {what}")
            if (f.layout == LO_NORMAL) != (f.other == NONE16) or not 0 <= d["layout"] < N_LO:
                raise ValueError(f"{self.name}: {what} is a face of a card without others")
            if d["token"]:
                f.flags |= FACE_TOKEN
            f.sort = d["sort"]
            if d["has_cost"]:
                f.flags |= FACE_HAS_COST
            if d.get("asks_spent"):
                f.flags |= FACE_SPENT
            if f.flags & FACE_AURA and f.n_targets and self._restless(self.t.targets[f.first_target].filter):
                f.flags |= FACE_RESTLESS
            if f.flags & FACE_AURA and f.n_targets and (self.t.targets[f.first_target].zone != Z_BATTLEFIELD
                                                        or self.t.targets[f.first_target].players):
                f.flags |= FACE_RESTLESS  # nobody tells of what is no permanent
            if f.flags & FACE_AURA and f.n_targets != 1:
                raise ValueError(f"{self.name}: {what} is an Aura that enchants nothing")
            for k in range(f.n_abilities):
                face_ability(f, &self.t.abilities[f.first_ability + k], k, self.t.filters)
                f.replaces |= replaces_given(&self.t, &self.t.abilities[f.first_ability + k])
            if f.flags & FACE_HAS_COST and not f.flags & FACE_ANNOUNCE and (f.n_targets == 0 or f.flags & FACE_SURE):
                f.flags |= FACE_EASY
            face_summary(f)
        for i in range(self.t.n_faces):
            f = <Face *>&self.t.faces[i]
            if f.layout == LO_TRANSFORMING and f.back:
                f.mv = self.t.faces[f.other].mv  # CR 202.3b
            # (The whole of a split card names its left half, that the right one, and that the whole.)
            if f.other != NONE16 and self.t.faces[
                    self.t.faces[f.other].other if f.layout == LO_SPLIT else f.other].other != i:
                raise ValueError(f"{self.name}: face {i} is not the other face of its other face")

    def _survey(self, Py_ssize_t n_targets):
        """What any of the cards may do (UseBit)."""
        cdef const Ability *a
        cdef const Face *f
        if self.t.n_ways:
            self.t.uses |= USE_CASTING
        for i in range(self.t.n_abilities):
            a = &self.t.abilities[i]
            # Keywords that stand for abilities, whoever has them.
            if a.kind == AB_PROTECTION or a.kind == AB_HEXPROOF_FROM:
                self.t.keywords |= K_PROTECTION
            elif a.kind == AB_EVASION:
                self.t.keywords |= K_EVASION
            if (a.kind == AB_CASTING or (a.kind == AB_TRIGGERED and a.flags & TF_MANA)
                    or (a.kind == AB_MANA and a.program >= 0) or acts_given(&self.t, a)):
                self.t.uses |= USE_CASTING
            if (a.kind == AB_RULE and a.event == RU_SKIP) or (a.kind == AB_TRIGGERED and a.event == EV_STATE):
                self.t.uses |= USE_STEPS
        for i in range(self.t.n_faces):
            f = &self.t.faces[i]
            if f.casting or f.casts_itself or f.n_ways or f.flags & FACE_OTHER_COST:
                self.t.uses |= USE_CASTING
        for i in range(n_targets):
            if self.t.targets[i].divided >= 0:
                self.t.uses |= USE_DIVIDING
        for i in range(self.t.n_refs):
            if self.t.refs[i].op == R_ATTACHED_TO:
                self.t.uses |= USE_HOSTS
        for i in range(self.t.n_filters):
            if self.t.filters[i].op == FT_ENCHANTED or self.t.filters[i].op == FT_EQUIPPED:
                self.t.uses |= USE_HOSTS
        for pc in range(0, self.t.n_code, WORDS):
            if self.t.code[pc] in (E_PERMIT, E_CAST, E_MANA, E_ADD_MANA):
                self.t.uses |= USE_CASTING
            elif self.t.code[pc] == E_SKIP:
                self.t.uses |= USE_STEPS

    @property
    def hash(self):
        """64-bit hash of the table's content."""
        return self.t.hash

    @property
    def uses(self):
        """What any of the cards may do, as UseBit."""
        return self.t.uses

    @property
    def n_faces(self):
        """Number of faces."""
        return self.t.n_faces

    def __len__(self):
        return self.t.n_faces
