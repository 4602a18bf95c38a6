"""Arrow arrays of fixed-size binaries: canonical bytes, lowest first. pyarrow makes and reads them."""

import numpy as np


def _pyarrow():
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("pyarrow is missing\nhelp: pip install pyarrow, or use to_bytes and from_bytes") from error
    return pyarrow


def array(elements):
    """An array of one dimension, of another one its elements in the order of rows."""
    arrow = _pyarrow()
    data, size = elements.to_bytes(), elements.field.bytes
    return arrow.Array.from_buffers(arrow.binary(size), elements.size, [None, arrow.py_buffer(data)])


def elements(field, given):
    """Elements of whatever has ``__arrow_c_array__``."""
    arrow = _pyarrow()
    made = given if isinstance(given, arrow.Array) else arrow.array(given)
    size = field.bytes
    if made.type != arrow.binary(size):
        raise TypeError(
            f"an Arrow array of {made.type}\nhelp: elements of {field.text} are fixed_size_binary[{size}], lowest byte first"
        )
    if made.null_count:
        raise ValueError(f"{made.null_count} of the elements are missing\nhelp: fill or drop nulls first")
    data = made.buffers()[1]
    data = np.frombuffer(data, np.uint8) if data is not None and data.size else np.empty(0, np.uint8)
    return field.from_bytes(data[made.offset * size : (made.offset + len(made)) * size])
