//! The marker of a package's folder: which files are the package's, and what they held when they were written.
//!
//! Anyone can write a marker. So it is believed of plain files in its own folder only: a name with a `/`, a link or a
//! folder under a listed name never counts as the package's.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path};

use serde::{Deserialize, Serialize};

use crate::package::File;

/// Name of the marker file.
pub const MARKER: &str = "evariste.json";

/// Longest file of a package that is read again.
const LONGEST: u64 = 64 << 20;

/// Contents of the marker.
#[derive(Serialize, Deserialize)]
pub struct Marker {
    generator: String,
    /// What the package is of: a field's name. Markers of the first versions lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// Hash of each file as it was written, by name.
    files: BTreeMap<String, String>,
}

/// 64-bit FNV-1a, enough to notice an edit.
fn hash(text: &[u8]) -> String {
    let h = text.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    format!("{h:016x}")
}

/// Is it the name of a file right in a folder?
pub fn is_plain_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let plain = matches!(parts.next(), Some(Component::Normal(_))) && parts.next().is_none();
    plain && !name.contains(['/', '\\', '\0'])
}

/// The bytes of a plain file; of anything else, links included, an error.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(ErrorKind::InvalidInput.into());
    }
    let mut text = Vec::new();
    fs::File::open(path)?.take(LONGEST).read_to_end(&mut text)?;
    Ok(text)
}

impl Marker {
    /// The marker of a package of `of`.
    pub fn new(of: &str, files: &[File]) -> Marker {
        let files = files.iter().map(|f| (f.path.clone(), hash(f.text.as_bytes()))).collect();
        Marker { generator: "evariste".to_string(), of: Some(of.to_string()), files }
    }

    /// The marker of a folder, if one lies there that can be read.
    pub fn of_folder(folder: &Path) -> Option<Marker> {
        let marker: Marker = serde_json::from_slice(&read(&folder.join(MARKER)).ok()?).ok()?;
        (marker.generator == "evariste").then_some(marker)
    }

    /// The listed files, and the marker.
    pub fn names(&self) -> BTreeSet<String> {
        let listed = self.files.keys().filter(|name| is_plain_name(name)).cloned();
        listed.chain([MARKER.to_string()]).collect()
    }

    /// The listed files that are as they were written, and the marker.
    pub fn unedited(&self, folder: &Path) -> BTreeSet<String> {
        self.names().into_iter().filter(|name| !self.is_edited(folder, name) && folder.join(name).exists()).collect()
    }

    /// Is there a listed file that is not as it was written?
    pub fn is_edited(&self, folder: &Path, name: &str) -> bool {
        let at = folder.join(name);
        match self.files.get(name) {
            Some(written) if fs::symlink_metadata(&at).is_ok() => !read(&at).is_ok_and(|text| hash(&text) == *written),
            _ => false,
        }
    }
}
