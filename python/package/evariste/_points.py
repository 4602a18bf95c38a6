"""Arrays of points of one curve."""

import numpy as np

from ._base import Shaped


class Points(Shaped):
    """Points of one curve in a shape; made by a :class:`Curve`.

    Shapes, indices, broadcasts and their errors are NumPy's, and views share memory as NumPy's do. ``P + Q``, ``P - Q``,
    ``-P``, ``k * P`` for integers or arrays of them, ``P == Q``, ``np.sum``. Inside, points are projective: sums need no
    inversion, and have no exceptions. Multiples take the same time for all scalars of a kernel, but what makes words of
    Python's integers does not: do not use the package on secrets where that matters.

    >>> import evariste as ev
    >>> E = ev.Curve("p256")
    >>> G = E.generator
    >>> P = [1, 2, 3] * G
    >>> P + P == [2, 4, 6] * G
    array([ True,  True,  True])
    >>> P.sum() == 6 * G
    array(True)
    """

    __slots__ = ()
    _what = "a point"

    @property
    def curve(self):
        """The curve."""
        return self._field

    def _named(self):
        return f"curve={self._field._shown!r}"

    def _items(self):
        """An object for each point: a pair, or ``None`` for the neutral element where (0, 0) stands for it."""
        curve, out = self._field, np.empty(self.size, object)
        pairs = self._affine_words().reshape(self.size, 2, curve._degree, curve._ground_words)
        for i, pair in enumerate(pairs):
            numbers = [[int.from_bytes(row.tobytes(), "little") for row in coordinate] for coordinate in pair]
            x, y = (own[0] if len(own) == 1 else tuple(own) for own in numbers)
            out[i] = None if curve._flagged and not pairs[i].any() else (x, y)
        return out.reshape(self.shape)

    def _affine_words(self):
        """Canonical words of x and y."""
        return self._flat().affine().to_words()

    # Numbers.

    def affine(self):
        """x and y: two arrays of :attr:`Curve.field`. The neutral element of Weierstrass curves is (0, 0), of those through (0, 0) it is (0, 1).

        All points share inversions.

        >>> import evariste as ev
        >>> E = ev.Curve("p256")
        >>> x, y = (5 * E.generator).affine()
        >>> E((x, y)) == 5 * E.generator
        array(True)
        """
        curve = self._field
        words = self._affine_words().reshape(self.size, 2, curve._field_words)
        x, y = (curve.field.from_words(words[:, i]).reshape(self.shape) for i in (0, 1))
        return x, y

    @property
    def x(self):
        """The first coordinate of each point: see :meth:`affine`."""
        return self.affine()[0]

    @property
    def y(self):
        """The second coordinate of each point: see :meth:`affine`."""
        return self.affine()[1]

    def to_ints(self):
        """Pairs of integers in a nested list of the array's shape; ``None`` for the neutral element of Weierstrass curves.

        On those that go through (0, 0) it is (0, 1), as on Edwards curves.

        Coordinates in a tower are tuples.

        >>> import evariste as ev
        >>> E = ev.Curve("ed25519")
        >>> E.identity.to_ints()
        (0, 1)
        """
        return self._items().tolist()

    tolist = to_ints

    def to_bytes(self, byteorder="little"):
        """x and y of each point in canonical bytes; zeros for the neutral element of Weierstrass curves, x = 0 and y = 1 on
        those through (0, 0)."""
        from ._field import is_big

        return self._flat().affine().to_bytes(is_big(byteorder))

    tobytes = to_bytes

    def to_compressed(self):
        """Compressed points, as :meth:`Curve.from_compressed` takes them; all share inversions.

        >>> import evariste as ev
        >>> ev.Curve("secp256k1").generator.to_compressed().hex()
        '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
        """
        from . import _compressed

        return _compressed.compress(self)

    def __bool__(self):
        raise TypeError("a point is neither true nor false\nhelp: P.is_identity() tells the neutral element")

    # Arithmetic beyond the operators.

    def double(self):
        """``P + P``."""
        return self._like(self._flat().unary("double"), self.shape)

    def sum(self, axis=None, dtype=None, out=None, keepdims=False):
        """The sum over all axes or some."""
        return np.add.reduce(self, axis=axis, dtype=dtype, out=out, keepdims=keepdims)

    def is_identity(self):
        """Which points are the neutral element."""
        return self == self._field.identity

    def in_subgroup(self):
        """Which points are multiples of the base point.

        Raises:
            ValueError: a curve whose order is not known.
        """
        return self._field.in_subgroup(self)

    # NumPy's protocols.

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        from . import _multiples, _ufuncs

        return _ufuncs.call(ufunc, method, inputs, options, _multiples.METHODS)

    def __array_function__(self, function, types, arguments, options):
        from . import _functions

        return _functions.call(function, types, arguments, options)
