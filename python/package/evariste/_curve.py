"""Elliptic curves, and the arrays of points that are made of them."""

import json
import threading

import numpy as np

from . import _convert, _core, _multiples, _random, _threads
from ._base import Shaped
from ._field import Field, mixed, shape_of, size_of
from ._points import Points
from ._space import Space

_made = {}
_lock = threading.RLock()


class Curve(Space):
    """An elliptic curve over a prime field, or over a tower of one floor, by a description.

    Args:
        description: a name (``"p256"``, ``"secp256k1"``, ``"ed25519"``, ``"25519"``, ``"bls12-381-g2"``), or an equation
            and its field: ``"y^2=x^3-3x+7@p256"``, with ``,base=[X,Y],order=N,cofactor=H`` where they are known, which
            are checked; or a curve.

    Equal descriptions give the same object. Weierstrass curves need an odd number of points, since their sums have no
    exceptions then. Montgomery curves have ladders on first coordinates, and no arrays of points.

    Raises:
        ValueError: a text that cannot be read, or a curve that has no kernels.

    >>> import evariste as ev
    >>> E = ev.Curve("secp256k1")
    >>> P = E([(E.generator.x, E.generator.y)])
    >>> P.shape, bool((E.order * P).is_identity().all())
    ((1,), True)
    >>> E([(1, 2)])
    Traceback (most recent call last):
        ...
    ValueError: element 0 is (1, 2), which is no point of curve:secp256k1
    help: a point satisfies y^2=x^3+7
    """

    kind = "curve"
    _lazy = False
    _things = "points of a curve"
    _generator_elements = None

    def __new__(cls, description):
        if isinstance(description, Curve):
            return description
        if not isinstance(description, str):
            raise TypeError(f'{description!r} is no description\nhelp: give a text such as "p256", or an equation')
        text = description if description.strip().lower().startswith("curve:") else f"curve:{description}"
        found = _made.get(text)
        if found is None:
            core = _core.Structure(text)
            with _lock:
                found = _made.get(core.text)
                if found is None:
                    found = _made[core.text] = _new_curve(cls, core)
                _made[text] = found
        return found

    # What a curve is.

    @property
    def field(self):
        """The field of coordinates."""
        return self._coordinate_field

    @property
    def order(self):
        """The order of the base point; ``None`` where it is not known."""
        return self._order

    @property
    def cofactor(self):
        """How often :attr:`order` goes into the number of points; ``None`` where it is not known."""
        return self._cofactor

    @property
    def shape(self):
        """``weierstrass``, ``edwards`` or ``montgomery``: the form of the equation."""
        return self._facts["shape"]

    @property
    def coefficients(self):
        """The two coefficients of the equation, as elements of :attr:`field`.

        ``y² = x³ + a·x + b``: a and b; ``a·x² + y² = 1 + d·x²·y²``: a and d; ``B·y² = x³ + A·x² + x``: A and B.
        """
        return tuple(self._coordinate(own) for own in self._facts["coefficients"])

    @property
    def bytes(self):
        """Bytes of a point, as :meth:`from_bytes` takes them."""
        return self._bytes

    def __repr__(self):
        return f"Curve({self._shown!r})"

    def __reduce__(self):
        return (Curve, (self._text,))

    def __dask_tokenize__(self):
        return ("evariste.Curve", self._text)

    def _coordinate(self, texts):
        numbers = [int(text, 16) for text in texts]
        return self.field(numbers if self._degree > 1 else numbers[0])

    def _need(self, operation, what):
        if operation not in self._facts["operations"]:
            help = "its Edwards form has sums of points" if self.shape == "montgomery" else "another curve has them"
            there = ", ".join(self._facts["operations"])
            raise ValueError(f"{self.text} has no {what} in arrays: there are {there}\nhelp: {help}")

    # Arrays of points.

    def __call__(self, data):
        """Points of pairs of integers, of arrays of x and y, or of an array of points of this curve.

        Args:
            data: nested lists of pairs ``(x, y)``, or an array whose last axis has them; over a tower each of both is a
                tuple of coordinates, in one more axis. ``None`` is the neutral element, as (0, 0) is on Weierstrass
                curves, and (0, 1) on those that go through (0, 0). Or ``(x, y)`` of two arrays of :attr:`field`, which are broadcast.

        Raises:
            ValueError: what lies on no point of the curve, and numbers that are too large, with their index.
            TypeError: points of another curve.

        >>> import evariste as ev
        >>> E = ev.Curve("p256")
        >>> E([None, E.generator.to_ints()]).is_identity()
        array([ True, False])
        """
        if isinstance(data, Shaped):
            if data._field is not self:
                raise mixed(self, data._field)
            return data.copy()
        self._need("add", "points")
        if isinstance(data, (tuple, list)) and len(data) == 2 and all(isinstance(part, Shaped) for part in data):
            return self._of_arrays(*data)
        numbers = _convert.numbers(self._filled(data))
        wanted = (2,) if self._degree == 1 else (2, self._degree)
        if numbers.shape == (0,):
            return self.zeros(0)
        if numbers.shape[-len(wanted) :] != wanted:
            raise ValueError(
                f"an array of shape {numbers.shape}: points of {self.text} are its last axes, {wanted}\n"
                "help: give pairs (x, y), or None for the neutral element"
            )
        shape = numbers.shape[: -len(wanted)]
        values, prime = [_convert.exact(value) for value in numbers.reshape(-1).tolist()], self._prime.order
        for i, value in enumerate(values):
            if not 0 <= value < prime:
                raise ValueError(
                    f"a coordinate of {self._where(i // (2 * self._degree), shape)} is {value}\n"
                    f"help: coordinates are numbers of 0 to {prime - 1}"
                )
        return self._of_words(_multiples.words(values, prime.bit_length()).reshape(-1), shape)

    def _filled(self, data):
        """Nested lists, with the coordinates of the neutral element in place of ``None``."""
        if data is None:
            zero, one = ([0] * self._degree, [1] + [0] * (self._degree - 1)) if self._degree > 1 else (0, 1)
            return (zero, zero if self._flagged else one)
        if isinstance(data, (list, tuple)):
            return [self._filled(part) for part in data]
        return int(data) if isinstance(data, Shaped) and data._field.kind == "prime" else data

    def _of_arrays(self, x, y):
        x, y = (self.field.array(part) for part in (x, y))
        shape = np.broadcast_shapes(x.shape, y.shape)
        pairs = np.stack([part._broadcast(shape).to_words() for part in (x, y)], axis=-2)
        return self._of_words(pairs.reshape(-1), shape)

    def _of_words(self, words, shape):
        elements, off = self._core.points(np.require(words, np.uint64, "CA"), 2 * self._degree)
        if off is not None:
            pair = words.reshape(-1, 2, self._degree, self._ground_words)[off]
            numbers = [[int.from_bytes(row.tobytes(), "little") for row in own] for own in pair]
            x, y = (own[0] if len(own) == 1 else tuple(own) for own in numbers)
            raise ValueError(
                f"{self._where(off, shape)} is ({x}, {y}), which is no point of {self.text}\n"
                f"help: a point satisfies {self._facts['equation']}"
            )
        return Points._of(self, elements, shape)

    def _where(self, flat, shape):
        index = tuple(int(i) for i in np.unravel_index(flat, shape))
        return "the element" if index == () else f"element {index[0] if len(index) == 1 else index}"

    def array(self, data):
        """Points of this curve: those given, if they are; else of what calling the curve takes, or of 0, the neutral one."""
        if isinstance(data, Points) and data._field is self:
            return data
        if isinstance(data, int) and data == 0:
            return self.identity
        return self(data)

    def _number(self, value):
        if value != 0:
            raise TypeError(f"{value} is no point\nhelp: sums are those of points; {value} * E.generator is one")
        return self.identity

    def zeros(self, shape):
        """Neutral elements. ``shape`` is a number or some numbers."""
        self._need("add", "points")
        shape = shape_of(shape)
        return Points._of(self, self._core.zeros(size_of(shape)), shape)

    def full(self, shape, value):
        """An array of one point."""
        shape, value = shape_of(shape), self.array(value)
        if value.shape != ():
            return np.broadcast_to(value, shape).copy()
        return value._spread(shape)

    @property
    def identity(self):
        """The neutral element, an array without dimensions."""
        return self.zeros(())

    infinity = identity

    @property
    def generator(self):
        """The base point, an array without dimensions.

        Raises:
            ValueError: none is known.
        """
        if self._generator_elements is None:
            if self._facts["base"] is None:
                raise ValueError(f"{self.text} has no base point\nhelp: write ,base=[X,Y] at the end of the description")
            x, y = (self._coordinate(own) for own in self._facts["base"])
            self._generator_elements = self((x, y))._elements
        return Points._of(self, self._generator_elements, ())

    def random(self, shape=(), seed=None):
        """Random multiples of the base point: the same ones for the same seed, on every machine. Not for keys.

        Raises:
            ValueError: a curve whose base point or order is not known.
        """
        shape, order = shape_of(shape), self._known_order()
        words = -(-order.bit_length() // 64)
        drawn = _random.words(order, words, size_of(shape), seed).reshape(-1, words)
        if not len(drawn):
            return self.zeros(shape)
        generator = self.generator._elements
        base = "mul_base" in self._facts["operations"]
        name, operands = ("mul_base", [drawn]) if base else ("scalar_mul", [drawn, generator])
        return Points._of(self, self._core.compute(name, operands, self._core), shape)

    def _known_order(self):
        if self._order is None:
            raise ValueError(f"the order of {self.text} is not known\nhelp: write ,order=N at the end of the description")
        return self._order

    def from_bytes(self, buffer, byteorder="little", shape=None):
        """Points of x and y in canonical bytes, as :meth:`Points.to_bytes` gives them: any buffer. They are checked.

        Raises:
            ValueError: a pair that lies on no point; a coordinate that is too large; a buffer of no whole number of points.
        """
        self._need("add", "points")
        flat = self.field.from_bytes(buffer, byteorder)
        if flat.size % 2:
            raise ValueError(
                f"{memoryview(buffer).nbytes} bytes are not a whole number of points: one has {self._bytes} bytes\n"
                f"help: give a multiple of {self._bytes} bytes"
            )
        return self._of_words(flat.to_words().reshape(-1), (flat.size // 2,))._shaped(shape)

    def from_compressed(self, buffer, shape=None):
        """Points of compressed ones, one after the other: any buffer, curves over prime fields.

        Weierstrass curves by SEC 1: 2, or 3 where y is odd, and x, highest byte first; zeros are the neutral element, which has
        as many bytes here as others. Edwards curves by RFC 8032: y, lowest byte first, and the lowest bit of x in the highest.
        Points are checked to be on the curve; :meth:`in_subgroup` tells those that are multiples of the base point.

        Raises:
            ValueError: what is no such point, with its place; a buffer of no whole number of points; a curve over another
                field.

        >>> import evariste as ev
        >>> E = ev.Curve("ed25519")
        >>> P = E.random(3, seed=1)
        >>> E.from_compressed(P.to_compressed()) == P
        array([ True,  True,  True])
        """
        from . import _compressed

        return _compressed.decompress(self, buffer)._shaped(shape)

    # Computations.

    def sum(self, points, axis=None):
        """The sum of points over all axes or some: of multiples, ``E.sum(k * P)``.

        >>> import evariste as ev
        >>> E = ev.Curve("ed25519")
        >>> E.sum([1, 2, 3] * E.generator) == 6 * E.generator
        array(True)
        """
        return self.array(points).sum(axis=axis)

    def double_multiple(self, k, points, l):
        """``k·P + l·G`` for the base point G, what signatures are verified by: quicker than both multiples and their sum.

        Args:
            k, l: integers, or arrays of them.
            points: points; all three are broadcast.

        >>> import evariste as ev
        >>> E = ev.Curve("p256")
        >>> P = E.random(2, seed=1)
        >>> E.double_multiple([3, 4], P, 5) == [3, 4] * P + 5 * E.generator
        array([ True,  True])
        """
        self._need("scalar_mul", "multiples")
        return _multiples.double_multiple(self, k, points, l)

    def mul_in_subgroup(self, k, points):
        """``k·P`` for multiples P of the base point, which :meth:`in_subgroup` tells: quicker than ``k * P`` where the curve
        has other points and an endomorphism, such as ``bls12-381-g1`` and ``-g2``, else the same.

        Other points are not noticed: what is computed of them is no multiple.

        Args:
            k: integers, or arrays of them.
            points: points; both are broadcast.

        Raises:
            ValueError: a curve whose order is not known.

        >>> import evariste as ev
        >>> E = ev.Curve("bls12-381-g1")
        >>> P = [2, 3] * E.generator
        >>> E.mul_in_subgroup(-5, P) == -5 * P
        array([ True,  True])
        """
        self._need("scalar_mul", "multiples")
        return _multiples.multiple(k, self.array(points), members=True)

    def in_subgroup(self, points):
        """Which points are multiples of the base point: those whose multiple by :attr:`order` is neutral.

        Raises:
            ValueError: a curve whose order is not known.

        >>> import evariste as ev
        >>> E = ev.Curve("ed25519")
        >>> E([E.generator.to_ints(), (0, E.field.order - 1)]).in_subgroup()
        array([ True, False])
        """
        points, order = self.array(points), self._known_order()
        if self._cofactor == 1:
            return np.ones(points.shape, bool)[()]
        elements = _multiples.unsigned(self, [order], points._flat()) if points.size else points._flat()
        return Points._of(self, elements, points.shape).is_identity()

    def ladder(self, k, u):
        """First coordinates of ``k·P`` from those of P, 0 for the neutral element: Montgomery curves, and their twists.

        Args:
            k: an integer, or an array of them, not negative, of at most :attr:`scalar_bits` bits.
            u: elements of :attr:`field`, or integers; both are broadcast.

        Raises:
            ValueError: a scalar that is negative or too long, with its index; a curve without ladders.

        >>> import evariste as ev
        >>> E = ev.Curve("25519")
        >>> int(E.ladder(2, E.ladder(3, 9))) == int(E.ladder(6, 9))
        True
        """
        return self._laddered("ladder", k, u)

    def clamped_ladder(self, k, u=None):
        """The ladder with clamped scalars: X25519 and X448, on the numbers that their bytes are, lowest first.

        Of the base point, by tables of its multiples, where no u is given: public keys.

        >>> import evariste as ev
        >>> E = ev.Curve("25519")
        >>> int(E.clamped_ladder(7)) == int(E.clamped_ladder(7, 9))
        True
        """
        return self._laddered("clamped_mul_base" if u is None else "clamped_ladder", k, u)

    def _laddered(self, name, k, u):
        self._need(name, "ladders")
        field, numbers = self.field, _convert.numbers(k)
        u = None if u is None else field.array(u)
        shape = numbers.shape if u is None else np.broadcast_shapes(numbers.shape, u.shape)
        if size_of(shape) == 0:
            return field.zeros(shape)
        values = [_convert.exact(value) for value in np.broadcast_to(numbers, shape).reshape(-1).tolist()]
        for i, value in enumerate(values):
            if value < 0 or value.bit_length() > self._scalar_bits:
                raise ValueError(
                    f"the scalar of {self._where(i, shape)} is {value}\nhelp: ladders take numbers of 0 to "
                    f"2^{self._scalar_bits} - 1"
                )
        operands = [_multiples.words(values, self._scalar_bits)]
        if u is not None:
            operands.append(self._core.from_words(u._broadcast(shape)._flat().to_words(), 1))
        out = self._core.compute(name, operands, self._core)
        return field.from_words(out.to_words()).reshape(shape)

    @property
    def scalar_bits(self):
        """Bits of scalars that ladders take; multiples of points take integers of any length."""
        return self._scalar_bits

    # How it computes.

    def explain(self, operations=None):
        """How arrays of this curve are computed: see :meth:`Field.explain`.

        The code of each operation is made for this, if it is not there yet: some seconds for all.
        """
        from . import _reports

        return _reports.explain(self, operations)


def _new_curve(cls, core):
    _threads.choose()
    curve = object.__new__(cls)
    curve._core, curve._text = core, core.text
    facts = curve._facts = json.loads(core.facts())
    curve._coordinate_field, curve._prime = Field(facts["field"]), Field(facts["ground"])
    curve._degree, curve._scalar_bits = facts["degree"], facts["scalar_bits"]
    curve._order, curve._cofactor = (None if facts[key] is None else int(facts[key], 16) for key in ("order", "cofactor"))
    curve._points = curve._order * curve._cofactor if curve._order and curve._cofactor else None
    # Where (0, 0) is a point, the neutral element is (0, 1), as on Edwards curves.
    through_zero = not any(int(number, 16) for number in facts["coefficients"][1])
    curve._flagged = facts["shape"] == "weierstrass" and not through_zero
    curve._ground_words = curve._prime._words
    curve._field_words, curve._words = curve._degree * curve._ground_words, 2 * curve._degree * curve._ground_words
    curve._bytes = 2 * curve._degree * curve._prime._bytes
    curve._shown = core.called.removeprefix("curve:")
    return curve


def of_coefficients(field, a, b, d, A, B, base, order, cofactor):
    """The curve of an equation, which is told by the coefficients that are given."""
    given = {name for name, value in (("a", a), ("b", b), ("d", d), ("A", A), ("B", B)) if value is not None}

    def text(value):
        numbers = field(value).to_ints()
        if field.kind != "tower":
            return str(numbers)
        variable = field._facts["variables"][0]
        return "(" + "+".join(f"{number}*{variable}^{i}" if i else str(number) for i, number in enumerate(numbers)) + ")"

    if given == {"a", "b"}:
        equation = f"y^2=x^3+{text(a)}*x+{text(b)}"
    elif given == {"a", "d"}:
        equation = f"{text(a)}*x^2+y^2=1+{text(d)}*x^2*y^2"
    elif given in ({"A"}, {"A", "B"}):
        equation = f"{text(1 if B is None else B)}*y^2=x^3+{text(A)}*x^2+x"
    else:
        raise ValueError(
            f"no curve has the coefficients {', '.join(sorted(given)) or 'none'}\nhelp: give a and b, a and d, or A and B"
        )
    parts = [f"{equation}@{field.text}"]
    if base is not None:
        x, y = base
        parts.append(f"base=[{text(x)},{text(y)}]")
    parts += [f"{name}={value}" for name, value in (("order", order), ("cofactor", cofactor)) if value is not None]
    return Curve(",".join(parts))
