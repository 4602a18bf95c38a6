//! Writing a page: whole or not at all.

use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};

/// Could a page be written there? Asked before long work; [`write()`] may still fail.
///
/// # Errors
/// The path is a folder, or its folder does not exist.
pub fn check(path: &Path) -> Result<()> {
    if path.is_dir() {
        return Err(Error::new(ErrorKind::IsADirectory, "it is a folder"));
    }
    let folder = folder(path);
    if path.file_name().is_none() || !folder.is_dir() {
        return Err(Error::new(ErrorKind::NotFound, format!("there is no folder `{}`", folder.display())));
    }
    Ok(())
}

/// Writes a text beside the path, then renames it over what is there. What is no plain file (a pipe, a device) is
/// written to.
///
/// # Errors
/// Those of [`check`], and the system's. What was there before is then still there.
pub fn write(path: &Path, text: &str) -> Result<()> {
    check(path)?;
    // Behind a link lies the file that is meant.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    if path.exists() && !path.is_file() {
        return std::fs::OpenOptions::new().write(true).open(&path)?.write_all(text.as_bytes());
    }
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.prefix(".report-").tempfile_in(folder(&path))?;
    file.write_all(text.as_bytes())?;
    file.persist(&path).map_err(|e| e.error)?;
    Ok(())
}

fn folder(path: &Path) -> PathBuf {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_path_buf()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_written_whole_or_left_as_it_was() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().join("a.html");
        write(&path, "one").expect("written");
        write(&path, "two").expect("written over");
        assert_eq!(std::fs::read_to_string(&path).expect("read"), "two");
        assert_eq!(write(&place.path().join("none/a.html"), "x").map_err(|e| e.kind()), Err(ErrorKind::NotFound));
        assert_eq!(write(place.path(), "x").map_err(|e| e.kind()), Err(ErrorKind::IsADirectory));
        assert_eq!(std::fs::read_dir(place.path()).expect("a folder").count(), 1, "nothing is left behind");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let place = tempfile::tempdir().expect("a folder");
        let (file, link, plain) =
            (place.path().join("a.html"), place.path().join("b.html"), place.path().join("plain"));
        write(&file, "one").expect("written");
        symlink(&file, &link).expect("a link");
        write(&link, "two").expect("written through the link");
        assert!(link.is_symlink() && std::fs::read_to_string(&file).expect("read") == "two");
        std::fs::write(&plain, "").expect("written");
        let mode = |path: &Path| std::fs::metadata(path).expect("there").permissions().mode();
        assert_eq!(mode(&file), mode(&plain));
    }
}
