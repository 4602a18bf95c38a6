"""Arrays of evariste beside what Python's users have: gmpy2, python-flint, galois, NumPy's objects, Python's integers.

    python python/benchmarks/peers.py [--quick] [--json FILE]

All candidates of a row are timed by turns, round after round, in one process on one thread, on the same numbers, each
once before its time is taken; what is printed is the median and the least time of an element. Products of matrices are
timed on all threads, too, as they run unless `ev.set_threads` says otherwise. A peer that is not installed is left out and
named. Results of all candidates are compared before anything is timed.
"""

import argparse
import importlib
import json
import platform
import statistics
import subprocess
import sys
import time

import numpy as np

import evariste as ev

PRIME_256 = 2**256 - 2**32 - 977
PRIME_31 = 2**31 - 1


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed: left out")
        return None


def by_turns(candidates, rounds):
    """Seconds of each, round after round: (median, least)."""
    times = {name: [] for name in candidates}
    for _ in range(rounds):
        for name, run in candidates.items():
            # The one before leaves its own data in the caches, and threads asleep.
            run()
            start = time.perf_counter()
            run()
            times[name].append(time.perf_counter() - start)
    return {name: (statistics.median(t), min(t)) for name, t in times.items()}


def report(rows, title, count, candidates, rounds):
    """Times of an element, and how often ours goes into each."""
    found = by_turns(candidates, rounds)
    own = found["evariste"][0]
    print(f"\n{title}")
    for name, (median, least) in found.items():
        ratio = "" if name == "evariste" else f"  {median / own:7.2f} × evariste"
        print(f"  {name:28} {median / count * 1e9:12.2f} ns (least {least / count * 1e9:.2f}){ratio}")
        rows.append({"row": title, "candidate": name, "median_ns": median / count * 1e9, "least_ns": least / count * 1e9})


def same(wanted, found, what):
    if [int(x) for x in wanted] != [int(x) for x in found]:
        sys.exit(f"{what} computes something else")


def beside_the_engine(rows, n, rounds):
    """An operator beside the engine that it calls, by turns."""
    field = ev.Field(PRIME_256)
    a, b = field.random(n, seed=1), field.random(n, seed=2)
    times = {"evariste": [], "the engine alone": []}
    a * b
    for _ in range(rounds):
        start = time.perf_counter()
        a * b
        times["evariste"].append((time.perf_counter() - start) * 1e9)
        times["the engine alone"] += a._elements.product_times(b._elements, 1)
    print(f"\noperator and engine, 256 bits, {n} elements")
    for name, found in times.items():
        median, least = statistics.median(found) / n, min(found) / n
        ratio = statistics.median(times["evariste"]) / statistics.median(found)
        print(f"  {name:28} {median:12.2f} ns (least {least:.2f})  operator / this: {ratio:.2f}")
        rows.append({"row": "operator and engine", "candidate": name, "median_ns": median, "least_ns": least})


def products(rows, n, peers_n, rounds):
    """Products at 256 bits: ours alone, and beside all peers on as many elements."""
    field = ev.Field(PRIME_256)
    a, b = field.random(n, seed=1), field.random(n, seed=2)
    out = field.zeros(n)
    report(rows, f"product, 256 bits, {n} elements", n, {
        "evariste": lambda: a * b,
        "evariste, out=": lambda: np.multiply(a, b, out=out),
        "evariste, a*b + c (ev.fma)": lambda: ev.fma(a, b, a),
        "evariste, a*b + c (two steps)": lambda: a * b + a,
        "evariste, sum": lambda: a.sum(),
        "evariste, dot": lambda: np.dot(a, b),
        "evariste, inverse": lambda: a.inverse(),
        "evariste, to_bytes": lambda: a.to_bytes(),
    }, rounds)  # fmt: skip
    x, y = a[:peers_n], b[:peers_n]
    p, q = x.to_ints(), y.to_ints()
    wanted = (x * y).to_ints()
    candidates = {"evariste": lambda: x * y, "Python int, list": lambda: [i * j % PRIME_256 for i, j in zip(p, q)]}
    objects = np.array(p, object), np.array(q, object)
    candidates["NumPy object"] = lambda: objects[0] * objects[1] % PRIME_256
    if gmpy2 := module("gmpy2"):
        m = gmpy2.mpz(PRIME_256)
        u, v = [gmpy2.mpz(i) for i in p], [gmpy2.mpz(i) for i in q]
        same(wanted, [i * j % m for i, j in zip(u, v)], "gmpy2")
        candidates["gmpy2, list"] = lambda: [i * j % m for i, j in zip(u, v)]
    if flint := module("flint"):
        ring = flint.fmpz_mod_ctx(PRIME_256)
        s, t = [ring(i) for i in p], [ring(i) for i in q]
        same(wanted, [i * j for i, j in zip(s, t)], "python-flint")
        candidates["python-flint, list"] = lambda: [i * j for i, j in zip(s, t)]
    report(rows, f"product, 256 bits, {peers_n} elements", peers_n, candidates, rounds)
    galois_products(rows, PRIME_256, peers_n, rounds)


def galois_products(rows, prime, n, rounds):
    """galois, where it can make the field: it factors p − 1 unless a primitive element is given and believed."""
    galois = module("galois")
    if not galois:
        return
    field = ev.Field(prime)
    x, y = field.random(n, seed=3), field.random(n, seed=4)
    try:
        theirs = galois.GF(prime, primitive_element=7 if prime > 2**32 else None, verify=False)
    except Exception as error:
        print(f"galois does not make GF({prime}): {error}")
        return
    dtype = theirs.dtypes[-1]
    u, v = (theirs(np.array(a.to_ints(), dtype=dtype)) for a in (x, y))
    same((x * y)[:50].to_ints(), (u * v)[:50], "galois")
    kind = "compiled" if dtype != object else "objects"
    report(rows, f"product beside galois ({kind}), {prime.bit_length()} bits, {n} elements", n, {
        "evariste": lambda: x * y,
        f"galois {galois.__version__}": lambda: u * v,
    }, rounds)  # fmt: skip


def matrices(rows, n, rounds):
    """Products of square matrices."""
    field = ev.Field(PRIME_256)
    a, b = field.random((n, n), seed=1), field.random((n, n), seed=2)
    candidates = {"evariste": lambda: a @ b}
    if flint := module("flint"):
        ring = flint.fmpz_mod_ctx(PRIME_256)
        u, v = (flint.fmpz_mod_mat(n, n, m.reshape(-1).to_ints(), ring) for m in (a, b))
        same((a @ b)[0].to_ints(), [(u * v)[0, j] for j in range(n)], "python-flint")
        candidates["python-flint"] = lambda: u * v
    x, y = a.to_objects(), b.to_objects()
    if n <= 100:
        candidates["NumPy object"] = lambda: x @ y % PRIME_256
    for threads, name in ((1, "one thread"), (0, "all threads")):
        ev.set_threads(threads)
        report(rows, f"matrices {n} × {n}, 256 bits, a product of elements, {name}", n**3, candidates, rounds)
    ev.set_threads(1)


def starts():
    """Seconds in fresh interpreters: import, a field, the first product."""
    code = """
import time; t0 = time.perf_counter()
import numpy; t1 = time.perf_counter()
import evariste as ev; t2 = time.perf_counter()
F = ev.Field(2**256 - 2**32 - 977); t3 = time.perf_counter()
a = F([2, 3, 5]); b = a * a; t4 = time.perf_counter()
print(t1 - t0, t2 - t1, t3 - t2, t4 - t3)
"""
    runs = [[float(x) for x in subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()] for _ in range(7)]
    names = ("import numpy", "import evariste after it", "ev.Field of 256 bits", "first elements and first product")
    print("\nin a fresh interpreter, median of 7 (least)")
    found = []
    for name, times in zip(names, zip(*runs)):
        print(f"  {name:36} {statistics.median(times) * 1e3:8.1f} ms ({min(times) * 1e3:.1f})")
        found.append({"row": "start", "candidate": name, "median_ns": statistics.median(times) * 1e9, "least_ns": min(times) * 1e9})
    return found


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--quick", action="store_true", help="fewer elements and rounds")
    options.add_argument("--json", help="a file for the numbers")
    given = options.parse_args()
    ev.set_threads(1)
    print(f"{platform.platform()}, Python {platform.python_version()}, NumPy {np.__version__}, evariste {ev.__version__}")
    for text in (str(PRIME_256), str(PRIME_31)):
        print(f"{ev.Field(text).text}: {ev.Field(text).layout}, {ev.Field(text).lanes} lanes")
    rows, rounds = starts(), 3 if given.quick else 7
    beside_the_engine(rows, 10**5 if given.quick else 10**6, 3 * rounds)
    products(rows, 10**5 if given.quick else 10**6, 10**5 if given.quick else 10**6, rounds)
    galois_products(rows, PRIME_31, 10**5 if given.quick else 10**6, rounds)
    for n in (30, 100) if given.quick else (30, 100, 300):
        matrices(rows, n, rounds)
    if given.json:
        with open(given.json, "w") as file:
            json.dump(rows, file, indent=1)


if __name__ == "__main__":
    main()
