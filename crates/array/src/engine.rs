//! What is set up once for a field: layout, code of each operation, threads.

use std::fmt;
use std::sync::{Arc, OnceLock};

use evariste_algorithms::lanes::sums::terms;
use evariste_algorithms::{Layout, Operation, plans};
use evariste_descriptions::{BinaryField, Field, Modulus};
use evariste_ir::Arrangement;
use evariste_tune::Ranking;
use num_bigint::BigUint;
use rayon::ThreadPool;

use crate::choose;
use crate::code::{Code, MaybeBackend, SHORT, digit_bits, row};
use crate::error::ArrayError;

/// Operations that have code of their own; [`Step::operation`] says which of `algorithms` it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    Mul,
    Square,
    Add,
    Sub,
    Neg,
    Select,
    FromWords,
    ToWords,
    ToMontgomery,
    FromMontgomery,
    Canonical,
    MulAdd,
    MulWords,
    MulMontgomeryWords,
    Exceeds,
    Dot,
    Sum,
}

/// Has the layout digits of which two lie in a word of memory?
fn short(layout: &Layout) -> bool {
    layout.word == SHORT
}

impl Step {
    const ALL: [Step; 17] = {
        use Step::{
            Add, Canonical, Dot, Exceeds, FromMontgomery, FromWords, Mul, MulAdd, MulMontgomeryWords, MulWords, Neg,
            Select, Square, Sub, Sum, ToMontgomery, ToWords,
        };
        [
            Mul,
            Square,
            Add,
            Sub,
            Neg,
            Select,
            FromWords,
            ToWords,
            ToMontgomery,
            FromMontgomery,
            Canonical,
            MulAdd,
            MulWords,
            MulMontgomeryWords,
            Exceeds,
            Dot,
            Sum,
        ]
    };

    /// Its name to `describe`: that of the operation, without the number of terms.
    fn name(self, layout: &Layout) -> String {
        match self {
            Step::Dot => "dot".into(),
            Step::Sum => "sum".into(),
            other => other.operation(layout).name(),
        }
    }

    fn operation(self, layout: &Layout) -> Operation {
        match self {
            Step::Mul => Operation::MUL,
            Step::Square => Operation::SQUARE,
            Step::Add => Operation::ADD,
            Step::Sub => Operation::SUB,
            Step::Neg => Operation::OPP,
            Step::Select => Operation::SELECTZNZ,
            Step::FromWords => Operation::FROM_WORDS,
            Step::ToWords => Operation::TO_WORDS,
            Step::ToMontgomery => Operation::TO_MONTGOMERY,
            Step::FromMontgomery => Operation::FROM_MONTGOMERY,
            Step::Canonical => Operation::CANONICAL,
            Step::MulAdd => Operation::MUL_ADD,
            Step::MulWords => Operation::MUL_WORDS,
            Step::MulMontgomeryWords => Operation::MUL_MONTGOMERY_WORDS,
            Step::Exceeds => Operation::EXCEEDS,
            Step::Dot => Operation::DOT.with(terms(layout)),
            Step::Sum => Operation::SUM.with(terms(layout)),
        }
    }
}

/// What may be asked of an engine.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Threads; 0: as many as the machine has.
    pub threads: usize,
    /// Instruction sets that may be used, of those that the machine has, as `show program` prints them; `None`: all.
    /// `baseline` gives scalar code.
    pub features: Option<String>,
    /// Only the interpreter: what the arrays do where no machine code can be made.
    pub interpreted: bool,
    /// A ranking of this field by `tune --lanes`: its best layout, plans and shapes are used where they exist. `None`:
    /// the one that was remembered on this machine, if there is one.
    pub ranking: Option<Ranking>,
    /// Binary fields only: hold elements bit-sliced, one coordinate of many in a vector, also where carry-less products
    /// of whole words are faster. For long computations whose squares, rotations and sums count.
    pub sliced: bool,
    /// Without a ranking: do not look for a remembered one either. The choice is then the same on all machines of one
    /// kind.
    pub forget: bool,
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
    ranking: Option<Ranking>,
    /// The ranking is what this machine remembers.
    remembered: bool,
    codes: [OnceLock<Result<Code, ArrayError>>; Step::ALL.len()],
    /// `1/R` and `1/R²` modulo p, where R is the Montgomery factor of elements at rest.
    pub unscaling: [OnceLock<BigUint>; 2],
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

    /// The code of an operation, made when it is first used.
    pub fn code(&self, step: Step) -> Result<&Code, ArrayError> {
        let made = self.codes[step as usize].get_or_init(|| {
            choose::code(&self.field, &self.layout, &step.operation(&self.layout), self.ranking.as_ref(), &self.backend)
        });
        made.as_ref().map_err(Clone::clone)
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
        let backends = if options.interpreted { Vec::new() } else { choose::backends(options.features.as_deref()) };
        if let Some(f) = field.get::<BinaryField>() {
            let (layout, backend) = choose::binary(f, &backends, options.sliced);
            let kernels = Kernels {
                field: field.clone(),
                limit: BigUint::from(1u32) << f.degree,
                bits: f.degree as usize,
                layout,
                backend,
                ranking: None,
                remembered: false,
                codes: Default::default(),
                unscaling: Default::default(),
            };
            return Engine { kernels: Arc::new(kernels), pool: None }.with_threads(options.threads);
        }
        let Some(modulus) = field.get::<Modulus>() else {
            return Err(ArrayError::NoLayout { field: field.text(), most: 4096 });
        };
        let remembered = if options.ranking.is_none() && !options.forget { choose::remembered(field) } else { None };
        let (ranking, remembered) = (options.ranking.as_ref().or(remembered.as_ref()).cloned(), remembered.is_some());
        let (layout, backend) = choose::modular(field, &backends, ranking.as_ref())?;
        let kernels = Kernels {
            field: field.clone(),
            limit: modulus.value.clone(),
            bits: (&modulus.value - 1u32).bits() as usize,
            layout,
            backend,
            ranking,
            remembered,
            codes: Default::default(),
            unscaling: Default::default(),
        };
        Engine { kernels: Arc::new(kernels), pool: None }.with_threads(options.threads)
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
        Ok(Engine { kernels: self.kernels.clone(), pool })
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

    /// Elements that lie side by side: 8 on vectors of 512 bits, else 1; twice as many of primes below 2^32, 64 times
    /// as many where elements are bit-sliced.
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
        let mut steps = Step::ALL.to_vec();
        steps.retain(|s| self.has(*s));
        self.parallel(&mut steps, 1, 1, |_, steps, _| self.kernels.code(steps[0]).map(drop))
    }

    /// Has the layout such an operation?
    pub(crate) fn has(&self, step: Step) -> bool {
        let layout = &self.kernels.layout;
        !plans(&self.kernels.field, layout, &step.operation(layout)).is_empty()
    }

    /// How an operation (by its name: `mul`, `square`, `add`, `sub`, `opp`, `selectznz`, `mul_add`, `dot`,
    /// `from_words`, `to_words`, …) is computed: plan, layout, shape of the code.
    ///
    /// # Errors
    /// An operation that has no code in this layout.
    pub fn describe(&self, operation: &str) -> Result<String, ArrayError> {
        let step = Step::ALL.into_iter().find(|s| s.name(&self.kernels.layout) == operation);
        let step = step
            .ok_or_else(|| ArrayError::kernel(operation, &self.kernels.field.text(), "no such operation of arrays"))?;
        let code = self.kernels.code(step)?;
        let origin = match (code.ranked, self.kernels.remembered) {
            (false, _) => "",
            (true, false) => ", by the ranking that was given",
            (true, true) => ", as `tune --lanes` measured on this machine",
        };
        Ok(format!("{}{origin}", code.description))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Engine({}, {} threads)", self.kernels.place(), self.threads())
    }
}
