"""Random elements: the same for the same seed on every machine and every version of NumPy."""

import numpy as np


def words(order, count, size, seed):
    """Canonical words of so many numbers below the order, drawn uniformly: what is not below it is drawn again."""
    source = np.random.PCG64(seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed))
    limit = np.array([order >> 64 * i & 0xFFFF_FFFF_FFFF_FFFF for i in range(count + 1)], np.uint64)
    spare = 64 * count - (order - 1).bit_length()
    drawn = draw(source, count, size, spare)
    if limit[count] or order & (order - 1) == 0:
        # Every number of as many bits is an element.
        return drawn.reshape(-1)
    again = np.flatnonzero(above(drawn, limit))
    while again.size:
        fresh = draw(source, count, again.size, spare)
        drawn[again] = fresh
        again = again[above(fresh, limit)]
    return drawn.reshape(-1)


def draw(source, count, size, spare):
    drawn = source.random_raw(size * count).reshape(size, count) if size else np.empty((0, count), np.uint64)
    drawn[:, -1] >>= np.uint64(spare)
    return drawn


def above(drawn, limit):
    """Which numbers are not below the limit: from the highest word down, as long as words are equal."""
    undecided, found = np.ones(len(drawn), bool), np.zeros(len(drawn), bool)
    for i in reversed(range(drawn.shape[1])):
        found |= undecided & (drawn[:, i] > limit[i])
        undecided &= drawn[:, i] == limit[i]
        if not undecided.any():
            break
    return found | undecided
