//! The kernels that pairings repeat: formulas over the field of a curve's points and over the target, lowered to the
//! prime field.

use std::sync::Arc;

use evariste_formulas::{Checked, reordered};
use evariste_ir::Kernel;
use num_bigint::BigUint;

use super::setting::{Family, Setting, Way};
use crate::lowering::named;
use crate::signature::NotApplicable;
use crate::tower::{self, Lowest, Means};

/// The coordinates of an element of the target, lowest floor first, as powers of w: those of c0 and of c1 in
/// `c0 + c1·w`, with `v = w²`.
const POWERS: [usize; 6] = [0, 2, 4, 1, 3, 5];

/// The place of a power's coefficient among the coordinates over Fp2 of an element of the target.
pub(super) fn place_of_power(power: usize) -> u32 {
    POWERS.iter().position(|p| *p == power).unwrap_or_default() as u32
}

/// Writes kernels.
pub(super) struct Kernels<'a> {
    setting: &'a Setting<'a>,
    means: Means<'a>,
}

impl<'a> Kernels<'a> {
    pub fn new(setting: &'a Setting<'a>, means: Means<'a>) -> Kernels<'a> {
        Kernels { setting, means }
    }

    /// A formula over the field of the points whose multiples a loop takes; small elements of Fp2 that are constants are named.
    fn over(
        &self,
        formula: &Checked,
        small: &[(&str, [u32; 2])],
        numbers: &[(&str, BigUint)],
    ) -> Result<Arc<Kernel>, NotApplicable> {
        if self.setting.target().height() == 1 {
            return self.kernel(&|_| Ok(formula.clone()), numbers);
        }
        self.kernel(&|lowest| tower::over_the_lowest(self.setting.target(), formula, small, lowest), numbers)
    }

    fn kernel(
        &self,
        formula: &dyn Fn(Lowest) -> Result<Checked, NotApplicable>,
        numbers: &[(&str, BigUint)],
    ) -> Result<Arc<Kernel>, NotApplicable> {
        let name = formula(Lowest::Calls)?.formula().name.replace('-', "_");
        let number = |name: &str| numbers.iter().find(|(n, _)| *n == name).map(|(_, number)| number.clone());
        self.means.best(&name, formula, &number)
    }

    /// A formula of the registry over that field.
    pub fn named(&self, name: &str) -> Result<Arc<Kernel>, NotApplicable> {
        self.over(&named(name)?, &[], &[])
    }

    /// One whose elements are coefficients of powers of w.
    fn of_powers(&self, name: &str) -> Result<Arc<Kernel>, NotApplicable> {
        self.over(&reordered(&named(name)?, &POWERS), &[], &[])
    }

    /// A formula of the registry over the highest floor of the target.
    fn of_target(&self, name: &str) -> Result<Arc<Kernel>, NotApplicable> {
        let target = self.setting.target();
        let flat = |lowest| tower::over_the_prime_field(target, name, tower::CUBIC, lowest);
        let kernel = name.replace('-', "_");
        self.means.best(&kernel, &flat, &|name| tower::number(target, name))
    }

    /// `a·b`.
    pub fn mul(&self) -> Result<Arc<Kernel>, NotApplicable> {
        match self.setting.family {
            Family::Bls12(_) | Family::Bn(_) => self.named("twelve-karatsuba"),
            Family::Distorted2 => self.of_target("quadratic-karatsuba"),
            Family::Distorted3 => self.of_target(tower::CUBIC),
        }
    }

    /// `a²`.
    pub fn square(&self) -> Result<Arc<Kernel>, NotApplicable> {
        match self.setting.family {
            Family::Bls12(_) | Family::Bn(_) => self.named("twelve-complex-square"),
            Family::Distorted2 => self.of_target("gauss-complex-square"),
            Family::Distorted3 => self.of_target("chung-hasan-2"),
        }
    }

    /// `a²` in the cyclotomic subgroup.
    pub fn cyclotomic_square(&self) -> Result<Arc<Kernel>, NotApplicable> {
        match self.setting.family {
            Family::Bls12(_) | Family::Bn(_) => self.of_powers("granger-scott"),
            Family::Distorted2 | Family::Distorted3 => self.square(),
        }
    }

    /// `a·b` in the quadratic floor.
    pub fn quadratic_mul(&self) -> Result<Arc<Kernel>, NotApplicable> {
        let target = self.setting.target();
        let product = |lowest| tower::product_of_the_lowest(target, lowest);
        self.means.best("quadratic_mul", &product, &|name| tower::number(target, name))
    }

    /// `1/a` in the quadratic floor; 0 for 0.
    pub fn quadratic_inverse(&self, ground: &Arc<Kernel>) -> Result<Arc<Kernel>, NotApplicable> {
        tower::inverse_kernel(self.setting.target(), 1, self.means, ground)
    }

    /// `a^(p^n)`.
    pub fn frobenius(&self, n: u32) -> Result<Arc<Kernel>, NotApplicable> {
        tower::frobenius_kernel(self.setting.target(), self.means, n, &format!("frobenius_{n}")).map(Arc::new)
    }

    /// `1/a`.
    pub fn inverse(&self, ground: &Arc<Kernel>) -> Result<Arc<Kernel>, NotApplicable> {
        let target = self.setting.target();
        tower::inverse_kernel(target, target.height(), self.means, ground)
    }

    /// The product with a line.
    pub fn by_line(&self) -> Result<Arc<Kernel>, NotApplicable> {
        match self.setting.family {
            Family::Bls12(_) => self.of_powers("sparse-m-twist"),
            Family::Bn(_) => self.of_powers("sparse-d-twist"),
            Family::Distorted2 => self.mul(),
            Family::Distorted3 => self.named("cubic-by-line"),
        }
    }

    /// The places of a twist's line's elements c0, cx, cy among the coordinates over Fp2 of an element of the target.
    pub fn places_of_line(&self) -> [usize; 3] {
        let powers = match self.setting.family {
            Family::Bn(_) => [3, 1, 0],
            _ => [0, 2, 3],
        };
        powers.map(|power| place_of_power(power) as usize)
    }

    /// 2T, and the tangent at T.
    pub fn doubling(&self) -> Result<Arc<Kernel>, NotApplicable> {
        match self.setting.family {
            Family::Bls12(_) | Family::Bn(_) => self.doubling_on_twist(),
            Family::Distorted2 => self.on_curve("tate-doubling-1"),
            Family::Distorted3 => self.on_curve("tate-doubling-0"),
        }
    }

    fn doubling_on_twist(&self) -> Result<Arc<Kernel>, NotApplicable> {
        let b = self.setting.b();
        let small = b.clone().map(|b| u32::try_from(b).unwrap_or(u32::MAX));
        match small {
            [s @ 1..100, t @ 1..100] => {
                let triple = [3 * s, 3 * t];
                self.over(&named("miller-doubling-whole")?, &[("b", small), ("b3", triple)], &[])
            }
            _ => self.on_curve("miller-doubling-whole"),
        }
    }

    /// A formula for points, whose definition names the curve's constants.
    fn on_curve(&self, name: &str) -> Result<Arc<Kernel>, NotApplicable> {
        let numbers = self.setting.constants();
        let numbers: Vec<_> = numbers.iter().map(|(name, x)| (name.as_str(), x.clone())).collect();
        self.over(&named(name)?, &[], &numbers)
    }

    /// T + Q, and the line through both.
    pub fn addition(&self) -> Result<Arc<Kernel>, NotApplicable> {
        match self.setting.family.way() {
            Way::OptimalAte => self.on_curve("miller-addition"),
            Way::Tate => self.on_curve("tate-addition"),
        }
    }

    /// A line at a point.
    pub fn at(&self) -> Result<Arc<Kernel>, NotApplicable> {
        match self.setting.family {
            Family::Bls12(_) | Family::Bn(_) => self.kernel(&|_| named("line-at-point"), &[]),
            Family::Distorted2 => self.named("line-at-even"),
            Family::Distorted3 => self.named("line-at-odd"),
        }
    }

    /// What stands for one over a vertical.
    pub fn over_vertical(&self) -> Result<Arc<Kernel>, NotApplicable> {
        self.named("over-vertical")
    }

    /// The image of a point of the twist.
    pub fn twist_frobenius(&self) -> Result<Arc<Kernel>, NotApplicable> {
        self.conjugates_times([2, 3].map(|k| self.setting.gamma(k)))
    }

    /// The coordinates of a distorted point, the first over v.
    pub fn distortion(&self) -> Result<Arc<Kernel>, NotApplicable> {
        self.conjugates_times(self.setting.distortion())
    }

    fn conjugates_times(&self, [[g2, g3], [h2, h3]]: [[BigUint; 2]; 2]) -> Result<Arc<Kernel>, NotApplicable> {
        let numbers = [("g2_0", g2), ("g2_1", g3), ("g3_0", h2), ("g3_1", h3)];
        let formula = named("twist-frobenius")?;
        let name = "twist_frobenius";
        let number = |name: &str| numbers.iter().find(|(n, _)| *n == name).map(|(_, number)| number.clone());
        self.means.reduced(name, &formula, &number).map(Arc::new)
    }
}
