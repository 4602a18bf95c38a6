//! Rule: nothing that users build is under the LGPL or GPL. (What only `peers/` uses is outside this workspace.)

use super::{Package, Violation};

/// Judges the licence expression of every package that a build uses.
pub fn check(packages: &[Package]) -> Vec<Violation> {
    let judge = |package: &Package| {
        let message = match &package.licence {
            None => "states no licence".to_string(),
            Some(licence) if !has_free_choice(licence) => {
                format!("is under {licence}: such code may only be used in peers/")
            }
            Some(_) => return None,
        };
        Some(Violation { place: package.name.clone(), line: 0, message })
    };
    packages.iter().filter_map(judge).collect()
}

/// Whether an SPDX expression can be satisfied without any GPL, LGPL or AGPL.
fn has_free_choice(expression: &str) -> bool {
    // Older manifests write `/` for OR.
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut at = 0;
    any_of(&words, &mut at)
}

/// `all OR all OR …`
fn any_of(words: &[&str], at: &mut usize) -> bool {
    let mut free = all_of(words, at);
    while words.get(*at) == Some(&"OR") {
        *at += 1;
        free |= all_of(words, at);
    }
    free
}

/// `one AND one AND …`
fn all_of(words: &[&str], at: &mut usize) -> bool {
    let mut free = one(words, at);
    while words.get(*at) == Some(&"AND") {
        *at += 1;
        free &= one(words, at);
    }
    free
}

/// A licence, maybe with an exception (which does not make it free here), or a group.
fn one(words: &[&str], at: &mut usize) -> bool {
    let word = words.get(*at).copied().unwrap_or("");
    *at += 1;
    if word == "(" {
        let free = any_of(words, at);
        // The closing parenthesis.
        *at += 1;
        return free;
    }
    if words.get(*at) == Some(&"WITH") {
        *at += 2;
    }
    !word.is_empty() && !word.contains("GPL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        for free in [
            "MIT",
            "MIT OR Apache-2.0",
            "MIT/Apache-2.0",
            "MIT OR LGPL-2.1-or-later",
            "(MIT OR GPL-3.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert!(has_free_choice(free), "{free}");
        }
        for bound in [
            "LGPL-3.0-or-later",
            "GPL-2.0",
            "MIT AND LGPL-2.1",
            "(MIT OR Apache-2.0) AND AGPL-3.0",
            "GPL-3.0 WITH GCC-exception-3.1",
            "",
        ] {
            assert!(!has_free_choice(bound), "{bound}");
        }
    }

    #[test]
    fn packages_are_judged() {
        let package = |name: &str, licence: Option<&str>| Package {
            name: name.to_string(),
            licence: licence.map(str::to_string),
            ..Package::default()
        };
        let found =
            check(&[package("rug", Some("LGPL-3.0-or-later")), package("num", Some("MIT")), package("mute", None)]);
        let places: Vec<&str> = found.iter().map(|violation| violation.place.as_str()).collect();
        assert_eq!(places, ["rug", "mute"]);
    }
}
