//! Rules that this crate's unit tests break, to see that the search for false proofs would notice. Breaking is compiled
//! into `cfg(test)` alone, which Cargo sets for no dependency: in every other build [`broken`] is `false`, whatever
//! features a crate turns on.

/// A rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// A dropped low word is known only when that is shown. Broken: it is 0.
    LowWord,
    /// A dropped high part is known only when that is shown. Broken: it is 0.
    HighPart,
    /// What is owed is shown. Broken: it is believed.
    Obligation,
    /// Only flags are their own squares. Broken: atoms up to 3 are.
    Idempotence,
    /// A word is at most its greatest value. Broken: at most half of that.
    WordSize,
    /// The bound of what is left covers every input. Broken: it is a tenth too small.
    Leaf,
    /// A bound is met when the expression stays below the next integer. Broken: the integer after that.
    Edge,
    /// The two cases of a flag are both shown. Broken: one is enough.
    Cases,
    /// A selection lies between its sides. Broken: it is at most the smaller of them.
    Selection,
    /// What a rounding leaves is at most half of the last place. Broken: at most a quarter.
    Rounding,
    /// A float operation is exact where its result fits the mantissa. Broken: always.
    Mantissa,
    /// A pattern counts last places within one binade. Broken: in the next one as well.
    Binade,
    /// A value is its own low part where it is below `2^k`. Broken: below `2^(k+1)`.
    Parts,
    /// A fact about a product modulo `2^k` serves modulo `2^k` and below. Broken: modulo any power of two.
    Product,
    /// A number is below the multiple of another one that its contract says. Broken: below half of that.
    Below,
    /// Powers of bits are of a multiplication that is shown to be commutative and associative. Broken: of any.
    Associativity,
    /// A look-up is bilinear where every entry of the table is the sum of those at its powers of two. Broken: always.
    Table,
    /// A product that reaches a bit of the output twice cancels. Broken: it counts once.
    Cancelling,
    /// A map of bits bounds its output where all that its bits can be is within the bound. Broken: always.
    BitBound,
    /// What was proved is run on samples before it leaves (`nets`). Broken: it leaves at once.
    Nets,
    /// A number is read where all its digits are. Broken: where some are.
    WholeNumber,
    /// What a call promises modulo a number serves modulo its divisors. Broken: modulo any number.
    CallModulus,
    /// A recurrence starts as the loop does. Broken: anywhere.
    Start,
    /// A step of a recurrence is one iteration. Broken: any.
    Step,
    /// A step's bit is the element that follows the counter in every iteration. Broken: in the first two.
    StepBit,
    /// What a callee asks for beyond bounds is shown. Broken: it is believed.
    CalleeFact,
    /// Numbers are below the multiples of others that a callee asks for. Broken: that is believed.
    CalleeBelow,
    /// A callee's result is below the multiple of a number that its contract says. Broken: below half of that.
    PromisedBelow,
    /// What a callee promises of two digits is at most what they hold together. Broken: at most half of that.
    PromisedSize,
    /// What is given modulo a number serves a callee modulo its divisors. Broken: modulo any number.
    FactModulus,
    /// A rotation of coordinates is a squaring where the squares of basis elements say so. Broken: always.
    Turn,
    /// What vanishes modulo the factors of a number that have no common divisor vanishes modulo that number. Broken: what
    /// vanishes modulo one of them.
    Factors,
    /// What was proved of a callee serves for an equal kernel. Broken: for one of the same name and length.
    KnownCallee,
    /// A promise of two digits is division with remainder where the lower is below the weight of the higher. Broken:
    /// always.
    Remainder,
    /// A loop of division steps does a step in each case. Broken: it does anything.
    DivisionStep,
    /// Division steps are known from as many low bits as there are steps. Broken: from fewer.
    DivisionBits,
    /// What is divided by a power of two leaves less than that. Broken: anything.
    DivisionRest,
    /// A digit is left off where it weighs more than its number's bound. Broken: all from a word on are.
    DivisionTop,
    /// An inverse needs as many division steps as the theorem says. Broken: one is enough.
    DivisionSteps,
    /// ζ is a word of the kernel that takes it. Broken: of any.
    DivisionWord,
    /// Some digits say as many bits of a number as are below the next digit. Broken: as many as words have.
    DivisionDigits,
    /// Those digits are up to the least weight of the others. Broken: to the greatest.
    DivisionLeast,
    /// What is congruent to the base is the base where it is below p. Broken: always.
    DivisionCongruent,
    /// A matrix is of one call of steps. Broken: of several.
    DivisionMatrix,
    /// A part of steps is an element as a whole. Broken: a multiple of it, its low bits or what is below a number, too.
    DivisionOutput,
    /// What a flag is not is a flag. Broken: a word of ones less the flag.
    DivisionFlag,
    /// Steps start below p. Broken: from p as well.
    DivisionBase,
    /// The second bit of f is that digit alone. Broken: the number that it is a digit of, too.
    DivisionBit,
    /// What a call promises of vectors is of the multiplication that is asked about. Broken: of any.
    VectorMap,
    /// A number that chooses between vectors is 0 or 1. Broken: any number.
    VectorChoice,
    /// A product of a map is of two operands of its size. Broken: of any that have as many images.
    MapSizes,
}

#[cfg(test)]
thread_local! {
    static BROKEN: std::cell::RefCell<Vec<Rule>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// Runs `f` with these rules broken, in this thread.
#[cfg(test)]
pub fn breaking<T>(rules: &[Rule], f: impl FnOnce() -> T) -> T {
    BROKEN.set(rules.to_vec());
    let result = f();
    BROKEN.take();
    result
}

/// Is the rule broken?
#[cfg(test)]
pub fn broken(rule: Rule) -> bool {
    BROKEN.with_borrow(|b| b.contains(&rule))
}

/// Is the rule broken? Never.
#[cfg(not(test))]
#[inline(always)]
pub fn broken(_: Rule) -> bool {
    false
}
