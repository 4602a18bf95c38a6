"""Every operator, shape, broadcast, slice, ``out=`` and mix of types against Python's integers and NumPy's rules."""

import math
import operator

import hypothesis.extra.numpy as shapes
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

import evariste as ev
from reference import FIELDS, NORMAL, PRIMES, edges, reference, same

fields = st.sampled_from(FIELDS)


def numbers(field, shape, data):
    """An array of objects: edges and anything."""
    size = int(np.prod(shape))
    seed = data.draw(st.integers(0, 2**32 - 1))
    some = np.random.default_rng(seed)
    special = edges(field)
    flat = np.empty(size, object)
    flat[:] = [
        special[some.integers(len(special))] if some.integers(3) == 0 else int.from_bytes(some.bytes(80), "little") % field.order
        for _ in range(size)
    ]
    return flat.reshape(shape)


@given(fields, st.data())
def test_operators_broadcast_as_numpy(text, data):
    field, exact = ev.Field(text), reference(text)
    pair = data.draw(shapes.mutually_broadcastable_shapes(num_shapes=2, max_dims=3, max_side=5))
    x, y = (numbers(field, shape, data) for shape in pair.input_shapes)
    a, b = field(x), field(y)
    same(a + b, exact.add(x, y))
    same(a - b, exact.subtract(x, y))
    same(a * b, exact.multiply(x, y))
    same(-a, exact.negative(x))
    same(a.square(), exact.multiply(x, x))
    assert ((a == b) == (x == y)).all() and ((a != b) == (x != y)).all()
    same(ev.fma(a, b, a), exact.add(exact.multiply(x, y), x))
    out = field.ones(pair.result_shape)
    assert np.multiply(a, b, out=out) is out
    same(out, exact.multiply(x, y))


@given(fields, st.data())
def test_long_arrays_fill_vectors_and_blocks(text, data):
    field, exact = ev.Field(text), reference(text)
    n = data.draw(st.sampled_from([1, 3, 63, 64, 65, 255, 257, 513]))
    x, y = numbers(field, (n,), data), numbers(field, (n,), data)
    a, b = field(x), field(y)
    same(a * b + a, exact.add(exact.multiply(x, y), x))
    same(np.dot(a, b), exact.sum(exact.multiply(x, y), 0))
    same(a.sum(), exact.sum(x, 0))
    same(a.prod(), exact.prod(x, 0))
    same(ev.lincomb([3 % field.order, int(a[0])], [a, b]), exact.add(exact.multiply(x, 3 % field.order), exact.multiply(y, x[0])))


@given(fields, st.data())
def test_numbers_mix_in_from_both_sides(text, data):
    field, exact = ev.Field(text), reference(text)
    x = numbers(field, data.draw(shapes.array_shapes(min_dims=0, max_dims=2, max_side=4)), data)
    c = data.draw(st.sampled_from(edges(field)))
    a, full = field(x), np.full(x.shape, c, object)
    for name in ("add", "subtract", "multiply"):
        step, want = getattr(operator, {"subtract": "sub", "multiply": "mul"}.get(name, name)), getattr(exact, name)
        same(step(a, c), want(x, full))
        same(step(c, a), want(full, x))
    same(a + np.int64(1), exact.add(x, np.full(x.shape, 1, object)))
    same(np.uint8(1) * a, x)
    if x.ndim:
        ints = np.arange(x.shape[-1], dtype=np.int32) % min(field.order, 2**31 - 1)
        same(a * ints, exact.multiply(x, ints.astype(object)))
        same(ints + a, exact.add(ints.astype(object), x))
        same(a - ints.astype(object), exact.subtract(x, ints.astype(object)))
        same(a * ints.tolist(), exact.multiply(x, ints.astype(object)))


@given(fields, st.data())
def test_powers(text, data):
    field, exact = ev.Field(text), reference(text)
    x = numbers(field, data.draw(shapes.array_shapes(max_dims=2, max_side=4)), data)
    e = data.draw(st.one_of(st.integers(0, 20), st.integers(0, 2**70)))
    same(field(x) ** e, exact.power(x, np.full(x.shape, e, object)))
    several = np.array([data.draw(st.integers(0, 9)) for _ in range(x.shape[-1])])
    same(field(x) ** several, exact.power(x, several.astype(object)))


@given(st.sampled_from(FIELDS + NORMAL), st.data())
def test_inverses_and_division(text, data):
    field = ev.Field(text)
    n = data.draw(st.sampled_from([1, 2, 5, 70]))
    x = [max(1, v) for v in numbers(field, (n,), data)]
    if field.kind == "ring":
        x = [v for v in x if math.gcd(v, field.order) == 1] or [1]
    a = field(x)
    one = field.ones(a.shape)
    same(a * a.inverse(), one.to_objects())
    same(one / a, a.inverse().to_objects())
    same(a**-2 * a * a, one.to_objects())
    same(1 / a * a if field.kind != "binary" else (one / a) * a, one.to_objects())


@given(st.sampled_from(NORMAL), st.data())
def test_normal_bases_are_fields(text, data):
    field = ev.Field(text)
    a, b, c = (field(numbers(field, (40,), data)) for _ in range(3))
    assert np.array_equal((a + b) * c, a * c + b * c) and np.array_equal(a * b * c, a * (c * b))
    assert np.array_equal((a + b).square(), a.square() + b.square()) and (a * field.ones(40) == a).all()
    # A square is a rotation of coordinates, or the tables of a basis are wrong; and x^(2^m) = x.
    assert np.array_equal(a ** (1 << (field.bits)), a)
    assert int(field.ones(1)[0]) == field.order - 1


index_parts = st.one_of(
    st.integers(-4, 3), st.none(), st.just(Ellipsis), st.slices(4), st.lists(st.integers(-2, 1), min_size=2, max_size=2)
)


@given(st.sampled_from(["2^31 - 1", "2^255 - 19", "GF(2^13)"]), st.data())
def test_indices_are_numpys(text, data):
    field = ev.Field(text)
    shape = data.draw(shapes.array_shapes(max_dims=3, max_side=4))
    x = numbers(field, shape, data)
    a = field(x)
    key = data.draw(st.one_of(shapes.basic_indices(shape), st.tuples(index_parts), st.tuples(index_parts, index_parts)))
    try:
        wanted = x[key]
    except IndexError:
        with pytest.raises(IndexError):
            a[key]
        return
    part = a[key]
    same(part, wanted)
    # Views and copies are those of NumPy: what is written to one is seen in the other.
    c = int(data.draw(st.sampled_from(edges(field))))
    part[...] = c
    if isinstance(wanted, np.ndarray):
        wanted[...] = c
        same(a, x)
    other = numbers(field, np.shape(x[key]), data)
    x[key] = other
    a[key] = field(other)
    same(a, x)


@given(st.sampled_from(["2^31 - 1", "2^255 - 19", "GF(2^131)"]), st.data())
def test_masks_choose_elements(text, data):
    field = ev.Field(text)
    x = numbers(field, data.draw(shapes.array_shapes(max_dims=2, max_side=5)), data)
    mask = np.array(data.draw(st.lists(st.booleans(), min_size=x.size, max_size=x.size))).reshape(x.shape)
    a = field(x)
    same(a[mask], x[mask])
    same(np.where(mask, a, 1), np.where(mask, x, 1))
    a[mask] = 1
    x[mask] = 1
    same(a, x)
    assert np.count_nonzero(a) == np.count_nonzero(x) and (a.any(), a.all()) == (bool(x.any()), bool(x.all()))


@given(fields, st.data())
def test_sums_and_products_along_axes(text, data):
    field, exact = ev.Field(text), reference(text)
    shape = data.draw(shapes.array_shapes(max_dims=3, max_side=6))
    x = numbers(field, shape, data)
    a = field(x)
    axis = data.draw(shapes.valid_tuple_axes(len(shape)))
    keep = data.draw(st.booleans())
    if axis:
        same(a.sum(axis=axis, keepdims=keep), exact.sum(x, axis, keep))
    same(np.prod(a, axis=0), exact.prod(x, 0))
    same(np.sum(a.T, axis=-1), exact.sum(x.T, -1))
    same(np.cumsum(a, axis=0), exact.add.accumulate(x, axis=0))
    same(np.multiply.accumulate(a, axis=-1), exact.multiply.accumulate(x, axis=-1))


@pytest.mark.parametrize("text", ["2^31 - 1", "2^255 - 19", "GF(2^13)", "GF(2^131)", "2^96 + 6"])
@pytest.mark.parametrize("shape", [(5000,), (700, 3), (3, 700), (40, 50), (2, 4097)])
def test_reductions_of_many(text, shape):
    field, exact = ev.Field(text), reference(text)
    a = field.random(shape, seed=7)
    x = a.to_objects()
    for axis in range(len(shape)):
        same(a.sum(axis=axis), exact.sum(x, axis))
    if x.size < 3000 or not exact.binary:
        for axis in range(len(shape)):
            same(a.prod(axis=axis), exact.prod(x, axis))
    same(a.T[::-1].sum(), exact.sum(x.reshape(-1), 0))


@given(fields, st.data())
def test_products_of_matrices(text, data):
    field, exact = ev.Field(text), reference(text)
    m, k, n = (data.draw(st.integers(1, 9)) for _ in range(3))
    x, y = numbers(field, (m, k), data), numbers(field, (k, n), data)
    a, b = field(x), field(y)
    want = exact.matmul(x, y)
    same(a @ b, want)
    same(a @ b[:, 0], want[:, 0])
    same(a[0] @ b, want[0])
    same((b.T @ a.T).T, want)
    same(np.tensordot(a, b, 1), want)
    same(np.einsum("ij,jk->ki", a, b), want.T)
    same(np.einsum("ij,ik->", a, a), exact.sum(exact.matmul(x.T, x).reshape(-1), 0))
    same(np.inner(a, b.T), want)
    same(np.stack([a, a]) @ b, np.stack([want, want]))
    same(np.stack([a, a]) @ np.stack([b, b]), np.stack([want, want]))
    same(np.outer(a[0], b[0]), exact.multiply.outer(x[0], y[0]))


@pytest.mark.parametrize("text", PRIMES)
def test_shapes_and_errors_of_matmul_are_numpys(text):
    field = ev.Field(text)
    shapes_of = [(), (3,), (2, 3), (3, 2), (4, 2, 3), (4, 3, 2), (1, 3, 2), (0, 3), (3, 0), (5, 3, 2)]
    for left in shapes_of:
        for right in shapes_of:
            try:
                want = np.matmul(np.ones(left), np.ones(right))
            except ValueError:
                with pytest.raises(ValueError):
                    field.ones(left) @ field.ones(right)
                continue
            got = field.ones(left) @ field.ones(right)
            same(got, np.asarray(want).astype(int).astype(object) % field.order)


@pytest.mark.parametrize("left,right", [((2,), (3,)), ((2, 3), (3, 2)), ((4, 1, 2), (3, 3))])
def test_what_does_not_broadcast(left, right):
    field = ev.Field("2^255-19")
    for name in ("add", "multiply", "subtract", "equal"):
        with pytest.raises(ValueError, match="could not be broadcast"):
            getattr(np, name)(field.ones(left), field.ones(right))


def test_out():
    field = ev.Field("2^255-19")
    a, out = field([1, 2, 3]), field.zeros((2, 3))
    # A result is broadcast to the array that takes it, as NumPy does.
    assert np.add(a, 1, out=out) is out and out.to_ints() == [[2, 3, 4]] * 2
    with pytest.raises(ValueError, match="non-broadcastable output"):
        np.add(out, 1, out=a)
    a += a
    a *= a[::-1]
    assert a.to_ints() == [12, 16, 12]
    view = out[:, 1]
    view -= 3
    assert out.to_ints() == [[2, 0, 4]] * 2
    out[:, ::2] *= 5
    assert out.to_ints() == [[10, 0, 20]] * 2
    with pytest.raises(ValueError, match="read-only"):
        np.add(a, 1, out=np.broadcast_to(a, (2, 3)))
    with pytest.raises(TypeError, match="does not hold"):
        np.add(a, 1, out=np.zeros(3))
    flags = np.zeros(3, bool)
    assert np.equal(a, [12, 0, 12], out=flags) is flags and flags.tolist() == [True, False, True]
    np.sum(out, axis=1, out=view)
    assert view.to_ints() == [30, 30]
    with pytest.raises(ValueError):
        np.sum(out, axis=0, out=view)


def test_memory_is_shared_as_numpys():
    field = ev.Field("2^61-1")
    a = field.arange(24).reshape(2, 3, 4)
    for view in (a.T, a[:, ::-1], a[..., None], a.reshape(6, 4), a.swapaxes(0, 2), np.moveaxis(a, 0, 1), a.ravel()):
        assert np.shares_memory(a, view)
    for copy in (a[[0, 1]], a.copy(), a + 0, a.T.reshape(-1), np.concatenate([a]), a.flatten()):
        assert not np.shares_memory(a, copy)
    b = a.T.reshape(-1)
    b[...] = 0
    assert int(a.sum()) == 276
