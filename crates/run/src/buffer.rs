//! Arguments of compiled functions: byte arrays aligned to a cache line.

/// One cache line; also the alignment of the widest vector register.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// A byte array of fixed length, aligned to 64 bytes. Words inside it are in the machine's byte order.
#[derive(Clone)]
pub struct Buffer {
    lines: Vec<Line>,
    bytes: usize,
}

impl Buffer {
    /// A buffer of `bytes` zeros.
    pub fn zeroed(bytes: usize) -> Self {
        Buffer { lines: vec![Line([0; 64]); bytes.div_ceil(64)], bytes }
    }

    /// A buffer holding these bytes.
    pub fn from_bytes(content: &[u8]) -> Self {
        let mut buffer = Buffer::zeroed(content.len());
        buffer.bytes_mut().copy_from_slice(content);
        buffer
    }

    /// A buffer holding these 32-bit words.
    pub fn from_u32(words: &[u32]) -> Self {
        Buffer::from_bytes(&words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<_>>())
    }

    /// A buffer holding these 64-bit words.
    pub fn from_u64(words: &[u64]) -> Self {
        Buffer::from_bytes(&words.iter().flat_map(|word| word.to_ne_bytes()).collect::<Vec<_>>())
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Whether the buffer has no bytes.
    pub fn is_empty(&self) -> bool {
        self.bytes == 0
    }

    /// The content.
    pub fn bytes(&self) -> &[u8] {
        // SAFETY: `lines` owns ceil(bytes/64) contiguous lines of 64 initialised bytes each, without padding (size 64,
        // align 64).
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast::<u8>(), self.bytes) }
    }

    /// The content, to be changed.
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as in `bytes`; the exclusive borrow of `self` makes the slice exclusive, and any byte value is a
        // valid `Line`.
        unsafe { std::slice::from_raw_parts_mut(self.lines.as_mut_ptr().cast::<u8>(), self.bytes) }
    }

    /// The content as 32-bit words; bytes after the last whole word are left out.
    pub fn to_u32(&self) -> Vec<u32> {
        self.bytes().as_chunks::<4>().0.iter().map(|word| u32::from_ne_bytes(*word)).collect()
    }

    /// The content as 64-bit words; bytes after the last whole word are left out.
    pub fn to_u64(&self) -> Vec<u64> {
        self.bytes().as_chunks::<8>().0.iter().map(|word| u64::from_ne_bytes(*word)).collect()
    }

    /// Address of the first byte, for a foreign call.
    pub(crate) fn pointer(&mut self) -> *mut u8 {
        self.lines.as_mut_ptr().cast()
    }
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({:02x?})", self.bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_bytes_agree() {
        let mut buffer = Buffer::from_u64(&[1, u64::MAX, 3]);
        assert_eq!((buffer.len(), buffer.is_empty()), (24, false));
        assert_eq!(buffer.to_u64(), [1, u64::MAX, 3]);
        buffer.bytes_mut()[8..16].copy_from_slice(&7u64.to_ne_bytes());
        assert_eq!(buffer.to_u64(), [1, 7, 3]);
        assert_eq!(Buffer::from_u32(&[5, 6, 7]).to_u32(), [5, 6, 7]);
        assert_eq!(Buffer::from_bytes(&[1, 2, 3]).bytes(), [1, 2, 3]);
        assert!(Buffer::zeroed(0).is_empty());
    }

    #[test]
    fn buffers_are_aligned_to_a_cache_line() {
        for bytes in [1, 8, 64, 65, 1000] {
            assert_eq!(Buffer::zeroed(bytes).pointer() as usize % 64, 0);
        }
    }
}
