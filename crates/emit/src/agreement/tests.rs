use evariste_ir::range::pow2;
use evariste_ir::{
    ArrayInfo, ArrayKind, Below, Builder, Claim, Contract, Digit, Fact, Interpreter, Interval, Modulo, Operand,
    Polynomial, Type, verify,
};
use evariste_proof::{Outcome, Proved, prove};
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
    assert_eq!(difference(&one, &product(true, &(pow2(63) - 1), "product")), Some("whose parameters are not those"));
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

/// A kernel with something in each field of which a caller sees a part.
fn rich() -> Kernel {
    let text = "
kernel rich: word 8 {
    output r: 2 x w8 each ([0, 9], [0, 254])
    output f: 2 x w8
    inout s: 2 x w8 [0, 5]
    input a: 2 x w8 <2^2
    input b: 2 x w8 <2^2
    input n: 2 x w8
    local t: 1 x w8
    table p: 2 x w8 [0, 1] = (1, 0)
    disjoint r a

    given a <= 771 = a[0..2] * 2^0 step 8 max 3
    given b <= 771 = b[0..2] * 2^0 step 8 max 3
    given n <= (2^16-1) = n[0..2] * 2^0 step 8 max 255
    gives r <= 2313 = r[0..2] * 2^0 step 8 max 9: value 1 it = a mod 97
    gives f <= (2^16-1) = f[0..2] * 2^0 step 8 max 255: step round
    gives s <= 1285 = s[0..2] * 2^0 step 8 max 5: power a ^ 5 factor 3 mod 101

    %0: w8 [0] = const(0)
    t[0] = %0
    r[0] = %0
    r[1] = %0
    f[0] = %0
    f[1] = %0
    s[0] = %0
    s[1] = %0
}
";
    let mut kernel = Kernel::parse(text).expect("a kernel");
    kernel.contract.facts.push(Fact {
        number: 2,
        times: Some(0),
        polynomial: Polynomial::constant(1),
        modulus: 4.into(),
    });
    assert_eq!(verify(&kernel), Ok(()));
    kernel
}

type Change = fn(&mut Kernel);

/// One change each, of what a caller sees.
const SEEN: &[(&str, Change)] = &[
    ("another word", |k| k.word = 16),
    ("another name of a parameter", |k| k.arrays[3].name = "c".into()),
    ("parameters of one shape in another order", |k| k.arrays.swap(3, 4)),
    ("results of one shape in another order", |k| k.arrays.swap(0, 1)),
    ("a longer parameter", |k| k.arrays[3].len = 3),
    ("another type", |k| k.arrays[5].ty = Type::Word(16)),
    ("read as well as written", |k| k.arrays[0].kind = ArrayKind::InOut),
    ("written, and not read before", |k| k.arrays[2].kind = ArrayKind::Output),
    ("written as well as read", |k| k.arrays[3].kind = ArrayKind::InOut),
    ("takes less", |k| k.arrays[3].ranges[0].hi = 2.into()),
    ("takes more", |k| k.arrays[3].ranges[0].hi = 4.into()),
    ("takes less of one element", |k| k.arrays[5].ranges = vec![Interval::up_to(255), Interval::up_to(254)]),
    ("gives more", |k| k.arrays[0].ranges[1].hi = 255.into()),
    ("a parameter more", |k| {
        let another = ArrayInfo { name: "more".into(), ..k.arrays[5].clone() };
        k.arrays.push(another);
    }),
    ("a lesser bound of an input", |k| k.contract.inputs[0].bound = 770.into()),
    ("a lesser digit", |k| k.contract.inputs[0].digits[1].max = 2.into()),
    ("another weight", |k| k.contract.inputs[0].digits[1].weight = 9),
    ("digits in another order", |k| (0..2).for_each(|i| k.contract.inputs[0].digits[i].index = 1 - i as u32)),
    ("an unmasked digit", |k| k.contract.inputs[0].digits[1].bits = Some(1)),
    ("an input below another", |k| k.contract.inputs[0].below = Some(Below { multiple: 1, number: 2 })),
    ("inputs that change places", |k| k.contract.inputs.swap(0, 1)),
    ("no fact", |k| k.contract.facts.clear()),
    ("a fact of another number", |k| k.contract.facts[0].times = Some(1)),
    ("a fact modulo more", |k| k.contract.facts[0].modulus = 8.into()),
    ("another constant of a fact", |k| k.contract.facts[0].polynomial = Polynomial::constant(3)),
    ("no promise", |k| drop(k.contract.claims.pop())),
    ("an unmasked result", |k| k.contract.claims[0].output_mut().digits[1].bits = Some(2)),
    ("a greater bound of a result", |k| k.contract.claims[0].output_mut().bound = 2314.into()),
    ("a greater digit", |k| k.contract.claims[0].output_mut().digits[0].max = 10.into()),
    ("a result below an input", |k| {
        k.contract.claims[0].output_mut().below = Some(Below { multiple: 1, number: 2 });
    }),
    ("another number", |k| value(k, |_, polynomial, _| *polynomial = Polynomial::input(1))),
    ("another factor", |k| value(k, |factor, _, _| *factor = 2.into())),
    ("another modulus", |k| value(k, |_, _, modulus| *modulus = Some(BigInt::from(96).into()))),
    ("no modulus", |k| value(k, |_, _, modulus| *modulus = None)),
    ("another step", |k| {
        if let Claim::Step { name, .. } = &mut k.contract.claims[1] {
            *name = "another".into();
        }
    }),
    ("another power", |k| {
        if let Claim::Power { exponent, .. } = &mut k.contract.claims[2] {
            *exponent += 1u32;
        }
    }),
    ("another base", |k| {
        if let Claim::Power { base, .. } = &mut k.contract.claims[2] {
            *base = 1;
        }
    }),
    ("fewer arrays that may be the same", |k| k.disjoint.push((Array(0), Array(4)))),
    ("the same, the other way round", |k| k.disjoint.push((Array(4), Array(0)))),
    ("the same of one that is read and written", |k| k.disjoint.push((Array(2), Array(3)))),
    ("time that depends on data", |k| k.vartime = true),
];

fn value(k: &mut Kernel, change: fn(&mut BigInt, &mut Polynomial, &mut Option<Modulo>)) {
    if let Claim::Value { factor, polynomial, modulus, .. } = &mut k.contract.claims[0] {
        change(factor, polynomial, modulus);
    }
}

/// One change each, of what no caller sees.
const UNSEEN: &[(&str, Change)] = &[
    ("another name", |k| k.name = "another".into()),
    ("other statements", |k| drop(k.body.remove(1))),
    ("a longer local", |k| k.arrays[6].len = 9),
    ("no table", |k| drop(k.arrays.pop())),
    ("a callee", |k| k.callees.push(std::sync::Arc::new(rich()))),
    ("another interval of a value", |k| k.values[0].range.hi = 3.into()),
    ("two results that are said to be disjoint", |k| k.disjoint.push((Array(0), Array(1)))),
    ("a pair that is disjoint twice", |k| k.disjoint.push((Array(3), Array(0)))),
];

#[test]
fn each_difference_that_a_caller_sees_and_no_other() {
    let one = rich();
    for (what, change) in SEEN {
        let mut other = one.clone();
        change(&mut other);
        assert_ne!(one, other, "{what}");
        assert_ne!(difference(&one, &other), None, "{what}");
    }
    for (what, change) in UNSEEN {
        let mut other = one.clone();
        change(&mut other);
        assert_ne!(one, other, "{what}");
        assert_eq!((difference(&one, &other), difference(&other, &one)), (None, None), "{what}");
    }
}

fn proved(text: &str) -> Proved {
    let kernel = Kernel::parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    match prove(&kernel) {
        Outcome::Proved(proved) => proved,
        other => panic!("{other:?}\n{text}"),
    }
}

/// What a kernel writes for each pair of words of three bits.
fn table(kernel: &Kernel) -> Vec<Vec<BigInt>> {
    let run = |x: u32, y: u32| {
        let inputs = [("a", vec![BigInt::from(x)]), ("b", vec![BigInt::from(y)])];
        let written = Interpreter::new(kernel).run_one(&inputs).expect("it runs");
        written.into_iter().flat_map(|(_, elements)| elements).collect()
    };
    (0..64).map(|i| run(i % 8, i / 8)).collect()
}

/// Numbers of two words, one of them or none a ghost, under a promise that has one answer: where kernels agree they give
/// the same.
#[test]
fn a_promise_about_ghosts_is_compared() {
    let one = "%2: w3 [1] = const(1)";
    let products = ["a*b %0 %1", "a %0 %2", "b %1 %2", "a*a %0 %0", "b*b %1 %1"];
    let places = [("low", "g", "r"), ("high", "r", "g"), ("none", "r", "h")];
    let moduli = ["", " mod 64", " mod 67"];
    let mut all = Vec::new();
    for ((place, low, high), modulus) in places.iter().flat_map(|place| moduli.map(|modulus| (place, modulus))) {
        let arrays = match *place {
            "none" => "output r: 1 x w3 output h: 1 x w3",
            _ => "output r: 1 x w3 ghost g: 1 x w3",
        };
        for product in products {
            let [polynomial, x, y] = product.split(' ').collect::<Vec<_>>()[..] else { panic!("{product}") };
            let text = format!(
                "kernel k: word 3 {{ {arrays} input a: 1 x w3 input b: 1 x w3
                given a <= 7 = a[0] * 2^0 max 7
                given b <= 7 = b[0] * 2^0 max 7
                gives r <= 63 = {low}[0] * 2^0 max 7 + {high}[0] * 2^3 max 7: value 1 it = {polynomial}{modulus}
                %0: w3 = a[0] %1: w3 = b[0] {one}
                %3: w3, %4: w3 = mul_wide {x}, {y}
                {low}[0] = %3 {high}[0] = %4 }}"
            );
            all.push((format!("{place}{modulus}: {polynomial}"), proved(&text)));
        }
    }
    let tables: Vec<_> = all.iter().map(|(_, proved)| table(proved)).collect();
    let mut alike = 0;
    for (i, (name, one)) in all.iter().enumerate() {
        for (j, (another, other)) in all.iter().enumerate() {
            if difference(one, other).is_none() {
                alike += 1;
                assert_eq!(tables[i], tables[j], "{name} and {another}");
            }
        }
    }
    assert_eq!(alike, all.len());
}

/// Nothing is promised of the second element: what one kernel keeps or copies, another overwrites.
#[test]
fn what_no_promise_is_about_is_not_alike() {
    let kernel = |kind: &str, second: &str| {
        proved(&format!(
            "kernel k: word 8 {{ {kind} r: 2 x w8 input a: 1 x w8 input b: 1 x w8
            given a <= 255 = a[0] * 2^0 max 255
            gives r <= 255 = r[0] * 2^0 max 255: value 1 it = a
            %0: w8 = a[0] %1: w8 = b[0] r[0] = %0 {second} }}"
        ))
    };
    for (kind, one, another) in
        [("inout", "", "r[1] = %1"), ("inout", "r[1] = %0", "r[1] = %1"), ("output", "r[1] = %0", "r[1] = %1")]
    {
        let (one, another) = (kernel(kind, one), kernel(kind, another));
        assert_eq!(difference(&one, &another), Some("whose contract leaves open a result"));
        assert_eq!(difference(&one, &one.clone()), None);
    }
}
