//! The assembly that is printed is, byte for byte, the machine code that is measured: it is assembled by each compiler,
//! linked, and compared with the encoder's output instruction by instruction.

use std::path::Path;
use std::process::Command;

use evariste_algorithms::{Operation, field_set, layouts, plans};
use evariste_backend::{Code, packaged, packaged_of};
use evariste_codegen::FoundOrders;
use evariste_codegen::x86_64::{Base, Inst, Opcode, Operand, Program, X86_64};
use evariste_descriptions::Field;
use evariste_emit::{MachineCode, assembly};
use evariste_proof::Proved;
use evariste_tune::choose::{choose, prove_plan};
use evariste_tune::machine_code::for_package;

/// An ELF64 file of x86-64: what `address → byte` and `symbol → address, size` need.
struct Elf(Vec<u8>);

impl Elf {
    fn number(&self, at: usize, bytes: usize) -> u64 {
        self.0[at..at + bytes].iter().rev().fold(0, |sum, byte| sum << 8 | u64::from(*byte))
    }

    /// Sections: (kind, address, offset, size, link).
    fn sections(&self) -> Vec<(u64, u64, usize, usize, usize)> {
        let (table, entry, count) =
            (self.number(0x28, 8) as usize, self.number(0x3a, 2) as usize, self.number(0x3c, 2) as usize);
        (0..count)
            .map(|i| {
                let at = table + i * entry;
                (
                    self.number(at + 4, 4),
                    self.number(at + 0x10, 8),
                    self.number(at + 0x18, 8) as usize,
                    self.number(at + 0x20, 8) as usize,
                    self.number(at + 0x28, 4) as usize,
                )
            })
            .collect()
    }

    fn at(&self, address: u64, len: usize) -> &[u8] {
        let holds = |s: &&(u64, u64, usize, usize, usize)| {
            s.1 != 0 && s.0 != 8 && s.1 <= address && address + len as u64 <= s.1 + s.3 as u64
        };
        let sections = self.sections();
        let s = sections.iter().find(holds).expect("an address in a section");
        &self.0[s.2 + (address - s.1) as usize..][..len]
    }

    /// Address and size of a function.
    fn function(&self, name: &str) -> Option<(u64, usize)> {
        let sections = self.sections();
        let table = sections.iter().find(|s| s.0 == 2).expect("a table of symbols");
        let names = sections[table.4].2;
        (0..table.3 / 24).map(|i| table.2 + 24 * i).find_map(|at| {
            let start = names + self.number(at, 4) as usize;
            let matches = self.0[start..].starts_with(name.as_bytes()) && self.0[start + name.len()] == 0;
            (matches && self.0[at + 4] & 15 == 2).then(|| (self.number(at + 8, 8), self.number(at + 16, 8) as usize))
        })
    }
}

/// The compilers that there are, on machines where they make ELF for x86-64.
fn compilers() -> Vec<&'static str> {
    if !cfg!(all(target_arch = "x86_64", target_os = "linux")) {
        evariste_testing::lacks_feature("objects of assembly", "x86-64 Linux");
        return vec![];
    }
    let works = |cc: &&str| Command::new(cc).arg("--version").output().is_ok_and(|o| o.status.success());
    let (there, missing): (Vec<&str>, Vec<&str>) = ["gcc", "clang"].into_iter().partition(works);
    missing.iter().for_each(|cc| evariste_testing::lacks_tool("objects of assembly", cc));
    there
}

/// Assembles and links a text to a shared object.
fn assemble(cc: &str, text: &str, flags: &[&str], folder: &Path) -> Elf {
    let (source, object) = (folder.join("code.S"), folder.join("code.so"));
    std::fs::write(&source, text).expect("written");
    let mut command = Command::new(cc);
    command.args(flags).args(["-Wall", "-Wextra", "-shared", "-nostdlib", "-o"]).arg(&object).arg(&source);
    let output = command.output().expect("the compiler starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.is_empty(), "{command:?}: {told}");
    Elf(std::fs::read(object).expect("an object"))
}

fn reads_constants(inst: &Inst) -> Option<i32> {
    inst.operands().find_map(|o| match o {
        Operand::Memory(a) if a.base == Base::Constants => Some(a.displacement),
        _ => None,
    })
}

/// Compares a function of the file with what the encoder makes of its program; `skipped` bytes stand before it. Gives
/// the number of instructions.
fn compare(elf: &Elf, symbol: &str, program: &Program, skipped: usize, title: &str) -> usize {
    let encoded = evariste_jit::encode(program).expect("it has an encoding");
    let (address, size) = elf.function(symbol).unwrap_or_else(|| panic!("{title}: no function {symbol}"));
    assert_eq!(address % 64, 0, "{title}");
    let bytes = elf.at(address, size);
    let mut ends = encoded.offsets[1..].to_vec();
    ends.push(encoded.code_len);
    for ((inst, start), end) in program.code.iter().zip(&encoded.offsets).zip(ends) {
        let (wanted, got) = (&encoded.bytes[*start..end], &bytes[skipped + start..][..end - start]);
        match reads_constants(inst) {
            None => assert_eq!(wanted, got, "{title}: {inst} at {start:#x}"),
            Some(displacement) => {
                // The distance, which is the last thing in these instructions, leads to the same constant elsewhere.
                let place = end - start - 4;
                assert_eq!(wanted[..place], got[..place], "{title}: {inst} at {start:#x}");
                let distance = i32::from_le_bytes(got[place..].try_into().expect("four bytes"));
                let target = (address + (skipped + end) as u64).wrapping_add_signed(i64::from(distance));
                assert_eq!(
                    elf.at(target, 8),
                    program.constants[displacement as usize / 8].to_le_bytes(),
                    "{title}: {inst}"
                );
            }
        }
    }
    assert_eq!(size, skipped + encoded.code_len, "{title}");
    program.code.iter().filter(|inst| inst.op != Opcode::Label).count()
}

fn program(code: &MachineCode) -> &Program {
    code.program.checked::<X86_64>().expect("a package for x86-64").program()
}

/// The operations of a field's layout that have machine code, inverses by routines and calls among them; `product`: the
/// plan of the product.
fn machine_code(field: &str, layout: Option<&str>, product: Option<&str>) -> Vec<(MachineCode, Proved)> {
    let field = Field::parse(field).expect("a field");
    let mut chosen = choose(&field, &[64, 32], layout, None).expect("a layout");
    if let Some(plan) = product {
        chosen.pin(&Operation::MUL, plan).expect("a plan");
    }
    let operations = field_set::operations(&field, &chosen.layout);
    let made = operations.iter().filter_map(|operation| {
        let (plan, proved) = chosen.proved_plan(operation).expect("a proof");
        Some((for_package(packaged().1, &operation.name(), &plan, &proved, None, &[]).ok()?, proved))
    });
    made.collect()
}

#[test]
fn the_printed_bytes_are_the_measured_ones() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut instructions = 0;
    let products = [
        ("int64", Some("1x64"), "float-52-fma"),
        ("int64", Some("1x64"), "float-24"),
        ("GF(2^163)", Some("3x64"), "clmul-karatsuba+fold"),
        ("GF(2^131)", Some("3x64"), "clmul-schoolbook+word-by-word"),
    ];
    let fields = [
        ("p256", None),
        ("p256", Some("montgomery-8x32")),
        ("2^255-19", None),
        ("bls12-381-fr", None),
        ("p521", None),
        ("dfc", None),
        ("int256", None),
        ("GF(2^29):onb2", None),
    ];
    let plain = fields.into_iter().map(|(field, layout)| (field, layout, None));
    for (field, layout, product) in plain.chain(products.map(|(field, layout, plan)| (field, layout, Some(plan)))) {
        let made = machine_code(field, layout, product);
        assert_eq!(product.is_some(), made.iter().any(|(code, _)| program(code).features.avx2), "{field}");
        assert!(!made.is_empty(), "{field}: nothing has machine code");
        let functions: Vec<(&MachineCode, &Proved)> = made.iter().map(|(code, proved)| (code, proved)).collect();
        let text = assembly(&functions, "f").expect("it can be printed");
        assert_eq!(text, assembly(&functions, "f").expect("it can be printed"));
        for cc in compilers() {
            // With `endbr64`, four bytes stand before each function.
            for (flags, skipped) in [(&["-fcf-protection=none"][..], 0), (&["-fcf-protection=full", "-g"], 4)] {
                let elf = assemble(cc, &text, flags, folder.path());
                for (code, _) in &made {
                    let title = format!("{field} {} by {cc} {flags:?}", code.operation);
                    instructions +=
                        compare(&elf, &format!("f_{}_x86_64", code.operation), program(code), skipped, &title);
                }
            }
        }
    }
    println!("{instructions} instructions compared");
    assert!(instructions > 10_000 || compilers().is_empty());
}

/// The same of code for processors with more: calls in the words of long registers, in both encodings of vectors.
#[test]
fn code_apart_is_printed_as_it_is_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let apart = packaged_of(Code::named("x86-64")).1.apart.expect("code apart");
    let mut instructions = 0;
    let wanted = [
        ("curve:25519", "5x51", &[Operation::LADDER, Operation::CLAMPED_LADDER][..]),
        ("bls12-381-fp2", "montgomery-8x52-clean", &[Operation::MUL, Operation::SQUARE][..]),
    ];
    for (text, layout, operations) in wanted {
        let field = Field::parse(text).expect("a field");
        let known = layouts(&field, 64).into_iter().chain((apart.layouts)(&field)).find(|l| l.name == layout);
        let layout = known.expect("a layout");
        let gaining = operations.iter().filter_map(|operation| {
            let plan =
                plans(&field, &layout, operation).into_iter().find(|p| p.write().is_ok_and(|k| (apart.gains)(&k)))?;
            let proved = prove_plan(&plan).expect("a proof");
            let program = (apart.make)(&proved, None, &FoundOrders::default()).expect("a program");
            Some((MachineCode { operation: operation.name(), plan: plan.name(), program }, proved))
        });
        let made: Vec<(MachineCode, Proved)> = gaining.collect();
        assert_eq!(made.len(), operations.len(), "{text}");
        let functions: Vec<(&MachineCode, &Proved)> = made.iter().map(|(code, proved)| (code, proved)).collect();
        let source = assembly(&functions, "f").expect("it can be printed");
        for cc in compilers() {
            let elf = assemble(cc, &source, &["-fcf-protection=none"], folder.path());
            for (code, _) in &made {
                let (symbol, title) = (format!("f_{}_x86_64_ifma", code.operation), format!("{text} by {cc}"));
                instructions += compare(&elf, &symbol, program(code), 0, &title);
            }
        }
    }
    println!("{instructions} instructions compared");
    assert!(instructions > 10_000 || compilers().is_empty());
}

/// On other processors, and where C alone is wanted, the text assembles to nothing.
#[test]
fn elsewhere_the_text_is_empty() {
    let made = machine_code("2^61-1", None, None);
    let functions: Vec<(&MachineCode, &Proved)> = made.iter().map(|(code, proved)| (code, proved)).collect();
    let text = assembly(&functions, "f").expect("it can be printed");
    let folder = tempfile::tempdir().expect("a folder");
    for cc in compilers() {
        let elf = assemble(cc, &text, &["-U__x86_64__"], folder.path());
        assert_eq!(elf.function("f_mul_x86_64"), None);
        assert!(assemble(cc, &text, &[], folder.path()).function("f_mul_x86_64").is_some());
    }
}
