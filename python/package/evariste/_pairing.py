"""Pairings: from arrays of points of two groups to arrays of a tower."""

import json
import threading

from . import _core, _threads
from . import _operations as operations
from ._array import Array
from ._curve import Curve
from ._field import Field, mixed
from ._points import Points

_made = {}
_lock = threading.RLock()


class Pairing:
    """A pairing e of two groups, by its name.

    Args:
        description: ``"bls12-381"``, ``"bn254"``, ``"ss-a512"`` or ``"ss-b160"``; or a pairing.

    Calling it gives ``e(P, Q)``, element by element, with the exact exponent (q − 1)/r for a target of q elements. Libraries
    disagree on a power: :meth:`multiple` is what the usual fast exponentiation gives. The neutral elements give 1.

    Raises:
        ValueError: a text that is no pairing.

    >>> import evariste as ev
    >>> e = ev.Pairing("bls12-381")
    >>> P, Q = e.g1.generator, e.g2.generator
    >>> e([2, 3] * P, 5 * Q) == e(P, [10, 15] * Q)
    array([ True,  True])
    """

    def __new__(cls, description):
        if isinstance(description, Pairing):
            return description
        if not isinstance(description, str):
            raise TypeError(f'{description!r} is no description\nhelp: give a name such as "bls12-381"')
        text = description if description.strip().lower().startswith("pairing:") else f"pairing:{description}"
        with _lock:
            found = _made.get(text)
            if found is None:
                _threads.choose()
                found = _made[text] = object.__new__(cls)
                try:
                    found._read(_core.Structure(text))
                except BaseException:
                    del _made[text]
                    raise
            return found

    def _read(self, core):
        self._core, self._text = core, core.text
        facts = self._facts = json.loads(core.facts())
        self._g1, self._g2, self._target = Curve(facts["first"]), Curve(facts["second"]), Field(facts["target"])
        self._order, self._multiple = int(facts["order"], 16), int(facts["multiple"], 16)

    @property
    def text(self):
        """A description that parses back."""
        return self._text

    @property
    def lanes(self):
        """Elements that lie side by side in memory."""
        return self._core.lanes

    @property
    def g1(self):
        """The curve of the first group."""
        return self._g1

    @property
    def g2(self):
        """The curve of the second group."""
        return self._g2

    @property
    def target(self):
        """The field of values."""
        return self._target

    @property
    def order(self):
        """The order of both groups."""
        return self._order

    @property
    def exponent(self):
        """Which power of the pairing :meth:`multiple` gives."""
        return self._multiple

    kind = "pairing"

    def __repr__(self):
        return f"Pairing({self._text.removeprefix('pairing:')!r})"

    def __reduce__(self):
        return (Pairing, (self._text,))

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __dask_tokenize__(self):
        return ("evariste.Pairing", self._text)

    def __call__(self, p, q):
        """``e(P, Q)`` of points of both groups, which are broadcast: elements of :attr:`target`.

        That points are multiples of the base points is not tested: :meth:`Curve.in_subgroup` does.

        Raises:
            TypeError: points of other curves.
        """
        return self._paired("pairing", p, q)

    def multiple(self, p, q):
        """The power :attr:`exponent` of ``e(P, Q)``, which is quicker, and what many libraries call the pairing."""
        return self._paired("pairing_multiple", p, q)

    def miller(self, p, q):
        """``e(P, Q)`` before the last exponentiation, up to factors that it makes 1."""
        return self._paired("miller", p, q)

    def final_exponentiation(self, f):
        """``f^((q − 1)/r)`` of elements of :attr:`target`."""
        f = self._target.array(f)
        if f.size == 0:
            return f.copy()
        return Array._of(self._target, self._compute("final_exponentiation", [f._flat()]), f.shape)

    def multi(self, p, q, axis=None):
        """The product of ``e(P, Q)`` over all axes or some, with one last exponentiation each.

        >>> import evariste as ev
        >>> e = ev.Pairing("bls12-381")
        >>> P, Q = e.g1.generator, e.g2.generator
        >>> e.multi([1, -1] * P, Q) == 1
        array(True)
        """
        return self.final_exponentiation(self.miller(p, q).prod(axis=axis))

    def _compute(self, name, operands):
        return self._core.compute(name, operands, self._target._core)

    def _paired(self, name, p, q):
        for points, curve in ((p, self._g1), (q, self._g2)):
            if not isinstance(points, Points):
                raise TypeError(f"{points!r} is no array of points\nhelp: make one of the curve {curve!r}")
            if points._field is not curve:
                raise mixed(curve, points._field)
        shape = operations.broadcast_shape(p.shape, q.shape)
        if operations.size_of(shape) == 0:
            return self._target.ones(shape)
        operands = [x._flat() if x.size == 1 else x._broadcast(shape)._flat() for x in (p, q)]
        return Array._of(self._target, self._compute(name, [x.affine_or_zeros() for x in operands]), shape)

    def explain(self, operations=None):
        """How arrays of this pairing are computed: see :meth:`Field.explain`. The code of each operation is made for this."""
        from . import _reports

        return _reports.explain(self, operations)
