//! A contract in one line, for tables: `a, b < p → out < p, R·out ≡ a·b`. Of elements with many coordinates the line has
//! the first claims, and what the others are more; of long polynomials it has the terms' number and degree.

use evariste_ir::{Claim, Kernel, Modulo, Multiplication, Operand, Polynomial};
use num_bigint::BigInt;
use num_traits::{One, Zero};

/// Claims up to which all are shown, and names up to which all are listed.
const MOST_CLAIMS: usize = 3;
const MOST_NAMES: usize = 6;
/// Characters up to which a polynomial is written out.
const LONGEST_POLYNOMIAL: usize = 120;

/// The line.
pub fn contract_line(kernel: &Kernel) -> String {
    let contract = &kernel.contract;
    let modulus = contract.claims.iter().find_map(|c| match c {
        Claim::Value { modulus, .. } => modulus.as_ref().and_then(Modulo::constant).cloned(),
        Claim::Power { product, .. } => product.modulus().cloned(),
        _ => None,
    });
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    let names: Vec<&str> = contract.inputs.iter().map(|o| o.name.as_str()).collect();
    let seen: Vec<Operand> = contract.inputs.iter().flat_map(|o| kernel.seen(o)).collect();
    for operand in &seen {
        let bound = bound(operand, modulus.as_ref(), &names);
        match groups.iter_mut().find(|(b, _)| *b == bound) {
            Some((_, names)) => names.push(&operand.name),
            None => groups.push((bound, vec![&operand.name])),
        }
    }
    let inputs: Vec<String> = groups.iter().map(|(bound, names)| format!("{} {bound}", listed(names))).collect();
    let shown = if contract.claims.len() > MOST_CLAIMS { 1 } else { contract.claims.len() };
    let claim = |c: &Claim| claim_line(c, &names, &seen, modulus.as_ref());
    let mut claims: Vec<String> = contract.claims.iter().take(shown).map(claim).collect();
    if contract.claims.len() > shown {
        claims.push(format!("and so {} more coordinates", contract.claims.len() - shown));
    }
    // A run-time modulus is odd, and its inverse is that number's: said of products of inputs only, which no bound hints
    // at.
    let facts = contract.facts.iter().filter_map(|f| {
        let (x, y) = (names.get(f.number as usize)?, names.get(f.times? as usize)?);
        Some(format!(", {x}·{y} ≡ {} mod {}", polynomial_text(&f.polynomial, &names), power(&f.modulus)))
    });
    format!("{}{} → {}", inputs.join(", "), facts.collect::<String>(), claims.join("; "))
}

/// Names, of many the first and the last of each letter: `a0 … a11, b0 … b11`.
fn listed(names: &[&str]) -> String {
    if names.len() <= MOST_NAMES {
        return names.join(", ");
    }
    let letter = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let runs = names.chunk_by(|a, b| letter(a) == letter(b));
    let text = |run: &[&str]| match run {
        [first, .., last] => format!("{first} … {last}"),
        other => other.join(", "),
    };
    runs.map(text).collect::<Vec<_>>().join(", ")
}

fn claim_line(claim: &Claim, names: &[&str], seen: &[Operand], modulus: Option<&BigInt>) -> String {
    let output = claim.output();
    let out = format!("{} {}", output.name, bound(output, modulus, names));
    let name = |i: u32| names.get(i as usize).copied().unwrap_or("?");
    match claim {
        Claim::Value { factor, polynomial, modulus: m, .. } => {
            let factor = if factor.is_one() { String::new() } else { format!("{}·", power(factor)) };
            let relation = if m.is_some() { "≡" } else { "=" };
            let by = if let Some(Modulo::Input(i)) = m { format!(" mod {}", name(*i)) } else { String::new() };
            format!("{out}, {factor}{} {relation} {}{by}", output.name, polynomial_text(polynomial, names))
        }
        Claim::Equal { left, right: Some(right), .. } => {
            format!("{} = [{} = {}]", output.name, name(*left), name(*right))
        }
        Claim::Equal { left, right: None, .. } => format!("{} = [{} = 0]", output.name, name(*left)),
        Claim::Power { base, exponent, product, .. } => {
            let text = exponent.to_string();
            let (base, exponent) = (name(*base), if text.len() > 12 { "e".to_string() } else { text });
            match product {
                Multiplication::Modular { factor, .. } if factor.is_one() => {
                    format!("{out}, {} ≡ {base}^{exponent}", output.name)
                }
                Multiplication::Modular { .. } => format!("{out}, {}/R ≡ ({base}/R)^{exponent}", output.name),
                Multiplication::Bits(_) => format!("{} = {base}^{exponent}", output.name),
            }
        }
        Claim::Bits { .. } => {
            let seen: Vec<&str> = seen.iter().map(|o| o.name.as_str()).collect();
            format!("{} = map({})", output.name, seen.join(", "))
        }
        Claim::Polynomial { polynomial, .. } => {
            format!("{} = {}, over GF(2)", output.name, polynomial_text(polynomial, names))
        }
        Claim::Iterate { recurrence, component, .. } => {
            format!("{out}, component {component} of a recurrence of {} steps", recurrence.count)
        }
        Claim::Divsteps { part, count, .. } => format!("{out}, {} of {count} division steps", part.name()),
        Claim::Step { name, .. } => format!("{out}, one step of {name}"),
    }
}

/// `< modulus`, `< p`, `< 2p`, `< 2^256`, else `≤ 0x…`; digits that may exceed their radix are said to be loose.
fn bound(operand: &Operand, modulus: Option<&BigInt>, names: &[&str]) -> String {
    if let Some(below) = operand.below {
        let name = names.get(below.number as usize).unwrap_or(&"?");
        return if below.multiple == 1 { format!("< {name}") } else { format!("< {}·{name}", below.multiple) };
    }
    let above: BigInt = &operand.bound + 1;
    if let Some(p) = modulus
        && (&above % p).is_zero()
        && &above / p <= BigInt::from(64)
    {
        let k: BigInt = &above / p;
        return if k.is_one() { "< p".into() } else { format!("< {k}p") };
    }
    if above.magnitude().count_ones() == 1 {
        return format!("< {}", power(&above));
    }
    format!("≤ {:.3}·2^{}", leading(&operand.bound), operand.bound.bits().saturating_sub(1))
}

/// The value scaled to [1, 2), rounded up in the third place.
fn leading(x: &BigInt) -> f64 {
    let bits = x.bits();
    let scaled = if bits > 40 { x >> (bits - 40) } else { x << (40 - bits) };
    let scaled: f64 = scaled.to_string().parse().unwrap_or(0.0);
    (scaled / (1u64 << 39) as f64 * 1000.0).ceil() / 1000.0
}

fn power(x: &BigInt) -> String {
    if x.magnitude().count_ones() == 1 && !x.is_one() { format!("2^{}", x.bits() - 1) } else { format!("{x}") }
}

fn polynomial_text(polynomial: &Polynomial, names: &[&str]) -> String {
    let mut text = String::new();
    for (c, factors) in &polynomial.0 {
        let negative = c.sign() == num_bigint::Sign::Minus;
        text += match (text.is_empty(), negative) {
            (true, true) => "−",
            (true, false) => "",
            (false, true) => " − ",
            (false, false) => " + ",
        };
        let magnitude = BigInt::from(c.magnitude().clone());
        let product: Vec<&str> = factors.iter().map(|i| names.get(*i as usize).copied().unwrap_or("?")).collect();
        text += &match (magnitude.is_one() && !product.is_empty(), product.is_empty()) {
            (true, _) => product.join("·"),
            (false, true) => power(&magnitude),
            (false, false) => format!("{}·{}", power(&magnitude), product.join("·")),
        };
    }
    if text.chars().count() > LONGEST_POLYNOMIAL {
        let degree = polynomial.0.iter().map(|(_, factors)| factors.len()).max().unwrap_or(0);
        return format!("a polynomial of {} terms of degree {degree}", polynomial.0.len());
    }
    if text.is_empty() { "0".into() } else { text }
}
