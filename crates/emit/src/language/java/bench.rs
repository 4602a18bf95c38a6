//! The benchmark. A compiler that sees what a call reads, or that nobody reads what it writes, leaves it out: operands and
//! results lie in rings of arrays that others can reach, and all results are folded into a sum that is printed.

use evariste_ir::{Array, ArrayKind, Kernel};

use super::super::words::chained;
use super::class::parameter;
use super::names::{WORDS, class_name};
use super::notation::element_type;
use super::programs::table;
use super::reference;
use crate::manifest::params;
use crate::package::Content;

/// `NAMEBench.java`.
pub fn bench(content: &Content) -> String {
    let class = class_name(content.prefix);
    let mut out = format!("\n{HEAD}public final class {class}Bench {{\n{MEASURE}");
    let mut lines = String::new();
    for (operation, kernel) in &content.kernels {
        out += &loops(content, operation, kernel);
        let latency = if chained(kernel).is_some() {
            format!("measure({class}Bench::latency_{operation})")
        } else {
            "Double.NaN".to_string()
        };
        lines += &format!(
            "        show(\"{}_{operation}\", measure({class}Bench::throughput_{operation}), {latency});\n",
            content.prefix
        );
    }
    let (more, call) = reference::bench(content);
    out += &more;
    out + &format!(
        "
    public static void main(String[] none) {{
        System.out.printf(\"%-32s %12s %12s   ns per call, least of 50 runs%n\", \"\", \"throughput\", \"latency\");
{lines}{call}        System.out.printf(\"sum of all results: %016x%n\", sum);
    }}
}}
"
    )
}

const HEAD: &str = "/**
 * Nanoseconds of each operation, one call after another, and each on the result of the last where that is legal. Operands
 * and results are arrays that others can reach, and all results go into a sum that is printed: no call can be left out.
 */
";

const MEASURE: &str = "    private interface Calls {
        void run(long count);
    }

    /** Arrays of each operand, taken in turn. */
    private static final int RING = 8;

    private static Object[] reachable;
    private static long sum;

    private static long[][] ring(long[][] rows) {
        long[][] all = new long[RING][];
        for (int i = 0; i < RING; i++) all[i] = rows[i % rows.length].clone();
        return all;
    }

    private static byte[][] ring(byte[][] rows) {
        byte[][] all = new byte[RING][];
        for (int i = 0; i < RING; i++) all[i] = rows[i % rows.length].clone();
        return all;
    }

    private static void fold(long[]... all) {
        for (long[] words : all) {
            for (long x : words) sum = 31 * sum + x;
        }
    }

    private static void fold(byte[]... all) {
        for (byte[] bytes : all) {
            for (byte x : bytes) sum = 31 * sum + x;
        }
    }

    /** The least of 50 runs of about two milliseconds, after a second of the same for the compiler. */
    private static double measure(Calls calls) {
        long n = 16, begin = System.nanoTime();
        while (System.nanoTime() - begin < 1_000_000_000L) {
            long start = System.nanoTime();
            calls.run(n);
            if (System.nanoTime() - start < 2_000_000L) n *= 2;
        }
        double best = Double.POSITIVE_INFINITY;
        for (int run = 0; run < 50; run++) {
            long start = System.nanoTime();
            calls.run(n);
            best = Math.min(best, (System.nanoTime() - start) / (double) n);
        }
        return best;
    }

    private static void show(String name, double throughput, double latency) {
        System.out.printf(\"%-32s %12.2f %12s%n\", name, throughput, Double.isNaN(latency) ? \"-\" : String.format(\"%.2f\", latency));
    }
";

/// The loops that are timed.
fn loops(content: &Content, operation: &str, kernel: &Kernel) -> String {
    let chain = chained(kernel);
    timed(content, operation, kernel, None)
        + &chain.map_or_else(String::new, |_| timed(content, operation, kernel, chain))
}

/// A loop of calls: each on arrays of its own in turn, or on the result of the last, which is the second of the pair.
fn timed(content: &Content, operation: &str, kernel: &Kernel, pair: Option<(Array, Array)>) -> String {
    let class = class_name(content.prefix);
    let read = params(kernel, false);
    let place = |a: Array| pair.filter(|(w, _)| *w == a).map_or(a, |(_, r)| r);
    let name = |a: Array| WORDS.name(&kernel.array(place(a)).name);
    let kind = if pair.is_some() { "latency" } else { "throughput" };
    let mut out = format!("\n    private static void {kind}_{operation}(long l) {{\n");
    let own: Vec<Array> = kernel.visible().filter(|a| place(*a) == *a).collect();
    for a in &own {
        let held = parameter(kernel, *a);
        let ty = element_type(held.bits);
        let value = match read.iter().position(|b| b == a) {
            Some(at) => format!("ring({class}Answers.{})", table(operation, at, false)),
            None => format!("new {ty}[RING][{}]", held.len),
        };
        out += &format!("        {ty}[][] {} = {value};\n", name(*a));
    }
    let reachable: Vec<String> = own.iter().map(|a| name(*a)).collect();
    out += &format!("        reachable = new Object[] {{{}}};\n", reachable.join(", "));
    // What one call after another is written to is one array.
    let chained = |a: Array| pair.is_some_and(|(_, r)| r == place(a));
    let argument = |a: Array| if chained(a) { format!("{}[0]", name(a)) } else { format!("{}[i]", name(a)) };
    let arguments: Vec<String> = kernel.visible().map(argument).collect();
    out += &format!(
        "        for (int i = 0; l-- > 0; i = (i + 1) % RING) {class}.{}_{operation}({});\n",
        content.prefix,
        arguments.join(", ")
    );
    let written = kernel.visible().filter(|a| kernel.array(*a).kind != ArrayKind::Input).map(name);
    written.for_each(|name| out += &format!("        fold({name});\n"));
    out + "    }\n"
}
