//! Prints the table of this core, and how well it explains what was measured.

fn main() -> Result<(), evariste_probe::ProbeError> {
    let start = std::time::Instant::now();
    let probed = evariste_probe::probe::<evariste_codegen::x86_64::X86_64>(&mut |_| true)?;
    print!("{}", probed.core.to_text());
    println!(
        "# {:.1?}: {} of {} pairs explained by {} resources",
        start.elapsed(),
        probed.explained,
        probed.pairs,
        probed.core.resources.len()
    );
    Ok(())
}
