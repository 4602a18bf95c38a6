//! Links this system's libgmp.

fn main() {
    println!("cargo::rustc-link-lib=gmp");
}
