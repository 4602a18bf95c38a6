//! The probe on this machine: what it says must be a table, and what no core can do is not in it. No time is asserted.

use evariste_codegen::x86_64::X86_64;
use evariste_cores::Core;
use evariste_probe::{ProbeError, fingerprint, probe};
use evariste_testing::lacks_feature;

/// `None`, counted, where this process cannot run machine code.
fn here<T>(result: Result<T, ProbeError>) -> Option<T> {
    match result {
        Ok(value) => Some(value),
        Err(ProbeError::Jit(why)) => {
            lacks_feature(&format!("measuring this core: {why}"), "x86-64");
            None
        }
        Err(why) => panic!("{why}"),
    }
}

#[test]
fn the_table_of_this_core() {
    let mut last = 0.0;
    let mut forward = |done: f64| {
        assert!((last..=1.0).contains(&done), "{done} after {last}");
        last = done;
        true
    };
    let Some(probed) = here(probe::<X86_64>(&mut forward)) else { return };
    let core = &probed.core;
    assert_eq!(Core::parse(&core.to_text()).as_ref(), Ok(core), "a table that does not read back");
    assert!(probed.explained <= probed.pairs);
    let n = core.costs.len();
    assert!(core.cost("pmuludq.xmm").is_some_and(|cost| cost.cycles > 0.0 && !cost.uses.is_empty()), "{core:?}");
    // Everything at least beside the first, and at most beside all others.
    assert!((n - 1..=n * (n - 1) / 2).contains(&probed.pairs), "{} pairs of {n}", probed.pairs);
    assert_eq!(probed.open.len(), probed.pairs - probed.explained);
    for (name, cost) in &core.costs {
        // Nothing keeps a resource busy for longer than it takes alone, but for noise: uses are those of its class.
        let most = cost.uses.values().copied().fold(0.0, f64::max);
        assert!(most <= cost.cycles * 1.1 + 0.02, "{name} uses {most} and takes {}", cost.cycles);
    }
    // A chain of additions is the measure of a cycle; a product takes longer than that on every core.
    let latency = |name: &str| core.cost(name).and_then(|c| c.latency).expect("a latency");
    assert!(latency("add") < latency("imul"), "{} {}", latency("add"), latency("imul"));
}

#[test]
fn a_probe_that_is_stopped_ends() {
    let mut asked = 0;
    let stopped = probe::<X86_64>(&mut |_| {
        asked += 1;
        asked < 3
    });
    match here(stopped.map(|_| ()).or_else(|e| if matches!(e, ProbeError::Stopped) { Ok(()) } else { Err(e) })) {
        Some(()) => assert_eq!(asked, 3),
        None => assert_eq!(asked, 0),
    }
}

#[test]
fn a_fingerprint_is_of_instructions_in_the_table() {
    let Some(seen) = here(fingerprint::<X86_64>()) else { return };
    assert!(!seen.is_empty());
    assert!(seen.values().all(|ratio| ratio.is_finite() && *ratio > 0.0), "{seen:?}");
}
