//! Folders that somebody prepared: nothing outside them is read, written or removed.
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use evariste_emit::{EmitError, File, MARKER, write_package};

fn file(path: &str, text: &str) -> File {
    File { path: path.to_string(), text: text.to_string() }
}

/// Every path below a folder with what lies there, links not followed.
fn tree(folder: &Path) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(at) = open.pop() {
        for entry in fs::read_dir(&at).unwrap() {
            let path = entry.unwrap().path();
            let info = fs::symlink_metadata(&path).unwrap();
            let what = if info.is_symlink() {
                format!("link to {}", fs::read_link(&path).unwrap().display())
            } else if info.is_dir() {
                open.push(path.clone());
                "folder".to_string()
            } else {
                fs::read_to_string(&path).unwrap()
            };
            all.push((path.strip_prefix(folder).unwrap().display().to_string(), what));
        }
    }
    all.sort();
    all
}

/// The hash of the text `mine`, as a marker has it.
const MINE: &str = "da4e15a2a78ede96";

/// A marker that lists these names, each with the right hash of what lies behind it.
fn marker(names: &[&str]) -> String {
    let files: Vec<String> = names.iter().map(|name| format!("\"{name}\": \"{MINE}\"")).collect();
    format!("{{\"generator\": \"evariste\", \"files\": {{{}}}}}", files.join(", "))
}

#[test]
fn the_hash_is_right() {
    let place = tempfile::tempdir().unwrap();
    write_package(&place.path().join("out"), "p", &[file("a", "mine")], false).unwrap();
    assert!(fs::read_to_string(place.path().join("out").join(MARKER)).unwrap().contains(MINE));
}

#[test]
fn markers_and_links_reach_nothing_outside() {
    for force in [false, true] {
        let place = tempfile::tempdir().unwrap();
        let (outside, folder) = (place.path().join("outside"), place.path().join("out"));
        fs::create_dir_all(&outside).unwrap();
        fs::write(outside.join("file.txt"), "mine").unwrap();
        fs::create_dir_all(folder.join("sub")).unwrap();
        fs::write(folder.join("sub/file.txt"), "mine").unwrap();
        symlink(&outside, folder.join("link")).unwrap();
        symlink(outside.join("file.txt"), folder.join("file.txt")).unwrap();
        let absolute = outside.join("file.txt").display().to_string();
        let listed = [
            "link/file.txt",
            "sub/file.txt",
            "../outside/file.txt",
            "file.txt",
            "link",
            "sub",
            "..",
            ".",
            "",
            &absolute,
        ];
        fs::write(folder.join(MARKER), marker(&listed)).unwrap();
        let before = (tree(&outside), tree(&folder.join("sub")));
        // Without force the link under a listed name counts as an edit.
        let outcome = write_package(&folder, "p", &[file("a.c", "new")], force);
        assert_eq!(outcome.is_ok(), force);
        assert_eq!(before, (tree(&outside), tree(&folder.join("sub"))));
        assert!(folder.join("link").is_symlink() && folder.join("file.txt").is_symlink());
        // A link where a file of the package would be.
        let refused = write_package(&folder, "p", &[file("file.txt", "new")], force).unwrap_err();
        assert!(matches!(refused, EmitError::NotAPlainFile { .. }), "{refused}");
        assert_eq!(before, (tree(&outside), tree(&folder.join("sub"))));
    }
}

#[test]
fn the_folder_itself_and_its_marker_may_be_links() {
    let place = tempfile::tempdir().unwrap();
    let real = place.path().join("real");
    write_package(&real, "p", &[file("a.c", "1")], false).unwrap();
    let before = tree(&real);
    let link = place.path().join("link");
    symlink(&real, &link).unwrap();
    let refused = write_package(&link, "p", &[file("a.c", "2")], true).unwrap_err().to_string();
    assert_eq!(
        refused,
        format!("`{}` is a link to `{}`\nhelp: name the folder itself", link.display(), real.display())
    );
    assert_eq!(before, tree(&real));
    // A link in the place of the marker: not believed, not followed, not replaced.
    let folder = place.path().join("out");
    fs::create_dir(&folder).unwrap();
    symlink(real.join(MARKER), folder.join(MARKER)).unwrap();
    for force in [false, true] {
        assert!(write_package(&folder, "p", &[file("a.c", "2")], force).is_err());
    }
    assert_eq!(before, tree(&real));
    // A parent that is a link is where the user wants it.
    fs::create_dir(real.join("sub")).unwrap();
    write_package(&link.join("sub/out"), "p", &[file("a.c", "2")], false).unwrap();
    assert_eq!(fs::read_to_string(real.join("sub/out/a.c")).unwrap(), "2");
}

#[test]
fn a_prepared_place_beside_the_folder() {
    let place = tempfile::tempdir().unwrap();
    let (outside, folder, hidden) =
        (place.path().join("outside"), place.path().join("out"), place.path().join(".evariste-out"));
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("file.txt"), "mine").unwrap();
    fs::write(outside.join(MARKER), marker(&["file.txt"])).unwrap();
    write_package(&folder, "p", &[file("a.c", "1")], false).unwrap();
    let before = tree(&outside);
    // It is a link, or a file, or what an interrupted writer leaves is a link.
    symlink(&outside, &hidden).unwrap();
    assert!(matches!(write_package(&folder, "p", &[file("a.c", "2")], true), Err(EmitError::Foreign { .. })));
    fs::remove_file(&hidden).unwrap();
    fs::write(&hidden, "").unwrap();
    assert!(matches!(write_package(&folder, "p", &[file("a.c", "2")], true), Err(EmitError::Foreign { .. })));
    fs::remove_file(&hidden).unwrap();
    for name in ["new", "old"] {
        fs::create_dir(&hidden).unwrap();
        symlink(&outside, hidden.join(name)).unwrap();
        assert!(matches!(write_package(&folder, "p", &[file("a.c", "2")], true), Err(EmitError::Foreign { .. })));
        fs::remove_dir_all(&hidden).unwrap();
    }
    assert_eq!(before, tree(&outside));
    assert_eq!(fs::read_to_string(folder.join("a.c")).unwrap(), "1");
    // Somebody's files in such a place are put into the folder rather than lost.
    fs::create_dir_all(hidden.join("new")).unwrap();
    fs::write(hidden.join("new/precious"), "mine").unwrap();
    write_package(&folder, "p", &[file("a.c", "2")], false).unwrap();
    assert_eq!(fs::read_to_string(folder.join("precious")).unwrap(), "mine");
    assert!(!hidden.exists());
}
