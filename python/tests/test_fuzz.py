"""A sequence of calls that somebody with a random generator makes: results as of NumPy's objects, errors of Python,
never a crash."""

import random

import numpy as np
import pytest

import evariste as ev
from reference import edges, reference


class Walk:
    """Arrays of a field beside arrays of numbers, changed by the same steps."""

    def __init__(self, text, seed):
        self.field, self.exact, self.random = ev.Field(text), reference(text), random.Random(seed)
        self.pairs = []
        for _ in range(4):
            self.keep(self.fresh(self.shape()))

    def shape(self):
        return tuple(self.random.randint(0, 5) for _ in range(self.random.randint(0, 3)))

    def fresh(self, shape):
        numbers, flat = edges(self.field), np.empty(int(np.prod(shape)), object)
        flat[:] = [self.random.choice(numbers + [self.random.randrange(self.field.order)]) for _ in range(flat.size)]
        flat = flat.reshape(shape)
        return self.field(flat), flat

    def keep(self, pair):
        a, x = pair
        x = np.asarray(x, object)
        assert isinstance(a, ev.Array) and a.shape == x.shape and a.to_objects().tolist() == x.tolist()
        if len(self.pairs) < 6:
            self.pairs.append((a, x))
        else:
            self.pairs[self.random.randrange(6)] = (a, x)

    def index(self, ndim):
        parts = [self.random.choice([0, -1, 1, 7, slice(None), slice(None, None, -1), slice(1, 3), None, Ellipsis, [0, 1]])
                 for _ in range(self.random.randint(0, ndim + 1))]  # fmt: skip
        return tuple(parts)

    def step(self):
        pick = self.random.choice
        (a, x), (b, y) = pick(self.pairs), pick(self.pairs)
        exact, n = self.exact, self.random.randrange(13)
        key = self.index(a.ndim)
        axis = self.random.randint(-4, 3)
        runs = [
            lambda: (a + b, exact.add(x, y)),
            lambda: (a * b, exact.multiply(x, y)),
            lambda: (a - b, exact.subtract(x, y)),
            lambda: (a[key], x[key]),
            lambda: (a.T, x.T),
            lambda: (a.reshape(-1), x.reshape(-1)),
            lambda: (np.concatenate([a, b]), np.concatenate([x, y])),
            lambda: (a.sum(axis=axis), exact.sum(x, axis) if -x.ndim <= axis < x.ndim else x.sum(axis=axis)),
            lambda: (a.swapaxes(0, axis), x.swapaxes(0, axis)),
            lambda: (np.roll(a, 1), np.roll(x, 1)),
            lambda: (self.set(a, key, b), self.set(x, key, y)),
            lambda: (ev.fma(a, b, 1), exact.add(exact.multiply(x, y), np.ones((), object))),
            lambda: self.fresh(self.shape()),
        ]
        self.both(runs[n])

    def set(self, a, key, b):
        a[key] = b.copy()
        return a

    def both(self, run):
        """Both do it, or neither."""
        try:
            made = run()
        except (ValueError, IndexError, TypeError, np.exceptions.AxisError):
            return
        self.keep(made)


# What a view shares differs nowhere from NumPy, so a sequence that writes through views stays equal.
@pytest.mark.parametrize("text", ["2^31 - 1", "2^255 - 19", "GF(2^13)", "GF(2^131)", "2^96 + 6"])
@pytest.mark.parametrize("seed", range(6))
def test_sequences_of_calls(text, seed):
    walk = Walk(text, f"{text} {seed}")
    for _ in range(80):
        walk.step()
    for a, x in walk.pairs:
        assert a.to_objects().tolist() == x.tolist()


JUNK = [None, 0, -1, 2**70, 1.5, "x", b"ab", [], [[1], [2, 3]], (3, -1), {}, object(), np.zeros(3), np.array(["a"]), slice(1),
        float("nan"), ev.Field("2^31-1"), ev.Field("2^31-1").zeros((2, 2)), np.zeros((0, 2), np.uint64), range(3), 10**6]  # fmt: skip


def junk(owners, some, rounds, values):
    """Calls any members with anything: only exceptions that are no errors of ours come out."""
    left_out = ("tune", "prepare", "explain", "dask_array", "dask_random")
    names = [(owner, n) for owner in owners for n in dir(owner) if not n.startswith("_") and n not in left_out]
    for _ in range(rounds):
        owner, name = some.choice(names)
        try:
            member = getattr(owner, name)
            if callable(member):
                member(*[some.choice(values) for _ in range(some.randint(0, 3))])
        except Exception as error:  # noqa: BLE001
            assert not isinstance(error, SystemError), (name, error)
            assert "inside evariste" not in str(error), (name, error)


@pytest.mark.parametrize("seed", range(4))
def test_junk_gives_exceptions(seed):
    field = ev.Field("2^255-19")
    junk([field, field.arange(6).reshape(2, 3)], random.Random(seed), 600, JUNK)
    assert int(field.arange(6).sum()) == 15


@pytest.mark.parametrize("seed", range(2))
def test_junk_gives_exceptions_of_towers_points_and_pairings(seed):
    tower, curve, ladder, pairing = ev.Field("bn254-fp2"), ev.Curve("secp256k1"), ev.Curve("25519"), ev.Pairing("bn254")
    points = curve.random((2, 3), seed=1)
    some = [x for x in JUNK if not (isinstance(x, int) and x == 10**6)] + [points, curve.generator, tower((1, 2)), pairing]
    owners = [tower, tower.random((2, 3), seed=1), curve, points, ladder, pairing]
    junk(owners, random.Random(f"structures {seed}"), 800, some)
    for operator in ("__add__", "__radd__", "__sub__", "__mul__", "__rmul__", "__truediv__", "__pow__", "__eq__", "__matmul__", "__getitem__"):
        for owner in (points, tower.random((2, 3), seed=1)):
            for other in some:
                try:
                    getattr(owner, operator)(other)
                except Exception as error:  # noqa: BLE001
                    assert not isinstance(error, SystemError) and "inside evariste" not in str(error), (operator, error)
    assert (2 * points - points == points).all()
