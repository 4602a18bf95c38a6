"""Arrays over a cluster: Dask arrays whose chunks are arrays of a field. Nothing is registered anywhere.

What travels between processes is canonical bytes, so workers of different processors, which hold elements in different
layouts, compute the same numbers.

>>> import evariste as ev
>>> F = ev.Field("2^255-19")
>>> x = F.dask_random((1000, 10), chunks=(250, 10), seed=1)
>>> y = F.dask_random((1000, 10), chunks=(250, 10), seed=2)
>>> int((x * y).sum().compute()) == int((x.compute() * y.compute()).sum())
True
"""

import hashlib
from functools import partial

import numpy as np

from ._array import Array
from ._field import Field, shape_of


def _dask():
    try:
        import dask.array
    except ImportError as error:
        raise ImportError("Dask is missing\nhelp: pip install 'dask[array]' distributed") from error
    return dask.array


def meta(field, ndim):
    """What Dask knows chunks by: an array without elements."""
    return field.zeros((0,) * ndim)


def from_array(field, source, chunks):
    """A Dask array of an array, or of numbers that make one, in chunks.

    Args:
        source: an :class:`Array`, or what calling the field takes.
        chunks: as Dask takes them; say them explicitly, since Dask does not know the size of an element.
    """
    array = field.array(source)
    return _dask().from_array(array, chunks=chunks, asarray=False, meta=meta(field, array.ndim))


def random(field, shape, chunks, seed):
    """Random elements, drawn by each worker for its own chunks: of the seed, the shape and the chunks alone.

    >>> import evariste as ev
    >>> x = ev.Field("2^31-1").dask_random(10, chunks=5, seed=3)
    >>> bool((x.compute() == x.compute()).all())
    True
    """
    return from_function(field, _random_chunk, shape, chunks, seed)


def _random_chunk(field, shape, number, seed):
    return field.random(shape, np.random.SeedSequence(seed, spawn_key=(number,)))


def from_function(field, function, shape, chunks, *arguments):
    """A Dask array whose chunks are ``function(field, shape of the chunk, number of the chunk, *arguments)``.

    The function runs where a chunk is needed. A chunk that is lost with its worker is computed again, so the result must
    depend on nothing else.
    """
    shape = shape_of(shape)
    da = _dask()
    chunks = da.core.normalize_chunks(chunks, shape=shape, dtype=object)
    text = repr((field.text, function.__module__, function.__qualname__, shape, chunks, arguments))
    name = f"evariste-{hashlib.blake2b(text.encode(), digest_size=16).hexdigest()}"
    made = partial(_chunk, field=field, function=function, sizes=chunks, arguments=arguments)
    # Dask makes one task of a chunk and of what is done to it alone.
    return da.map_blocks(made, name=name, chunks=chunks, dtype=object, meta=meta(field, len(shape)))


def _chunk(field, function, sizes, arguments, block_id):
    number = 0
    for own, i in zip(sizes, block_id):
        number = number * len(own) + i
    return function(field, tuple(own[i] for own, i in zip(sizes, block_id)), number, *arguments)


def dot(x, y):
    """The inner product of two Dask vectors with equal chunks: one inner product a chunk, and their sum.

    >>> import evariste as ev
    >>> from evariste import dask
    >>> F = ev.Field("2^61-1")
    >>> x = F.dask_array(F.arange(10), chunks=4)
    >>> int(dask.dot(x, x).compute())
    285
    """
    if x.ndim != 1 or y.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"shapes {x.shape} and {y.shape}\nhelp: give two vectors of one length")
    parts = _dask().map_blocks(_chunk_dot, x, y.rechunk(x.chunks), chunks=((1,) * x.numblocks[0],), dtype=object, meta=x._meta)
    return parts.sum()


def _chunk_dot(x, y):
    return np.dot(x, y).reshape(1)


__all__ = ["Array", "Field", "dot", "from_array", "from_function", "meta", "random"]
