"""Arrays of towers' elements against arithmetic on Python's integers, and NumPy's rules."""

import copy
import pickle

import hypothesis.extra.numpy as shapes
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

import evariste as ev
from structures import TOWERS, TowerReference, each

SMALL = ["13[u]/(u^2-2)", "bls12-381-fp2", "bn254-fp6"]
towers = st.sampled_from(SMALL)


def some(exact, shape, data):
    """Elements in an array of tuples: 0, 1, edges and anything."""
    drawn = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    out = np.empty(int(np.prod(shape)), object)
    for i in range(out.size):
        way = drawn.integers(6)
        coordinates = [int.from_bytes(drawn.bytes(60), "little") % exact.p for _ in range(exact.degree)]
        out[i] = [exact.one(0), exact.one(), exact.one(-1), (0,) * (exact.degree - 1) + (exact.p - 1,)][way] if way < 4 else tuple(coordinates)
    return out.reshape(shape)


def made(exact, elements):
    return exact.field(np.array(elements.tolist(), object).reshape(elements.shape + (exact.degree,)))


def same(array, wanted):
    wanted = np.asarray(wanted, object) if not isinstance(wanted, np.ndarray) else wanted
    assert isinstance(array, ev.Array) and array.shape == wanted.shape
    assert [tuple(row) for row in array.to_objects().reshape(-1, array.field.degree)] == list(wanted.reshape(-1))


@given(towers, st.data())
def test_operators_broadcast_as_numpy(text, data):
    exact = TowerReference(text)
    pair = data.draw(shapes.mutually_broadcastable_shapes(num_shapes=2, max_dims=2, max_side=4))
    x, y = (some(exact, shape, data) for shape in pair.input_shapes)
    a, b = made(exact, x), made(exact, y)
    same(a + b, each(exact.add, x, y))
    same(a - b, each(lambda u, v: exact.add(u, exact.negative(v)), x, y))
    same(a * b, each(exact.multiply, x, y))
    same(-a, each(exact.negative, x))
    same(a.square(), each(lambda u: exact.multiply(u, u), x))
    same(3 * a + 1, each(lambda u: exact.add(exact.multiply(u, exact.one(3)), exact.one()), x))
    same(ev.fma(a, b, a), each(lambda u, v: exact.add(exact.multiply(u, v), u), x, y))
    assert ((a == b) == each(lambda u, v: u == v, x, y)).all()
    out = exact.field.zeros(pair.result_shape)
    assert np.multiply(a, b, out=out) is out
    same(out, each(exact.multiply, x, y))


@settings(max_examples=10)
@given(st.sampled_from(list(TOWERS)), st.data())
def test_inverses_powers_and_automorphisms(text, data):
    exact = TowerReference(text)
    field = exact.field
    x = some(exact, (5,), data)
    for i in range(5):
        x[i] = exact.one() if not any(x[i]) else x[i]
    a = made(exact, x)
    same(a * a.inverse(), each(lambda u: exact.one(), x))
    same(1 / a * a, each(lambda u: exact.one(), x))
    same(a**5, each(lambda u: exact.power(u, 5), x))
    same(a**-2 * a**2, each(lambda u: exact.one(), x))
    same(a**0, each(lambda u: exact.one(), x))
    same(a ** np.array([1, 2, 3, 0, -1]) * np.append(field.ones(4), a[4:]), each(exact.power, x, np.array([1, 2, 3, 0, 0])))
    same(a[:1].frobenius(), each(lambda u: exact.power(u, exact.p), x[:1]))
    assert (a.frobenius(exact.degree) == a).all() and (a.frobenius(-1).frobenius() == a).all()
    if exact.floors[-1][0] == 2:
        half = exact.degree // 2
        same(a.conjugate(), each(lambda u: u[:half] + exact.negative(u[half:]), x))
        same(np.conj(a), each(lambda u: u[:half] + exact.negative(u[half:]), x))
    else:
        with pytest.raises(TypeError, match="not quadratic"):
            a.conjugate()


@given(towers, st.data())
def test_sums_products_and_matrices(text, data):
    exact = TowerReference(text)
    m, n = data.draw(st.integers(1, 20)), data.draw(st.integers(1, 3))
    x, y = some(exact, (m, n), data), some(exact, (m, n), data)
    a, b = made(exact, x), made(exact, y)
    total = lambda rows: each(lambda i: rows_of(exact.add, rows[:, i], exact.one(0)), np.arange(rows.shape[1]))
    same(a.sum(axis=0), total(x))
    same(a.T.sum(axis=1), total(x))
    same(a.sum(), np.array([rows_of(exact.add, x.reshape(-1), exact.one(0)), None], object)[:1].reshape(()))
    same(a.prod(axis=0), each(lambda i: rows_of(exact.multiply, x[:, i], exact.one()), np.arange(n)))
    products = each(exact.multiply, x, y)
    assert np.vdot(a, b) == a.field(list(rows_of(exact.add, products.reshape(-1), exact.one(0))))
    square = a.T @ b
    assert square.shape == (n, n) and (square[0, 0] == np.dot(a[:, 0], b[:, 0])) and (square == np.einsum("ij,ik->jk", a, b)).all()
    assert (np.cumsum(a[:, 0])[-1] == a[:, 0].sum()) and (a[:0].sum() == 0) and (a[:0].prod() == 1)


def rows_of(function, items, first):
    for item in items:
        first = function(first, item)
    return first


@given(towers, st.data())
def test_places_and_joins_are_numpys(text, data):
    exact = TowerReference(text)
    x = some(exact, data.draw(shapes.array_shapes(max_dims=3, max_side=5)), data)
    a = made(exact, x)
    index = data.draw(shapes.basic_indices(x.shape))
    same(a[index], boxed(x[index]))
    mask = np.random.default_rng(0).integers(2, size=x.shape).astype(bool)
    same(a[mask], x[mask])
    same(a.T, x.T)
    same(a.reshape(-1), x.reshape(-1))
    same(np.concatenate([a, a]), np.concatenate([x, x]))
    same(np.stack([a, -a]), np.stack([x, each(exact.negative, x)]))
    same(np.where(mask, a, 0), each(lambda m, u: u if m else exact.one(0), mask, x))
    b = a.copy()
    b[mask] = 7
    same(b, each(lambda m, u: exact.one(7) if m else u, mask, x))
    same(a, x)


def boxed(x):
    if isinstance(x, np.ndarray):
        return x
    out = np.empty((), object)
    out[()] = x
    return out


@pytest.mark.parametrize("text", SMALL)
def test_bytes_words_pickles_and_copies(text):
    field = ev.Field(text)
    a = field.random((3, 4), seed=1)
    assert (a == field.random((3, 4), seed=1)).all() and not (a == field.random((3, 4), seed=2)).all()
    for order in ("little", "big"):
        data = a.to_bytes(order)
        assert len(data) == 12 * field.bytes and (field.from_bytes(data, order, a.shape) == a).all()
        assert int.from_bytes(data[: field.ground.bytes], order) == a.to_ints()[0][0][0]
    assert a.to_words().shape == (3, 4, field.words) and (field.from_words(a.to_words()) == a).all()
    assert (field.from_words(a.to_words().reshape(-1)) == a.reshape(-1)).all()
    buffers = []
    kept = pickle.dumps(a[1:].T, protocol=5, buffer_callback=buffers.append)
    assert len(buffers) == 1 and len(kept) < 500 and (pickle.loads(kept, buffers=buffers) == a[1:].T).all()
    assert (copy.deepcopy(a) == a).all() and pickle.loads(pickle.dumps(field)) is field
    assert (field.from_coordinates(a.coordinates()) == a).all() and a.coordinates().shape == (3, 4, field.degree)
    assert (field(a.to_ints()) == a).all() and (field.from_arrow(a.to_arrow()) == a.reshape(-1)).all()
    assert field.explain(["mul"])["operation"] == ["mul"]


def test_the_ground_field_mixes_in():
    field = ev.Field("bls12-381-fp2")
    a, scale = field([(1, 2), (3, 4)]), field.ground([5, 6])
    assert (a * scale).to_ints() == (scale * a).to_ints() == [[5, 10], [18, 24]]
    assert (a + scale).to_ints() == [[6, 2], [9, 4]] and (scale - a)[0] == field((4, -2))
    assert (field(scale) == scale).all() and field(9) == 9 and int(field(9)) == 9 and field(-1) + 1 == 0
    assert np.concatenate([a, scale]).to_ints()[2:] == [[5, 0], [6, 0]]
    assert repr(a[0]) == "Array((1, 2), field='bls12-381-fp2')" and a[0].item() == (1, 2)


def test_errors_say_what_would_work():
    field = ev.Field("bls12-381-fp2")
    a = field([(1, 2), (0, 0)])
    with pytest.raises(ZeroDivisionError, match="element 1 is 0, which has no inverse in bls12-381-fp2"):
        a.inverse()
    with pytest.raises(ZeroDivisionError, match="element 1 is 0"):
        a ** np.array([2, -1])
    with pytest.raises(ValueError, match="a last axis of 3 coordinates: an element of bls12-381-fp2 has 2"):
        field([1, 2, 3])
    with pytest.raises(ValueError, match="could not be broadcast"):
        a + field.zeros(3)
    for other in (ev.Field("bn254-fp2")(1), ev.Field("2^31-1")(1), ev.Field("bls12-381-fp6")(1)):
        with pytest.raises(TypeError, match="belong to different fields"):
            a * other
    with pytest.raises(TypeError, match="no integer"):
        field([0.5, 1])
    with pytest.raises(TypeError, match="outside of the ground field"):
        int(a[0])
    with pytest.raises(ValueError, match="191 bytes are not a whole number of elements: one element has 96"):
        field.from_bytes(bytes(191))
    with pytest.raises(ValueError, match="element 1 is 0x1a0111"):
        field.from_words(np.array([0] * 18 + a.field.ground(-1).to_words().reshape(-1).tolist(), np.uint64) + np.array([0] * 18 + [1] + [0] * 5, np.uint64))
    with pytest.raises(TypeError, match="are no tower's"):
        ev.Field("2^31-1")(1).frobenius()
    with pytest.raises(ValueError, match="is a tower"):
        field.tune()
    with pytest.raises(ValueError, match="is a curve, no field"):
        ev.Field("curve:p256")
    with pytest.raises(MemoryError):
        field.zeros(1 << 44)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_give_the_same(threads):
    before = ev.get_threads()
    try:
        ev.set_threads(threads)
        field = ev.Field("bls12-381-fp6")
        a, b = field.random(1001, seed=1), field.random(1001, seed=2)
        assert ((a + b) * (a - b) == a * a - b * b).all() and (a * b).sum() == np.vdot(a, b)
    finally:
        ev.set_threads(before)
