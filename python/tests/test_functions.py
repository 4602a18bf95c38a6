"""NumPy's functions: what only moves elements is compared with NumPy's own result on an array of numbers."""

import numpy as np
import pytest

import evariste as ev
from reference import same

FIELD = ev.Field("2^255-19")
A = FIELD.arange(24).reshape(2, 3, 4)
M = FIELD.arange(12).reshape(3, 4)
V = FIELD.arange(6)

CALLS = [
    lambda np, a, m, v: np.concatenate([m, m[:1], m]),
    lambda np, a, m, v: np.concatenate([m, m], axis=1),
    lambda np, a, m, v: np.concatenate([a, m], axis=None),
    lambda np, a, m, v: np.stack([m, m + 1], axis=1),
    lambda np, a, m, v: np.vstack([v, v * 2]),
    lambda np, a, m, v: np.hstack([v, v]),
    lambda np, a, m, v: np.hstack([m, m]),
    lambda np, a, m, v: np.dstack([m, m]),
    lambda np, a, m, v: np.column_stack([v, v, np.stack([v, v], 1)]),
    lambda np, a, m, v: np.append(m, v),
    lambda np, a, m, v: np.append(m, m, axis=0),
    lambda np, a, m, v: np.transpose(a, (2, 0, 1)),
    lambda np, a, m, v: np.moveaxis(a, 0, -1),
    lambda np, a, m, v: np.rollaxis(a, 2),
    lambda np, a, m, v: np.swapaxes(a, 0, 1),
    lambda np, a, m, v: np.matrix_transpose(a),
    lambda np, a, m, v: np.expand_dims(m, (0, 3)),
    lambda np, a, m, v: np.squeeze(np.expand_dims(m, 1)),
    lambda np, a, m, v: np.broadcast_to(v, (3, 6)),
    lambda np, a, m, v: np.broadcast_arrays(m, m[:, :1])[1],
    lambda np, a, m, v: np.flip(a, 1),
    lambda np, a, m, v: np.fliplr(m),
    lambda np, a, m, v: np.rot90(m),
    lambda np, a, m, v: np.roll(m, 5),
    lambda np, a, m, v: np.roll(m, 1, axis=0),
    lambda np, a, m, v: np.take(m, [3, 0, 0], axis=1),
    lambda np, a, m, v: np.repeat(v, 2),
    lambda np, a, m, v: np.tile(m, (2, 2)),
    lambda np, a, m, v: np.delete(v, 2),
    lambda np, a, m, v: np.diagonal(m, 1),
    lambda np, a, m, v: np.diag(m),
    lambda np, a, m, v: np.diag(v, 1),
    lambda np, a, m, v: np.tril(m),
    lambda np, a, m, v: np.triu(m, 1),
    lambda np, a, m, v: np.array_split(v, 4)[1],
    lambda np, a, m, v: np.split(m, 2, axis=1)[1],
    lambda np, a, m, v: np.atleast_2d(v),
    lambda np, a, m, v: np.atleast_3d(m),
    lambda np, a, m, v: np.ravel(m.T),
    lambda np, a, m, v: np.ravel(m, order="F"),
    lambda np, a, m, v: np.reshape(a, (4, -1)),
    lambda np, a, m, v: np.reshape(a.T, (6, 4)),
    lambda np, a, m, v: a.reshape(4, 6).T.reshape(2, 2, 6),
    lambda np, a, m, v: m.flatten("F"),
    lambda np, a, m, v: np.copy(m.T),
    lambda np, a, m, v: np.where(m.T > 4 if m.dtype == int else (m.T.to_objects() > 4), m.T, 0),
    lambda np, a, m, v: np.sum(a),
    lambda np, a, m, v: np.sum(a, axis=(0, 2), keepdims=True),
    lambda np, a, m, v: np.sum(a, axis=1, initial=5),
    lambda np, a, m, v: np.prod(m + 1, axis=1),
    lambda np, a, m, v: np.cumsum(m),
    lambda np, a, m, v: np.cumprod(m + 1, axis=1),
    lambda np, a, m, v: np.diff(v * v, 2),
    lambda np, a, m, v: np.trace(m),
    lambda np, a, m, v: np.dot(m, m.T),
    lambda np, a, m, v: np.dot(a, m.T),
    lambda np, a, m, v: np.dot(a, m[0]),
    lambda np, a, m, v: np.dot(v, v),
    lambda np, a, m, v: np.dot(v, 3),
    lambda np, a, m, v: np.vdot(m, m),
    lambda np, a, m, v: np.inner(a, m),
    lambda np, a, m, v: np.outer(v, m),
    lambda np, a, m, v: np.kron(m, v),
    lambda np, a, m, v: np.tensordot(a, a, axes=([0, 2], [0, 2])),
    lambda np, a, m, v: np.tensordot(m, m, axes=0),
    lambda np, a, m, v: np.einsum("ijk,lk->jil", a, m),
    lambda np, a, m, v: np.einsum("ii->i", m[:, :3]),
    lambda np, a, m, v: np.einsum("ii", m[:, :3]),
    lambda np, a, m, v: np.einsum("ijk->k", a),
    lambda np, a, m, v: np.einsum("ij,ij->j", m, m),
    lambda np, a, m, v: np.einsum("i,ijk,j->k", v[:2], a, v[:3]),
    lambda np, a, m, v: np.einsum("ij,j", m, v[:4]),
    lambda np, a, m, v: np.einsum("ij,jk,kl->il", m, m.T, m),
    lambda np, a, m, v: np.convolve(v, m[0]),
    lambda np, a, m, v: np.convolve(m[0], v, "same"),
    lambda np, a, m, v: np.convolve(v, v[:3], "valid"),
    lambda np, a, m, v: np.linalg.matrix_power(m[:, :3], 5),
    lambda np, a, m, v: np.multiply.outer(v, m),
    lambda np, a, m, v: np.add.accumulate(m, axis=1),
    lambda np, a, m, v: np.multiply.reduce(m + 1),
    lambda np, a, m, v: np.full_like(m, 7),
    lambda np, a, m, v: np.ones_like(m, shape=(2, 2)),
    lambda np, a, m, v: m.take([1, 1], axis=0),
    lambda np, a, m, v: m[np.ix_([0, 2], [1, 3])],
    lambda np, a, m, v: m[[0, 2], 1:],
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_function(number):
    call = CALLS[number]
    ints = [x.to_objects().astype(int) for x in (A, M, V)]
    same(call(np, A, M, V), np.asarray(call(np, *ints)).astype(object) % FIELD.order)


BAD = [
    lambda np, m, v: np.concatenate([m, v]),
    lambda np, m, v: np.concatenate([m, m[:, :2]]),
    lambda np, m, v: np.stack([m, v]),
    lambda np, m, v: m.reshape(5, 5),
    lambda np, m, v: np.broadcast_to(m, (2, 2)),
    lambda np, m, v: m @ m,
    lambda np, m, v: np.dot(m, m),
    lambda np, m, v: np.dot(m, v),
    lambda np, m, v: np.tensordot(m, m, 1),
    lambda np, m, v: np.einsum("ij,jk->ik", m, m),
    lambda np, m, v: np.einsum("ij->k", m),
    lambda np, m, v: np.einsum("ijk->k", m),
    lambda np, m, v: np.einsum("ij,kl", m),
    lambda np, m, v: m.sum(axis=2),
    lambda np, m, v: m.sum(axis=(0, 0)),
    lambda np, m, v: m.transpose(0, 0),
    lambda np, m, v: m.squeeze(0),
    lambda np, m, v: m[3],
    lambda np, m, v: m[0, 0, 0],
    lambda np, m, v: m[[5]],
    lambda np, m, v: m.__setitem__(0, v),
    lambda np, m, v: m.__setitem__(slice(0, 2), np.zeros_like(m)),
    lambda np, m, v: m.__setitem__(9, 1),
    lambda np, m, v: m.__setitem__([0, 1], v),
    lambda np, m, v: m[np.ones(5, bool)],
    lambda np, m, v: np.broadcast_to(v, (2, 6)).__setitem__(0, 1),
    lambda np, m, v: iter(v[0]),
    lambda np, m, v: np.split(v, 4),
    lambda np, m, v: np.add.reduce(m, axis=5),
    lambda np, m, v: np.diag(m.reshape(1, 3, 4)),
    lambda np, m, v: v.item(),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_errors_are_of_numpys_kind(number):
    call, ints = BAD[number], [x.to_objects().astype(int) for x in (M, V)]
    with pytest.raises(Exception) as wanted:
        call(np, *ints)
    with pytest.raises(Exception) as found:
        call(np, M.copy(), V.copy())
    assert isinstance(found.value, wanted.type) or isinstance(wanted.value, found.type), (found.value, wanted.value)


def test_copyto():
    a = FIELD.zeros((2, 3))
    np.copyto(a, [1, 2, 3])
    np.copyto(a, 9, where=[[True, False, False], [False, False, True]])
    assert a.to_ints() == [[9, 2, 3], [1, 2, 9]]
    with pytest.raises(TypeError):
        np.copyto(np.zeros(3), a[0])


def test_equality_of_arrays():
    assert np.array_equal(M, M.copy()) and not np.array_equal(M, M.T) and np.array_equal(V, np.arange(6))
    assert np.array_equiv(V, np.broadcast_to(V, (2, 6))) and not np.array_equiv(V, M)
    assert np.flatnonzero(V).tolist() == [1, 2, 3, 4, 5] and np.argwhere(M == 5).tolist() == [[1, 1]]
    assert (np.shape(M), np.ndim(M), np.size(M)) == ((3, 4), 2, 12)
