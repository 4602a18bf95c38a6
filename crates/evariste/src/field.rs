//! A described field (or ring, or plain integers): the entry to everything else.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use evariste_algorithms::{Layout, Operation, field_set};
use evariste_array::Engine;
use evariste_backend::{BACKENDS, Code};
use evariste_descriptions::Field as Spec;
use evariste_emit::Language;
use evariste_tune::candidates::{all_plans, apart_layouts, field_layouts, layouts_on};
use evariste_tune::choose::{Chosen, Wish, choose_first, choose_for};
use evariste_tune::package::{Package, Request, package};
use evariste_tune::{Expected, Options, Progress, Ranking};
use num_bigint::{BigInt, BigUint, Sign};

use crate::arithmetic::Slot;
use crate::element::Element;
use crate::error::Error;
use crate::plan::Plan;

/// The word sizes that are considered where none is asked for, in bits.
pub const WORDS: [u32; 2] = [64, 32];

/// A finite field, a ring of integers modulo a number, or plain integers. Cheap to clone.
///
/// ```
/// use evariste::{Field, Op};
///
/// let field = Field::parse("2^255 - 19")?;
/// assert_eq!(field.name(), "25519");
/// assert_eq!(field.bits(), 255);
/// // Elements lie in words in several ways, and in each way several algorithms multiply them.
/// assert!(field.layouts().len() >= 4);
/// assert!(field.plans(Op::MUL).len() >= 10);
/// # Ok::<(), evariste::Error>(())
/// ```
#[derive(Clone)]
pub struct Field {
    spec: Arc<Spec>,
    /// What elements compute with; shared by clones.
    pub(crate) slot: Arc<Slot>,
}

impl Field {
    /// Reads a description: an expression (`2^255 - 19`), a name (`p256`), plain integers (`int256`) or a binary field
    /// in a normal basis (`GF(2^131):onb2`).
    ///
    /// # Errors
    /// [`Error::Description`] with the place of the fault and what would work.
    ///
    /// ```
    /// let error = evariste::Field::parse("2^255 - 2^256").unwrap_err();
    /// assert!(error.to_string().starts_with("negative: the modulus would be"));
    /// ```
    pub fn parse(text: &str) -> Result<Field, Error> {
        Ok(Field::from(Spec::parse(text)?))
    }

    /// The description as data, with the reference arithmetic.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// A short name: `p256`, `25519`, `2^127-1`, `gf2-131-onb2`.
    pub fn name(&self) -> String {
        self.spec.name()
    }

    /// A description that parses back: `2^255 - 19`.
    pub fn text(&self) -> String {
        self.spec.text()
    }

    /// What people call it, such that it parses back: its name where it has one of its own (`p256`), else the
    /// description.
    pub fn called(&self) -> String {
        self.spec.called()
    }

    /// The name, with what it stands for where that is another text: `p256 (2^256 - 2^224 + 2^192 + 2^96 - 1)`.
    pub fn title(&self) -> String {
        self.spec.title()
    }

    /// The name as an identifier: `f25519`.
    pub fn identifier(&self) -> String {
        self.spec.identifier()
    }

    /// What it is, in a few lines.
    pub fn description(&self) -> String {
        self.spec.description()
    }

    /// Bits of an element.
    pub fn bits(&self) -> u32 {
        self.spec.bits()
    }

    /// How many elements there are: p, or a power of two.
    pub fn order(&self) -> BigUint {
        self.spec().order()
    }

    /// The element zero.
    pub fn zero(&self) -> Element {
        Element::new(self.clone(), self.spec().zero())
    }

    /// The element one (in a normal basis all coefficients of it are 1).
    pub fn one(&self) -> Element {
        Element::new(self.clone(), self.spec().one())
    }

    /// Makes the machine code that elements of this field and of its clones compute with, at once; without this call it is
    /// made after some hundred thousand operations. The plans are those of the remembered ranking, where there is one.
    /// Says whether there is such code here: without it elements are computed with as big integers.
    ///
    /// ```
    /// let field = evariste::Field::parse("p256")?;
    /// field.prepare();
    /// let a = field.element("5")?;
    /// assert_eq!((&a * &a.inverse()?).to_string(), "1");
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn prepare(&self) -> bool {
        self.slot.prepared(self.spec()).is_some()
    }

    /// Is the modulus supplied at run time, as one more operand?
    pub fn takes_modulus(&self) -> bool {
        !self.spec().supplied().is_empty()
    }

    /// The element that a text means: a decimal number, `0x…` or an expression; of towers and curves a list of
    /// coordinates. Modulo p any integer means its residue.
    ///
    /// # Errors
    /// A text that is no number; for plain integers and binary fields a number that is negative or has too many bits.
    ///
    /// ```
    /// let field = evariste::Field::parse("2^61 - 1")?;
    /// assert_eq!(field.element("2^61 + 4")?, field.element("5")?);
    /// assert_eq!(field.element("-1")?.to_string(), "2305843009213693950");
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn element(&self, text: &str) -> Result<Element, Error> {
        match self.spec().read(text, 0..text.len()) {
            Some(element) => Ok(Element::new(self.clone(), element?)),
            None => self.element_of(evariste_descriptions::integer(text)?),
        }
    }

    /// The element of that number: its residue modulo p; for plain integers and binary fields (bit i is the coefficient
    /// of B_i) itself.
    ///
    /// # Errors
    /// For plain integers and binary fields a number of more bits than an element has.
    pub fn element_from(&self, value: impl Into<BigUint>) -> Result<Element, Error> {
        self.element_of(value.into().into())
    }

    fn element_of(&self, value: BigInt) -> Result<Element, Error> {
        match self.spec().element(&value) {
            Some(element) => Ok(Element::new(self.clone(), element)),
            None if value.sign() == Sign::Minus => Err(self.out_of_range(&value, "it is negative")),
            None if value.bits() <= self.bits().into() => {
                Err(self.out_of_range(&value, &format!("no element of {} has that number", self.called())))
            }
            None => Err(self.out_of_range(&value, &format!("{} has elements of {} bits", self.called(), self.bits()))),
        }
    }

    fn out_of_range(&self, value: &BigInt, why: &str) -> Error {
        let what = if value.bits() <= 128 { value.to_string() } else { format!("a number of {} bits", value.bits()) };
        Error::OutOfRange { what, why: why.into(), help: format!("write a number of 0 to 2^{} - 1", self.bits()) }
    }

    /// How elements can lie in words of 64 and 32 bits (binary fields: of one bit).
    pub fn layouts(&self) -> Vec<Layout> {
        self.layouts_of(&WORDS)
    }

    /// How elements can lie in words of these sizes.
    pub fn layouts_of(&self, words: &[u32]) -> Vec<Layout> {
        field_layouts(self.spec(), words)
    }

    /// The layout of that name.
    ///
    /// # Errors
    /// [`Error::Unknown`] with the names that there are.
    pub fn layout(&self, name: &str) -> Result<Layout, Error> {
        self.layout_of(name, self.layouts())
    }

    /// The layouts of a language: those of words, those that it has besides because it multiplies by halves, and those for
    /// machine code that few processors run.
    pub fn layouts_in(&self, language: &Language) -> Vec<Layout> {
        let mut all = layouts_on(self.spec(), &WORDS, language.counted_as());
        for entry in BACKENDS.iter().filter(|_| language.machine_code) {
            all.extend(apart_layouts(self.spec(), &WORDS, Some(Code::from(*entry))));
        }
        all
    }

    /// The layout of that name in a language.
    ///
    /// # Errors
    /// As [`Field::layout`].
    ///
    /// ```
    /// use evariste::{Field, language};
    /// let field = Field::parse("p256")?;
    /// assert!(field.layout("montgomery-5x52-clean").is_err());
    /// assert_eq!(field.layout_in("montgomery-5x52-clean", language("java")?)?.digits(), 5);
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn layout_in(&self, name: &str, language: &Language) -> Result<Layout, Error> {
        self.layout_of(name, self.layouts_in(language))
    }

    fn layout_of(&self, name: &str, all: Vec<Layout>) -> Result<Layout, Error> {
        let names: Vec<&str> = all.iter().map(|l| l.name.as_str()).collect();
        let unknown = Error::Unknown {
            kind: "layout",
            given: name.into(),
            help: format!("{} has {}", self.called(), names.join(", ")),
        };
        all.iter().find(|l| l.name == name).cloned().ok_or(unknown)
    }

    /// The operations of a layout, in the order of an emitted header.
    pub fn operations(&self, layout: &Layout) -> Vec<Operation> {
        field_set::operations(self.spec(), layout)
    }

    /// Every plan for an operation: each layout by each algorithm that applies to it.
    ///
    /// ```
    /// use evariste::{Field, Op};
    /// let names: Vec<String> = Field::parse("p256")?.plans(Op::SQUARE).iter().map(|plan| plan.name()).collect();
    /// assert!(names.contains(&"montgomery-cios/montgomery-4x64".to_string()));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn plans(&self, operation: Operation) -> Vec<Plan> {
        self.plans_in(&self.layouts(), &operation)
    }

    /// Every plan for an operation in these layouts; each is written here, and those whose bounds do not meet the
    /// layout are left out.
    pub fn plans_in(&self, layouts: &[Layout], operation: &Operation) -> Vec<Plan> {
        let all = all_plans(self.spec(), layouts, std::slice::from_ref(operation));
        all.into_iter().filter_map(|plan| Plan::new(self.clone(), plan).ok()).collect()
    }

    /// Chooses a layout to work in: `layout` by name, else the best of `ranking`, else the one of the least estimate.
    ///
    /// # Errors
    /// A layout that does not exist; a field without candidates.
    pub fn choose(&self, layout: Option<&str>, ranking: Option<Ranking>) -> Result<Chosen, Error> {
        self.choose_for(layout, ranking, Wish::default())
    }

    /// As [`Field::choose`], where the best layout of the ranking is that of one kind of code: what is best as machine
    /// code need not be what is best as C.
    ///
    /// # Errors
    /// As [`Field::choose`].
    pub fn choose_for(&self, layout: Option<&str>, ranking: Option<Ranking>, wish: Wish) -> Result<Chosen, Error> {
        self.with_kernels()?;
        if let Some(name) = layout.filter(|_| wish.machine.is_none()) {
            let apart = || apart_layouts(self.spec(), &WORDS, wish.code).iter().any(|layout| layout.name == name);
            self.layout(name).map(drop).or_else(|why| if apart() { Ok(()) } else { Err(why) })?;
        }
        Ok(choose_for(self.spec(), &WORDS, layout, ranking, wish)?)
    }

    /// A layout and plans for a few results of one operation at once: what is remembered, else the first plan that is
    /// proved, whatever its time. No time is spent on finding a fast one.
    ///
    /// # Errors
    /// A layout that does not exist; an operation that no layout has.
    ///
    /// ```
    /// use evariste::{BigUint, Field, Op};
    /// let field = Field::parse("GF(2^571)")?;
    /// let chosen = field.choose_first(None, None, &Op::MUL)?;
    /// let numbers = [BigUint::from(2u32), BigUint::from(1u32) << 570u32];
    /// assert_eq!(field.evaluate(&chosen, &Op::MUL, None, &numbers, None)?.kernel, BigUint::from(0x425u32));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn choose_first(
        &self,
        layout: Option<&str>,
        ranking: Option<Ranking>,
        operation: &Operation,
    ) -> Result<Chosen, Error> {
        self.with_kernels()?;
        if let Some(name) = layout {
            self.layout(name)?;
        }
        Ok(choose_first(self.spec(), &WORDS, layout, ranking, operation)?)
    }

    /// Proves, compiles, measures and ranks every candidate; `progress` is called from several threads.
    ///
    /// Only one program measures at a time on a machine; this call waits for its turn.
    ///
    /// # Errors
    /// No C compiler, or a machine on which nothing can be loaded or timed.
    ///
    /// ```
    /// use evariste::{Field, Options};
    ///
    /// # fn main() -> Result<(), evariste::Error> {
    /// # if evariste::Compiler::all().is_empty() { return Ok(()); }
    /// let field = Field::parse("mersenne31")?;
    /// let mut options = Options::new()?;
    /// options.only = vec!["montgomery-4x8".into()];
    /// let ranking = field.tune(&options, &|_progress| ())?;
    /// assert_eq!(ranking.field, "2^31 - 1");
    /// # Ok(())
    /// # }
    /// ```
    pub fn tune(&self, options: &Options, progress: &(dyn Fn(Progress) + Sync)) -> Result<Ranking, Error> {
        self.with_kernels()?;
        Ok(evariste_tune::tune(self.spec(), options, progress)?)
    }

    /// What [`Field::tune`] with these options has to do, and about how long that takes.
    pub fn expected(&self, options: &Options) -> Expected {
        evariste_tune::expected(self.spec(), options)
    }

    /// Operations on arrays of elements, on that many threads (0: as many as the machine has).
    /// [`array::Engine::with`](crate::array::Engine::with) takes choices, among them a ranking by `tune --lanes`.
    ///
    /// # Errors
    /// A field without a layout for lanes; no threads.
    ///
    /// ```
    /// use evariste::{BigUint, Field};
    ///
    /// let engine = Field::parse("bls12-381-fr")?.arrays(1)?;
    /// let a = engine.from_integers(&[2u32, 3, 5].map(BigUint::from))?;
    /// let squares = engine.mul(&a, &a)?;
    /// assert_eq!(engine.to_integers(&squares)?, [4u32, 9, 25].map(BigUint::from));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn arrays(&self, threads: usize) -> Result<Engine, Error> {
        Ok(Engine::new(self.spec(), threads)?)
    }

    /// The files of a source package: the operations of a request, each by the chosen plan, with vectors, a test and a
    /// benchmark. `done` is called with the number of proved kernels and their total.
    /// [`write_package`](crate::write_package) puts them into a folder.
    ///
    /// # Errors
    /// Operations that the layout does not have, a prefix that is no identifier, a kernel that is not proved.
    ///
    /// ```
    /// use evariste::{Field, Request};
    ///
    /// let field = Field::parse("mersenne61")?;
    /// let request = Request { language: "c".into(), operations: vec!["mul".into()], ..Request::default() };
    /// let package = field.package(&field.choose(None, None)?, &request, |_, _| ())?;
    /// assert!(package.files.iter().any(|file| file.path == "mersenne61.h"));
    /// # Ok::<(), evariste::Error>(())
    /// ```
    pub fn package(
        &self,
        chosen: &Chosen,
        request: &Request,
        done: impl Fn(usize, usize) + Sync,
    ) -> Result<Package, Error> {
        self.with_kernels()?;
        Ok(package(chosen, request, done)?)
    }
}

impl From<Spec> for Field {
    fn from(spec: Spec) -> Field {
        Field { spec: Arc::new(spec), slot: Arc::default() }
    }
}

/// Fields are what they describe.
impl PartialEq for Field {
    fn eq(&self, other: &Field) -> bool {
        self.spec == other.spec
    }
}

impl Eq for Field {}

impl Hash for Field {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.spec.hash(state);
    }
}

impl fmt::Debug for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").field("spec", &self.spec).finish()
    }
}

impl FromStr for Field {
    type Err = Error;

    fn from_str(text: &str) -> Result<Field, Error> {
        Field::parse(text)
    }
}

/// The description that parses back.
impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}
