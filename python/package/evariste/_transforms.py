"""Number-theoretic transforms and products of polynomials."""

import operator

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from . import _operations as operations
from ._array import Array

# Products of coefficients up to which polynomials are multiplied as in school, and of which a part is computed at once.
_SCHOOL = 1 << 14
_AT_ONCE = 1 << 22


def root(field, n):
    """A number of the order n."""
    n = operator.index(n)
    if n < 1 or n & (n - 1):
        raise ValueError(f"{n} is no power of two\nhelp: pad with zeros to the next one")
    if field.kind != "prime" or (field.order - 1) % n:
        raise ValueError(
            f"{field.text} has no element of the order {n}\n"
            f"help: transforms need a prime p with {n} dividing p - 1, such as 2^64 - 2^32 + 1 or bls12-381-fr"
        )
    p = field.order
    base = next(g for g in range(2, p + 1) if pow(g, (p - 1) // 2, p) != 1) if p > 2 else 1
    return pow(base, (p - 1) // n, p)


def ntt(a, inverse):
    field = a.field
    if a.ndim == 0:
        raise ValueError("a transform of an array without dimensions\nhelp: give a vector")
    n = a.shape[-1]
    w = root(field, n)
    if inverse:
        w = pow(w, -1, field.order)
    if a.size == 0 or n == 1:
        return a.copy()
    if n < field._core.smallest_transform:
        out = operations.matmul(a, powers(field, w, n))
    else:
        data = w.to_bytes(field.bytes, "little")
        out = Array._of(field, a._flat().transform(n, data), a.shape)
    return operations.binary("multiply", out, field._number(pow(n, -1, field.order))) if inverse else out


def powers(field, w, n):
    """The matrix ``w^(jk)``."""
    table = [pow(w, i, field.order) for i in range(n)]
    places = np.outer(np.arange(n), np.arange(n)) % n
    return field(table)[places]


def convolve(a, b):
    """The product of two polynomials, lowest coefficient first."""
    if a.ndim != 1 or b.ndim != 1:
        raise ValueError(f"shapes {a.shape} and {b.shape}\nhelp: give two vectors of coefficients")
    if a.size == 0 or b.size == 0:
        raise ValueError("a polynomial without coefficients\nhelp: give one at least")
    length = a.size + b.size - 1
    n = 1 << (length - 1).bit_length()
    field = a.field
    if a.size * b.size <= _SCHOOL or field.kind != "prime" or (field.order - 1) % n:
        return school(a, b, length)
    x, y = field.zeros((2, n))
    x[: a.size], y[: b.size] = a, b
    return ntt(operations.binary("multiply", ntt(x, False), ntt(y, False)), True)[:length].copy()


def school(a, b, length):
    """Every coefficient as an inner product, reduced once."""
    if a.size < b.size:
        a, b = b, a
    field, m = a.field, b.size
    padded = field.zeros(length + m - 1)
    padded[m - 1 : m - 1 + a.size] = a
    windows = padded._view(sliding_window_view(padded._map, m))
    reverse, out = b[::-1].copy(), field.zeros(length)
    step = max(1, _AT_ONCE // m)
    for start in range(0, length, step):
        out[start : start + step] = operations.matmul(windows[start : start + step], reverse)
    return out
