//! Prints the table of this core, and how well it explains what was measured.

fn main() -> Result<(), evariste_probe::ProbeError> {
    let _pinned = evariste_run::Pinned::to_one_core();
    let start = std::time::Instant::now();
    let probed = evariste_probe::probe::<evariste_codegen::x86_64::X86_64>(&mut |_| true)?;
    print!("{}", probed.core.to_text());
    println!(
        "# {:.1?}: {} of {} pairs explained by {} resources, {} beyond sums",
        start.elapsed(),
        probed.explained,
        probed.pairs,
        probed.core.resources.len(),
        probed.beyond
    );
    Ok(())
}
