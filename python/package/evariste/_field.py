"""Fields: descriptions, and the arrays that are made of them."""

import operator
import threading

import numpy as np

from . import _convert, _core, _random, _threads
from ._array import Array
from ._base import Shaped
from ._space import Space

_made = {}
_lock = threading.RLock()


class Field(Space):
    """A finite field, a ring of integers modulo a number, a binary field or a tower of extensions, by a description.

    Args:
        description: everything that the command ``evariste`` takes: ``"2^255 - 19"``, ``"p256"``, ``"GF(2^163)"``,
            ``"GF(2^131):onb2"``, ``"bls12-381-fp12"``, a number; or a field.
        sliced: of binary fields only: hold elements bit-sliced, also where products of whole words are faster.

    Equal descriptions give the same object. The number is not factored: a field of any size is there in milliseconds.

    Raises:
        ValueError: a text that cannot be read, or something that has no arrays (plain integers, towers over
            binary fields), or is no field (curves, pairings).

    >>> import evariste as ev
    >>> F = ev.Field("2^255-19")
    >>> F([1, 2, -1])[2] == F.order - 1
    array(True)
    >>> F is ev.Field("25519")
    True
    """

    def __new__(cls, description, sliced=False):
        if isinstance(description, Field):
            return description
        if isinstance(description, (int, np.integer)) and not isinstance(description, bool):
            description = str(int(description))
        if not isinstance(description, str):
            raise TypeError(f"{description!r} is no description\nhelp: give a text such as \"2^255 - 19\", or a number")
        key = (description, bool(sliced))
        found = _made.get(key)
        if found is None:
            kind, core = _read(description, bool(sliced))
            with _lock:
                found = _made.get((core.text, bool(sliced)))
                if found is None:
                    found = _new_field(kind, core, bool(sliced))
                    _made[(core.text, bool(sliced))] = found
                _made[key] = found
        return found

    def _read_facts(self):
        """What is asked of the core once."""
        core = self._core
        self._kind = core.kind
        self._order = int.from_bytes(core.order, "little")
        self._one = int.from_bytes(core.one, "little")
        bits = core.bits
        self._words = -(-bits // 64)
        self._bytes = -(-bits // 8)
        # Any integer means its residue.
        self._cyclic = core.kind != "binary"

    # What a field is.

    @property
    def order(self):
        """How many elements there are."""
        return self._order

    @property
    def bits(self):
        """Bits of an element."""
        return self._core.bits

    @property
    def kind(self):
        """``prime``, ``ring``, ``binary`` or ``tower``."""
        return self._kind

    @property
    def words(self):
        """Words of 64 bits of an element, as :meth:`from_words` takes them."""
        return self._words

    @property
    def bytes(self):
        """Bytes of an element, as :meth:`from_bytes` takes them."""
        return self._bytes

    def __repr__(self):
        return f"Field({self._core.called!r}{', sliced=True' if self._sliced else ''})"

    def __reduce__(self):
        return (Field, (self._text, self._sliced))

    def __dask_tokenize__(self):
        return ("evariste.Field", self._text, self._sliced)

    # Arrays of numbers.

    def __call__(self, data):
        """An array of integers, of whatever NumPy takes for an array of them; a copy of an array of this field.

        Modulo p any integer means its residue. In a binary field bit i of a number is the coefficient of the basis
        element i: numbers that are negative or too large are no elements.

        Raises:
            TypeError: floats, texts, an array of another field.
            ValueError: of binary fields: a number that is no element.

        >>> import evariste as ev
        >>> ev.Field("2^61-1")([[1, -1], [2**61, 0]])
        Array([[1, 2305843009213693950],
               [1, 0]], field='2^61 - 1')
        """
        if isinstance(data, Shaped):
            if data._field is not self:
                raise mixed(self, data._field)
            return data.copy()
        return self._of_numbers(_convert.numbers(data))

    def _of_numbers(self, array):
        shape, flat = array.shape, array.reshape(-1)
        if flat.dtype == object:
            return self._of_objects(flat, shape)
        words, negative = _convert.machine_words(flat, self._words, self._order)
        if not self._cyclic:
            if (negative is not None and negative.any()) or (self._order < 1 << 64 and (flat >= self._order).any()):
                return self._of_objects(flat.astype(object), shape)
        made = Array._of(self, self._core.from_words(words), shape)
        if negative is None or not negative.any():
            return made
        return made._flip_signs(negative.reshape(shape))

    def _of_objects(self, flat, shape):
        data = _convert.objects_to_bytes(flat, self._bytes, self._order, self._cyclic)
        try:
            elements = self._core.from_bytes(np.frombuffer(data, np.uint8), False)
        except ValueError:
            data = _convert.reduced(flat.tolist(), self._bytes, self._order, self._cyclic)
            elements = self._core.from_bytes(np.frombuffer(data, np.uint8), False)
        return Array._of(self, elements, shape)

    def _number(self, value):
        """The element of a Python integer: of those that operators met lately, the same one again."""
        found = self._numbers.get(value)
        if found is None:
            found = self(value)
            if len(self._numbers) >= 64:
                self._numbers.clear()
            self._numbers[value] = found
        return found

    def zeros(self, shape):
        """Zeros. ``shape`` is a number or some numbers.

        >>> import evariste as ev
        >>> ev.Field("2^31-1").zeros(3)
        Array([0, 0, 0], field='2^31 - 1')
        """
        shape = shape_of(shape)
        return Array._of(self, self._core.zeros(size_of(shape)), shape)

    def ones(self, shape):
        """Ones; in a normal basis the coefficients of 1 are all set."""
        return self.full(shape, self._one)

    def full(self, shape, value):
        """An array of one value.

        >>> import evariste as ev
        >>> ev.Field("2^31-1").full((2, 2), -1).sum()
        Array(2147483643, field='2^31 - 1')
        """
        shape = shape_of(shape)
        value = self(value)
        if value.shape != ():
            return np.broadcast_to(value, shape).copy()
        return value._spread(shape)

    def arange(self, *limits):
        """The elements with the numbers that :func:`range` gives.

        >>> import evariste as ev
        >>> ev.Field("2^31-1").arange(2, 8, 2)
        Array([2, 4, 6], field='2^31 - 1')
        """
        limits = [operator.index(limit) for limit in limits]
        if all(-(1 << 62) < limit < 1 << 62 for limit in limits):
            return self(np.arange(*limits))
        return self(np.array(range(*limits), dtype=object))

    def eye(self, n, m=None, k=0):
        """A matrix with ones on a diagonal, as :func:`numpy.eye`."""
        return self._chosen(np.eye(n, m, k, dtype=bool))

    def identity(self, n):
        """The identity matrix of n rows."""
        return self.eye(n)

    def _chosen(self, mask):
        """Ones where a mask is set."""
        out = self.zeros(mask.shape)
        out[mask] = self._one
        return out

    def random(self, shape=(), seed=None):
        """Elements drawn uniformly: the same ones for the same seed, on every machine. Not for keys.

        Args:
            shape: a number or some numbers.
            seed: what :class:`numpy.random.SeedSequence` takes; ``None`` draws one from the system.

        >>> import numpy as np
        >>> import evariste as ev
        >>> F = ev.Field("p256")
        >>> np.array_equal(F.random((2, 3), seed=1), F.random((2, 3), seed=1))
        True
        """
        shape = shape_of(shape)
        return Array._of(self, self._core.random(*_random.source(seed), size_of(shape)), shape)

    # Buffers.

    def from_bytes(self, buffer, byteorder="little", shape=None):
        """Elements of canonical bytes, :attr:`bytes` each: any buffer, also one that may not be written.

        Raises:
            ValueError: a number that is not below the order, a buffer of no whole number of elements, another byte order.

        >>> import evariste as ev
        >>> ev.Field("2^31-1").from_bytes(bytes([0, 0, 1, 0, 0, 0, 0, 5]), byteorder="big")
        Array([256, 5], field='2^31 - 1')
        """
        flat = np.frombuffer(buffer, np.uint8) if len(memoryview(buffer)) else np.empty(0, np.uint8)
        elements = self._core.from_bytes(flat, is_big(byteorder))
        return Array._of(self, elements, (len(elements),))._shaped(shape)

    def from_words(self, words):
        """Elements of canonical words, :attr:`words` each, lowest first: a flat array, or one whose last axis has them.

        Raises:
            TypeError: an array that is not of ``uint64``.
            ValueError: a number that is not below the order; words of no whole number of elements.

        >>> import numpy as np
        >>> import evariste as ev
        >>> ev.Field("2^127-1").from_words(np.array([[1, 0], [0, 1]], np.uint64))
        Array([1, 18446744073709551616], field='2^127 - 1')
        """
        words, shape = _convert.words_of(words, self._words)
        elements = self._core.from_words(words)
        return Array._of(self, elements, (len(elements),) if shape is None else shape)

    def from_ints(self, ints):
        """The same as calling the field."""
        return self(ints)

    def from_arrow(self, array):
        """Elements of an Arrow array of fixed-size binaries, lowest byte first, as :meth:`Array.to_arrow` gives it.

        Anything with ``__arrow_c_array__`` is taken. Needs pyarrow.
        """
        from . import _arrow

        return _arrow.elements(self, array)

    # Computations.

    def dot(self, a, b):
        """The inner product of two vectors, reduced once at the end: :func:`numpy.dot` of this field's arrays.

        >>> import evariste as ev
        >>> F = ev.Field("2^255-19")
        >>> F.dot(F([1, 2, 3]), [4, 5, 6])
        Array(32, field='2^255 - 19')
        """
        return np.dot(self.array(a), self.array(b))

    def vdot(self, a, b):
        """The inner product of all elements of two arrays."""
        return np.vdot(self.array(a), self.array(b))

    def array(self, data):
        """An array of this field: the one given, if it is one; else of its numbers."""
        if isinstance(data, Array) and data.field is self:
            return data
        return self(data)

    def root_of_unity(self, n):
        """An element of the order n, a power of two: the power of the smallest number that is no square.

        Raises:
            ValueError: no prime field, no power of two, or one that does not divide p − 1.

        >>> import evariste as ev
        >>> w = ev.Field("65537").root_of_unity(4)
        >>> int(w), int(w ** 2)
        (65281, 65536)
        """
        from . import _transforms

        return self(_transforms.root(self, n))

    def ntt(self, a):
        """Number-theoretic transform along the last axis: ``X[k] = Σ x[j]·w^(jk)`` with w = :meth:`root_of_unity`.

        Args:
            a: an array whose last axis has a power of two of elements.

        Raises:
            ValueError: as :meth:`root_of_unity`.

        >>> import evariste as ev
        >>> F = ev.Field("65537")
        >>> F.ntt([1, 1, 0, 0])
        Array([2, 65282, 0, 257], field='2^16 + 1')
        """
        from . import _transforms

        return _transforms.ntt(self.array(a), False)

    def intt(self, a):
        """The inverse of :meth:`ntt`.

        >>> import evariste as ev
        >>> F = ev.Field("2^64 - 2^32 + 1")
        >>> F.intt(F.ntt(F.arange(1024)))[-1]
        Array(1023, field='2^64 - 2^32 + 1')
        """
        from . import _transforms

        return _transforms.ntt(self.array(a), True)

    def convolve(self, a, b):
        """The product of two polynomials by their coefficients, lowest first: :func:`numpy.convolve` of two vectors.

        Long ones are multiplied by transforms, where the field has roots of unity of that order.

        >>> import evariste as ev
        >>> ev.Field("2^255-19").convolve([1, 2], [1, -2])
        Array([1, 0, 57896044618658097711785492504343953926634992332820282019728792003956564819945], field='2^255 - 19')
        """
        from . import _transforms

        return _transforms.convolve(self.array(a), self.array(b))

    def curve(self, a=None, b=None, *, d=None, A=None, B=None, base=None, order=None, cofactor=None):
        """The curve of some coefficients over this field, which is a prime field, or a tower of one floor.

        Args:
            a, b: ``y² = x³ + a·x + b``.
            a, d: the Edwards curve ``a·x² + y² = 1 + d·x²·y²``, for a square a and a d that is none.
            A, B: the Montgomery curve ``B·y² = x³ + A·x² + x``; B is 1 if left out.
            base, order, cofactor: a base point (x, y), its order, and how often that goes into the number of points. They
                are checked. Scalars are taken modulo the number of points where it is known.

        Coefficients are integers, or over a tower tuples of coordinates.

        Raises:
            ValueError: no curve, or one without kernels: see :class:`Curve`.

        >>> import evariste as ev
        >>> E = ev.Field("p256").curve(-3, 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b)
        >>> E is ev.Curve("p256")
        True
        """
        from . import _curve

        return _curve.of_coefficients(self, a, b, d, A, B, base, order, cofactor)

    # How it computes.

    def prepare(self):
        """Makes the code of all operations now, instead of each when it is first used."""
        self._core.prepare()

    def explain(self, operations=None):
        """How arrays of this field are computed: layout, plans and shapes of code.

        >>> import evariste as ev
        >>> print(ev.Field("2^31-1").explain(["mul"]))  # doctest: +ELLIPSIS
        2^31 - 1...
        """
        from . import _reports

        return _reports.explain(self, operations)

    def tune(self, seconds=None, quick=False, remember=True, only=()):
        """Measures every plan of arrays of this field on this machine: see :func:`evariste.tune`."""
        from . import _reports

        return _reports.tune(self, seconds, quick, remember, only)


def _read(description, sliced):
    """The class and the core of a field."""
    what = _core.kind(description)
    if what in ("curve", "pairing"):
        raise ValueError(f"`{description}` is a {what}, no field\nhelp: ev.{what.capitalize()}({description!r}) makes it")
    if what != "tower":
        return Field, _core.Core(description, sliced)
    if sliced:
        raise ValueError(f"`{description}` is no binary field\nhelp: leave sliced= out")
    from ._tower import Tower

    return Tower, _core.Structure(description)


def _new_field(cls, core, sliced):
    _threads.choose()
    field = object.__new__(cls)
    field._core = core
    field._sliced = sliced
    field._numbers = {}
    field._text = core.text
    field._read_facts()
    return field


def mixed(left, right):
    """The error of arrays of two fields, or of two curves, or of both."""
    if "curve" not in (left.kind, right.kind):
        what, need = "fields", "elements must come from the same field"
    elif left.kind == right.kind:
        what, need = "curves", "points must come from the same curve"
    else:
        what, need = "structures", "points have sums with points, and multiples by integers"
    return TypeError(f"the operands belong to different {what}: {left.text} and {right.text}\nhelp: {need}")


def is_big(byteorder):
    if byteorder in ("little", "big"):
        return byteorder == "big"
    raise ValueError(f"there is no byte order {byteorder!r}\nhelp: give 'little' or 'big'")


def shape_of(shape):
    """A shape as NumPy means it."""
    try:
        shape = (operator.index(shape),)
    except TypeError:
        shape = tuple(operator.index(n) for n in shape)
    if any(n < 0 for n in shape):
        raise ValueError("negative dimensions are not allowed")
    return shape


def size_of(shape):
    size = 1
    for n in shape:
        size *= n
    if size >= 1 << 48:
        raise ValueError(f"an array of shape {shape} is too large")
    return size
