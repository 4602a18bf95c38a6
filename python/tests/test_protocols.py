"""What other libraries, and the interpreter, expect: pickles, copies, tokens, Arrow, signals, forks, threads."""

import copy
import doctest
import importlib
import os
import pickle
import pkgutil
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import evariste as ev
from reference import FIELDS, NORMAL, same


@pytest.mark.parametrize("text", FIELDS + NORMAL)
def test_pickles_and_copies(text):
    a = ev.Field(text).random((3, 70), seed=1)
    for array in (a, a.T, a[1:, ::2], a[0, 0], a[:0]):
        for protocol in range(2, 6):
            same(pickle.loads(pickle.dumps(array, protocol)), array.to_objects())
        same(copy.copy(array), array.to_objects())
        same(copy.deepcopy(array), array.to_objects())
    buffers = []
    message = pickle.dumps(a, 5, buffer_callback=buffers.append)
    assert len(message) < 300 and sum(len(b.raw()) for b in buffers) == 210 * a.field.bytes
    # Buffers come unaligned, and may not be written.
    moved = [memoryview(b"x" + bytes(b.raw()))[1:].toreadonly() for b in buffers]
    same(pickle.loads(message, buffers=moved), a.to_objects())


def test_copies_are_apart():
    a = ev.Field("p256").arange(10)
    b, c = a.copy(), copy.deepcopy(a)
    a[3] = 99
    a += 1
    same(b, np.arange(10, dtype=object))
    same(c, np.arange(10, dtype=object))


def test_tokens_are_of_the_content():
    tokenize = pytest.importorskip("dask.base").tokenize
    a = ev.Field("2^255-19").arange(10)
    assert tokenize(a) == tokenize(a.copy()) == tokenize(a[::-1][::-1]) != tokenize(a + 1)
    assert tokenize(a) != tokenize(ev.Field("p256").arange(10)) and tokenize(a) != tokenize(a.reshape(2, 5))


def test_arrow():
    arrow = pytest.importorskip("pyarrow")
    field = ev.Field("2^255-19")
    a = field.random(20, seed=1)
    made = arrow.array(a)
    assert made.type == arrow.binary(32) and len(made) == 20 and made[3].as_py() == a[3].to_bytes()
    assert np.array_equal(field.from_arrow(made), a) and np.array_equal(field.from_arrow(a), a)
    assert np.array_equal(field.from_arrow(made[5:9]), a[5:9]) and field.from_arrow(made[:0]).shape == (0,)
    with pytest.raises(TypeError, match="fixed_size_binary"):
        field.from_arrow(arrow.array([1, 2]))
    with pytest.raises(ValueError, match="missing"):
        field.from_arrow(arrow.array([None, bytes(32)], arrow.binary(32)))


MODULES = ["evariste"] + [f"evariste.{m.name}" for m in pkgutil.iter_modules(ev.__path__) if m.name != "_core"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_docstrings_run(name):
    if name == "evariste.dask":
        pytest.importorskip("dask")
    before = ev.get_threads()
    result = doctest.testmod(importlib.import_module(name))
    ev.set_threads(before)
    assert result.failed == 0


def test_every_public_name_has_a_docstring():
    public = [ev] + [getattr(ev, name) for name in ev.__all__ if name != "__version__"]
    for thing in public:
        assert thing.__doc__, thing
        if isinstance(thing, type):
            for name, member in vars(thing).items():
                if not name.startswith("_") and name != "tobytes":
                    assert getattr(member, "__doc__", None), f"{thing.__name__}.{name}"


def test_stubs_name_what_there_is():
    """Every name of the stubs exists, and every public name is in them."""
    import ast

    stub = os.path.join(os.path.dirname(ev.__file__), "__init__.pyi")
    tree = ast.parse(open(stub).read())
    classes = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    assert {"Array", "Field"} <= set(classes) and set(ev.__all__) - {"__version__"} <= functions | set(classes)
    # Bases of the stubs have other names than those of the modules, which are not public.
    bodies = {name: [c.body for c in [node, *(classes[b.id] for b in node.bases if b.id in classes)]] for name, node in classes.items()}
    for name in ("Array", "Field", "Tower", "Curve", "Points", "Pairing"):
        kind, body = getattr(ev, name), [n for part in bodies[name] for n in part]
        named = {n.name for n in body if isinstance(n, ast.FunctionDef)}
        named |= {n.target.id for n in body if isinstance(n, ast.AnnAssign)}
        named |= {t.id for n in body if isinstance(n, ast.Assign) for t in n.targets}
        own = [part for part in kind.__mro__ if part.__module__.startswith("evariste.")][: len(bodies[name])]
        there = {n for part in own for n in vars(part) if not n.startswith("_")}
        assert there <= named, there - named
        assert all(hasattr(kind, n) for n in named)


def run(code, **options):
    """Runs code in an interpreter of its own."""
    return subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, timeout=120, **options)


def test_control_c_ends_long_operations():
    code = """
        import evariste as ev, signal, threading, os, time
        ev.set_threads(1)
        F = ev.Field("2^255-19")
        a = F.random(1 << 20, seed=1)
        b = a.copy()
        a ** 3
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
        threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.time()
        try:
            while True:
                a **= 2**2000 - 1
        except KeyboardInterrupt:
            print("ended", time.time() - start < 20, len(a), bool((a == b).all()))
    """
    assert run(code).stdout == "ended True 1048576 True\n"


def test_a_fork_computes_on():
    code = """
        import evariste as ev, os
        ev.set_threads(2)
        F = ev.Field("2^255-19")
        a = F.random(200000, seed=1)
        wanted = int((a * a).sum())
        child = os.fork()
        if child == 0:
            os._exit(0 if int((a * a).sum()) == wanted else 1)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), int((a * a).sum()) == wanted)
    """
    assert run(code).stdout == "0 True\n"


def test_sub_interpreters_are_refused_or_work():
    code = """
        import evariste
        import _xxsubinterpreters as sub
        made = sub.create()
        try:
            sub.run_string(made, "import evariste as ev; assert int(ev.Field('2^31-1')([3])[0] * 5) == 15")
            print("works")
        except Exception as error:
            print("refused")
    """
    if sys.version_info >= (3, 13):
        pytest.skip("the module for sub-interpreters has another name")
    done = run(code)
    assert done.returncode == 0 and done.stdout.strip() in ("works", "refused"), done


def test_threads_of_python_compute_at_once():
    field = ev.Field("2^255-19")
    a = field.random(50_000, seed=1)
    wanted, wrong = (a * a + a).to_bytes(), []

    def work():
        for _ in range(5):
            if (a * a + a).to_bytes() != wanted:
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert not wrong


def test_writers_and_readers_at_once_see_whole_arrays():
    field = ev.Field("2^255-19")
    shared, seen = field.zeros(20_000), []

    def write():
        for i in range(60):
            np.add(shared, 1, out=shared)

    def read():
        for _ in range(60):
            seen.append(len(set((shared + 0).to_words()[:, 0].tolist())))

    threads = [threading.Thread(target=write), threading.Thread(target=read)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert set(seen) == {1} and int(shared[0]) == 60


def test_control_c_ends_multiples_of_points():
    code = """
        import evariste as ev, signal, threading, os, time
        ev.set_threads(1)
        E = ev.Curve("secp256k1")
        k = list(range(2**200, 2**200 + 4000))
        P = k * E.generator
        k * P
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
        threading.Timer(0.4, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        start = time.time()
        try:
            while True:
                k * P
        except KeyboardInterrupt:
            print("ended", time.time() - start < 20, len(P), bool((P[:3] == k[:3] * E.generator).all()))
    """
    done = run(code)
    assert done.stdout.split() == ["ended", "True", "4000", "True"], done.stderr


def test_a_signal_handler_runs_between_blocks():
    field, seen = ev.Field("2^255-19"), []
    a = field.random(1 << 18, seed=1)
    before = signal.signal(signal.SIGALRM, lambda *_: seen.append(time.monotonic()))
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    a ** (2**1000 - 1)
    end = time.monotonic()
    signal.signal(signal.SIGALRM, before)
    assert seen and seen[0] < end
