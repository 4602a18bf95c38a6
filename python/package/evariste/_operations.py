"""What operators and functions do with arrays of one field: broadcasts, constants, reductions, products of matrices."""

import operator

import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from . import _convert

# Up to so many terms, sums of many runs go over the runs side by side, as vectors.
_SHORT_RUN = 4096


def broadcast_shape(*shapes):
    """The common shape, or NumPy's error."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        text = " ".join(str(shape) for shape in shapes)
        raise ValueError(f"operands could not be broadcast together with shapes {text}") from None


def binary(name, a, b):
    """``add``, ``subtract``, ``multiply``."""
    if name == "subtract" and a._field.kind == "curve":
        return binary("add", a, negative(b))
    shape = a.shape if a.shape == b.shape else broadcast_shape(a.shape, b.shape)
    if a.size == 1 and b.size != 1:
        if name == "subtract":
            return binary("add", negative(b), a)
        a, b = b, a
    first = a._broadcast(shape)._flat() if a.size != 1 or shape != () else a._flat()
    second = b._flat() if b.size == 1 or b.shape == shape else b._broadcast(shape)._flat()
    return a._like(first.binary(name, second), shape)


def negative(a):
    return a._like(a._flat().negative(), a.shape)


def square(a):
    return a._like(a._flat().square(), a.shape)


def inverse(a):
    field = a._field
    if field.kind == "ring":
        return ring_inverse(a)
    if a.size == 1 and field.kind != "tower":
        # One inversion is done by big integers, without code for arrays.
        number = int(a)
        found = field._core.inverse(number.to_bytes(field.bytes, "little"))
        if found is None:
            raise no_inverse(a, 0)
        return field._of_objects(np.array([int.from_bytes(found, "little")], object), a.shape)
    elements, zero = a._flat().inverse()
    if zero is not None:
        raise no_inverse(a, zero)
    return a._like(elements, a.shape)


def ring_inverse(a):
    """Modulo a composite number not only 0 has none: number by number."""
    field, objects = a._field, a.to_objects().reshape(-1)
    for i, number in enumerate(objects):
        try:
            objects[i] = pow(number, -1, field.order)
        except ValueError:
            raise no_inverse(a, i) from None
    return field._of_objects(objects, a.shape)


def no_inverse(a, flat):
    index = tuple(int(i) for i in np.unravel_index(flat, a.shape))
    where = "the element" if index == () else f"element {index[0] if len(index) == 1 else index}"
    number = int(a[index])
    return ZeroDivisionError(f"{where} is {number}, which has no inverse in {a._field.text}")


def divide(a, b):
    # (What is broadcast is inverted before, once.)
    return binary("multiply", a, inverse(b))


def power(a, exponents):
    """Powers by integers, one for all or one for each element."""
    exponents = _convert.numbers(exponents)
    if exponents.ndim == 0 or exponents.size == 1:
        exponent = _convert.exact(exponents.reshape(-1)[0])
        shape = broadcast_shape(a.shape, exponents.shape)
        return power_of_all(a, exponent)._broadcast(shape).reshape(shape)
    shape = broadcast_shape(a.shape, exponents.shape)
    wanted = np.broadcast_to(exponents, shape).reshape(-1)
    base = a._broadcast(shape).reshape(-1)
    out = a._field.ones(base.size)
    for exponent in set(wanted.tolist()):
        places = np.flatnonzero(wanted == exponent)
        try:
            out[places] = power_of_all(base[places], _convert.exact(exponent))
        except ZeroDivisionError:
            bad = first_without_inverse(base[places])
            raise no_inverse(base.reshape(shape), int(places[bad])) from None
    return out.reshape(shape)


def first_without_inverse(a):
    if a._field.kind != "ring":
        return int(np.flatnonzero(a == 0)[0])
    return next(i for i, x in enumerate(a.to_objects()) if not invertible(x, a._field))


def invertible(number, field):
    try:
        pow(number, -1, field.order)
    except ValueError:
        return False
    return True


def power_of_all(a, exponent):
    if exponent < 0:
        a, exponent = inverse(a), -exponent
    if exponent == 2:
        return square(a)
    data = exponent.to_bytes(max(1, -(-exponent.bit_length() // 8)), "little")
    return a._like(a._flat().power(data), a.shape)


def equal(a, b):
    shape = broadcast_shape(a.shape, b.shape)
    return a._broadcast(shape)._flat().equal(b._broadcast(shape)._flat()).reshape(shape)


def multiply_add(a, b, c):
    """``a·b + c``, reduced once."""
    shape = broadcast_shape(a.shape, b.shape, c.shape)
    if a.size == 1 and shape != ():
        a, b = b, a
    if b.size == 1 and shape != () and a.size != 1:
        c, a = c._broadcast(shape)._flat(), a._broadcast(shape)._flat()
        return b._like(c.plus_multiple(a, b._flat()), shape)
    first, second, third = (x._broadcast(shape)._flat() for x in (a, b, c))
    return a._like(first.multiply_add(second, third), shape)


# Reductions.


def reduce(name, a, axis, keepdims):
    """``add`` or ``multiply`` over axes."""
    field = a._field
    axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim, "axis")
    kept = tuple(i for i in range(a.ndim) if i not in axes)
    rest = tuple(a.shape[i] for i in kept)
    shape = tuple(1 if i in axes else n for i, n in enumerate(a.shape)) if keepdims else rest
    count, length = size_of(rest), size_of(a.shape[i] for i in axes)
    if count == 0 or length == 0:
        return field.zeros(shape) if name == "add" else field.ones(shape)
    if length == 1:
        return a.copy().reshape(shape)
    if name == "add" and field._lazy and (count < field._lanes_now() or length > _SHORT_RUN):
        elements = run_sums(a._view(a._map.transpose(kept + axes)), count, length)
    elif count >= field._lanes_now():
        elements = fold_rows(name, a._view(a._map.transpose(axes + kept)), length, count)
    else:
        elements = fold_runs(name, a._view(a._map.transpose(kept + axes)), count, length)
    return a._like(elements, shape)


def size_of(shape):
    size = 1
    for n in shape:
        size *= n
    return size


def padded(a, rows, width, pitch, filling=None):
    """Rows of a given width, each of which starts a given number behind the last."""
    flat = a._flat()
    if width == pitch:
        return flat
    core = a._field._core
    if filling is None:
        out = core.zeros(rows * pitch)
    else:
        out = a._field.full(rows * pitch, filling)._elements
    out.scatter(0, (rows, width), (pitch, 1), flat)
    return out


def run_sums(a, count, length):
    pitch = length if count == 1 else whole(length, a._field._lanes_now())
    return padded(a, count, length, pitch).sums(count, length, pitch)


def whole(n, lanes):
    return -(-n // lanes) * lanes


def fold_rows(name, a, rows, width):
    pitch = whole(width, a._field._lanes_now())
    folded = padded(a, rows, width, pitch).fold(name, rows, pitch)
    return folded if pitch == width else folded.gather(0, (width,), (1,))


def fold_runs(name, a, count, length):
    """Few long runs: lanes are neighbours of a run, and are folded at the end."""
    lanes = a._field._lanes_now()
    pitch = whole(length, lanes)
    elements = padded(a, count, length, pitch, a._field._one if name == "multiply" else 0)
    rows = pitch // lanes
    # Row j holds the j-th vector of each run.
    if count > 1:
        elements = elements.gather(0, (rows, count, lanes), (lanes, pitch, 1))
    elements = elements.fold(name, rows, count * lanes)
    while lanes > 1:
        half = lanes // 2
        lower = elements.gather(0, (count, half), (lanes, 1))
        elements = lower.binary(name, elements.gather(half, (count, half), (lanes, 1)))
        lanes = half
    return elements


def accumulate(name, a, axis):
    """Sums or products of the first 1, 2, 3, … along an axis, by doubling steps."""
    axis = normalize_axis_index(axis, a.ndim)
    out = a.copy()
    step, count = 1, a.shape[axis]
    before = (slice(None),) * axis
    while step < count:
        upper, lower = out[before + (slice(step, None),)], out[before + (slice(None, count - step),)]
        out[before + (slice(step, None),)] = binary(name, upper, lower)
        step *= 2
    return out


# Products of matrices.


def matmul(a, b):
    """:func:`numpy.matmul`: matrices in the last two axes."""
    if a.ndim == 0 or b.ndim == 0:
        which = 0 if a.ndim == 0 else 1
        raise ValueError(
            f"matmul: Input operand {which} does not have enough dimensions (has 0, gufunc core with signature "
            "(n?,k),(k,m?)->(n?,m?) requires 1)"
        )
    left = a if a.ndim > 1 else a.reshape(1, -1)
    right = b if b.ndim > 1 else b.reshape(-1, 1)
    (m, k), (other, n) = left.shape[-2:], right.shape[-2:]
    if k != other:
        raise ValueError(
            f"matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature "
            f"(n?,k),(k,m?)->(n?,m?) (size {other} is different from {k})"
        )
    stack = broadcast_shape(left.shape[:-2], right.shape[:-2])
    out = product(left, right, stack, m, k, n)
    shape = stack + ((m,) if a.ndim > 1 else ()) + ((n,) if b.ndim > 1 else ())
    return out.reshape(shape)


def product(a, b, stack, m, k, n):
    """Stacked matrices."""
    field = a._field
    if not stack:
        return a._like(one_product(a, b, m, k, n), (m, n))
    if size_of(b.shape[:-2]) == 1:
        # One right factor for all: the left ones are one tall matrix.
        tall = a._broadcast(stack + (m, k)).reshape(-1, k)
        return a._like(one_product(tall, b.reshape(k, n), len(tall), k, n), stack + (m, n))
    left, right = a._broadcast(stack + (m, k)), b._broadcast(stack + (k, n))
    out = field.zeros(stack + (m, n))
    for index in np.ndindex(*stack):
        out[index] = a._like(one_product(left[index], right[index], m, k, n), (m, n))
    return out


def one_product(a, b, m, k, n):
    core = a._field._core
    if not a._field._lazy:
        return sum_of_products(a, b, m, k, n)._elements
    if n == 1 and m * k and a._field.kind != "binary":
        # Lanes along the rows.
        pitch = k if m == 1 else whole(k, a._field._lanes_now())
        return padded(a, m, k, pitch).dots(padded(b.T, 1, k, pitch), m, k, pitch)
    if m * n == 0:
        return core.zeros(0)
    return a._flat().matmul(b._flat(), m, k, n)


def sum_of_products(a, b, m, k, n):
    """A product of matrices, column by row: of elements whose products are always reduced."""
    total = a._field.zeros((m, n))
    for i in range(k if m * n else 0):
        total = binary("add", total, binary("multiply", a[:, i, None], b[None, i]))
    return total


def dot(a, b):
    """:func:`numpy.dot`."""
    if a.ndim == 0 or b.ndim == 0:
        return binary("multiply", a, b)
    if b.ndim == 1:
        last = b.shape[0]
        if a.shape[-1] != last:
            raise not_aligned(a, b, a.ndim - 1, 0)
        if a.ndim == 1:
            if last == 0:
                return a._field.zeros(())
            if not a._field._lazy:
                return reduce("add", binary("multiply", a, b), None, False)
            return a._like(a._flat().dots(b._flat(), 1, last, last), ())
        return matmul(a, b)
    if a.shape[-1] != b.shape[-2]:
        raise not_aligned(a, b, a.ndim - 1, b.ndim - 2)
    return matmul(a, b) if b.ndim == 2 else tensordot(a, b, (-1, -2))


def not_aligned(a, b, i, j):
    return ValueError(f"shapes {a.shape} and {b.shape} not aligned: {a.shape[i]} (dim {i}) != {b.shape[j]} (dim {j})")


def tensordot(a, b, axes=2):
    """:func:`numpy.tensordot`: one product of two matrices."""
    try:
        left, right = axes
    except TypeError:
        count = operator.index(axes)
        left, right = tuple(range(a.ndim - count, a.ndim)), tuple(range(count))
    left = normalize_axis_tuple(left, a.ndim, "axes")
    right = normalize_axis_tuple(right, b.ndim, "axes")
    if [a.shape[i] for i in left] != [b.shape[j] for j in right]:
        raise ValueError("shape-mismatch for sum")
    free_a = [i for i in range(a.ndim) if i not in left]
    free_b = [j for j in range(b.ndim) if j not in right]
    shape = tuple(a.shape[i] for i in free_a) + tuple(b.shape[j] for j in free_b)
    k = size_of(a.shape[i] for i in left)
    m, n = size_of(a.shape[i] for i in free_a), size_of(b.shape[j] for j in free_b)
    x = a.transpose(*free_a, *left).reshape(m, k)
    y = b.transpose(*right, *free_b).reshape(k, n)
    return a._like(one_product(x, y, m, k, n), (m, n)).reshape(shape)
