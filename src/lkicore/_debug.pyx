"""A driver of the core for tests: single operations on objects, without the course of a game around them.

It offers what :class:`lkicore.reference.Model` offers, so that one test drives both and compares every answer. What it
does and asks is done and answered by the functions that games use; its cards are those of
:mod:`lkicore.reference.core_cards`.
"""
from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc

from lkicore._abilities cimport extra_add, has_subtype, own_abilities
from lkicore._arena cimport chunk_len, chunk_refs, refs_add
from lkicore._attach cimport attach, unattach
from lkicore._cards cimport CardTable
from lkicore._check cimport check_block
from lkicore._copies cimport copy_of, redefine
from lkicore._damage cimport change_life
from lkicore._defs cimport ability_at, face_of
from lkicore._departures cimport begin_event, record
from lkicore._entries cimport entry_context, entry_push, make_ability
from lkicore._expr cimport Ctx, Facts, plain_context, read_facts, value
from lkicore._game cimport NO_PLAYER, SeatDeck, game_template, in_game
from lkicore._history cimport history_add, history_forget
from lkicore._layers cimport effect_add, effect_change, effects_expire, settle
from lkicore._layout cimport Game, Layout, LkiRow, Ref, StackEntry, Trigger, layout_of
from lkicore._lki cimport NO_SLOT, is_departure, lki_find, lki_find_at, lki_mark, once_attached
from lkicore._opcodes cimport *
from lkicore._players cimport players_leave
from lkicore._stack cimport check_targets
from lkicore._state cimport block_copy, block_free, block_grow, block_new, block_open
from lkicore._status cimport put_counters, tap, untap
from lkicore._store cimport zone_list
from lkicore._targets cimport legal_object
from lkicore._triggers cimport take_trigger
from lkicore._types cimport Face, MOST_ABILITIES, NONE16
from lkicore._zones cimport TO_END, TO_TOP, cease, leave_stack, make_tokens, move_all, sacrifice_group

from lkicore import _check
from lkicore.reference.core_cards import core_plan


cdef class Driver:
    """One block and operations on it; see the module's docstring and :class:`lkicore.reference.Model`.

    Parameters
    ----------
    players, cards : int
        Players, and cards of each, which begin in their owner's library.
    size_class, ring : int
        Class of the block; 0 or the slots of a tiny ring.
    deck : sequence of int
        Faces of the physical cards, in turn.
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
    cdef object plan

    def __cinit__(self, int players, int cards, *, int size_class=0, int ring=0, deck=(0, 1, 2, 3), int skip_ref=-1):
        cdef SeatDeck seats[8]
        cdef uint16_t *faces
        cdef int i
        self.plan = core_plan()
        self.table = self.plan.table
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
            faces[i] = <uint16_t>deck[i % len(deck)]
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
        cdef uint16_t *rows
        cdef uint8_t *to
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
        rows = <uint16_t *>malloc(len(going) * sizeof(uint16_t))
        to = <uint8_t *>malloc(len(going))
        if rows == NULL or to == NULL:
            raise MemoryError()
        for i, r in enumerate(going.values()):
            rows[i] = r
            to[i] = <uint8_t>zone
        move_all(&self.g, rows, to, len(going), TO_TOP if zone == Z_LIBRARY else TO_END, -1, False)
        free(rows)
        free(to)
        for r in going.values() if zone == Z_STACK else ():
            entry_push(&self.g, r, self.g.owner[<uint16_t>r])
        settle(&self.g)
        return [self.g.id[<uint16_t>going.pop(i)] if i in going else 0 for i in ids]

    def token(self, int player, int face):
        return self.do(Driver._token, (player, face))

    def _token(self, int player, int face):
        cdef uint16_t row = 0
        if not in_game(&self.g, player):
            return 0
        make_tokens(&self.g, player, face, 1, False, &row)
        settle(&self.g)
        return self.g.id[row]

    cdef uint16_t excepted(self, uint16_t defn, str but):
        """The copiable values of a copy with exceptions (CR 707.9)."""
        cdef Ctx c
        cdef int first, n
        first, n = self.plan.exceptions[but]
        plain_context(&self.g, 0, 0, 0, &c)
        return copy_of(&self.g, &c, defn, first, n, NONE16)

    def copy_token(self, int player, uint32_t of, str but=""):
        return self.do(Driver._copy_token, (player, of, but))

    def _copy_token(self, int player, uint32_t of, str but):
        cdef Facts f
        if of == 0 or not read_facts(&self.g, self.ref_row(of), of, P_LIVE_THEN_LKI, &f) or f.oflags & OF_ABILITY:
            return 0
        return self._token(player, self.excepted(f.defn, but))

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
            settle(&self.g)
        return len(gone)

    def tap(self, uint32_t id):
        cdef uint16_t row = self.permanent(id)
        if row:
            tap(&self.g, row)

    def untap(self, uint32_t id):
        cdef uint16_t row = self.permanent(id)
        if row:
            untap(&self.g, row)
            settle(&self.g)

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
        self.effect("control", id, 0, 0, D_PERMANENT, player)

    def attach(self, uint32_t id, uint32_t to):
        cdef uint16_t row = self.permanent(id)
        cdef uint16_t host = self.permanent(to)
        if row and to == 0:
            unattach(&self.g, row)
        elif row and host:
            attach(&self.g, row, host)
        settle(&self.g)

    def block_with(self, uint32_t id, uint32_t attacker):
        """The creature blocks the other one, whatever the rules of combat say."""
        cdef uint16_t row = self.permanent(id)
        cdef uint16_t other = self.permanent(attacker)
        if row and other and row != other and self.g.types[row] & self.g.types[other] & T_CREATURE:
            self.g.blocks_row[row] = other
            self.g.blocks_id[row] = attacker
            self.g.combat[row] |= CB_BLOCKING

    def pump(self, uint32_t id, int power, int toughness, uint32_t source=0):
        cdef uint16_t row = self.permanent(id)
        if row:
            self.effect("pump", id, power, toughness, D_END_OF_TURN, self.g.controller[row], source)

    def effect(self, str name, uint32_t id, int x, int y, int duration, int player, uint32_t source=0):
        self.do(Driver._effect, (name, id, x, y, duration, player, source))

    def _effect(self, str name, uint32_t id, int x, int y, int duration, int player, uint32_t source):
        cdef uint16_t row = self.permanent(id)
        cdef int first, n
        first, n = self.plan.effects[name]
        if row and in_game(&self.g, player):
            effect_change(&self.g, row, first, n, x, y, duration, player, self.ref_row(source), source)
            settle(&self.g)

    def become_copy(self, uint32_t id, uint32_t of, int duration, str but=""):
        self.do(Driver._become_copy, (id, of, duration, but))

    def _become_copy(self, uint32_t id, uint32_t of, int duration, str but):
        cdef uint16_t row = self.permanent(id)
        cdef uint16_t d
        cdef Facts f
        if row == 0 or of == 0 or not read_facts(&self.g, self.ref_row(of), of, P_LIVE_THEN_LKI, &f):
            return
        if not f.oflags & OF_ABILITY:
            d = self.excepted(f.defn, but)
            effect_add(&self.g, EK_COPY, row, id, 0, 0, <int16_t>d, duration, self.g.controller[row], 0, 0)
            redefine(&self.g, row)
            settle(&self.g)

    def end_turn(self):
        cdef uint32_t i
        for i in range(1, self.lay.rows):
            self.g.damage[i] = 0
        effects_expire(&self.g, D_END_OF_TURN, NO_PLAYER)
        settle(&self.g)

    def ability(self, uint32_t source, targets, int kind=0, int x=0, paid=()):
        return self.do(Driver._ability, (source, targets, kind, x, paid))

    def _ability(self, uint32_t source, targets, int kind, int x, paid):
        """As games announce an ability: its object (CR 602.2a), targets, costs."""
        cdef Facts f
        cdef Ctx c
        cdef uint16_t row, t
        cdef uint16_t handle = 0
        cdef uint16_t *rows
        cdef StackEntry *e
        cdef int number, spec
        if source == 0 or not read_facts(&self.g, self.ref_row(source), source, P_LIVE_THEN_LKI, &f):
            return 0
        if not in_game(&self.g, f.controller):
            return 0
        number, spec = self.plan.kinds[kind]
        row = make_ability(&self.g, f.controller, f.defn)
        if row == 0:
            return 0
        e = entry_push(&self.g, row, f.controller)
        e.ability = <uint16_t>number
        e.source_row = self.ref_row(source)
        e.source_id = source
        e.x = <int16_t>x
        entry_context(&self.g, self.g.h.n_stack - 1, &c)
        for i in dict.fromkeys(targets):
            t = self.permanent(i)
            if t and legal_object(&self.g, &c, &self.g.cards.targets[spec], t):
                handle = refs_add(&self.g, handle, i, t, RK_OBJECT)
        e.targets = handle
        paid = {i: self.permanent(i) for i in paid}
        paid = {i: r for i, r in paid.items() if r and self.g.controller[<uint16_t>r] == f.controller}
        if paid:
            rows = <uint16_t *>malloc(len(paid) * sizeof(uint16_t))
            if rows == NULL:
                raise MemoryError()
            for k, r in enumerate(paid.values()):
                rows[k] = r
            sacrifice_group(&self.g, rows, len(paid))
            free(rows)
            for i, r in paid.items():
                extra_add(&self.g, row, RK_PAID, i, r, 0)
            settle(&self.g)
        return self.g.id[row]

    def resolve(self):
        return self.do(Driver._resolve, ())

    def _resolve(self):
        cdef StackEntry *e
        cdef Ctx c
        cdef Ref *r
        cdef bint known
        cdef int i, v
        cdef int top = self.g.h.n_stack - 1
        while top >= 0 and self.g.stack[top].ability == NONE16:
            top -= 1  # a spell
        if top < 0:
            return []
        e = &self.g.stack[top]
        entry_context(&self.g, top, &c)
        answers = []
        if check_targets(&self.g, e, &c, e.ability):
            answers.append(self.answer(e.source_row, e.source_id, P_LIVE_THEN_LKI))
            for i in range(chunk_len(&self.g, e.targets)):
                r = &chunk_refs(&self.g, e.targets)[i]
                answers.append((0,) * 8 if r.flags & RF_ILLEGAL else self.answer(r.row, r.id, P_LEGAL_TARGET))
            values = []
            for node in self.plan.reads:
                known = True
                v = value(&self.g, &c, node, &known)
                values.append(v if known else None)
            answers.append(tuple(values))
        leave_stack(&self.g, e.row, Z_NONE, 0)
        settle(&self.g)
        return answers

    def react(self):
        """What the first triggered ability that waits learns; those of players who have left are dropped."""
        cdef Trigger t
        while self.g.h.n_triggers:
            t = take_trigger(&self.g, 0)
            if in_game(&self.g, t.controller):
                return (self.plan.labels[t.ability], t.controller,
                        self.answer(t.source_row, t.source_id, P_LIVE_THEN_LKI),
                        self.answer(t.object_row, t.object_id, P_LIVE_THEN_LKI))
        return ()

    def life(self, int player, int n):
        if in_game(&self.g, player):
            change_life(&self.g, player, n)

    def leave(self, int player):
        return self.do(Driver._leave, (player,))

    def _leave(self, int player):
        cdef uint8_t[8] why
        cdef int p
        if not in_game(&self.g, player) or self.g.h.n_alive < 3:
            return False
        for p in range(8):
            why[p] = END_CONCEDE if p == player else 0
        players_leave(&self.g, why)
        settle(&self.g)
        return True

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
        while True:
            self.g.h.active = <uint8_t>((self.g.h.active + 1) % self.g.lay.players)
            effects_expire(&self.g, D_YOUR_NEXT_TURN, self.g.h.active)
            if in_game(&self.g, self.g.h.active):
                break
        settle(&self.g)

    # ------------------------------------------------------------------ queries
    def live(self, uint32_t id):
        return self.row_of(id) != 0

    def facts(self, uint32_t id):
        cdef uint16_t row = self.row_of(id)
        cdef Game *g = &self.g
        cdef Facts f
        if row == 0 or not read_facts(g, row, id, P_LIVE_ONLY, &f):
            return None
        return {
            "zone": g.zone[row], "owner": g.owner[row], "controller": g.controller[row], "power": f.power,
            "toughness": f.toughness, "damage": g.damage[row], "tapped": bool(g.status[row] & ST_TAPPED),
            "types": g.types[row], "colors": g.colors[row], "keywords": g.keywords[row],
            "subtypes": self.subtypes(g.defn[row], g.oflags[row], g.extra[row]),
            "abilities": self.abilities(g.defn[row], g.oflags[row], g.extra[row]),
            "name": self.name(g.defn[row], g.oflags[row]),
            "counters": (g.c_p1p1[row], g.c_m1m1[row], g.c_loyalty[row], g.c_charge[row]),
            "attached_to": g.attached_id[row], "blocks": g.blocks_id[row], "timestamp": g.timestamp[row],
        }

    cdef str name(self, uint16_t defn, int oflags):
        return "" if oflags & OF_ABILITY else self.table.names[face_of(&self.g, defn).number]

    cdef tuple subtypes(self, uint16_t defn, int oflags, uint16_t extra):
        if oflags & OF_ABILITY:
            return ()
        return tuple([name for k, name in enumerate(self.table.subtype_names)
                      if has_subtype(&self.g, defn, <uint8_t>oflags, extra, k)])

    cdef tuple abilities(self, uint16_t defn, int oflags, uint16_t extra):
        """What the plan calls the abilities of an object that is there or was."""
        cdef uint16_t list[MOST_ABILITIES]
        cdef const Face *f = face_of(&self.g, defn)
        cdef int n = 0
        cdef int k
        if oflags & OF_ABILITY:
            return ()
        if oflags & OF_OWN_ABILITIES:
            n = own_abilities(&self.g, extra, list)
        else:
            for k in range(f.n_abilities):
                list[k] = <uint16_t>ability_at(&self.g, f, k)
                n += 1
        return tuple(sorted([self.plan.labels[list[k]] for k in range(n)]))

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
            "subtypes": self.subtypes(r.defn, r.oflags, r.extra),
            "abilities": self.abilities(r.defn, r.oflags, r.extra), "name": self.name(r.defn, r.oflags),
            "counters": (r.c_p1p1, r.c_m1m1, r.c_loyalty, r.c_charge),
            "attached_to": r.attached_id, "attachments": self.attachments(s), "blocks": r.blocks_id,
            "became": r.became, "card": -1 if r.card == NONE16 else r.card,
        }

    cdef tuple attachments(self, uint16_t slot):
        """What was attached to a departed object, as that was then: (id, controller, power, toughness), by id."""
        cdef uint16_t s
        cdef LkiRow *r
        found = []
        for s in range(self.g.h.lki_limit):
            r = &self.g.lki[s]
            if self.g.lki[slot].oflags & OF_HOST and once_attached(&self.g, slot, s):
                found.append((r.id if is_departure(r) else r.became, r.controller, r.power, r.toughness))
        return tuple(sorted(found))

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
