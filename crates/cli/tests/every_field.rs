//! A package of every named field in every language builds without a warning and passes its test, or is refused with a
//! help line: one field in a third of the languages each day, all of them with `EVARISTE_FULL=1`.

use evariste::{LANGUAGES, Language};

use crate::common::{Place, can_test, own_test};

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
    let (fields, names) = (listed(&place, "fields"), listed(&place, "languages"));
    let languages: Vec<&Language> = names.iter().filter_map(|name| evariste::language(name).ok()).collect();
    assert!(fields.len() >= 28 && names.len() == LANGUAGES.len() && languages.len() == names.len(), "{names:?}");
    let can: Vec<&Language> = languages.into_iter().filter(|language| can_test(language)).collect();
    let mut built = 0;
    let languages = evariste_testing::sample("languages of named fields", can.clone(), 3, |_| ());
    let all = languages.iter().flat_map(|l| fields.iter().map(move |f| (f, *l))).collect();
    for (field, language) in evariste_testing::sample("named fields", all, usize::MAX, |(_, language)| language.name) {
        let run = place.run(&["emit", field, "--lang", language.name, "-o", "out"]);
        if run.code == Some(1) {
            assert!(run.err.contains("\nhelp: "), "{field} in {}: {}", language.name, run.err);
            continue;
        }
        run.ok();
        let flags: &[&str] = if language.is_c { &["CFLAGS=-O1 -Werror"] } else { &[] };
        let told = own_test(language, &place.path("out"), flags);
        assert!(!told.contains("warning"), "{field} in {}: {told}", language.name);
        std::fs::remove_dir_all(place.path("out")).expect("removed");
        built += 1;
    }
    assert!(built > 0 || can.is_empty());
}
