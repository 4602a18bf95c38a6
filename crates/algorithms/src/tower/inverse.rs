//! Inverses in towers by norms, floor by floor down to the prime field.
//!
//! * **computes** `1/a`; 0 for 0.
//! * **needs** floors that formulas know, and the prime field's inverse; a resting operand. The output may be it.
//! * **gives** resting coordinates.
//! * **cost** an inverse in the prime field; for each floor of degree 2, 3, 4, 6 products and squares of the floor below:
//!   2M + 2S, 9M + 3S, 10M + 6S, 25M + 9S; fifth roots of unity 28M.
//! * **source** Itoh, Tsujii (1988); Cramer's rule for cubic floors; norms of norms for those of degree 4 and 6.
//!
//! The formulas of norms and multiples are proved; that what they make together is the inverse is tested.

use std::sync::Arc;

use evariste_descriptions::Tower;
use evariste_ir::range::Interval;
use evariste_ir::{Array, ArrayKind, Builder, Claim, Contract, Kernel, View};

use super::floors;
use super::formula::tower_of;
use super::means::{Means, needs};
use super::shape::{CUBIC, Inverse, Shape};
use crate::layout::Layout;
use crate::lowering::{Element, lazy};
use crate::operation::Operation;
use crate::prime::power::Callee;
use crate::prime::representation::kernel_name;
use crate::recipe::{Kind, Need, Parts, Recipe, Setting};
use crate::signature::NotApplicable;

needs!(REDUCED, WHOLE: INVERSE);

/// Inverses by norms.
pub const NORMS: Norms = Norms;

/// The recipe.
pub struct Norms;

impl Recipe for Norms {
    fn name(&self) -> &'static str {
        "norms"
    }

    fn kind(&self) -> Kind {
        Kind::Composite
    }

    fn needs(&self, s: Setting) -> Option<&'static [Need]> {
        let tower = s.field.get::<Tower>()?;
        let fits = *s.operation == Operation::INVERSE && Shape::are_known(tower);
        fits.then_some(if lazy::takes(&tower.base, s.layout) { WHOLE } else { REDUCED })
    }

    fn write(&self, s: Setting, algorithm: &str, parts: &dyn Parts) -> Result<Kernel, NotApplicable> {
        let tower = tower_of(s.field)?;
        let means = Means { modulus: &tower.base, layout: s.layout, parts, more: 1 };
        let ground = means.more(0)?;
        kernel(tower, tower.height(), means, &ground, &kernel_name(s.operation, algorithm))
    }
}

/// The kernel of inverses of elements on top of so many floors of a tower, at least one, from the inverse of the prime field.
pub(crate) fn inverse_kernel(
    tower: &Tower,
    floors: usize,
    means: Means,
    ground: &Arc<Kernel>,
) -> Result<Arc<Kernel>, NotApplicable> {
    let name = match tower.height() - floors {
        0 => "inverse_by_norms".to_string(),
        _ => on_floors(floors),
    };
    kernel(tower, floors, means, ground, &name).map(Arc::new)
}

fn on_floors(floors: usize) -> String {
    format!("inverse_on_{floors}_floors")
}

/// A new array for so many coordinates.
pub(crate) fn room(b: &mut Builder, layout: &Layout, name: &str, coordinates: usize) -> Array {
    let one = &layout.resting.digit_max;
    let ranges: Vec<Interval> = (0..coordinates).flat_map(|_| one.iter().map(|d| Interval::up_to(d.clone()))).collect();
    let ty = b.word_type();
    b.array(name, ty, ranges.len() as u32, ArrayKind::Local, ranges)
}

/// Inverses of elements on top of so many floors, at least one.
fn kernel(
    tower: &Tower,
    height: usize,
    means: Means,
    ground: &Arc<Kernel>,
    name: &str,
) -> Result<Kernel, NotApplicable> {
    let below = match height {
        1 => ground.clone(),
        _ => Arc::new(kernel(tower, height - 1, means, ground, &on_floors(height - 1))?),
    };
    let formula = |formula: &str| {
        let name = format!("{}_{height}", formula.replace('-', "_"));
        let over = |lowest| floors::below(tower, height - 1, formula, CUBIC, lowest);
        means.best(&name, &over, &|name| floors::number(tower, name))
    };
    let layout = means.layout;
    let [size, part] = [height, height - 1].map(|floors| tower.ring.size(floors));
    let mut builder = Builder::new(name, layout.word);
    let b = &mut builder;
    let out = Element::output(b, layout, "out", size);
    let a = Element::input(b, layout, "a", size);
    let below = Callee::new(b, below, "below");
    let unknown = || NotApplicable("a floor's polynomial that no formulas are for".into());
    let inverse = &Shape::of(tower, height - 1).ok_or_else(unknown)?.inverse;
    let around = Around { layout, part, formula: &formula, below };
    around.write(b, inverse, [out.array, a.array].map(View::whole), size)?;
    let claims = out.numbered(layout).into_iter().map(|output| Claim::Step { output, name: "norms".into() }).collect();
    let inputs = a.numbered(layout);
    Ok(builder.finish(Contract { facts: Vec::new(), inputs, claims }))
}

/// What is written around the inverse of the floor below, whose elements have `part` coordinates.
struct Around<'a> {
    layout: &'a Layout,
    part: usize,
    formula: &'a dyn Fn(&str) -> Result<Arc<Kernel>, NotApplicable>,
    below: Callee,
}

impl Around<'_> {
    /// The inverse of an element of so many coordinates, which may be its place.
    fn write(
        &self,
        b: &mut Builder,
        inverse: &Inverse,
        [to, from]: [View; 2],
        coordinates: usize,
    ) -> Result<(), NotApplicable> {
        let callee = |b: &mut Builder, name: &str| Ok::<_, NotApplicable>(b.callee((self.formula)(name)?));
        match inverse {
            Inverse::Conjugate([norms, multiple]) => {
                let norm = View::whole(room(b, self.layout, "norm", self.part));
                let (norms, multiple) = (callee(b, norms)?, callee(b, multiple)?);
                b.call(norms, vec![norm.clone(), from.clone()]);
                self.below.call_views(b, norm.clone(), std::slice::from_ref(&norm));
                b.call(multiple, vec![to, from, norm]);
            }
            Inverse::Adjoint([adjoints, multiple]) => {
                let norm = View::whole(room(b, self.layout, "norm", self.part));
                let (adjoints, multiple) = (callee(b, adjoints)?, callee(b, multiple)?);
                let adjoint = View::whole(room(b, self.layout, "adjoint", coordinates));
                b.call(adjoints, vec![adjoint.clone(), norm.clone(), from]);
                self.below.call_views(b, norm.clone(), std::slice::from_ref(&norm));
                b.call(multiple, vec![to, adjoint, norm]);
            }
            Inverse::Halves([norms, multiple], inner) => {
                let half = View::whole(room(b, self.layout, "half", coordinates / 2));
                let (norms, multiple) = (callee(b, norms)?, callee(b, multiple)?);
                b.call(norms, vec![half.clone(), from.clone()]);
                self.write(b, inner, [half.clone(), half.clone()], coordinates / 2)?;
                b.call(multiple, vec![to, from, half]);
            }
        }
        Ok(())
    }
}
