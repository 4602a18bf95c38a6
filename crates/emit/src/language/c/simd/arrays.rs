//! `PREFIX_arrays.c`: products of arrays of elements, which lie in memory one after the other. Blocks of as many elements
//! as there are lanes go through vectors, what is left through the function of one element.

use evariste_ir::{Array, ArrayKind, Claim, Digit, Kernel, Operand, Type};

use super::function::{functions as kernel_functions, linkage, opening};
use super::level::Level;
use super::{PROCESSOR, level};
use crate::error::EmitError;
use crate::language::c::types::unsigned;
use crate::language::c::versions::internal;
use crate::notice::notice;
use crate::package::{Content, File};

/// Ends of the names of functions that operations cannot have.
const NAMES: [&str; 3] = ["mul_array", "mul_array_at", "array_level"];

/// The product of a package that has functions on arrays, and what it is in lanes.
pub struct Product<'a> {
    /// Start of every name.
    pub prefix: &'a str,
    /// The kernel of one element.
    pub kernel: &'a Kernel,
    /// Words of an element.
    pub len: u32,
    /// Bits of a word in memory.
    pub word: u32,
    /// The levels that it is taken at, the least first, and their kernels.
    pub levels: Vec<(&'static Level, &'a Kernel)>,
}

impl<'a> Product<'a> {
    /// Of a package; `None`: it has no functions on arrays.
    pub fn of(content: &'a Content) -> Option<Product<'a>> {
        let arrays = content.arrays.as_ref().filter(|_| !content.header_only)?;
        let (_, kernel) = content.kernels.iter().find(|(operation, _)| operation == "mul")?;
        let visible: Vec<Array> = kernel.visible().collect();
        let kinds: Vec<&ArrayKind> = visible.iter().map(|a| &kernel.array(*a).kind).collect();
        let [out, _, _] = visible[..] else { return None };
        let info = kernel.array(out);
        let Type::Word(word @ (32 | 64)) = info.ty else { return None };
        let alike = visible.iter().all(|a| kernel.array(*a).len == info.len && kernel.array(*a).ty == info.ty);
        let known = PROCESSOR.levels.iter().filter_map(|level| {
            arrays.iter().find(|(name, _)| *name == level.name).map(|(_, kernel)| (level, *kernel))
        });
        let is_product = matches!(kinds[..], [ArrayKind::Output, ArrayKind::Input, ArrayKind::Input]);
        (is_product && alike && !kernel.vartime).then(|| Product {
            prefix: content.prefix,
            kernel,
            len: info.len,
            word: u32::from(word),
            levels: known.collect(),
        })
    }

    /// The type of a word.
    pub fn ty(&self) -> &'static str {
        unsigned(self.word)
    }

    /// `PREFIX_ARRAYS_PROCESSOR`: are there vectors in this build?
    pub fn condition(&self) -> String {
        let name: String = PROCESSOR.name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        format!("{}_ARRAYS_{name}", self.prefix).to_ascii_uppercase()
    }

    /// The parameters of its functions.
    pub fn parameters(&self) -> String {
        format!("{0} *out, const {0} *a, const {0} *b, size_t n", self.ty())
    }

    /// A text in which these words stand for what they are.
    pub fn filled(&self, text: &str) -> String {
        text.replace("PARAMETERS", &self.parameters())
            .replace("WORDS", &self.len.to_string())
            .replace("TYPE", self.ty())
            .replace("CONDITION", &self.condition())
            .replace("HIDDEN", &format!("{}_INTERNAL", self.prefix.to_ascii_uppercase()))
            .replace("PREFIX", self.prefix)
    }
}

/// Has a package functions on arrays?
pub fn has_arrays(content: &Content) -> bool {
    Product::of(content).is_some()
}

/// For the header.
pub fn declaration(content: &Content) -> String {
    let Some(product) = Product::of(content) else { return String::new() };
    let by = match product.levels.iter().map(|(level, _)| level.title).collect::<Vec<_>>().as_slice() {
        [] => "By PREFIX_mul, one after the other.".to_string(),
        [one] => format!("By {one} where the processor has it, else by PREFIX_mul."),
        [others @ .., last] => {
            format!("By {} or {last} where the processor has them, else by PREFIX_mul.", others.join(", "))
        }
    };
    product.filled(&format!(
        "
/* PREFIX_mul_array: n products, out[i] = a[i] b[i] as of PREFIX_mul, of elements that lie one after the other, WORDS words each. In
 *   PREFIX_arrays.c. {by}
 *   May be the same array: out and a; out and b; arrays must not overlap otherwise. n is public.
 */
void PREFIX_mul_array(PARAMETERS);
"
    ))
}

/// The files of a package, with those of functions on arrays.
///
/// # Errors
/// A kernel in lanes without a form there, or with another contract than that of one element.
pub fn with_files(content: &Content, mut files: Vec<File>) -> Result<Vec<File>, EmitError> {
    let Some(product) = Product::of(content) else { return Ok(files) };
    if let Some(name) = NAMES.into_iter().find(|name| content.has(name)) {
        return Err(EmitError::DuplicateName { symbol: format!("{}_{name}", content.prefix) });
    }
    let asked = content.arrays.iter().flatten().find(|(name, _)| level(name).is_none());
    if let Some((name, _)) = asked {
        return Err(EmitError::Lanes { level: name.to_string(), why: "there are no such vectors in C".into() });
    }
    let prefix = content.prefix;
    let opening = notice(content, "products of arrays of elements");
    files.extend([
        File { path: format!("{prefix}_arrays.h"), text: header(content, &product) },
        File { path: format!("{prefix}_arrays.c"), text: opening + &functions(&product)? },
    ]);
    Ok(files)
}

/// `PREFIX_arrays.h`: what the test and the benchmark call by name.
fn header(content: &Content, product: &Product) -> String {
    let titles: Vec<String> =
        product.levels.iter().enumerate().map(|(i, (level, _))| format!(", {}: {}", i + 1, level.title)).collect();
    let guard = format!("{}_ARRAYS_H", content.prefix.to_ascii_uppercase());
    let text = format!(
        "
#ifndef {guard}
#define {guard}

#include <stddef.h>
#include <stdint.h>

{}
/* What this processor runs. 0: PREFIX_mul for each element{}. */
HIDDEN int PREFIX_array_level(void);

/* PREFIX_mul_array at a level that the processor runs. */
HIDDEN void PREFIX_mul_array_at(int level, PARAMETERS);

#endif
",
        internal(&content.prefix.to_ascii_uppercase()),
        titles.concat()
    );
    notice(content, "functions on arrays, for the package itself and for its test") + &product.filled(&text)
}

/// `PREFIX_arrays.c` behind its notice.
fn functions(product: &Product) -> Result<String, EmitError> {
    let mut out = "\n#include \"PREFIX.h\"\n#include \"PREFIX_arrays.h\"\n".to_string();
    if !product.levels.is_empty() {
        out += &format!(
            "
/* Are there vectors: {}, a compiler that has names for them, and nobody who wants plain C only? */{}
#if {} && !defined(EVARISTE_PORTABLE)
#define CONDITION 1
#else
#define CONDITION 0
#endif

#if CONDITION
{}",
            PROCESSOR.name, PROCESSOR.compilers, PROCESSOR.compiled_for, PROCESSOR.opening
        );
        for (level, kernel) in &product.levels {
            out += &level_text(product, level, kernel)?;
        }
        out += "\n#endif\n";
    }
    Ok(product.filled(&(out + &choice(product))))
}

/// Everything of one level.
fn level_text(product: &Product, level: &Level, kernel: &Kernel) -> Result<String, EmitError> {
    let refused = |why: String| EmitError::Lanes { level: level.name.to_string(), why };
    agrees(product.kernel, kernel).map_err(refused)?;
    if product.word == 32 && product.len > 1 {
        return Err(refused("elements have several words of 32 bits".into()));
    }
    let (vector, suffix) = (level.vector, level.suffix);
    let mut out = opening(level);
    out += &kernel_functions(level, &[(&format!("{}_{suffix}", product.prefix), kernel)])?;
    out += &moves(product, level);
    let lanes = level.lanes();
    out += &format!(
        "
/* The products of the whole blocks of {lanes}; gives how many elements these are. */
__attribute__((target(\"{}\"))) static size_t PREFIX_mul_array_{suffix}(PARAMETERS) {{
  size_t i;
  for (i = 0; n - i >= {lanes}; i += {lanes}) {{
    {vector} x[WORDS], y[WORDS], z[WORDS];
    PREFIX_{suffix}_in(x, a + i * WORDS);
    PREFIX_{suffix}_in(y, b + i * WORDS);
    PREFIX_{suffix}_lanes(z, x, y);
    PREFIX_{suffix}_out(out + i * WORDS, z);
  }}
  return i;
}}
",
        level.target
    );
    Ok(out)
}

/// A block of elements into lanes, and back.
fn moves(product: &Product, level: &Level) -> String {
    let (macro_name, vector, suffix, len) = (linkage(level), level.vector, level.suffix, product.len);
    let all = &level.moves;
    let (mut texts, mut into, mut back) = (String::new(), String::new(), String::new());
    match (product.word, len) {
        (32, _) => {
            texts += all.shorts;
            into += &format!("  v[0] = evariste_in_short_{suffix}(x);\n");
            back += &format!("  evariste_out_short_{suffix}(x, v[0]);\n");
        }
        (_, 1) => {
            texts += all.rows;
            into += &format!("  v[0] = evariste_in_row_{suffix}(x);\n");
            back += &format!("  evariste_out_row_{suffix}(x, v[0]);\n");
        }
        _ => {
            texts += all.pairs;
            for i in (0..len - 1).step_by(2) {
                into += &format!("  evariste_in_pair_{suffix}(&v[{i}], &v[{}], x + {i}, {len});\n", i + 1);
                back += &format!("  evariste_out_pair_{suffix}(x + {i}, {len}, v[{i}], v[{}]);\n", i + 1);
            }
            if len % 2 == 1 {
                texts += all.ones;
                into += &format!("  v[{}] = evariste_in_one_{suffix}(x + {}, {len});\n", len - 1, len - 1);
                back += &format!("  evariste_out_one_{suffix}(x + {}, {len}, v[{}]);\n", len - 1, len - 1);
            }
        }
    }
    format!(
        "{texts}
/* Word i of {} elements becomes vector i, and back. */
{macro_name} void PREFIX_{suffix}_in({vector} v[WORDS], const TYPE *x) {{
{into}}}

{macro_name} void PREFIX_{suffix}_out(TYPE *x, const {vector} v[WORDS]) {{
{back}}}
",
        level.lanes()
    )
}

/// Which level runs, and the functions that choose.
fn choice(product: &Product) -> String {
    let (mut asks, mut calls) = (String::new(), String::new());
    for (i, (level, _)) in product.levels.iter().enumerate() {
        let number = i + 1;
        asks += &format!("  if ({}) level = {number};\n", level.runs);
        calls += &format!("  if (level == {number}) i = PREFIX_mul_array_{}(out, a, b, n);\n", level.suffix);
    }
    let (ask, call) = if product.levels.is_empty() {
        ("  return 0;\n".to_string(), "  (void)level;\n".to_string())
    } else {
        (
            format!("  int level = 0;\n#if CONDITION\n  {}\n{asks}#endif\n  return level;\n", PROCESSOR.prepare),
            format!("#if CONDITION\n{calls}#else\n  (void)level;\n#endif\n"),
        )
    };
    format!(
        "
int PREFIX_array_level(void) {{
{ask}}}

void PREFIX_mul_array_at(int level, PARAMETERS) {{
  size_t i = 0;
{call}  for (; i < n; i++) PREFIX_mul(out + i * WORDS, a + i * WORDS, b + i * WORDS);
}}

void PREFIX_mul_array(PARAMETERS) {{
  PREFIX_mul_array_at(PREFIX_array_level(), out, a, b, n);
}}
"
    )
}

/// Does the second kernel take all that the first one takes, and promise as much? An error says what is different.
pub fn agrees(one: &Kernel, lanes: &Kernel) -> Result<(), String> {
    let outside = |what: &str| Err(format!("{what} of `{}` are not those of `{}`", lanes.name, one.name));
    let lengths =
        |k: &Kernel| k.visible().map(|a| (k.array(a).len, k.array(a).ty, k.array(a).kind.clone())).collect::<Vec<_>>();
    if lengths(one) != lengths(lanes) || !lanes.contract.facts.is_empty() {
        return outside("the parameters");
    }
    // The same words of the same parameters, and no number that only the other takes.
    let covers = |more: (&Kernel, &Operand), less: (&Kernel, &Operand)| {
        let seen = |(k, o): (&Kernel, &Operand)| {
            let mut all =
                k.seen(o).into_iter().filter(|o| o.digits.iter().all(|d| k.array(d.array).kind != ArrayKind::Ghost));
            all.next().filter(|o| o.below.is_none())
        };
        let place = |k: &Kernel, d: &Digit| (k.visible().position(|a| a == d.array), d.index, d.weight);
        let (Some(m), Some(l)) = (seen(more), seen(less)) else { return false };
        m.bound >= l.bound
            && m.digits.len() == l.digits.len()
            && m.digits.iter().zip(&l.digits).all(|(m, l)| {
                place(more.0, m) == place(less.0, l) && m.bits.is_none() && l.bits.is_none() && m.max >= l.max
            })
    };
    let inputs = one.contract.inputs.iter().zip(&lanes.contract.inputs);
    if one.contract.inputs.len() != lanes.contract.inputs.len()
        || !inputs.into_iter().all(|(o, l)| covers((lanes, l), (one, o)))
    {
        return outside("the operands");
    }
    let (
        [Claim::Value { output, factor, polynomial, modulus }],
        [Claim::Value { output: output_l, factor: factor_l, polynomial: polynomial_l, modulus: modulus_l }],
    ) = (&one.contract.claims[..], &lanes.contract.claims[..])
    else {
        return outside("the claims");
    };
    if !covers((one, output), (lanes, output_l))
        || (factor, modulus) != (factor_l, modulus_l)
        || polynomial != polynomial_l
    {
        return outside("the results");
    }
    Ok(())
}
