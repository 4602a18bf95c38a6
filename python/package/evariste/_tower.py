"""Towers of extensions of a prime field: fields whose elements are several coordinates."""

import json

import numpy as np

from . import _convert
from ._array import Array
from ._base import Shaped
from ._field import Field, mixed, shape_of


class Tower(Field):
    """A tower of extensions of a prime field: what ``ev.Field("bls12-381-fp12")`` makes.

    The last axis of numbers, and the innermost brackets of nested lists, are the coordinates of an element over the prime
    field, :attr:`degree` of them, the lowest first: those of the highest floor's 1 come before those of its variable. An
    integer alone, and an array of :attr:`ground`, are elements of the ground field, and mix in.

    >>> import evariste as ev
    >>> F = ev.Field("bls12-381-fp2")
    >>> a = F([(1, 2), (3, 4)])
    >>> a.shape, F.degree, F.ground.bits
    ((2,), 2, 381)
    >>> a + 1
    Array([(2, 2), (4, 4)], field='bls12-381-fp2')
    >>> (a * a)[0] == F((-3, 4))
    array(True)
    >>> (a * F.ground([2, 3])).to_ints()
    [[2, 4], [9, 12]]
    """

    _lazy = False

    def _read_facts(self):
        self._facts = json.loads(self._core.facts())
        self._kind, self._cyclic = "tower", True
        self._order, self._one = int(self._facts["order"], 16), 1
        self._ground, self._degree = Field(self._facts["ground"]), self._facts["degree"]
        self._words = self._degree * self._ground._words
        self._bytes = self._degree * self._ground._bytes

    @property
    def bits(self):
        """Bits of the number of elements."""
        return (self._order - 1).bit_length()

    @property
    def degree(self):
        """How many coordinates an element has."""
        return self._degree

    @property
    def ground(self):
        """The prime field that coordinates are of."""
        return self._ground

    def __call__(self, data):
        """An array of coordinates, in the last axis; of an integer, or an array of :attr:`ground`, elements of that field.

        Raises:
            TypeError: floats, texts, an array of another field.
            ValueError: a last axis of another length.

        >>> import evariste as ev
        >>> F = ev.Field("bls12-381-fp2")
        >>> F([[1, 0], [5, 7]]) == F.ground([1, 5])
        array([ True, False])
        """
        if not isinstance(data, Shaped):
            numbers = _convert.numbers(data)
            if numbers.shape == (0,):
                return self.zeros(0)
            return self._embedded(self._ground(numbers)) if numbers.ndim == 0 else self.from_coordinates(numbers)
        if data._field is self:
            return data.copy()
        if data._field is self._ground:
            return self._embedded(data)
        raise mixed(self, data._field)

    def from_coordinates(self, coordinates):
        """Elements of an array of :attr:`ground`, or of integers, whose last axis has the coordinates, lowest first.

        Raises:
            ValueError: a last axis of another length.

        >>> import evariste as ev
        >>> F = ev.Field("bls12-381-fp2")
        >>> F.from_coordinates(F.ground([[1, 2], [3, 4]])).to_ints()
        [[1, 2], [3, 4]]
        """
        coordinates = self._ground.array(coordinates)
        if coordinates.ndim == 0 or coordinates.shape[-1] != self._degree:
            raise ValueError(
                f"a last axis of {coordinates.shape[-1] if coordinates.ndim else 'no'} coordinates: an element of "
                f"{self.text} has {self._degree}\nhelp: give an array of shape (…, {self._degree})"
            )
        words = coordinates._flat().to_words()
        return Array._of(self, self._core.from_words(words, self._degree), coordinates.shape[:-1])

    def _embedded(self, array):
        """Elements of the ground field as elements of this one."""
        wide = self._ground.zeros(array.shape + (self._degree,))
        wide[..., 0] = array
        return self.from_coordinates(wide)

    def _coordinates(self, array):
        return self._ground.from_words(array.to_words().reshape(array.shape + (self._degree, self._ground._words)))

    def arange(self, *limits):
        """The elements of the ground field with the numbers that :func:`range` gives."""
        return self._embedded(self._ground.arange(*limits))

    def random(self, shape=(), seed=None):
        """Elements drawn uniformly, coordinate by coordinate: the same ones for the same seed. Not for keys.

        Args:
            shape: a number or some numbers.
            seed: what :class:`numpy.random.SeedSequence` takes; ``None`` draws one from the system.
        """
        return self.from_coordinates(self._ground.random(shape_of(shape) + (self._degree,), seed))

    def from_bytes(self, buffer, byteorder="little", shape=None):
        """Elements of canonical bytes, the coordinates of each one behind the other, lowest first: any buffer.

        ``byteorder`` is that of each coordinate.

        Raises:
            ValueError: a coordinate that is not below the characteristic, a buffer of no whole number of elements.
        """
        size = memoryview(buffer).nbytes
        if size % self._bytes:
            raise ValueError(
                f"{size} bytes are not a whole number of elements: one element has {self._bytes} bytes\n"
                f"help: give a multiple of {self._bytes} bytes"
            )
        flat = self._ground.from_bytes(buffer, byteorder)
        return self.from_coordinates(flat.reshape(-1, self._degree))._shaped(shape)

    def from_words(self, words):
        """Elements of canonical words, :attr:`words` each: a flat array, or one whose last axis has them.

        The words of the lowest coordinate come first.

        Raises:
            TypeError: an array that is not of ``uint64``.
            ValueError: a coordinate that is not below the characteristic; words of no whole number of elements.
        """
        words, shape = _convert.words_of(words, self._words)
        elements = self._core.from_words(words, self._degree)
        return Array._of(self, elements, (len(elements),) if shape is None else shape)

    def prepare(self):
        """Makes the code of all operations now, instead of each when it is first used."""
        self.explain()
