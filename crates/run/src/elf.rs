//! The size of a function, read from the symbol table of an ELF64 file (object or shared object, either byte order).
//!
//! Only what the question needs is read; a file that is not ELF64, or is damaged, has no answer.

/// Bytes of machine code of the function `symbol` in this file, with the local functions that it is made of: those
/// that a compiler did not inline, or split off. `None` when the file is not ELF64, has no such function, or is stripped
/// of its local symbols, and when other functions are exported beside local ones, which may be theirs. Where `own` is
/// given, names of its local functions begin so, and those of others do not.
///
/// Tables of constants are not counted.
pub fn code_size(file: &[u8], symbol: &str, own: Option<&str>) -> Option<u64> {
    let functions = Elf::open(file)?.functions()?;
    let exported = functions.iter().find(|f| !f.local && f.name == symbol.as_bytes())?;
    let is_part = |f: &&Function| f.local && own.is_none_or(|own| f.name.starts_with(own.as_bytes()));
    let parts: u64 = functions.iter().filter(is_part).try_fold(0u64, |sum, f| sum.checked_add(f.size))?;
    let alone = own.is_some() || functions.iter().all(|f| f.local || f.size == 0 || f.name == exported.name);
    if parts == 0 || alone { exported.size.checked_add(parts) } else { None }
}

/// A defined function of a symbol table.
struct Function<'a> {
    name: &'a [u8],
    size: u64,
    local: bool,
}

/// An ELF64 file: its bytes, byte order and section headers.
struct Elf<'a> {
    file: &'a [u8],
    big_endian: bool,
    sections: Vec<Section>,
}

/// What a section header says.
#[derive(Clone, Copy)]
struct Section {
    kind: u32,
    offset: u64,
    size: u64,
    link: u32,
}

impl<'a> Elf<'a> {
    fn open(file: &'a [u8]) -> Option<Self> {
        // e_ident: magic, class 2 = 64 bits, data 1 = little-endian, 2 = big-endian.
        if file.get(..4)? != b"\x7fELF" || *file.get(4)? != 2 {
            return None;
        }
        let mut elf = Elf { file, big_endian: *file.get(5)? == 2, sections: Vec::new() };
        let table = elf.number(file, 0x28, 8)?;
        let entry = elf.number(file, 0x3a, 2)?;
        let count = elf.number(file, 0x3c, 2)?;
        for index in 0..count {
            let at = usize::try_from(table.checked_add(index.checked_mul(entry)?)?).ok()?;
            let header = file.get(at..)?;
            let section = Section {
                kind: elf.number(header, 4, 4)? as u32,
                offset: elf.number(header, 0x18, 8)?,
                size: elf.number(header, 0x20, 8)?,
                link: elf.number(header, 0x28, 4)? as u32,
            };
            elf.sections.push(section);
        }
        Some(elf)
    }

    /// The unsigned number of `length` bytes at `at`.
    fn number(&self, bytes: &[u8], at: usize, length: usize) -> Option<u64> {
        let digits = bytes.get(at..at.checked_add(length)?)?;
        let shift_in = |sum: u64, digit: &u8| sum << 8 | u64::from(*digit);
        Some(if self.big_endian { digits.iter().fold(0, shift_in) } else { digits.iter().rev().fold(0, shift_in) })
    }

    /// The bytes of a section.
    fn content(&self, section: Section) -> Option<&'a [u8]> {
        let start = usize::try_from(section.offset).ok()?;
        self.file.get(start..start.checked_add(usize::try_from(section.size).ok()?)?)
    }

    /// The defined functions of the complete symbol table.
    fn functions(&self) -> Option<Vec<Function<'a>>> {
        // SHT_SYMTAB = 2.
        let table = *self.sections.iter().find(|section| section.kind == 2)?;
        let names = self.content(*self.sections.get(table.link as usize)?)?;
        // Elf64_Sym: name 4, info 1, other 1, section 2, value 8, size 8. The low half of info is 2 for a function, the
        // high half 0 for a local symbol.
        let mut all = Vec::new();
        for entry in self.content(table)?.as_chunks::<24>().0 {
            if entry[4] & 15 == 2 && self.number(entry, 6, 2)? != 0 {
                let name = names.get(self.number(entry, 0, 4)? as usize..)?.split(|byte| *byte == 0).next()?;
                all.push(Function { name, size: self.number(entry, 16, 8)?, local: entry[4] >> 4 == 0 });
            }
        }
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Global (info 0x12) and local (0x02) functions.
    const GLOBAL: u8 = 0x12;
    const LOCAL: u8 = 0x02;

    /// A minimal ELF64 file with a symbol table of one function `f` of 7 bytes, in either byte order.
    fn sample(big_endian: bool) -> Vec<u8> {
        file_of(big_endian, &[("f", 7, GLOBAL)])
    }

    /// A minimal ELF64 file with a symbol table of these functions (names of one letter).
    fn file_of(big_endian: bool, functions: &[(&str, u64, u8)]) -> Vec<u8> {
        let number = |value: u64, length: usize| {
            let bytes = value.to_be_bytes()[8 - length..].to_vec();
            if big_endian { bytes } else { bytes.into_iter().rev().collect() }
        };
        let put = |file: &mut Vec<u8>, at: usize, bytes: Vec<u8>| file[at..at + bytes.len()].copy_from_slice(&bytes);
        let (symbols, names) = (24 * functions.len(), 2 * functions.len() + 2);
        let mut file = vec![0; 256 + symbols + names];
        put(&mut file, 0, b"\x7fELF".to_vec());
        file[4] = 2;
        file[5] = if big_endian { 2 } else { 1 };
        put(&mut file, 0x28, number(64, 8));
        put(&mut file, 0x3a, number(64, 2));
        put(&mut file, 0x3c, number(3, 2));
        // Section 1: symbols at 256, names in section 2; section 2: names after them.
        let tables = [(1, 2, 256, symbols as u64, 2), (2, 3, 256 + symbols as u64, names as u64, 0)];
        for (section, kind, offset, size, link) in tables {
            let at = 64 + 64 * section;
            put(&mut file, at + 4, number(kind, 4));
            put(&mut file, at + 0x18, number(offset, 8));
            put(&mut file, at + 0x20, number(size, 8));
            put(&mut file, at + 0x28, number(link, 4));
        }
        for (i, (name, size, info)) in functions.iter().enumerate() {
            let at = 256 + 24 * i;
            put(&mut file, at, number(1 + 2 * i as u64, 4));
            file[at + 4] = *info;
            put(&mut file, at + 6, number(1, 2));
            put(&mut file, at + 16, number(*size, 8));
            put(&mut file, 256 + symbols + 1 + 2 * i, name.as_bytes().to_vec());
        }
        file
    }

    #[test]
    fn reads_both_byte_orders() {
        for big_endian in [false, true] {
            assert_eq!(code_size(&sample(big_endian), "f", None), Some(7));
            assert_eq!(code_size(&sample(big_endian), "g", None), None);
            assert_eq!(code_size(&sample(big_endian), "", None), None);
        }
    }

    #[test]
    fn what_was_not_inlined_counts() {
        let size = |functions: &[(&str, u64, u8)]| code_size(&file_of(false, functions), "f", None);
        assert_eq!(size(&[("p", 54_901, LOCAL), ("f", 76, GLOBAL)]), Some(54_977));
        assert_eq!(size(&[("f", 76, GLOBAL), ("p", 100, LOCAL), ("q", 5, LOCAL)]), Some(181));
        // Alone without local functions, as start-up code has them: of no size.
        assert_eq!(size(&[("f", 7, GLOBAL), ("g", 9, GLOBAL), ("s", 0, LOCAL)]), Some(7));
        assert_eq!(size(&[("f", 7, GLOBAL), ("g", 9, GLOBAL), ("p", 5, LOCAL)]), None, "f's part or g's");
        assert_eq!(size(&[("f", 7, LOCAL)]), None);
        // Local functions whose names begin so are its own, those of others are not.
        let file = file_of(false, &[("f", 7, GLOBAL), ("g", 9, GLOBAL), ("p", 5, LOCAL), ("q", 6, LOCAL)]);
        assert_eq!([Some("p"), Some("q"), Some("r")].map(|own| code_size(&file, "f", own)), [12, 13, 7].map(Some));
    }

    #[test]
    fn damaged_files_have_no_answer() {
        let whole = sample(false);
        for length in 0..whole.len() - 1 {
            assert_eq!(code_size(&whole[..length], "f", None), None, "cut at {length}");
        }
        // Every byte set to every extreme value: any answer or none, and no panic.
        for index in 0..whole.len() {
            for value in [0, 0x7f, 0xff] {
                let mut damaged = whole.clone();
                damaged[index] = value;
                let _ = code_size(&damaged, "f", None);
            }
        }
    }
}
