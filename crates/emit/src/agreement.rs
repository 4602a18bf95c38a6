//! When the code of one kernel may stand for another kernel: it takes what that one takes, and promises what it does.

use evariste_ir::{Array, Kernel};

/// What tells `other` from `kernel`, so that its code is no version of that kernel's function, in words to which `of` and
/// the kernel's name belong; `None`: everything that a caller sees is alike. Contracts are compared as they are, and so are the intervals of all that is passed.
///
/// Two steps of one name are held to be the same: no contract says what a step is, and known answers judge it.
pub(crate) fn difference(kernel: &Kernel, other: &Kernel) -> Option<&'static str> {
    let params = |k: &Kernel| k.params().map(|a| (a, k.array(a).clone())).collect::<Vec<_>>();
    let pairs = |k: &Kernel| -> Vec<(Array, Array)> {
        let all: Vec<Array> = k.visible().collect();
        all.iter().flat_map(|a| all.iter().map(move |b| (*a, *b))).filter(|(a, b)| a != b).collect()
    };
    if kernel.word != other.word || params(kernel) != params(other) {
        return Some("whose parameters are not those");
    }
    if kernel.contract != other.contract {
        return Some("whose contract is not that");
    }
    if pairs(kernel).into_iter().any(|(a, b)| kernel.may_alias(a, b) && !other.may_alias(a, b)) {
        return Some("which takes fewer arrays twice than that");
    }
    (other.vartime && !kernel.vartime).then_some("whose time depends on data, unlike that")
}

#[cfg(test)]
mod tests {
    use evariste_ir::range::pow2;
    use evariste_ir::{Builder, Claim, Contract, Digit, Operand};
    use num_bigint::BigInt;

    use super::*;

    /// `out = a·b` modulo 2^64, both at most `most`; `turned`: the factors change places.
    fn product(turned: bool, most: &BigInt, step: &str) -> Kernel {
        let mut b = Builder::new("product", 64);
        let out = b.output("out", 1, &[pow2(64) - 1]);
        let (x, y) = (b.input("a", 1, std::slice::from_ref(most)), b.input("b", 1, std::slice::from_ref(most)));
        let (first, second) = (b.load(x, 0u32), b.load(y, 0u32));
        let (first, second) = if turned { (second, first) } else { (first, second) };
        let low = b.wrapping_mul(first, second);
        b.store(out, 0u32, low);
        let digits = vec![Digit { array: out, index: 0, weight: 0, max: pow2(64) - 1, bits: None }];
        let output = Operand { name: "out".into(), digits, bound: pow2(64) - 1, below: None };
        let claims = vec![Claim::Step { output, name: step.into() }];
        b.finish(Contract { claims, ..Contract::default() })
    }

    #[test]
    fn what_a_caller_sees_is_compared() {
        let most = pow2(64) - 1;
        let one = product(false, &most, "product");
        let mut other = Kernel { name: "another".into(), ..product(true, &most, "product") };
        assert_ne!(one, other);
        assert_eq!((difference(&one, &other), difference(&other, &one)), (None, None));
        assert_eq!(
            difference(&one, &product(true, &(pow2(63) - 1), "product")),
            Some("whose parameters are not those")
        );
        assert_eq!(difference(&one, &product(true, &most, "sum")), Some("whose contract is not that"));
        // What the other is used for must be allowed; what it allows besides does not matter.
        let all: Vec<Array> = other.visible().collect();
        other.disjoint.push((all[0], all[1]));
        assert_eq!(difference(&one, &other), Some("which takes fewer arrays twice than that"));
        assert_eq!(difference(&other, &one), None);
        let leaky = Kernel { vartime: true, ..one.clone() };
        assert_eq!(difference(&one, &leaky), Some("whose time depends on data, unlike that"));
        assert_eq!(difference(&leaky, &one), None);
    }
}
