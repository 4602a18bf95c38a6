//! The text form of a graph: one node a line, `w` for words, `f` for flags, inputs by name, constants in hexadecimal.

use std::fmt;

use super::{Graph, Id, Kind, NONE, Node, Operation};

struct Name<'a>(&'a Graph, Id);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Name(graph, v) = *self;
        match graph.values[v as usize] {
            Kind::Word => write!(f, "w{v}"),
            Kind::Flag => write!(f, "f{v}"),
            Kind::Input { param, index } => write!(f, "{}[{index}]", graph.params[param as usize].name),
            Kind::Constant(c) if c < 10 => write!(f, "{c}"),
            Kind::Constant(c) => write!(f, "{c:#x}"),
            Kind::Line(line) => write!(f, "line{line}"),
        }
    }
}

impl Operation {
    /// Name in the text form.
    pub fn name(self) -> &'static str {
        match self {
            Operation::Mul => "mul",
            Operation::MulLow => "mul_low",
            Operation::CopyHigh => "copy_high",
            Operation::CopyLow => "copy_low",
            Operation::JoinHalves => "join_halves",
            Operation::MergeLow => "merge_low",
            Operation::MergeHigh => "merge_high",
            Operation::Add => "add",
            Operation::Sub => "sub",
            Operation::And => "and",
            Operation::Or => "or",
            Operation::Xor => "xor",
            Operation::AndNot => "and_not",
            Operation::Not => "not",
            Operation::Shl(_) => "shl",
            Operation::Shr(_) => "shr",
            Operation::Sar(_) => "sar",
            Operation::Rol(_) => "rol",
            Operation::Funnel(_) => "funnel",
            Operation::WordOfFlag => "word_of_flag",
            Operation::MaskOfFlag => "mask_of_flag",
            Operation::FlagOfWord => "flag_of_word",
            Operation::Select => "select",
            Operation::MaddLow => "madd_low",
            Operation::MaddHigh => "madd_high",
            Operation::MulHalf => "mul_half",
            Operation::Greater => "greater",
            Operation::Lesser => "lesser",
            Operation::ClmulEven => "clmul_even",
            Operation::ClmulOdd => "clmul_odd",
            Operation::RijndaelMul => "rijndael_mul",
            Operation::BitMatrix(_) => "bit_matrix",
            Operation::LookUp => "look_up",
            Operation::LookUpHalves => "look_up_halves",
            Operation::LookUpHalvesOfTwo => "look_up_halves_of_two",
            Operation::UnpackEven => "unpack_even",
            Operation::UnpackOdd => "unpack_odd",
            Operation::PermuteWords(_) => "permute_words",
            Operation::BlendWords(_) => "blend_words",
            Operation::Less => "less",
            Operation::Equal => "equal",
            Operation::AddWhere => "add_where",
            Operation::SubWhere => "sub_where",
            Operation::FlagAnd => "flag_and",
            Operation::FlagOr => "flag_or",
            Operation::FlagXor => "flag_xor",
            Operation::FlagNot => "flag_not",
            Operation::Ternary(_) => "ternary",
            Operation::FloatAdd => "float_add",
            Operation::FloatSub => "float_sub",
            Operation::FloatMul => "float_mul",
            Operation::FloatFma => "float_fma",
            Operation::Load => "load",
            Operation::Store { .. } => "store",
        }
    }
}

impl Graph {
    /// One node as text.
    pub fn node_text(&self, node: &Node) -> String {
        let name = |v: Id| Name(self, v).to_string();
        let args: Vec<String> = node.args().map(name).collect();
        if let Operation::Store { param, index } = node.op {
            return format!("{}[{index}] = {}", self.params[param as usize].name, args.join(" "));
        }
        let results: Vec<String> = match node.results {
            [a, NONE] => vec![name(a)],
            [NONE, b] => vec!["_".into(), name(b)],
            [a, b] => vec![name(a), name(b)],
        };
        let amount = match node.op {
            Operation::Shl(k) | Operation::Shr(k) | Operation::Sar(k) | Operation::Rol(k) | Operation::Funnel(k) => {
                format!(" by {k}")
            }
            Operation::Ternary(table) => format!(" table {table:#04x}"),
            Operation::PermuteWords(places) => (0..4).map(|l| format!(" {}", places >> (2 * l) & 3)).collect(),
            Operation::BlendWords(words) => format!(" second {words:#06b}"),
            _ => String::new(),
        };
        let exact = if node.is_sum() && node.no_carry { " exact" } else { "" };
        format!("{} = {} {}{amount}{exact}", results.join(", "), node.op.name(), args.join(" "))
    }
}

impl fmt::Display for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "graph {}", self.name)?;
        for p in &self.params {
            let way = if p.role.is_written() { "out" } else { "in" };
            writeln!(f, "  {way} {}: {} x {} bytes", p.name, p.len, p.element_bytes)?;
        }
        for node in &self.nodes {
            writeln!(f, "    {}", self.node_text(node))?;
        }
        Ok(())
    }
}
