//! The name of a back end, as rankings have it.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::BACKENDS;
use crate::backend::{Apart, Entry};
use crate::table::named;

/// What the code of a candidate is: the back end that made it.
#[derive(Clone, Copy, Debug)]
pub struct Code(&'static Entry);

impl Code {
    /// The back end of that name.
    pub fn named(name: &str) -> Option<Code> {
        named(name).map(Code)
    }

    /// Its line of the table.
    pub fn entry(self) -> &'static Entry {
        self.0
    }

    /// The machine code that packages of it have beside it, for processors that have more.
    pub fn beside(self) -> Option<&'static Apart> {
        self.0.package?.apart
    }

    /// As what that is ranked.
    pub fn apart(self) -> Option<Code> {
        Code::named(self.beside()?.code)
    }

    /// Its place in the table.
    fn place(self) -> Option<usize> {
        BACKENDS.iter().position(|entry| entry.name == self.0.name)
    }
}

impl From<&'static Entry> for Code {
    fn from(entry: &'static Entry) -> Code {
        Code(entry)
    }
}

impl PartialEq for Code {
    fn eq(&self, other: &Code) -> bool {
        self.0.name == other.0.name
    }
}

impl Eq for Code {}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Code) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// In the order of the table.
impl Ord for Code {
    fn cmp(&self, other: &Code) -> std::cmp::Ordering {
        self.place().cmp(&other.place())
    }
}

impl std::hash::Hash for Code {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.name.hash(state);
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.name)
    }
}

impl Serialize for Code {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name)
    }
}

impl<'de> Deserialize<'de> for Code {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Code, D::Error> {
        let name = std::borrow::Cow::<str>::deserialize(deserializer)?;
        Code::named(&name).ok_or_else(|| de::Error::custom(format!("no back end makes `{name}` code")))
    }
}
