//! Software prefetch between the calls of a function: memory comes while something is computed.

use crate::native;

/// Memory that is soon read or written.
#[derive(Clone, Copy, Debug)]
pub struct Prefetch {
    start: *const i8,
    lines: usize,
    write: bool,
}

/// Bytes of a cache line.
const LINE: usize = 64;

impl Prefetch {
    /// Nothing.
    pub const NONE: Prefetch = Prefetch { start: std::ptr::null(), lines: 0, write: false };

    /// What lies so many items behind the first of these, as much as they take, and is soon read. It need not exist.
    pub fn read<T>(items: &[T], behind: usize) -> Prefetch {
        Prefetch {
            start: items.as_ptr().wrapping_add(behind).cast(),
            lines: size_of_val(items).div_ceil(LINE),
            write: false,
        }
    }

    /// Prefetches items that will soon be written.
    pub fn write<T>(items: &[T], behind: usize) -> Prefetch {
        Prefetch { write: true, ..Prefetch::read(items, behind) }
    }

    /// Asks for all of it now.
    #[inline]
    pub fn now(self) {
        self.ask(0, self.lines);
    }

    /// Lines of each of so many parts.
    pub(crate) fn share(self, parts: usize) -> usize {
        self.lines.div_ceil(parts.max(1))
    }

    /// Asks for the part of that number, of so many lines each.
    #[inline]
    pub(crate) fn ask(self, part: usize, share: usize) {
        for line in part * share..((part + 1) * share).min(self.lines) {
            let address = self.start.wrapping_add(line * LINE);
            native::prefetch(address, self.write);
        }
    }
}
