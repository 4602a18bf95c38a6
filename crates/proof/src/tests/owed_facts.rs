//! What a callee asks for beyond bounds, in kernels that promise steps alone: nothing there asks for the values of calls
//! but the facts that other calls owe. Each wrong caller stands beside a right one, and is refused though what it
//! promises would hold: that the callee may not be called so is all that is wrong.

use evariste_ir::Kernel;

use super::is_proved;
use crate::broken_rules::{Rule, breaking};

/// `z ≡ 2b` as it is promised, and computed.
const TWICE: &str = "value 1 it = 2*b mod 9";

/// A kernel of b and c that promises a step, with these statements; the callees are `twice(z, b)` with that promise, and
/// `asks(z, b, a)`, which is given that fact.
fn caller(promise: &str, fact: &str, statements: &str) -> Kernel {
    let text = format!(
        "kernel @0 twice: word 8 {{
    output z: 1 x w8 <2^4
    input b: 1 x w8 <2^3

    given b <= 7 = b[0] * 2^0 max 7
    gives z <= 15 = z[0] * 2^0 max 15: {promise}

    %0: w8 <2^3 = b[0]
    %1: w8 [0, 14] = add %0, %0
    z[0] = %1
}}
kernel @1 asks: word 8 {{
    output z: 1 x w8 <2^4
    input b: 1 x w8 <2^3
    input a: 1 x w8 <2^4

    given b <= 7 = b[0] * 2^0 max 7
    given a <= 15 = a[0] * 2^0 max 15
    where a = {fact}
    gives z <= 15 = z[0] * 2^0 max 15: value 1 it = a

    %0: w8 <2^4 = a[0]
    z[0] = %0
}}
kernel caller: word 8 {{
    output out: 1 x w8 <2^4
    input b: 1 x w8 <2^3
    input c: 1 x w8 <2^3
    local a: 2 x w8 <2^4
    local t: 1 x w8 <2^3
    disjoint out b
    disjoint out c
    callees @0 @1

    given b <= 7 = b[0] * 2^0 max 7
    given c <= 7 = c[0] * 2^0 max 7
    gives out <= 15 = out[0] * 2^0 max 15: step asked

{statements}
}}
"
    );
    let kernel = Kernel::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert_eq!(evariste_ir::verify(&kernel), Ok(()), "{text}");
    kernel
}

const BOTH: &str = "    call 0 twice(a[0..], b)\n    call 1 asks(out, b, a[0..])";

fn right(kernel: &Kernel) {
    if let crate::Outcome::Unknown(open) = crate::prove(kernel) {
        panic!("{}: {}\n{kernel}", open.what, open.detail);
    }
}

/// Refused, and by the proof itself.
fn wrong(kernel: &Kernel) {
    assert!(!is_proved(kernel) && !breaking(&[Rule::Nets], || is_proved(kernel)), "{kernel}");
    assert!(breaking(&[Rule::CalleeFact, Rule::Nets], || is_proved(kernel)), "wrong for another reason:\n{kernel}");
}

#[test]
fn a_promise_serves_modulo_divisors() {
    for asked in ["2*b mod 9", "2*b mod 3", "11*b mod 9", "2*b mod 1"] {
        right(&caller(TWICE, asked, BOTH));
    }
    for (promise, asked) in [
        ("value 1 it = 2*b mod 3", "2*b mod 9"),
        ("value 1 it = 2*b mod 9", "2*b mod 6"),
        ("value 1 it = 2*b mod 9", "2*b mod 27"),
        ("value 1 it = 2*b mod 9", "5*b mod 9"),
        ("value 1 it = 2*b mod 9", "2*b + 3 mod 9"),
        ("value 1 it = 2*b mod 1", "2*b mod 9"),
        // Three times a number says nothing modulo 9 of the number.
        ("value 3 it = 6*b mod 9", "2*b mod 9"),
    ] {
        let kernel = caller(promise, asked, BOTH);
        wrong(&kernel);
        let serves = promise.ends_with("2*b mod 3") || asked.ends_with("6") || asked.ends_with("27");
        if serves {
            assert!(breaking(&[Rule::FactModulus, Rule::Nets], || is_proved(&kernel)), "while broken:\n{kernel}");
        }
    }
}

#[test]
fn a_factor_is_divided_by_where_it_is_a_unit() {
    // 5·z ≡ b says z ≡ 2b modulo 9.
    right(&caller("value 5 it = b mod 9", "2*b mod 9", BOTH));
    wrong(&caller("value 5 it = b mod 9", "b mod 9", BOTH));
}

#[test]
fn a_promise_that_is_false_serves_nobody() {
    let kernel = caller("value 1 it = 2*b + 1 mod 9", "2*b + 1 mod 9", BOTH);
    assert!(!is_proved(&kernel) && !breaking(&[Rule::Nets, Rule::CalleeFact], || is_proved(&kernel)), "{kernel}");
}

#[test]
fn a_promise_is_about_what_was_there_then() {
    let asked = "2*b mod 9";
    let copy = "    %0: w8 <2^3 = b[0]\n    t[0] = %0\n    call 0 twice(a[0..], t)\n";
    let other = "    %1: w8 <2^3 = c[0]\n    t[0] = %1\n";
    right(&caller(TWICE, asked, &format!("{copy}    call 1 asks(out, t, a[0..])")));
    right(&caller(TWICE, asked, &format!("{copy}{other}    call 1 asks(out, b, a[0..])")));
    wrong(&caller(TWICE, asked, &format!("{copy}{other}    call 1 asks(out, t, a[0..])")));
    // Of another number, before the call, of another element, written over in between.
    let twice = "    call 0 twice(a[0..], b)\n";
    wrong(&caller(TWICE, asked, &format!("{twice}    call 1 asks(out, c, a[0..])")));
    wrong(&caller(
        TWICE,
        asked,
        &format!("    %0: w8 [1] = const(1)\n    a[0] = %0\n    call 1 asks(out, b, a[0..])\n{twice}"),
    ));
    wrong(&caller(TWICE, asked, &format!("{twice}    call 0 twice(a[1..], c)\n    call 1 asks(out, b, a[1..])")));
    right(&caller(TWICE, asked, &format!("{twice}    call 0 twice(a[1..], c)\n    call 1 asks(out, b, a[0..])")));
    wrong(&caller(
        TWICE,
        asked,
        &format!("{twice}    %0: w8 [1] = const(1)\n    a[0] = %0\n    call 1 asks(out, b, a[0..])"),
    ));
    wrong(&caller(TWICE, asked, &format!("{twice}    call 0 twice(a[0..], c)\n    call 1 asks(out, b, a[0..])")));
}

#[test]
fn a_promise_of_one_iteration_is_not_of_the_next() {
    let looped = |first: &str, inside: &str| {
        caller(
            TWICE,
            "2*b mod 9",
            &format!("    call 0 twice(a[0..], {first})\n    for i0 in 0..3 {{\n{inside}\n    }}"),
        )
    };
    let asks = "        call 1 asks(out, b, a[0..])";
    right(&looped("b", asks));
    right(&looped("b", &format!("{asks}\n        call 0 twice(a[0..], b)")));
    right(&looped("c", &format!("        call 0 twice(a[0..], b)\n{asks}")));
    wrong(&looped("c", &format!("{asks}\n        call 0 twice(a[0..], b)")));
    // Right the first time alone.
    wrong(&looped("b", &format!("{asks}\n        call 0 twice(a[0..], c)")));
}

/// A statement of random callers: on numbers a0, a1, a2 and t0, t1.
#[derive(Clone, Copy)]
enum Statement {
    /// `a ← 2t`, promised modulo 9.
    Twice(usize, usize),
    /// `a ← 5t`, promised as 2t modulo 3.
    FiveTimes(usize, usize),
    /// `a ← a′`, of which is asked that it is 2t modulo 3 or 9; promised modulo 27.
    Asks(u32, usize, usize, usize),
    /// `t ← b`, or c.
    Source(usize, bool),
    /// `a ← k`
    Constant(usize, u32),
    /// `a ← a′`, word by word.
    Moved(usize, usize),
}

use Statement::{Asks, Constant, FiveTimes, Moved, Source, Twice};

impl Statement {
    fn random(word: &mut impl FnMut(usize) -> usize) -> Statement {
        let kind = word(14);
        // The first ones more often, so that what is asked for is often so.
        let mut low = |end: usize| word(end).min(word(end)).min(word(end));
        match kind {
            0..=2 => Twice(low(3), low(2)),
            3..=5 => FiveTimes(low(3), low(2)),
            6..=10 => Asks([3, 9][low(2)], low(3), low(2), low(3)),
            11 => Source(low(2), low(2) == 0),
            12 => Constant(low(3), low(4) as u32),
            _ => Moved(low(3), low(3)),
        }
    }

    fn text(self, name: &mut u32) -> String {
        let mut moved = |from: &str, to: String| {
            let text = format!("    %{name}: {from}\n    {to} = %{name}\n");
            *name += 1;
            text
        };
        match self {
            Twice(a, t) => format!("    call 0 twice(a[{a}..], t[{t}..])\n"),
            FiveTimes(a, t) => format!("    call 1 five(a[{a}..], t[{t}..])\n"),
            Asks(3, to, t, a) => format!("    call 2 asks3(a[{to}..], t[{t}..], a[{a}..])\n"),
            Asks(_, to, t, a) => format!("    call 3 asks9(a[{to}..], t[{t}..], a[{a}..])\n"),
            Source(t, b) => moved(&format!("w8 <2^3 = {}[0]", if b { "b" } else { "c" }), format!("t[{t}]")),
            Constant(a, k) => moved(&format!("w8 [{k}] = const({k})"), format!("a[{a}]")),
            Moved(to, a) => moved(&format!("w8 <2^6 = a[{a}]"), format!("a[{to}]")),
        }
    }

    /// Runs it; is what is asked for so?
    fn holds(self, a: &mut [u32; 3], t: &mut [u32; 2], [b, c]: [u32; 2]) -> bool {
        match self {
            Twice(to, from) => a[to] = 2 * t[from],
            FiveTimes(to, from) => a[to] = 5 * t[from],
            Asks(m, to, of, from) => {
                let holds = a[from] % m == 2 * t[of] % m;
                a[to] = a[from];
                return holds;
            }
            Source(to, is_b) => t[to] = if is_b { b } else { c },
            Constant(to, k) => a[to] = k,
            Moved(to, from) => a[to] = a[from],
        }
        true
    }
}

fn callee(at: u32, name: &str, of_a: bool, fact: &str, promise: &str, body: &str) -> String {
    let (array, given) =
        if of_a { ("    input a: 1 x w8 <2^6\n", "    given a <= 63 = a[0] * 2^0 max 63\n") } else { ("", "") };
    format!(
        "kernel @{at} {name}: word 8 {{
    output z: 1 x w8 <2^6
    input t: 1 x w8 <2^3
{array}
    given t <= 7 = t[0] * 2^0 max 7
{given}{fact}    gives z <= 63 = z[0] * 2^0 max 63: value 1 it = {promise}

{body}}}
"
    )
}

/// A caller that runs the first statements once, and the others so many times.
fn random_caller(first: &[Statement], again: &[Statement], trips: u32) -> Kernel {
    let times = |k: u32| {
        let product = format!("    %1: w8 [{k}] = const({k})\n    %2: w8 [0, {}] = mul %0, %1\n", 7 * k);
        format!("    %0: w8 <2^3 = t[0]\n{product}    z[0] = %2\n")
    };
    let pass = "    %0: w8 <2^6 = a[0]\n    z[0] = %0\n";
    let mut text = callee(0, "twice", false, "", "2*t mod 9", &times(2));
    text += &callee(1, "five", false, "", "2*t mod 3", &times(5));
    text += &callee(2, "asks3", true, "    where a = 2*t mod 3\n", "a mod 27", pass);
    text += &callee(3, "asks9", true, "    where a = 2*t mod 9\n", "a mod 27", pass);
    let mut name = 0;
    let start = [Source(0, true), Source(1, false), Constant(0, 0), Constant(1, 0), Constant(2, 0)];
    let before: String = start.iter().chain(first).map(|s| s.text(&mut name)).collect();
    let looped: String = again.iter().map(|s| s.text(&mut name)).collect();
    text += &format!(
        "kernel caller: word 8 {{
    output out: 1 x w8 <2^6
    input b: 1 x w8 <2^3
    input c: 1 x w8 <2^3
    local a: 3 x w8 <2^6
    local t: 2 x w8 <2^3
    callees @0 @1 @2 @3

    given b <= 7 = b[0] * 2^0 max 7
    given c <= 7 = c[0] * 2^0 max 7
    gives out <= 63 = out[0] * 2^0 max 63: step asked

{before}    for i0 in 0..{trips} {{
{looped}    }}
    %{name}: w8 <2^6 = a[0]
    out[0] = %{name}
}}
"
    );
    Kernel::parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"))
}

#[test]
fn random_callers_ask_for_nothing_false() {
    let mut seed = 0x2545_f491_4f6c_dd1du64;
    let mut word = |end: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed >> 20) as usize % end
    };
    let (mut proved, mut shy, mut refused, mut believed) = (0, 0, 0, 0);
    for _ in 0..1500 {
        let (n, m) = (1 + word(5), 1 + word(3));
        let first: Vec<Statement> = (0..n).map(|_| Statement::random(&mut word)).collect();
        let again: Vec<Statement> = (0..m).map(|_| Statement::random(&mut word)).collect();
        let trips = 1 + word(3) as u32;
        let kernel = random_caller(&first, &again, trips);
        if evariste_ir::verify(&kernel).is_err() {
            continue;
        }
        let right = (0..64).all(|i| {
            let inputs = [i % 8, i / 8];
            let (mut a, mut t) = ([0; 3], inputs);
            let mut all = first.iter().chain((0..trips).flat_map(|_| &again));
            all.all(|s| s.holds(&mut a, &mut t, inputs))
        });
        match (breaking(&[Rule::Nets], || is_proved(&kernel)), right) {
            (true, true) => proved += u32::from(first.iter().chain(&again).any(|s| matches!(s, Asks(..)))),
            (true, false) => panic!("proved, and asks for what is false:\n{kernel}"),
            (false, true) => shy += 1,
            (false, false) => {
                refused += 1;
                believed += u32::from(breaking(&[Rule::FactModulus, Rule::Nets], || is_proved(&kernel)));
            }
        }
    }
    println!(
        "{proved} that ask proved, {shy} right and not proved, {refused} wrong, {believed} of them while a rule is broken"
    );
    assert!(proved > 100 && refused > 500 && believed > 20 && shy * 20 < proved, "{proved} {shy} {refused} {believed}");
}
