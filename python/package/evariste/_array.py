"""Arrays: elements of one field in a shape.

What is behind an array is a flat run of elements in the order of lanes (:class:`_core.Elements`). Which of them an
array has, and in which order, a *map* says: a NumPy array of bytes whose content nobody reads. Byte i stands for
element i, so NumPy's own slices, transpositions and broadcasts of the map are those of the array, with NumPy's errors;
first place, shape and strides are read off, and the pages of its memory are never touched.
"""

import pickle

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from . import _convert, _show

_ELLIPSIS = (Ellipsis,)
_BASIC = (int, slice, type(None), type(Ellipsis), np.integer)


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


class Array(NDArrayOperatorsMixin):
    """Elements of one field in a shape; made by a :class:`Field`.

    Shapes, indices, broadcasts and their errors are NumPy's. Operators take arrays of the same field, integers, and
    arrays of integers. Slices, transpositions and broadcasts share memory, as NumPy's do, at any stride; operations on
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

    __slots__ = ("__weakref__", "_base", "_elements", "_field", "_map")

    # Above ndarray: an array of integers leaves operators to this class.
    __array_priority__ = 1000
    __hash__ = None

    __add__ = _operator("add", "__add__")
    __sub__ = _operator("subtract", "__sub__")
    __mul__ = _operator("multiply", "__mul__")

    @staticmethod
    def _of(field, elements, shape):
        """An array of all these elements."""
        array = object.__new__(Array)
        array._field, array._elements, array._map, array._base = field, elements, np.empty(shape, np.uint8), None
        return array

    def _view(self, places):
        """An array of the same elements by another map, a view of this one's."""
        array = object.__new__(Array)
        array._field, array._elements, array._map = self._field, self._elements, places
        array._base = self._address()
        return array

    def _address(self):
        """Where the byte of the first element lies."""
        return self._map.__array_interface__["data"][0] if self._base is None else self._base

    def _is_whole(self):
        """Are these all elements, in order?"""
        places = self._map
        return self._base is None or (places.size == len(self._elements) and places.flags.c_contiguous)

    def _where(self):
        """First place, shape, steps."""
        places = self._map
        first = places.__array_interface__["data"][0] - self._address()
        return first, places.shape, places.strides

    def _flat(self):
        """The elements in the order of rows, one behind the other: without a copy, where they lie so."""
        if self._is_whole():
            return self._elements
        places = self._map
        if places.size == 0:
            return self._field._core.zeros(0)
        first, shape, steps = self._where()
        if places.flags.c_contiguous and first % self._field._lanes_now() == 0:
            return self._elements.part(first, places.size)
        return self._elements.gather(first, shape, steps)

    def _positions(self):
        """The place of each element, as an array of this shape."""
        places = self._map
        if places.size == 0:
            return np.empty(places.shape, np.int64)
        first, shape, steps = self._where()
        positions = np.full((), first, np.int64)
        for count, step in zip(shape, steps):
            positions = positions[..., None] + np.arange(count, dtype=np.int64) * step
        return positions

    def _taken(self, positions):
        """A new array of the elements at these places."""
        flat = np.asarray(positions, np.int64, order="C")
        return Array._of(self._field, self._elements.gather_list(flat.reshape(-1)), flat.shape)

    def _spread(self, shape):
        """A new array of one element, everywhere."""
        field = self._field
        flat = self._flat()
        size = int(np.prod(shape, dtype=np.int64))
        elements = flat.gather(0, (size,), (0,)) if size else field._core.zeros(0)
        return Array._of(field, elements, shape)

    def _broadcast(self, shape):
        """The elements of this array, broadcast."""
        return self if self.shape == shape else self._view(np.broadcast_to(self._map, shape))

    def _write(self, target, value):
        """Writes to the places of a map, a view of this array's; ``value`` is an array of this field or a number."""
        if not target.flags.writeable:
            raise ValueError("assignment destination is read-only")
        value = self._field.array(value)
        if value.size != 1 and value.shape != target.shape:
            # NumPy's own check of shapes.
            np.empty(target.shape, np.uint8)[...] = value._map
            value = value._view(value._map.reshape(value.shape[max(value.ndim - target.ndim, 0) :]))
            value = value._broadcast(target.shape)
        elif value.size == 1 and value.ndim > target.ndim and target.size:
            value = value.reshape(())
        if target.size == 0:
            return
        source = value._flat()
        if target.size == len(source) == len(self._elements) and target.flags.c_contiguous:
            self._elements.take_over(source)
            return
        first = target.__array_interface__["data"][0] - self._address()
        self._elements.scatter(first, target.shape, target.strides, source)

    def _flip_signs(self, mask):
        """This array with the signs of some elements changed; it is not used any more."""
        self[mask] = -self[mask]
        return self

    def _shaped(self, shape):
        return self if shape is None else self.reshape(shape)

    # What it is.

    @property
    def field(self):
        """The field."""
        return self._field

    @property
    def shape(self):
        """How many indices each dimension has."""
        return self._map.shape

    @property
    def ndim(self):
        """The number of dimensions."""
        return self._map.ndim

    @property
    def size(self):
        """The number of elements."""
        return self._map.size

    @property
    def dtype(self):
        """``object``: what NumPy would hold such elements as."""
        return np.dtype(object)

    @property
    def itemsize(self):
        """Bytes of an element in memory, about: in canonical words."""
        return 8 * self._field._words

    @property
    def nbytes(self):
        """Bytes of all elements, as :attr:`itemsize` has them."""
        return self.size * self.itemsize

    @property
    def T(self):
        """The dimensions in reverse order; shares memory."""
        return self._view(self._map.T)

    def __len__(self):
        return len(self._map)

    def __iter__(self):
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    def __repr__(self):
        return _show.text(self)

    def _repr_html_(self):
        return _show.html(self)

    # Numbers.

    def to_ints(self):
        """Canonical numbers: a nested list of the array's shape; of an array without dimensions a number.

        >>> import evariste as ev
        >>> ev.Field("2^255-19")([[1], [-1]]).to_ints()[0]
        [1]
        """
        return self.to_objects().tolist()

    tolist = to_ints

    def to_objects(self):
        """Canonical numbers as a NumPy array of Python integers."""
        field, out = self._field, np.empty(self.size, object)
        elements = self._flat()
        if field._words == 1:
            out[:] = elements.to_words().tolist()
        else:
            out[:] = _convert.integers(elements.to_bytes(False), field._bytes)
        return out.reshape(self.shape)

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

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("an array of a field cannot be an ndarray without a copy")
        objects = self.to_objects()
        return objects if dtype is None else objects.astype(dtype)

    def item(self, *index):
        """One element as a Python integer."""
        return self.to_objects().item(*index) if self.size == 1 else self.reshape(-1)[index if len(index) == 1 else
            np.ravel_multi_index(index[0] if len(index) == 1 else index, self.shape)].item()

    def __int__(self):
        if self.size != 1:
            raise TypeError("only length-1 arrays can be converted to Python scalars")
        return self.to_objects().reshape(-1)[0]

    def __index__(self):
        if self.ndim:
            raise TypeError("only integer scalar arrays can be converted to a scalar index")
        return int(self)

    def __bool__(self):
        if self.size != 1:
            raise ValueError("The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()")
        return int(self) != 0

    def __float__(self):
        raise TypeError("an element of a finite field is no float\nhelp: int(x) gives its canonical number")

    __complex__ = __float__

    def __contains__(self, value):
        return bool((self == value).any())

    # Shapes and indices.

    def reshape(self, *shape, order="C"):
        """The same elements in another shape; shares memory where their order allows, else a copy (as NumPy)."""
        shape = shape[0] if len(shape) == 1 else shape
        try:
            return self._view(np.reshape(self._map, shape, order=order, copy=False))
        except ValueError:
            copy = self.copy()
            if order == "C":
                return copy._view(np.reshape(copy._map, shape))
            positions = np.reshape(copy._positions(), shape, order=order)
            return copy._taken(positions)

    def ravel(self, order="C"):
        """All elements in one dimension; shares memory where their order allows."""
        return self.reshape(-1, order=order)

    def flatten(self, order="C"):
        """A copy in one dimension."""
        return self.copy().reshape(-1, order=order)

    def transpose(self, *axes):
        """The dimensions in another order; shares memory."""
        return self._view(self._map.transpose(*axes))

    def swapaxes(self, first, second):
        """Two dimensions exchanged; shares memory."""
        return self._view(self._map.swapaxes(first, second))

    def squeeze(self, axis=None):
        """Without dimensions of one index; shares memory."""
        return self._view(self._map.squeeze(axis))

    def diagonal(self, offset=0, axis1=0, axis2=1):
        """A diagonal; shares memory, and cannot be written."""
        return self._view(self._map.diagonal(offset, axis1, axis2))

    def trace(self, offset=0, axis1=0, axis2=1):
        """The sum of a diagonal."""
        return self.diagonal(offset, axis1, axis2).sum(axis=-1)

    def take(self, indices, axis=None):
        """The elements at some indices, a copy."""
        return self._taken(self._positions().take(indices, axis))

    def copy(self, order="C"):
        """A copy, one element behind the other."""
        flat = self._flat()
        if not self._is_whole() and self._map.flags.c_contiguous and self.size:
            flat = flat.gather(0, (self.size,), (1,))
        elif flat is self._elements:
            # Both have the same elements until one is written to.
            flat = self._field._core.zeros(len(flat))
            flat.take_over(self._elements)
        return Array._of(self._field, flat, self.shape)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def astype(self, dtype, *, copy=True, **_):
        """This array for ``object``; for an integer type an ndarray of it, where all numbers fit."""
        if np.dtype(dtype) == object:
            return self.copy() if copy else self
        return self.to_objects().astype(dtype)

    def fill(self, value):
        """Writes one value to all places."""
        self[...] = value

    def __getitem__(self, key):
        if not is_basic(key):
            return self._taken(self._positions()[checked_key(key)])
        key = key if isinstance(key, tuple) else (key,)
        if not any(part is Ellipsis for part in key):
            key += _ELLIPSIS
        return self._view(self._map[key])

    def __setitem__(self, key, value):
        if is_basic(key):
            self._write(self[key]._map, value)
            return
        if not self._map.flags.writeable:
            raise ValueError("assignment destination is read-only")
        positions = np.asarray(self._positions()[checked_key(key)], np.int64, order="C")
        value = self._field.array(value)
        if value.size != 1 and value.shape != positions.shape:
            # NumPy's own check, and its broadcast.
            np.empty(self.shape, np.uint8)[checked_key(key)] = value._map
            value = value._view(value._map.reshape(value.shape[max(value.ndim - positions.ndim, 0) :]))
            value = value._broadcast(positions.shape)
        if positions.size:
            self._elements.scatter_list(positions.reshape(-1), value._flat())

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

    def __reduce_ex__(self, protocol):
        data = self.to_bytes()
        if protocol >= 5:
            # The bytes travel beside the message, where the transport can do that.
            data = pickle.PickleBuffer(data)
        return (_restored, (self._field, self.shape, data))

    def __dask_tokenize__(self):
        import hashlib

        digest = hashlib.blake2b(self.to_bytes(), digest_size=20).hexdigest()
        return ("evariste.Array", self._field.text, self.shape, digest)


def _restored(field, shape, data):
    """An array of canonical bytes, lowest first: what a pickle holds."""
    return field.from_bytes(data).reshape(shape)


def is_basic(key):
    """Is an index one that gives a view?"""
    parts = key if isinstance(key, tuple) else (key,)
    return all(isinstance(part, _BASIC) and not isinstance(part, bool) for part in parts)


def checked_key(key):
    """An index of which no part is an array of elements: these are no places."""
    parts = key if isinstance(key, tuple) else (key,)
    if any(isinstance(part, Array) for part in parts):
        raise IndexError("arrays used as indices must be of integer (or boolean) type, not elements of a field")
    return key


