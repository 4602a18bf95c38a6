"""Operations that take more than two operands, without arrays in between."""

from . import _operations as operations


def fma(a, b, c, out=None):
    """``a·b + c``, reduced once.

    Args:
        a, b, c: arrays of one field, of which one at least is an array, and integers; they are broadcast.
        out: an array that takes the result.

    >>> import evariste as ev
    >>> F = ev.Field("2^255-19")
    >>> ev.fma(F([1, 2]), F([3, 4]), 5)
    Array([8, 13], field='2^255 - 19')
    """
    from . import _ufuncs

    field = _field((a, b, c), "fma")
    a, b, c = (_ufuncs.operand(field, x) for x in (a, b, c))
    return _ufuncs.stored("fma", operations.multiply_add(a, b, c), (out,))


def lincomb(coefficients, arrays, out=None):
    """The sum of multiples ``c[0]·a[0] + c[1]·a[1] + …`` of arrays of one shape.

    Args:
        coefficients: an integer, or an element without dimensions, for each array.
        arrays: one array at least; all of one field.

    >>> import evariste as ev
    >>> F = ev.Field("2^255-19")
    >>> ev.lincomb([2, -1], [F([5, 6]), F([1, 1])])
    Array([9, 11], field='2^255 - 19')
    """
    from . import _ufuncs

    arrays, coefficients = list(arrays), list(coefficients)
    if len(arrays) != len(coefficients) or not arrays:
        raise ValueError(f"{len(coefficients)} coefficients for {len(arrays)} arrays\nhelp: give one for each")
    field = _field(arrays, "lincomb")
    total = None
    for c, a in zip(coefficients, arrays):
        c, a = _ufuncs.operand(field, c), _ufuncs.operand(field, a)
        if c.size != 1:
            raise ValueError(f"a coefficient of shape {c.shape}\nhelp: coefficients are single elements")
        c = c.reshape(())
        total = operations.binary("multiply", a, c) if total is None else operations.multiply_add(a, c, total)
    return _ufuncs.stored("lincomb", total, (out,))


def _field(operands, name):
    from . import _ufuncs

    field = _ufuncs.field_of(operands)
    if field is None or field.kind == "curve":
        raise TypeError(f"ev.{name} of no array of a field\nhelp: make one: F(numbers)")
    return field
