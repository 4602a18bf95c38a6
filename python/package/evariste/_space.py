"""What fields and curves have in common: names, layouts, arrays of one value, Dask."""


class Space:
    """What arrays have elements of."""

    # The tower's prime field; arrays of it mix with those of the tower.
    _ground = None
    # Coordinates of an element.
    _degree = 1
    # Are sums of products reduced once?
    _lazy = True
    _things = "elements of a finite field"
    _sliced = False
    _lanes = None

    @property
    def text(self):
        """A description that parses back: ``2^255 - 19``."""
        return self._text

    @property
    def name(self):
        """A short name: ``25519``."""
        return self._core.name

    @property
    def lanes(self):
        """Elements that lie side by side in memory."""
        return self._core.lanes

    @property
    def layout(self):
        """The name of the layout that elements rest in."""
        return self._core.layout

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def _lanes_now(self):
        """:attr:`lanes`, which needs the engine once."""
        if self._lanes is None:
            self._lanes = self._core.lanes
        return self._lanes

    def empty(self, shape):
        """Zeros: memory that nobody has written to does not leave the library."""
        return self.zeros(shape)

    def dask_array(self, source, chunks):
        """A Dask array of this field: see :func:`evariste.dask.from_array`."""
        from . import dask

        return dask.from_array(self, source, chunks)

    def dask_random(self, shape, chunks, seed):
        """A Dask array of random elements, drawn where they are needed: see :func:`evariste.dask.random`."""
        from . import dask

        return dask.random(self, shape, chunks, seed)
