"""Points as one coordinate and a bit: SEC 1 on Weierstrass curves, RFC 8032 on Edwards curves."""

import numpy as np

from . import _roots


def size(curve):
    """Bytes of a compressed point."""
    _allowed(curve)
    bits = curve.field.order.bit_length()
    return bits // 8 + 1 if curve.shape == "edwards" else 1 + -(-bits // 8)


def _allowed(curve):
    curve._need("add", "points")
    if curve.field.kind != "prime":
        raise ValueError(f"points of {curve.text} are not compressed here\nhelp: curves over prime fields have compressed points")


def compress(points):
    """Bytes of all points, one after the other."""
    curve, count = points._field, points.size
    out = np.zeros((count, size(curve)), np.uint8)
    x, y = points.reshape(-1).affine()
    if curve.shape == "edwards":
        out[:, : curve.field.bytes] = np.frombuffer(y.to_bytes(), np.uint8).reshape(count, -1)
        out[:, -1] |= _roots.parities(x).astype(np.uint8) << 7
        return out.tobytes()
    out[:, 1:] = np.frombuffer(x.to_bytes("big"), np.uint8).reshape(count, -1)
    out[:, 0] = 2 + _roots.parities(y)
    out[points.reshape(-1).is_identity()] = 0
    return out.tobytes()


def decompress(curve, buffer):
    """Points of bytes; what is no compressed point is an error that names it."""
    length = size(curve)
    data = np.frombuffer(memoryview(buffer).cast("B"), np.uint8)
    if data.size % length:
        raise ValueError(
            f"{data.size} bytes are not a whole number of compressed points: one has {length} bytes\n"
            f"help: give a multiple of {length} bytes"
        )
    records = data.reshape(-1, length)
    x, y, good = (_edwards if curve.shape == "edwards" else _weierstrass)(curve, records)
    if not good.all():
        first = int(np.flatnonzero(~good)[0])
        form = "y, and the lowest bit of x in the highest one" if curve.shape == "edwards" else "2 or 3, and x; or zeros"
        raise ValueError(
            f"element {first} is {records[first].tobytes().hex()}, which is no compressed point of {curve.text}\nhelp: it is {form}"
        )
    return curve((x, y))


def _coordinates(curve, records, byteorder, length):
    """The numbers, 0 for those that are not below p, and which are."""
    numbers = [int.from_bytes(record.tobytes(), byteorder) for record in records] if len(records) else []
    below = np.array([n < curve.field.order for n in numbers], bool)
    if below.all():
        return curve.field.from_bytes(records[:, :length].tobytes() if byteorder == "little" else records.tobytes(), byteorder), below
    return curve.field([n if ok else 0 for n, ok in zip(numbers, below)]), below


def _weierstrass(curve, records):
    tags, neutral = records[:, 0], ~records.any(axis=1)
    x, below = _coordinates(curve, records[:, 1:], "big", records.shape[1] - 1)
    a, b = curve.coefficients
    y, squares = _roots.roots((x * x + a) * x + b)
    odd = tags == 3
    good = neutral | below & squares & ((tags == 2) | odd) & ~(odd & (y == 0))
    of_neutral = curve.field.zeros(x.shape) if curve._flagged else curve.field.ones(x.shape)
    return x, np.where(neutral, of_neutral, np.where(odd, -y, y)), good


def _edwards(curve, records):
    records = records.copy()
    odd = records[:, -1] >= 128
    records[:, -1] &= 127
    y, below = _coordinates(curve, records, "little", curve.field.bytes)
    a, d = curve.coefficients
    square = y * y
    divisor = a - d * square
    none = divisor == 0
    x, squares = _roots.roots((1 - square) / np.where(none, curve.field.ones(y.shape), divisor))
    good = below & squares & ~none & ~(odd & (x == 0))
    return np.where(odd, -x, x), y, good
