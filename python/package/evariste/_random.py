"""Random elements: the same for the same seed on every machine and every version of NumPy."""

import numpy as np

from . import _core


def source(seed):
    """State and increment of NumPy's generator PCG64, as bytes: numbers are drawn by the extension."""
    seed = seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(seed)
    state = np.random.PCG64(seed).state["state"]
    return [state[name].to_bytes(16, "little") for name in ("state", "inc")]


def words(order, count, size, seed):
    """Canonical words of so many numbers below the order, drawn uniformly: what is not below it is drawn again."""
    return _core.random_words(*source(seed), order.to_bytes(8 * count + 8, "little"), count, size)
