//! Replaces a folder as a whole: the new one is filled beside it, then the two change places in one step.
//!
//! Beside a folder `out` lies, while somebody writes it, `.evariste-out`: whoever holds the lock of that folder is the
//! only writer. In it `new` is filled, exchanged with `out` by one system call, and then, being the old folder,
//! emptied. So `out` is the old folder or the new one at any moment, also when the writer is killed; the next writer
//! finds what is left in `.evariste-out` and clears it up first.
//!
//! Files that are not the package's are in both folders meanwhile (hard links). What cannot be in two places, such as a
//! folder, follows right after the exchange. Nothing is removed but files of a package and second links to files.

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::error::EmitError;
use crate::marker::{MARKER, Marker};

/// How long another writer of the same folder is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// The only writer of a folder, as long as it lives.
pub struct Writer {
    /// The folder that is written, behind no link.
    pub folder: PathBuf,
    staging: PathBuf,
    _lock: File,
}

impl Writer {
    /// Waits until nobody else writes `folder`, which need not exist, and clears up after one that was killed.
    pub fn new(folder: &Path) -> Result<Writer, EmitError> {
        let folder = resolve(folder)?;
        let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
            return Err(EmitError::NotAFolder { path: folder });
        };
        let mut hidden = std::ffi::OsString::from(".evariste-");
        hidden.push(name);
        let staging = parent.join(hidden);
        let lock = lock(&staging)?;
        let writer = Writer { folder, staging, _lock: lock };
        if fs::symlink_metadata(writer.retired()).is_ok() && !writer.folder.exists() {
            // Killed between the two renames of a system that cannot exchange folders.
            rename(&writer.retired(), &writer.folder)?;
        }
        for left in [writer.retired(), writer.fresh()] {
            if fs::symlink_metadata(&left).is_ok() {
                let mut gone = Marker::of_folder(&left).map(|m| m.unedited(&left)).unwrap_or_default();
                gone.extend(Marker::of_folder(&writer.folder).map(|m| m.names()).unwrap_or_default());
                retire(&left, &writer.folder, &gone)?;
            }
        }
        Ok(writer)
    }

    /// Where the new folder is filled, and where the old one lies after an exchange.
    fn fresh(&self) -> PathBuf {
        self.staging.join("new")
    }

    /// Where the old folder lies on a system that cannot exchange folders.
    fn retired(&self) -> PathBuf {
        self.staging.join("old")
    }

    /// Puts these files, and what else the folder holds but for what is `gone`, in the place of the folder. The first
    /// file is the marker, by which the next writer would know the others.
    pub fn write(self, files: &[(&str, &str)], gone: &BTreeSet<String>) -> Result<(), EmitError> {
        let fresh = self.fresh();
        let is_new = !self.folder.exists();
        let prepared = self.fill(files).and_then(|()| if is_new { Ok(()) } else { self.link_others(gone) });
        if prepared.is_err() {
            // Files that were just written, and second links. The first error is the one to report.
            let _ = fs::remove_dir_all(&fresh);
        }
        prepared?;
        if is_new { rename(&fresh, &self.folder) } else { self.exchange(gone) }
    }

    /// Each file is whole or not there: half of one would count as edited, if this is killed.
    fn fill(&self, files: &[(&str, &str)]) -> Result<(), EmitError> {
        let (fresh, half) = (self.fresh(), self.staging.join("half"));
        let failed = |path: &Path, e| EmitError::io(format!("write `{}`", path.display()), e);
        fs::create_dir(&fresh).map_err(|e| failed(&fresh, e))?;
        if let Ok(old) = fs::metadata(&self.folder) {
            fs::set_permissions(&fresh, old.permissions()).map_err(|e| failed(&fresh, e))?;
        }
        files.iter().try_for_each(|(name, text)| {
            let at = fresh.join(name);
            fs::write(&half, text).and_then(|()| fs::rename(&half, &at)).map_err(|e| failed(&at, e))
        })
    }

    /// Second links to what stays. What cannot be linked follows after the exchange.
    fn link_others(&self, gone: &BTreeSet<String>) -> Result<(), EmitError> {
        for entry in entries(&self.folder)? {
            let name = entry.file_name().unwrap_or_default();
            if !gone.contains(&*name.to_string_lossy()) {
                let _ = fs::hard_link(&entry, self.fresh().join(name));
            }
        }
        Ok(())
    }

    fn exchange(&self, gone: &BTreeSet<String>) -> Result<(), EmitError> {
        let (fresh, retired) = (self.fresh(), self.retired());
        let old = match exchange(&fresh, &self.folder) {
            Ok(()) => {
                // Somebody may have put a link in the folder's place a moment ago: it is put back.
                if !is_folder(&fresh) {
                    let _ = exchange(&fresh, &self.folder);
                    return Err(EmitError::NotAFolder { path: self.folder.clone() });
                }
                &fresh
            }
            Err(e) if e.kind() == ErrorKind::Unsupported || e.kind() == ErrorKind::InvalidInput => {
                rename(&self.folder, &retired)?;
                rename(&fresh, &self.folder).inspect_err(|_| {
                    let _ = fs::rename(&retired, &self.folder);
                })?;
                &retired
            }
            Err(source) => return Err(EmitError::Exchange { path: self.folder.clone(), source }),
        };
        retire(old, &self.folder, gone)
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Empty but after a failure, in which case the next writer clears up.
        let _ = fs::remove_dir(&self.staging);
    }
}

/// The folder's absolute path with no link in it. Its parents are made; that the folder itself is a link is an error,
/// since what lies behind it is another place than was named.
fn resolve(folder: &Path) -> Result<PathBuf, EmitError> {
    let failed = |e| EmitError::io(format!("look at `{}`", folder.display()), e);
    match fs::symlink_metadata(folder) {
        Ok(info) if info.is_symlink() => {
            let behind = fs::read_link(folder).map_err(failed)?;
            Err(EmitError::Link { path: folder.to_path_buf(), behind })
        }
        Ok(info) if !info.is_dir() => Err(EmitError::NotAFolder { path: folder.to_path_buf() }),
        Ok(_) => folder.canonicalize().map_err(failed),
        Err(e) if e.kind() == ErrorKind::NotFound => {
            let name = folder.file_name().ok_or_else(|| EmitError::NotAFolder { path: folder.to_path_buf() })?;
            let parent = folder.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let failed = |e| EmitError::io(format!("create `{}`", parent.display()), e);
            fs::create_dir_all(parent).map_err(failed)?;
            Ok(parent.canonicalize().map_err(failed)?.join(name))
        }
        Err(e) => Err(failed(e)),
    }
}

/// Makes the folder where there is none and locks it.
fn lock(staging: &Path) -> Result<File, EmitError> {
    let failed = |e| EmitError::io(format!("write into `{}`", staging.display()), e);
    let start = Instant::now();
    loop {
        match fs::create_dir(staging) {
            Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(failed(e)),
            _ => {}
        }
        let file = match File::open(staging) {
            // The one who held it is done.
            Err(e) if e.kind() == ErrorKind::NotFound => continue,
            other => other.map_err(failed)?,
        };
        let locked = match file.try_lock() {
            Ok(()) => true,
            Err(fs::TryLockError::WouldBlock) => false,
            Err(fs::TryLockError::Error(e)) => return Err(failed(e)),
        };
        match fs::symlink_metadata(staging) {
            Ok(info) if !info.is_dir() || !is_ours(&info) => {
                return Err(EmitError::Foreign { path: staging.to_path_buf() });
            }
            Ok(info) if locked && is_same(&info, &file.metadata().map_err(failed)?) => return Ok(file),
            _ => {}
        }
        if start.elapsed() > PATIENCE {
            return Err(EmitError::Busy { path: staging.to_path_buf() });
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Empties a folder whose place another took, or that was not finished: what is `gone` and second links are removed,
/// all else moves to `folder`.
fn retire(old: &Path, folder: &Path, gone: &BTreeSet<String>) -> Result<(), EmitError> {
    if !is_folder(old) {
        return Err(EmitError::Foreign { path: old.to_path_buf() });
    }
    let mut all = entries(old)?;
    // The marker last: as long as it lies there, the next writer knows what the rest is.
    all.sort_by_key(|entry| entry.ends_with(MARKER));
    for entry in all {
        let name = entry.file_name().unwrap_or_default();
        let at = folder.join(name);
        let info = fs::symlink_metadata(&entry).map_err(|e| EmitError::io(format!("read `{}`", entry.display()), e))?;
        let twice = fs::symlink_metadata(&at).is_ok_and(|other| is_same(&info, &other));
        if !info.is_dir() && (twice || gone.contains(&*name.to_string_lossy())) {
            fs::remove_file(&entry).map_err(|e| EmitError::io(format!("remove `{}`", entry.display()), e))?;
        } else {
            rename(&entry, &at)?;
        }
    }
    fs::remove_dir(old).map_err(|e| EmitError::io(format!("remove `{}`", old.display()), e))
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, EmitError> {
    let listed = || fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>();
    listed().map_err(|e| EmitError::io(format!("read `{}`", folder.display()), e))
}

fn rename(from: &Path, to: &Path) -> Result<(), EmitError> {
    fs::rename(from, to).map_err(|e| EmitError::io(format!("move `{}` to `{}`", from.display(), to.display()), e))
}

/// Is it a folder, and no link to one?
fn is_folder(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|info| info.is_dir())
}

/// Lets two folders change places.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// Are they one file?
#[cfg(unix)]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_same(a: &Metadata, b: &Metadata) -> bool {
    a.is_dir() && b.is_dir()
}

/// Does it belong to the user who runs this?
#[cfg(unix)]
fn is_ours(info: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::uid(info) == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_ours(_: &Metadata) -> bool {
    true
}
