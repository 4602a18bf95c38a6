//! All forms, each once: their parts lie one behind the other in one array. **Trusted.**

use std::hash::BuildHasher;

use hashbrown::HashTable;

use super::super::mixer::Build;
use super::{AtomId, Lin};

/// An atom with its coefficient.
pub type Part = (AtomId, i128);

/// The content of a form: parts sorted by atom, no coefficient 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Linear<'a> {
    /// Constant part.
    pub constant: i128,
    /// Atoms with their coefficients.
    pub parts: &'a [Part],
}

/// A form's constant part, and where its parts lie.
struct Row {
    constant: i128,
    begin: usize,
    end: usize,
}

/// The table.
pub struct Forms {
    rows: Vec<Row>,
    parts: Vec<Part>,
    /// Forms by their hash, which is kept beside them.
    numbers: HashTable<(u64, Lin)>,
    /// The most parts of all forms together.
    most_parts: usize,
}

impl Forms {
    /// An empty table.
    pub fn new(most_parts: usize) -> Forms {
        Forms { rows: Vec::new(), parts: Vec::new(), numbers: HashTable::new(), most_parts }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.rows.len()
    }

    /// The content of a form.
    pub fn get(&self, l: Lin) -> Linear<'_> {
        let Row { constant, begin, end } = self.rows[l.0 as usize];
        Linear { constant, parts: &self.parts[begin..end] }
    }

    /// The number of a form, where it has one.
    pub fn find(&self, form: Linear) -> Option<Lin> {
        self.find_hashed(Build::default().hash_one(form), form)
    }

    fn find_hashed(&self, hash: u64, form: Linear) -> Option<Lin> {
        self.numbers.find(hash, |(other, l)| *other == hash && self.get(*l) == form).map(|(_, l)| *l)
    }

    /// The number of a form, a new one where it has none.
    ///
    /// # Errors
    /// There is no room for it.
    pub fn intern(&mut self, form: Linear) -> Result<Lin, &'static str> {
        let hash = Build::default().hash_one(form);
        if let Some(l) = self.find_hashed(hash, form) {
            return Ok(l);
        }
        let begin = self.parts.len();
        let end = begin + form.parts.len();
        if end > self.most_parts {
            return Err("the forms are too long");
        }
        let l = Lin(u32::try_from(self.rows.len()).map_err(|_| "there are too many forms")?);
        self.parts.extend_from_slice(form.parts);
        self.rows.push(Row { constant: form.constant, begin, end });
        self.numbers.insert_unique(hash, (hash, l), |(hash, _)| *hash);
        Ok(l)
    }
}
