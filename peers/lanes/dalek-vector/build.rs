//! Finds the sources of curve25519-dalek's fields for vectors, and puts them where they look for each other.

include!("../../source.rs");

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let backend = source("curve25519-dalek")?.join("src").join("backend");
    let module = |name: &str, file: &str| {
        format!(
            "#[allow(dead_code, unused_imports, missing_docs, clippy::all)] #[path = {:?}] pub mod {name};",
            backend.join(file)
        )
    };
    let text = [
        "pub mod backend {".into(),
        format!("pub mod serial {{ pub mod u64 {{ {} }} }}", module("field", "serial/u64/field.rs")),
        "pub mod vector {".into(),
        module("packed_simd", "vector/packed_simd.rs"),
        format!("pub mod ifma {{ {} }}", module("field", "vector/ifma/field.rs")),
        // The constants name two kinds of points beside the field.
        "pub mod avx2 { pub mod edwards { pub struct ExtendedPoint(pub super::field::FieldElement2625x4); pub struct CachedPoint(pub super::field::FieldElement2625x4); }".into(),
        module("constants", "vector/avx2/constants.rs"),
        module("field", "vector/avx2/field.rs"),
        "} }".into(),
        "}".into(),
    ];
    std::fs::write(PathBuf::from(std::env::var("OUT_DIR")?).join("dalek.rs"), text.join("\n"))?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
