//! The grammar of towers: a name (`bls12-381-fp12`), or a prime field or a named tower and floors above it:
//! `bls12-381-fp[u]/(u^2+1)[v]/(v^3-(1+u))`, `p256[w]/(w^2-w+1)`. A floor is a variable and a monic polynomial in it,
//! whose coefficients are numbers and the variables before it. Its polynomial is irreducible, or the error names a factor.

use std::ops::Range;

use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::One;

use super::again::again;
use super::names::{NamedTower, by_floors, by_name};
use super::ring::{Element, Ring, is_zero};
use super::{MAXIMUM_TOWER_BITS, MAXIMUM_TOWER_DEGREE, Tower, irreducible, text};
use crate::algebra;
use crate::kind::Kind;
use crate::kinds::modulus::Modulus;
use crate::lexer::quoted;
use crate::lists::trimmed;
use crate::{Diagnostic, Field, Structure};

/// Towers.
pub(crate) const KIND: Kind = Kind {
    what: "towers of extensions of a prime field",
    example: "2^61-1[u]/(u^2+1)[v]/(v^3-(2+u))",
    again: Some(again),
    parse,
};

/// How a floor is written.
const FLOOR: &str = "write a floor as a variable and its polynomial: bls12-381-fp[u]/(u^2+1)";

fn parse(text: &str, within: Range<usize>) -> Option<Result<Field, Diagnostic>> {
    let trimmed = &text[within.clone()];
    if let Some(named) = by_name(trimmed) {
        return Some(Ok(Field::new(tower_of(named))));
    }
    let open = trimmed.find('[')?;
    (!trimmed[..open].trim().is_empty() && trimmed[open..].contains(']'))
        .then(|| described(text, within.clone(), within.start + open))
}

/// A tower of the table; its polynomials are known to be irreducible.
fn tower_of(named: &'static NamedTower) -> Tower {
    let base = Field::parse(named.base).ok().and_then(|field| field.get::<Modulus>().cloned());
    let base = base.unwrap_or_else(|| unreachable!("the table's bases are named moduli"));
    let mut tower = Tower { ring: Ring::new(base.value.clone()), base, floors: String::new(), named: Some(named) };
    let end = named.floors.len();
    match floors(&mut tower, named.floors, 0..end, false) {
        Ok(()) => tower,
        Err(error) => unreachable!("the table's floors can be read: {error}"),
    }
}

/// The tower of a base before `open` and floors from there.
fn described(text: &str, within: Range<usize>, open: usize) -> Result<Field, Diagnostic> {
    let at = trimmed(text, within.start..open);
    let base = Field::parse(&text[at.clone()]).map_err(|error| error.inside(text, at.start))?;
    let error = |message: String| {
        Diagnostic::new(text, at.clone(), message)
            .with_help("write a prime, a named one (bls12-381-fp) or a named tower (bls12-381-fp2) before the first [")
    };
    let mut tower = match (base.get::<Modulus>(), base.get::<Tower>()) {
        (Some(modulus), _) if !modulus.prime => {
            return Err(error(format!("a tower stands on a field, and {} is not prime", base.called())));
        }
        (Some(modulus), _) if modulus.bits > MAXIMUM_TOWER_BITS => {
            let message = format!("towers stand on primes of at most {MAXIMUM_TOWER_BITS} bits, not {}", modulus.bits);
            return Err(error(message));
        }
        (Some(modulus), _) => {
            Tower { ring: Ring::new(modulus.value.clone()), base: modulus.clone(), floors: String::new(), named: None }
        }
        (_, Some(tower)) => tower.clone(),
        _ => return Err(error(format!("a tower stands on a prime field, and {} is none", base.called()))),
    };
    floors(&mut tower, text, open..within.end, true)?;
    tower.named = by_floors(&tower.base.called(), &tower.floors);
    Ok(Field::new(tower))
}

/// Adds the floors at `within`.
fn floors(tower: &mut Tower, text: &str, within: Range<usize>, check: bool) -> Result<(), Diagnostic> {
    let mut at = within.start;
    while !text[at..within.end].trim().is_empty() {
        let (variable, polynomial, end) = floor(text, at..within.end)?;
        add(tower, text, variable, polynomial, check)?;
        at = end;
    }
    Ok(())
}

/// The places of the variable and the polynomial of the floor that begins here, and where it ends.
fn floor(text: &str, within: Range<usize>) -> Result<(Range<usize>, Range<usize>, usize), Diagnostic> {
    let missing = |at: usize, what: &str| {
        let next = text[at..within.end].chars().next().map_or(0, char::len_utf8);
        Diagnostic::new(text, at..at + next, format!("{what} is missing here")).with_help(FLOOR)
    };
    let skip = |at: usize| within.end - text[at..within.end].trim_start().len();
    let take = |at: usize, c: char, what: &str| {
        let at = skip(at);
        if text[at..within.end].starts_with(c) { Ok(at + 1) } else { Err(missing(at, what)) }
    };
    let start = take(within.start, '[', "the [ of a floor")?;
    let close = text[start..within.end].find(']').ok_or_else(|| missing(within.end, "a ]"))? + start;
    let after = take(close + 1, '/', "the / before a polynomial")?;
    let inside = take(after, '(', "the ( before a polynomial")?;
    let mut depth = 1u32;
    for (at, c) in text[inside..within.end].char_indices() {
        depth = if c == '(' {
            depth + 1
        } else if c == ')' {
            depth - 1
        } else {
            depth
        };
        if depth == 0 {
            return Ok((trimmed(text, start..close), trimmed(text, inside..inside + at), inside + at + 1));
        }
    }
    Err(Diagnostic::new(text, inside - 1..inside, "this ( is not closed").with_help(FLOOR))
}

/// Adds a floor with the variable and the polynomial at these places.
fn add(
    tower: &mut Tower,
    text: &str,
    variable: Range<usize>,
    polynomial: Range<usize>,
    check: bool,
) -> Result<(), Diagnostic> {
    let name = &text[variable.clone()];
    let mut variables: Vec<String> = tower.ring.floors.iter().map(|floor| floor.variable.clone()).collect();
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.bytes().all(|b| b.is_ascii_alphanumeric());
    if !begins || name.len() > 8 {
        let message = format!("{} is no variable", quoted(name));
        return Err(Diagnostic::new(text, variable, message).with_help("write a letter, or a letter and digits: [u]"));
    }
    if variables.iter().any(|other| other == name) {
        let message = format!("the variable {name} stands for a root below already");
        return Err(Diagnostic::new(text, variable, message).with_help("write another letter"));
    }
    variables.push(name.to_owned());
    let terms = algebra::polynomial(text, polynomial.clone(), &variables)?;
    let below = coefficients(tower, text, &polynomial, name, &terms)?;
    let degree = below.len() * tower.degree();
    if degree > MAXIMUM_TOWER_DEGREE {
        let message = format!("the tower would have the degree {degree}");
        return Err(Diagnostic::new(text, polynomial, message)
            .with_help(format!("towers have degrees up to {MAXIMUM_TOWER_DEGREE}")));
    }
    let ring = tower.ring.with(name, below);
    if let Some(factor) = irreducible::factor(&ring).filter(|_| check) {
        return Err(reducible(tower, &ring, text, polynomial, &factor));
    }
    let over = super::polynomials::Polynomials { ring: &ring, floor: tower.height() };
    let whole = over.monic(&ring.floors[tower.height()].polynomial);
    tower.floors += &format!("[{name}]/({})", text::polynomial(&ring, tower.height(), name, &whole));
    tower.ring = ring;
    Ok(())
}

/// The coefficients of a monic polynomial in the variable `name` below its highest power.
fn coefficients(
    tower: &Tower,
    text: &str,
    at: &Range<usize>,
    name: &str,
    terms: &algebra::Polynomial,
) -> Result<Vec<Element>, Diagnostic> {
    let height = tower.height();
    let degree = terms.keys().map(|exponents| exponents[height] as usize).max().unwrap_or(0);
    let mut all = vec![tower.ring.constant(height, &BigUint::ZERO); degree + 1];
    for (exponents, coefficient) in terms {
        let residue = coefficient.mod_floor(&BigInt::from(tower.base.value.clone())).magnitude().clone();
        let mut value = tower.ring.constant(height, &residue);
        for (floor, exponent) in exponents[..height].iter().enumerate() {
            // The floor's variable as an element of the whole tower.
            let mut root = tower.ring.variable(floor + 1);
            root.resize(tower.degree(), BigUint::ZERO);
            value = tower.ring.multiply(height, &value, &tower.ring.power(height, &root, &(*exponent).into()));
        }
        let power = exponents[height] as usize;
        all[power] = tower.ring.add(&all[power], &value);
    }
    while all.last().is_some_and(|highest| is_zero(highest)) {
        all.pop();
    }
    let error = |message: String, help: &str| Err(Diagnostic::new(text, at.clone(), message).with_help(help));
    if all.len() < 3 {
        let message = format!("the polynomial has the degree {} in {name}", all.len().saturating_sub(1));
        return error(message, "write one of degree 2 or more, as in u^2+1");
    }
    if all.len() - 1 > MAXIMUM_TOWER_DEGREE {
        let message = format!("the polynomial has the degree {}", all.len() - 1);
        return error(message, &format!("towers have degrees up to {MAXIMUM_TOWER_DEGREE}"));
    }
    match all.pop() {
        Some(highest) if highest == tower.ring.constant(height, &BigUint::one()) => Ok(all),
        _ => {
            let message = format!("the polynomial is not monic: {name}^{} has a factor", all.len());
            error(message, "divide it by the coefficient of its highest power")
        }
    }
}

/// The error for a reducible polynomial.
fn reducible(tower: &Tower, ring: &Ring, text: &str, at: Range<usize>, factor: &[Element]) -> Diagnostic {
    let (floor, name) = (tower.height(), &ring.floors[tower.height()].variable);
    let factor = text::polynomial(ring, floor, name, &factor.to_vec());
    let below = if floor == 0 { tower.base.called() } else { format!("{}{}", tower.base.called(), tower.floors) };
    let message = format!("{} is reducible over {below}: it has the factor {factor}", &text[at.clone()]);
    let error = Diagnostic::new(text, at, message);
    match binomial(tower, ring) {
        Some(near) => error.with_help(format!("did you mean {near}?")),
        None => error.with_help("write an irreducible polynomial"),
    }
}

/// An irreducible `v^n − c` of the degree of the highest floor with a small c. In large towers, where a test takes long,
/// none is looked for.
fn binomial(tower: &Tower, ring: &Ring) -> Option<String> {
    let floor = tower.height();
    if ring.size(floor + 1) > 12 || tower.base.bits > 512 {
        return None;
    }
    let reached = &ring.floors[floor];
    let numbers = [-1i32, -2, 2, -3, 3, -5, 5, -7, 7, -11, 11].map(BigInt::from);
    let constant = |c: &BigInt| {
        let c = c.mod_floor(&BigInt::from(ring.p.clone()));
        tower.ring.constant(floor, c.magnitude())
    };
    let with_root = (0..4u32).map(|k| tower.ring.add(&tower.ring.constant(floor, &k.into()), &root(tower)));
    let candidates = numbers.iter().map(constant).chain(with_root.filter(|_| floor > 0));
    candidates.into_iter().find_map(|c| {
        let mut below = vec![tower.ring.constant(floor, &BigUint::ZERO); reached.polynomial.len()];
        below[0] = tower.ring.negate(&c);
        let ring = tower.ring.with(&reached.variable, below);
        irreducible::factor(&ring).is_none().then(|| {
            let over = super::polynomials::Polynomials { ring: &ring, floor };
            text::polynomial(&ring, floor, &reached.variable, &over.monic(&ring.floors[floor].polynomial))
        })
    })
}

/// The variable of the highest floor so far, or 0.
fn root(tower: &Tower) -> Element {
    if tower.height() == 0 { vec![BigUint::ZERO] } else { tower.ring.variable(tower.height()) }
}
