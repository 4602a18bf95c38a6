//! What `setup` of `peers/` says that a system lacks. No peer is built here: the file needs the standard library only.

#[path = "../../peers/src/setup/needs.rs"]
mod needs;

use needs::{APT, CC, CMAKE, CXX, GMP, GO, M4, MAKE, PERL, Probe, SSL, Tool, missing, remedies};

/// A system that has only these commands and headers.
fn only<'a>(there: &'a [&'a str]) -> impl Fn(&Tool) -> bool + 'a {
    |tool| match tool.probe {
        Probe::Command(names) => names.iter().any(|name| there.contains(name)),
        Probe::Header(name) => there.contains(&name),
    }
}

fn names(tools: &[&Tool]) -> Vec<&'static str> {
    tools.iter().map(|tool| tool.name).collect()
}

#[test]
fn a_whole_system_lacks_nothing() {
    let all = [&CC, &CXX, &MAKE, &M4, &PERL, &CMAKE, &GO, &GMP, &SSL, &APT];
    let there = ["gcc", "g++", "make", "m4", "perl", "cmake", "go", "gmp.h", "openssl/bn.h", "apt-get"];
    let lacking = missing(all, only(&there));
    assert!(lacking.is_empty(), "{:?}", names(&lacking));
    assert!(remedies(&lacking, true).is_empty());
}

#[test]
fn what_several_peers_need_is_missing_once() {
    // GMP and OpenSSL, on a system with a compiler.
    let lacking = missing([&CC, &MAKE, &M4, &CC, &MAKE, &PERL], only(&["clang"]));
    assert_eq!(names(&lacking), ["make", "m4", "perl"]);
    assert_eq!(remedies(&lacking, true), ["apt-get install make m4 perl"]);
    assert_eq!(remedies(&lacking, false), ["sudo apt-get install make m4 perl"]);
}

#[test]
fn a_header_is_installed_by_its_package() {
    let lacking = missing([&CC, &GMP, &SSL], only(&["cc", "gmp.h"]));
    assert_eq!(remedies(&lacking, true), ["apt-get install libssl-dev"]);
}

#[test]
fn what_debian_has_not_is_a_line_of_its_own() {
    let lacking = missing([&GO, &CMAKE], only(&["cc"]));
    let lines = remedies(&lacking, true);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(lines[0], "apt-get install cmake");
    assert!(lines[1].starts_with("go: ") && lines[1].contains("go.dev"), "{}", lines[1]);
}

/// Every folder with a peer has its row in the table of packages, and every row its folder.
#[test]
fn the_table_of_packages_names_every_folder() {
    let peers = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../peers");
    let table = std::fs::read_to_string(peers.join("src/packages/mod.rs")).unwrap();
    let mut folders = vec!["gnark-vector".to_string()];
    for group in ["prime", "lanes", "binary", "curves"] {
        let entries = std::fs::read_dir(peers.join(group)).unwrap().map(|entry| entry.unwrap());
        let packages = entries.filter(|entry| entry.path().join("Cargo.toml").exists());
        folders.extend(packages.map(|entry| entry.file_name().into_string().unwrap()));
    }
    let mut rows: Vec<String> =
        table.split("rust(\"").skip(1).filter_map(|rest| Some(rest.split('"').next()?.to_string())).collect();
    folders.sort();
    rows.sort();
    assert_eq!(folders, rows);
}
