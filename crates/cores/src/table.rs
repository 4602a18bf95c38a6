//! The table of a core.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::fingerprint::Fingerprint;

/// What one instruction costs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Cycles a copy, of many independent ones.
    pub cycles: f64,
    /// Cycles from an operand to the result; of a product, to its low word.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency: Option<f64>,
    /// Units of work, by resource; those that are not named are not used.
    #[serde(default)]
    pub uses: BTreeMap<String, f64>,
}

/// A core's table.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Core {
    /// The core's name, as people say it.
    pub name: String,
    /// The instruction set.
    pub architecture: String,
    /// The processor that it was measured on.
    pub processor: String,
    /// Where the numbers are from.
    pub source: String,
    /// The day of the measurement, `2026-11-22`; none for published numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measured: Option<String>,
    /// Instructions that are in flight at once: how many additions may stand between two loads that still overlap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u32>,
    /// What LLVM calls the core, where it has a scheduling model of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub llvm: Option<String>,
    /// Names of the resources, the most used first.
    pub resources: Vec<String>,
    /// A few ratios by which the core is known again.
    #[serde(default)]
    pub fingerprint: Fingerprint,
    /// Costs, by the instruction's name: its mnemonic, for vectors with the kind of register (`vpaddq.ymm`).
    pub costs: BTreeMap<String, Cost>,
}

/// How long code takes at least, and why.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Load<'c> {
    /// Cycles.
    pub cycles: f64,
    /// The busiest resource; `None` when nothing is used.
    pub resource: Option<&'c str>,
}

impl Core {
    /// The cost of an instruction, if the table has it.
    pub fn cost(&self, instruction: &str) -> Option<&Cost> {
        self.costs.get(instruction)
    }

    /// What the cheapest of these instructions asks of each resource: no code of one of them asks less. Those that the
    /// table lacks are left out.
    pub fn least(&self, instructions: &[&str]) -> BTreeMap<&str, f64> {
        let known: Vec<&Cost> = instructions.iter().filter_map(|name| self.cost(name)).collect();
        let units = |cost: &&Cost, resource: &String| cost.uses.get(resource).copied().unwrap_or(0.0);
        let least = |resource: &String| known.iter().map(|cost| units(cost, resource)).reduce(f64::min).unwrap_or(0.0);
        self.resources.iter().map(|r| (r.as_str(), least(r))).filter(|(_, units)| *units > 0.0).collect()
    }

    /// Cycles of each resource for a mix of instructions, in the table's order. An instruction that the table lacks costs
    /// nothing: the sum stays a lower bound.
    pub fn loads<'c, 'm>(&'c self, mix: impl IntoIterator<Item = (&'m str, f64)>) -> Vec<Load<'c>> {
        self.sums(mix.into_iter().map(|(name, count)| (self.least(&[name]), count)))
    }

    /// Cycles of each resource for what asks so many units of each so often, in the table's order.
    pub fn sums<'c>(&'c self, uses: impl IntoIterator<Item = (BTreeMap<&'c str, f64>, f64)>) -> Vec<Load<'c>> {
        let mut cycles: BTreeMap<&str, f64> = BTreeMap::new();
        for (uses, count) in uses {
            for (resource, units) in uses {
                *cycles.entry(resource).or_default() += units * count;
            }
        }
        let of = |name: &'c String| Load {
            cycles: cycles.get(name.as_str()).copied().unwrap_or(0.0),
            resource: Some(name.as_str()),
        };
        self.resources.iter().map(of).collect()
    }

    /// Cycles of a mix by its busiest resource.
    pub fn load<'c, 'm>(&'c self, mix: impl IntoIterator<Item = (&'m str, f64)>) -> Load<'c> {
        // Of equal ones the first.
        self.loads(mix)
            .into_iter()
            .rev()
            .filter(|load| load.cycles > 0.0)
            .max_by(|a, b| a.cycles.total_cmp(&b.cycles))
            .unwrap_or(Load { cycles: 0.0, resource: None })
    }
}
