"""Arrays over finite fields: proved kernels on vector registers and threads.

>>> import evariste as ev
>>> F = ev.Field("2^255-19")
>>> a = F([1, 2, 3])
>>> a * a + 1
Array([2, 5, 10], field='2^255 - 19')
>>> a * a.inverse() == 1
array([ True,  True,  True])

A :class:`Field` is made of a description (everything that the command ``evariste`` takes), and makes :class:`Array`:
arrays of any shape, which follow NumPy's rules for shapes, indices, broadcasts and errors.
"""

from ._array import Array
from ._core import __version__
from ._field import Field
from ._fused import fma, lincomb
from ._threads import get_threads, set_threads

__all__ = [
    "Array",
    "Field",
    "__version__",
    "explain",
    "fma",
    "get_threads",
    "lincomb",
    "set_threads",
]


def explain(field, operations=None):
    """How arrays of a field are computed: see :meth:`Field.explain`.

    >>> import evariste as ev
    >>> ev.explain("2^255-19").layout == ev.Field("2^255-19").layout
    True
    """
    return Field(field).explain(operations)
