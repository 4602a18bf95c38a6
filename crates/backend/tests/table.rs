//! The table of back ends.

use evariste_backend::{BACKENDS, Code, Kind, machine, named, packaged};

#[test]
fn every_line_is_found_by_its_name_alone() {
    for (i, entry) in BACKENDS.iter().enumerate() {
        assert!(named(entry.name).is_some_and(|found| std::ptr::eq(found, *entry)), "{}", entry.name);
        assert!(BACKENDS[..i].iter().all(|other| other.name != entry.name), "{} stands twice", entry.name);
        if let Ok(backend) = (entry.find)(None) {
            assert_eq!(backend.entry().name, entry.name);
        }
    }
    assert!(named("abacus").is_none());
}

#[test]
fn rankings_keep_the_names_of_back_ends() {
    for entry in BACKENDS {
        let text = serde_json::to_string(&Code::from(*entry)).expect("it is text");
        assert_eq!(text, format!("\"{}\"", entry.name));
        assert_eq!(serde_json::from_str::<Code>(&text).expect("it is read back"), Code::from(*entry));
    }
    assert!(serde_json::from_str::<Code>("\"abacus\"").is_err());
    // Names that rankings of earlier versions have.
    assert!(["c", "x86-64", "avx-128", "avx2", "avx-512"].into_iter().all(|name| Code::named(name).is_some()));
}

#[test]
fn there_is_a_table_for_bounds_and_assembly_for_packages() {
    assert_eq!(machine().kind, Kind::Scalar);
    assert!(packaged().1.known_sets.contains(&packaged().1.sets));
}
