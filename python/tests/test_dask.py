"""Arrays over two processes: the same numbers as in one, also where a worker dies in the middle."""

import os
import time

import numpy as np
import pytest

import evariste as ev

da = pytest.importorskip("dask.array")
distributed = pytest.importorskip("distributed")


@pytest.fixture(scope="module")
def client():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.mark.parametrize("text", ["2^31 - 1", "2^255 - 19", "GF(2^131)"])
def test_operations_of_dask(text, client):
    field = ev.Field(text)
    x, y = field.random((40, 30), seed=1), field.random((40, 30), seed=2)
    a, b = field.dask_array(x, chunks=(17, 10)), field.dask_array(y, chunks=(17, 10))
    assert a.dtype == object and isinstance(a._meta, ev.Array)
    for found, wanted in [
        (a * b + a, x * y + x),
        (a[3:20, ::2], x[3:20, ::2]),
        (a.T, x.T),
        (a.reshape(-1), x.reshape(-1)),
        (da.concatenate([a, b]), np.concatenate([x, y])),
        (a.sum(), x.sum()),
        (a.sum(axis=0), x.sum(axis=0)),
        (a.map_blocks(lambda block: block.square(), meta=a._meta), x.square()),
        (a.rechunk((40, 30)), x),
        (-a - b, -x - y),
    ]:
        got = found.compute()
        assert isinstance(got, ev.Array) and got.field is field and np.array_equal(got, wanted)


def toy_curve():
    """A curve whose code each worker makes at once."""
    return ev.Field("23").curve(1, 4, base=(0, 2), order=29, cofactor=1)


@pytest.mark.parametrize("made", [lambda: ev.Field("bls12-381-fp2"), toy_curve, lambda: ev.Curve("ed25519")])
def test_towers_and_points(made, client):
    space = made()
    x, y = space.random((20, 6), seed=1), space.random((20, 6), seed=2)
    a, b = space.dask_array(x, chunks=(7, 3)), space.dask_array(y, chunks=(7, 3))
    for found, wanted in [
        (a + b, x + y),
        (3 * a - b, 3 * x - y),
        (a[3:20, ::2].T, x[3:20, ::2].T),
        (da.concatenate([a, b]), np.concatenate([x, y])),
        (a.sum(axis=0), x.sum(axis=0)),
        (a.sum(), x.sum()),
        (a.map_blocks(lambda block: -block, meta=a._meta), -x),
    ]:
        got = found.compute()
        assert type(got) is type(x) and np.array_equal(got, wanted)
    drawn = space.dask_random(30, chunks=8, seed=3)
    assert (drawn.compute() == drawn.compute(scheduler="sync")).all() and drawn.name == space.dask_random(30, chunks=8, seed=3).name


def test_inner_products_and_bytes_are_those_of_one_process(client):
    from evariste import dask as clusters

    field = ev.Field("2^255-19")
    x, y = (field.dask_random(20_000, chunks=3_000, seed=s) for s in (1, 2))
    one_x, one_y = (np.concatenate([field.random(n, np.random.SeedSequence(s, spawn_key=(i,)))
                                    for i, n in enumerate(x.chunks[0])]) for s in (1, 2))  # fmt: skip
    assert (x * y + x).compute().to_bytes() == (one_x * one_y + one_x).to_bytes()
    assert int(clusters.dot(x, y).compute()) == int(np.dot(one_x, one_y))


def test_workers_take_one_thread(client):
    assert set(client.run(lambda: (__import__("evariste").Field("2^31-1"), __import__("evariste").get_threads())[1]).values()) == {1}


def test_a_killed_worker_changes_nothing(client):
    field = ev.Field("2^255-19")

    def slow(block):
        time.sleep(0.05)
        return block.square() + 1

    x = field.dask_random(40_000, chunks=1_000, seed=5)
    job = x.map_blocks(slow, meta=x._meta)
    wanted = job.compute(scheduler="sync").to_bytes()
    workers = client.run(os.getpid)
    future = client.compute(job)
    time.sleep(0.5)
    assert future.status == "pending"
    # (A signal that cannot be handled: the worker is gone in the middle of a chunk.)
    os.kill(next(iter(workers.values())), 9)
    assert future.result(timeout=60).to_bytes() == wanted
