"""What NumPy makes of dtypes: their names, what they are promoted to, and how shapes broadcast."""

import numpy as np
from support.lines import serve

SCALARS = {"boolean": True, "bigint": 1, "number": 1.0}


def names(typestrs):
    """The name of each dtype that NumPy reads by its name, and how numpy.str writes it."""
    return [[_name(np.dtype(typestr)), np.dtype(typestr).str] for typestr in typestrs]


def _name(dtype):
    try:
        return dtype.name if np.dtype(dtype.name).str[1:] == dtype.str[1:] else None
    except TypeError:
        return None


def result_types(lists):
    """The typestr of the result of each list of typestrs and of types of scalars."""
    return [np.result_type(*map(_operand, operands)).str for operands in lists]


def _operand(text):
    return SCALARS[text] if text in SCALARS else np.dtype(text)


def castable(pairs, rules):
    """For each pair of typestrs the rules that allow the cast."""
    return [[rule for rule in rules if np.can_cast(*pair, rule)] for pair in pairs]


def broadcasts(lists):
    """The shape to which each list of shapes broadcasts, or null."""
    return [_broadcast(shapes) for shapes in lists]


def _broadcast(shapes):
    try:
        return list(np.broadcast_shapes(*map(tuple, shapes)))
    except ValueError:
        return None


serve(names, result_types, castable, broadcasts)
