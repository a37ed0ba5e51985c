"""Declarations under requirements and restrictions (CR 508.1c-d, 509.1b-c).

Creatures are asked one after another. An option is legal if what is declared with it can still be completed to a whole
that breaks no restriction and obeys as many requirements as any whole could (508.1d, 509.1c). A small search with
bounds answers that; where nothing restricts or requires anything, nobody asks.
"""


cdef void whole_begin(Whole *w, int most_total) noexcept nogil:
    w.n = 0
    w.first[0] = 0
    w.n_targets = 0
    w.bonus_left = 0
    w.total = 0
    w.most_total = most_total
    w.loners = 0


cdef int whole_target(Whole *w, int least, int most, int bonus) noexcept nogil:
    """A further target; its number, -1 if there are too many to think of."""
    cdef int k = w.n_targets
    if k == MOST_TARGETS:
        return -1
    w.n_targets += 1
    w.count[k] = 0
    w.least[k] = least
    w.most[k] = most
    w.bonus[k] = bonus
    w.bonus_left += bonus
    return k


cdef bint whole_item(Whole *w, bint alone) noexcept nogil:
    if w.n == MOST_ITEMS or w.first[w.n] + MOST_TARGETS + 1 > MOST_CHOICES:
        return False
    w.alone[w.n] = alone
    w.n += 1
    w.first[w.n] = w.first[w.n - 1]
    return True


cdef void whole_option(Whole *w, int target, int points) noexcept nogil:
    """The most points first, then doing nothing: what comes first is tried first."""
    cdef int k = w.first[w.n]
    cdef int first = w.first[w.n - 1]
    w.first[w.n] += 1
    while k > first and w.points[k - 1] < points:
        w.target[k] = w.target[k - 1]
        w.points[k] = w.points[k - 1]
        k -= 1
    w.target[k] = <signed char>target
    w.points[k] = <uint8_t>points


cdef void whole_declared(Whole *w, int target, bint alone) noexcept nogil:
    if target >= 0:
        if w.count[target] == 0:
            w.bonus_left -= w.bonus[target]
        w.count[target] += 1
        w.total += 1
        w.loners += alone


cdef bint whole_legal(const Whole *w) noexcept nogil:
    cdef int k
    if w.loners and w.total == 1:
        return False
    for k in range(w.n_targets):
        if 0 < w.count[k] < w.least[k]:
            return False
    return True


cdef void look_on(Whole *w, int i, int points) noexcept nogil:
    """Creature i and those after it."""
    cdef int k, t, more
    w.nodes += 1
    if w.nodes > MOST_NODES or points + w.most_of[i] + w.bonus_left <= w.best:
        return
    if i == w.n:
        if whole_legal(w):
            w.best = points
        return
    for k in range(w.first[i], w.first[i + 1]):
        t = w.target[k]
        if t < 0:
            look_on(w, i + 1, points + w.points[k])
            continue
        if w.total >= w.most_total or w.count[t] >= w.most[t]:
            continue
        more = w.bonus[t] if w.count[t] == 0 else 0
        w.count[t] += 1
        w.total += 1
        w.loners += w.alone[i]
        w.bonus_left -= more
        look_on(w, i + 1, points + w.points[k] + more)
        w.bonus_left += more
        w.loners -= w.alone[i]
        w.total -= 1
        w.count[t] -= 1


cdef int whole_points(Whole *w, int target, int points, bint alone) noexcept nogil:
    cdef int i
    cdef int more = 0
    w.most_of[w.n] = 0
    for i in range(w.n - 1, -1, -1):
        w.most_of[i] = w.most_of[i + 1] + (w.points[w.first[i]] if w.first[i + 1] > w.first[i] else 0)
    w.best = -1
    w.nodes = 0
    if target < 0:
        look_on(w, 0, points)
        return w.best
    if w.total >= w.most_total or w.count[target] >= w.most[target]:
        return -1
    more = w.bonus[target] if w.count[target] == 0 else 0
    w.count[target] += 1
    w.total += 1
    w.loners += alone
    w.bonus_left -= more
    look_on(w, 0, points + more)
    w.bonus_left += more
    w.loners -= alone
    w.total -= 1
    w.count[target] -= 1
    return w.best
