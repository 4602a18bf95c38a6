//! Writing a package into a folder: all of it or nothing, never over files that are not ours.
//!
//! A folder of ours is known by its marker, `evariste.json`, which lists the files that were written and a hash of
//! each. A new folder is written beside its place and renamed. In a folder that exists, everything is first written
//! into a hidden folder inside it and then moved, file by file, the old ones being kept until all have arrived; on any
//! failure they go back.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::EmitError;
use crate::package::File;

/// Name of the marker file.
pub const MARKER: &str = "evariste.json";

/// Contents of the marker.
#[derive(Serialize, Deserialize)]
struct Marker {
    generator: String,
    /// Hash of each file as it was written, by relative path.
    files: BTreeMap<String, String>,
}

/// 64-bit FNV-1a, enough to notice an edit.
fn hash(text: &[u8]) -> String {
    let h = text.iter().fold(0xcbf2_9ce4_8422_2325u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3));
    format!("{h:016x}")
}

/// Writes the files and the marker into `folder`, which is made when it does not exist.
///
/// Without `force` it refuses a folder with files but no marker, and one whose own files were edited since. With
/// `force` files of the same name are replaced. Other files are never touched; files of an earlier package that this
/// one lacks are removed, if unedited.
pub fn write_package(folder: &Path, files: &[File], force: bool) -> Result<(), EmitError> {
    let mut all: BTreeMap<String, &str> = files.iter().map(|f| (f.path.clone(), f.text.as_str())).collect();
    let hashes = files.iter().map(|f| (f.path.clone(), hash(f.text.as_bytes()))).collect();
    let marker = Marker { generator: "evariste".to_string(), files: hashes };
    let marker = serde_json::to_string_pretty(&marker).map_err(|e| EmitError::io("write the marker", e.into()))? + "\n";
    all.insert(MARKER.to_string(), &marker);
    match fs::metadata(folder) {
        Ok(info) if info.is_dir() => {
            let old = inspect(folder, &all, force)?;
            replace(folder, &all, &old)
        }
        Ok(_) => Err(EmitError::NotAFolder { path: folder.to_path_buf() }),
        Err(e) if e.kind() == ErrorKind::NotFound => create(folder, &all),
        Err(e) => Err(EmitError::io(format!("look at `{}`", folder.display()), e)),
    }
}

/// Makes a new folder beside its place and renames it.
fn create(folder: &Path, files: &BTreeMap<String, &str>) -> Result<(), EmitError> {
    let name = folder.file_name().ok_or_else(|| EmitError::NotAFolder { path: folder.to_path_buf() })?;
    let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent).map_err(|e| EmitError::io(format!("create `{}`", parent.display()), e))?;
    let staging = staging(parent)?;
    // A folder inside, so that the new one has usual permissions and not a temporary folder's.
    let inside = staging.path().join(name);
    fs::create_dir(&inside).map_err(|e| EmitError::io(format!("create `{}`", inside.display()), e))?;
    fill(&inside, files)?;
    fs::rename(&inside, folder).map_err(|e| EmitError::io(format!("create `{}`", folder.display()), e))
}

/// A hidden folder that is removed when it is dropped.
fn staging(parent: &Path) -> Result<tempfile::TempDir, EmitError> {
    let made = tempfile::Builder::new().prefix(".evariste-").tempdir_in(parent);
    made.map_err(|e| EmitError::io(format!("write into `{}`", parent.display()), e))
}

fn fill(folder: &Path, files: &BTreeMap<String, &str>) -> Result<(), EmitError> {
    for (path, text) in files {
        let at = folder.join(path);
        let write = || {
            if let Some(parent) = at.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::write(&at, text)
        };
        write().map_err(|e| EmitError::io(format!("write `{}`", at.display()), e))?;
    }
    Ok(())
}

/// The unedited files of the package that lies there; an error when the folder is not ours to write into.
fn inspect(folder: &Path, files: &BTreeMap<String, &str>, force: bool) -> Result<Vec<String>, EmitError> {
    let foreign = |what: String| EmitError::ForeignFolder { path: folder.to_path_buf(), what };
    let marker = fs::read(folder.join(MARKER)).ok().and_then(|text| serde_json::from_slice::<Marker>(&text).ok());
    let Some(marker) = marker.filter(|m| m.generator == "evariste") else {
        let mut entries = fs::read_dir(folder).map_err(|e| EmitError::io(format!("read `{}`", folder.display()), e))?;
        return if force || entries.next().is_none() {
            Ok(vec![])
        } else {
            Err(foreign("files that were not written here".to_string()))
        };
    };
    let strange = |path: &&String| {
        path.as_str() != MARKER && !marker.files.contains_key(*path) && fs::symlink_metadata(folder.join(path)).is_ok()
    };
    if let Some(path) = files.keys().find(strange).filter(|_| !force) {
        return Err(foreign(format!("`{path}`, which was not written here")));
    }
    let mut unedited = Vec::new();
    for (path, written) in marker.files {
        // The marker is a file that anyone can write: only plain paths inside the folder are believed.
        if Path::new(&path).components().any(|c| !matches!(c, std::path::Component::Normal(_))) {
            continue;
        }
        match fs::read(folder.join(&path)) {
            Ok(text) if hash(&text) == written => unedited.push(path),
            Ok(_) if !force => return Err(foreign(format!("`{path}`, which was edited since it was written"))),
            _ => {}
        }
    }
    Ok(unedited)
}

/// Replaces the package in a folder: files of `old` that are not in `files` go.
fn replace(folder: &Path, files: &BTreeMap<String, &str>, old: &[String]) -> Result<(), EmitError> {
    let staging = staging(folder)?;
    let (new, kept) = (staging.path().join("new"), staging.path().join("old"));
    fill(&new, files)?;
    let mut undo: Vec<(PathBuf, Option<PathBuf>)> = Vec::new();
    let mut moved = || -> Result<(), EmitError> {
        let paths: BTreeSet<&String> = old.iter().chain(files.keys()).collect();
        for path in paths {
            let (target, keep) = (folder.join(path), kept.join(path));
            let failed = |e| EmitError::io(format!("replace `{}`", target.display()), e);
            if let Some(parent) = keep.parent() {
                fs::create_dir_all(parent).map_err(failed)?;
            }
            if fs::symlink_metadata(&target).is_ok() {
                fs::rename(&target, &keep).map_err(failed)?;
                undo.push((target.clone(), Some(keep)));
            }
            if files.contains_key(path) {
                if let Some(parent) = target.parent() {
                    fs::create_dir_all(parent).map_err(failed)?;
                }
                fs::rename(new.join(path), &target).map_err(failed)?;
                undo.push((target, None));
            }
        }
        Ok(())
    };
    let outcome = moved();
    if outcome.is_err() {
        for (target, keep) in undo.into_iter().rev() {
            // What cannot be put back stays where it is; the first error is the one to report.
            let _ = match keep {
                Some(keep) => fs::rename(keep, target),
                None => fs::remove_file(target),
            };
        }
    }
    outcome
}
