//! Resources that two kinds of instructions keep busy only together: ports of which each has a part.

use super::grid::{is_one_of_ports, simple};
use super::seen::Seen;
use super::{EXPLAINED, NOISE, ROOM, Resource};
use crate::observe::{Care, Mix, Observer};

/// What no slots explain is left alone where less than this part is missing: orders in which ports are shared out well are
/// not always found. What takes the front end for a cycle or more leaves it in the middle of a group: that is seen each time.
const MISSING: f64 = 0.15;
/// No core needs more resources.
const MOST: usize = 48;
/// Copies of each of two that stand beside one of another.
const MANY: [f64; 3] = [1.5, 2.0, 12.0];

/// Adds resources for the pairs of kinds that no resource explains yet, in the order of the specimens.
pub(super) fn add<O: Observer>(
    observer: &mut O,
    seen: &mut Seen,
    resources: &mut Vec<Resource>,
) -> Result<(), O::Error> {
    seen.regroup(resources);
    let alone = resources.len();
    for a in 0..seen.leaders.len() {
        for b in a + 1..seen.leaders.len() {
            if resources.len() >= MOST {
                return Ok(());
            }
            let two = [seen.leaders[a], seen.leaders[b]];
            if !seen.meets(a, two[1]) {
                continue;
            }
            let times = seen.both(a, b);
            let missing = 1.0 - seen.said(resources, two[0], two[1]) / times;
            let shared = |r: &&Resource| !r.slots && two.iter().all(|i| r.uses[*i] > 0.0);
            let within: Vec<&Resource> = resources[..alone].iter().filter(shared).collect();
            let least = if within.is_empty() && !seen.takes_front(resources, two) { MISSING } else { EXPLAINED };
            if missing <= least {
                continue;
            }
            let resource = match one_slot_each(seen, [a, b], times) {
                Some(slot) => measured(observer, seen, two, slot, &within)?,
                None if missing > MISSING || seen.takes_front(resources, two) => edge(observer, seen, [a, b], times)?,
                None => continue,
            };
            let sum = two.iter().map(|i| resource.uses[*i]).sum::<f64>();
            if sum < (1.0 - EXPLAINED) * times {
                seen.sums_to_less(a, b);
            } else if sum <= (1.0 + ROOM) * seen.least(a, b) {
                resources.push(resource);
            }
        }
    }
    Ok(())
}

/// The slot, where two kinds take one each: all their pairs take two over a number of ports.
fn one_slot_each(seen: &Seen, kinds: [usize; 2], times: f64) -> Option<f64> {
    let slot = 1.0 / (2.0 / times).round().max(1.0);
    let least = seen.least(kinds[0], kinds[1]).min(times);
    let fits = (1.0 - 1.5 * NOISE) * times <= 2.0 * slot && 2.0 * slot <= (1.0 + NOISE) * least;
    let is_part = |kind: &usize| {
        let alone = seen.cycles[seen.leaders[*kind]];
        is_one_of_ports(alone) && slot <= (1.0 - NOISE) * alone
    };
    (fits && kinds.iter().all(is_part)).then_some(slot)
}

/// What one more of each specimen adds to many of two, in slots: of those that share a resource with both, and of the two
/// kinds.
fn measured<O: Observer>(
    observer: &mut O,
    seen: &Seen,
    two: [usize; 2],
    slot: f64,
    within: &[&Resource],
) -> Result<Resource, O::Error> {
    let n = seen.cycles.len();
    let meets = |c: &usize| two.iter().all(|i| seen.subjects.meet(*i, *c));
    let asked: Vec<usize> = (0..n).filter(meets).filter(|c| within.iter().any(|r| r.uses[*c] > 0.0)).collect();
    let count = |other: usize| (MANY[0] * seen.cycles[other] / slot).ceil().clamp(MANY[1], MANY[2]) as usize;
    let mut mixes: Vec<Mix> = asked.iter().map(|c| Mix::beside(two.to_vec(), count(*c), *c)).collect();
    mixes.push(Mix::pair(two[0], two[1]));
    let mut times = observer.cycles(&mixes, Care::Thorough)?;
    let both = times.pop().unwrap_or(2.0 * slot).min(seen.pairs.at(two[0], two[1]));
    let mut used = vec![0.0; n];
    asked.iter().zip(times).for_each(|(c, cycles)| used[*c] = cycles - both * count(*c) as f64);
    let mut counts = seen.slots(&used, slot);
    let fixed = |kind: usize| two.iter().any(|i| seen.kinds[*i] == kind);
    (0..n).filter(|i| fixed(seen.kinds[*i])).for_each(|i| counts[i] = 1);
    seen.lowered(slot, false, &fixed, &mut counts);
    Ok(Resource { by: two.to_vec(), uses: counts.iter().map(|c| slot * f64::from(*c)).collect(), slots: false })
}

/// What one more of each of two kinds adds to one each: that is the resource's uses, where it alone is the limit.
fn edge<O: Observer>(observer: &mut O, seen: &Seen, kinds: [usize; 2], times: f64) -> Result<Resource, O::Error> {
    let whole = |kind: usize| seen.cycles[seen.leaders[kind]];
    let [long, short] = if whole(kinds[0]) >= whole(kinds[1]) { kinds } else { [kinds[1], kinds[0]] };
    let two = [short, long].map(|kind| seen.leaders[kind]);
    let more = [Mix::beside(vec![two[0]], 2, two[1]), Mix::beside(vec![two[1]], 2, two[0])];
    let more = observer.cycles(&more, Care::Thorough)?;
    let most = |i: usize, kind: usize| (more[i] - times).min(whole(kind)).max(0.0);
    let of_short = most(0, short);
    let of_short = simple(of_short).min((1.0 + NOISE) * of_short).min(whole(short));
    let of_long = whole(long).min(most(1, long)).min(times - of_short).max(0.0);
    let of_long = simple(of_long).min((1.0 + NOISE) * of_long).min(whole(long));
    let used = |kind: &usize| match *kind {
        kind if kind == long => of_long,
        kind if kind == short => of_short,
        _ => 0.0,
    };
    Ok(Resource { by: two.to_vec(), uses: seen.kinds.iter().map(used).collect(), slots: false })
}
