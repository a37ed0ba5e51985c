"""Card tables: built once from plain lists, then immutable and shared by all games and threads."""
from libc.stdint cimport int32_t, uint16_t, uint64_t, uint8_t, uintptr_t
from libc.stdlib cimport calloc, free

import hashlib

from lkicore._opcodes cimport *
from lkicore._types cimport (ASKS_HOST, ASKS_STEP, Ability, Face, FACE_ACTS, FACE_ANNOUNCE, FACE_AURA, FACE_EASY,
                             FACE_ENTERS, FACE_EQUIPMENT, FACE_HAS_COST, FACE_INSTANT_SPEED, FACE_MODAL, FACE_PERMANENT,
                             FACE_PLAIN, FACE_RESTLESS, FACE_STATIC, FACE_SURE, FACE_TOKEN, FACE_X_TARGETS,
                             MOST_ABILITIES, Mana, NONE16, Node, OptionalCost, TargetSpec, WORDS)

cdef enum:
    LINE = 64   # bytes of a cache line


cdef Mana packed(object pips, int generic) except *:
    """Mana cost as lanes: W U B R | G C total extra."""
    cdef Mana m
    cdef uint64_t w, u, b, r, g, c
    w, u, b, r, g, c = pips
    total = w + u + b + r + g + c + generic
    if max(w, u, b, r, g, c, total) > 1000 or generic < 0:
        raise ValueError(f"mana cost out of range: {pips}, {generic}")
    m.lo = w | (u << 16) | (b << 32) | (r << 48)
    m.hi = g | (c << 16) | (total << 32)
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
#: optional value, F face, z zone, k counter kind, m mask of one colour, c first change (the next word says how many),
#: d duration, p place in the code, a ability, x a number without a list.
OPERANDS = {
    E_END: "", E_DAMAGE: "rrv", E_DESTROY: "rx", E_EXILE: "rx", E_RETURN: "rx", E_DRAW: "rv", E_DISCARD: "rvox",
    E_GAIN_LIFE: "rv", E_LOSE_LIFE: "rv", E_APPLY: "rcxvvd", E_TAP: "r", E_UNTAP: "r", E_COUNTERS: "rkv",
    E_FIGHT: "rr",
    E_TOKEN: "rvFx", E_MANA: "mv", E_SEARCH_LAND: "rfzxv", E_COUNTER: "rx", E_MILL: "rvx", E_REMOVE_COUNTERS: "rkv",
    E_SACRIFICE: "rx", E_EDICT: "rvf", E_MOVE: "rzxn", E_JUMP: "p", E_UNLESS: "vp", E_MAY: "rp", E_PAY: "rapw",
    E_PICK: "rfvvzx", E_PICK_PLAYER: "rf", E_PICK_COLOR: "r", E_REGENERATE: "r", E_PREVENT: "nwdx", E_DELAY: "and",
    E_REFLEXIVE: "a", E_ATTACH: "rr", E_SCRY: "rv", E_SURVEIL: "rv", E_SHUFFLE: "r", E_PLAYER_COUNTERS: "rkv",
    E_EXILE_INSTEAD: "rd", E_EXILE_UNTIL: "r", E_DIG: "rvvfzzx", E_EXTRA_TURN: "r", E_LINK: "rx",
    E_REMOVE_FROM_COMBAT: "r", E_LOSE_GAME: "r", E_COPY_TOKEN: "rvrx",
}
#: Operands of nodes, in the same letters; 0 an earlier node of the same list.
VALUE_OPERANDS = {
    V_POWER: "r", V_TOUGHNESS: "r", V_MANA_VALUE: "r", V_COUNT: "f", V_HAND_SIZE: "r", V_LIFE: "r", V_ADD: "00",
    V_SUB: "00", V_MUL: "00", V_MIN: "00", V_MAX: "00", V_COUNTERS: "rk", V_DAMAGE: "r", V_NUMBER_OF: "r",
    V_HALF_UP: "0", V_HALF_DOWN: "0", V_COUNT_ZONE: "fzr", V_HAPPENED: "xno", V_GREATEST_POWER: "f", V_COLORS: "r",
    V_LIBRARY_SIZE: "r", V_GRAVEYARD_SIZE: "r", V_AT_LEAST: "00", V_EQUAL: "00", V_BOTH: "00", V_EITHER: "00",
    V_NOT: "0", V_MATCHES: "rf", V_EXISTS: "f", V_ON_BATTLEFIELD: "r",
}
FILTER_OPERANDS = {
    FT_SUBTYPE: "s", FT_AND: "00", FT_OR: "00", FT_NOT: "0", FT_CONTROLLED_BY: "r", FT_OWNED_BY: "r", FT_IS: "r",
    FT_COUNTERS: "kx",
    FT_NAMED: "F", FT_SAME_NAME: "r", FT_COMPARE: "xvv", FT_TARGETS: "f", FT_SHARES_COLOR: "r", FT_PLAYER_IS: "r",
    FT_SAME_CONTROLLER: "r", FT_SHARES_SUBTYPE: "r",
}
CHANGE_OPERANDS = {X_CDA_PT: "ww", X_SET_PT: "ww", X_ADD_PT: "ww", X_ADD_ABILITY: "a", X_ADD_CHOSEN_ABILITY: "a"}
REF_OPERANDS = {R_EACH: "f", R_CONTROLLER_OF: "0", R_OWNER_OF: "0", R_BLOCKERS_OF: "0", R_ATTACHED_TO: "0f"}


cdef bint about_itself(const Node *filters, int filter) noexcept nogil:
    """Nothing but the source passes the filter."""
    cdef const Node *n
    if filter < 0:
        return False
    n = &filters[filter]
    while n.op == FT_AND:
        if filters[n.a].op == FT_SOURCE:
            return True
        n = &filters[n.b]
    return n.op == FT_SOURCE


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
                  list costs=None, list changes=None, list optional=None, list hybrids=None, list subtypes=None,
                  list creature_types=None, list counter_names=None, str name="cards"):
        cdef Py_ssize_t n_sub = sum([len(f["subtypes"]) for f in faces])
        cdef size_t need
        cdef char *p
        costs, changes, optional, hybrids = costs or [], changes or [], optional or [], hybrids or []
        subtypes, creature_types, counter_names = subtypes or [], creature_types or [], counter_names or []
        need = (len(faces) * sizeof(Face) + len(abilities) * sizeof(Ability) + len(targets) * sizeof(TargetSpec)
                + (len(values) + len(filters) + len(refs) + len(costs) + len(changes)) * sizeof(Node)
                + len(optional) * sizeof(OptionalCost) + len(code) * 4 + n_sub * 2 + len(hybrids) + len(subtypes)
                + LINE + 64)
        if not 0 < len(faces) < 0xC000:
            raise ValueError(f"{name}: {len(faces)} faces; 1 to 49151 are possible")
        if len(abilities) >= NONE16 or len(changes) >= NONE16 or len(costs) >= NONE16:
            raise ValueError(f"{name}: more abilities, changes or costs than 16 bits number")
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
        self.t.hybrids = <const uint8_t *>p
        p += len(hybrids)
        self.t.creature_types = <const uint8_t *>p
        self.t.n_faces = len(faces)
        self.t.n_code = len(code)
        self.t.n_abilities = len(abilities)
        self.t.n_values, self.t.n_filters, self.t.n_refs = len(values), len(filters), len(refs)
        self.t.n_changes, self.t.n_costs = len(changes), len(costs)
        self.t.n_subtypes = len(subtypes)
        self.t.n_counters = N_CK + len(counter_names)
        self.sizes = {"r": len(refs), "v": len(values), "f": len(filters), "F": len(faces), "z": N_Z, "m": 64,
                      "k": N_CK + len(counter_names), "c": len(changes), "d": N_D, "p": len(code),
                      "a": len(abilities), "cost": len(costs), "target": len(targets), "optional": len(optional),
                      "hybrid": len(hybrids), "s": len(subtypes)}
        for i, mask in enumerate(hybrids):
            if not 0 < mask < 256:
                raise ValueError(f"{name}: hybrid symbol {i} is {mask}")
            (<uint8_t *>self.t.hybrids)[i] = mask
        for i, creature in enumerate(creature_types):
            (<uint8_t *>self.t.creature_types)[i] = bool(creature)
        self._nodes("value", <Node *>self.t.values, values, N_V, VALUE_OPERANDS)
        self._nodes("filter", <Node *>self.t.filters, filters, N_FT, FILTER_OPERANDS)
        self._nodes("reference", <Node *>self.t.refs, refs, N_R, REF_OPERANDS)
        self._nodes("cost", <Node *>self.t.costs, costs, N_CP, {})
        self._nodes("change", <Node *>self.t.changes, changes, N_X, {})
        self._parts(costs, changes)
        self._abilities(abilities)
        self._optional(optional)
        self._targets(targets)
        for i in range(self.t.n_abilities):
            (<Ability *>self.t.abilities)[i].sure = self._sure(i)
        for i, w in enumerate(code):
            (<int32_t *>self.t.code)[i] = w
        self._programs(code)
        self._faces(faces, abilities)
        self._history(faces, abilities, targets, code, {
            "v": (values, VALUE_OPERANDS), "f": (filters, FILTER_OPERANDS), "r": (refs, REF_OPERANDS),
            "c": (changes, CHANGE_OPERANDS)})
        digest = hashlib.blake2b(repr((faces, abilities, targets, values, filters, refs, costs, changes, optional,
                                       hybrids, code, subtypes, creature_types, counter_names)).encode(),
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
        if kind == "x" or (kind in "onw" and x == -1):
            return
        self._inside(x, {"o": "f", "n": "r", "w": "v"}.get(kind, kind), what)

    def _parts(self, list costs, list changes):
        """Nodes of costs and changes lead into the other lists."""
        kinds = {CP_LIFE: "v", CP_SACRIFICE: "fx", CP_DISCARD: "fx", CP_EXILE_GRAVEYARD: "fx", CP_REMOVE_COUNTERS: "kx",
                 CP_TAP_CREATURES: "fx", CP_RETURN: "fx", CP_PUT_COUNTERS: "kx", CP_REVEAL: "fx"}
        for i, (op, a, b, c) in enumerate(costs):
            for kind, x in zip(kinds.get(op, ""), (a, b)):
                self._operand(kind, x, f"cost {i}")
                if kind == "x" and not 0 < x < 256:
                    raise ValueError(f"{self.name}: cost {i} asks for {x}")
        for i, (op, a, b, c) in enumerate(changes):
            if op in (X_CDA_PT, X_SET_PT, X_ADD_PT):
                for x in (a, b):
                    if x not in (-1, -2):
                        self._inside(x, "v", f"change {i}")
            elif op in (X_ADD_SUBTYPE, X_SET_SUBTYPE):
                self._inside(a, "s", f"change {i}")
            elif op in (X_ADD_ABILITY, X_ADD_CHOSEN_ABILITY):
                self._inside(a + (4 if op == X_ADD_CHOSEN_ABILITY else 0), "a", f"change {i}")

    def _history(self, list faces, list abilities, list targets, list code, dict nodes):
        """Kinds of events that each face, or what it creates, may ask about (CR 608.2i): found along all operands,
        again until nothing is added, as lists refer to each other."""
        asked = {kind: [0] * len(rows) for kind, (rows, _) in nodes.items()}
        for i, (op, a, b, c) in enumerate(nodes["v"][0]):
            if op == V_HAPPENED:
                if not 0 <= a < N_H:
                    raise ValueError(f"{self.name}: no such kind of event {a}")
                asked["v"][i] = 1 << a
            elif op == V_STEP_IS:
                asked["v"][i] = ASKS_STEP
            elif op in (V_WAS_CAST, V_KICKED):
                self.t.asks_cast = 1
        for i, (op, a, b, c) in enumerate(nodes["f"][0]):
            if op == FT_KICKED:
                self.t.asks_cast = 1
            elif op == FT_ATTACKED_NOW:
                asked["f"][i] = H_ATTACKED
            elif op == FT_ENTERED_NOW:
                asked["f"][i] = H_ENTERED
        asked |= {"a": [0] * len(abilities), "p": {},
                  "F": [ASKS_HOST if self.t.faces[i].flags & FACE_RESTLESS else 0 for i in range(len(faces))]}
        more = True
        while more:
            before = [list(v) for v in asked.values() if isinstance(v, list)]
            self._ask_again(faces, abilities, targets, code, nodes, asked)
            more = before != [v for v in asked.values() if isinstance(v, list)]
        for i in range(len(faces)):
            (<Face *>&self.t.faces[i]).history = asked["F"][i]

    def _ask_again(self, list faces, list abilities, list targets, list code, dict nodes, dict asked):
        def of(kind, x):
            kind = {"o": "f", "w": "v", "n": "r"}.get(kind, kind)
            return asked[kind][x] if kind in "vfraFc" and x >= 0 else 0

        for kind, (rows, operands) in nodes.items():
            for i, (op, *args) in enumerate(rows):
                for letter, x in zip(operands.get(op, ""), args):
                    asked[kind][i] |= of(kind if letter == "0" else letter, x)
        programs = asked["p"]
        mask = start = 0
        for pc in range(0, len(code), WORDS):
            for letter, x in zip(OPERANDS[code[pc]], code[pc + 1:pc + WORDS]):
                mask |= of(letter, x)
            if code[pc] == E_APPLY:
                for k in range(code[pc + 3]):
                    mask |= of("c", code[pc + 2] + k)
            if code[pc] == E_END:
                programs[start] = mask
                mask, start = 0, pc + WORDS
        for i, d in enumerate(abilities):
            mask = asked["a"][i] | programs.get(d["program"], 0) | of("v", d["condition"])
            if d["kind"] == AB_ACTIVATED and d["timing"] & (TM_SORCERY | TM_UPKEEP | TM_COMBAT):
                mask |= ASKS_STEP
            for key in ("filter", "other", "player"):
                mask |= of("f", d[key])
            for key, kind in (("changes", "c"), ("modes", "a")):
                for k in range(d[key][0], d[key][0] + d[key][1]):
                    mask |= of(kind, k)
            for k in range(d["targets"][0], d["targets"][0] + d["targets"][1]):
                mask |= of("f", targets[k]["filter"])
            asked["a"][i] = mask
        for i, d in enumerate(faces):
            if d["spell"] != NONE16:
                asked["F"][i] |= of("a", d["spell"])
            for k in range(d["abilities"][0], d["abilities"][0] + d["abilities"][1]):
                asked["F"][i] |= of("a", k)

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
            a.cost = packed(d["pips"], d["generic"])
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
            a.zones, a.zone_from, a.zone_to = d["zones"], d["zone_from"], d["zone_to"]
            a.event, a.step, a.flags, a.timing, a.own = d["event"], d["step"], d["flags"], d["timing"], d["own"]
            a.mana_mask = d["mana_mask"]
            a.mana_amount = d["mana_amount"]
            self._ability(a, d, i)

    cdef void _ability(self, const Ability *a, object d, object i) except *:
        if a.kind == AB_MANA and (a.mana_mask == 0 or a.mana_mask > 63 or not 0 < a.mana_amount < 100):
            raise ValueError(f"{self.name}: mana ability {i} makes no mana")
        if a.kind == AB_MANA and (a.cost_flags != CO_TAP or a.cost.hi or a.n_x or a.n_costs or a.condition >= 0):
            raise ValueError(f"{self.name}: mana ability {i} costs more than {{T}}, which payment does not look for")
        if a.kind == AB_MANA and a.mana_amount > 1 and a.mana_mask & (a.mana_mask - 1):
            raise ValueError(f"{self.name}: mana ability {i} makes several mana of a chosen colour, which payment "
                             "does not look for")
        if a.kind == AB_TRIGGERED and not 0 < a.event < N_EV:
            raise ValueError(f"{self.name}: ability {i} triggers on no event")
        if a.kind == AB_REPLACEMENT and not 0 <= a.event < N_RP:
            raise ValueError(f"{self.name}: ability {i} replaces nothing")
        if a.kind in (AB_STATIC, AB_REPLACEMENT, AB_PROTECTION, AB_HEXPROOF_FROM) and a.filter < 0:
            raise ValueError(f"{self.name}: ability {i} affects nothing")
        if a.n_modes and not 0 <= a.least_modes <= a.most_modes <= a.n_modes:
            raise ValueError(f"{self.name}: ability {i} chooses {a.least_modes} to {a.most_modes} of {a.n_modes} modes")

    def _optional(self, list optional):
        cdef OptionalCost *o
        for i, d in enumerate(optional):
            o = <OptionalCost *>&self.t.optional[i]
            o.cost = packed(d["pips"], d["generic"])
            o.first_cost, o.n_costs = self._span(d, "costs", "cost", f"optional cost {i}")
            o.several = bool(d["several"])
            if d["hybrid"][1]:
                raise ValueError(f"{self.name}: optional cost {i} has hybrid symbols, which are not supported there")

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
            t.related = self._about_targets(d["filter"])
            if t.most == 0 or t.least > t.most:
                raise ValueError(f"{self.name}: target {i} is chosen {t.least} to {t.most} times")

    def _sure(self, int ability):
        """It asks for nothing but its costs: targets exist in every game, whatever is on the battlefield."""
        cdef const Ability *a = &self.t.abilities[ability]
        cdef const TargetSpec *t
        cdef int k
        if a.n_modes or a.condition >= 0:
            return False
        for k in range(a.n_targets):
            t = &self.t.targets[a.first_target + k]
            if not t.players or t.least > 1 or t.x or not self._anybody(t.filter):
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
            return n.op in (R_TARGET, R_TARGETS)
        return False

    def _programs(self, list code):
        """Operands of the instructions lead into their lists, and every program ends."""
        if len(code) % WORDS:
            raise ValueError(f"{self.name}: code is not made of instructions of {WORDS} words")
        if code and code[len(code) - WORDS] != E_END:
            raise ValueError(f"{self.name}: the last program has no end")
        for pc in range(0, len(code), WORDS):
            op = code[pc]
            if op not in OPERANDS:
                raise ValueError(f"{self.name}: no such instruction {op} at {pc}")
            for k, kind in enumerate(OPERANDS[op]):
                word = code[pc + 1 + k]
                what = f"operand {k + 1} of the instruction at {pc}"
                self._operand(kind, word, what)
                if ((kind in "zm" and word == 0) or (kind == "m" and word & (word - 1))
                        or (kind == "p" and word % WORDS)):
                    raise ValueError(f"{self.name}: {what} leads outside its list")
            if op == E_APPLY and not 0 < code[pc + 2] + code[pc + 3] <= self.sizes["c"]:
                raise ValueError(f"{self.name}: changes of the instruction at {pc} lead outside their list")

    def _faces(self, list faces, list abilities):
        cdef Face *f
        cdef const Ability *s
        cdef int sub = 0
        cdef uint16_t *subtypes = <uint16_t *>self.t.subtypes
        for i, d in enumerate(faces):
            f = <Face *>&self.t.faces[i]
            what = d["name"]
            f.cost = packed(d["pips"], d["generic"])
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
            f.name_hash = name_hash(d["name"])
            f.program = -1
            f.spell = d["spell"]
            if f.spell != NONE16:
                self._inside(f.spell, "a", f"spell ability of {what}")
                s = &self.t.abilities[f.spell]
                f.program = s.program
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
            if f.n_costs or f.n_optional or f.n_hybrid:
                f.flags |= FACE_ANNOUNCE
            f.first_ability, f.n_abilities = self._span(d, "abilities", "a", what)
            if f.n_abilities > MOST_ABILITIES:
                raise ValueError(f"{self.name}: {what} has {f.n_abilities} abilities; at most {MOST_ABILITIES}")
            f.first_subtype = sub
            f.n_subtypes = len(d["subtypes"])
            for s_ in d["subtypes"]:
                if not 0 <= s_ < len(self.subtype_names):
                    raise ValueError(f"{self.name}: subtype {s_} of {what} has no name")
                subtypes[sub] = s_
                sub += 1
                if self.subtype_names[s_] == "Aura":
                    f.flags |= FACE_AURA
                elif self.subtype_names[s_] == "Equipment":
                    f.flags |= FACE_EQUIPMENT
            if d["token"]:
                f.flags |= FACE_TOKEN
            if d["has_cost"]:
                f.flags |= FACE_HAS_COST
            if f.types & T_INSTANT or f.keywords & K_FLASH:
                f.flags |= FACE_INSTANT_SPEED
            if not f.types & (T_INSTANT | T_SORCERY):
                f.flags |= FACE_PERMANENT
            if f.flags & FACE_AURA and f.n_targets and self._restless(self.t.targets[f.first_target].filter):
                f.flags |= FACE_RESTLESS
            if f.flags & FACE_AURA and f.n_targets != 1:
                raise ValueError(f"{self.name}: {what} is an Aura that enchants nothing")
            for k in range(f.n_abilities):
                self._own_ability(f, &self.t.abilities[f.first_ability + k], k)
            if f.flags & FACE_HAS_COST and not f.flags & FACE_ANNOUNCE and (f.n_targets == 0 or f.flags & FACE_SURE):
                f.flags |= FACE_EASY
            if not (f.listens or f.listen_zones or f.act_zones or f.replaces or f.types & T_PLANESWALKER
                    or f.flags & (FACE_AURA | FACE_EQUIPMENT | FACE_STATIC | FACE_ENTERS)):
                f.flags |= FACE_PLAIN

    cdef void _own_ability(self, Face *f, const Ability *a, int k) except *:
        """What a face knows about its abilities at once."""
        if a.kind == AB_MANA:
            f.mana |= a.mana_mask
            if a.mana_amount > f.mana_amount:
                f.mana_amount = a.mana_amount
                f.mana_ability = <uint8_t>k
        elif a.kind == AB_ACTIVATED:
            if a.zones >> Z_BATTLEFIELD & 1:
                f.flags |= FACE_ACTS
            f.act_zones |= a.zones & ~(1 << Z_BATTLEFIELD)
        elif a.kind == AB_TRIGGERED:
            if not about_itself(self.t.filters, a.filter):
                f.listens_own &= ~(<uint64_t>1 << a.event)
            elif not f.listens >> a.event & 1:
                f.listens_own |= <uint64_t>1 << a.event
            f.listens |= <uint64_t>1 << a.event
            f.listen_zones |= a.zones
        elif a.kind == AB_STATIC:
            f.flags |= FACE_STATIC
            f.reads |= a.reads
        elif a.kind == AB_REPLACEMENT:
            if a.event == RP_ENTERS and a.own == 1:
                f.flags |= FACE_ENTERS  # nobody else needs to find it
            else:
                f.replaces |= 1 << a.event

    @property
    def hash(self):
        """64-bit hash of the table's content."""
        return self.t.hash

    @property
    def n_faces(self):
        """Number of faces."""
        return self.t.n_faces

    def __len__(self):
        return self.t.n_faces
