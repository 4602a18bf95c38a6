"""NumPy's functions on arrays of a field.

Functions that only say which element goes where are NumPy's own, on the map of an array (its views are the array's) or
on the places of its elements (a copy).
"""

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from . import _einsum, _transforms
from . import _operations as operations
from ._base import Shaped
from ._points import Points
from ._ufuncs import field_of, operand, stored

FUNCTIONS = {}


def call(function, types, arguments, options):
    """``__array_function__``."""
    if not all(issubclass(t, (Shaped, np.ndarray)) for t in types):
        return NotImplemented
    run = FUNCTIONS.get(function)
    if run is not None and function in OF_ELEMENTS and any(issubclass(t, Points) for t in types):
        raise TypeError(f"np.{function.__name__}: points have sums and multiples, and no products")
    if run is None:
        if function.__name__ in ("max", "min", "amax", "amin", "sort", "argsort", "argmax", "argmin", "median"):
            raise TypeError(
                f"np.{function.__name__}: elements and points have no order\nhelp: to_objects() gives numbers"
            )
        raise TypeError(
            f"np.{function.__name__} does not take arrays of a field\n"
            "help: to_objects() gives an ndarray of numbers, which it may take"
        )
    return run(*arguments, **options)


def implements(*functions):
    def keep(run):
        for function in functions:
            FUNCTIONS[function] = run
        return run

    return keep


def by_map(function):
    """A view by NumPy's own function."""

    def run(a, *arguments, **options):
        return a._view(function(a._map, *arguments, **options))

    FUNCTIONS[function] = run


def by_maps(function):
    """Several views."""

    def run(a, *arguments, **options):
        return [a._view(places) for places in function(a._map, *arguments, **options)]

    FUNCTIONS[function] = run


def by_places(function):
    """A copy of the elements at the places that NumPy's own function gives."""

    def run(a, *arguments, **options):
        return a._taken(function(a._positions(), *arguments, **options))

    FUNCTIONS[function] = run


def by_shape(function):
    """Something about the shape alone."""
    FUNCTIONS[function] = lambda a, *arguments, **options: function(a._map, *arguments, **options)


for each in (np.transpose, np.swapaxes, np.moveaxis, np.rollaxis, np.expand_dims, np.squeeze, np.broadcast_to,
             np.diagonal, np.flip, np.fliplr, np.flipud, np.rot90):
    by_map(each)
for each in (np.array_split, np.split, np.hsplit, np.vsplit, np.dsplit):
    by_maps(each)
for each in (np.roll, np.take, np.repeat, np.tile, np.delete, np.resize, np.compress, np.take_along_axis):
    by_places(each)
for each in (np.shape, np.ndim, np.size):
    by_shape(each)
# (`np.matrix_transpose` and a few others are NumPy's since 2.0.)
by_map(np.matrix_transpose)


def all_operands(arrays):
    """Arrays of one field of some operands, of which one is an array at least."""
    arrays = list(arrays)
    field = field_of(arrays)
    return field, [operand(field, a) for a in arrays]


@implements(np.shares_memory, np.may_share_memory)
def shares_memory(a, b, max_work=None):
    if not (isinstance(a, Shaped) and isinstance(b, Shaped)) or a._elements is not b._elements:
        return False
    return bool(np.isin(a._positions().reshape(-1), b._positions().reshape(-1)).any())


@implements(np.atleast_1d)
def atleast_1d(*arrays):
    return several(np.atleast_1d, arrays)


@implements(np.atleast_2d)
def atleast_2d(*arrays):
    return several(np.atleast_2d, arrays)


@implements(np.atleast_3d)
def atleast_3d(*arrays):
    return several(np.atleast_3d, arrays)


def several(function, arrays):
    _, arrays = all_operands(arrays)
    made = tuple(a._view(function(a._map)) for a in arrays)
    return made[0] if len(made) == 1 else made


@implements(np.broadcast_arrays)
def broadcast_arrays(*arrays, subok=False):
    _, arrays = all_operands(arrays)
    shape = operations.broadcast_shape(*[a.shape for a in arrays])
    return tuple(a._view(np.broadcast_to(a._map, shape)) for a in arrays)


@implements(np.reshape)
def reshape(a, shape, order="C", *, copy=None):
    if copy is False:
        return a._view(np.reshape(a._map, shape, order=order, copy=False))
    return (a.copy() if copy else a).reshape(shape, order=order)


@implements(np.ravel)
def ravel(a, order="C"):
    return a.ravel(order)


@implements(np.copy)
def copy(a, order="K", subok=False):
    return a.copy()


@implements(np.copyto)
def copyto(dst, src, casting="same_kind", where=True):
    if not isinstance(dst, Shaped):
        raise TypeError("np.copyto: elements of a field have no place in an ndarray\nhelp: to_objects() gives numbers")
    if where is True:
        dst[...] = src
    else:
        where = np.broadcast_to(where, dst.shape)
        dst[where] = operand(dst._field, src)._broadcast(dst.shape)[where]


# Joining.


@implements(np.concatenate)
def concatenate(arrays, axis=0, out=None, *, dtype=None, casting=None):
    field, arrays = all_operands(arrays)
    if axis is None:
        arrays, axis = [a.reshape(-1) for a in arrays], 0
    shape = np.concatenate([a._map for a in arrays], axis).shape
    joined, at = field.zeros(shape), 0
    before = (slice(None),) * normalize_axis_index(axis, len(shape))
    for a in arrays:
        end = at + a.shape[len(before)]
        joined[before + (slice(at, end),)] = a
        at = end
    return stored("concatenate", joined, (out,), "concatenate")


@implements(np.stack)
def stack(arrays, axis=0, out=None, *, dtype=None, casting=None):
    _, arrays = all_operands(arrays)
    if len({a.shape for a in arrays}) > 1:
        raise ValueError("all input arrays must have the same shape")
    return concatenate([a._view(np.expand_dims(a._map, axis)) for a in arrays], axis, out)


@implements(np.vstack)
def vstack(tup, *, dtype=None, casting=None):
    return concatenate([np.atleast_2d(a) for a in all_operands(tup)[1]], 0)


@implements(np.hstack)
def hstack(tup, *, dtype=None, casting=None):
    arrays = [np.atleast_1d(a) for a in all_operands(tup)[1]]
    return concatenate(arrays, 0 if arrays[0].ndim == 1 else 1)


@implements(np.dstack)
def dstack(tup, *, dtype=None, casting=None):
    return concatenate([np.atleast_3d(a) for a in all_operands(tup)[1]], 2)


@implements(np.column_stack)
def column_stack(tup):
    arrays = all_operands(tup)[1]
    return concatenate([a if a.ndim > 1 else a.reshape(-1, 1) for a in arrays], 1)


@implements(np.append)
def append(arr, values, axis=None):
    return concatenate((arr, values) if axis is not None else (np.ravel(arr), np.ravel(values)), axis or 0)


@implements(np.where)
def where(condition, x=None, y=None):
    if isinstance(condition, Shaped):
        condition = condition != 0
    if x is None and y is None:
        return condition.nonzero()
    field = field_of((x, y))
    x, y = operand(field, x), operand(field, y)
    condition = np.asarray(condition, bool)
    shape = operations.broadcast_shape(condition.shape, x.shape, y.shape)
    chosen = np.broadcast_to(condition, shape)
    out = y._broadcast(shape).copy()
    out[chosen] = x if x.size == 1 else x._broadcast(shape)[chosen]
    return out


@implements(np.diag)
def diag(v, k=0):
    if v.ndim != 1:
        if v.ndim == 2:
            return v.diagonal(k)
        raise ValueError("Input must be 1- or 2-d.")
    n = len(v) + abs(k)
    out = v._field.zeros((n, n))
    out[np.eye(n, k=k, dtype=bool)] = v
    return out


@implements(np.tril)
def tril(m, k=0):
    return where(np.tri(*m.shape[-2:], k=k, dtype=bool), m, 0)


@implements(np.triu)
def triu(m, k=0):
    return where(~np.tri(*m.shape[-2:], k=k - 1, dtype=bool), m, 0)


# Like another array.


def shape_like(a, shape):
    return a.shape if shape is None else shape


@implements(np.zeros_like, np.empty_like)
def zeros_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return a._field.zeros(shape_like(a, shape))


@implements(np.ones_like)
def ones_like(a, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return a._field.ones(shape_like(a, shape))


@implements(np.full_like)
def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    return a._field.full(shape_like(a, shape), fill_value)


# Comparing and counting.


@implements(np.array_equal)
def array_equal(a1, a2, equal_nan=False):
    a, b = all_operands((a1, a2))[1]
    return a.shape == b.shape and bool(operations.equal(a, b).all())


@implements(np.array_equiv)
def array_equiv(a1, a2):
    a, b = all_operands((a1, a2))[1]
    try:
        return bool(operations.equal(a, b).all())
    except ValueError:
        return False


for each in (np.any, np.all, np.nonzero, np.flatnonzero, np.count_nonzero, np.argwhere):
    # Of which elements are not 0.
    FUNCTIONS[each] = lambda a, *arguments, function=each, **options: function(a != 0, *arguments, **options)


# Sums and products.


def reduction(name):
    def run(a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
        if where is not True and where is not np._NoValue:
            raise TypeError("reductions of a field take no where=\nhelp: np.where chooses elements")
        keepdims = False if keepdims is np._NoValue else keepdims
        result = operations.reduce(name, a, axis, keepdims)
        if initial is not None and initial is not np._NoValue:
            result = operations.binary(name, result, operand(a._field, initial))
        return stored("sum", result, (out,), "reduce")

    return run


FUNCTIONS[np.sum] = reduction("add")
FUNCTIONS[np.prod] = reduction("multiply")


def running(name):
    def run(a, axis=None, dtype=None, out=None):
        a = a.reshape(-1) if axis is None else a
        return stored(name, operations.accumulate(name, a, axis or 0), (out,), "accumulate")

    return run


FUNCTIONS[np.cumsum] = running("add")
FUNCTIONS[np.cumprod] = running("multiply")


@implements(np.diff)
def diff(a, n=1, axis=-1, prepend=None, append=None):
    axis = normalize_axis_index(axis, a.ndim)
    before = (slice(None),) * axis
    for _ in range(n):
        a = a[before + (slice(1, None),)] - a[before + (slice(None, -1),)]
    return a


@implements(np.trace)
def trace(a, offset=0, axis1=0, axis2=1, dtype=None, out=None):
    return stored("trace", a.trace(offset, axis1, axis2), (out,))


@implements(np.dot)
def dot(a, b, out=None):
    _, (a, b) = all_operands((a, b))
    return stored("dot", operations.dot(a, b), (out,), "dot")


@implements(np.vdot)
def vdot(a, b):
    _, (a, b) = all_operands((a, b))
    return operations.dot(a.reshape(-1), b.reshape(-1))


@implements(np.inner)
def inner(a, b):
    _, (a, b) = all_operands((a, b))
    if a.ndim == 0 or b.ndim == 0:
        return operations.binary("multiply", a, b)
    return operations.tensordot(a, b, (-1, -1))


@implements(np.outer)
def outer(a, b, out=None):
    _, (a, b) = all_operands((a, b))
    return stored("outer", operations.binary("multiply", a.reshape(-1, 1), b.reshape(1, -1)), (out,))


@implements(np.tensordot)
def tensordot(a, b, axes=2):
    _, (a, b) = all_operands((a, b))
    return operations.tensordot(a, b, axes)


@implements(np.kron)
def kron(a, b):
    _, (a, b) = all_operands((a, b))
    n = max(a.ndim, b.ndim)
    x, y = a.reshape((1,) * (n - a.ndim) + a.shape), b.reshape((1,) * (n - b.ndim) + b.shape)
    wide = x.reshape([m for k in x.shape for m in (k, 1)]) * y.reshape([m for k in y.shape for m in (1, k)])
    return wide.reshape([k * m for k, m in zip(x.shape, y.shape)])


@implements(np.einsum)
def einsum(*operands, out=None, optimize=False, **_):
    if not isinstance(operands[0], str):
        raise TypeError("np.einsum: arrays of a field take subscripts as a text\nhelp: write \"ij,jk->ik\"")
    _, arrays = all_operands(operands[1:])
    return stored("einsum", _einsum.einsum(operands[0], arrays), (out,), "einsum")


@implements(np.convolve)
def convolve(a, v, mode="full"):
    _, (a, v) = all_operands((a, v))
    full = _transforms.convolve(a.reshape(-1), v.reshape(-1))
    short, long = sorted((a.size, v.size))
    if mode == "full":
        return full
    if mode not in ("same", "valid"):
        raise ValueError("mode must be one of 'valid', 'same', or 'full'")
    length = long if mode == "same" else long - short + 1
    start = (len(full) - length) // 2
    return full[start : start + length]


@implements(np.linalg.matrix_power)
def matrix_power(a, n):
    if n < 0:
        raise ValueError("negative powers of matrices are not computed\nhelp: solve a system instead")
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")
    result = np.broadcast_to(a._field.eye(a.shape[-1]), a.shape).copy()
    while n:
        if n & 1:
            result = result @ a
        a, n = a @ a, n >> 1
    return result


@implements(np.array_repr, np.array_str, np.array2string)
def array_repr(a, *_, **__):
    return repr(a)


@implements(np.iscomplexobj)
def iscomplexobj(x):
    return False


@implements(np.isrealobj)
def isrealobj(x):
    return True


# What needs products, or a zero.
OF_ELEMENTS = {
    np.prod, np.cumprod, np.dot, np.vdot, np.inner, np.outer, np.tensordot, np.kron, np.einsum, np.convolve, np.diag, np.tril,
    np.triu, np.ones_like, np.linalg.matrix_power, np.trace, np.any, np.all, np.nonzero, np.flatnonzero, np.count_nonzero,
    np.argwhere,
}  # fmt: skip
