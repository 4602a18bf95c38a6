"""Arrays: elements of one field in a shape.

Shapes, indices and views are those of :mod:`_base`; what is here is arithmetic and conversions.
"""

import operator

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from . import _convert
from ._base import Shaped


def _operator(name, special):
    """An operator of two arrays of one field and shape, one behind the other, without NumPy's detour; others go by it."""
    usual = getattr(NDArrayOperatorsMixin, special)

    def run(self, other):
        if (
            type(other) is Array
            and other._field is self._field
            and self._base is None
            and other._base is None
            and self._map.shape == other._map.shape
        ):
            return Array._of(self._field, self._elements.binary(name, other._elements), self._map.shape)
        return usual(self, other)

    run.__name__ = special
    return run


class Array(Shaped):
    """Elements of one field in a shape; made by a :class:`Field`.

    Shapes, indices, broadcasts and their errors are NumPy's. Operators take arrays of the same field, integers, and
    arrays of integers; those of a tower also arrays of its ground field. Slices, transpositions and broadcasts share memory, as NumPy's do, at any stride; operations on
    what does not lie one behind the other collect it first.

    >>> import evariste as ev
    >>> F = ev.Field("2^31-1")
    >>> a = F.arange(6).reshape(2, 3)
    >>> a.T[1:] * 2 - a[0, 0]
    Array([[2, 8],
           [4, 10]], field='2^31 - 1')
    >>> a[:, 1] = 7
    >>> a.sum(axis=1)
    Array([9, 15], field='2^31 - 1')
    """

    __slots__ = ()

    __add__ = _operator("add", "__add__")
    __sub__ = _operator("subtract", "__sub__")
    __mul__ = _operator("multiply", "__mul__")

    def _flip_signs(self, mask):
        """This array with the signs of some elements changed; it is not used any more."""
        self[mask] = -self[mask]
        return self

    # What it is.

    @property
    def field(self):
        """The field."""
        return self._field

    # Numbers.

    def to_ints(self):
        """Canonical numbers: a nested list of the array's shape; of an array without dimensions a number.

        An element of a tower is a list of its coordinates, lowest first.

        >>> import evariste as ev
        >>> ev.Field("2^255-19")([[1], [-1]]).to_ints()[0]
        [1]
        >>> ev.Field("bls12-381-fp2")([[1, 2], [3, 4]]).to_ints()
        [[1, 2], [3, 4]]
        """
        return self.to_objects().tolist()

    tolist = to_ints

    def to_objects(self):
        """Canonical numbers as a NumPy array of Python integers; of a tower with one axis more, that of coordinates."""
        field = self._field
        count, size = field._degree, field._bytes // field._degree
        out, elements = np.empty(self.size * count, object), self._flat()
        if field._words == count:
            out[:] = elements.to_words().tolist()
        else:
            out[:] = _convert.integers(elements.to_bytes(False), size)
        return out.reshape(self.shape if field.kind != "tower" else self.shape + (count,))

    def _items(self):
        """An object for each element: a number, or a tuple of coordinates."""
        objects = self.to_objects()
        if self._field.kind != "tower":
            return objects
        out = np.empty(self.size, object)
        for i, row in enumerate(objects.reshape(-1, objects.shape[-1])):
            out[i] = tuple(row)
        return out.reshape(self.shape)

    def coordinates(self):
        """The coordinates of a tower's elements: an array of the ground field with one axis more, lowest first.

        :meth:`Field.from_coordinates` is the way back.

        Raises:
            TypeError: elements of another field.

        >>> import evariste as ev
        >>> ev.Field("bls12-381-fp2")([(1, 2), (3, 4)]).coordinates()[:, 1].to_ints()
        [2, 4]
        """
        return self._tower("coordinates")._coordinates(self)

    def to_words(self):
        """Canonical words, lowest first: an array of ``uint64`` with one axis more.

        >>> import evariste as ev
        >>> ev.Field("2^127-1")([1, 2**64]).to_words()
        array([[1, 0],
               [0, 1]], dtype=uint64)
        """
        return self._flat().to_words().reshape(self.shape + (self._field._words,))

    def to_bytes(self, byteorder="little"):
        """Canonical bytes, :attr:`Field.bytes` for each element, in the order of rows."""
        from ._field import is_big

        return self._flat().to_bytes(is_big(byteorder))

    tobytes = to_bytes

    def to_arrow(self):
        """An Arrow array of fixed-size binaries, lowest byte first. Needs pyarrow."""
        from . import _arrow

        return _arrow.array(self)

    def __arrow_c_array__(self, requested_schema=None):
        return self.to_arrow().__arrow_c_array__(requested_schema)

    def item(self, *index):
        """One element as a Python integer; of a tower as a tuple of coordinates."""
        return self._items().item(*index) if self.size == 1 else self.reshape(-1)[index if len(index) == 1 else
            np.ravel_multi_index(index[0] if len(index) == 1 else index, self.shape)].item()

    def __int__(self):
        if self.size != 1:
            raise TypeError("only length-1 arrays can be converted to Python scalars")
        first, *rest = self.to_objects().reshape(-1)
        if any(rest):
            raise TypeError("an element outside of the ground field is no integer\nhelp: to_ints() gives its coordinates")
        return first

    def __index__(self):
        if self.ndim:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(self)

    def __bool__(self):
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
        return any(self.to_objects().reshape(-1))

    def trace(self, offset=0, axis1=0, axis2=1):
        """The sum of a diagonal."""
        return self.diagonal(offset, axis1, axis2).sum(axis=-1)

    def astype(self, dtype, *, copy=True, **_):
        """This array for ``object``; for an integer type an ndarray of it, where all numbers fit."""
        if np.dtype(dtype) == object:
            return self.copy() if copy else self
        return self.to_objects().astype(dtype)

    # Arithmetic beyond the operators.

    def inverse(self):
        """The inverse of each element.

        Raises:
            ZeroDivisionError: an element that has none, with its index.

        >>> import evariste as ev
        >>> ev.Field("2^31-1")([1, 2, 4]).inverse() * 4
        Array([4, 2, 1], field='2^31 - 1')
        """
        from . import _operations

        return _operations.inverse(self)

    def square(self):
        """The square of each element."""
        return np.square(self)

    def sqrt(self):
        """The square root of each element of a prime field: of both roots the one that is an even number below p.

        Raises:
            ValueError: an element that is no square, with its index.
            TypeError: elements of another kind of field.

        >>> import evariste as ev
        >>> ev.Field("2^255-19")([4, 9]).sqrt() ** 2
        Array([4, 9], field='2^255 - 19')
        """
        from . import _roots

        return _roots.sqrt(self)

    def is_square(self):
        """Which elements of a prime field are squares; 0 is one.

        >>> import evariste as ev
        >>> ev.Field(7)([0, 1, 2, 3, 4, 5, 6]).is_square()
        array([ True,  True,  True, False,  True, False, False])
        """
        from . import _roots

        return _roots.is_square(self)

    def frobenius(self, times=1):
        """``a^(p^times)`` for the characteristic p of a tower: linear over the ground field, and cheap.

        Raises:
            TypeError: elements of another field.

        >>> import evariste as ev
        >>> F = ev.Field("bls12-381-fp2")
        >>> F((1, 2)).frobenius() == F((1, -2))
        array(True)
        """
        field = self._tower("frobenius")
        out = self
        for _ in range(operator.index(times) % field._degree):
            out = self._like(out._flat().unary("frobenius"), self.shape)
        return out if out is not self else self.copy()

    def conjugate(self):
        """``a0 - a1·w`` for ``a0 + a1·w``: the other root of the highest floor, where that is quadratic.

        Raises:
            TypeError: elements of a field without such a floor.

        >>> import evariste as ev
        >>> F = ev.Field("bls12-381-fp12")
        >>> a = F.random(2, seed=1)
        >>> bool((a.conjugate() == a.frobenius(6)).all())
        True
        """
        if "conjugate" not in self._tower("conjugate")._facts["operations"]:
            raise TypeError(f"the highest floor of {self._field.text} is not quadratic\nhelp: frobenius() is there")
        return self._like(self._flat().unary("conjugate"), self.shape)

    def _named(self):
        return f"field={self._field.text!r}"

    def _tower(self, name):
        if self._field.kind != "tower":
            raise TypeError(f"{name}: elements of {self._field.text} are no tower's\nhelp: towers are e.g. bls12-381-fp2")
        return self._field

    def sum(self, axis=None, dtype=None, out=None, keepdims=False):
        """The sum over all axes or some, reduced once at the end where that is quicker."""
        return np.add.reduce(self, axis=axis, dtype=dtype, out=out, keepdims=keepdims)

    def prod(self, axis=None, dtype=None, out=None, keepdims=False):
        """The product over all axes or some."""
        return np.multiply.reduce(self, axis=axis, dtype=dtype, out=out, keepdims=keepdims)

    def dot(self, other):
        """:func:`numpy.dot`."""
        return np.dot(self, self._field.array(other))

    def any(self, axis=None, keepdims=False):
        """Is any element not 0?"""
        return (self != 0).any(axis=axis, keepdims=keepdims)

    def all(self, axis=None, keepdims=False):
        """Are all elements not 0?"""
        return (self != 0).all(axis=axis, keepdims=keepdims)

    def nonzero(self):
        """The indices of the elements that are not 0."""
        return (self != 0).nonzero()

    # NumPy's and other libraries' protocols.

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        from . import _ufuncs

        return _ufuncs.call(ufunc, method, inputs, options)

    def __array_function__(self, function, types, arguments, options):
        from . import _functions

        return _functions.call(function, types, arguments, options)
