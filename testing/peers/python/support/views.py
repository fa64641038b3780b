"""Views as core names them, of NumPy's arrays."""

import numpy as np


def view_of(array, name, argument):
    if name == "slice":
        index = tuple(part if isinstance(part, int) else slice(*(part or [None])) for part in argument)
        return array[(*index, ...)]
    if name == "permuteDims":
        return array.transpose(argument)
    # Of no axes, NumPy would make a scalar of an array without axes.
    return np.flip(array, tuple(argument)) if argument else array
