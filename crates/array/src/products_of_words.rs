//! How products of numbers in ordinary words are computed: what whoever asks is told.

use std::fmt;

use crate::engine::Engine;
use crate::error::ArrayError;
use crate::one_by_one::WordStep;

/// How products of numbers in ordinary words are computed, and at which lengths.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProductsOfWords {
    /// The plan by which numbers are multiplied one by one as they lie; `None`: there is no such code.
    pub one_by_one: Option<String>,
    /// Plan and shape of the code that brings words to lanes and back; `None`: there is no such code.
    pub lanes: Option<String>,
    /// From how many elements on lanes are what runs; `None`: at no length.
    pub lanes_from: Option<usize>,
    /// Are they what runs of arrays beyond the caches? `None`: that is measured at the first product of such.
    pub lanes_beyond_caches: Option<bool>,
}

impl fmt::Display for ProductsOfWords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lanes, one_by_one) = (self.lanes.as_deref().unwrap_or_default(), self.one_by_one.as_deref());
        let beyond = if self.lanes_beyond_caches == Some(false) { " and beyond the caches" } else { "" };
        match (self.lanes_from, one_by_one) {
            (None, Some(plan)) => write!(f, "one by one: {plan}"),
            (Some(from), Some(plan)) if from > 1 || !beyond.is_empty() => {
                write!(f, "below {from} elements{beyond} one by one: {plan}; else {lanes}")
            }
            _ => f.write_str(lanes),
        }
    }
}

impl Engine {
    /// How products of numbers in ordinary words are computed, those of [`Engine::mul_words_into`] or, in `montgomery`
    /// form, those of [`Engine::mul_montgomery_words_into`]: both ways are timed unless a product was asked for before.
    ///
    /// # Errors
    /// Neither way has code.
    pub fn products_of_words(&self, montgomery: bool) -> Result<ProductsOfWords, ArrayError> {
        self.products_of_factors(montgomery, 2)
    }

    /// The same of so many factors.
    ///
    /// # Errors
    /// As [`Engine::products_of_words`].
    pub fn products_of_factors(&self, montgomery: bool, factors: usize) -> Result<ProductsOfWords, ArrayError> {
        let step = if montgomery { WordStep::MontgomeryProduct } else { WordStep::Product };
        if montgomery && self.kernels.binary().is_some() {
            return Err(self.no_montgomery_form(step));
        }
        let lanes = self.kernels.code(&self.in_lanes_by(step)).map(|code| code.description.clone());
        let Some(single) = self.kernels.one_by_one(step, self.trusts) else {
            return lanes.map(|lanes| ProductsOfWords {
                one_by_one: None,
                lanes: Some(lanes),
                lanes_from: Some(1),
                lanes_beyond_caches: Some(true),
            });
        };
        let lanes_from = match self.lanes_from(step, single, factors) {
            // Lanes cannot, and say why.
            0 => return Err(lanes.err().unwrap_or_else(|| self.no_montgomery_form(step))),
            usize::MAX => None,
            from => Some(from),
        };
        let beyond = single.lengths(factors).lanes_beyond.get().copied();
        let lanes_beyond_caches = if lanes_from.is_some() { beyond } else { Some(false) };
        let one_by_one = Some(single.plan(factors).to_string());
        Ok(ProductsOfWords { one_by_one, lanes: lanes.ok(), lanes_from, lanes_beyond_caches })
    }
}
