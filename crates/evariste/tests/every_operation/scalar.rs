//! Scalar code: `eval`, and the functions of emitted packages, whose operands are written into memory here, from the
//! layout alone.

use std::path::Path;

use evariste::array::BigUint;
use evariste::builder::Layout;
use evariste::{Compiler, Field, Op, Request};
use evariste_emit::parameters;
use evariste_run::{Argument, Buffer, Library};

use super::kinds::{Kind, Subject, inverse};
use super::meanings::{Meaning, Role, montgomery_constant, operand_sets};

/// An operation in a layout.
pub struct Case<'a> {
    pub subject: &'a Subject,
    pub field: &'a Field,
    pub layout: &'a Layout,
    pub op: &'a Op,
    pub meaning: &'a Meaning,
    pub count: usize,
}

impl Case<'_> {
    fn title(&self, how: &str) -> String {
        format!("{} {} in {} by {how}", self.subject.text, self.op.name(), self.layout.name)
    }

    fn sets(&self) -> Vec<(Vec<BigUint>, BigUint)> {
        let seed =
            self.title("").bytes().fold(1, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(u64::from(byte)));
        operand_sets(&self.subject.kind, &self.meaning.operands, self.count, seed)
    }

    fn judge(&self, how: &str, x: &[BigUint], p: &BigUint, out: &BigUint, complaints: &mut Vec<String>) {
        if !(self.meaning.right)(&self.subject.kind, x, out, p) {
            complaints.push(format!("{}: {x:x?} gives {out:x}", self.title(how)));
        }
    }

    /// Both answers of `eval`; that of operations on bytes is an error that says so.
    pub fn evaluate(&self, complaints: &mut Vec<String>) {
        let (field, op) = (self.field, self.op);
        let known = field.evaluable_named(&op.name());
        if op.is_any(&[Op::TO_BYTES, Op::TO_BYTES_BE, Op::FROM_BYTES, Op::FROM_BYTES_BE]) {
            assert!(known.is_err(), "{}", self.title("eval"));
            return;
        }
        assert_eq!(known.as_ref().ok(), Some(op), "{}", self.title("eval"));
        let chosen = field.choose(Some(&self.layout.name), None).expect("a layout of the field");
        let evaluator =
            field.evaluator(&chosen, op, None, None).unwrap_or_else(|e| panic!("{}: {e}", self.title("eval")));
        for (x, p) in self.sets() {
            let given = matches!(self.subject.kind, Kind::Given(_)).then(|| p.clone());
            let numbers: Vec<BigUint> = x.iter().cloned().chain(given).collect();
            match evaluator.evaluate(&numbers) {
                Ok(answer) => {
                    self.judge("the reference", &x, &p, &answer.reference, complaints);
                    self.judge(&format!("eval, {}", answer.plan), &x, &p, &answer.kernel, complaints);
                }
                // What has no root is said, and not computed.
                Err(e) if *op == Op::SQRT && e.to_string().contains("no square") => {
                    self.judge("the complaint", &x, &p, &BigUint::ZERO, complaints);
                }
                Err(e) => complaints.push(format!("{}: {numbers:x?}: {e}", self.title("eval"))),
            }
        }
    }

    /// The function of a package that was compiled.
    pub fn native(&self, language: &str, library: &Library, prefix: &str, complaints: &mut Vec<String>) {
        let chosen = self.field.choose(Some(&self.layout.name), None).expect("a layout of the field");
        let (_, proved) = chosen.proved_plan(self.op).expect("a proved kernel");
        let kernel = proved.kernel();
        let names: Vec<&str> = kernel.params().map(|a| kernel.array(a).name.as_str()).collect();
        let lengths: Vec<usize> = kernel.params().map(|a| kernel.array(a).len as usize).collect();
        let parameters = parameters(kernel);
        let arguments: Vec<Argument> = parameters.iter().map(|p| Argument::in_out(p.bytes())).collect();
        // The kernel's own function says in an array what the one above it gives as its status.
        let end = if names.contains(&"valid") { "_flagged" } else { "" };
        // SAFETY: the package is one of ours, and the operation's function takes these parameters.
        #[allow(unsafe_code)]
        let function = unsafe { library.function(&format!("{prefix}_{}{end}", self.op.name()), &arguments) }
            .unwrap_or_else(|e| panic!("{}: {e}", self.title(language)));
        for (x, p) in self.sets() {
            let mut rest = x.iter().zip(&self.meaning.operands);
            let mut buffers = Vec::new();
            for (i, (name, parameter)) in names.iter().zip(&parameters).enumerate() {
                let place = Place { layout: self.layout, len: lengths[i], bytes: parameter.bytes() };
                let r = self.layout.factor().to_biguint().expect("a power of two") % p.clone().max(1u32.into());
                buffers.push(match *name {
                    "out" | "valid" => Buffer::zeroed(parameter.bytes()),
                    "modulus" => place.digits(&p),
                    "inverse" => place.digits(&montgomery_constant(&p, self.layout.word)),
                    "square" => place.digits(&(&r * &r % &p)),
                    _ => match rest
                        .next()
                        .unwrap_or_else(|| panic!("{}: one more operand, {name}", self.title(language)))
                    {
                        (x, Role::Element | Role::Canonical) if self.layout.montgomery.is_some() => {
                            place.digits(&(x * &r % &p))
                        }
                        (x, Role::Bytes { big_endian }) => place.octets(x, *big_endian),
                        (x, _) => place.digits(x),
                    },
                });
            }
            assert!(rest.next().is_none(), "{}: too few parameters", self.title(language));
            function.call(&mut buffers).unwrap_or_else(|e| panic!("{}: {e}", self.title(language)));
            let place = Place { layout: self.layout, len: lengths[0], bytes: parameters[0].bytes() };
            let out = match self.meaning.result {
                Role::Bytes { big_endian } => place.number_of_octets(&buffers[0], big_endian),
                Role::Flag | Role::Plain | Role::Low(_) => place.number(&buffers[0]),
                role => {
                    let held = place.number(&buffers[0]);
                    if role == Role::Canonical && matches!(self.subject.kind, Kind::Modulus(_)) && held >= p {
                        complaints.push(format!("{}: {x:x?} gives {held:x}, not canonical", self.title(language)));
                    }
                    match &self.subject.kind {
                        Kind::Modulus(_) | Kind::Given(_) => {
                            let factor = self.layout.factor().to_biguint().expect("a power of two");
                            held * inverse(&(factor % &p), &p).expect("an odd modulus") % &p
                        }
                        _ => held,
                    }
                }
            };
            self.judge(language, &x, &p, &out, complaints);
        }
    }
}

/// How a number lies in memory: in so many elements, of so many bytes in all.
struct Place<'a> {
    layout: &'a Layout,
    len: usize,
    bytes: usize,
}

impl Place<'_> {
    /// Where digit i begins.
    fn weight(&self, i: usize) -> u64 {
        let regular = i as u64 * u64::from(self.layout.word);
        self.layout.weights.get(i).map_or(regular, |w| u64::from(*w))
    }

    /// Digits from the lowest, each up to the next one's weight; bits fill all lanes of their word.
    fn digits(&self, x: &BigUint) -> Buffer {
        let size = self.bytes / self.len;
        let mut content = Vec::with_capacity(self.bytes);
        for i in 0..self.len {
            let rest = x >> self.weight(i);
            let digit = if i + 1 < self.len {
                rest % (BigUint::from(1u32) << (self.weight(i + 1) - self.weight(i)))
            } else {
                rest
            };
            let word = u64::try_from(digit).expect("a digit fits its word");
            let word = if self.layout.word == 1 { word.wrapping_neg() } else { word };
            content.extend_from_slice(&word.to_le_bytes()[..size]);
        }
        Buffer::from_bytes(&content)
    }

    fn octets(&self, x: &BigUint, big_endian: bool) -> Buffer {
        let mut content = x.to_bytes_le();
        content.resize(self.len, 0);
        if big_endian {
            content.reverse();
        }
        Buffer::from_bytes(&content)
    }

    fn number(&self, buffer: &Buffer) -> BigUint {
        let size = self.bytes / self.len;
        let digit = |(i, chunk): (usize, &[u8])| {
            let digit = BigUint::from_bytes_le(chunk);
            (if self.layout.word == 1 { digit % 2u32 } else { digit }) << self.weight(i)
        };
        buffer.bytes().chunks(size).enumerate().map(digit).sum()
    }

    fn number_of_octets(&self, buffer: &Buffer, big_endian: bool) -> BigUint {
        if big_endian { BigUint::from_bytes_be(buffer.bytes()) } else { BigUint::from_bytes_le(buffer.bytes()) }
    }
}

/// Writes the package of these operations, compiles it to a shared object in the folder, and loads that.
pub fn built(
    field: &Field,
    layout: &Layout,
    operations: &[Op],
    language: &str,
    compiler: &Compiler,
    folder: &Path,
) -> Library {
    let request = Request {
        language: language.into(),
        prefix: "f".into(),
        operations: operations.iter().map(Op::name).collect(),
        ..Request::default()
    };
    let title = || format!("{field} in {} as {language}", layout.name);
    let chosen = field.choose(Some(&layout.name), None).expect("a layout of the field");
    let files = field.package(&chosen, &request, |_, _| ()).unwrap_or_else(|e| panic!("{}: {e}", title())).files;
    evariste::write_package(folder, &field.text(), &files, true).unwrap_or_else(|e| panic!("{}: {e}", title()));
    let mut arguments = vec!["-O1", "-shared", "-fPIC", "-o", "f.so", "f.c"];
    if folder.join("f_x86_64.S").exists() {
        arguments.push("f_x86_64.S");
    }
    compiler.run(&arguments, folder).unwrap_or_else(|e| panic!("{}: {e}", title()));
    // SAFETY: emitted code has no constructors.
    #[allow(unsafe_code)]
    let library = unsafe { Library::open(&folder.join("f.so")) };
    library.unwrap_or_else(|e| panic!("{}: {e}", title()))
}
