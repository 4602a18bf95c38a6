//! What is set up once for a field: layout, code of each operation, threads.

use std::fmt;
use std::sync::{Arc, OnceLock};

use evariste_algorithms::{Form, Layout, Operation, plans};
use evariste_descriptions::{BinaryField, Field, Modulus};
use evariste_ir::Arrangement;
use evariste_tune::Ranking;
use num_bigint::BigUint;
use rayon::ThreadPool;

use crate::butterflies::Butterflies;
use crate::choose;
use crate::code::{Code, MaybeBackend, SHORT, digit_bits, is_word, row};
use crate::device::{self, Device};
use crate::error::ArrayError;
use crate::in_lanes::AllInLanes;
use crate::matmul::kept::Kept;
use crate::one_by_one::{Singles, WordStep};
use crate::products_of_words::ProductsOfWords;

/// Has the layout digits of which two lie in a word of memory?
fn short(layout: &Layout) -> bool {
    layout.word == SHORT
}

/// What may be asked of an engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Threads; 0: as many as the machine has.
    pub threads: usize,
    /// Instruction sets that may be used, of those that the machine has, as `show program` prints them; `None`: all.
    /// `baseline` gives scalar code.
    pub features: Option<String>,
    /// What computes, one of [`ENGINES`](crate::ENGINES): `opencl` has products and sums on a device. `None`: the processor.
    pub engine: Option<String>,
    /// Only the interpreter: what the arrays do where no machine code can be made.
    pub interpreted: bool,
    /// A ranking of this field by `tune --lanes`: its best layout, plans and shapes are used where they exist. `None`:
    /// the one that was remembered on this machine, if there is one.
    pub ranking: Option<Ranking>,
    /// Binary fields only: hold elements bit-sliced, one coordinate of many in a vector, also where carry-less products
    /// of whole words are faster. For long computations whose squares, rotations and sums count.
    pub sliced: bool,
    /// Hold coordinates as whole words: of curves over binary fields whatever bit-slicing would take, of towers one by one
    /// whatever lanes would take.
    pub whole: bool,
    /// Of structures: about how many elements arrays will have, where their coordinates have several forms. 0: few or many.
    /// Bit-sliced code computes hundreds of elements at once, also where an array has a few.
    pub elements: usize,
    /// Of structures: time here what else is compared by tables. Of curves over binary fields that is the forms of
    /// coordinates, code of each of which is made for that; of long operations over prime fields on vectors of fewer than
    /// eight words scalar code element by element, and of towers there elements one by one in whole words, which are timed
    /// anyway unless [`Options::forget`] says no.
    pub measured: bool,
    /// Without a ranking: do not look for a remembered one either, and time nothing that was not asked for. The choice is
    /// then the same on all machines of one kind.
    pub forget: bool,
}

/// The operations that arrays have, with the code of each, made when it is first used.
type Codes = Vec<(Operation, OnceLock<Result<Code, ArrayError>>)>;

fn codes(field: &Field, layout: &Layout) -> Codes {
    Operation::in_arrays(field, layout).into_iter().map(|op| (op, OnceLock::new())).collect()
}

/// What arrays share with the engine that made them.
pub(crate) struct Kernels {
    pub field: Field,
    /// Canonical elements are the numbers below.
    pub limit: BigUint,
    /// Bits of a canonical element.
    pub bits: usize,
    pub layout: Layout,
    pub backend: MaybeBackend,
    pub ranking: Option<Ranking>,
    /// The ranking is what this machine remembers.
    remembered: bool,
    codes: Codes,
    /// The code of transforms, made when one is first asked for.
    butterflies: OnceLock<Result<Butterflies, ArrayError>>,
    /// Instruction sets that may be used.
    pub sets: Option<String>,
    /// Nothing that this machine remembers counts.
    pub forgets: bool,
    /// What products and sums are computed on, where that is not the processor.
    pub device: Option<Device>,
    /// Products of words one by one.
    pub singles: Singles,
    /// Products of words in lanes.
    pub all_in_lanes: AllInLanes,
    /// What number an element at rest is.
    pub form: Form,
    /// What products of matrices keep.
    pub kept: Kept,
}

impl Kernels {
    /// Elements of a group.
    pub fn lanes(&self) -> usize {
        self.row() * self.per_word()
    }

    /// Words of memory that a digit of a group takes.
    pub fn row(&self) -> usize {
        row(&self.backend)
    }

    /// The order of elements in a group.
    pub fn arrangement(&self) -> Arrangement {
        Arrangement { lanes: self.lanes() as u32, groups: 1, word_bits: self.digit_bits() }
    }

    /// Elements of which a word of memory holds a digit: two where digits have 32 bits, 64 where they have one.
    pub fn per_word(&self) -> usize {
        64 / self.digit_bits() as usize
    }

    /// Bits of a digit in memory.
    pub fn digit_bits(&self) -> u32 {
        digit_bits(self.layout.word)
    }

    /// The modulus; none of binary fields.
    pub fn modulus(&self) -> Option<&Modulus> {
        self.field.get()
    }

    /// The binary field, of which elements rest as canonical.
    pub fn binary(&self) -> Option<&BinaryField> {
        self.field.get()
    }

    /// The number that the element 1 is.
    pub fn one(&self) -> BigUint {
        self.binary().map_or_else(|| BigUint::from(1u32), BinaryField::one)
    }

    /// Have elements one digit of 32 bits? They lie one after the other then.
    pub fn short(&self) -> bool {
        short(&self.layout)
    }

    /// Are elements words, or halves of words, modulo a number? Canonical ones then are such as they lie, and operations
    /// of digits are made of others.
    pub fn words_alone(&self) -> bool {
        self.modulus().is_some() && is_word(&self.layout)
    }

    /// Do elements of several words lie as whole words, one by one? Canonical ones then are such as they lie.
    pub fn whole_words(&self) -> bool {
        self.modulus().is_some()
            && self.layout.word == 64
            && self.layout.saturated()
            && self.row() == 1
            && !self.words_alone()
    }

    /// Has it products to which an element is added before they are reduced?
    pub fn adds_to_products(&self) -> bool {
        !(self.words_alone() || self.whole_words() || self.binary().is_some())
    }

    /// Digit i of an element in memory.
    pub fn digit(&self, words: &[u64], element: usize, i: usize) -> u64 {
        let (place, shift, mask) = self.place_of(element, i);
        words[place] >> shift & mask
    }

    /// Writes that digit.
    pub fn put_digit(&self, words: &mut [u64], element: usize, i: usize, digit: u64) {
        let (place, shift, mask) = self.place_of(element, i);
        words[place] = words[place] & !(mask << shift) | (digit & mask) << shift;
    }

    /// The word of memory, how far from its end, and what is of the digit there.
    fn place_of(&self, element: usize, i: usize) -> (usize, u32, u64) {
        let order = self.arrangement();
        let (place, shift) = order.in_memory(order.place(element, i, self.digits()));
        (place, shift, u64::MAX >> (64 - order.word_bits))
    }

    /// Digits of an element at rest.
    pub fn digits(&self) -> usize {
        self.layout.digits()
    }

    /// Words of memory of a group at rest.
    pub fn group(&self) -> usize {
        self.row() * self.digits()
    }

    /// The code of an operation, made when it is first used; of a family that of the member that arrays have.
    pub fn code(&self, operation: &Operation) -> Result<&Code, ArrayError> {
        let Some((operation, code)) = self.codes.iter().find(|(own, _)| own.is(operation)) else {
            return Err(ArrayError::kernel(&operation.name(), &self.field.text(), "no such operation of arrays"));
        };
        let make = || choose::code(&self.field, &self.layout, operation, self.ranking.as_ref(), &self.backend);
        code.get_or_init(make).as_ref().map_err(Clone::clone)
    }

    /// The device that has a kernel of an operation, and the kernel's number there.
    pub fn on_device(&self, operation: &Operation) -> Option<(&Device, usize)> {
        self.device.as_ref().and_then(|device| Some((device, device.kernel(operation)?)))
    }

    /// The code of transforms.
    pub fn butterflies(&self) -> Result<&Butterflies, ArrayError> {
        let make = || Butterflies::new(&self.field, &self.layout, self.ranking.as_ref(), &self.backend);
        self.butterflies.get_or_init(make).as_ref().map_err(Clone::clone)
    }

    /// Field, layout and order of lanes, in words.
    pub fn place(&self) -> String {
        format!("`{}` in the layout {}, {} by {}", self.field.name(), self.layout.name, self.lanes(), self.lanes())
    }

    /// Do arrays of both lie alike?
    pub fn agrees(&self, other: &Kernels) -> bool {
        std::ptr::eq(self, other)
            || (self.lanes() == other.lanes() && self.layout == other.layout && self.field == other.field)
    }
}

/// Operations on arrays of one field. Cheap to clone: clones share their code and threads.
#[derive(Clone)]
pub struct Engine {
    pub(crate) kernels: Arc<Kernels>,
    pub(crate) pool: Option<Arc<ThreadPool>>,
    /// Numbers in words are taken to be below the modulus.
    pub(crate) trusts: bool,
}

impl Engine {
    /// The engine of a field on that many threads (0: as many as the machine has).
    ///
    /// # Errors
    /// A field without a layout for lanes; no threads.
    pub fn new(field: &Field, threads: usize) -> Result<Engine, ArrayError> {
        Engine::with(field, Options { threads, ..Options::default() })
    }

    /// Sets up an engine with options.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn with(field: &Field, options: Options) -> Result<Engine, ArrayError> {
        Engine::made(field, options, true)
    }

    /// [`Engine::with`]; `single`: also on elements of one word or half of one.
    pub(crate) fn made(field: &Field, options: Options, single: bool) -> Result<Engine, ArrayError> {
        if let Some(why) = evariste_backend::misnamed() {
            return Err(ArrayError::Misnamed(why));
        }
        if device::is_asked(options.engine.as_deref())? {
            return Engine::on_device(field, options);
        }
        let backends = if options.interpreted { Vec::new() } else { choose::backends(options.features.as_deref()) };
        if let Some(f) = field.get::<BinaryField>() {
            return Engine::binary(field, f, choose::binary(f, &backends, options.sliced), options);
        }
        let Some(modulus) = field.get::<Modulus>() else {
            return Err(ArrayError::NoLayout { field: field.text(), most: 4096 });
        };
        let remembered = if options.ranking.is_none() && !options.forget { choose::remembered(field) } else { None };
        let (ranking, remembered) = (options.ranking.as_ref().or(remembered.as_ref()).cloned(), remembered.is_some());
        let backends = ranking.iter().fold(backends, |all, ranking| choose::ordered(all, ranking));
        let (layout, backend) = choose::modular(field, &backends, ranking.as_ref(), single)?;
        let kernels = Kernels {
            field: field.clone(),
            limit: modulus.value.clone(),
            bits: (&modulus.value - 1u32).bits() as usize,
            form: Form::new(field, &layout),
            codes: codes(field, &layout),
            butterflies: OnceLock::new(),
            layout,
            backend,
            ranking,
            remembered,
            sets: options.features,
            forgets: options.forget,
            device: None,
            singles: Singles::default(),
            all_in_lanes: AllInLanes::default(),
            kept: Kept::default(),
        };
        Engine { kernels: Arc::new(kernels), pool: None, trusts: false }.with_threads(options.threads)
    }

    /// The engine of a prime field whose products and sums are a device's: elements rest as devices take them, and scalar
    /// code has all else.
    fn on_device(field: &Field, options: Options) -> Result<Engine, ArrayError> {
        let chosen = device::chosen(field)?;
        let scalar = choose::backends(options.features.as_deref()).pop().filter(|b| !b.entry().kind.has_lanes());
        let no_code =
            || ArrayError::Device("the engine `opencl` needs machine code for all else\nhelp: leave it out".into());
        let backend = scalar.filter(|_| !options.interpreted).ok_or_else(no_code)?;
        let (limit, device) = (field.order(), Device::new(&chosen)?);
        let bits = (&limit - 1u32).bits() as usize;
        Engine::at(field, limit, bits, (chosen.layout, Some(backend)), Some(device), options)
    }

    /// The engine of a binary field in that layout, by that code.
    pub(crate) fn binary(
        field: &Field,
        f: &BinaryField,
        form: (Layout, MaybeBackend),
        options: Options,
    ) -> Result<Engine, ArrayError> {
        Engine::at(field, BigUint::from(1u32) << f.degree, f.degree as usize, form, None, options)
    }

    /// The engine of a prime field whose elements rest one by one in whole words, by scalar code.
    pub(crate) fn whole(
        field: &Field,
        m: &Modulus,
        form: (Layout, MaybeBackend),
        options: Options,
    ) -> Result<Engine, ArrayError> {
        Engine::at(field, m.value.clone(), (&m.value - 1u32).bits() as usize, form, None, options)
    }

    /// An engine in that layout, by that code, of which nothing is remembered.
    fn at(
        field: &Field,
        limit: BigUint,
        bits: usize,
        (layout, backend): (Layout, MaybeBackend),
        device: Option<Device>,
        options: Options,
    ) -> Result<Engine, ArrayError> {
        let kernels = Kernels {
            field: field.clone(),
            limit,
            bits,
            form: Form::new(field, &layout),
            codes: codes(field, &layout),
            butterflies: OnceLock::new(),
            layout,
            backend,
            ranking: None,
            remembered: false,
            sets: options.features,
            forgets: options.forget,
            device,
            singles: Singles::default(),
            all_in_lanes: AllInLanes::default(),
            kept: Kept::default(),
        };
        Engine { kernels: Arc::new(kernels), pool: None, trusts: false }.with_threads(options.threads)
    }

    /// This engine on another number of threads (0: as many as the machine has). Arrays of one are arrays of the
    /// other.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub fn with_threads(&self, threads: usize) -> Result<Engine, ArrayError> {
        let threads = if threads == 0 { std::thread::available_parallelism().map_or(1, |n| n.get()) } else { threads };
        let pool = match threads {
            1 => None,
            _ => {
                let pool = rayon::ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .thread_name(|i| format!("evariste-array-{i}"))
                    .build();
                Some(Arc::new(pool.map_err(|e| ArrayError::Threads { threads, why: e.to_string() })?))
            }
        };
        Ok(Engine { kernels: self.kernels.clone(), pool, trusts: self.trusts })
    }

    /// This engine on the threads of another one, of whatever field.
    pub fn on_threads_of(&self, other: &Engine) -> Engine {
        Engine { kernels: self.kernels.clone(), pool: other.pool.clone(), trusts: self.trusts }
    }

    /// This engine without a test of each number in ordinary words ([`Engine::mul_words_into`] and the like), as scalar
    /// libraries have none: for numbers that are known to be below the modulus, such as results of those operations.
    /// What is computed of others are words that mean nothing.
    pub fn trusting(&self) -> Engine {
        Engine { trusts: true, ..self.clone() }
    }

    /// Threads that operations run on.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// The field.
    pub fn field(&self) -> &Field {
        &self.kernels.field
    }

    /// The layout of elements at rest.
    pub fn layout(&self) -> &Layout {
        &self.kernels.layout
    }

    /// Elements that lie side by side: 8 on vectors of 512 bits, 4 on those of 256, else 1; twice as many of primes below
    /// 2^32, 64 times as many where elements are bit-sliced.
    pub fn lanes(&self) -> usize {
        self.kernels.lanes()
    }

    /// Saturated words of 64 bits of an element, as `from_words` takes them.
    pub fn words_per_element(&self) -> usize {
        self.kernels.bits.div_ceil(64)
    }

    /// Bytes of an element, as `from_bytes` takes them.
    pub fn bytes_per_element(&self) -> usize {
        self.kernels.bits.div_ceil(8)
    }

    /// Makes the code of all operations now (on all threads) instead of when each is first used.
    ///
    /// # Errors
    /// An operation that has no proved kernel or no code.
    pub fn prepare(&self) -> Result<(), ArrayError> {
        let mut all: Vec<&Operation> = self.kernels.codes.iter().map(|(op, _)| op).filter(|op| self.has(op)).collect();
        self.parallel(&mut all, 1, 1, |_, some, _| self.kernels.code(some[0]).map(drop))
    }

    /// Has the layout such an operation?
    pub(crate) fn has(&self, operation: &Operation) -> bool {
        let kernels = &self.kernels;
        let own = kernels.codes.iter().find(|(own, _)| own.is(operation));
        own.is_some_and(|(own, _)| !plans(&kernels.field, &kernels.layout, own).is_empty())
    }

    /// How an operation (by its name: `mul`, `square`, `add`, `sub`, `opp`, `selectznz`, `mul_add`, `dot`,
    /// `from_words`, `to_words`, …) is computed: plan, layout, shape of the code.
    ///
    /// # Errors
    /// An operation that has no code in this layout.
    pub fn describe(&self, operation: &str) -> Result<String, ArrayError> {
        // A family goes by its name without the number of terms.
        let called = |op: &Operation| match &op.row().family {
            Some(family) => family.prefix.trim_end_matches('_') == operation,
            None => op.row().name == operation,
        };
        let (own, _) =
            self.kernels.codes.iter().find(|(own, _)| called(own)).ok_or_else(|| {
                ArrayError::kernel(operation, &self.kernels.field.text(), "no such operation of arrays")
            })?;
        if let Some((device, kernel)) = self.kernels.on_device(own) {
            return Ok(device.describe(kernel));
        }
        let code = self.kernels.code(own)?;
        let origin = match (code.ranked, self.kernels.remembered) {
            (false, _) => "",
            (true, false) => ", by the ranking that was given",
            (true, true) => ", as `tune --lanes` measured on this machine",
        };
        let lanes = format!("{}{origin}", code.description);
        Ok(match WordStep::of(own) {
            Some(step) => {
                ProductsOfWords { lanes: Some(lanes), ..self.products_of_words(step.is_montgomery())? }.to_string()
            }
            None => lanes,
        })
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({}, {} threads)", self.kernels.place(), self.threads())
    }
}
