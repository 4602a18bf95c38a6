//! Tables of cores in the user's folder: whatever lies there, the right one is found, the others are named with the
//! reason, and nothing is touched.

use std::collections::BTreeMap;
use std::path::Path;

use evariste_cores::{Core, Cost, Fingerprint, shipped};
use evariste_tune::cores::{Origin, folder, in_use, keep, read, write};

fn fingerprint(ratios: &[(&str, f64)]) -> Fingerprint {
    ratios.iter().map(|(name, x)| (name.to_string(), *x)).collect()
}

/// A core of two instructions, known by one of them.
fn core(name: &str, mulx: f64) -> Core {
    let cost = |cycles| Cost { cycles, latency: Some(3.0), uses: BTreeMap::from([("multiplier".to_string(), cycles)]) };
    Core {
        name: name.into(),
        architecture: "x86-64".into(),
        processor: name.into(),
        source: "this test".into(),
        measured: Some("2026-11-23".into()),
        window: None,
        llvm: None,
        resources: vec!["multiplier".into()],
        fingerprint: fingerprint(&[("mulx", mulx)]),
        costs: BTreeMap::from([("mulx".to_string(), cost(mulx)), ("imul".to_string(), cost(1.0))]),
    }
}

fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("the folder").flatten();
    entries
        .map(|e| {
            let name = e.file_name().into_string().expect("a name");
            (name, std::fs::read(e.path()).unwrap_or_default())
        })
        .collect()
}

#[test]
fn the_table_that_fits_is_found_among_hostile_files() {
    let cache = tempfile::tempdir().expect("a folder");
    let tables = folder(cache.path());
    std::fs::create_dir_all(tables.join("a-folder.toml")).expect("a folder");
    let good = core("good", 2.0).to_text();
    let files = [
        ("empty.toml", String::new()),
        ("text.toml", "these are no costs".into()),
        ("cut.toml", good[..good.len() / 2].into()),
        ("infinite.toml", good.replace("2.0", "inf")),
        ("negative.toml", good.replace("cycles = 2.0", "cycles = -2.0")),
        ("zero.toml", good.replace("\"mulx\" = 2.0", "\"mulx\" = 0.0")),
        ("escape.toml", good.replace("name = \"good\"", "name = \"\\u001b[2J\"")),
        ("unknown.toml", format!("secret = 1\n{good}")),
        ("long.toml", "#".repeat(2 << 20)),
        ("other.toml", core("other", 3.0).to_text()),
        ("near.toml", core("near", 2.2).to_text()),
    ];
    for (name, text) in &files {
        std::fs::write(tables.join(name), text).expect("a file");
    }
    std::fs::write(tables.join("bytes.toml"), [0xff, 0xfe, 0]).expect("a file");
    std::fs::write(tables.join("readme.txt"), "not a table").expect("a file");
    let kept = keep(cache.path(), &core("good", 2.0)).expect("kept");
    let before = content(&tables);
    let found = in_use(Some(cache.path()), Some(&fingerprint(&[("mulx", 2.02)])));
    assert_eq!((found.core.name.as_str(), &found.origin), ("good", &Origin::Measured(kept)));
    assert!(found.fits());
    // All but the good one, the near one, and the text.
    assert_eq!(found.refused.len(), files.len() + 1, "{:#?}", found.refused);
    for name in [
        "a-folder", "empty", "text", "cut", "infinite", "negative", "zero", "escape", "unknown", "long", "other",
        "bytes",
    ] {
        let named = |line: &&String| line.contains(&format!("{name}.toml"));
        let line = found.refused.iter().find(named).unwrap_or_else(|| panic!("{name} is not told of"));
        assert!(!line.contains('\u{1b}'), "{line}");
    }
    assert_eq!(content(&tables), before, "a file was touched");
}

#[test]
fn without_a_table_that_fits_the_nearest_that_ships_is_used_and_says_so() {
    let cache = tempfile::tempdir().expect("a folder");
    write(&folder(cache.path()).join("other.toml"), &core("other", 3.0)).expect("written");
    let here = evariste_backend::machine().name;
    for shipped in shipped().iter().filter(|core| core.architecture == here) {
        let found = in_use(Some(cache.path()), Some(&shipped.fingerprint));
        assert_eq!((found.core.name.as_str(), found.origin), (shipped.name.as_str(), Origin::Shipped));
        assert_eq!(found.refused.len(), 1);
    }
    let strange = fingerprint(&[("mulx", 9.0), ("shld", 9.0)]);
    for (cache, here) in [(Some(cache.path()), Some(&strange)), (Some(cache.path()), None), (None, None)] {
        let found = in_use(cache, here);
        assert_eq!((found.fits(), found.origin), (false, Origin::Nearest));
        assert_eq!(found.refused.len(), usize::from(cache.is_some()));
    }
}

/// A process that was denied instruction sets has no table of its own kind: the nearest is that of the core which is
/// alike in what both have.
#[test]
fn of_a_masked_machine_the_nearest_is_what_is_alike() {
    let here = evariste_backend::machine().name;
    let known: Vec<_> = shipped().iter().filter(|core| core.architecture == here).collect();
    for core in &known {
        let few: Fingerprint =
            core.fingerprint.iter().filter(|(name, _)| !name.contains('.')).map(|(n, x)| (n.clone(), *x)).collect();
        let found = in_use(None, Some(&few));
        assert!(found.distance.is_infinite() && found.origin == Origin::Nearest, "{}", core.name);
        // Two cores may be alike in so few.
        let ratios = |core: &Core| few.keys().map(|name| core.fingerprint[name].to_string()).collect::<Vec<_>>();
        assert_eq!(ratios(&found.core), ratios(core), "{}", core.name);
    }
    let names: std::collections::BTreeSet<String> = known
        .iter()
        .map(|core| {
            let few = core.fingerprint.iter().filter(|(n, _)| *n != "vpaddq.zmm").map(|(n, x)| (n.clone(), *x));
            in_use(None, Some(&few.collect())).core.name.clone()
        })
        .collect();
    assert!(names.len() > 1, "always {names:?}");
}

#[test]
fn tables_are_written_as_a_whole_and_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a/b/core.toml");
    for mulx in [1.0, 2.0] {
        write(&path, &core("one", mulx)).expect("written");
        assert_eq!(read(&path).expect("a table"), core("one", mulx));
    }
    assert_eq!(content(path.parent().expect("a folder")).len(), 1, "something was left beside it");
    let file = folder.path().join("file");
    std::fs::write(&file, "").expect("a file");
    let error = write(&file.join("core.toml"), &core("one", 1.0)).expect_err("a file is no folder").to_string();
    assert!(error.contains("core.toml") && error.contains("help: "), "{error}");
}
