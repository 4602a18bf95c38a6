"""How many threads computations run on: one number for all fields of a process."""

import os
import sys

from . import _core

_chosen = False


def set_threads(threads):
    """Lets computations run on that many threads; 0 means as many as the machine has.

    The results are the same on any number. Without this call the environment variable ``EVARISTE_THREADS`` decides; else
    a process that is a Dask worker takes one (Dask runs as many tasks at once as there are cores), and any other process
    as many as the machine has.

    Raises:
        ValueError: a negative number.

    >>> import evariste as ev
    >>> ev.set_threads(2)
    >>> ev.get_threads()
    2
    """
    global _chosen
    threads = int(threads)
    if not 0 <= threads <= 4096:
        raise ValueError(f"{threads} threads\nhelp: give a number of 1 to 4096, or 0 for as many as the machine has")
    _core.set_threads(threads)
    _chosen = True


def get_threads():
    """The number of threads that computations run on; 0: as many as the machine has."""
    choose()
    return _core.threads_wanted()


def choose():
    """Sets the number of threads where nobody has yet: called when a field is made."""
    global _chosen
    if _chosen:
        return
    text = os.environ.get("EVARISTE_THREADS", "")
    if text.strip().isdigit():
        set_threads(int(text))
    elif _is_dask_worker():
        # Chosen for as long as this process hosts a worker, which it may not do for ever: asked again next time.
        _core.set_threads(1)


def _is_dask_worker():
    worker = sys.modules.get("distributed.worker")
    return worker is not None and bool(getattr(worker.Worker, "_instances", ()))


os.register_at_fork(after_in_child=_core.after_fork)
