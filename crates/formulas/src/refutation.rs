//! Why a formula is refused.

use crate::verify::Defect;

/// Why a formula is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refutation {
    /// It is none.
    #[error(transparent)]
    Defect(#[from] Defect),
    /// A relation gives no normal forms.
    #[error("{formula}: the relation of {name} cannot be used: {why}")]
    Relation {
        /// The formula.
        formula: String,
        /// The variable.
        name: String,
        /// Why.
        why: String,
    },
    /// An equation does not hold.
    #[error("{formula}: {outputs} is wrong: in {equation:?} the sides differ by {coefficient} times {monomial}")]
    Equation {
        /// The formula.
        formula: String,
        /// The equation.
        equation: String,
        /// The outputs that it is about.
        outputs: String,
        /// A monomial that differs.
        monomial: String,
        /// Its coefficient on the left minus that on the right, with the scale (and denominators) multiplied through.
        coefficient: String,
    },
    /// A division by what no condition names.
    #[error("{formula}, {place}: divides by {divisor}, which no condition (nonzero …) names before")]
    Division {
        /// The formula.
        formula: String,
        /// Where.
        place: String,
        /// By what.
        divisor: String,
    },
    /// A condition that never holds.
    #[error("{formula}: the condition {condition:?} never holds")]
    Condition {
        /// The formula.
        formula: String,
        /// The condition.
        condition: String,
    },
    /// An output of which the definition says nothing.
    #[error("{formula}: the definition says nothing of the output {output}")]
    Silent {
        /// The formula.
        formula: String,
        /// The output.
        output: String,
    },
    /// Polynomials of more terms than can be compared.
    #[error("{formula}, {place}: a product of polynomials has too many terms to be compared")]
    TooLarge {
        /// The formula.
        formula: String,
        /// Where.
        place: String,
    },
    /// `by` holds more than assumptions.
    #[error("{formula}: in {equation:?} what stands behind `by` does not vanish with the assumptions")]
    By {
        /// The formula.
        formula: String,
        /// The equation.
        equation: String,
    },
}
