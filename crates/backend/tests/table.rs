//! The table of back ends.

use evariste_algorithms::{Operation, layouts, plans};
use evariste_backend::{BACKENDS, Code, Kind, found, machine, named, packaged};
use evariste_cores::reference;
use evariste_descriptions::Field;

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

/// Code with instructions that packages are not made with is ranked by itself: a plan that is best by them is none for
/// packages.
#[test]
fn code_with_calls_side_by_side_has_a_line_of_its_own() {
    let Some(backend) = found(|kind| kind == Kind::Scalar, None).into_iter().next() else { return };
    let field = Field::parse("curve:25519").expect("a curve");
    let layout = layouts(&field, 64).into_iter().find(|layout| layout.name == "5x51").expect("a layout");
    let has = backend.setting().contains("ifma");
    for plan in plans(&field, &layout, &Operation::LADDER) {
        let ranked = backend.ranked_as(&plan.write().expect("a kernel"));
        let apart = has && plan.algorithm.ends_with("side-by-side");
        assert_eq!(ranked.name, if apart { "x86-64-ifma" } else { backend.entry().name }, "{}", plan.name());
        assert!(ranked.package.is_some() != apart);
    }
    let own = named("x86-64-ifma").expect("a line");
    assert!((own.find)(None).is_err() && own.package.is_none());
    // Packages have it beside their code, whatever this machine has, and of what gains alone.
    let usual = Code::named("x86-64").expect("a line");
    let apart = usual.beside().expect("code apart");
    assert_eq!((usual.apart(), Code::from(own).apart()), (Some(Code::from(own)), None));
    for plan in plans(&field, &layout, &Operation::LADDER) {
        let kernel = plan.write().expect("a kernel");
        let gains = plan.algorithm.ends_with("side-by-side");
        assert_eq!(
            ((apart.gains)(&kernel), (apart.bound)(&kernel, reference()).is_some()),
            (gains, gains),
            "{}",
            plan.name()
        );
    }
    let layouts_of = |text: &str| (apart.layouts)(&Field::parse(text).expect("a field")).len();
    assert_eq!((layouts_of("bls12-381-fp"), layouts_of("bls12-381-fp2")), (0, 1));
    assert!(BACKENDS.iter().all(|entry| entry.name == "x86-64" || Code::from(*entry).beside().is_none()));
}

/// Code of one element has layouts of its own where its operations are calls that do not wait for each other.
#[test]
fn one_element_has_digits_of_52_bits_where_it_is_made_of_calls() {
    let Some(backend) = found(|kind| kind == Kind::Scalar, None).into_iter().next() else { return };
    let has = backend.setting().contains("ifma");
    for (text, wanted) in [("bls12-381-fp", 0), ("p256", 0), ("bls12-381-fp2", 1), ("pairing:bn254", 1)] {
        let field = Field::parse(text).expect("a field");
        let own = backend.layouts(&field);
        assert_eq!(own.len(), if has { wanted } else { 0 }, "{text}");
        assert!(own.iter().all(|l| l.radix == Some(52) && backend.takes(&field, l, false)), "{text}");
        assert!(own.iter().all(|l| layouts(&field, 64).iter().all(|other| other.name != l.name)), "{text}");
    }
}

#[test]
fn there_is_a_table_for_bounds_and_assembly_for_packages() {
    assert_eq!(machine().kind, Kind::Scalar);
    assert!(packaged().1.known_sets.contains(&packaged().1.sets));
}
