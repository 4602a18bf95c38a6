//! The examples end well: what they assert holds, and their calls are the library's.

#[path = "../examples/arrays.rs"]
mod arrays;
#[path = "../examples/elements.rs"]
mod elements;
#[path = "../examples/module.rs"]
#[expect(dead_code, reason = "`main` writes into a folder that stays")]
mod module;
#[path = "../examples/package.rs"]
#[expect(dead_code, reason = "`main` writes into a folder that stays")]
mod package;
#[path = "../examples/ranking.rs"]
mod ranking;

#[test]
fn elements_are_computed() {
    elements::main().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn arrays_are_computed() {
    arrays::main().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn a_package_is_written() {
    let out = tempfile::tempdir().expect("a folder");
    let folder = package::write(out.path()).unwrap_or_else(|e| panic!("{e}"));
    let source = std::fs::read_to_string(folder.join("fe.c")).expect("the source");
    assert!(source.contains("fe_inv("), "{source}");
    // What it writes again is what is there.
    package::write(out.path()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(std::fs::read_to_string(folder.join("fe.c")).expect("the source"), source);
}

/// What a build script writes is taken by `include!`, with faces in it or not, and is the same each time.
#[test]
fn a_module_is_included() {
    let out = tempfile::tempdir().expect("a folder");
    let path = module::write(out.path()).unwrap_or_else(|e| panic!("{e}"));
    let text = std::fs::read_to_string(&path).expect("the module");
    module::write(out.path()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(std::fs::read_to_string(&path).expect("the module"), text);
    let faces = evariste::build("25519").layout("montgomery-4x64").faces(["rustcrypto"]).prefix("fe");
    faces.out_dir(out.path()).emit().unwrap_or_else(|e| panic!("{e}"));
    // A program of any edition, whatever lints it has.
    let program = r#"
        #![deny(warnings, non_snake_case)]
        include!(concat!(env!("OUT_DIR"), "/p256.rs"));
        include!(concat!(env!("OUT_DIR"), "/fe.rs"));
        fn main() {
            const NINE: p256::Element = p256::Element::ONE.double().double().double().add(&p256::Element::ONE);
            let words = p256::p256_mul(&NINE.invert().to_limbs(), &NINE.to_limbs());
            assert_eq!(words, p256::Element::ONE.to_limbs());
            let mut one = fe::rustcrypto::fiat_fe_montgomery_domain_field_element([0; 4]);
            fe::rustcrypto::fiat_fe_set_one(&mut one);
            assert_eq!(fe::Element::from(1).to_limbs(), one.0);
        }
    "#;
    std::fs::write(out.path().join("main.rs"), program).expect("written");
    let run = |program: &std::path::Path, arguments: &[&str]| {
        let mut command = std::process::Command::new(program);
        let told =
            command.args(arguments).current_dir(out.path()).env("OUT_DIR", out.path()).output().expect("it runs");
        assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    };
    let rustc = std::env::var_os("RUSTC").map_or_else(|| "rustc".into(), std::path::PathBuf::from);
    for edition in ["2021", "2024"] {
        run(&rustc, &["main.rs", "--edition", edition, "-o", "program"]);
        run(&out.path().join("program"), &[]);
    }
    let refused = |build: evariste::Build| build.text().unwrap_err().to_string();
    assert!(refused(evariste::build("2^64").faces(["ff"])).contains("faces are of prime fields"));
    assert!(refused(evariste::build("p256").layout("5x51")).starts_with("there is no layout `5x51`"));
    let nowhere = evariste::build("p256").ops(["add"]).out_dir(out.path().join("nowhere")).emit();
    assert!(nowhere.unwrap_err().to_string().contains("help: name a folder that is there"));
}

#[test]
fn a_ranking_is_measured() {
    if evariste::Options::new().is_err() {
        evariste_testing::lacks_tool("a ranking", "a C compiler");
        return;
    }
    ranking::main().unwrap_or_else(|e| panic!("{e}"));
    let field = evariste::Field::parse("mersenne61").expect("a field");
    let ranking = ranking::rank(&field).unwrap_or_else(|e| panic!("{e}"));
    assert!(ranking.winner.is_some() && ranking.candidates.iter().all(|row| row.layout == "1x61"));
}
