//! What an instruction set supplies, so that its instructions can be measured.

use evariste_codegen::isa::Isa;
use evariste_codegen::program::Program;
use evariste_jit::Encode;

/// Bytes of memory that a loop may read and write, aligned to 64.
pub const MEMORY: usize = 4096;

/// Registers that the copies of a specimen write, in turn: two specimens in one loop have pools of their own, so that
/// none ever waits for the other's results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pool {
    /// What most of a loop consists of; not beside another one but [`Pool::Few`].
    Many,
    /// What stands between.
    Few,
    /// One of two that are equally many.
    Left,
    /// The other.
    Right,
}

/// The instructions of a copy.
type Copies<I> = Box<dyn Fn(usize, Pool) -> Vec<<I as Isa>::Inst>>;

/// An instruction that is measured, with its name in the table.
pub struct Specimen<I: Isa> {
    /// Its mnemonic, with the kind of register where there are several.
    pub name: String,
    /// Copy number `i`, which waits for no other copy longer than its pool's registers last. Some forms are several
    /// instructions, of which all others cost a slot of the front end alone.
    pub copy: Copies<I>,
    /// A copy that waits for the one before, where that means something.
    pub link: Option<Vec<I::Inst>>,
    /// Bits of its vectors: no code has two of different ones, and what mixing them costs (upper halves to keep, ports that are
    /// closed) is no resource's. What has none stands beside all.
    pub set: Option<u32>,
    /// Instructions beside a copy that cost a slot of the front end, on average.
    pub idle: f64,
}

/// An instruction set whose costs can be measured.
///
/// # Safety
/// What [`Probe::repeated`] makes of copies and links of the [specimens](Probe::specimens), and what [`Probe::apart`] makes,
/// is a function of an array of [`MEMORY`] bytes and a count that is not zero: it touches nothing but that array (`apart`:
/// also what the first two words and the words there point to), keeps what functions must keep, and ends.
pub unsafe trait Probe: Encode {
    /// Specimens whose throughput tells one core from another, in the [fingerprint](evariste_cores::Fingerprint); those
    /// that a processor lacks are left out.
    const KNOWN_BY: &'static [&'static str];

    /// The specimen that costs a slot of the front end and nothing else.
    const SLOT: &'static str;

    /// What a resource is called that one of these saturates; the first that fits.
    const KINDS: &'static [(&'static str, &'static [&'static str])];

    /// Everything that a processor with these features can be asked.
    fn specimens(features: Self::Features) -> Vec<Specimen<Self>>;

    /// The body, as often as the count says.
    fn repeated(body: &[Self::Inst], features: Self::Features) -> Program<Self>;

    /// Two loads, each of where the one before it led, with that many independent additions behind each of them, as often as
    /// the count says: from where the array's first two words point, which say at the end where it is to go on.
    fn apart(additions: usize) -> Program<Self>;
}
