//! Arguments of calls: slices of typed elements, with their lifetime, whether they may be written, and nothing else.

use std::cell::Cell;
use std::marker::PhantomData;

mod sealed {
    pub trait Sealed {}
}

/// Element types of arrays: `u8`, `u16`, `u32`, `u64`.
pub trait Element: sealed::Sealed {}

macro_rules! element {
    ($($t:ty),*) => {$(
        impl sealed::Sealed for $t {}
        impl Element for $t {}
    )*};
}
element!(u8, u16, u32, u64);

/// One array given to a function. Made from `&[T]` (read only), `&mut [T]`, or `&[Cell<T>]` (written, and perhaps given
/// twice: that is how an output lies exactly over an input).
#[derive(Clone, Debug)]
pub struct Argument<'a> {
    pub(crate) pointer: *mut u8,
    pub(crate) len: usize,
    pub(crate) element_bytes: usize,
    pub(crate) writable: bool,
    life: PhantomData<&'a ()>,
}

impl Argument<'_> {
    /// Views the memory as elements of so many bytes (1, 2, 4 or 8), several for each of 64 bits, in the order of
    /// memory: the lowest comes first on the processors that run this code. Other elements stay as they are.
    #[must_use]
    pub fn cut(self, bytes: usize) -> Self {
        if self.element_bytes == 8 && matches!(bytes, 1 | 2 | 4) {
            Argument { len: 8 / bytes * self.len, element_bytes: bytes, ..self }
        } else {
            self
        }
    }

    /// One of the elements; none where there is no such element.
    #[must_use]
    pub fn element(self, index: usize) -> Self {
        let len = usize::from(index < self.len);
        Argument { pointer: self.pointer.wrapping_add(index * len * self.element_bytes), len, ..self }
    }

    #[inline]
    fn new<T>(pointer: *mut T, len: usize, writable: bool) -> Self {
        Argument { pointer: pointer.cast(), len, element_bytes: size_of::<T>(), writable, life: PhantomData }
    }

    /// First address and the one after the last.
    pub(crate) fn span(&self) -> (usize, usize) {
        let start = self.pointer as usize;
        (start, start + self.len * self.element_bytes)
    }
}

impl<'a, T: Element> From<&'a [T]> for Argument<'a> {
    #[inline]
    fn from(slice: &'a [T]) -> Self {
        Argument::new(slice.as_ptr().cast_mut(), slice.len(), false)
    }
}

impl<'a, T: Element, const N: usize> From<&'a [T; N]> for Argument<'a> {
    fn from(array: &'a [T; N]) -> Self {
        Argument::from(array.as_slice())
    }
}

impl<'a, T: Element> From<&'a mut [T]> for Argument<'a> {
    fn from(slice: &'a mut [T]) -> Self {
        Argument::new(slice.as_mut_ptr(), slice.len(), true)
    }
}

impl<'a, T: Element, const N: usize> From<&'a mut [T; N]> for Argument<'a> {
    fn from(array: &'a mut [T; N]) -> Self {
        Argument::from(array.as_mut_slice())
    }
}

impl<'a, T: Element> From<&'a [Cell<T>]> for Argument<'a> {
    #[inline]
    fn from(cells: &'a [Cell<T>]) -> Self {
        // A cell has the layout of its content and may be written through a shared reference.
        Argument::new(cells.as_ptr().cast::<T>().cast_mut(), cells.len(), true)
    }
}
