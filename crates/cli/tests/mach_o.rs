//! Assembly packages for Apple's systems: what Apple's assembler makes of them is an object file of Mach-O, with the
//! functions that the C file calls. Such code is linked and run on such machines alone.

use std::process::Command;

use crate::common::Place;

/// An object of 64 bits begins with this.
const MAGIC: u32 = 0xfeed_facf;

#[test]
fn assembly_packages_are_objects_of_mach_o() {
    if !Command::new("clang").arg("--version").output().is_ok_and(|o| o.status.success()) {
        return evariste_testing::lacks_tool("assembly packages as Mach-O", "clang");
    }
    let place = Place::new();
    for (target, triple, processor) in
        [("aarch64", "arm64-apple-darwin", 0x0100_000c_u32), ("x86-64", "x86_64-apple-darwin", 0x0100_0007)]
    {
        for field in ["p256", "bls12-381-fp"] {
            let folder = format!("{field}-{target}");
            let emit = ["emit", field, "--prefix", "fe", "--lang", "asm", "--target", target, "-o", &folder];
            place.run(&emit).ok();
            let name = format!("fe_{}", target.replace('-', "_"));
            let made = Command::new("clang")
                .args([
                    &format!("--target={triple}"),
                    "-c",
                    &format!("{folder}/{name}.S"),
                    "-o",
                    &format!("{folder}.o"),
                ])
                .current_dir(place.path("."))
                .output()
                .expect("clang runs");
            assert!(made.status.success(), "{field} for {triple}: {}", String::from_utf8_lossy(&made.stderr));
            let object = std::fs::read(place.path(&format!("{folder}.o"))).expect("an object");
            let word = |at: usize| u32::from_le_bytes(object[at..at + 4].try_into().expect("a word"));
            assert_eq!((word(0), word(4)), (MAGIC, processor), "{field} for {triple}");
            let text = std::fs::read_to_string(place.path(&format!("{folder}/{name}.S"))).expect("assembly");
            let functions: Vec<&str> = text
                .lines()
                .filter_map(|line| line.trim().strip_prefix("EVARISTE_FUNCTION(")?.strip_suffix(')'))
                .collect();
            assert!(functions.len() > 5 && functions.iter().any(|f| f.starts_with("fe_mul_")), "{functions:?}");
            // Names of the table of strings, as Apple's linker wants them.
            for function in functions {
                let wanted = format!("\0_{function}\0");
                let found = object.windows(wanted.len()).any(|bytes| bytes == wanted.as_bytes());
                assert!(found, "{triple}: the object has no `_{function}`");
            }
        }
    }
}
