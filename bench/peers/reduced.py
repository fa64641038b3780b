"""The arguments of reductions that NumPy and dpnp share."""

import numpy as np

PERIOD = 100


def numbers(kind, size, is_of_zeros):
    """Bytes of a block: the numbers 1 to PERIOD again and again, or zeros."""
    count = -(-size // np.dtype(kind).itemsize)
    if is_of_zeros:
        return np.full(count, 0, kind)  # touched, unlike zeros()
    return np.resize(np.arange(1, PERIOD + 1).astype(kind), count)


def axis_of(axes):
    if axes is None:
        return None
    return tuple(axes) if len(axes) > 1 else axes[0]
