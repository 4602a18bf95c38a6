//! Builds the parts of OpenSSL's libcrypto that are compared, from its source: assembly that its own scripts write for
//! this assembler, and the C beside it.

include!("../../source.rs");

/// Object files of libcrypto.
const OBJECTS: [&str; 11] = [
    "crypto/bn/asm/libcrypto-lib-x86_64-gcc.o",
    "crypto/bn/libcrypto-lib-bn_lib.o",
    "crypto/bn/libcrypto-lib-bn_mul.o",
    "crypto/bn/libcrypto-lib-bn_sqr.o",
    "crypto/bn/libcrypto-lib-x86_64-mont.o",
    "crypto/bn/libcrypto-lib-x86_64-mont5.o",
    "crypto/ec/libcrypto-lib-ecp_nistz256-x86_64.o",
    "crypto/ec/libcrypto-lib-x25519-x86_64.o",
    "crypto/libcrypto-lib-cpuid.o",
    "crypto/libcrypto-lib-ctype.o",
    "crypto/libcrypto-lib-x86_64cpuid.o",
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let source = source("openssl-src")?.join("openssl");
    let folder = PathBuf::from(std::env::var("OUT_DIR")?).join("openssl");
    std::fs::create_dir_all(&folder)?;
    // Sections of functions: what nobody calls needs nothing of the rest of libcrypto.
    let mut configure = Command::new("perl");
    configure.arg(source.join("Configure")).arg("linux-x86_64");
    configure.args(["no-shared", "no-tests", "no-docs", "no-apps", "no-module", "no-legacy"]);
    configure.arg("CFLAGS=-O3 -march=native -fPIC -ffunction-sections");
    run(configure.current_dir(&folder))?;
    let mut make = Command::new("make");
    make.args(["-s", "build_generated"]).args(OBJECTS);
    run(make.current_dir(&folder))?;
    let archive = folder.join("libevariste_openssl.a");
    run(Command::new("ar").arg("rcs").arg(&archive).args(OBJECTS).current_dir(&folder))?;
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=static:-bundle=evariste_openssl");
    let version = std::fs::read_to_string(source.join("VERSION.dat"))?;
    let part =
        |name: &str| version.split(&format!("{name}=")).nth(1).and_then(|rest| rest.lines().next()).unwrap_or("?");
    println!("cargo::rustc-env=OPENSSL_VERSION={}.{}.{}", part("MAJOR"), part("MINOR"), part("PATCH"));
    Ok(())
}

/// Runs a step; a failure is what it said.
fn run(command: &mut Command) -> Result<(), Box<dyn std::error::Error>> {
    // What cargo and callers say to other builds is not meant for this one.
    for variable in ["CFLAGS", "CXXFLAGS", "MAKEFLAGS"] {
        command.env_remove(variable);
    }
    let output = command.output().map_err(|error| format!("error: {:?}: {error}", command.get_program()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        let last = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().to_string();
        return Err(format!("error: {:?}: {last}", command.get_program()).into());
    }
    Ok(())
}
