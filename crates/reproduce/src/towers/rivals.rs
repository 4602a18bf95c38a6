//! Toom-Cook with i beside Karatsuba, and its square beside Chung and Hasan's, over one prime after the other.

use evariste_algorithms::{Operation, Plan};

use crate::figure::Comparison;
use crate::plans::Timed;

/// Products against additions in Fp beyond which Toom-3i is ahead of Karatsuba by the counts over Fp2: 3m > 17a.
const BREAK_EVEN: f64 = 17.0 / 3.0;

/// Two sides of one operation.
struct Contest {
    operation: Operation,
    one: &'static str,
    others: &'static [&'static str],
}

/// How many there are.
const COUNT: usize = 2;

/// The first has the counts of [`BREAK_EVEN`].
static CONTESTS: [Contest; COUNT] = [
    Contest { operation: Operation::MUL, one: "toom-3i", others: &["karatsuba-3-shared"] },
    Contest {
        operation: Operation::SQUARE,
        one: "toom-3i-square",
        others: &["chung-hasan-1", "chung-hasan-2", "chung-hasan-3", "chung-hasan-3x"],
    },
];

/// Is the plan's formula one of those that are compared?
pub fn takes_part(plan: &Plan) -> bool {
    let (formula, _) = name(plan);
    CONTESTS.iter().any(|contest| {
        contest.operation == plan.operation && (contest.one == formula || contest.others.contains(&formula))
    })
}

/// A plan's formula, and whether its sums are reduced late.
pub fn name(plan: &Plan) -> (&str, bool) {
    let whole = plan.algorithm.trim_end_matches("-calls").trim_end_matches("-nested");
    (whole.trim_end_matches("-lazy"), whole.ends_with("-lazy"))
}

/// What was measured over one prime.
pub struct Rivalry {
    bits: u32,
    /// Cycles of a product and of a sum in Fp.
    ground: [f64; 2],
    /// Of each contest, with sums reduced at once and late: cycles of the one, and the best of the others with its name.
    cycles: [[Option<(f64, f64, String)>; 2]; COUNT],
}

impl Rivalry {
    /// From times in the tower, and of a product and a sum in its prime field.
    pub fn of(bits: u32, times: &[Timed], ground: &[Timed]) -> Option<Rivalry> {
        let of = |operation: &Operation| ground.iter().find(|t| t.plan.operation == *operation).map(|t| t.cycles);
        let least = |contest: &Contest, formula: &str, late: bool| {
            let own = |t: &&Timed| t.plan.operation == contest.operation && name(&t.plan) == (formula, late);
            times.iter().filter(own).map(|t| t.cycles).min_by(f64::total_cmp)
        };
        let both = |contest: &Contest, late: bool| {
            let others = contest.others.iter().filter_map(|other| Some((least(contest, other, late)?, *other)));
            let (cycles, other) = others.min_by(|a, b| a.0.total_cmp(&b.0))?;
            Some((least(contest, contest.one, late)?, cycles, other.to_string()))
        };
        let cycles = CONTESTS.each_ref().map(|contest| [false, true].map(|late| both(contest, late)));
        Some(Rivalry { bits, ground: [of(&Operation::MUL)?, of(&Operation::ADD)?], cycles })
    }

    /// A product over a sum in Fp.
    fn ratio(&self) -> f64 {
        self.ground[0] / self.ground[1]
    }

    /// The m/a at which both would take as long, were all else as it was measured: three products are saved for what the
    /// one takes more without them.
    fn even(&self) -> Option<f64> {
        let (toom, karatsuba, _) = self.cycles[0][0].as_ref()?;
        let [m, a] = self.ground;
        Some((toom - karatsuba + 3.0 * m) / (3.0 * a))
    }

    /// A row for each contest.
    pub fn comparisons(&self, title: &str) -> Vec<Comparison> {
        let by_counts = if self.ratio() > BREAK_EVEN { "ahead" } else { "behind" };
        let published = [format!("{by_counts} by the counts (m/a > {BREAK_EVEN:.1})"), "may be ahead".into()];
        let row = |(at, published): (usize, String)| {
            let (contest, cycles) = (&CONTESTS[at], &self.cycles[at]);
            let said = ["each product reduced", "reduced late"].iter().zip(cycles).filter_map(|(how, cycles)| {
                let (one, other, name) = cycles.as_ref()?;
                let verdict = if one < other { "ahead" } else { "behind" };
                let name = if contest.others.len() > 1 { format!(" of {name}") } else { String::new() };
                Some(format!("× {:.2}{name}, {verdict} ({how})", other / one))
            });
            let mut said: Vec<String> = said.collect();
            if said.is_empty() {
                said.push("not measured".into());
            }
            if let Some(even) = self.even().filter(|_| at == 0) {
                said.push(format!("as quick at m/a = {even:.1}, were all else alike"));
            }
            let (bits, ratio, others) = (self.bits, self.ratio(), contest.others.join(", "));
            let others = if contest.others.len() > 1 { format!("the best of {others}") } else { others };
            Comparison {
                what: format!("{title}, {bits} bits, m/a = {ratio:.1}: {} over {others}", contest.one),
                published,
                ours: format!("speed {}", said.join("; ")),
            }
        };
        published.into_iter().enumerate().map(row).collect()
    }
}

/// The ratio m/a at which both take as long: between the primes on either side, by a straight line.
pub fn break_even(title: &str, rivals: &[Rivalry]) -> Comparison {
    let of = |late: usize| {
        let advantage = |r: &Rivalry| {
            let (toom, karatsuba, _) = r.cycles[0][late].as_ref()?;
            Some((r.ratio(), karatsuba / toom - 1.0))
        };
        let mut all: Vec<(f64, f64)> = rivals.iter().filter_map(advantage).collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let crossing = all.windows(2).find(|two| (two[0].1 < 0.0) != (two[1].1 < 0.0));
        match (crossing, all.first(), all.last()) {
            (Some(&[(x, y), (z, w)]), ..) => format!("{:.1}", x + (z - x) * y / (y - w)),
            (_, Some((least, y)), Some((most, _))) => {
                let how = if *y < 0.0 { "behind" } else { "ahead" };
                format!("none, {how} at m/a from {least:.1} to {most:.1}")
            }
            _ => "not measured".into(),
        }
    };
    Comparison {
        what: format!("{title}: m/a where {} takes as long as {}", CONTESTS[0].one, CONTESTS[0].others[0]),
        published: format!("{BREAK_EVEN:.1} by the counts"),
        ours: format!("{} (each product reduced); {} (reduced late)", of(0), of(1)),
    }
}
