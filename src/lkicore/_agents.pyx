"""Built-in agents. An agent is a function of the game, of its own stream of chance and of nothing else."""

from lkicore._greedy cimport greedy_option
from lkicore._layout cimport Game
from lkicore._opcodes cimport *
from lkicore._rng cimport N_PURPOSES, S_AGENT, below


cdef int random_option(Game *g) noexcept nogil:
    """Keeps its opening hand; uniform over the options of every other choice."""
    if g.h.choice == CH_MULLIGAN:
        return 0
    return <int>below(&g.stream[(g.h.decider * N_PURPOSES + S_AGENT) * 2], g.h.n_options)


cdef int agent_option(Game *g, int agent) noexcept nogil:
    if agent == AG_GREEDY:
        return greedy_option(g)
    return random_option(g)
