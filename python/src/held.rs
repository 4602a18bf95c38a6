//! What an array for Python holds at a moment: all of a run of elements, or a part of what was in one.

use std::ops::Range;
use std::sync::{Arc, PoisonError, RwLock};

use evariste::array::{Array, StructuredArray};

/// A run of elements.
pub trait Run: Clone {
    fn count(&self) -> usize;
}

impl Run for Array {
    fn count(&self) -> usize {
        self.len()
    }
}

impl Run for StructuredArray {
    fn count(&self) -> usize {
        self.len()
    }
}

/// Elements that may be replaced; who computes with them meanwhile has what was there.
pub struct Held<A> {
    array: RwLock<Arc<A>>,
    part: Option<Range<usize>>,
}

/// What is held at a moment.
#[derive(Clone)]
pub struct Now<A> {
    pub array: Arc<A>,
    pub place: Range<usize>,
}

impl<A: Run> Held<A> {
    pub fn new(array: A) -> Held<A> {
        Held { array: RwLock::new(Arc::new(array)), part: None }
    }

    /// A part of what was held at a moment, which is only read.
    pub fn part(now: Now<A>, place: Range<usize>) -> Held<A> {
        Held { array: RwLock::new(now.array), part: Some(place) }
    }

    /// What is in it now.
    pub fn now(&self) -> Now<A> {
        let array = self.array.read().unwrap_or_else(PoisonError::into_inner).clone();
        Now { place: self.part.clone().unwrap_or(0..array.count()), array }
    }

    /// Changes what is in it.
    pub fn change<T>(&self, change: impl FnOnce(&mut A) -> T) -> T {
        change(Arc::make_mut(&mut self.array.write().unwrap_or_else(PoisonError::into_inner)))
    }

    /// Takes over elements, if they are as many; gives those before, if nobody else has them.
    pub fn replace(&self, new: Arc<A>) -> Option<A> {
        let mut array = self.array.write().unwrap_or_else(PoisonError::into_inner);
        if new.count() != array.count() {
            return None;
        }
        Arc::into_inner(std::mem::replace(&mut *array, new))
    }

    /// What is in it, if nobody else has it.
    pub fn alone(&mut self) -> Option<&mut A> {
        Arc::get_mut(self.array.get_mut().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<A: Run> Now<A> {
    pub fn len(&self) -> usize {
        self.place.len()
    }

    /// Is it all of an array?
    pub fn is_whole(&self) -> bool {
        self.place == (0..self.array.count())
    }

    /// A range of these elements, as the array counts them.
    pub fn within(&self, range: Range<usize>) -> Range<usize> {
        self.place.start + range.start..self.place.start + range.end
    }

    /// Does it hold the same elements as another?
    pub fn is(&self, other: &Now<A>) -> bool {
        Arc::ptr_eq(&self.array, &other.array) && self.place == other.place
    }
}
