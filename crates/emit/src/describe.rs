//! Contracts in words, for comments and readmes of any language: plain ASCII, one fact a line.

use evariste_ir::divsteps::Part;
use evariste_ir::range::pow2;
use evariste_ir::{
    Array, ArrayKind, BitMap, BitOf, Claim, Fact, Kernel, Modulo, Multiplication, Operand, Polynomial, Recurrence, Ring,
};
use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};

use crate::unit::Model;

/// A nonnegative integer as people write it: small in decimal, `2^k`, `2^k - 1`, else hexadecimal.
pub fn integer(x: &BigInt) -> String {
    let bits = x.bits();
    if x.is_negative() {
        return format!("-{}", integer(&-x));
    }
    if bits <= 16 {
        return x.to_string();
    }
    let power = |x: &BigInt| x == &pow2(x.bits() as u32 - 1);
    if power(x) {
        return format!("2^{}", bits - 1);
    }
    let above: BigInt = x + 1;
    if power(&above) {
        return format!("2^{bits} - 1");
    }
    format!("0x{x:x}")
}

/// `name < limit` for the greatest value `bound`, in multiples of the modulus when it is one.
pub fn bound(name: &str, bound: &BigInt, modulus: Option<&BigInt>) -> String {
    let limit: BigInt = bound + 1;
    if let Some(m) = modulus.filter(|m| !m.is_zero() && (&limit % *m).is_zero()) {
        let multiple: BigInt = &limit / m;
        return if multiple.is_one() { format!("{name} < m") } else { format!("{name} < {} m", integer(&multiple)) };
    }
    if limit.bits() > 16 && limit == pow2(limit.bits() as u32 - 1) {
        return format!("{name} < 2^{}", limit.bits() - 1);
    }
    format!("{name} <= {}", integer(bound))
}

fn modulus_of(kernel: &Kernel) -> Option<&BigInt> {
    kernel.contract.claims.iter().find_map(|c| match c {
        Claim::Value { modulus, .. } => modulus.as_ref().and_then(Modulo::constant),
        Claim::Power { product, .. } => product.modulus(),
        _ => None,
    })
}

fn polynomial(p: &Polynomial, names: &[&str]) -> String {
    let mut out = String::new();
    for (c, factors) in &p.0 {
        let size = c.abs();
        let factors: Vec<&str> = factors.iter().map(|i| names.get(*i as usize).copied().unwrap_or("?")).collect();
        let mut parts = Vec::new();
        if !size.is_one() || factors.is_empty() {
            parts.push(integer(&size));
        }
        let product = factors.join(" * ");
        if !product.is_empty() {
            parts.push(product);
        }
        let text = parts.join(" * ");
        out += match (out.is_empty(), c.is_negative()) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        out += &text;
    }
    if out.len() > LONGEST_POLYNOMIAL {
        let degree = p.0.iter().map(|(_, factors)| factors.len()).max().unwrap_or(0);
        return format!("a polynomial of {} terms of degree {degree}", p.0.len());
    }
    if out.is_empty() { "0".to_string() } else { out }
}

/// Characters up to which a polynomial is written out: of towers and points they have pages.
const LONGEST_POLYNOMIAL: usize = 400;

/// A part of division steps.
fn division_steps(part: Part, count: u32, names: &[&str]) -> String {
    let raised = if part == Part::Zeta { String::new() } else { format!(" + 2^{count}") };
    format!("{}{raised}, of {count} division steps from {}", part.name(), names[..3].join(", "))
}

/// The names of a step's variables: inputs, `s0`, `s1` and so on for the state, then bits as `k[254-i]`.
fn recurrence_names(inputs: &[&str], r: &Recurrence) -> Vec<String> {
    let bit = |b: &BitOf| {
        let sign = if b.stride < 0 { '-' } else { '+' };
        let by = if b.stride.abs() == 1 { String::new() } else { format!("{}*", b.stride.unsigned_abs()) };
        format!("{}[{}{sign}{by}i]", inputs.get(b.number as usize).copied().unwrap_or("?"), b.first)
    };
    let state = (0..r.step.len()).map(|i| format!("s{i}"));
    inputs.iter().map(|name| name.to_string()).chain(state).chain(r.bits.iter().map(bit)).collect()
}

/// What a recurrence does, from where.
fn iteration(recurrence: &Recurrence, names: &[&str]) -> String {
    let names: Vec<String> = recurrence_names(names, recurrence);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let list = |all: &[Polynomial]| all.iter().map(|p| polynomial(p, &names)).collect::<Vec<_>>().join(", ");
    let ring = match &recurrence.ring {
        Ring::Integers(m) => format!("mod {}", integer(m)),
        Ring::Bits(_) => "over GF(2)".to_string(),
    };
    let (step, start) = (list(&recurrence.step), list(&recurrence.start));
    format!("({ring}) after {} steps of s := ({step}), from s = ({start})", recurrence.count)
}

/// What the function computes, one line for each promise.
pub fn promises(kernel: &Kernel) -> Vec<String> {
    let names: Vec<&str> = kernel.contract.inputs.iter().map(|i| i.name.as_str()).collect();
    let input = |i: u32| names.get(i as usize).copied().unwrap_or("?");
    let mut lines = Vec::new();
    for claim in &kernel.contract.claims {
        let out = &claim.output().name;
        lines.push(match claim {
            Claim::Value { factor, polynomial: p, modulus, .. } => {
                let left = if factor.is_one() { out.clone() } else { format!("{} * {out}", integer(factor)) };
                let right = polynomial(p, &names);
                match modulus {
                    None => format!("{left} = {right}"),
                    Some(Modulo::Constant(_)) => format!("{left} = {right} (mod m)"),
                    Some(Modulo::Input(i)) => format!("{left} = {right} (mod {})", input(*i)),
                }
            }
            Claim::Equal { left, right: Some(right), .. } => {
                format!("{out} = 1 when {} = {}, else 0", input(*left), input(*right))
            }
            Claim::Equal { left, right: None, .. } => format!("{out} = 1 when {} = 0, else 0", input(*left)),
            Claim::Power { base, exponent, product, .. } => {
                let (base, exponent) = (input(*base), integer(&BigInt::from(exponent.clone())));
                match product {
                    Multiplication::Modular { factor, .. } if factor.is_one() => {
                        format!("{out} = {base}^({exponent}) (mod m)")
                    }
                    Multiplication::Modular { factor, .. } => {
                        format!("{out} / R = ({base} / R)^({exponent}) (mod m), R = {}", integer(factor))
                    }
                    Multiplication::Bits(_) => format!("{out} = {base}^({exponent}) (products over GF(2))"),
                }
            }
            Claim::Bits { map: BitMap::Linear(_), .. } => {
                let seen = kernel.contract.inputs.iter().flat_map(|o| kernel.seen(o));
                let names: Vec<String> = seen.map(|o| o.name).collect();
                format!("{out} = a fixed linear map over GF(2) of {}", names.join(" and "))
            }
            Claim::Bits { .. } => format!("{out} = {} (product over GF(2))", names.join(" * ")),
            Claim::Polynomial { polynomial: p, .. } => {
                format!("{out} = {} (products and sums over GF(2), constants as vectors)", polynomial(p, &names))
            }
            Claim::Iterate { recurrence, component, .. } => {
                format!("{out} = component {component} {}", iteration(recurrence, &names))
            }
            Claim::Divsteps { part, count, .. } => format!("{out} = {}", division_steps(*part, *count, &names)),
            Claim::Step { name, .. } => format!("{out} = one step of {name}"),
        });
    }
    if let Some(m) = modulus_of(kernel) {
        lines.push(format!("m = {}", integer(m)));
    }
    lines
}

/// How a number lies in its array, and its bound.
fn operand(kernel: &Kernel, o: &Operand, modulus: Option<&BigInt>) -> String {
    let seen = |a: Array| kernel.array(a).kind != ArrayKind::Ghost;
    let digits: Vec<_> = o.digits.iter().filter(|d| seen(d.array)).collect();
    let bits = digits.first().map_or(0, |d| kernel.array(d.array).ty.bits());
    // As they lie in the array, where the digits of a number need not: strings of bits have the highest first.
    let mut placed = digits.clone();
    if digits.iter().all(|d| d.array == digits[0].array) {
        placed.sort_by_key(|d| d.index);
    }
    let backward = placed.len() > 1 && placed.iter().zip(digits.iter().rev()).all(|(x, y)| x == y);
    let in_order = if backward { &digits } else { &placed };
    let weights: Vec<u32> = in_order.iter().map(|d| d.weight).collect();
    let radix = weights.get(1).map_or(0, |w| w - weights[0].min(*w));
    let regular = weights.iter().enumerate().all(|(i, w)| *w == i as u32 * radix);
    if bits == 1 && regular && radix <= 1 {
        let count = if digits.len() == 1 {
            "1 bit".to_string()
        } else {
            format!("{} bits, one a word, coordinate 0 first", digits.len())
        };
        return format!("{}: {count}", o.name);
    }
    let words = match digits.len() {
        1 => format!("1 word of {bits} bits"),
        n => format!("{n} words of {bits} bits"),
    };
    let place = match weights.len() {
        0 | 1 => String::new(),
        _ if regular => format!(", radix 2^{radix}, {} first", if backward { "highest" } else { "lowest" }),
        _ => format!(", of weights 2^({})", weights.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
    };
    let most = digits.iter().map(|d| &d.max).max();
    let each = match most {
        Some(max) if max + 1u32 != pow2(bits) && digits.len() > 1 => format!(", {}", bound("each", max, None)),
        _ => String::new(),
    };
    let unmasked = match digits.iter().find_map(|d| d.bits) {
        Some(k) => format!(", all but the top one modulo 2^{k}"),
        None => String::new(),
    };
    format!("{}: {words}{place}{each}{unmasked}; {}", o.name, bound(&o.name, &o.bound, modulus))
}

/// One line for each number: its representation and bound; inputs first. Then what the caller has to see to beyond
/// that.
pub fn numbers(kernel: &Kernel) -> Vec<String> {
    let modulus = modulus_of(kernel);
    let operands = kernel.contract.inputs.iter().chain(kernel.contract.claims.iter().map(Claim::output));
    let seen = operands.flat_map(|o| kernel.seen(o));
    seen.map(|o| operand(kernel, &o, modulus)).chain(needs(kernel)).collect()
}

/// The bounds by input numbers, and the facts that the caller guarantees, a line each.
fn needs(kernel: &Kernel) -> Vec<String> {
    let names: Vec<&str> = kernel.contract.inputs.iter().map(|i| i.name.as_str()).collect();
    let input = |i: u32| names.get(i as usize).copied().unwrap_or("?");
    let times = |f: &Fact| f.times.map(|i| format!(" * {}", input(i))).unwrap_or_default();
    let line = |f: &Fact| {
        format!(
            "Needed: {}{} = {} (mod {})",
            input(f.number),
            times(f),
            polynomial(&f.polynomial, &names),
            integer(&f.modulus)
        )
    };
    let operands = kernel
        .contract
        .inputs
        .iter()
        .map(|o| (o, "Needed"))
        .chain(kernel.contract.claims.iter().map(|c| (c.output(), "Given")));
    let below = operands.filter_map(|(o, role)| {
        let below = o.below?;
        let times = if below.multiple == 1 { String::new() } else { format!("{} * ", below.multiple) };
        Some(format!("{role}: {} < {times}{}", o.name, input(below.number)))
    });
    below.chain(kernel.contract.facts.iter().map(line)).collect()
}

/// What may overlap: one line.
pub fn aliasing(kernel: &Kernel, disjoint: impl Fn(Array, Array) -> bool) -> Option<String> {
    let visible: Vec<Array> = kernel.visible().collect();
    let mut may = Vec::new();
    for (i, p) in visible.iter().enumerate() {
        for (j, q) in visible.iter().enumerate() {
            let (written, other) =
                (kernel.array(*p).kind != ArrayKind::Input, kernel.array(*q).kind != ArrayKind::Input);
            if written && (!other || i < j) && i != j && !disjoint(*p, *q) {
                may.push(format!("{} and {}", kernel.array(*p).name, kernel.array(*q).name));
            }
        }
    }
    if visible.len() < 2 {
        None
    } else if may.is_empty() {
        Some("Arrays must not overlap.".to_string())
    } else {
        Some(format!("May be the same array: {}; arrays must not overlap otherwise.", may.join("; ")))
    }
}

/// What a function promises and needs, line by line.
pub fn facts(kernel: &Kernel) -> Vec<String> {
    facts_in(Model::of(kernel), kernel)
}

/// As [`facts`], in the model of the caller.
pub fn facts_in(model: Model, kernel: &Kernel) -> Vec<String> {
    let mut lines = promises(kernel);
    lines.extend(numbers(kernel));
    if model == Model::Lanes {
        lines
            .push("Bit-sliced: bit k of every word belongs to element k; EVARISTE_LANES elements at once.".to_string());
    }
    lines.extend(aliasing(kernel, |a, b| kernel.are_disjoint(a, b)));
    if kernel.vartime {
        lines.push("NOT constant-time: memory is read at secret indices.".to_string());
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_and_bounds() {
        let p = pow2(255) - 19;
        assert_eq!(integer(&BigInt::from(65535)), "65535");
        assert_eq!(integer(&pow2(64)), "2^64");
        assert_eq!(integer(&(pow2(64) - 1)), "2^64 - 1");
        assert_eq!(bound("a", &(&p - 1), Some(&p)), "a < m");
        assert_eq!(bound("a", &(&p * 2 - 1), Some(&p)), "a < 2 m");
        assert_eq!(bound("a", &(pow2(256) - 1), Some(&p)), "a < 2^256");
        assert_eq!(bound("a", &BigInt::from(1), None), "a <= 1");
    }
}
