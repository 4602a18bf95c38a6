//! The same arithmetic by `BigInteger`, beside which the class is tested and measured.

use num_bigint::BigInt;

use super::super::words::Shape;
use super::names::class_name;
use crate::package::{Content, Elements};

/// The elements of a field whose operations take and give one array of words.
fn numbers<'a>(content: &'a Content<'a>) -> Option<(Shape<'a>, &'a Elements)> {
    let shape = Shape::of(content)?;
    Some((shape, shape.numbers?))
}

fn big(x: &BigInt) -> String {
    format!("new BigInteger(\"{x:x}\", 16)")
}

/// `NAMEReference.java`; empty where there are no numbers.
pub fn class(content: &Content) -> String {
    let Some((_, numbers)) = numbers(content) else { return String::new() };
    let list = |all: Vec<String>| all.join(", ");
    let ends = numbers.weights.iter().skip(1).map(|w| Some(*w)).chain([None]);
    let widths = numbers.weights.iter().zip(ends).map(|(from, to)| to.map_or("0".into(), |to| (to - from).to_string()));
    format!(
        "
import java.math.BigInteger;

/** Elements as integers modulo m, by BigInteger: obviously right, slow, and of a time that tells of its operands. */
public final class {name}Reference {{
    /** The modulus. */
    public static final BigInteger M = {m};

    private static final BigInteger R = {r};
    private static final BigInteger R_INVERSE = R.modInverse(M);
    private static final int[] WEIGHTS = {{{weights}}};
    private static final int[] WIDTHS = {{{widths}}};

    private {name}Reference() {{
    }}

    /** The value of an element. */
    public static BigInteger value(long[] a) {{
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < WEIGHTS.length; i++) {{
            sum = sum.add(new BigInteger(Long.toUnsignedString(a[i])).shiftLeft(WEIGHTS[i]));
        }}
        return sum.multiply(R_INVERSE).mod(M);
    }}

    /** The element of a value. */
    public static long[] element(BigInteger x) {{
        BigInteger number = x.multiply(R).mod(M);
        long[] out = new long[WEIGHTS.length];
        for (int i = 0; i < WEIGHTS.length; i++) {{
            BigInteger word = number.shiftRight(WEIGHTS[i]);
            if (WIDTHS[i] != 0) word = word.mod(BigInteger.ONE.shiftLeft(WIDTHS[i]));
            out[i] = word.longValue();
        }}
        return out;
    }}

{OPERATIONS}",
        name = class_name(content.prefix),
        m = big(&numbers.modulus),
        r = big(&numbers.factor),
        weights = list(numbers.weights.iter().map(u32::to_string).collect()),
        widths = list(widths.collect()),
    )
}

/// The operations, and the end of the class.
const OPERATIONS: &str = "    public static BigInteger mul(BigInteger a, BigInteger b) {
        return a.multiply(b).mod(M);
    }

    public static BigInteger square(BigInteger a) {
        return a.multiply(a).mod(M);
    }

    public static BigInteger add(BigInteger a, BigInteger b) {
        return a.add(b).mod(M);
    }

    public static BigInteger sub(BigInteger a, BigInteger b) {
        return a.subtract(b).mod(M);
    }

    public static BigInteger opp(BigInteger a) {
        return a.negate().mod(M);
    }

    /** The inverse; of 0 it is 0. */
    public static BigInteger inv(BigInteger a) {
        return a.signum() == 0 ? a : a.modInverse(M);
    }
}
";

/// The operations that both have.
fn shared(shape: &Shape) -> Vec<(&'static str, usize)> {
    let all = [("mul", 2), ("square", 1), ("add", 2), ("sub", 2), ("opp", 1), ("inv", 1)];
    all.into_iter().filter(|(name, operands)| shape.takes(name, *operands)).collect()
}

/// The function of the test that compares both on elements at random, and its call.
pub fn test(content: &Content) -> (String, String) {
    let Some((shape, _)) = numbers(content) else { return Default::default() };
    let (class, prefix, len) = (class_name(content.prefix), content.prefix, shape.len);
    let mut checks = String::new();
    for (name, operands) in shared(&shape) {
        let (given, values) = if operands == 2 { ("x, y", "a, b") } else { ("x", "a") };
        checks += &format!(
            "            {class}.{prefix}_{name}(out, {given});\n            expect(\"{name} and BigInteger\", row, {class}Reference.value(out).equals({class}Reference.{name}({values})));\n"
        );
    }
    (
        format!(
            "
    private static void test_reference() {{
        java.util.Random random = new java.util.Random(1);
        for (int row = 0; row < 200; row++) {{
            java.math.BigInteger a = new java.math.BigInteger({class}Reference.M.bitLength(), random).mod({class}Reference.M);
            java.math.BigInteger b = new java.math.BigInteger({class}Reference.M.bitLength(), random).mod({class}Reference.M);
            long[] x = {class}Reference.element(a), y = {class}Reference.element(b), out = new long[{len}];
            expect(\"value and element\", row, {class}Reference.value(x).equals(a));
{checks}        }}
    }}
"
        ),
        "        test_reference();\n".into(),
    )
}

/// The functions of the benchmark, and the lines that call them.
pub fn bench(content: &Content) -> (String, String) {
    let Some((shape, _)) = numbers(content) else { return Default::default() };
    let class = class_name(content.prefix);
    let (mut out, mut lines) = (String::new(), String::new());
    for (name, operands) in shared(&shape) {
        let given = if operands == 2 { "a, b" } else { "a" };
        out += &format!(
            "
    private static void reference_{name}(long n) {{
        java.math.BigInteger a = {class}Reference.M.shiftRight(1), b = {class}Reference.M.subtract(java.math.BigInteger.TWO);
        while (n-- > 0) {{
            java.math.BigInteger out = {class}Reference.{name}({given});
            b = a;
            a = out;
        }}
        sum += a.add(b).longValue();
    }}
"
        );
        lines +=
            &format!("        show(\"BigInteger {name}\", Double.NaN, measure({class}Bench::reference_{name}));\n");
    }
    (out, lines)
}

/// What the readme says of it.
pub fn readme(content: &Content) -> String {
    if numbers(content).is_none() {
        return String::new();
    }
    format!(
        "\n## Beside it\n\n`{}Reference.java` has the same operations by `BigInteger`, on values that `value` takes out of elements and `element` puts into them. The test compares both on elements at random, and the benchmark times both.\n",
        class_name(content.prefix)
    )
}
