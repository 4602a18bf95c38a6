//! `evariste doctor`.

use evariste::builder::cores::{InUse, Origin};
use evariste::builder::{Family, Health, doctor};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::failure::Failure;
use crate::tables::wrapped;

/// What this machine has, lacks, and what that means.
pub fn run() -> Result<Answer, Failure> {
    let health = doctor();
    Ok(Answer::new(text(&health), in_json(&health)))
}

/// One paragraph each of the machine, its compilers, what is remembered and what is missing.
fn text(Health { machine, tick_ghz, compilers, chosen, code, devices, core, cache, missing }: &Health) -> String {
    let mut text = format!("system     {}\nprocessor  {}\n", machine.system, machine.cpu);
    text += &format!(
        "           {} core{}, tick counter {:.3} GHz\n",
        machine.cores,
        if machine.cores == 1 { "" } else { "s" },
        tick_ghz
    );
    if !machine.features.is_empty() {
        text += &wrapped(&format!("           {}\n", machine.features.join(" ")));
    }
    for (i, compiler) in compilers.iter().enumerate() {
        let used = if chosen.as_ref().is_ok_and(|c| c == compiler) { " (used)" } else { "" };
        text += &format!(
            "{}  {}{used}\n             {}\n",
            if i == 0 { "compilers" } else { "         " },
            compiler.version,
            compiler.path.display()
        );
    }
    for (i, line) in code.iter().enumerate() {
        text += &wrapped(&format!("{}  {line}\n", if i == 0 { "code     " } else { "         " }));
    }
    for (i, line) in devices.iter().enumerate() {
        text += &wrapped(&format!("{}  {line}\n", if i == 0 { "opencl   " } else { "         " }));
    }
    text += &wrapped(&format!("costs      {}\n", in_use(core)));
    match cache {
        Some(cache) => {
            text += &format!(
                "cache      {}\n           {} ranking{} remembered",
                cache.folder.display(),
                cache.readable,
                if cache.readable == 1 { "" } else { "s" }
            );
            text += &if cache.unreadable.is_empty() {
                "\n".to_string()
            } else {
                format!(", {} unreadable\n", cache.unreadable.len())
            };
        }
        None => text += "cache      none\n",
    }
    if missing.is_empty() {
        text += "nothing is missing\n";
    }
    text + &missing.iter().map(|line| wrapped(&format!("missing    {line}\n"))).collect::<String>()
}

/// The table of costs, where it is from, and by what it is known.
fn in_use(found: &InUse) -> String {
    let file = match &found.origin {
        Origin::Measured(path) => format!(": {}", path.display()),
        _ => String::new(),
    };
    let known = || {
        let ratios: Vec<String> = found.core.fingerprint.iter().map(|(name, x)| format!("{name} {x}")).collect();
        format!("; its fingerprint ({}) fits within {:.0} %", ratios.join(", "), 100.0 * found.distance)
    };
    format!("of {}{file}{}", found.line(), if found.fits() { known() } else { String::new() })
}

fn in_json(Health { machine, tick_ghz, compilers, chosen, code, devices, core, cache, missing }: &Health) -> Value {
    let family = |f: Family| match f {
        Family::Gcc => "gcc",
        Family::Clang => "clang",
        Family::Other => "other",
    };
    let compilers: Vec<Value> = compilers
        .iter()
        .map(|c| json!({ "name": c.name, "path": c.path.display().to_string(), "version": c.version, "family": family(c.family), "used": chosen.as_ref().is_ok_and(|u| u == c) }))
        .collect();
    let cache = cache.as_ref().map(|c| {
        let unreadable: Vec<String> = c.unreadable.iter().map(|path| path.display().to_string()).collect();
        json!({ "folder": c.folder.display().to_string(), "writable": c.writable, "rankings": c.readable, "unreadable": unreadable })
    });
    let (origin, file) = match &core.origin {
        Origin::Measured(path) => ("measured", Some(path.display().to_string())),
        Origin::Shipped => ("shipped", None),
        Origin::Nearest => ("nearest", None),
        Origin::Asked => ("asked", None),
    };
    let costs = json!({
        "core": core.core.name, "origin": origin, "file": file, "measured": core.core.measured, "fits": core.fits(),
        "distance": core.distance.is_finite().then_some(core.distance), "fingerprint": core.core.fingerprint, "refused": core.refused,
    });
    json!({
        "system": machine.system, "processor": machine.cpu, "model": machine.model, "features": machine.features, "cores": machine.cores, "tick_ghz": tick_ghz,
        "compilers": compilers, "code": code, "opencl": devices, "costs": costs, "cache": cache, "missing": missing,
    })
}
