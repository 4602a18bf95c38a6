//! A described structure, whatever its kind.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

use crate::Structure;

/// What a description means: a [`Structure`], cheap to clone. Two are equal when their descriptions are.
#[derive(Clone)]
pub struct Field(Arc<dyn Structure>);

impl Field {
    /// The field of a structure.
    pub fn new(structure: impl Structure) -> Field {
        Field(Arc::new(structure))
    }

    /// The name as an identifier of C and most other languages: `p256`, `f25519`, `f2e127m1`, `int256`, `gf2_131_onb2`.
    pub fn identifier(&self) -> String {
        let name = self.name();
        let mut identifier = String::new();
        // In a name `-` joins words; in an expression it is a sign.
        let expression = name.contains('^');
        for c in name.chars() {
            match c {
                '-' if expression => identifier.push('m'),
                '+' => identifier.push('p'),
                '^' => identifier.push('e'),
                c if c.is_ascii_alphanumeric() => identifier.push(c),
                '-' => identifier.push('_'),
                _ => {}
            }
        }
        if identifier.starts_with(|c: char| c.is_ascii_digit()) {
            identifier.insert(0, 'f');
        }
        identifier
    }
}

impl Deref for Field {
    type Target = dyn Structure;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl PartialEq for Field {
    fn eq(&self, other: &Field) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.text() == other.text()
    }
}

impl Eq for Field {}

impl Hash for Field {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text().hash(state);
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
