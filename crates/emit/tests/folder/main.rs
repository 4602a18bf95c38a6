//! Packages in folders: all or nothing, never over files of others.

#[cfg(unix)]
mod hostile;
mod writers;

use std::fs;
use std::path::Path;

use evariste_emit::{EmitError, File, LANGUAGES, MARKER, language, write_package};

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
    write_package(&folder, "p", &[file("a.c", "int a;\n"), file("b.c", "int b;\n")], false).unwrap();
    assert_eq!(names(&folder), ["a.c", "b.c", MARKER]);
    assert_eq!(fs::read_to_string(folder.join("b.c")).unwrap(), "int b;\n");
    assert_eq!(names(folder.parent().unwrap()), ["out"], "nothing is left beside it");
}

#[test]
fn our_own_folder_is_replaced_and_the_rest_kept() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    write_package(&folder, "p", &[file("a.c", "1"), file("b.c", "1")], false).unwrap();
    fs::write(folder.join("a.o"), "object").unwrap();
    write_package(&folder, "p", &[file("a.c", "2"), file("c.c", "2")], false).unwrap();
    assert_eq!(names(&folder), ["a.c", "a.o", "c.c", MARKER]);
    assert_eq!(fs::read_to_string(folder.join("a.c")).unwrap(), "2");
    let marker = fs::read_to_string(folder.join(MARKER)).unwrap();
    assert!(marker.contains("c.c") && !marker.contains("b.c"));
}

#[test]
fn an_edited_file_of_ours_is_not_lost() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    write_package(&folder, "p", &[file("a.c", "1"), file("b.c", "1")], false).unwrap();
    fs::write(folder.join("b.c"), "mine").unwrap();
    let refused = write_package(&folder, "p", &[file("a.c", "2"), file("b.c", "2")], false).unwrap_err().to_string();
    assert!(
        refused.contains(
            "holds `b.c`, which was edited since it was written\nhelp: choose another folder, or add --force"
        ),
        "{refused}"
    );
    assert_eq!(fs::read_to_string(folder.join("a.c")).unwrap(), "1", "nothing was written");
    write_package(&folder, "p", &[file("a.c", "2"), file("b.c", "2")], true).unwrap();
    assert_eq!(fs::read_to_string(folder.join("b.c")).unwrap(), "2");
    // An edited file that the new package lacks stays, also with force.
    fs::write(folder.join("b.c"), "mine").unwrap();
    write_package(&folder, "p", &[file("a.c", "3")], true).unwrap();
    assert_eq!(fs::read_to_string(folder.join("b.c")).unwrap(), "mine");
}

#[test]
fn foreign_folders_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path();
    write_package(folder, "p", &[file("a.c", "1")], false).expect("an empty folder is taken");
    fs::remove_file(folder.join(MARKER)).unwrap();
    fs::write(folder.join("precious"), "p").unwrap();
    let refused = write_package(folder, "p", &[file("a.c", "2")], false).unwrap_err();
    assert!(matches!(&refused, EmitError::ForeignFolder { .. }), "{refused}");
    assert_eq!(names(folder), ["a.c", "precious"]);
    // A marker that is none does not help.
    for text in ["", "{}", "{\"generator\":\"other\",\"files\":{}}", "[1"] {
        fs::write(folder.join(MARKER), text).unwrap();
        assert!(write_package(folder, "p", &[file("a.c", "2")], false).is_err(), "{text}");
    }
    write_package(folder, "p", &[file("a.c", "2")], true).unwrap();
    assert_eq!(fs::read_to_string(folder.join("a.c")).unwrap(), "2");
    assert_eq!(names(folder), ["a.c", MARKER, "precious"]);
    // Ours now; but a file that we did not write is not overwritten.
    let refused = write_package(folder, "p", &[file("precious", "2")], false).unwrap_err().to_string();
    assert!(refused.contains("holds `precious`, which was not written here"), "{refused}");
}

#[test]
fn a_marker_cannot_reach_outside() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    write_package(&folder, "p", &[file("a.c", "1")], false).unwrap();
    fs::write(place.path().join("victim"), "").unwrap();
    // The hash of an empty file: the entry would be removed if it were believed.
    fs::write(
        folder.join(MARKER),
        "{\"generator\":\"evariste\",\"files\":{\"../victim\":\"cbf29ce484222325\",\"a.c\":\"x\"}}",
    )
    .unwrap();
    write_package(&folder, "p", &[file("a.c", "2")], true).unwrap();
    assert!(place.path().join("victim").exists());
}

#[test]
fn paths_that_cannot_be_written() {
    let place = tempfile::tempdir().unwrap();
    let taken = place.path().join("file");
    fs::write(&taken, "f").unwrap();
    let refused = write_package(&taken, "p", &[file("a.c", "1")], true).unwrap_err().to_string();
    assert!(refused.ends_with("is not a folder\nhelp: choose the path of a folder, which need not exist"), "{refused}");
    let below = write_package(&taken.join("out"), "p", &[file("a.c", "1")], false).unwrap_err().to_string();
    assert!(below.starts_with("cannot "), "{below}");
    assert!(
        write_package(Path::new("/proc/none/out"), "p", &[file("a.c", "1")], false)
            .unwrap_err()
            .to_string()
            .starts_with("cannot create `/proc/none`")
    );
    for name in ["", "a/b", "/a", "..", "../a", ".", MARKER] {
        let refused = write_package(&place.path().join("out"), "p", &[file(name, "1")], false).unwrap_err().to_string();
        assert!(refused.starts_with(&format!("a file of a package cannot be called `{name}`")), "{refused}");
    }
    assert_eq!(names(place.path()), ["file"], "nothing is left");
}

#[test]
fn folders_pipes_and_other_files_of_the_user_stay() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    write_package(&folder, "p", &[file("a.c", "1"), file("z.c", "1")], false).unwrap();
    fs::create_dir_all(folder.join("build/deep")).unwrap();
    fs::write(folder.join("build/deep/o"), "object").unwrap();
    write_package(&folder, "p", &[file("a.c", "2")], false).unwrap();
    assert_eq!(names(&folder), ["a.c", "build", MARKER]);
    assert_eq!(fs::read_to_string(folder.join("build/deep/o")).unwrap(), "object");
    // A folder under the name of a file of the package is not taken away, whatever is asked for.
    for force in [false, true] {
        let refused = write_package(&folder, "p", &[file("build", "3")], force).unwrap_err().to_string();
        assert!(refused.contains("is not a plain file, and the package has a file of this name"), "{refused}");
    }
    assert_eq!(names(&folder), ["a.c", "build", MARKER]);
    assert_eq!(names(place.path()), ["out"], "nothing is left beside it");
}

#[test]
fn what_is_there_already_is_not_written_again() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    let files = [file("a.c", "1"), file("b.c", "1")];
    write_package(&folder, "p", &files, false).unwrap();
    let time = || fs::metadata(folder.join("a.c")).unwrap().modified().unwrap();
    let before = time();
    write_package(&folder, "p", &files, false).unwrap();
    assert_eq!(time(), before);
    fs::remove_file(folder.join("b.c")).unwrap();
    write_package(&folder, "p", &files, false).unwrap();
    assert_eq!(names(&folder), ["a.c", "b.c", MARKER]);
}

#[test]
fn a_package_of_another_field_is_not_replaced() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("out");
    write_package(&folder, "p256", &[file("p256.c", "1")], false).unwrap();
    let refused = write_package(&folder, "2^127 - 1", &[file("f.c", "1")], false).unwrap_err().to_string();
    let other = place.path().join("2_127_-_1");
    let wanted = format!(
        "`{}` holds a package of p256\nhelp: choose another folder, such as -o {}, or add --force to replace it by one of 2^127 - 1",
        folder.display(),
        other.display()
    );
    assert_eq!(refused, wanted);
    assert_eq!(names(&folder), [MARKER, "p256.c"]);
    write_package(&folder, "2^127 - 1", &[file("f.c", "1")], true).unwrap();
    assert_eq!(names(&folder), [MARKER, "f.c"]);
}

#[test]
fn languages() {
    assert_eq!(language("C").unwrap().name, "c");
    let names: Vec<&str> = LANGUAGES.iter().map(|l| l.name).collect();
    assert_eq!(
        language("cobol").unwrap_err().to_string(),
        format!("no language `cobol`\nhelp: the languages are {}", names.join(", "))
    );
}
