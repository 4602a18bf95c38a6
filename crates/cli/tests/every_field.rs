//! A package of every named field in every language builds without a warning and passes its test, or is refused with a
//! help line: one field a language each day, all of them with `EVARISTE_FULL=1`.

use std::process::Command;

use crate::common::{Place, compiler};

/// The names in a listing.
fn listed(place: &Place, what: &str) -> Vec<String> {
    let answer = place.run(&["list", what, "--json"]).ended(0).json();
    let list = answer[what].as_array().cloned().unwrap_or_default();
    let name = |entry: &serde_json::Value| entry["name"].as_str().or(entry.as_str()).map(String::from);
    list.iter().filter_map(name).collect()
}

#[test]
fn named_fields_build_in_every_language() {
    let place = Place::new();
    if !compiler() {
        return;
    }
    let (fields, languages) = (listed(&place, "fields"), listed(&place, "languages"));
    assert!(fields.len() >= 28 && languages.len() >= 4, "{fields:?} {languages:?}");
    let all = languages.iter().flat_map(|l| fields.iter().map(move |f| (f, l))).collect();
    let mut built = 0;
    for (field, language) in evariste_testing::sample("named fields", all, usize::MAX, |(_, language)| *language) {
        let run = place.run(&["emit", field, "--lang", language, "-o", "out", "--force"]);
        if run.code == Some(1) {
            assert!(run.err.contains("\nhelp: "), "{field} in {language}: {}", run.err);
            continue;
        }
        run.ok();
        let make = |target: &str| {
            let arguments = ["-s", "-C", "out", "CFLAGS=-O1 -Werror", target];
            let output = Command::new("make").args(arguments).current_dir(place.path("")).output().expect("make");
            let told = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && !told.contains("warning"), "{field} in {language}: {told}");
            told
        };
        make("clean");
        assert!(make("test").contains(" checks, 0 failures"), "{field} in {language}");
        built += 1;
    }
    assert!(built > 0);
}
