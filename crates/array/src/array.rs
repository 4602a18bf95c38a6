//! Arrays, and views of their parts.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use crate::engine::Kernels;
use crate::error::ArrayError;
use crate::form::{Form, Resting};
use crate::storage::Storage;

/// Elements of a field in the order of lanes: digit i of element `g·count + l` lies at `(g·n + i)·count + l`, in memory
/// that starts at a cache line. Digits have 64 bits, or (of primes below 2^32, which have one) 32. Made by an
/// [`Engine`](crate::Engine), and worked on by it.
#[derive(Clone)]
pub struct Array<F: Form = Resting> {
    pub(crate) kernels: Arc<Kernels>,
    pub(crate) len: usize,
    pub(crate) storage: Storage,
    form: PhantomData<F>,
}

/// A part of an array that starts where a vector starts.
#[derive(Clone, Copy)]
pub struct View<'a, F: Form = Resting> {
    pub(crate) kernels: &'a Kernels,
    pub(crate) len: usize,
    /// Whole groups.
    pub(crate) words: &'a [u64],
    form: PhantomData<F>,
}

/// A mutable view of a range of elements.
pub struct ViewMut<'a, F: Form = Resting> {
    pub(crate) kernels: &'a Kernels,
    pub(crate) len: usize,
    /// Whole groups.
    pub(crate) words: &'a mut [u64],
    /// Behind the end, in the last group, are elements of the array that are not of the view.
    pub(crate) shared: bool,
    form: PhantomData<F>,
}

impl<F: Form> Array<F> {
    /// That many zeros.
    pub(crate) fn zeros(kernels: &Arc<Kernels>, len: usize) -> Array<F> {
        let storage = Storage::zeroed(len.div_ceil(kernels.lanes()) * kernels.group());
        Array { kernels: kernels.clone(), len, storage, form: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// No elements?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// All of it.
    pub fn view(&self) -> View<'_, F> {
        View { kernels: &self.kernels, len: self.len, words: self.storage.words(), form: PhantomData }
    }

    /// All of it, to be written.
    pub fn view_mut(&mut self) -> ViewMut<'_, F> {
        ViewMut {
            kernels: &self.kernels,
            len: self.len,
            words: self.storage.words_mut(),
            shared: false,
            form: PhantomData,
        }
    }

    /// A part that starts at a multiple of the number of lanes.
    ///
    /// # Errors
    /// [`ArrayError::View`]: another start, or elements that the array does not have.
    pub fn slice(&self, range: Range<usize>) -> Result<View<'_, F>, ArrayError> {
        self.view().slice(range)
    }

    /// A mutable view of a range; elements outside it stay unchanged.
    ///
    /// # Errors
    /// As [`Array::slice`].
    pub fn slice_mut(&mut self, range: Range<usize>) -> Result<ViewMut<'_, F>, ArrayError> {
        let place = checked(&self.kernels, self.len, &range)?;
        let shared = range.end < self.len;
        Ok(ViewMut {
            kernels: &self.kernels,
            len: range.len(),
            words: &mut self.storage.words_mut()[place],
            shared,
            form: PhantomData,
        })
    }

    /// A copy of any part, which may start anywhere.
    ///
    /// # Errors
    /// [`ArrayError::View`]: elements that the array does not have.
    pub fn copy_range(&self, range: Range<usize>) -> Result<Array<F>, ArrayError> {
        bounds(&self.kernels, self.len, &range)?;
        let mut copy = Array::zeros(&self.kernels, range.len());
        let (from, to) = (self.storage.words(), copy.storage.words_mut());
        for (k, e) in range.enumerate() {
            for i in 0..self.kernels.digits() {
                self.kernels.put_digit(to, k, i, self.kernels.digit(from, e, i));
            }
        }
        Ok(copy)
    }

    /// The digits of one element, lowest first: what the layout's page says of them.
    ///
    /// # Errors
    /// [`ArrayError::View`]: an element that the array does not have.
    pub fn digits(&self, index: usize) -> Result<Vec<u64>, ArrayError> {
        bounds(&self.kernels, self.len, &(index..index.saturating_add(1)))?;
        Ok((0..self.kernels.digits()).map(|i| self.kernels.digit(self.storage.words(), index, i)).collect())
    }

    /// Words of the storage: for tests.
    #[doc(hidden)]
    pub fn raw_mut(&mut self) -> &mut [u64] {
        self.storage.words_mut()
    }

    /// Anything in the lanes of the last group that have no element: for tests.
    #[doc(hidden)]
    pub fn spoil(&mut self, mut any: impl FnMut() -> u64) {
        for element in self.len..self.len.next_multiple_of(self.kernels.lanes()) {
            for i in 0..self.kernels.digits() {
                self.kernels.put_digit(self.storage.words_mut(), element, i, any());
            }
        }
    }
}

impl<'a, F: Form> View<'a, F> {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// No elements?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// A part that starts at a multiple of the number of lanes.
    ///
    /// # Errors
    /// As [`Array::slice`].
    pub fn slice(self, range: Range<usize>) -> Result<View<'a, F>, ArrayError> {
        let place = checked(self.kernels, self.len, &range)?;
        Ok(View { len: range.len(), words: &self.words[place], ..self })
    }

    /// The words of `count` groups from `first` on.
    pub(crate) fn groups(&self, first: usize, count: usize) -> &'a [u64] {
        let group = self.kernels.group();
        &self.words[first * group..(first + count) * group]
    }
}

impl<'a, F: Form> ViewMut<'a, F> {
    /// So many elements of some groups.
    pub(crate) fn of(kernels: &'a Kernels, words: &'a mut [u64], len: usize, shared: bool) -> ViewMut<'a, F> {
        ViewMut { kernels, len, words, shared, form: PhantomData }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// No elements?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Does an array of that length have these elements?
fn bounds(kernels: &Kernels, len: usize, range: &Range<usize>) -> Result<(), ArrayError> {
    let no = |why| Err(ArrayError::View { start: range.start, end: range.end, len, lanes: kernels.lanes(), why });
    match () {
        () if range.start > range.end => no("it ends before it starts"),
        () if range.end > len => no("the array ends before"),
        () => Ok(()),
    }
}

/// The words of whole groups that hold these elements.
fn checked(kernels: &Kernels, len: usize, range: &Range<usize>) -> Result<Range<usize>, ArrayError> {
    let lanes = kernels.lanes();
    bounds(kernels, len, range)?;
    if !range.start.is_multiple_of(lanes) && !range.is_empty() {
        return Err(ArrayError::View {
            start: range.start,
            end: range.end,
            len,
            lanes,
            why: "it starts within a vector",
        });
    }
    let group = kernels.group();
    let first = if range.is_empty() { 0 } else { range.start / lanes };
    Ok(first * group..(first + range.len().div_ceil(lanes)) * group)
}

impl<'a, F: Form> From<&'a Array<F>> for View<'a, F> {
    fn from(array: &'a Array<F>) -> View<'a, F> {
        array.view()
    }
}

impl<'a, F: Form> From<&'a mut Array<F>> for ViewMut<'a, F> {
    fn from(array: &'a mut Array<F>) -> ViewMut<'a, F> {
        array.view_mut()
    }
}

/// Length and place; never the elements, which may be secret.
impl<F: Form> fmt::Debug for Array<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Array({} {} elements of {})", self.len, F::NAME, self.kernels.place())
    }
}
