"""What results are compared with: Python's integers, in NumPy arrays of objects."""

import re

import numpy as np

import evariste as ev

PRIMES = ["2^31 - 1", "65537", "7", "2^61 - 1", "2^64 - 2^32 + 1", "2^255 - 19", "p256", "p521"]
RINGS = ["2^96 + 6", "1000000016000000063"]
POLYNOMIALS = ["GF(2^8)", "GF(2^13)", "GF(2^64)", "GF(2^131)"]
NORMAL = ["GF(2^29):onb2", "GF(2^131):onb2"]
FIELDS = PRIMES + RINGS + POLYNOMIALS


class Reference:
    """Exact arithmetic of one field on arrays of objects."""

    def __init__(self, field):
        self.field, self.order = field, field.order
        self.binary = field.kind == "binary"
        if self.binary:
            inside = field.text.split("/(")[1].rstrip(")")
            exponents = [0 if t == "1" else 1 if t == "x" else int(t[2:]) for t in re.split(r"\s*\+\s*", inside)]
            self.polynomial = sum(1 << e for e in exponents)
            self.degree = max(exponents)
        self.add = np.frompyfunc((lambda a, b: a ^ b) if self.binary else (lambda a, b: (a + b) % self.order), 2, 1)
        self.subtract = self.add if self.binary else np.frompyfunc(lambda a, b: (a - b) % self.order, 2, 1)
        self.multiply = np.frompyfunc(self.product if self.binary else (lambda a, b: a * b % self.order), 2, 1)
        self.power = np.frompyfunc(self.raised, 2, 1)

    def product(self, a, b):
        total = 0
        while b:
            if b & 1:
                total ^= a
            a, b = a << 1, b >> 1
        for i in range(total.bit_length() - 1, self.degree - 1, -1):
            if total >> i & 1:
                total ^= self.polynomial << (i - self.degree)
        return total

    def raised(self, a, e):
        if not self.binary:
            return pow(int(a), int(e), self.order)
        result = 1
        e %= self.order - 1 if a else 1 << 62
        while e:
            if e & 1:
                result = self.product(result, a)
            a, e = self.product(a, a), e >> 1
        return result

    def negative(self, a):
        return self.subtract(np.zeros(np.shape(a), object), a)

    def sum(self, a, axis, keepdims=False):
        axes = range(a.ndim) if axis is None else [axis] if isinstance(axis, int) else axis
        shape = [1 if i in [x % a.ndim for x in axes] else n for i, n in enumerate(a.shape)]
        for i in sorted((x % a.ndim for x in axes), reverse=True):
            a = self.add.reduce(a, axis=i)
        return np.asarray(a, object).reshape(shape) if keepdims else a

    def prod(self, a, axis):
        return self.multiply.reduce(a, axis=axis)

    def matmul(self, a, b):
        return self.add.reduce(self.multiply(a[:, :, None], b[None, :, :]), axis=1)


_references = {}


def reference(text):
    if text not in _references:
        _references[text] = Reference(ev.Field(text))
    return _references[text]


def same(array, wanted):
    """Shape and numbers are those wanted."""
    wanted = np.asarray(wanted, object)
    assert isinstance(array, ev.Array), type(array)
    assert array.shape == wanted.shape, (array.shape, wanted.shape)
    assert array.to_objects().reshape(-1).tolist() == wanted.reshape(-1).tolist()


def edges(field):
    """Numbers where mistakes hide."""
    order = field.order
    bits = (order - 1).bit_length()
    numbers = {0, 1, 2, order - 1, order - 2, order // 2, (1 << bits // 2) - 1, 1 << (bits - 1)}
    return sorted(x for x in numbers if 0 <= x < order)
