"""From Python's and NumPy's numbers to canonical words or bytes, and back."""

import operator

import numpy as np


def not_a_number(what):
    return TypeError(
        f"{what} is no integer\nhelp: elements are made of integers, of arrays of them, of bytes and of words; "
        "round floats yourself"
    )


def numbers(data):
    """An array of integers (any NumPy integer type, or objects) of whatever is like an array of them."""
    if isinstance(data, np.ndarray):
        array = data
    elif isinstance(data, (bool, int, np.integer, np.bool_)):
        # (Such an array has the type of the number, where a number of its size has one.)
        array = np.empty((), object)
        array[()] = int(data)
    else:
        if isinstance(data, (str, bytes, bytearray, float, complex)):
            raise not_a_number(repr(data))
        array = np.array(data, dtype=object)
    if array.dtype == object or array.dtype.kind in "iub":
        return array
    raise not_a_number(f"an array of dtype {array.dtype}")


def exact(value):
    """A Python integer of anything that is one."""
    if isinstance(value, (float, complex, np.floating, np.complexfloating)):
        raise not_a_number(repr(value))
    try:
        return operator.index(value)
    except TypeError:
        raise not_a_number(repr(value)) from None


def objects_to_bytes(flat, size, order, cyclic):
    """Canonical bytes, lowest first, of a flat array of Python integers. ``cyclic``: modulo the order."""
    values = flat.tolist()
    try:
        # All of them canonical: nothing is looked at one by one. (Too large ones are found later.)
        return b"".join([value.to_bytes(size, "little") for value in values])
    except (AttributeError, OverflowError, TypeError):
        return reduced(values, size, order, cyclic)


def reduced(values, size, order, cyclic):
    """Canonical bytes of any integers."""
    values = [exact(value) for value in values]
    if cyclic:
        return b"".join([(value % order).to_bytes(size, "little") for value in values])
    for index, value in enumerate(values):
        if not 0 <= value < order:
            shown = hex(value) if abs(value) < 1 << 256 else f"a number of {value.bit_length()} bits"
            raise ValueError(
                f"element {index} is {shown}, which is no element: bit i of a number is the coefficient of the basis "
                f"element i\nhelp: give numbers of 0 to {hex(order - 1)}"
            )
    return b"".join([value.to_bytes(size, "little") for value in values])


def machine_words(flat, words, order):
    """Canonical words of the absolute values of a flat array of NumPy integers, and where they are negative."""
    if flat.dtype.kind == "b":
        flat = flat.astype(np.uint64)
    negative = flat < 0 if flat.dtype.kind == "i" else None
    if flat.dtype.kind == "i":
        wide = flat.astype(np.int64, copy=False)
        # (The absolute value of the least one is right as an unsigned number.)
        lowest = np.where(wide < 0, np.negative(wide), wide).view(np.uint64)
    else:
        lowest = flat.astype(np.uint64, copy=False)
    return spread(lowest, words, order), negative


def spread(lowest, words, order):
    """Words of numbers of one word each, modulo the order."""
    if order <= 1 << 64:
        lowest = lowest if order == 1 << 64 else np.remainder(lowest, np.uint64(order))
    if words == 1:
        return np.ascontiguousarray(lowest)
    wide = np.zeros((lowest.size, words), np.uint64)
    wide[:, 0] = lowest
    return wide.reshape(-1)


def integers(data, size):
    """Python integers of canonical bytes, lowest first."""
    get = int.from_bytes
    return [get(data[at : at + size], "little") for at in range(0, len(data), size)]


def words_of(words, each):
    """Canonical words, one element behind the other, and the shape of the elements where there is one.

    Raises:
        TypeError: an array that is not of ``uint64``.
        ValueError: a last axis of another length than an element's.
    """
    words = np.asarray(words)
    if words.dtype != np.uint64:
        raise TypeError(f"words of dtype {words.dtype}\nhelp: words are numpy.uint64")
    if words.ndim > 1 and words.shape[-1] != each:
        raise ValueError(
            f"the last axis has {words.shape[-1]} words: one element has {each}\n"
            f"help: give an array of shape (…, {each}), or a flat one"
        )
    return np.require(words.reshape(-1), np.uint64, "CA"), words.shape[:-1] if words.ndim > 1 else None
