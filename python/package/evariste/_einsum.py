"""Sums of products by subscripts: operand after operand, each pair as stacked products of matrices."""

from . import _operations as operations


def einsum(subscripts, arrays):
    """:func:`numpy.einsum` of a text of subscripts, without ``...``."""
    text = subscripts.replace(" ", "")
    if "." in text:
        raise ValueError("np.einsum: arrays of a field take no `...`\nhelp: name each axis by a letter")
    inputs, arrow, output = text.partition("->")
    terms = inputs.split(",")
    if len(terms) != len(arrays):
        raise ValueError(f"np.einsum: {len(terms)} terms of subscripts for {len(arrays)} operands")
    if not arrow:
        letters = "".join(terms)
        output = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    check(terms, output, arrays)
    parts = [without_repeats(term, a) for term, a in zip(terms, arrays)]
    term, total = parts.pop(0)
    while parts:
        other, factor = parts.pop(0)
        kept = set(output).union(*(t for t, _ in parts))
        term, total = pair(term, total, other, factor, kept)
    return ordered(term, total, output)


def check(terms, output, arrays):
    """The errors that NumPy has too: letters, numbers of axes, lengths."""
    lengths = {}
    for term, a in zip(terms, arrays):
        if not all(c.isalpha() for c in term):
            raise ValueError(f"invalid subscript in {term!r}: a subscript is a letter")
        if len(term) != a.ndim:
            raise ValueError(f"einstein sum subscripts {term!r} have {len(term)} letters for {a.ndim} dimensions")
        for c, n in zip(term, a.shape):
            if lengths.setdefault(c, n) != n and 1 not in (lengths[c], n):
                raise ValueError(f"operands could not be broadcast together: {c!r} has {lengths[c]} and {n} indices")
            lengths[c] = max(lengths[c], n)
    for c in output:
        if c not in lengths:
            raise ValueError(f"einstein sum subscripts string included output subscript {c!r} which never appeared")
        if output.count(c) > 1:
            raise ValueError(f"einstein sum subscripts string includes output subscript {c!r} multiple times")


def without_repeats(term, a):
    """Diagonals for letters that a term has twice."""
    for c in dict.fromkeys(term):
        while term.count(c) > 1:
            i = term.index(c)
            j = term.index(c, i + 1)
            a = a._view(a._map.diagonal(0, i, j))
            term = term[:i] + term[i + 1 : j] + term[j + 1 :] + c
    return term, a


def pair(left, a, right, b, kept):
    """The product of two operands, summed over what nobody needs any more."""
    left, a = summed(left, a, kept | set(right))
    right, b = summed(right, b, kept | set(left))
    shared = [c for c in left if c in right]
    # Axes of one index that are broadcast are no axes of a product of matrices.
    plain = all(a.shape[left.index(c)] == b.shape[right.index(c)] for c in shared)
    batch = [c for c in shared if c in kept]
    inner = [c for c in shared if c not in kept]
    rows, columns = [c for c in left if c not in shared], [c for c in right if c not in shared]
    if not plain:
        term = rows + shared + columns
        x = aligned(left, a, term)
        product = operations.binary("multiply", x, aligned(right, b, term))
        return summed("".join(term), product, kept)
    size = dict(zip(left + right, a.shape + b.shape))
    count = lambda letters: operations.size_of(size[c] for c in letters)  # noqa: E731
    x = ordered(left, a, batch + rows + inner).reshape([size[c] for c in batch] + [count(rows), count(inner)])
    y = ordered(right, b, batch + inner + columns).reshape([size[c] for c in batch] + [count(inner), count(columns)])
    term = batch + rows + columns
    return "".join(term), operations.matmul(x, y).reshape([size[c] for c in term])


def aligned(term, a, wanted):
    """An axis for each letter, of one index where the term has none."""
    a = ordered(term, a, [c for c in wanted if c in term])
    shape = iter(a.shape)
    return a.reshape([next(shape) if c in term else 1 for c in wanted])


def summed(term, a, kept):
    """Without the axes that are not kept."""
    axes = tuple(i for i, c in enumerate(term) if c not in kept)
    if not axes:
        return term, a
    return "".join(c for c in term if c in kept), operations.reduce("add", a, axes, False)


def ordered(term, a, wanted):
    """The axes in the wanted order; those that are not wanted are summed."""
    term, a = summed(term, a, set(wanted))
    return a.transpose([term.index(c) for c in wanted]) if a.ndim else a
