//! Arrays of elements of several coordinates.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use evariste_algorithms::kinds::{self, Given};
use evariste_algorithms::operation::Holds;
use num_bigint::BigUint;

use super::Structured;
use crate::array::Array;
use crate::engine::Kernels;
use crate::error::{ArrayError, same_length};
use crate::places::Places;
use crate::storage::Storage;

/// Elements of several coordinates: digit i of coordinate c of element `g·count + l` lies at
/// `((g·coordinates + c)·n + i)·count + l`, for the `count` lanes and n digits of the prime field's arrays.
#[derive(Clone)]
pub struct StructuredArray {
    kernels: Arc<Kernels>,
    len: usize,
    count: usize,
    storage: Storage,
}

/// A part of such an array that starts where a vector starts.
#[derive(Clone, Copy)]
pub struct StructuredView<'a> {
    kernels: &'a Kernels,
    len: usize,
    count: usize,
    words: &'a [u64],
}

impl StructuredArray {
    pub(super) fn zeros(kernels: &Arc<Kernels>, len: usize, count: usize) -> StructuredArray {
        let storage = Storage::zeroed(len.div_ceil(kernels.lanes()) * kernels.group() * count);
        StructuredArray { kernels: kernels.clone(), len, count, storage }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// No elements?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Coordinates of an element.
    pub fn count(&self) -> usize {
        self.count
    }

    /// All of it.
    pub fn view(&self) -> StructuredView<'_> {
        StructuredView { kernels: &self.kernels, len: self.len, count: self.count, words: self.storage.words() }
    }

    /// A part that starts where a vector starts.
    ///
    /// # Errors
    /// [`ArrayError::View`]: another start, or elements that the array does not have.
    pub fn slice(&self, range: Range<usize>) -> Result<StructuredView<'_>, ArrayError> {
        let all = self.view();
        let words = &all.words[all.place(&range)?];
        Ok(StructuredView { len: range.len(), words, ..all })
    }

    fn words(&self) -> &[u64] {
        self.storage.words()
    }

    pub(super) fn words_mut(&mut self) -> &mut [u64] {
        self.storage.words_mut()
    }

    /// Words in the lanes of the last group that have no element: for tests.
    #[doc(hidden)]
    pub fn spoil(&mut self, mut any: impl FnMut() -> u64) {
        let (lanes, row) = (self.kernels.lanes(), self.kernels.row());
        let used = self.len % lanes;
        let group = self.kernels.group() * self.count;
        if used > 0 && row == lanes {
            let start = self.len / lanes * group;
            let last = &mut self.storage.words_mut()[start..start + group];
            last.chunks_mut(row).for_each(|row| row[used..].iter_mut().for_each(|word| *word = any()));
        }
    }
}

impl<'a> StructuredView<'a> {
    /// Whole groups of elements of so many coordinates.
    pub(super) fn of_groups(kernels: &'a Kernels, words: &'a [u64], count: usize) -> StructuredView<'a> {
        let len = words.len() / (kernels.group() * count) * kernels.lanes();
        StructuredView { kernels, len, count, words }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// No elements?
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Coordinates of an element.
    pub fn count(&self) -> usize {
        self.count
    }

    pub(super) fn kernels(&self) -> &'a Kernels {
        self.kernels
    }

    pub(super) fn words(&self) -> &'a [u64] {
        self.words
    }

    /// The words of a range of elements, which starts where a vector starts.
    pub(super) fn place(&self, range: &Range<usize>) -> Result<Range<usize>, ArrayError> {
        let (lanes, group) = (self.kernels.lanes(), self.kernels.group() * self.count);
        let why = match () {
            () if range.start > range.end || range.end > self.len => "there are no such elements",
            () if !range.start.is_multiple_of(lanes) => "it does not start where a vector starts",
            () => return Ok(range.start / lanes * group..range.end.div_ceil(lanes) * group),
        };
        Err(ArrayError::View { start: range.start, end: range.end, len: self.len, lanes, why })
    }
}

impl<'a> From<&'a StructuredArray> for StructuredView<'a> {
    fn from(array: &'a StructuredArray) -> StructuredView<'a> {
        array.view()
    }
}

impl Structured {
    /// That many elements of so many coordinates, all 0.
    pub fn zeros(&self, len: usize, count: usize) -> StructuredArray {
        StructuredArray::zeros(&self.ground.kernels, len, count)
    }

    /// Elements from one array of the prime field for each coordinate, lowest first.
    ///
    /// # Errors
    /// Arrays of another engine, or of different length; none.
    pub fn from_coordinates(&self, coordinates: &[Array]) -> Result<StructuredArray, ArrayError> {
        let len = coordinates.first().map_or(0, Array::len);
        let kernels = &self.ground.kernels;
        let mut out = StructuredArray::zeros(kernels, len, coordinates.len().max(1));
        let (group, stride) = (kernels.group(), kernels.group() * out.count);
        for (c, coordinate) in coordinates.iter().enumerate() {
            self.ground.own("from_coordinates", &coordinate.kernels)?;
            same_length("from_coordinates", len, coordinate.len())?;
            let from = coordinate.storage.words().chunks(group);
            for (to, from) in out.storage.words_mut().chunks_mut(stride).zip(from) {
                to[c * group..(c + 1) * group].copy_from_slice(from);
            }
        }
        Ok(out)
    }

    /// One coordinate of all elements.
    ///
    /// # Errors
    /// An array of another engine; a coordinate that elements have not.
    pub fn coordinate<'a>(&self, array: impl Into<StructuredView<'a>>, c: usize) -> Result<Array, ArrayError> {
        let array = array.into();
        self.ground.own("coordinate", array.kernels)?;
        if c >= array.count {
            let why = format!("elements have {} coordinates, the first is 0", array.count);
            return Err(ArrayError::kernel(&format!("coordinate {c}"), &self.field.text(), why));
        }
        let kernels = &self.ground.kernels;
        let mut out: Array = self.ground.fresh(array.len);
        let (group, stride) = (kernels.group(), kernels.group() * array.count);
        for (to, from) in out.storage.words_mut().chunks_mut(group).zip(array.words().chunks(stride)) {
            to.copy_from_slice(&from[c * group..(c + 1) * group]);
        }
        Ok(out)
    }

    /// All coordinates of all elements, lowest first.
    ///
    /// # Errors
    /// An array of another engine.
    pub fn coordinates<'a>(&self, array: impl Into<StructuredView<'a>>) -> Result<Vec<Array>, ArrayError> {
        let array = array.into();
        (0..array.count).map(|c| self.coordinate(array, c)).collect()
    }

    /// Elements from numbers, as the field's own arithmetic has them; `holds`: what they are, an element or a part of the
    /// structure such as a point of a group.
    ///
    /// # Errors
    /// Numbers that are no such elements.
    pub fn from_numbers(&self, holds: Holds, numbers: &[BigUint]) -> Result<StructuredArray, ArrayError> {
        let mut coordinates: Vec<Vec<BigUint>> = Vec::new();
        for number in numbers {
            let Given::Elements(all) = kinds::given(&self.field, holds, number) else {
                return Err(ArrayError::kernel("from_numbers", &self.field.text(), "scalars have arrays of their own"));
            };
            coordinates.resize_with(all.len(), Vec::new);
            coordinates.iter_mut().zip(all).for_each(|(to, x)| to.push(x));
        }
        let arrays = coordinates.iter().map(|all| self.ground.from_integers(all)).collect::<Result<Vec<_>, _>>()?;
        self.from_coordinates(&arrays)
    }

    /// The numbers of elements.
    ///
    /// # Errors
    /// An array of another engine; coordinates that are those of no element.
    pub fn to_numbers(&self, holds: Holds, array: &StructuredArray) -> Result<Vec<BigUint>, ArrayError> {
        let all = self.coordinates(array)?;
        let all = all.iter().map(|a| self.ground.to_integers(a)).collect::<Result<Vec<_>, _>>()?;
        let one = |index: usize| {
            let own: Vec<BigUint> = all.iter().map(|coordinate| coordinate[index].clone()).collect();
            let why = || format!("element {index} has coordinates of none");
            kinds::result(&self.field, holds, &own)
                .ok_or_else(|| ArrayError::kernel("to_numbers", &self.field.text(), why()))
        };
        (0..array.len).map(one).collect()
    }

    /// The elements at these places, one behind the other.
    ///
    /// # Errors
    /// An array of another engine; a place that it has not.
    pub fn gather(&self, array: &StructuredArray, places: Places) -> Result<StructuredArray, ArrayError> {
        let kernels = &self.ground.kernels;
        self.ground.own("gather", &array.kernels)?;
        let mut out = StructuredArray::zeros(kernels, places.len(), array.count);
        self.ground.inside(places, array.len)?;
        kernels.gather(kernels.digits() * array.count, array.words(), out.storage.words_mut(), places);
        Ok(out)
    }

    /// `out[place i] = a[i]`; where a place is named twice, the last one counts. An array of one element is written to
    /// all places.
    ///
    /// # Errors
    /// An array of another engine; elements of another number of coordinates; a place that `out` has not; different
    /// lengths.
    pub fn scatter(&self, out: &mut StructuredArray, places: Places, a: &StructuredArray) -> Result<(), ArrayError> {
        let kernels = &self.ground.kernels;
        self.ground.own("scatter", &out.kernels)?;
        self.ground.own("scatter", &a.kernels)?;
        same_length("scatter", if a.len == 1 { places.len() } else { a.len }, places.len())?;
        if out.count != a.count {
            let why = format!("elements of {} and of {} coordinates", out.count, a.count);
            return Err(ArrayError::kernel("scatter", &self.field.text(), why));
        }
        self.ground.inside(places, out.len)?;
        kernels.scatter(kernels.digits() * out.count, a.words(), out.storage.words_mut(), places, a.len);
        Ok(())
    }
}

/// Length and place; never the elements, which may be secret.
impl fmt::Debug for StructuredArray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "StructuredArray({} of {} coordinates of {})", self.len, self.count, self.kernels.place())
    }
}
