"""NumPy's universal functions on arrays of a field: those that have a meaning there."""

import numpy as np

from . import _operations as operations
from ._base import Shaped
from ._field import mixed

_ORDERS = {"less", "less_equal", "greater", "greater_equal", "maximum", "minimum", "fmax", "fmin"}


def call(ufunc, method, inputs, options, methods=None):
    """``__array_ufunc__``; ``methods``: what there is, if that is not arithmetic of a field."""
    outs = options.pop("out", ())
    own = [x for x in inputs + outs if isinstance(x, Shaped) and x._field.kind == "curve"]
    if methods is None and own:
        # Points handle elements, of which there may be multiples.
        return NotImplemented
    methods = METHODS if methods is None else methods
    if options.pop("where", True) is not True:
        raise TypeError(f"np.{ufunc.__name__}: arrays of a field take no where=\nhelp: np.where chooses elements")
    dtype = options.pop("dtype", None)
    if not (dtype is None or dtype is object or isinstance(dtype, np.dtype) and dtype == object):
        raise TypeError(f"np.{ufunc.__name__}: a result of a field has no other dtype\nhelp: leave dtype= out")
    for name in ("casting", "order", "subok"):
        options.pop(name, None)
    name = "divide" if ufunc is np.true_divide else ufunc.__name__
    field = field_of(own or inputs + outs)
    if any(is_foreign(x) for x in inputs + outs):
        return NotImplemented
    run = methods.get(method, {}).get(name)
    if run is None:
        raise no_meaning(name, method, methods, field)
    return stored(ufunc, run(field, *inputs, **options), outs, method)


def no_meaning(name, method, methods, field):
    if name in _ORDERS:
        return TypeError(f"np.{name}: {field._things} have no order\nhelp: compare what to_ints() gives")
    called = f"np.{name}" if method == "__call__" else f"np.{name}.{method}"
    known = sorted(methods.get(method, ())) or sorted(methods["__call__"])
    return TypeError(f"{called} has no meaning for {field._things}\nhelp: there are {', '.join(known)}")


def field_of(operands):
    """The field of all arrays among some operands, the tower where some are of its ground field; or the curve."""
    field = None
    for x in operands:
        if isinstance(x, Shaped):
            field = x._field if field is None else common(field, x._field)
    return field


def common(left, right):
    if left is right or right is left._ground:
        return left
    if left is right._ground:
        return right
    raise mixed(left, right)


def is_foreign(x):
    """Something that handles us, rather than we it: an array of another library."""
    if isinstance(x, (Shaped, np.ndarray, np.generic, int, float, complex, str, bytes, list, tuple, type(None))):
        return False
    return getattr(type(x), "__array_ufunc__", None) is not None or hasattr(x, "__array_function__")


def operand(field, x):
    """An array of the field; numbers become elements."""
    if isinstance(x, Shaped):
        return x if x._field is field else field(x)
    if type(x) is int:
        return field._number(x)
    return field(x)


def two(name):
    return lambda field, a, b: operations.binary(name, operand(field, a), operand(field, b))


def equal(field, a, b):
    if a is None or b is None:
        return np.zeros(np.shape(b if a is None else a), bool)
    return operations.equal(operand(field, a), operand(field, b))


def not_equal(field, a, b):
    return ~np.asarray(equal(field, a, b))


def power(field, a, exponent):
    if isinstance(exponent, Shaped):
        raise TypeError("an exponent is an integer, not an element of a field\nhelp: a ** int(x), or x.to_objects()")
    return operations.power(operand(field, a), exponent)


def absolute(field, *_):
    raise TypeError("elements of a finite field have no absolute value")


def reduce(name):
    def run(field, a, axis=0, keepdims=False, initial=None, **_):
        result = operations.reduce(name, operand(field, a), axis, keepdims)
        if initial is None or initial is np._NoValue:
            return result
        return operations.binary(name, result, operand(field, initial))

    return run


def accumulate(name):
    return lambda field, a, axis=0, **_: operations.accumulate(name, operand(field, a), axis)


def outer(name):
    def run(field, a, b):
        a, b = operand(field, a), operand(field, b)
        return operations.binary(name, a.reshape(a.shape + (1,) * b.ndim), b)

    return run


METHODS = {
    "__call__": {
        "add": two("add"),
        "subtract": two("subtract"),
        "multiply": two("multiply"),
        "divide": lambda field, a, b: operations.divide(operand(field, a), operand(field, b)),
        "negative": lambda field, a: operations.negative(operand(field, a)),
        "positive": lambda field, a: operand(field, a).copy(),
        "square": lambda field, a: operations.square(operand(field, a)),
        "reciprocal": lambda field, a: operations.inverse(operand(field, a)),
        "power": power,
        "equal": equal,
        "not_equal": not_equal,
        "matmul": lambda field, a, b, **_: operations.matmul(operand(field, a), operand(field, b)),
        "absolute": absolute,
        "conjugate": lambda field, a: operand(field, a).conjugate(),
    },
    "reduce": {name: reduce(name) for name in ("add", "multiply")},
    "accumulate": {name: accumulate(name) for name in ("add", "multiply")},
    "outer": {name: outer(name) for name in ("add", "subtract", "multiply")},
}


def stored(ufunc, result, outs, method="__call__"):
    """The result, in the array that was given for it."""
    out = outs[0] if outs else None
    if out is None:
        return result
    called = ufunc if isinstance(ufunc, str) else ufunc.__name__
    if isinstance(result, Shaped) != isinstance(out, Shaped):
        kind = result._field._things if isinstance(result, Shaped) else "truth values"
        raise TypeError(f"np.{called}: the results are {kind}, which the array given as out= does not hold")
    fits = result.shape == out.shape
    if not fits and method == "__call__":
        fits = operations.broadcast_shape(result.shape, out.shape) == out.shape
    if not fits:
        raise ValueError(
            f"non-broadcastable output operand with shape {out.shape} doesn't match the broadcast shape {result.shape}"
        )
    if isinstance(out, Shaped):
        if not out._map.flags.writeable:
            raise ValueError("output array is read-only")
        out._write(out._map, result)
    else:
        out[...] = result
    return out
