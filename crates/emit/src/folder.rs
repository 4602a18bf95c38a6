//! Writing a package into a folder: all of it or nothing, never over files that are not ours.
//!
//! A folder of ours is known by its marker ([`crate::marker`]). What may be written where is decided here; that the
//! folder becomes the new one in one step is the work of [`crate::swap`].

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::error::EmitError;
use crate::marker::{MARKER, Marker, is_plain_name};
use crate::package::File;
use crate::swap::Writer;

/// Writes the files and the marker into `folder`, which is made when it does not exist. `of` says what the package is
/// of: the field's name.
///
/// Without `force` it refuses a folder with files but no marker, one with a package of something else, and one whose
/// own files were edited since. With `force` files of the same name are replaced. Other files are never touched; files
/// of an earlier package that this one lacks are removed, if unedited.
///
/// At any moment the folder is the old one or the new one as a whole, also when the process is killed; of two that
/// write at a time one comes after the other. Nothing outside the folder is touched but `.evariste-FOLDER` beside it
/// while this runs.
///
/// # Errors
/// [`EmitError::BadFileName`] for a path that is no plain name; a folder that is refused, as above; one that cannot be
/// written.
pub fn write_package(folder: &Path, of: &str, files: &[File], force: bool) -> Result<(), EmitError> {
    if let Some(file) = files.iter().find(|f| !is_plain_name(&f.path) || f.path == MARKER) {
        return Err(EmitError::BadFileName { given: file.path.clone() });
    }
    let marker = serde_json::to_string_pretty(&Marker::new(of, files))
        .map_err(|e| EmitError::io("write the marker", e.into()))?
        + "\n";
    let mut all = vec![(MARKER, marker.as_str())];
    all.extend(files.iter().map(|f| (f.path.as_str(), f.text.as_str())));
    let writer = Writer::new(folder)?;
    let mut gone = if writer.folder.exists() { inspect(folder, of, &all, force)? } else { BTreeSet::new() };
    if is_there_already(&writer.folder, &all, &gone) {
        return Ok(());
    }
    gone.extend(all.iter().map(|(name, _)| name.to_string()));
    writer.write(&all, &gone)
}

/// Does the folder hold exactly this package?
fn is_there_already(folder: &Path, all: &[(&str, &str)], present: &BTreeSet<String>) -> bool {
    present.len() == all.len()
        && all.iter().all(|(name, text)| {
            present.contains(*name) && fs::read(folder.join(name)).is_ok_and(|found| found == text.as_bytes())
        })
}

/// The unedited files of the package that lies there; an error when the folder is not ours to write into.
fn inspect(folder: &Path, of: &str, all: &[(&str, &str)], force: bool) -> Result<BTreeSet<String>, EmitError> {
    let foreign = |what: String| EmitError::ForeignFolder { path: folder.to_path_buf(), what };
    let found = |name: &str| fs::symlink_metadata(folder.join(name)).ok();
    if let Some((name, _)) = all.iter().find(|(name, _)| found(name).is_some_and(|info| !info.is_file())) {
        return Err(EmitError::NotAPlainFile { path: folder.join(name) });
    }
    let Some(marker) = Marker::of_folder(folder) else {
        let mut entries = fs::read_dir(folder).map_err(|e| EmitError::io(format!("read `{}`", folder.display()), e))?;
        return if force || entries.next().is_none() {
            Ok(BTreeSet::new())
        } else {
            Err(foreign("files that were not written here".to_string()))
        };
    };
    if !force {
        if let Some(other) = marker.of.as_ref().filter(|other| *other != of) {
            return Err(EmitError::OtherPackage {
                path: folder.to_path_buf(),
                there: other.chars().filter(|c| !c.is_control()).take(80).collect(),
                wanted: of.to_string(),
            });
        }
        let ours = marker.names();
        if let Some((name, _)) = all.iter().find(|(name, _)| !ours.contains(*name) && found(name).is_some()) {
            return Err(foreign(format!("`{name}`, which was not written here")));
        }
        if let Some(name) = ours.iter().find(|name| marker.is_edited(folder, name)) {
            return Err(foreign(format!("`{name}`, which was edited since it was written")));
        }
    }
    Ok(marker.unedited(folder))
}
