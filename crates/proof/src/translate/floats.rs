//! Floats: each value is the number that it holds, an integer. Four rules:
//!
//! 1. the result of an operation is the exact one where that is a multiple of `2^g` of at most `2^(m+g)`, m the bits of
//!    the mantissa: the format holds it;
//! 2. otherwise, where the exact result lies in one binade `[2^e, 2^(e+1)]`, it is a nearest multiple of the last place
//!    `2^(e−m+1)` ([`System::round`]); in no binade, a number of which only an interval is known (rounding keeps
//!    order);
//! 3. the pattern of a number of one binade is that of `2^e` plus the number of last places above it, and the other way
//!    round;
//! 4. a constant must be a number of the format, and nothing may pass its greatest number.
//!
//! Only such patterns become floats whose last place is 1 or more. So no number here is subnormal, infinite or not a
//! number, and no zero shows its sign: a pattern is read only of numbers from 1 on. Rounding is to nearest.
//!
//! [`System::round`]: crate::equations::System::round

use evariste_ir::float::Format;
use evariste_ir::{Interval, Op, Type};
use num_bigint::BigInt;
use num_traits::{One, Signed};

use crate::broken_rules::{Rule, broken};
use crate::equations::Poly;
use crate::equations::system::{Affine, pow2};
use crate::unroll::{Applied, Failure};

use super::values::Values;

impl Values {
    /// The result of an operation on floats, or one that makes or reads them.
    pub fn float(&mut self, o: &Applied, args: &[Affine]) -> Result<Affine, Failure> {
        let format =
            o.arg_types.iter().chain(o.types).find_map(|t| if let Type::Float(m) = t { Format::new(*m) } else { None });
        let Some(format) = format else { return Err(format!("{}: no format of floats", o.op.name())) };
        let r = |i: usize| &args[i];
        let exact = match o.op {
            Op::Const(c) if format.holds(c) => return Ok(Affine::constant(c.clone())),
            Op::Const(c) => return Err(format!("{c} is no number of {} bits", format.mantissa)),
            Op::BitsToFloat => return self.number_of(r(0), format),
            Op::FloatToBits => return self.pattern_of(r(0), format),
            Op::FloatAdd => self.sum(r(0), 1, r(1)),
            Op::FloatSub => self.sum(r(0), -1, r(1)),
            Op::FloatMul => self.product(r(0), r(1)),
            Op::FloatFma => self.product(r(0), r(1)).plus(&BigInt::one(), &r(2).poly()),
            _ => return Err(format!("{}: floating point has no proof of this", o.op.name())),
        };
        self.nearest(&exact, format).map_err(|e| format!("v{} = {}: {e}", o.results[0].0, o.op.name()))
    }

    /// Rules 1 and 2.
    fn nearest(&mut self, exact: &Poly, format: Format) -> Result<Affine, Failure> {
        let exact = self.sys.shortened(exact);
        let (lo, hi) = self.sys.interval(&exact);
        let most = lo.abs().max(hi.abs());
        if most > format.greatest() {
            return Err(format!(
                "the result may be as large as {most:#x}, the greatest number is {:#x}",
                format.greatest()
            ));
        }
        let multiple = exact.terms().iter().filter_map(|t| t.1.trailing_zeros()).min().unwrap_or(0) as u32;
        if most <= pow2(format.mantissa + multiple) || broken(Rule::Mantissa) {
            return Ok(self.sys.value_of(&exact));
        }
        let range = Interval { lo, hi };
        match format.binade(&range) {
            // The last place is more than 1, since a mantissa does not hold the number.
            Some(e) if e >= format.mantissa => Ok(self.sys.round(&exact, e + 1 - format.mantissa)),
            _ => Ok(self.sys.opaque(&format.nearest(&range.lo), &format.nearest(&range.hi))),
        }
    }

    /// Rule 3: the number of a pattern.
    fn number_of(&mut self, pattern: &Affine, format: Format) -> Result<Affine, Failure> {
        let (lo, hi) = self.interval(pattern);
        let numbers = format.numbers(&Interval { lo: lo.clone(), hi: hi.clone() });
        let Some(e) = numbers.and_then(|n| format.binade(&n)).filter(|e| *e + 1 >= format.mantissa) else {
            return Err(format!("the patterns {lo:#x} to {hi:#x} are no integers of one binade"));
        };
        let place = pow2(e + 1 - format.mantissa);
        Ok(pattern.map(&place, &(pow2(e) - format.pattern_of_power(e) * &place)))
    }

    /// Rule 3: the pattern of a number.
    fn pattern_of(&mut self, x: &Affine, format: Format) -> Result<Affine, Failure> {
        let (lo, hi) = self.interval(x);
        let mut range = Interval { lo, hi };
        if broken(Rule::Binade) {
            range.hi = range.hi.min(pow2(range.lo.bits() as u32));
        }
        let Some(e) = format.binade(&range) else {
            return Err(format!("the numbers {:#x} to {:#x} are of no one binade", range.lo, range.hi));
        };
        let start = format.pattern_of_power(e);
        if e + 1 < format.mantissa {
            // Several last places to 1.
            let places = pow2(format.mantissa - 1 - e);
            return Ok(x.map(&places, &(start - (&places << e))));
        }
        let places = e + 1 - format.mantissa;
        let divided = |c: &BigInt| (c.trailing_zeros().unwrap_or(u64::MAX) >= u64::from(places)).then(|| c >> places);
        match (divided(&(&x.c0 - pow2(e))), divided(&x.c1)) {
            (Some(c0), Some(c1)) => Ok(Affine { c0: c0 + start, c1, atom: x.atom }),
            // A number that is not seen to be a multiple of its last place: only an interval.
            _ => {
                let patterns = format.patterns(&range).ok_or("a number beyond the greatest one")?;
                Ok(self.sys.opaque(&patterns.lo, &patterns.hi))
            }
        }
    }
}
