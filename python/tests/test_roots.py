"""Square roots and compressed points against Python's integers and published encodings."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import evariste as ev

# p ≡ 3 (mod 4), 5 (mod 8), 1 (mod 8) with few twos and with many, and small ones.
FIELDS = ["2^255-19", "p256", "p224", "goldilocks", "2^31-2^27+1", "2^31-1", "17", "13", "7", "3", "bls12-381-fr"]
CURVES = ["p256", "secp256k1", "p224", "ed25519", "y^2=x^3+x+4@23", "x^2+y^2=1+2*x^2*y^2@13", "bls12-381-g1"]


def field_of(text):
    return ev.Field(int(text) if text.isdigit() else text)


@settings(max_examples=40)
@given(st.sampled_from(FIELDS), st.data())
def test_roots_of_squares(text, data):
    field = field_of(text)
    p = field.order
    numbers = data.draw(st.lists(st.integers(0, p - 1), min_size=1, max_size=20))
    a = field(numbers)
    root = (a * a).sqrt()
    for x, r in zip(numbers, root.to_ints()):
        assert r in (x, p - x) or (x, r) == (0, 0)
        assert r % 2 == 0
    wanted = [x == 0 or pow(x, (p - 1) // 2, p) == 1 for x in numbers]
    assert a.is_square().tolist() == wanted


@pytest.mark.parametrize("text", FIELDS)
def test_what_has_no_root_is_named(text):
    field = field_of(text)
    p = field.order
    no = next(z for z in range(2, p) if pow(z, (p - 1) // 2, p) == p - 1)
    with pytest.raises(ValueError, match=rf"element \(1, 0\) is {no}, which is no square\nhelp: "):
        field([[1, 0], [no, 1]]).sqrt()
    assert not field(no).is_square()


def test_roots_are_of_prime_fields():
    for text in ("GF(2^13)", "15", "bls12-381-fp2"):
        with pytest.raises(TypeError, match="have no square roots here\nhelp: "):
            field_of(text).ones(3).sqrt()


@pytest.mark.parametrize("text", CURVES)
def test_points_come_back(text):
    curve = ev.Curve(text)
    if curve._facts["base"] is not None:
        points = [0, 1, 2, 3, 5, 10**30] * curve.generator
    else:
        p = curve.field.order
        pairs = [(x, y) for x in range(p) for y in range(p)]
        a, b = (int(c) for c in curve.coefficients)
        on = lambda x, y: (a * x * x + y * y - 1 - b * x * x * y * y if curve.shape == "edwards" else y * y - x**3 - a * x - b) % p == 0
        points = curve([pair for pair in pairs if on(*pair)])
    data = points.to_compressed()
    assert len(data) % points.size == 0
    assert bool((curve.from_compressed(data) == points).all())
    assert bool((curve.from_compressed(bytearray(data), shape=(1, -1)) == points).all())
    assert curve.from_compressed(b"").shape == (0,)


def test_published_encodings():
    # SEC 2, version 2.0, section 2.4; RFC 8032, section 5.1 and test 1 of 7.1.
    k1, p256, ed = ev.Curve("secp256k1"), ev.Curve("p256"), ev.Curve("ed25519")
    assert k1.generator.to_compressed().hex() == "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"
    assert p256.generator.to_compressed().hex() == "036b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
    assert ed.generator.to_compressed().hex() == "58" + 31 * "66"
    key = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    assert ed.from_compressed(key).to_compressed() == key


def test_what_is_no_compressed_point():
    k1, ed = ev.Curve("secp256k1"), ev.Curve("ed25519")
    good = k1.generator.to_compressed()
    # Tags, a coordinate that is p, one on no point.
    for bad in (b"\x04" + good[1:], b"\x00" + good[1:], b"\x02" + k1.field.order.to_bytes(32, "big"), b"\x02" + (5).to_bytes(32, "big")):
        with pytest.raises(ValueError, match=rf"element 1 is {bad.hex()}, which is no compressed point of curve:secp256k1\nhelp: "):
            k1.from_compressed(good + bad)
    # −0, p + 1, and a y on no point.
    for bad in ((1 | 1 << 255), ed.field.order + 1, 2):
        data = bad.to_bytes(32, "little")
        with pytest.raises(ValueError, match=rf"element 0 is {data.hex()}, which is no compressed point"):
            ed.from_compressed(data)
    with pytest.raises(ValueError, match="34 bytes are not a whole number of compressed points: one has 33 bytes"):
        k1.from_compressed(good + b"\x02")
    with pytest.raises(ValueError, match="curves over prime fields have compressed points"):
        ev.Curve("bls12-381-g2").generator.to_compressed()
    with pytest.raises(ValueError):
        ev.Curve("25519").from_compressed(good)


def test_every_string_of_bytes_is_a_point_or_an_error():
    for text in ("y^2=x^3+x+4@23", "x^2+y^2=1+2*x^2*y^2@13"):
        curve = ev.Curve(text)
        size, seen = len(curve.zeros(1).to_compressed()), 0
        for number in range(1024 if size == 2 else 256):
            data = number.to_bytes(size, "big")
            try:
                point = curve.from_compressed(data)
            except ValueError:
                continue
            seen += 1
            # There is one encoding of a point.
            assert point.to_compressed() == data
        p = curve.field.order
        a, b = (int(c) for c in curve.coefficients)
        points = (
            sum((a * x * x + y * y - 1 - b * x * x * y * y) % p == 0 for x in range(p) for y in range(p))
            if curve.shape == "edwards"
            else 1 + sum((y * y - x**3 - a * x - b) % p == 0 for x in range(p) for y in range(p))
        )
        assert seen == points
