"""Multiples of points, and the universal functions of arrays of points."""

import numpy as np

from . import _convert
from . import _operations as operations
from ._base import Shaped
from ._points import Points
from ._ufuncs import equal, not_equal, operand


def scalars(curve, given):
    """An array of Python's integers of whatever stands for scalars."""
    if isinstance(given, Points):
        raise TypeError("points have no product\nhelp: k * P takes an integer, or an array of integers, and points")
    if isinstance(given, Shaped):
        field = given._field
        if field.kind != "prime" or field.order != curve.order:
            raise TypeError(
                f"multiples of points of {curve.text} by elements of {field.text}\n"
                "help: give integers, or elements modulo the order of the base point"
            )
        return given.to_objects() if given.ndim else np.array(int(given), object)
    return _convert.numbers(given)


def multiple(given, points, members=False):
    """``k·P``, for one scalar or one for each point; ``members``: the points are multiples of the base point."""
    curve = points._field
    curve._need("scalar_mul", "multiples")
    numbers = scalars(curve, given)
    shape = operations.broadcast_shape(numbers.shape, points.shape)
    count = operations.size_of(shape)
    if count == 0:
        return curve.zeros(shape)
    if numbers.size != 1:
        numbers = np.broadcast_to(numbers, shape)
    elements = points._flat() if points.size == 1 else points._broadcast(shape)._flat()
    values = [_convert.exact(k) for k in numbers.reshape(-1).tolist()]
    signs = [k < 0 for k in values]
    # All points there are, or all that are meant: modulo their number, multiples are the same for all of them.
    count = curve._known_order() if members else curve._points
    if count:
        values, signs = [k % count for k in values], [False] * len(values)
    name = "mul_in_subgroup" if members and "mul_in_subgroup" in curve._facts["operations"] else "scalar_mul"
    made = Points._of(curve, unsigned(curve, [abs(k) for k in values], elements, name), shape)
    if any(signs):
        made = made if len(signs) > 1 or signs == [False] else operations.negative(made)
        if len(signs) > 1:
            mask = np.array(signs).reshape(shape)
            made[mask] = operations.negative(made[mask])
    return made


def double_multiple(curve, k, points, l):
    """``k·P + l·G`` for the base point G: by one kernel where scalars are short enough, which they are modulo the order."""
    points, first, second = curve.array(points), scalars(curve, k), scalars(curve, l)
    shape = operations.broadcast_shape(first.shape, points.shape, second.shape)
    short = curve._points is not None and curve._points.bit_length() <= curve._scalar_bits
    if operations.size_of(shape) == 0 or not short or "double_scalar_mul" not in curve._facts["operations"]:
        return multiple(k, points) + multiple(l, curve.generator)

    def rows(numbers):
        numbers = numbers if numbers.size == 1 else np.broadcast_to(numbers, shape)
        return words([_convert.exact(x) % curve._points for x in numbers.reshape(-1).tolist()], curve._scalar_bits)

    elements = points._flat() if points.size == 1 else points._broadcast(shape)._flat()
    made = curve._core.compute("double_scalar_mul", [rows(first), elements, rows(second)], curve._core)
    return Points._of(curve, made, shape)


def unsigned(curve, values, elements, name="scalar_mul"):
    """Multiples by natural numbers of any length: digit by digit where a kernel takes fewer bits."""
    bits = curve._scalar_bits
    longest = max(k.bit_length() for k in values)
    core = curve._core
    if longest <= bits:
        if elements is curve._generator_elements and "mul_base" in curve._facts["operations"]:
            return core.compute("mul_base", [words(values, bits)], core)
        return core.compute(name, [words(values, bits), elements], core)
    width = bits - 1
    radix, mask, out = words([1 << width], bits), (1 << width) - 1, None
    for start in reversed(range(0, longest, width)):
        digits = words([k >> start & mask for k in values], bits)
        part = core.compute(name, [digits, elements], core)
        if out is not None:
            out = core.compute(name, [radix, out], core).binary("add", part)
        else:
            out = part
    return out


def words(values, bits):
    """Numbers of at most so many bits as rows of words, lowest first."""
    size = 8 * -(-bits // 64)
    data = b"".join([k.to_bytes(size, "little") for k in values])
    return np.frombuffer(data, np.uint64).reshape(len(values), -1)


def product(curve, a, b):
    return multiple(a, b) if isinstance(b, Points) else multiple(b, a)


def two(name):
    return lambda curve, a, b: operations.binary(name, operand(curve, a), operand(curve, b))


def reduce(curve, a, axis=0, keepdims=False, initial=None, **_):
    result = operations.reduce("add", operand(curve, a), axis, keepdims)
    if initial is None or initial is np._NoValue:
        return result
    return operations.binary("add", result, operand(curve, initial))


def power(curve, *_):
    raise TypeError("points have no powers\nhelp: k * P is a multiple")


METHODS = {
    "__call__": {
        "add": two("add"),
        "subtract": two("subtract"),
        "multiply": product,
        "negative": lambda curve, a: operations.negative(operand(curve, a)),
        "positive": lambda curve, a: operand(curve, a).copy(),
        "equal": equal,
        "not_equal": not_equal,
        "power": power,
    },
    "reduce": {"add": reduce},
    "accumulate": {"add": lambda curve, a, axis=0, **_: operations.accumulate("add", operand(curve, a), axis)},
}
