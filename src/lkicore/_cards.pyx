"""Card tables: built once from plain lists, then immutable and shared by all games and threads."""
from libc.stdint cimport int32_t, uint16_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free

import hashlib

from lkicore._opcodes cimport *
from lkicore._types cimport (Ability, Face, FACE_ACTS, FACE_HAS_COST, FACE_INSTANT_SPEED, FACE_PERMANENT, FACE_TOKEN,
                             Mana, Node, TargetSpec)


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


cdef class CardTable:
    """Immutable arrays that the engine plays cards from.

    Made by :attr:`lkicore.CardPool.table`; the lists are what the assembler writes (see ``docs/architecture.md``).

    Parameters
    ----------
    faces, abilities, targets : list of dict
        Faces, their abilities, target specifications.
    values, filters, refs : list of (op, a, b, c)
        Nodes of the effect language.
    code : list of int
        Instructions of five words.
    subtypes : list of str
        Names of the subtypes that faces refer to by number.
    name : str
        Name of the table, for messages.

    Raises
    ------
    ValueError
        If a range, operand or program leads outside the lists.
    """

    def __cinit__(self, list faces, list abilities, list targets, list values, list filters, list refs, list code, *,
                  list subtypes=None, str name="cards"):
        cdef Py_ssize_t n_sub = sum([len(f["subtypes"]) for f in faces])
        cdef size_t need = (len(faces) * sizeof(Face) + len(abilities) * sizeof(Ability)
                            + len(targets) * sizeof(TargetSpec)
                            + (len(values) + len(filters) + len(refs)) * sizeof(Node) + len(code) * 4 + n_sub * 2 + 64)
        cdef char *p
        if subtypes is None:
            subtypes = []
        if not 0 < len(faces) < 0xC000:
            raise ValueError(f"{name}: {len(faces)} faces; 1 to 49151 are possible")
        self.memory = calloc(1, need)
        if self.memory == NULL:
            raise MemoryError(f"{need} bytes for a card table")
        self.name = name
        self.names = [str(f["name"]) for f in faces]
        self.subtype_names = list(subtypes)
        p = <char *>self.memory
        self.t.faces = <const Face *>p
        p += len(faces) * sizeof(Face)
        self.t.abilities = <const Ability *>p
        p += len(abilities) * sizeof(Ability)
        self.t.values = <const Node *>p
        p += len(values) * sizeof(Node)
        self.t.filters = <const Node *>p
        p += len(filters) * sizeof(Node)
        self.t.refs = <const Node *>p
        p += len(refs) * sizeof(Node)
        self.t.targets = <const TargetSpec *>p
        p += len(targets) * sizeof(TargetSpec)
        self.t.code = <const int32_t *>p
        p += len(code) * 4
        self.t.subtypes = <const uint16_t *>p
        self.t.n_faces = len(faces)
        self.t.n_code = len(code)
        sizes = (len(abilities), len(targets), len(values), len(filters), len(refs), len(code))
        self._nodes(values, filters, refs)
        self._abilities(abilities, sizes)
        self._targets(targets, len(filters))
        for i, w in enumerate(code):
            (<int32_t *>self.t.code)[i] = w
        self._programs(code, sizes, len(faces))
        self._faces(faces, abilities, sizes)
        digest = hashlib.blake2b(repr((faces, abilities, targets, values, filters, refs, code, subtypes)).encode(),
                                 digest_size=8)
        self.t.hash = int.from_bytes(digest.digest(), "little")

    def __dealloc__(self):
        free(self.memory)

    def _nodes(self, list values, list filters, list refs):
        cdef Node *n
        for kind, src, count in ((0, values, N_V), (1, filters, N_FT), (2, refs, N_R)):
            n = <Node *>(self.t.values if kind == 0 else self.t.filters if kind == 1 else self.t.refs)
            for i, (op, a, b, c) in enumerate(src):
                if not 0 <= op < count:
                    raise ValueError(f"{self.name}: no such operation {op} in node {i}")
                n[i].op, n[i].a, n[i].b, n[i].c = op, a, b, c
                self._operands(kind, i, op, a, b, len(values), len(filters), len(refs))

    def _operands(self, kind, i, op, a, b, n_values, n_filters, n_refs):
        """Operands must lead to nodes; a node of its own kind to an earlier one, so that reading ends."""
        def inside(x, n):
            if not 0 <= x < n:
                raise ValueError(f"{self.name}: operand {x} of node {i} (op {op}) leads outside its list")
        if kind == 0:
            if op in (V_POWER, V_TOUGHNESS, V_MANA_VALUE, V_HAND_SIZE, V_LIFE, V_COUNTERS):
                inside(a, n_refs)
            elif op == V_COUNT:
                inside(a, n_filters)
            elif op in (V_ADD, V_SUB, V_MUL, V_MIN, V_MAX):
                inside(a, i)
                inside(b, i)
        elif kind == 1:
            if op in (FT_AND, FT_OR):
                inside(a, i)
                inside(b, i)
            elif op == FT_NOT:
                inside(a, i)
        elif op == R_TARGET:
            inside(a, 255)
        elif op == R_EACH:
            inside(a, n_filters)
        elif op in (R_CONTROLLER_OF, R_OWNER_OF):
            inside(a, i)

    def _abilities(self, list abilities, tuple sizes):
        cdef Ability *a
        for i, d in enumerate(abilities):
            a = <Ability *>&self.t.abilities[i]
            a.kind = d["kind"]
            a.cost_flags = d["cost_flags"]
            a.cost = packed(d["pips"], d["generic"])
            a.n_x = d["n_x"]
            a.first_target, a.n_targets = span(d["targets"], sizes[1], f"{self.name}: targets of ability {i}")
            a.program = d["program"]
            a.mana_mask = d["mana_mask"]
            a.mana_amount = d["mana_amount"]
            if not -1 <= a.program < <int>sizes[5] or (a.program >= 0 and a.program % 5):
                raise ValueError(f"{self.name}: program of ability {i} leads outside the code")
            if a.kind == AB_MANA and (a.mana_mask == 0 or a.mana_mask > 63 or not 0 < a.mana_amount < 100):
                raise ValueError(f"{self.name}: mana ability {i} makes no mana")
            if a.kind == AB_MANA and (a.cost_flags != CO_TAP or a.cost.hi or a.n_x):
                raise ValueError(f"{self.name}: mana ability {i} costs more than {{T}}, which payment does not look "
                                 "for")
            if a.kind == AB_MANA and a.mana_amount > 1 and a.mana_mask & (a.mana_mask - 1):
                raise ValueError(f"{self.name}: mana ability {i} makes several mana of a chosen colour, which payment "
                                 "does not look for")

    def _targets(self, list targets, Py_ssize_t n_filters):
        cdef TargetSpec *t
        for i, d in enumerate(targets):
            t = <TargetSpec *>&self.t.targets[i]
            if not 0 <= d["filter"] < n_filters:
                raise ValueError(f"{self.name}: filter of target {i} leads outside its list")
            if d["objects"] and not 0 < d["zone"] < N_Z:
                raise ValueError(f"{self.name}: zone of target {i} is none")
            t.filter = d["filter"]
            t.players = bool(d["players"])
            t.objects = bool(d["objects"])
            t.zone = d["zone"]

    def _programs(self, list code, tuple sizes, Py_ssize_t n_faces):
        """Operands of the instructions lead into their lists, and every program ends."""
        n_values, n_filters, n_refs = sizes[2], sizes[3], sizes[4]
        kinds = {
            E_DAMAGE: "rrv", E_DESTROY: "r", E_EXILE: "r", E_RETURN: "r", E_DRAW: "rv", E_DISCARD: "rv",
            E_GAIN_LIFE: "rv", E_LOSE_LIFE: "rv", E_PUMP: "rvvv", E_TAP: "r", E_UNTAP: "r", E_COUNTERS: "rkv",
            E_FIGHT: "rr", E_TOKEN: "rvF", E_MANA: "mv", E_SEARCH_LAND: "rfz", E_COUNTER: "r", E_MILL: "rv", E_END: "",
        }
        limits = {"r": n_refs, "v": n_values, "f": n_filters, "F": n_faces, "z": N_Z, "k": N_CK, "m": 64}
        if len(code) % 5:
            raise ValueError(f"{self.name}: code is not made of instructions of five words")
        if code and code[len(code) - 5] != E_END:
            raise ValueError(f"{self.name}: the last program has no end")
        for pc in range(0, len(code), 5):
            op = code[pc]
            if op not in kinds:
                raise ValueError(f"{self.name}: no such instruction {op} at {pc}")
            for k, kind in enumerate(kinds[op]):
                word = code[pc + 1 + k]
                if not 0 <= word < limits[kind] or (kind in "zm" and word == 0) or (kind == "m" and word & (word - 1)):
                    raise ValueError(f"{self.name}: operand {k + 1} of the instruction at {pc} leads outside its list")

    def _faces(self, list faces, list abilities, tuple sizes):
        cdef Face *f
        cdef int sub = 0
        cdef uint16_t *subtypes = <uint16_t *>self.t.subtypes
        for i, d in enumerate(faces):
            f = <Face *>&self.t.faces[i]
            f.cost = packed(d["pips"], d["generic"])
            f.mv = <uint8_t>((f.cost.hi >> 32) & 0xFFFF)
            f.n_x = d["n_x"]
            f.types = d["types"]
            f.colors = d["colors"]
            f.power = d["power"]
            f.toughness = d["toughness"]
            f.keywords = d["keywords"]
            f.name_hash = name_hash(d["name"])
            f.program = d["program"]
            if not -1 <= f.program < <int>sizes[5] or (f.program >= 0 and f.program % 5):
                raise ValueError(f"{self.name}: program of {d['name']} leads outside the code")
            f.first_target, f.n_targets = span(d["targets"], sizes[1], f"{self.name}: targets of {d['name']}")
            f.first_ability, f.n_abilities = span(d["abilities"], sizes[0], f"{self.name}: abilities of {d['name']}")
            f.first_subtype = sub
            f.n_subtypes = len(d["subtypes"])
            for s in d["subtypes"]:
                if not 0 <= s < max(1, len(self.subtype_names)):
                    raise ValueError(f"{self.name}: subtype {s} of {d['name']} has no name")
                subtypes[sub] = s
                sub += 1
            if d["token"]:
                f.flags |= FACE_TOKEN
            if d["has_cost"]:
                f.flags |= FACE_HAS_COST
            if f.types & T_INSTANT or f.keywords & K_FLASH:
                f.flags |= FACE_INSTANT_SPEED
            if not f.types & (T_INSTANT | T_SORCERY):
                f.flags |= FACE_PERMANENT
            for k in range(f.first_ability, f.first_ability + f.n_abilities):
                a = abilities[k]
                if a["kind"] != AB_MANA:
                    f.flags |= FACE_ACTS
                elif a["cost_flags"] == CO_TAP and not any(a["pips"]) and not a["generic"]:
                    f.mana |= a["mana_mask"]
                    if a["mana_amount"] > f.mana_amount:
                        f.mana_amount = a["mana_amount"]
                        f.mana_ability = k - f.first_ability

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
