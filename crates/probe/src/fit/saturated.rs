//! Resources that one kind of instruction saturates.

use super::grid::{is_one_of_ports, is_unsure, slot, slots};
use super::seen::Seen;
use super::{NOISE, ROOM, Resource};

/// One resource of each leader that takes one cycle over a number of ports; of others one where nothing else explains how
/// long they take alone.
pub(super) fn resources(seen: &Seen) -> Vec<Resource> {
    let (simple, rest): (Vec<usize>, Vec<usize>) = (0..seen.leaders.len()).partition(|base| is_simple(seen, *base));
    let mut resources: Vec<Resource> = simple.into_iter().map(|base| resource(seen, base)).collect();
    for base in rest {
        let leader = seen.leaders[base];
        let said = resources.iter().map(|r| r.uses[leader]).fold(0.0, f64::max);
        if said < (1.0 - NOISE) * seen.cycles[leader] {
            resources.push(resource(seen, base));
        }
    }
    resources
}

/// Does what saturates a resource take one cycle over a number of ports, and nothing else as long? What takes several slots
/// of the front end is several steps, which may keep two resources busy at once: what one more adds to the time would be
/// the use of either.
fn is_simple(seen: &Seen, base: usize) -> bool {
    let leader = seen.leaders[base];
    let slot = seen.subjects.slot.filter(|slot| *slot != leader);
    let is_one_step = slot.is_none_or(|slot| {
        let kind = seen.kinds[slot];
        seen.leaders[kind] == leader || slots(seen.uses[kind][leader], seen.cycles[slot]) <= 1
    });
    is_one_of_ports(seen.cycles[leader]) && !seen.is_idle(leader) && is_one_step
}

fn resource(seen: &Seen, base: usize) -> Resource {
    let leader = seen.leaders[base];
    let slot = slot(seen.cycles[leader]);
    let is_slots = seen.subjects.slot == Some(leader);
    let used = |other: usize| {
        let idle = if is_slots { slot * seen.subjects.idle[other] } else { 0.0 };
        let room = (1.0 + ROOM) * seen.pairs.at(leader, other) - seen.cycles[leader];
        (seen.uses[base][other] - idle).min(room.max(0.0))
    };
    let mut counts = seen.slots(&(0..seen.cycles.len()).map(used).collect::<Vec<f64>>(), slot);
    let own = (seen.cycles[leader] / slot).round() as u32;
    (0..counts.len()).filter(|i| *i == leader || seen.is_beside(leader, *i)).for_each(|i| counts[i] = own);
    let fixed = |kind: usize| kind == base || seen.is_beside(leader, seen.leaders[kind]);
    seen.lowered(slot, is_slots, &fixed, &mut counts);
    Resource {
        by: vec![leader],
        uses: counts.into_iter().map(|count| slot * f64::from(count)).collect(),
        slots: is_slots,
    }
}

/// What one more adds is no whole number of slots: those are measured again.
pub(super) fn unsure(seen: &Seen) -> Vec<(usize, usize)> {
    let bases = (0..seen.leaders.len()).filter(|base| is_simple(seen, *base));
    let both = bases.flat_map(|base| (0..seen.cycles.len()).map(move |other| (base, other)));
    both.filter(|(base, other)| is_unsure(seen.uses[*base][*other], seen.cycles[seen.leaders[*base]])).collect()
}
