"""Transforms and products of polynomials against their definitions."""

import numpy as np
import pytest

import evariste as ev
from reference import reference, same

ROOTS = ["65537", "2^31 - 2^27 + 1", "2^64 - 2^32 + 1", "bls12-381-fr"]


@pytest.mark.parametrize("text", ROOTS)
@pytest.mark.parametrize("n", [1, 2, 4, 16, 64, 128, 1024, 8192])
def test_transforms(text, n):
    field = ev.Field(text)
    a = field.random((2, n), seed=n)
    w, p = int(field.root_of_unity(n)), field.order
    values = field.ntt(a)
    assert values.shape == (2, n)
    for k in {0, 1 % n, n // 2, n - 1}:
        for row in range(2):
            want = 0
            for x in reversed(a[row].to_ints()):
                want = (want * pow(w, k, p) + x) % p
            assert int(values[row, k]) == want
    assert np.array_equal(field.intt(values), a)
    assert np.array_equal(field.ntt(a.T.copy().T), values)


@pytest.mark.parametrize("text", ROOTS + ["2^255 - 19", "GF(2^13)", "GF(2^131)", "2^96 + 6"])
@pytest.mark.parametrize("n,m", [(1, 1), (5, 3), (3, 40), (200, 150)])
def test_products_of_polynomials(text, n, m):
    field, exact = ev.Field(text), reference(text)
    a, b = field.random(n, seed=1), field.random(m, seed=2)
    want = np.zeros(n + m - 1, object)
    for i, x in enumerate(a.to_ints()):
        want[i : i + m] = exact.add(want[i : i + m], exact.multiply(x, b.to_objects()))
    same(field.convolve(a, b), want)
    same(np.convolve(a, b), want)


def test_long_products_by_both_ways():
    from evariste import _transforms

    field = ev.Field("2^64 - 2^32 + 1")
    a, b = field.random(3000, seed=1), field.random(2500, seed=2)
    assert np.array_equal(field.convolve(a, b), _transforms.school(a, b, 5499))


def test_what_has_no_transform():
    for text, n, said in [("2^255-19", 8, "no element of the order 8"), ("GF(2^8)", 4, "no element"), ("65537", 6, "power of two"),
                          ("65537", 1 << 17, "no element of the order"), ("65537", 0, "power of two")]:  # fmt: skip
        field = ev.Field(text)
        with pytest.raises(ValueError, match=said):
            field.root_of_unity(n)
        with pytest.raises(ValueError):
            field.ntt(field.zeros(n))
    with pytest.raises(ValueError, match="without dimensions"):
        ev.Field("65537").ntt(1)
    with pytest.raises(ValueError, match="vectors"):
        ev.Field("65537").convolve([[1]], [1])
