//! The kernels that pairings repeat: formulas over Fp2 and over the sextic variable, lowered to the prime field.

use std::sync::Arc;

use evariste_formulas::{Checked, reordered};
use evariste_ir::Kernel;
use num_bigint::BigUint;

use super::setting::{Family, Setting};
use crate::lowering::named;
use crate::signature::NotApplicable;
use crate::tower::{self, Means};

/// The coordinates of an element of the target, lowest floor first, as powers of w: those of c0 and of c1 in
/// `c0 + c1·w`, with `v = w²`.
const POWERS: [usize; 6] = [0, 2, 4, 1, 3, 5];

/// Writes kernels.
pub(super) struct Kernels<'a> {
    setting: &'a Setting<'a>,
    means: Means<'a>,
}

impl<'a> Kernels<'a> {
    pub fn new(setting: &'a Setting<'a>, means: Means<'a>) -> Kernels<'a> {
        Kernels { setting, means }
    }

    /// A formula over Fp2; small elements of Fp2 that are constants are named.
    fn over(
        &self,
        formula: &Checked,
        small: &[(&str, [u32; 2])],
        numbers: &[(&str, BigUint)],
    ) -> Result<Arc<Kernel>, NotApplicable> {
        let flat = tower::over_the_lowest(self.setting.target(), formula, small)?;
        self.kernel(&flat, numbers)
    }

    fn kernel(&self, formula: &Checked, numbers: &[(&str, BigUint)]) -> Result<Arc<Kernel>, NotApplicable> {
        let name = formula.formula().name.replace('-', "_");
        let number = |name: &str| numbers.iter().find(|(n, _)| *n == name).map(|(_, number)| number.clone());
        self.means.best(&name, formula, &number)
    }

    /// A formula of the registry over Fp2.
    fn named(&self, name: &str) -> Result<Arc<Kernel>, NotApplicable> {
        self.over(&named(name)?, &[], &[])
    }

    /// One whose elements are coefficients of powers of w.
    fn of_powers(&self, name: &str) -> Result<Arc<Kernel>, NotApplicable> {
        self.over(&reordered(&named(name)?, &POWERS), &[], &[])
    }

    /// `a·b`.
    pub fn mul(&self) -> Result<Arc<Kernel>, NotApplicable> {
        self.named("twelve-karatsuba")
    }

    /// `a²`.
    pub fn square(&self) -> Result<Arc<Kernel>, NotApplicable> {
        self.named("twelve-complex-square")
    }

    /// `a²` in the cyclotomic subgroup.
    pub fn cyclotomic_square(&self) -> Result<Arc<Kernel>, NotApplicable> {
        self.of_powers("granger-scott")
    }

    /// `a^(p^n)`.
    pub fn frobenius(&self, n: u32) -> Result<Arc<Kernel>, NotApplicable> {
        tower::frobenius_kernel(self.setting.target(), self.means, n, &format!("frobenius_{n}")).map(Arc::new)
    }

    /// `1/a`.
    pub fn inverse(&self, ground: &Arc<Kernel>) -> Result<Arc<Kernel>, NotApplicable> {
        tower::inverse_kernel(self.setting.target(), self.means, ground)
    }

    /// The product with a line.
    pub fn by_line(&self) -> Result<Arc<Kernel>, NotApplicable> {
        self.of_powers(match self.setting.family {
            Family::Bls12(_) => "sparse-m-twist",
            Family::Bn(_) => "sparse-d-twist",
        })
    }

    /// The places of a line's elements c0, cx, cy among the coordinates over Fp2 of an element of the target.
    pub fn places_of_line(&self) -> [usize; 3] {
        let powers = match self.setting.family {
            Family::Bls12(_) => [0, 2, 3],
            Family::Bn(_) => [3, 1, 0],
        };
        powers.map(|power| POWERS.iter().position(|p| *p == power).unwrap_or_default())
    }

    /// 2T, and the tangent at T.
    pub fn doubling(&self) -> Result<Arc<Kernel>, NotApplicable> {
        let formula = named("miller-doubling-whole")?;
        let b = self.setting.b();
        let small = b.clone().map(|b| u32::try_from(b).unwrap_or(u32::MAX));
        match small {
            [s @ 1..100, t @ 1..100] => {
                let triple = [3 * s, 3 * t];
                self.over(&formula, &[("b", small), ("b3", triple)], &[])
            }
            _ => {
                let [s, t] = b;
                self.over(&formula, &[], &[("b_0", s), ("b_1", t)])
            }
        }
    }

    /// T + Q, and the line through both.
    pub fn addition(&self) -> Result<Arc<Kernel>, NotApplicable> {
        let [s, t] = self.setting.b();
        self.over(&named("miller-addition")?, &[], &[("b_0", s), ("b_1", t)])
    }

    /// A line at a point.
    pub fn at(&self) -> Result<Arc<Kernel>, NotApplicable> {
        self.kernel(&named("line-at-point")?, &[])
    }

    /// The image of a point of the twist.
    pub fn twist_frobenius(&self) -> Result<Arc<Kernel>, NotApplicable> {
        let [[g2, g3], [h2, h3]] = [2, 3].map(|k| self.setting.gamma(k));
        let numbers = [("g2_0", g2), ("g2_1", g3), ("g3_0", h2), ("g3_1", h3)];
        let formula = named("twist-frobenius")?;
        let name = "twist_frobenius";
        let number = |name: &str| numbers.iter().find(|(n, _)| *n == name).map(|(_, number)| number.clone());
        self.means.reduced(name, &formula, &number).map(Arc::new)
    }
}
