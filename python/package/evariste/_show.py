"""Arrays as text and HTML: a few elements, never all of a long array."""

import html as escaping

import numpy as np

# Elements that are shown in full, and at each end of a longer axis.
_FULL = 100
_EDGE = 3


def shown(array):
    """The elements that are shown, as objects, with dots for those that are not."""
    if array.size <= _FULL:
        return array._items()
    longer = [axis for axis, count in enumerate(array.shape) if count > 2 * _EDGE]
    for axis in longer:
        array = array.take(np.r_[0:_EDGE, array.shape[axis] - _EDGE : array.shape[axis]], axis)
    objects = array._items()
    for axis in longer:
        dots = np.full(objects.shape[:axis] + (1,) + objects.shape[axis + 1 :], "...", object)
        first, last = np.split(objects, [_EDGE], axis)
        objects = np.concatenate([first, dots, last], axis)
    return objects


def rows(objects, indent):
    """Nested brackets, one innermost row a line."""
    if objects.ndim == 0:
        return str(objects[()])
    if objects.ndim == 1:
        return "[" + ", ".join(str(x) for x in objects) + "]"
    gap = "," + "\n" * (objects.ndim - 1) + " " * (indent + 1)
    return "[" + gap.join(rows(part, indent + 1) for part in objects) + "]"


def text(array):
    """``Array([1, 2], field='2^31 - 1')``."""
    body = rows(shown(array), len(f"{type(array).__name__}("))
    shape = f", shape={array.shape}" if array.size > _FULL or array.size == 0 and array.ndim != 1 else ""
    return f"{type(array).__name__}({body}{shape}, {array._named()})"


def html(array):
    """A small table for notebooks."""
    objects = shown(array)
    table = np.atleast_2d(objects).reshape(-1, objects.shape[-1] if objects.ndim and objects.size else max(objects.size, 1))
    cells = [
        "<tr>" + "".join(f"<td><code>{escaping.escape(str(x))}</code></td>" for x in row) + "</tr>" for row in table
    ]
    shape = " × ".join(str(n) for n in array.shape) or "one element"
    return f"<div><p>{shape} of {escaping.escape(array._field.text)}</p><table>{''.join(cells)}</table></div>"
