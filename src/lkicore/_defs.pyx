"""What a face, printed or made of exceptions, knows at once about its abilities."""
from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t

from lkicore._opcodes cimport *
from lkicore._types cimport (ENTERS_COPY, FACE_ACTS, FACE_ANNOUNCE, FACE_AURA, FACE_ENTERS, FACE_EQUIPMENT,
                             FACE_INSTANT_SPEED, FACE_MADNESS, FACE_OPENING, FACE_OTHER_COST, FACE_PERMANENT,
                             FACE_PLAIN,
                             FACE_REBOUND, FACE_STATIC, Ability)


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


cdef void face_ability(Face *f, const Ability *a, int k, const Node *filters) noexcept nogil:
    if a.kind == AB_MANA and a.program >= 0:
        f.casting |= 1 << CA_MANA
        if a.flags & MA_APART:
            f.flags |= FACE_ACTS
    elif a.kind == AB_MANA:
        f.mana |= a.mana_mask
        if a.mana_amount > f.mana_amount:
            f.mana_amount = a.mana_amount
            f.mana_ability = <uint8_t>k
    elif a.kind == AB_ACTIVATED:
        if a.zones >> Z_BATTLEFIELD & 1:
            f.flags |= FACE_ACTS
        f.act_zones |= a.zones & <uint16_t>~<int>(1 << Z_BATTLEFIELD)
    elif a.kind == AB_TRIGGERED and a.event == EV_DELAYED:
        f.flags |= FACE_REBOUND
    elif a.kind == AB_TRIGGERED:
        if a.flags & TF_MANA and a.zones >> Z_BATTLEFIELD & 1:
            f.casting |= 1 << CA_TAPPED
        if a.event == EV_DISCARDS and a.zones == 1 << Z_EXILE:
            f.flags |= FACE_MADNESS
        if not about_itself(filters, a.filter):
            f.listens_own &= ~(<uint64_t>1 << a.event)
        elif not f.listens >> a.event & 1:
            f.listens_own |= <uint64_t>1 << a.event
        f.listens |= <uint64_t>1 << a.event
        f.listen_zones |= a.zones
        if a.flags & TF_CHAPTER:
            while a.amount >> f.chapters:
                f.chapters += 1
    elif a.kind == AB_CASTING:
        if a.own == 1:
            f.casts_itself |= <uint16_t>(1 << a.event)
            f.flags |= FACE_ANNOUNCE
            if a.event == CA_LESS or a.event == CA_FLASH:
                f.flags |= FACE_OTHER_COST
        elif a.zones >> Z_BATTLEFIELD & 1:
            f.casting |= <uint16_t>(1 << a.event)
    elif a.kind == AB_STATIC:
        if a.zones >> Z_BATTLEFIELD & 1:
            f.flags |= FACE_STATIC
            f.reads |= a.reads
        if not a.zones >> Z_LIBRARY & a.zones >> Z_BATTLEFIELD & 1:
            # (What defines characteristics works everywhere, and is asked where they are: CR 604.3.)
            f.rule_zones |= a.zones & <uint16_t>~<int>(1 << Z_BATTLEFIELD)
    elif a.kind == AB_REPLACEMENT:
        if a.event == RP_COPY:
            f.choices |= ENTERS_COPY
            f.flags |= FACE_ENTERS
        elif a.event == RP_TURNED_UP:
            pass  # nobody needs to find it
        elif a.event == RP_ENTERS and a.own == 1:
            f.flags |= FACE_ENTERS  # nobody else needs to find it
        else:
            f.replaces |= <uint32_t>1 << a.event
            if a.own != 1:
                f.rule_zones |= a.zones & <uint16_t>~<int>(1 << Z_BATTLEFIELD)
    elif a.kind == AB_OPENING:
        f.flags |= FACE_OPENING
    elif a.kind == AB_RULE:
        f.restricts |= <uint16_t>(1 << a.event)


cdef void face_summary(Face *f) noexcept nogil:
    if f.types & T_INSTANT or f.keywords & K_FLASH:
        f.flags |= FACE_INSTANT_SPEED
    if f.keywords & (K_CONVOKE | K_DELVE | K_IMPROVISE) or f.cost.hi >> 48:
        f.flags |= FACE_OTHER_COST  # (what helps to pay, snow mana)
    if not f.types & (T_INSTANT | T_SORCERY):
        f.flags |= FACE_PERMANENT
    f.index_zones = (f.listen_zones | f.rule_zones) & <uint16_t>~<int>(1 << Z_BATTLEFIELD)
    if not (f.listens or f.index_zones or f.act_zones or f.replaces or f.restricts or f.hosts or f.casting
            or f.types & T_PLANESWALKER or f.flags & (FACE_AURA | FACE_EQUIPMENT | FACE_STATIC | FACE_ENTERS)):
        f.flags |= FACE_PLAIN


cdef bint is_definition(const Game *g, uint16_t d) noexcept nogil:
    if d < LOCAL_DEFS:
        return d < g.cards.n_faces
    return d - LOCAL_DEFS < <int>g.lay.defs and g.definition[d - LOCAL_DEFS].n != 0
