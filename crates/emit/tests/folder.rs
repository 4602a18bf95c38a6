//! Packages in folders: all or nothing, never over files of others.

use std::fs;
use std::path::Path;

use evariste_emit::{EmitError, File, MARKER, language, write_package};

fn file(path: &str, text: &str) -> File {
    File { path: path.to_string(), text: text.to_string() }
}

/// Names in a folder, sorted, hidden ones included.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_new_folder_and_its_parents() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("deep/er/out");
    write_package(&folder, &[file("a.c", "int a;\n"), file("sub/b.c", "int b;\n")], false).unwrap();
    assert_eq!(names(&folder), ["a.c", MARKER, "sub"]);
    assert_eq!(fs::read_to_string(folder.join("sub/b.c")).unwrap(), "int b;\n");
    assert_eq!(names(folder.parent().unwrap()), ["out"], "nothing is left beside it");
}

#[test]
fn our_own_folder_is_replaced_and_the_rest_kept() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    write_package(&folder, &[file("a.c", "1"), file("b.c", "1")], false).unwrap();
    fs::write(folder.join("a.o"), "object").unwrap();
    write_package(&folder, &[file("a.c", "2"), file("c.c", "2")], false).unwrap();
    assert_eq!(names(&folder), ["a.c", "a.o", "c.c", MARKER]);
    assert_eq!(fs::read_to_string(folder.join("a.c")).unwrap(), "2");
    let marker = fs::read_to_string(folder.join(MARKER)).unwrap();
    assert!(marker.contains("c.c") && !marker.contains("b.c"));
}

#[test]
fn an_edited_file_of_ours_is_not_lost() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    write_package(&folder, &[file("a.c", "1"), file("b.c", "1")], false).unwrap();
    fs::write(folder.join("b.c"), "mine").unwrap();
    let refused = write_package(&folder, &[file("a.c", "2"), file("b.c", "2")], false).unwrap_err().to_string();
    assert!(
        refused.contains(
            "holds `b.c`, which was edited since it was written\nhelp: choose another folder, or add --force"
        ),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(folder.join("a.c")).unwrap(), "1", "nothing was written");
    write_package(&folder, &[file("a.c", "2"), file("b.c", "2")], true).unwrap();
    assert_eq!(fs::read_to_string(folder.join("b.c")).unwrap(), "2");
    // An edited file that the new package lacks stays, also with force.
    fs::write(folder.join("b.c"), "mine").unwrap();
    write_package(&folder, &[file("a.c", "3")], true).unwrap();
    assert_eq!(fs::read_to_string(folder.join("b.c")).unwrap(), "mine");
}

#[test]
fn foreign_folders_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    write_package(folder, &[file("a.c", "1")], false).expect("an empty folder is taken");
    fs::remove_file(folder.join(MARKER)).unwrap();
    fs::write(folder.join("precious"), "p").unwrap();
    let refused = write_package(folder, &[file("a.c", "2")], false).unwrap_err();
    assert!(matches!(&refused, EmitError::ForeignFolder { .. }), "{refused}");
    assert_eq!(names(folder), ["a.c", "precious"]);
    // A marker that is none does not help.
    for text in ["", "{}", "{\"generator\":\"other\",\"files\":{}}", "[1"] {
        fs::write(folder.join(MARKER), text).unwrap();
        assert!(write_package(folder, &[file("a.c", "2")], false).is_err(), "{text}");
    }
    write_package(folder, &[file("a.c", "2")], true).unwrap();
    assert_eq!(fs::read_to_string(folder.join("a.c")).unwrap(), "2");
    assert_eq!(names(folder), ["a.c", MARKER, "precious"]);
    // Ours now; but a file that we did not write is not overwritten.
    let refused = write_package(folder, &[file("precious", "2")], false).unwrap_err().to_string();
    assert!(refused.contains("holds `precious`, which was not written here"), "{refused}");
}

#[test]
fn a_marker_cannot_reach_outside() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    write_package(&folder, &[file("a.c", "1")], false).unwrap();
    fs::write(place.path().join("victim"), "").unwrap();
    // The hash of an empty file: the entry would be removed if it were believed.
    fs::write(
        folder.join(MARKER),
        "{\"generator\":\"evariste\",\"files\":{\"../victim\":\"cbf29ce484222325\",\"a.c\":\"x\"}}",
    )
    .unwrap();
    write_package(&folder, &[file("a.c", "2")], true).unwrap();
    assert!(place.path().join("victim").exists());
}

#[test]
fn paths_that_cannot_be_written() {
    let place = tempfile::tempdir().unwrap();
    let taken = place.path().join("file");
    fs::write(&taken, "f").unwrap();
    let refused = write_package(&taken, &[file("a.c", "1")], true).unwrap_err().to_string();
    assert!(refused.ends_with("is not a folder\nhelp: choose the path of a folder, which need not exist"), "{refused}");
    let below = write_package(&taken.join("out"), &[file("a.c", "1")], false).unwrap_err().to_string();
    assert!(below.starts_with("cannot "), "{below}");
    assert!(
        write_package(Path::new("/proc/none/out"), &[file("a.c", "1")], false)
            .unwrap_err()
            .to_string()
            .starts_with("cannot create `/proc/none`")
    );
    // A file of the package stands where a folder is: everything goes back.
    let folder = place.path().join("out");
    write_package(&folder, &[file("a.c", "1"), file("z.c", "1")], false).unwrap();
    fs::create_dir_all(folder.join("m")).unwrap();
    let failed = write_package(&folder, &[file("a.c", "2"), file("z.c", "2"), file("z.c/x", "2")], false);
    assert!(failed.is_err());
    assert_eq!(names(&folder), ["a.c", MARKER, "m", "z.c"]);
    assert_eq!(fs::read_to_string(folder.join("a.c")).unwrap(), "1");
}

#[test]
fn languages() {
    assert_eq!(language("C").unwrap().name, "c");
    assert_eq!(language("cobol").unwrap_err().to_string(), "no language `cobol`\nhelp: the languages are c, asm");
}
