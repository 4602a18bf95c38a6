//! Assembles the functions of s2n-bignum that are compared.

include!("../../source.rs");

/// Folder and function.
const FUNCTIONS: [(&str, &str); 23] = [
    ("curve25519", "bignum_mul_p25519"),
    ("curve25519", "bignum_sqr_p25519"),
    ("p256", "bignum_montmul_p256"),
    ("p256", "bignum_montsqr_p256"),
    ("p384", "bignum_montmul_p384"),
    ("p384", "bignum_montsqr_p384"),
    ("p521", "bignum_mul_p521"),
    ("p521", "bignum_sqr_p521"),
    ("secp256k1", "bignum_mul_p256k1"),
    ("secp256k1", "bignum_sqr_p256k1"),
    ("curve25519", "bignum_add_p25519"),
    ("p256", "bignum_add_p256"),
    ("p384", "bignum_add_p384"),
    ("p521", "bignum_add_p521"),
    ("secp256k1", "bignum_add_p256k1"),
    ("fastmul", "bignum_mul_4_8"),
    ("fastmul", "bignum_sqr_4_8"),
    ("fastmul", "bignum_mul_6_12"),
    ("fastmul", "bignum_sqr_6_12"),
    ("fastmul", "bignum_mul_8_16"),
    ("fastmul", "bignum_sqr_8_16"),
    ("fastmul", "bignum_kmul_16_32"),
    ("fastmul", "bignum_ksqr_16_32"),
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let home = source("aws-lc-sys")?.join("aws-lc");
    let imported = home.join("third_party/s2n-bignum/s2n-bignum-imported");
    let files = FUNCTIONS.map(|(folder, name)| imported.join("x86_att").join(folder).join(format!("{name}.S")));
    let includes = [imported.join("include"), home.join("include")];
    cc::Build::new().files(files).includes(includes).try_compile("evariste_s2n_bignum")?;
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
