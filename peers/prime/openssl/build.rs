//! Links the static libcrypto of this system: its inner functions have no names in the shared one.

use std::path::Path;
use std::process::Command;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-env-changed=OPENSSL_LIB_DIR");
    let folder = match std::env::var("OPENSSL_LIB_DIR") {
        Ok(folder) => folder,
        Err(_) => {
            let cc = std::env::var("CC").unwrap_or_else(|_| "cc".into());
            let path = String::from_utf8(Command::new(cc).arg("-print-file-name=libcrypto.a").output()?.stdout)?;
            let folder = Path::new(path.trim())
                .parent()
                .filter(|folder| folder.is_absolute())
                .ok_or("no libcrypto.a; OPENSSL_LIB_DIR can name its folder")?;
            folder.display().to_string()
        }
    };
    println!("cargo::rustc-link-search=native={folder}");
    println!("cargo::rustc-link-lib=static:-bundle=crypto");
    Ok(())
}
