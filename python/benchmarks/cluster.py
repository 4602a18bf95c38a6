"""One Dask process beside two: a job of products, sums and inner products of data that workers make themselves.

    python python/benchmarks/cluster.py [--elements 10000000] [--rounds 3]

Each process has one thread. Both clusters compute the same job by turns; results are compared; medians are printed.
"""

import argparse
import statistics
import time

from distributed import Client, LocalCluster

import evariste as ev
from evariste import dask as clusters


def job(field, n, chunk):
    x, y = field.dask_random(n, chunk, seed=1), field.dask_random(n, chunk, seed=2)
    return (x * y + x).sum() + clusters.dot(x, y)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--elements", type=int, default=10**7)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    field = ev.Field("2^255-19")
    settings = dict(threads_per_worker=1, processes=True, dashboard_address=None)
    times, results = {1: [], 2: []}, set()
    with LocalCluster(n_workers=1, **settings) as one, LocalCluster(n_workers=2, **settings) as two:
        clients = {1: Client(one), 2: Client(two)}
        for client in clients.values():
            # Imports, code of the kernels, connections.
            client.compute(job(field, 10_000, 1_000)).result()
        for _ in range(given.rounds):
            for workers, client in clients.items():
                start = time.perf_counter()
                results.add(client.compute(job(field, given.elements, given.elements // 40)).result().to_bytes())
                times[workers].append(time.perf_counter() - start)
        for client in clients.values():
            client.close()
    assert len(results) == 1, "the clusters compute different numbers"
    for workers, found in times.items():
        print(f"{workers} processes: {statistics.median(found):.2f} s (least {min(found):.2f})")
    print(f"two are {statistics.median(times[1]) / statistics.median(times[2]):.2f} times as fast as one; equal results")


if __name__ == "__main__":
    main()
