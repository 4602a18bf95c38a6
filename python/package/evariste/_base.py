"""What all arrays have: a shape, indices, views, copies, pickles.

What is behind an array is a flat run of elements in the order of lanes (:class:`_core.Elements`, :class:`_core.Items`).
Which of them an array has, and in which order, a *map* says: a NumPy array of bytes whose content nobody reads. Byte i
stands for element i, so NumPy's own slices, transpositions and broadcasts of the map are those of the array, with NumPy's
errors; first place, shape and strides are read off, and the pages of its memory are never touched.
"""

import pickle

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from . import _show

_ELLIPSIS = (Ellipsis,)
_BASIC = (int, slice, type(None), type(Ellipsis), np.integer)


class Shaped(NDArrayOperatorsMixin):
    """Elements of one field, or points of one curve, in a shape."""

    __slots__ = ("__weakref__", "_base", "_elements", "_field", "_map")

    # Above ndarray: an array of integers leaves operators to these classes.
    __array_priority__ = 1000
    __hash__ = None

    _what = "an element"

    @classmethod
    def _of(cls, field, elements, shape):
        """An array of all these elements."""
        array = object.__new__(cls)
        array._field, array._elements, array._map, array._base = field, elements, np.empty(shape, np.uint8), None
        return array

    def _like(self, elements, shape):
        """An array of all these elements, which are of the same field."""
        return type(self)._of(self._field, elements, shape)

    def _view(self, places):
        """An array of the same elements by another map, a view of this one's."""
        array = object.__new__(type(self))
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
        return self._like(self._elements.gather_list(flat.reshape(-1)), flat.shape)

    def _spread(self, shape):
        """A new array of one element, everywhere."""
        field = self._field
        flat = self._flat()
        size = int(np.prod(shape, dtype=np.int64))
        elements = flat.gather(0, (size,), (0,)) if size else field._core.zeros(0)
        return self._like(elements, shape)

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

    def _shaped(self, shape):
        return self if shape is None else self.reshape(shape)

    # What it is.

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

    def __float__(self):
        raise TypeError(f"{self._what} is no float\nhelp: the methods to_… give numbers")

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
        return self._like(flat, self.shape)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

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

    # Other processes.

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("elements and points cannot be an ndarray without a copy")
        objects = self._items() if self._field.kind == "curve" else self.to_objects()
        return objects if dtype is None else objects.astype(dtype)

    def __reduce_ex__(self, protocol):
        data = self.to_bytes()
        if protocol >= 5:
            # The bytes travel beside the message, where the transport can do that.
            data = pickle.PickleBuffer(data)
        return (_restored, (self._field, self.shape, data))

    def __dask_tokenize__(self):
        import hashlib

        digest = hashlib.blake2b(self.to_bytes(), digest_size=20).hexdigest()
        return (f"evariste.{type(self).__name__}", self._field.text, self.shape, digest)


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
    if any(isinstance(part, Shaped) for part in parts):
        raise IndexError("arrays used as indices must be of integer (or boolean) type, not elements of a field or points")
    return key
