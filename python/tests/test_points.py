"""Arrays of points against sums of affine points on Python's integers, public vectors, and NumPy's rules."""

import copy
import json
import pathlib
import pickle

import hypothesis.extra.numpy as shapes
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import evariste as ev
from samples import drawn
from structures import CurveReference, each

VECTORS = {c["name"]: c for c in json.loads((pathlib.Path(__file__).parents[2] / "vectors/curves.json").read_text())["curves"]}
# Edwards and Weierstrass curves, each form of coefficients, and small ones, on which sums of any two points occur.
CURVES = ["p256", "secp256k1", "ed25519", "y^2=x^3+x+4@23", "x^2+y^2=1+2*x^2*y^2@13"]


def some(curve, exact, shape, data):
    """Points in an array of pairs: the neutral element, the same and opposite ones, and any."""
    drawn = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    base = start(curve)
    out = np.empty(int(np.prod(shape)), object)
    for i in range(out.size):
        out[i] = exact.multiple([0, 1, -1, 2, int(drawn.integers(3, 60)), int(drawn.integers(3, 60))][drawn.integers(6)], base)
    return out.reshape(shape)


def start(curve):
    if curve._facts["base"] is not None:
        return curve.generator.to_ints()
    p = curve.field.order
    c0, c1 = (int(c) for c in curve.coefficients)
    if curve.shape == "edwards":
        return next((x, y) for x in range(2, p) for y in range(p) if (c0 * x * x + y * y - 1 - c1 * x * x * y * y) % p == 0)
    return next((x, y) for x in range(p) for y in range(1, p) if (y * y - x**3 - c0 * x - c1) % p == 0)


def made(curve, points):
    return curve(points.tolist()) if points.shape else curve(points[()])


def same(array, wanted):
    assert isinstance(array, ev.Points) and array.shape == wanted.shape
    assert list(array._items().reshape(-1)) == list(wanted.reshape(-1))


@given(st.sampled_from(CURVES), st.data())
def test_sums_broadcast_as_numpy(text, data):
    curve = ev.Curve(text)
    exact = CurveReference(curve)
    pair = data.draw(shapes.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=4))
    x, y = (some(curve, exact, shape, data) for shape in pair.input_shapes)
    p, q = made(curve, x), made(curve, y)
    same(p + q, each(exact.add, x, y))
    same(p - q, each(lambda a, b: exact.add(a, exact.negative(b)), x, y))
    same(-p, each(exact.negative, x))
    same(p.double(), each(lambda a: exact.add(a, a), x))
    # In other coordinates the same points.
    assert (((p + q) - q == p) == np.ones(pair.result_shape, bool)).all()
    assert ((p == q) == each(lambda a, b: a == b, x, y)).all() and ((p != q) == each(lambda a, b: a != b, x, y)).all()
    assert (p.is_identity() == each(lambda a: a == exact.neutral, x)).all()
    out = curve.zeros(pair.result_shape)
    assert np.add(p, q, out=out) is out
    same(out, each(exact.add, x, y))


@settings(max_examples=20)
@given(st.sampled_from(CURVES), st.data())
def test_multiples(text, data):
    curve = ev.Curve(text)
    exact = CurveReference(curve)
    x = some(curve, exact, (5,), data)
    p = made(curve, x)
    order = curve.order or 1000
    ks = [0, 1, -1, order - 1, data.draw(st.integers(-(2**200), 2**300))]
    same(ks * p, each(exact.multiple, np.array(ks, object), x))
    same(p * ks[-1], each(lambda a: exact.multiple(ks[-1], a), x))
    same(np.array([[2], [3]]) * p[:2], each(exact.multiple, np.array([[2], [3]]), x[:2]))
    same([1, 2, 3, -4] * p[0], each(lambda k: exact.multiple(int(k), x[0]), np.array([1, 2, 3, -4])))
    same(np.uint8(7) * p[3], each(lambda a: exact.multiple(7, a), x[3:4])[0:1].reshape(()))


@settings(max_examples=20)
@given(st.sampled_from(CURVES), st.data())
def test_reductions_and_places(text, data):
    curve = ev.Curve(text)
    exact = CurveReference(curve)
    m = data.draw(st.integers(1, 40))
    x = some(curve, exact, (m, 2), data)
    p = made(curve, x)

    def total(points):
        result = exact.neutral
        for point in points:
            result = exact.add(result, point)
        return result

    same(p.sum(axis=0), each(lambda i: total(x[:, i]), np.arange(2)))
    same(curve.sum(p, axis=1), each(lambda i: total(x[i]), np.arange(m)))
    assert (np.sum(p) == p.reshape(-1).sum()) and sum(p[:, 0]) == p[:, 0].sum() and (p[:0].sum() == curve.identity)
    assert (np.cumsum(p[:, 0])[-1] == p[:, 0].sum()).all()
    same(p[::-1, 1], x[::-1, 1])
    same(p.T, x.T)
    mask = np.arange(m) % 3 == 0
    same(p[mask], x[mask])
    same(np.concatenate([p, p[:1]]), np.concatenate([x, x[:1]]))
    same(np.stack([p, -p])[1], each(exact.negative, x))
    q = np.where(mask[:, None], p, 0)
    assert (q.is_identity()[~mask]).all() and (q[mask] == p[mask]).all()
    q[0] = p[-1]
    assert (q[0] == p[-1]).all() and np.array_equal(p, made(curve, x)) and (np.zeros_like(p) == curve.identity).all()


@pytest.mark.parametrize("name", ["P-256", "secp256k1", *drawn("P-192", "P-224", "P-384", "P-521")])
def test_public_vectors_of_multiples(name):
    vector = VECTORS[name]
    curve = ev.Curve(name)
    cases = [v for v in vector["scalar_mult_base"] if "x" in v]
    assert len(cases) > 2
    ks, xs, ys = ([int(v[key], 16) for v in cases] for key in ("k", "x", "y"))
    x, y = (ks * curve.generator).affine()
    assert x.to_ints() == xs and y.to_ints() == ys
    # The same points by the kernel of any point.
    assert (ks * curve([(curve.generator.x, curve.generator.y)]) == curve(list(zip(xs, ys)))).all()


@pytest.mark.parametrize("name, size", [("Curve25519", 32), ("Curve448", 56)])
def test_public_vectors_of_ladders(name, size):
    curve = ev.Curve(name)
    (vectors,) = [v for key, v in VECTORS[name]["rfc7748"].items() if key in ("x25519", "x448")]
    read = lambda text: int.from_bytes(bytes.fromhex(text), "little")
    ks, us, outs = ([read(v[key]) for v in vectors] for key in ("k", "u", "out"))
    us = [u % (1 << curve.field.bits) for u in us]
    ks = [k % (1 << curve.field.bits) for k in ks]
    assert curve.clamped_ladder(ks, us).to_ints() == outs
    # Of the base point, by its tables.
    base = curve.field.array(9 if name == "Curve25519" else 5)
    ks += [0, 1, (1 << curve.field.bits) - 1]
    assert (curve.clamped_ladder(ks) == curve.clamped_ladder(ks, base)).all()
    assert (curve.ladder([2, 6], curve.ladder(3, us[0])) == curve.ladder([6, 18], us[0])).all()
    with pytest.raises(ValueError, match="the scalar of element 1 is -1"):
        curve.ladder([1, -1], 9)
    with pytest.raises(ValueError, match="its Edwards form has sums of points"):
        curve([(1, 2)])


def test_ladders_of_binary_curves():
    curve = ev.Curve("sect163r2")
    x = 0x3F0EBA16286A2D57EA0991168D4994637E8343E36
    assert curve.ladder([1, 5], x).to_ints() == [x, 0x7205899683630522F4C657BB52764867DA449F864]
    assert (curve.ladder([2, 6], curve.ladder(3, x)) == curve.ladder([6, 18], x)).all()


@pytest.mark.parametrize("name, key", [("bls12-381-g2", "BLS12-381"), ("bn254-g2", "BN254")])
def test_points_over_a_tower(name, key):
    curve, vectors = ev.Curve(name), VECTORS[key]["scalar_mult_g2"]
    ks = [int(v["k"], 16) for v in vectors]
    wanted = [tuple(tuple(int(c, 16) for c in v["Q"][axis]) for axis in "xy") for v in vectors]
    found = ks * curve.generator
    assert found.to_ints() == wanted and (curve(wanted) == found).all()
    x, y = found.affine()
    assert x.field is curve.field and x.field.kind == "tower" and (curve((x, y)) == found).all()
    assert (curve.from_bytes(found.to_bytes()) == found).all() and found.in_subgroup().all()
    # Longer scalars than the kernel takes, on a point outside of the subgroup too.
    k = 3**400
    assert (k * found == (k % curve.order) * found).all()
    with pytest.raises(ValueError, match=r"element 0 is \(\(1, 0\), \(2, 0\)\), which is no point"):
        curve([((1, 0), (2, 0))])


@pytest.mark.parametrize("name", ["bls12-381-g1", "bls12-381-g2", "bn254-g2", "p256", "ed25519"])
def test_multiples_of_multiples_of_the_base_point(name):
    curve = ev.Curve(name)
    points = np.concatenate([curve.random(5, seed=2), curve.identity.reshape(1)])
    ks = [0, 1, -7, curve.order - 1, curve.order + 2, 3**400]
    found = curve.mul_in_subgroup(ks, points)
    assert (found == ks * points).all() and found[-1].is_identity()
    assert (curve.mul_in_subgroup(5, points) == 5 * points).all()
    assert (curve.mul_in_subgroup(ks, curve.generator) == ks * curve.generator).all()
    assert curve.mul_in_subgroup([], points[:0]).shape == (0,)


def test_points_outside_of_the_subgroup():
    curve = ev.Curve("bls12-381-g1")
    p, a = curve.field.order, 4
    x = next(x for x in range(1, 100) if pow(x**3 + a, (p - 1) // 2, p) == 1)
    outside = curve([(x, pow(x**3 + a, (p + 1) // 4, p))])
    both = np.concatenate([outside, curve.random(2, seed=1)])
    assert both.in_subgroup().tolist() == [False, True, True]
    # The number of points makes it neutral, which has more bits than the kernel's scalars; and so many less one.
    count = curve.order * curve.cofactor
    assert (curve.cofactor * both).in_subgroup().all() and (count * both).is_identity().all()
    assert ((count - 1) * both == -both).all() and (2**300 * both == (2**150) * ((2**150) * both)).all()
    with pytest.raises(ValueError, match="order of .* is not known"):
        ev.Curve("y^2=x^3+x+4@23").random(3)


def test_curves_by_coefficients():
    named = ev.Curve("p256")
    assert ev.Field("p256").curve(-3, int(named.coefficients[1])) is named
    toy = ev.Field("23").curve(1, 4, base=(0, 2), order=29, cofactor=1)
    assert (toy.order, toy.cofactor) == (29, 1) and 29 * toy.generator == toy.identity
    assert len({point for point in toy.random(500, seed=1).to_ints()}) == 29
    edwards = ev.Field("13").curve(a=1, d=2)
    assert edwards.shape == "edwards" and edwards((0, 1)) == edwards.identity
    assert ev.Field("2^255-19").curve(A=486662) is ev.Curve("25519")
    g2 = ev.Curve("bls12-381-g2")
    assert g2.field.curve(0, (4, 4)) is g2
    with pytest.raises(ValueError, match="no curve has the coefficients a"):
        ev.Field("23").curve(1)
    with pytest.raises(ValueError, match="singular"):
        ev.Field("23").curve(0, 0)
    even = ev.Field("23").curve(1, 1)
    two, p = even((4, 0)), even((0, 1))
    assert two + two == even.identity and (p + two) + two == p and (p + two) - p == two and 2 * (p + two) == p + p


def test_points_of_order_two():
    """On y² = x³ − x the point (0, 0) is one of order two; the neutral element is (0, 1) there."""
    p = 2**31 - 1
    E = ev.Curve("curve:y^2=x^3-x@2^31-1")
    roots = [(0, 0), (1, 0), (p - 1, 0)]
    P = E([*roots, None])
    assert P.to_ints() == [*roots, (0, 1)] and P.is_identity().tolist() == [False, False, False, True]
    table = (P[:, None] + P[None, :]).to_ints()
    for i in range(4):
        for j in range(4):
            # Klein's group: the sum of two different points of order two is the third.
            k = 3 if i == j else j if i == 3 else i if j == 3 else 3 - i - j
            assert table[i][j] == P.to_ints()[k], (i, j)
    assert (3 * P).to_ints() == P.to_ints() and (2 * P).is_identity().all()
    assert E.from_compressed(P.to_compressed()).to_ints() == P.to_ints()
    assert (E(P.affine()) == P).all()
    with pytest.raises(ValueError, match="no point"):
        E([(0, 2)])
    # Where (0, 0) is no point it stands for the neutral element.
    assert ev.Curve("p256")([(0, 0)]).to_ints() == [None]


def test_errors_say_what_would_work():
    curve, other = ev.Curve("p256"), ev.Curve("secp256k1")
    g = curve.generator
    with pytest.raises(ValueError, match=r"element \(1, 0\) is \(1, 2\), which is no point of curve:p256"):
        curve([[g.to_ints()], [(1, 2)]])
    with pytest.raises(ValueError, match="a coordinate of element 1 is 1157920892"):
        curve([None, (curve.field.order, 0)])
    with pytest.raises(ValueError, match="a coordinate of element 0 is -1"):
        curve([(-1, 0)])
    with pytest.raises(ValueError, match="points of curve:p256 are its last axes"):
        curve([1, 2, 3])
    with pytest.raises(ValueError, match="which is no point"):
        curve.from_bytes(bytes([1]) + bytes(63))
    with pytest.raises(ValueError, match="not a whole number of points"):
        curve.from_bytes(bytes(96))
    with pytest.raises(TypeError, match="different curves: curve:p256 and curve:secp256k1"):
        g + other.generator
    with pytest.raises(TypeError, match="points have sums with points"):
        g + curve.field(1)
    with pytest.raises(TypeError, match="points have no product"):
        g * g
    with pytest.raises(TypeError, match="multiples of points of curve:p256 by elements of"):
        curve.field(3) * g
    with pytest.raises(TypeError, match="no powers"):
        g**2
    with pytest.raises(TypeError, match="have no order"):
        g < g
    with pytest.raises(TypeError, match="is no point"):
        g + 1
    with pytest.raises(TypeError, match="no integer"):
        0.5 * g
    with pytest.raises(TypeError, match="np.prod: points have sums"):
        np.prod(curve.zeros(3))
    with pytest.raises(ValueError, match="could not be broadcast"):
        curve.zeros(2) + curve.zeros(3)
    with pytest.raises(ValueError, match="there is no curve called"):
        ev.Curve("nope")
    with pytest.raises(ValueError, match="no points in arrays: there are scalar_mul, mul_base, ladder"):
        ev.Curve("sect163k1").generator
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(g)


def test_pickles_copies_and_scalars_of_the_field_of_scalars():
    curve = ev.Curve("secp256k1")
    p = np.concatenate([curve.random(5, seed=2), curve.zeros(1)])
    buffers = []
    kept = pickle.dumps(p, protocol=5, buffer_callback=buffers.append)
    assert len(buffers) == 1 and (pickle.loads(kept, buffers=buffers) == p).all() and (copy.copy(p) == p).all()
    assert pickle.loads(pickle.dumps(curve)) is curve and ev.Curve("curve:secp256k1") is curve
    assert repr(curve) == "Curve('secp256k1')" and "None" in repr(p) and p.to_ints()[5] is None
    scalars = ev.Field(str(curve.order))([2, -1, 0])
    assert (scalars * p[:3] == [2, -1, 0] * p[:3]).all() and (p[:3] * scalars == scalars * p[:3]).all()
    assert (curve.random(3, seed=5) == curve.random(3, seed=5)).all()


@pytest.mark.parametrize("name", ["p256", "secp256k1", "ed25519", "bls12-381-g1"])
def test_double_multiples(name):
    curve = ev.Curve(name)
    g, p = curve.generator, curve.random(3, seed=4)
    ks, ls = np.array([0, -1, 2**300], object), np.array([5, 0, curve.order - 1], object)
    assert (curve.double_multiple(ks, p, ls) == ks * p + ls * g).all()
    assert (curve.double_multiple(3, p[:1], ls[:2, None]) == 3 * p[:1] + ls[:2, None] * g).all()
    assert curve.double_multiple(2, g, -2) == curve.identity and curve.double_multiple([], p[0], 1).shape == (0,)


def test_empty_arrays():
    for curve in (ev.Curve("p256"), ev.Curve("ed25519")):
        none = curve([])
        assert none.shape == (0,) and (none + none).shape == (3 * none).shape == none.double().shape == (0,)
        assert none.sum() == curve.identity and none.to_bytes() == b"" and none.to_ints() == [] and curve.random(0).shape == (0,)
        assert none.affine()[0].shape == (0,) and (none == none).shape == (0,) and curve.from_bytes(b"").shape == (0,)
    field = ev.Field("bls12-381-fp2")
    none = field([])
    assert none.shape == (0,) and (none * none).shape == none.inverse().shape == (none**5).shape == (0,)
    assert none.sum() == 0 and none.to_ints() == [] and none.coordinates().shape == (0, 2)
