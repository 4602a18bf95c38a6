//! `PREFIX_arrays.c`: products and squares of arrays of elements, which lie in memory one after the other. Blocks of as
//! many elements as there are lanes go through vectors, what is left through the function of one element. A square in
//! lanes is the product of a block with itself.

use evariste_ir::{Array, ArrayKind, Claim, Digit, Kernel, Modulo, Operand, Polynomial, Type};
use num_bigint::BigInt;

use super::function::{functions as kernel_functions, linkage, opening};
use super::level::Level;
use super::{PROCESSOR, level};
use crate::error::EmitError;
use crate::language::c::types::unsigned;
use crate::language::c::versions::internal;
use crate::notice::notice;
use crate::package::{Content, File};

/// Ends of the names of functions that operations cannot have.
const NAMES: [&str; 5] = ["mul_array", "mul_array_at", "square_array", "square_array_at", "array_level"];

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
    /// The square of one element, where the package has it and it is the product of an element with itself.
    pub square: Option<&'a Kernel>,
    /// The levels that squares are taken at, by their place among those of products.
    pub squares: Vec<usize>,
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
        let known: Vec<(&Level, &Kernel, bool)> = PROCESSOR
            .levels
            .iter()
            .filter_map(|level| {
                let (_, kernel, squares) = arrays.iter().find(|(name, ..)| *name == level.name)?;
                Some((level, *kernel, *squares))
            })
            .collect();
        let square = content.kernels.iter().find(|(operation, _)| operation == "square").map(|(_, kernel)| *kernel);
        let square = square.filter(|square| is_square_of(kernel, square));
        let squares = known.iter().enumerate().filter(|(_, (.., squares))| *squares && square.is_some());
        let squares = squares.map(|(i, _)| i).collect();
        let is_product = matches!(kinds[..], [ArrayKind::Output, ArrayKind::Input, ArrayKind::Input]);
        (is_product && alike && !kernel.vartime).then(|| Product {
            prefix: content.prefix,
            kernel,
            len: info.len,
            word: u32::from(word),
            square,
            squares,
            levels: known.into_iter().map(|(level, kernel, _)| (level, kernel)).collect(),
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

    /// The levels of products, or of squares.
    fn levels_of(&self, squares: bool) -> impl Iterator<Item = (usize, &'static Level)> + '_ {
        let all = self.levels.iter().enumerate().filter(move |(i, _)| !squares || self.squares.contains(i));
        all.map(|(i, (level, _))| (i + 1, *level))
    }

    /// A text in which these words stand for what they are.
    pub fn filled(&self, text: &str) -> String {
        text.replace("SQUARED", &format!("{0} *out, const {0} *a, size_t n", self.ty()))
            .replace("PARAMETERS", &self.parameters())
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
    let by = |squares: bool, one: &str| match product
        .levels_of(squares)
        .map(|(_, level)| level.title)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [] => format!("By PREFIX_{one}, one after the other."),
        [title] => format!("By {title} where the processor has it, else by PREFIX_{one}."),
        [others @ .., last] => {
            format!("By {} or {last} where the processor has them, else by PREFIX_{one}.", others.join(", "))
        }
    };
    let square = product.square.map_or_else(String::new, |_| {
        format!(
            "
/* PREFIX_square_array: n squares, out[i] = a[i]^2 as of PREFIX_square. {}
 *   May be the same array: out and a; arrays must not overlap otherwise. n is public.
 */
void PREFIX_square_array(SQUARED);
",
            by(true, "square")
        )
    });
    let by = by(false, "mul");
    product.filled(&format!(
        "
/* PREFIX_mul_array: n products, out[i] = a[i] b[i] as of PREFIX_mul, of elements that lie one after the other, WORDS words each. In
 *   PREFIX_arrays.c. {by}
 *   May be the same array: out and a; out and b; arrays must not overlap otherwise. n is public.
 */
void PREFIX_mul_array(PARAMETERS);
{square}"
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
    let asked = content.arrays.iter().flatten().find(|(name, ..)| level(name).is_none());
    if let Some((name, ..)) = asked {
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
{}
#endif
",
        internal(&content.prefix.to_ascii_uppercase()),
        titles.concat(),
        product.square.map_or("", |_| {
            "
/* PREFIX_square_array at such a level. */
HIDDEN void PREFIX_square_array_at(int level, SQUARED);
"
        })
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
        for (i, (level, kernel)) in product.levels.iter().enumerate() {
            out += &level_text(product, level, kernel)?;
            if product.squares.contains(&i) {
                out += &square_text(level);
            }
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

/// The squares of one level, behind its products.
fn square_text(level: &Level) -> String {
    let (vector, suffix, lanes) = (level.vector, level.suffix, level.lanes());
    format!(
        "
/* The squares of the whole blocks, products of a block with itself; gives how many elements these are. */
__attribute__((target(\"{}\"))) static size_t PREFIX_square_array_{suffix}(SQUARED) {{
  size_t i;
  for (i = 0; n - i >= {lanes}; i += {lanes}) {{
    {vector} x[WORDS], z[WORDS];
    PREFIX_{suffix}_in(x, a + i * WORDS);
    PREFIX_{suffix}_lanes(z, x, x);
    PREFIX_{suffix}_out(out + i * WORDS, z);
  }}
  return i;
}}
",
        level.target
    )
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
    let asks: String =
        product.levels_of(false).map(|(i, level)| format!("  if ({}) level = {i};\n", level.runs)).collect();
    let ask = if product.levels.is_empty() {
        "  return 0;\n".to_string()
    } else {
        format!("  int level = 0;\n#if CONDITION\n  {}\n{asks}#endif\n  return level;\n", PROCESSOR.prepare)
    };
    let mul = Chosen { name: "mul", parameters: "PARAMETERS", given: &["a", "b"], squares: false };
    let square = Chosen { name: "square", parameters: "SQUARED", given: &["a"], squares: true };
    format!(
        "
int PREFIX_array_level(void) {{
{ask}}}
{}{}",
        mul.text(product),
        product.square.map_or_else(String::new, |_| square.text(product))
    )
}

/// A function on arrays that takes the level of this processor.
struct Chosen<'a> {
    name: &'a str,
    parameters: &'a str,
    given: &'a [&'a str],
    squares: bool,
}

impl Chosen<'_> {
    fn text(&self, product: &Product) -> String {
        let Chosen { name, parameters, given, squares } = self;
        let all = given.join(", ");
        let one: String = given.iter().map(|array| format!(", {array} + i * WORDS")).collect();
        let call = |(i, level): (usize, &Level)| {
            format!("  if (level == {i}) i = PREFIX_{name}_array_{}(out, {all}, n);\n", level.suffix)
        };
        let calls: String = product.levels_of(*squares).map(call).collect();
        let call = match calls.as_str() {
            "" => "  (void)level;\n".to_string(),
            calls => format!("#if CONDITION\n{calls}#else\n  (void)level;\n#endif\n"),
        };
        format!(
            "
void PREFIX_{name}_array_at(int level, {parameters}) {{
  size_t i = 0;
{call}  for (; i < n; i++) PREFIX_{name}(out + i * WORDS{one});
}}

void PREFIX_{name}_array({parameters}) {{
  PREFIX_{name}_array_at(PREFIX_array_level(), out, {all}, n);
}}
"
        )
    }
}

/// Is the second kernel the first one of an element and itself: does the first take as operands all that it takes, and
/// promise as much?
fn is_square_of(product: &Kernel, square: &Kernel) -> bool {
    let visible = |k: &Kernel| k.visible().map(|a| (k.array(a).len, k.array(a).ty)).collect::<Vec<_>>();
    let (all, of_square) = ([visible(product), visible(square)].concat(), visible(square).len());
    if of_square != 2 || square.vartime || all.windows(2).any(|pair| pair[0] != pair[1]) {
        return false;
    }
    let ([given], Some(value), Some(of_itself)) = (&square.contract.inputs[..], value(product), value(square)) else {
        return false;
    };
    let at = |k: &Kernel, operand: &Operand| Range::of(k, operand);
    let takes = |operand: &Operand| at(product, operand).zip(at(square, given)).is_some_and(|(m, l)| m.covers(&l));
    let promised = at(square, of_itself.0).zip(at(product, value.0)).is_some_and(|(m, l)| m.covers(&l));
    // The polynomial of one input twice.
    let one_input = |(c, inputs): &(BigInt, Vec<u32>)| (c.clone(), vec![0; inputs.len()]);
    let twice: Vec<_> = value.2.0.iter().map(one_input).collect();
    promised
        && product.contract.inputs.iter().all(takes)
        && (value.1, value.3) == (of_itself.1, of_itself.3)
        && twice.len() == 1
        && twice == of_itself.2.0
}

/// What a kernel of one claim computes: a number, its factor, the polynomial and the modulus.
fn value(k: &Kernel) -> Option<(&Operand, &BigInt, &Polynomial, &Option<Modulo>)> {
    match &k.contract.claims[..] {
        [Claim::Value { output, factor, polynomial, modulus }] => Some((output, factor, polynomial, modulus)),
        _ => None,
    }
}

/// What a number of one array may be: its bound, and of each word the place, the weight and the most.
struct Range {
    bound: BigInt,
    words: Vec<(u32, u32, BigInt)>,
}

impl Range {
    /// Of an operand as a caller sees it; `None`: it has another form.
    fn of(k: &Kernel, operand: &Operand) -> Option<Range> {
        let shown =
            |o: &Operand| o.digits.iter().all(|d| k.array(d.array).kind != ArrayKind::Ghost && d.bits.is_none());
        let seen = k.seen(operand).into_iter().find(shown).filter(|o| o.below.is_none())?;
        let words = seen.digits.iter().map(|d| (d.index, d.weight, d.max.clone())).collect();
        Some(Range { bound: seen.bound.clone(), words })
    }

    fn covers(&self, less: &Range) -> bool {
        let alike = |(m, l): (&(u32, u32, BigInt), &(u32, u32, BigInt))| (m.0, m.1) == (l.0, l.1) && m.2 >= l.2;
        self.bound >= less.bound
            && self.words.len() == less.words.len()
            && self.words.iter().zip(&less.words).all(alike)
    }
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
