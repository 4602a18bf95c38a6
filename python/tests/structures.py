"""What arrays of towers and points are compared with: slow arithmetic on Python's integers."""

import numpy as np

import evariste as ev

P381 = 0x1A0111EA397FE69A4B1BA7B6434BACD764774B84F38512BF6730D2A0F6B0F6241EABFFFEB153FFFFB9FEFFFFFFFFAAAB
P254 = 0x30644E72E131A029B85045B68181585D97816A916871CA8D3C208C16D87CFD47
# By description: the characteristic, and for each floor its degree and what the power of its variable is, in coordinates.
TOWERS = {
    "13[u]/(u^2-2)": (13, [(2, [2])]),
    "bls12-381-fp2": (P381, [(2, [-1])]),
    "bn254-fp6": (P254, [(2, [-1]), (3, [9, 1])]),
    "bls12-381-fp12": (P381, [(2, [-1]), (3, [1, 1]), (2, [0, 0, 1, 0, 0, 0])]),
}


class TowerReference:
    """Products of elements as lists of coordinates, floor by floor."""

    def __init__(self, text):
        self.field = ev.Field(text)
        self.p, self.floors = TOWERS[text]
        self.degree = 1
        for count, _ in self.floors:
            self.degree *= count

    def add(self, a, b):
        return tuple((x + y) % self.p for x, y in zip(a, b))

    def negative(self, a):
        return tuple(-x % self.p for x in a)

    def one(self, number=1):
        return (number % self.p,) + (0,) * (self.degree - 1)

    def multiply(self, a, b, floor=None):
        floor = len(self.floors) if floor is None else floor
        if floor == 0:
            return (a[0] * b[0] % self.p,)
        count, power = self.floors[floor - 1]
        size = len(a) // count
        parts = [(0,) * size for _ in range(2 * count - 1)]
        for i in range(count):
            for j in range(count):
                own = self.multiply(a[i * size : (i + 1) * size], b[j * size : (j + 1) * size], floor - 1)
                parts[i + j] = self.add(parts[i + j], own)
        for i in range(count, 2 * count - 1):
            parts[i - count] = self.add(parts[i - count], self.multiply(parts[i], power, floor - 1))
        return tuple(x for part in parts[:count] for x in part)

    def power(self, a, exponent):
        result = self.one()
        for bit in bin(exponent)[2:]:
            result = self.multiply(result, result)
            if bit == "1":
                result = self.multiply(result, a)
        return result


class CurveReference:
    """Sums of affine points: pairs, and ``None`` for the neutral element of Weierstrass curves."""

    def __init__(self, curve):
        self.p, self.edwards = curve.field.order, curve.shape == "edwards"
        self.c0, self.c1 = (int(c) for c in curve.coefficients)
        self.neutral = (0, 1) if self.edwards else None

    def add(self, left, right):
        p = self.p
        if self.edwards:
            (x1, y1), (x2, y2) = left, right
            t = self.c1 * x1 * x2 * y1 * y2
            x = (x1 * y2 + y1 * x2) * pow(1 + t, -1, p) % p
            return x, (y1 * y2 - self.c0 * x1 * x2) * pow(1 - t, -1, p) % p
        if left is None or right is None:
            return left if right is None else right
        (x1, y1), (x2, y2) = left, right
        if x1 == x2 and (y1 + y2) % p == 0:
            return None
        slope = (3 * x1 * x1 + self.c0) * pow(2 * y1, -1, p) if x1 == x2 else (y2 - y1) * pow(x2 - x1, -1, p)
        x = (slope * slope - x1 - x2) % p
        return x, (slope * (x1 - x) - y1) % p

    def negative(self, point):
        if point is None:
            return None
        x, y = point
        return (-x % self.p, y) if self.edwards else (x, -y % self.p)

    def multiple(self, k, point):
        if k < 0:
            k, point = -k, self.negative(point)
        total = self.neutral
        for bit in bin(k)[2:]:
            total = self.add(total, total)
            if bit == "1":
                total = self.add(total, point)
        return total


def each(function, *arrays):
    """What a function of items gives for each, broadcast as NumPy does."""
    arrays = np.broadcast_arrays(*arrays)
    out = np.empty(arrays[0].shape, object)
    for index in np.ndindex(*out.shape):
        out[index] = function(*[a[index] for a in arrays])
    return out
