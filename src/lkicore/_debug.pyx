"""A driver of the store for tests: single operations on objects, without the rules of a game around them.

It offers what :class:`lkicore.reference.Model` offers, so that one test drives both and compares every answer.
"""
from libc.stdint cimport int16_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc

from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._cards cimport CardTable
from lkicore._check cimport check_block
from lkicore._entries cimport entry_push, make_ability
from lkicore._expr cimport Facts, read_facts
from lkicore._game cimport NO_PLAYER, SeatDeck, game_template
from lkicore._history cimport history_add, history_forget
from lkicore._layers cimport change_controller, effect_change, effects_expire, settle
from lkicore._layout cimport Game, Layout, LkiRow, StackEntry, layout_of
from lkicore._lki cimport NO_SLOT, lki_find, lki_find_at, lki_mark
from lkicore._opcodes cimport *
from lkicore._state cimport block_copy, block_free, block_grow, block_new, block_open
from lkicore._status cimport put_counters, tap, untap
from lkicore._store cimport clear_bit, has_bit, is_live, new_timestamp, set_bit, zone_list
from lkicore._types cimport NONE16
from lkicore._zones cimport (TO_END, TO_TOP, begin_event, cease, change_zone, leave_stack, make_tokens, record)

from lkicore import _check


def driver_table():
    """Card table of the driver: two creatures, a land, a wall and a token; an ability with any number of targets; the
    change that gives a creature numbers."""
    def face(name, types, colors, power, toughness, keywords=0, token=False):
        return {"name": name, "pips": (0,) * 6, "generic": 0, "snow": 0, "n_x": 0, "hybrid": (0, 0), "has_cost": False,
                "types": types, "colors": colors, "power": power, "toughness": toughness, "keywords": keywords,
                "spell": NONE16, "costs": (0, 0), "optional": (0, 0), "ways": (0, 0), "abilities": (0, 0),
                "subtypes": [], "token": token, "sort": 0, "layout": LO_NORMAL, "back": False, "other": NONE16,
                "test_only": True}
    faces = [
        face("Driver Bear", T_CREATURE, C_G, 2, 2),
        face("Driver Bird", T_CREATURE, C_U, 1, 1, K_FLYING),
        face("Driver Land", T_LAND, 0, 0, 0),
        face("Driver Wall", T_CREATURE, C_W, 0, 4),
        face("Driver Token", T_CREATURE, C_R, 1, 1, token=True),
    ]
    ability = {"kind": AB_ACTIVATED, "cost_flags": 0, "pips": (0,) * 6, "generic": 0, "snow": 0, "n_x": 0,
               "hybrid": (0, 0), "targets": (0, 1), "costs": (0, 0), "modes": (0, 0), "least_modes": 0, "most_modes": 0,
               "changes": (0, 0), "program": -1, "condition": -1, "filter": -1, "other": -1, "player": -1,
               "amount": 0, "reads": 0, "layers": 0, "affects": 0, "zones": 1 << Z_BATTLEFIELD,
               "zone_from": 0, "zone_to": 0, "event": 0, "step": 0, "flags": 0, "timing": 0, "own": 0,
               "mana_mask": 0, "mana_amount": 0}
    target = {"filter": 0, "players": False, "objects": True, "zone": Z_BATTLEFIELD, "least": 0, "most": 255,
              "x": False, "divided": -1}
    return CardTable(faces, [ability], [target], [], [(FT_ALL, 0, 0, 0)], [], [],
                     changes=[(X_ADD_PT, -1, -2, 0)], name="driver")


cdef class Driver:
    """One block and operations on it; see the module's docstring and :class:`lkicore.reference.Model`.

    Parameters
    ----------
    players, cards : int
        Players, and cards of each: physical card ``i`` has face ``i % 4`` and begins in its owner's library.
    size_class, ring : int
        Class of the block; 0 or the slots of a tiny ring.
    table : CardTable, optional
        Cards other than the driver's own; change 0 and ability 0 must be what they are there.
    skip_ref : int
        The reference that the mark pass forgets (index in ``lkicore._lki.MARKED``), -1 none.
    """

    cdef Game g
    cdef void *block
    cdef void *spare
    cdef const Layout *lay
    cdef int ring
    cdef int growths
    cdef int skip_ref
    cdef CardTable table

    def __cinit__(self, int players, int cards, *, int size_class=0, int ring=0, CardTable table=None, int skip_ref=-1):
        cdef SeatDeck seats[8]
        cdef uint16_t *faces
        cdef int i
        self.table = driver_table() if table is None else table
        self.ring = ring
        self.skip_ref = skip_ref
        self.lay = layout_of(size_class, players, ring)
        if self.lay == NULL or not 1 <= players <= 8 or players * cards >= <int>self.lay.cards:
            raise ValueError(f"no block for players={players}, cards={cards}, size_class={size_class}, ring={ring}")
        faces = <uint16_t *>malloc((players * cards + 1) * sizeof(uint16_t))
        self.block = block_new(self.lay)
        self.spare = block_new(self.lay)
        if faces == NULL or self.block == NULL or self.spare == NULL:
            raise MemoryError()
        for i in range(players * cards):
            faces[i] = <uint16_t>(i % 4)
        for i in range(players):
            seats[i].faces = faces + i * cards
            seats[i].n = cards
            seats[i].commanders = 0
            seats[i].outside = 0
        block_open(&self.g, self.block, self.lay)
        game_template(&self.g, &self.table.t, seats, 0, 0)
        free(faces)
        self.g.h.turn = 1
        self.g.skip_ref = skip_ref

    def __dealloc__(self):
        block_free(self.block, self.lay)
        block_free(self.spare, self.lay)

    # ------------------------------------------------------------------ room
    cdef object do(self, object operation, tuple args):
        """Carry out an operation, in a larger block if it needs one: then from the state before it."""
        cdef const Layout *lay
        cdef void *bigger
        cdef Game to
        block_copy(self.spare, self.block, self.lay)
        while True:
            result = operation(self, *args)
            if self.g.h.status != GS_NEED_ROOM:
                return result
            block_copy(self.block, self.spare, self.lay)
            lay = layout_of(self.lay.size_class + 1, self.lay.players, self.ring)
            if lay == NULL:
                raise MemoryError("the largest block is too small")
            bigger = block_new(lay)
            block_open(&to, bigger, lay)
            to.cards = self.g.cards
            to.skip_ref = self.skip_ref
            block_grow(&to, &self.g)
            block_free(self.block, self.lay)
            block_free(self.spare, self.lay)
            self.g = to
            self.lay = lay
            self.block = bigger
            self.spare = block_new(lay)
            block_copy(self.spare, bigger, lay)
            self.growths += 1

    def grown(self):
        """Times that the block moved to a larger class."""
        return self.growths

    cdef uint16_t row_of(self, uint32_t id) noexcept:
        cdef uint32_t i
        if id:
            for i in range(1, self.lay.rows):
                if self.g.id[i] == id:
                    return <uint16_t>i
        return 0

    cdef uint16_t ref_row(self, uint32_t id) noexcept:
        """Row of an object that is there or was."""
        cdef uint16_t row = self.row_of(id)
        cdef uint16_t s
        if row == 0 and id:
            s = lki_find(&self.g, id)
            if s != NO_SLOT:
                row = self.g.lki[s].row
        return row

    cdef uint16_t permanent(self, uint32_t id) noexcept:
        cdef uint16_t row = self.row_of(id)
        return row if self.g.zone[row] == Z_BATTLEFIELD else 0

    # ------------------------------------------------------------------ operations
    def move(self, ids, int zone):
        return self.do(Driver._move, (ids, zone))

    def _move(self, ids, int zone):
        cdef uint16_t row
        going = {}
        for i in ids:
            row = self.row_of(i)
            if row == 0 or self.g.oflags[row] & OF_ABILITY:
                continue
            if self.g.oflags[row] & OF_TOKEN and self.g.zone[row] != Z_BATTLEFIELD:
                continue
            if self.g.zone[row] == zone and zone != Z_EXILE:
                continue
            going[i] = row
        if not going:
            return [0] * len(ids)
        settle(&self.g)
        if not begin_event(&self.g, len(going)):
            return []
        for r in going.values():
            record(&self.g, r, zone)
        out = []
        for i in ids:
            r = going.pop(i, 0)
            if r:
                change_zone(&self.g, r, zone, TO_TOP if zone == Z_LIBRARY else TO_END)
            out.append(self.g.id[<uint16_t>r] if r else 0)
        return out

    def token(self, int player, int face):
        return self.do(Driver._token, (player, face))

    def _token(self, int player, int face):
        cdef uint16_t row = 0
        make_tokens(&self.g, player, face, 1, False, &row)
        return self.g.id[row]

    def cease(self):
        return self.do(Driver._cease, ())

    def _cease(self):
        cdef uint32_t i
        gone = []
        for i in range(1, self.lay.rows):
            if self.g.id[i] and self.g.oflags[i] & OF_TOKEN and self.g.zone[i] != Z_BATTLEFIELD:
                gone.append((self.g.id[i], i))
        gone.sort()
        if gone and begin_event(&self.g, len(gone)):
            for _, r in gone:
                record(&self.g, r, Z_NONE)
            for _, r in gone:
                cease(&self.g, r)
        return len(gone)

    def tap(self, uint32_t id):
        cdef uint16_t row = self.permanent(id)
        if row:
            tap(&self.g, row)

    def untap(self, uint32_t id):
        cdef uint16_t row = self.permanent(id)
        if row:
            untap(&self.g, row)

    def damage(self, uint32_t id, int n):
        cdef uint16_t row = self.permanent(id)
        if row and self.g.types[row] & T_CREATURE and n > 0:
            self.g.damage[row] += <int16_t>n

    def counters(self, uint32_t id, int kind, int n):
        cdef uint16_t row = self.permanent(id)
        if row:
            put_counters(&self.g, row, kind, n)
            settle(&self.g)

    def control(self, uint32_t id, int player):
        cdef uint16_t row = self.permanent(id)
        if row:
            change_controller(&self.g, row, player)

    def attach(self, uint32_t id, uint32_t to):
        cdef uint16_t row = self.permanent(id)
        cdef uint16_t host = self.permanent(to)
        if row == 0:
            return
        if to and (host == 0 or host == row or self.g.attached_id[row] == to):
            return
        if has_bit(self.g.b_attached, row):
            clear_bit(self.g.b_attached, row)
            self.g.h.n_attached -= 1
        self.g.attached_row[row] = host if to else 0
        self.g.attached_id[row] = to
        if to:
            set_bit(self.g.b_attached, row)
            self.g.h.n_attached += 1
            self.g.timestamp[row] = new_timestamp(&self.g)

    def block_with(self, uint32_t id, uint32_t attacker):
        """The permanent blocks the other one, whatever the rules of combat say."""
        cdef uint16_t row = self.permanent(id)
        cdef uint16_t other = self.permanent(attacker)
        if row and other and row != other:
            self.g.blocks_row[row] = other
            self.g.blocks_id[row] = attacker
            self.g.combat[row] |= CB_BLOCKING

    def pump(self, uint32_t id, int power, int toughness, uint32_t source=0):
        self.do(Driver._pump, (id, power, toughness, source))

    def _pump(self, uint32_t id, int power, int toughness, uint32_t source):
        cdef uint16_t row = self.permanent(id)
        if row:
            effect_change(&self.g, row, 0, 1, power, toughness, D_END_OF_TURN, self.g.controller[row],
                          self.ref_row(source), source)
            settle(&self.g)

    def end_turn(self):
        cdef uint32_t i
        for i in range(1, self.lay.rows):
            self.g.damage[i] = 0
        effects_expire(&self.g, D_END_OF_TURN, NO_PLAYER)
        settle(&self.g)

    def ability(self, uint32_t source, targets):
        return self.do(Driver._ability, (source, targets))

    def _ability(self, uint32_t source, targets):
        cdef Facts f
        cdef uint16_t row
        cdef uint16_t handle = 0
        cdef uint16_t t
        cdef StackEntry *e
        if source == 0 or not read_facts(&self.g, self.ref_row(source), source, P_LIVE_THEN_LKI, &f):
            return 0
        for i in targets:
            t = self.row_of(i)
            if t:
                handle = refs_add(&self.g, handle, i, t, RK_OBJECT)
        row = make_ability(&self.g, f.controller, f.defn)
        if row == 0:
            return 0
        e = entry_push(&self.g, row, f.controller)
        e.ability = 0
        e.source_row = self.ref_row(source)
        e.source_id = source
        e.targets = handle
        return self.g.id[row]

    def resolve(self):
        return self.do(Driver._resolve, ())

    def _resolve(self):
        cdef StackEntry *e
        if self.g.h.n_stack == 0:
            return []
        e = &self.g.stack[self.g.h.n_stack - 1]
        answers = [self.answer(e.source_row, e.source_id, P_LIVE_THEN_LKI)]
        for row, id in self.targets_of(e.targets):
            answers.append(self.answer(row, id, P_LEGAL_TARGET) if is_live(&self.g, row, id) else (0,) * 8)
        leave_stack(&self.g, e.row, Z_NONE, 0)
        return answers

    cdef list targets_of(self, uint16_t handle):
        from_arena = []
        cdef int i
        for i in range(chunk_len(&self.g, handle)):
            from_arena.append((chunk_refs(&self.g, handle)[i].row, chunk_refs(&self.g, handle)[i].id))
        return from_arena

    cdef tuple answer(self, uint16_t row, uint32_t id, int policy):
        cdef Facts f
        if not read_facts(&self.g, row, id, policy, &f):
            return (0,) * 8
        return (f.where, f.power, f.toughness, f.controller, f.damage, f.c_p1p1,
                1 if f.status & ST_TAPPED else 0, f.zone)

    def log(self, int kind, uint32_t id, uint32_t other, int player, int amount):
        if kind <= 0 or kind & (kind - 1):
            raise ValueError(f"an event is of one kind, not {kind}")
        self.do(Driver._log, (kind, id, other, player, amount))

    def _log(self, int kind, uint32_t id, uint32_t other, int player, int amount):
        history_add(&self.g, kind, player, self.ref_row(id), id, self.ref_row(other), other, amount)

    def next_turn(self):
        self.g.h.turn += 1
        history_forget(&self.g)

    # ------------------------------------------------------------------ queries
    def live(self, uint32_t id):
        return self.row_of(id) != 0

    def facts(self, uint32_t id):
        cdef uint16_t row = self.row_of(id)
        cdef Game *g = &self.g
        if row == 0:
            return None
        return {
            "zone": g.zone[row], "owner": g.owner[row], "controller": g.controller[row], "power": g.power[row],
            "toughness": g.toughness[row], "damage": g.damage[row], "tapped": bool(g.status[row] & ST_TAPPED),
            "types": g.types[row], "colors": g.colors[row], "keywords": g.keywords[row],
            "counters": (g.c_p1p1[row], g.c_m1m1[row], g.c_loyalty[row], g.c_charge[row]),
            "attached_to": g.attached_id[row], "timestamp": g.timestamp[row],
        }

    def lki(self, uint32_t id):
        cdef uint16_t s = lki_find(&self.g, id) if id else NO_SLOT
        return None if s == NO_SLOT else self.record_dict(s)

    def lki_at(self, int card, uint32_t tick):
        cdef uint16_t s
        if not 0 <= card < self.g.h.n_cards:
            return None
        s = lki_find_at(&self.g, <uint16_t>card, tick)
        return None if s == NO_SLOT else self.record_dict(s)

    cdef dict record_dict(self, uint16_t s):
        cdef LkiRow *r = &self.g.lki[s]
        return {
            "id": r.id, "tick": r.tick, "zone": r.zone, "zone_to": r.zone_to, "owner": r.owner,
            "controller": r.controller, "power": r.power, "toughness": r.toughness, "damage": r.damage,
            "tapped": bool(r.status & ST_TAPPED), "types": r.types, "colors": r.colors, "keywords": r.keywords,
            "counters": (r.c_p1p1, r.c_m1m1, r.c_loyalty, r.c_charge),
            "attached_to": r.attached_id, "became": r.became, "card": -1 if r.card == NONE16 else r.card,
        }

    def zone_list(self, int zone, int player):
        cdef uint16_t row = self.g.z_head[zone_list(&self.g, zone, player)]
        out = []
        while row:
            out.append(self.g.id[row])
            row = self.g.znext[row]
        return out

    def tick(self):
        return self.g.h.tick

    def reachable(self):
        """Ids of the departed objects whose rows a mark pass would keep."""
        cdef Game copy
        cdef uint32_t i
        block_copy(self.spare, self.block, self.lay)
        block_open(&copy, self.spare, self.lay)
        copy.cards = self.g.cards
        lki_mark(&copy)
        return {copy.lki[i].id for i in range(copy.h.lki_limit) if copy.lki[i].pinned}

    def check(self):
        """None, or which invariant of the block is broken."""
        code = check_block(&self.g)
        return _check.explain(code) if code else None
