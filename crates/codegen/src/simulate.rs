//! How long straight-line code takes on a core, about: a model of its window by its table.
//!
//! Steps enter in order, no more than the window holds, and leave in order. A step begins when its operands are there and
//! each resource that it uses has time for it. What the model leaves out (schedulers of a few entries each, banks,
//! mispredictions) makes real cores slower, not faster.

/// What a step reads or writes: a register, a flag, a word of memory, by a number that the processor's side gives.
pub type Place = u32;

/// A part of an instruction that begins as a whole.
#[derive(Clone, Debug)]
pub struct Step {
    /// What it waits for.
    pub reads: Vec<Place>,
    /// What it gives, and after how many cycles.
    pub writes: Vec<(Place, f64)>,
    /// Which row of the costs it has.
    pub cost: usize,
    /// Does an instruction begin with it?
    pub begins: bool,
}

/// Code, and what its steps cost.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// In the code's order.
    pub steps: Vec<Step>,
    /// Units of each resource by number, in rows.
    pub costs: Vec<Vec<(usize, f64)>>,
    /// One more than the greatest place.
    pub places: usize,
}

/// A core, as far as the model knows it.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Instructions in flight at most.
    pub instructions: usize,
    /// Cycles between two instructions that enter, at least.
    pub front: f64,
    /// Number of its resources.
    pub resources: usize,
}

/// Times that the window is filled with calls: before the cycles are counted, and meanwhile.
const FILLED: [usize; 2] = [1, 3];
/// A resource takes a step in a cycle of which that part is left.
const LEFT: f64 = 0.02;

/// Cycles of one of many independent calls.
pub fn throughput(code: &Steps, window: Window) -> f64 {
    let instructions = code.steps.iter().filter(|step| step.begins).count().max(1);
    let [before, counted] = FILLED.map(|times| (times * window.instructions).div_ceil(instructions) + 1);
    let ends = ends(code, window, before + counted, false);
    (ends[before + counted - 1] - ends[before - 1]) / counted as f64
}

/// Cycles from the first step of a call alone to its last result.
pub fn latency(code: &Steps, window: Window) -> f64 {
    ends(code, window, 1, true)[0]
}

/// When the last result of each call is there.
fn ends(code: &Steps, window: Window, calls: usize, alone: bool) -> Vec<f64> {
    let mut busy: Vec<Resource> = vec![Resource::default(); window.resources];
    let mut left: Vec<f64> = Vec::new();
    let (mut enters, mut last) = (0.0f64, 0.0f64);
    let mut ends = Vec::new();
    for _ in 0..calls {
        let mut ready = vec![0.0f64; code.places];
        let mut end = 0.0f64;
        for step in &code.steps {
            if step.begins {
                let room = left.len().checked_sub(window.instructions).map_or(0.0, |first| left[first]);
                enters = room.max(enters + window.front);
                left.push(last);
            }
            let operands = step.reads.iter().map(|p| ready[*p as usize]).fold(enters, f64::max);
            let begins = begin(&mut busy, &code.costs[step.cost], operands);
            let mut done = begins + 1.0;
            for (place, cycles) in &step.writes {
                ready[*place as usize] = begins + cycles;
                done = done.max(begins + cycles);
            }
            last = last.max(done);
            end = end.max(done);
            if let Some(left) = left.last_mut() {
                *left = last;
            }
        }
        ends.push(if alone { end } else { last });
    }
    ends
}

/// Work that a resource has in each cycle.
#[derive(Clone, Debug, Default)]
struct Resource {
    used: Vec<f64>,
    /// Before that cycle it has no time left.
    full: usize,
}

impl Resource {
    fn fits(&self, cycle: usize) -> bool {
        self.used.get(cycle).is_none_or(|used| *used < 1.0 - LEFT)
    }

    fn add(&mut self, mut cycle: usize, mut units: f64) {
        while units > 0.0 {
            if self.used.len() <= cycle {
                self.used.resize(cycle + 1, 0.0);
            }
            let part = units.min(1.0 - self.used[cycle]);
            self.used[cycle] += part;
            units -= part;
            cycle += 1;
        }
        while !self.fits(self.full) {
            self.full += 1;
        }
    }
}

/// The first cycle from `from` on in which each resource has time, which it then spends.
fn begin(busy: &mut [Resource], uses: &[(usize, f64)], from: f64) -> f64 {
    let least = uses.iter().map(|(r, _)| busy[*r].full).max().unwrap_or(0);
    let mut cycle = least.max(from.floor() as usize);
    while !uses.iter().all(|(r, _)| busy[*r].fits(cycle)) {
        cycle += 1;
    }
    uses.iter().for_each(|(r, units)| busy[*r].add(cycle, *units));
    from.max(cycle as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORE: Window = Window { instructions: 100, front: 0.25, resources: 2 };

    /// Steps that each take one cycle of resource 0, or units of it, and give a place from others.
    fn code(steps: &[(&[Place], Place, f64)], units: f64) -> Steps {
        let step = |(reads, write, latency): &(&[Place], Place, f64)| Step {
            reads: reads.to_vec(),
            writes: vec![(*write, *latency)],
            cost: 0,
            begins: true,
        };
        Steps { steps: steps.iter().map(step).collect(), costs: vec![vec![(0, units)]], places: 16 }
    }

    #[test]
    fn a_chain_takes_its_latencies_and_many_what_the_resource_takes() {
        let chain = code(&[(&[0][..], 1, 3.0), (&[1], 2, 3.0), (&[2], 3, 3.0)], 1.0);
        assert_eq!(latency(&chain, CORE), 9.0 + CORE.front.floor() + CORE.front);
        assert!((throughput(&chain, CORE) - 3.0).abs() < 0.1);
        // Two a cycle; and what takes two cycles.
        assert!((throughput(&code(&[(&[][..], 1, 1.0); 8], 0.5), CORE) - 4.0).abs() < 0.3);
        assert!((throughput(&code(&[(&[][..], 1, 1.0); 4], 2.0), CORE) - 8.0).abs() < 0.2);
    }

    #[test]
    fn a_small_window_holds_calls_apart() {
        let chain: Vec<(&[Place], Place, f64)> = (0..10).map(|_| (&[1][..], 1, 3.0)).collect();
        let code = code(&chain, 0.1);
        let narrow = Window { instructions: 10, ..CORE };
        let (wide, narrow) = (throughput(&code, CORE), throughput(&code, narrow));
        assert!(wide < 8.0 && narrow > 15.0, "{wide} {narrow}");
    }
}
