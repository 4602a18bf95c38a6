"""Pairings of arrays: bilinear, and equal to public values."""

import json
import pathlib
import pickle

import numpy as np
import pytest

import evariste as ev
from samples import drawn

FOLDER = pathlib.Path(__file__).parents[2] / "vectors"
VECTORS = {c["name"]: c for c in json.loads((FOLDER / "curves.json").read_text())["curves"]}
CHECKS = json.loads((FOLDER / "pairing-checks.json").read_text())


def value(e, coefficients):
    """An element of six coefficients of powers of w over Fp2; w² is v."""
    pairs = [[int(c, 16) for c in coefficients[i]] for i in (0, 2, 4, 1, 3, 5)]
    return e.target(sum(pairs, []))


@pytest.mark.parametrize("name", ["bls12-381", "bn254"])
def test_public_values(name):
    e, vector = ev.Pairing(name), VECTORS[name.upper()]
    g, h = e.g1.generator, e.g2.generator
    assert e(g, h) == value(e, vector["e_g1_g2_exact"]) and e.multiple(g, h) == value(e, vector["e_g1_g2_fast"])
    assert e(g, h) ** e.exponent == e.multiple(g, h) and e(g, h) ** e.order == 1
    for case in vector["bilinear"]:
        a, b = int(case["a"], 16), int(case["b"], 16)
        assert e.multiple(a * g, b * h) == value(e, case["e_aG1_bG2_fast"])


@pytest.mark.parametrize("name", ["bls12-381", *drawn("ss-a512", "ss-b160")])
def test_bilinear(name):
    e = ev.Pairing(name)
    p, q = e.g1.random(3, seed=1), e.g2.random((2, 1), seed=2)
    whole = e(p, q)
    assert isinstance(whole, ev.Array) and whole.field is e.target and whole.shape == (2, 3)
    assert (e(5 * p, -q) == whole**-5).all() and (e(p, q + q) == whole * whole).all()
    assert (e(p[:2] + p[1:], q) == whole[:, :2] * whole[:, 1:]).all()
    assert (e(e.g1.zeros(2), q) == 1).all() and (e(p, e.g2.identity) == 1).all() and not (whole == 1).any()
    assert (e.multi(p, q, axis=1) == whole.prod(axis=1)).all() and e.multi(p, q) == whole.prod()
    assert (e.final_exponentiation(e.miller(p, q)) == whole).all()
    assert e(p[:0], q).shape == (2, 0) and e(p[0], q[0, 0]).shape == ()


@pytest.mark.parametrize("name", ["bls12-381", "bn254"])
def test_public_checks(name):
    """The cases of Ethereum's precompiles: is a product of pairings 1?"""
    e = ev.Pairing(name)

    def read(part):
        return tuple(read(p) for p in part) if isinstance(part, list) else int(part, 16)

    cases = [case for case in CHECKS[name] if 0 < len(case["pairs"]) <= 4][:12]
    assert {case["one"] for case in cases} == {True, False}
    for case in cases:
        first = e.g1([None if p is None else read(p) for p, _ in case["pairs"]])
        second = e.g2([None if q is None else read(q) for _, q in case["pairs"]])
        assert bool(e.multi(first, second) == 1) == case["one"], case["name"]


def test_errors_and_pickles():
    e = ev.Pairing("bls12-381")
    g, h = e.g1.generator, e.g2.generator
    with pytest.raises(TypeError, match="different curves: curve:bls12-381-g1 and curve:bls12-381-g2"):
        e(h, g)
    with pytest.raises(TypeError, match="is no array of points"):
        e(1, h)
    with pytest.raises(ValueError, match="could not be broadcast"):
        e(e.g1.zeros(2), e.g2.zeros(3))
    with pytest.raises(ValueError):
        ev.Pairing("nope")
    with pytest.raises(ValueError, match="is a pairing, no field"):
        ev.Field("pairing:bn254")
    assert pickle.loads(pickle.dumps(e)) is e and repr(e) == "Pairing('bls12-381')"
    assert ev.explain(e, ["miller"])["operation"] == ["miller"]
