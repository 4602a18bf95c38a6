"""One Dask process beside two: a job of products, sums and inner products of data that workers make themselves, written
as arrays and as one function of a chunk.

    python python/benchmarks/cluster.py [--elements 10000000] [--chunks 8] [--rounds 5]

Each process has one thread. One cluster computes the job after the other; results are compared; medians are printed. Both
operands of a chunk are made by one task: what is made by two may be made by two processes, and then travels. Beside that
the same computation without Dask, in one process and in two at once, which is what the machine allows.
"""

import argparse
import multiprocessing
import statistics
import time

import numpy as np
from distributed import Client, LocalCluster

import evariste as ev
from evariste import dask as clusters

DESCRIPTION = "2^255-19"


def job(field, n, chunk):
    both = field.dask_random((2, n), (2, chunk), seed=1)
    x, y = both[0], both[1]
    return (x * y + x).sum() + clusters.dot(x, y)


def part(field, shape, number, n, chunk):
    """What chunk `number` of n elements adds to the result, as an array of one."""
    x, y = field.random((2, min(chunk, n - number * chunk)), seed=number)
    return ((x * y + x).sum() + np.dot(x, y)).reshape(shape)


def job_of_chunks(field, n, chunk):
    """A job of the same size, whose chunks are a task each."""
    return clusters.from_function(field, part, -(-n // chunk), 1, n, chunk).sum()


def compute(n, chunk, number):
    """The computation of one chunk."""
    return int(part(ev.Field(DESCRIPTION), 1, number, n, chunk)[0])


def plain(pipe):
    """A process that computes chunks as it is told."""
    ev.set_threads(1)
    for task in iter(pipe.recv, None):
        pipe.send([compute(*one) for one in task])


def without_dask(n, chunk, rounds):
    """Seconds of all chunks in one process, and in two at once."""
    context = multiprocessing.get_context("spawn")
    pipes, workers = [], []
    for _ in range(2):
        own, other = context.Pipe()
        worker = context.Process(target=plain, args=(other,), daemon=True)
        worker.start()
        pipes.append(own)
        workers.append(worker)
    chunks = [(n, chunk, number) for number in range(-(-n // chunk))]
    times = {1: [], 2: []}
    for turn in range(rounds + 1):
        for count in times:
            start = time.perf_counter()
            for i, pipe in enumerate(pipes[:count]):
                pipe.send(chunks[i::count])
            for pipe in pipes[:count]:
                pipe.recv()
            # The first time kernels are made.
            if turn:
                times[count].append(time.perf_counter() - start)
    for pipe in pipes:
        pipe.send(None)
    for worker in workers:
        worker.join()
    return times


def with_dask(n, chunk, rounds, job=job):
    """Seconds of a job on one worker, and on two."""
    field = ev.Field(DESCRIPTION)
    settings = dict(threads_per_worker=1, processes=True, dashboard_address=None)
    times, results = {1: [], 2: []}, set()
    for workers in times:
        # One cluster at a time: an idle one still looks after its workers.
        with LocalCluster(n_workers=workers, **settings) as cluster, Client(cluster) as client:
            # Imports, code of the kernels, connections.
            client.compute(job(field, 10_000, 1_000)).result()
            client.compute(job(field, n, chunk)).result()
            for _ in range(rounds):
                start = time.perf_counter()
                results.add(client.compute(job(field, n, chunk)).result().to_bytes())
                times[workers].append(time.perf_counter() - start)
    assert len(results) == 1, "the clusters compute different numbers"
    return times


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--elements", type=int, default=10**7)
    options.add_argument("--chunks", type=int, default=8)
    options.add_argument("--rounds", type=int, default=5)
    given = options.parse_args()
    chunk = -(-given.elements // given.chunks)
    runs = [("Dask, arrays", with_dask), ("Dask, one function", lambda *sizes: with_dask(*sizes, job_of_chunks)), ("without Dask", without_dask)]
    for name, run in runs:
        times = run(given.elements, chunk, given.rounds)
        for workers, found in times.items():
            print(f"{name}, {workers} processes: {statistics.median(found):.2f} s (least {min(found):.2f})")
        print(f"{name}: two are {statistics.median(times[1]) / statistics.median(times[2]):.2f} times as fast as one")


if __name__ == "__main__":
    main()
