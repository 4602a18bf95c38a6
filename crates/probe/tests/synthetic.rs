//! The fit on cores that are reckoned: what it finds must be true of them, and the same whatever the noise.

use std::convert::Infallible;

use evariste_probe::fit::{Fit, Subjects, fit};
use evariste_probe::observe::{Care, Mix, Observer};
use evariste_testing::Random;

/// A core: of each instruction the steps, each with the ports that can do it, as bits.
struct Machine {
    ports: u32,
    /// Slots of the front end a cycle.
    width: f64,
    steps: Vec<Vec<u32>>,
    /// The set of each instruction, which stands beside no other set's.
    sets: Vec<Option<u32>>,
}

impl Machine {
    fn subjects(&self) -> Subjects {
        Subjects { idle: vec![0.0; self.steps.len()], slot: Some(0), sets: self.sets.clone() }
    }

    /// Cycles of a mix where ports are shared out as well as can be: the busiest set of ports decides.
    fn cycles(&self, mix: &[(usize, f64)]) -> f64 {
        let subjects = self.subjects();
        assert!(mix.iter().all(|(i, _)| mix.iter().all(|(j, _)| subjects.meet(*i, *j))), "{mix:?} of {:?}", self.sets);
        let steps: f64 = mix.iter().map(|(i, count)| count * self.steps[*i].len().max(1) as f64).sum();
        let within = |set: u32| {
            let inside = |i: usize| self.steps[i].iter().filter(|ports| **ports & !set == 0).count() as f64;
            mix.iter().map(|(i, count)| count * inside(*i)).sum::<f64>() / f64::from(set.count_ones())
        };
        (1..1u32 << self.ports).map(within).fold(steps / self.width, f64::max)
    }
}

/// Cores of which instructions are known to be: some that take one port, some that share, some of two steps, and one that
/// takes a slot of the front end and nothing else. `apart`: some are of sets that meet no other.
fn machine(random: &mut Random, apart: bool) -> Machine {
    let ports = 4 + (random.word() % 4) as u32;
    let all = (1u32 << ports) - 1;
    // A few sets of ports, as cores have them, each of several instructions.
    let sets: Vec<u32> = (0..6).map(|_| ((random.word() as u32) & (random.word() as u32 | 5) & all).max(1)).collect();
    let mut steps: Vec<Vec<u32>> = vec![Vec::new()];
    for set in &sets {
        for _ in 0..1 + random.word() % 3 {
            steps.push(vec![*set]);
        }
    }
    // Two steps of two kinds.
    for _ in 0..2 {
        let pick = |r: u64| sets[r as usize % sets.len()];
        steps.push(vec![pick(random.word()), pick(random.word())]);
    }
    let set = |word: u64| (!word.is_multiple_of(3)).then_some(word as u32 % 2);
    let mut sets: Vec<Option<u32>> = steps.iter().map(|_| apart.then(|| set(random.word() >> 8)).flatten()).collect();
    sets[0] = None;
    Machine { ports, width: f64::from(ports) + 2.0, steps, sets }
}

/// What a bench would see of it: a little more than the truth, now and then much more.
struct Noisy<'m> {
    machine: &'m Machine,
    random: Random,
}

impl Observer for Noisy<'_> {
    type Error = Infallible;

    fn cycles(&mut self, mixes: &[Mix], care: Care) -> Result<Vec<f64>, Infallible> {
        let runs = if care == Care::Quick { 12 } else { 36 };
        let see = |mix: &Mix| {
            let counts = mix.base.iter().map(|i| (*i, mix.times as f64)).chain(mix.other.map(|i| (i, 1.0)));
            let truth = self.machine.cycles(&counts.collect::<Vec<_>>());
            let one = |random: &mut Random| {
                let part = |random: &mut Random| (random.word() % 1000) as f64 / 1000.0;
                let disturbed = if random.word().is_multiple_of(5) { 0.4 * part(random) } else { 0.0 };
                truth * (0.995 + 0.015 * part(random) + disturbed)
            };
            (0..runs).map(|_| one(&mut self.random)).fold(f64::MAX, f64::min)
        };
        Ok(mixes.iter().map(see).collect())
    }
}

fn seen(machine: &Machine, seed: u64) -> Fit {
    let Ok(fit) = fit(&mut Noisy { machine, random: Random(seed) }, &machine.subjects());
    fit
}

/// What a table says of a mix.
fn said(fit: &Fit, mix: &[(usize, f64)]) -> f64 {
    let sum = |uses: &[f64]| mix.iter().map(|(i, count)| uses[*i] * count).sum();
    fit.resources.iter().map(|r| sum(&r.uses)).fold(0.0, f64::max)
}

#[test]
fn resources_are_lower_bounds_explain_pairs_and_do_not_depend_on_noise() {
    let (mut pairs, mut explained, mut mixes, mut equal) = (0, 0, 0, 0);
    for number in 0..60 {
        let mut random = Random(0x9e37 + number);
        let machine = machine(&mut random, number % 2 == 1);
        let subjects = machine.subjects();
        let [one, other] = [1, 2].map(|seed| seen(&machine, 1000 * number + seed));
        pairs += one.pairs.len();
        explained += one.explained().count();
        for _ in 0..40 {
            let pick =
                |random: &mut Random| (random.word() as usize % machine.steps.len(), 1.0 + (random.word() % 8) as f64);
            let mut mix: Vec<(usize, f64)> = Vec::new();
            for _ in 0..2 + random.word() % 5 {
                let one = pick(&mut random);
                mix.extend(mix.iter().all(|(i, _)| subjects.meet(*i, one.0)).then_some(one));
            }
            let truth = machine.cycles(&mix);
            let bounds = [&one, &other].map(|fit| said(fit, &mix));
            for (bound, fit) in bounds.into_iter().zip([&one, &other]) {
                if bound > 1.09 * truth {
                    for r in &fit.resources {
                        println!("{:?} {:.3?}", r.by, r.uses);
                    }
                    println!("{:?}", mix);
                }
                assert!(
                    bound <= 1.09 * truth,
                    "machine {number}: {bound} for {truth} of {mix:?} by {:?}",
                    machine.steps
                );
            }
            mixes += 1;
            equal += usize::from((bounds[0] / bounds[1] - 1.0).abs() <= 0.05);
        }
    }
    println!("{explained} of {pairs} pairs explained; {equal} of {mixes} bounds alike");
    assert!(100 * explained >= 97 * pairs, "{explained} of {pairs} pairs explained");
    assert!(100 * equal >= 99 * mixes, "{equal} of {mixes} bounds alike");
}
