"""Arrays over finite fields: proved kernels on vector registers and threads.

>>> import evariste as ev
>>> F = ev.Field("2^255-19")
>>> a = F([1, 2, 3])
>>> a * a + 1
Array([2, 5, 10], field='2^255 - 19')
>>> a * a.inverse() == 1
array([ True,  True,  True])

A :class:`Field` is made of a description (everything that the command ``evariste`` takes), and makes :class:`Array`:
arrays of any shape, which follow NumPy's rules for shapes, indices, broadcasts and errors. A :class:`Curve` makes arrays of
:class:`Points` by the same rules, and a :class:`Pairing` takes such arrays to arrays of a :class:`Tower`.
"""

from ._array import Array
from ._core import __version__
from ._curve import Curve
from ._field import Field
from ._fused import fma, lincomb
from ._pairing import Pairing
from ._points import Points
from ._threads import get_threads, set_threads
from ._tower import Tower

__all__ = [
    "Array",
    "Curve",
    "Field",
    "Pairing",
    "Points",
    "Tower",
    "__version__",
    "explain",
    "fma",
    "get_threads",
    "lincomb",
    "reproduce",
    "set_threads",
    "tune",
]


def explain(field, operations=None):
    """How arrays of a field, a curve or a pairing are computed: see :meth:`Field.explain`.

    >>> import evariste as ev
    >>> ev.explain("2^255-19").layout == ev.Field("2^255-19").layout
    True
    """
    return (field if isinstance(field, (Curve, Pairing)) else Field(field)).explain(operations)


def tune(field, seconds=None, quick=False, remember=True, only=()):
    """Proves, compiles, measures and ranks the candidates for arrays of a field, on this machine.

    Args:
        field: a field, or its description.
        seconds: when to stop with what is measured by then; ``None``: when all is measured.
        quick: shorter timings, which are rougher.
        remember: keep the ranking where the command ``evariste tune --lanes`` keeps it, if all was measured and the
            machine was quiet: arrays of processes that start later are computed by its winners.
        only: parts of names of plans; candidates with none of them are left out.

    Returns:
        a table of the candidates, the quickest first, that prints well; ``to_pandas()`` gives a frame.

    Raises:
        RuntimeError: a machine on which nothing can be measured.
    """
    return Field(field).tune(seconds, quick, remember, only)


def reproduce(name=None, quick=False):
    """Makes a published figure anew, from fresh counts and measurements; without a name, the table of those that there are.

    >>> import evariste as ev
    >>> "nb-gates" in ev.reproduce()["name"]
    True
    """
    from . import _reports

    return _reports.reproduce(name, quick)
