//! Tables as text: TOML that is read with care, since a file may hold anything.

use thiserror::Error;

use crate::table::Core;

/// Longest text that is read, in bytes.
pub const LONGEST: usize = 1 << 20;
/// Longest name of a core, a resource or an instruction.
pub const LONGEST_NAME: usize = 60;
/// The most resources and instructions that a table may have.
const MOST: [usize; 2] = [64, 4096];
/// Cycles beyond which a number is not believed.
const SLOWEST: f64 = 1000.0;

/// Why a text is no table.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum CoreError {
    /// Longer than any table.
    #[error("{0} bytes are too long for a core's table: {LONGEST} are the most")]
    Long(usize),
    /// No TOML, or not these keys.
    #[error("not a core's table: {0}")]
    Syntax(String),
    /// A name that is none.
    #[error(
        "`{0}` is no name: letters, digits and ` ._-+/(),:@` make one, up to {LONGEST_NAME} of them (200 in lines)"
    )]
    Name(String),
    /// A number that no core has.
    #[error("{what} is {value}: a number from 0 to {SLOWEST} is wanted")]
    Number {
        /// What it says.
        what: String,
        /// The number.
        value: String,
    },
    /// A ratio by which no core is known: nothing can be compared with it.
    #[error("{what} is {value}: a number above 0 is wanted, of at most {SLOWEST}")]
    Ratio {
        /// What it says.
        what: String,
        /// The number.
        value: String,
    },
    /// A resource that is not in the list.
    #[error("`{instruction}` uses `{resource}`, which is not among the resources")]
    Resource {
        /// The instruction.
        instruction: String,
        /// The resource.
        resource: String,
    },
    /// More than any core has, or nothing at all.
    #[error("{count} {what}: 1 to {most} are wanted")]
    Count {
        /// What.
        what: &'static str,
        /// How many.
        count: usize,
        /// The most.
        most: usize,
    },
    /// The same resource twice.
    #[error("the resource `{0}` is there twice")]
    Twice(String),
}

impl Core {
    /// Reads a table.
    ///
    /// # Errors
    /// Whatever is not a table: syntax, unknown keys, names that are none, numbers below 0, above a thousand cycles or
    /// not finite, resources that are not in the list.
    pub fn parse(text: &str) -> Result<Core, CoreError> {
        if text.len() > LONGEST {
            return Err(CoreError::Long(text.len()));
        }
        let core: Core = toml::from_str(text).map_err(|e| CoreError::Syntax(e.message().to_string()))?;
        core.validate()?;
        Ok(core)
    }

    fn validate(&self) -> Result<(), CoreError> {
        let lengths = [("resources", self.resources.len(), MOST[0]), ("instructions", self.costs.len(), MOST[1])];
        for (what, count, most) in lengths {
            if count == 0 || count > most {
                return Err(CoreError::Count { what, count, most });
            }
        }
        let header = [&self.name, &self.architecture];
        let names = header
            .into_iter()
            .chain(&self.llvm)
            .chain(&self.resources)
            .chain(self.costs.keys())
            .chain(self.fingerprint.keys());
        for name in names {
            is_name(name, LONGEST_NAME)?;
        }
        for text in [&self.processor, &self.source].into_iter().chain(&self.measured) {
            is_name(text, 200)?;
        }
        let mut sorted = self.resources.clone();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(CoreError::Twice(pair[0].clone()));
        }
        for (name, ratio) in &self.fingerprint {
            if !(f64::MIN_POSITIVE..=SLOWEST).contains(ratio) {
                return Err(CoreError::Ratio { what: format!("the fingerprint's `{name}`"), value: ratio.to_string() });
            }
        }
        for (name, cost) in &self.costs {
            is_number(|| format!("`{name}`"), cost.cycles)?;
            is_number(|| format!("the latency of `{name}`"), cost.latency.unwrap_or(0.0))?;
            for (resource, units) in &cost.uses {
                is_number(|| format!("`{name}` on `{resource}`"), *units)?;
                if sorted.binary_search(resource).is_err() {
                    return Err(CoreError::Resource { instruction: name.clone(), resource: resource.clone() });
                }
            }
        }
        Ok(())
    }

    /// The table as text: what [`Core::parse`] reads, an instruction a line.
    pub fn to_text(&self) -> String {
        let quoted = |text: &str| toml::Value::String(text.into()).to_string();
        let mut text = String::new();
        for (key, value) in [("name", &self.name), ("architecture", &self.architecture), ("processor", &self.processor)]
        {
            text += &format!("{key} = {}\n", quoted(value));
        }
        text += &format!("source = {}\n", quoted(&self.source));
        if let Some(day) = &self.measured {
            text += &format!("measured = {}\n", quoted(day));
        }
        if let Some(window) = self.window {
            text += &format!("window = {window}\n");
        }
        if let Some(llvm) = &self.llvm {
            text += &format!("llvm = {}\n", quoted(llvm));
        }
        let resources: Vec<String> = self.resources.iter().map(|r| quoted(r)).collect();
        text += &format!("resources = [{}]\n\n[fingerprint]\n", resources.join(", "));
        for (name, ratio) in &self.fingerprint {
            text += &format!("{} = {}\n", quoted(name), number(*ratio));
        }
        text += "\n[costs]\n";
        for (name, cost) in &self.costs {
            let latency = cost.latency.map_or(String::new(), |l| format!(", latency = {}", number(l)));
            let uses: Vec<String> = self
                .resources
                .iter()
                .filter_map(|r| cost.uses.get(r).map(|units| format!("{} = {}", quoted(r), number(*units))))
                .collect();
            let uses = if uses.is_empty() { "{}".to_string() } else { format!("{{ {} }}", uses.join(", ")) };
            text += &format!("{} = {{ cycles = {}{latency}, uses = {uses} }}\n", quoted(name), number(cost.cycles));
        }
        text
    }
}

/// Two places, and at least one.
fn number(x: f64) -> String {
    let text = format!("{x:.3}");
    let short = text.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_string() }
}

/// May a name or a line of a table hold it?
pub fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || " ._-+/(),:@`".contains(c)
}

fn is_name(name: &str, most: usize) -> Result<(), CoreError> {
    if name.is_empty() || name.len() > most || !name.chars().all(is_plain) {
        return Err(CoreError::Name(name.chars().take(80).collect()));
    }
    Ok(())
}

fn is_number(what: impl Fn() -> String, x: f64) -> Result<(), CoreError> {
    if !x.is_finite() || !(0.0..=SLOWEST).contains(&x) {
        return Err(CoreError::Number { what: what(), value: x.to_string() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shipped;

    #[test]
    fn tables_read_back() {
        for core in shipped() {
            assert_eq!(Core::parse(&core.to_text()).as_ref(), Ok(&**core), "{}", core.name);
        }
    }

    #[test]
    fn what_is_no_table_is_refused() {
        let good = shipped()[0].to_text();
        let resource = |error: &CoreError| matches!(error, CoreError::Resource { .. });
        let number = |error: &CoreError| matches!(error, CoreError::Number { .. });
        let name = |error: &CoreError| matches!(error, CoreError::Name(_));
        let syntax = |error: &CoreError| matches!(error, CoreError::Syntax(_));
        let ratio = |error: &CoreError| error.to_string().contains(": a number above 0 is wanted, of at most 1000");
        let cases: [(&str, &str, fn(&CoreError) -> bool); 11] = [
            ("\"loads\", ", "", resource),
            ("\"loads\", ", "\"loads\", \"loads\", ", |error| matches!(error, CoreError::Twice(_))),
            ("cycles = 1.0", "cycles = 1e9", number),
            ("latency = 3.0", "latency = -1", number),
            ("[fingerprint]\n", "[fingerprint]\n\"other\" = 0.0\n", ratio),
            ("[fingerprint]\n", "[fingerprint]\n\"other\" = -1.0\n", ratio),
            ("[fingerprint]\n", "[fingerprint]\n\"other\" = 1001.0\n", ratio),
            ("name = \"Golden Cove\"", "name = \"\"", name),
            ("name = \"Golden Cove\"", "name = \"\\u0007\"", name),
            ("[fingerprint]", "[fingerprints]", syntax),
            ("[costs]", "[costs", syntax),
        ];
        for (from, to, expected) in cases {
            let bad = good.replacen(from, to, 1);
            assert_ne!(bad, good, "{from} is not in the table");
            let error = Core::parse(&bad).expect_err(to);
            assert!(expected(&error), "{from} → {to}: {error:?}");
        }
        assert_eq!(Core::parse(&"#".repeat(LONGEST + 1)), Err(CoreError::Long(LONGEST + 1)));
    }

    #[test]
    fn bounds_are_those_of_the_busiest_resource() {
        let core = &shipped()[0];
        let load = core.load([("mulx", 3.0), ("add", 4.0), ("unheard of", 1000.0)]);
        assert_eq!((load.cycles, load.resource.map(|busiest| core.costs["mulx"].uses[busiest])), (3.0, Some(1.0)));
        assert_eq!(core.load([("unheard of", 1.0)]).resource, None);
    }
}
