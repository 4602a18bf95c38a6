//! Curves: sums, doublings, ladders, changes of coordinates, one shape a file.

use crate::entry::{Entry, Family};

pub mod binary_edwards;
pub mod chord;
pub mod complete_addition;
pub mod edwards;
pub mod jacobian;
pub mod lopez_dahab;
pub mod montgomery_ladder;
pub mod simple;

/// The families of this folder.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "weierstrass-addition",
        formulas: &[
            Entry { name: "complete-addition", write: complete_addition::general },
            Entry { name: "complete-addition-minus-3", write: complete_addition::minus_three },
            Entry { name: "complete-addition-0", write: complete_addition::zero },
            Entry { name: "chord-addition", write: chord::addition },
        ],
    },
    Family {
        name: "weierstrass-doubling",
        formulas: &[
            Entry { name: "complete-doubling", write: complete_addition::double_general },
            Entry { name: "complete-doubling-minus-3", write: complete_addition::double_minus_three },
            Entry { name: "complete-doubling-0", write: complete_addition::double_zero },
        ],
    },
    Family {
        name: "jacobian-addition",
        formulas: &[
            Entry { name: "jacobian-addition", write: jacobian::addition },
            Entry { name: "jacobian-addition-cmo", write: jacobian::addition_cmo },
        ],
    },
    Family {
        name: "jacobian-mixed-addition",
        formulas: &[
            Entry { name: "jacobian-mixed-addition", write: jacobian::mixed },
            Entry { name: "jacobian-mixed-addition-cmo", write: jacobian::mixed_cmo },
        ],
    },
    Family {
        name: "jacobian-doubling",
        formulas: &[
            Entry { name: "jacobian-doubling", write: jacobian::double },
            Entry { name: "jacobian-doubling-minus-3", write: jacobian::double_minus_three },
            Entry { name: "jacobian-doubling-minus-3-hmv", write: jacobian::double_minus_three_hmv },
            Entry { name: "jacobian-doubling-0", write: jacobian::double_zero },
        ],
    },
    Family {
        name: "montgomery-ladder-step",
        formulas: &[Entry { name: "montgomery-ladder-step", write: montgomery_ladder::step }],
    },
    Family {
        name: "edwards-addition",
        formulas: &[
            Entry { name: "edwards-addition", write: edwards::addition },
            Entry { name: "edwards-addition-minus-1", write: edwards::addition_minus_one },
        ],
    },
    Family {
        name: "edwards-mixed-addition",
        formulas: &[Entry { name: "edwards-mixed-addition", write: edwards::mixed_addition }],
    },
    Family {
        name: "edwards-mixed-addition-minus-1",
        formulas: &[Entry { name: "edwards-mixed-addition-minus-1", write: edwards::mixed_minus_one }],
    },
    Family {
        name: "edwards-doubling",
        formulas: &[
            Entry { name: "edwards-doubling", write: edwards::double_general },
            Entry { name: "edwards-doubling-minus-1", write: edwards::double_minus_one },
        ],
    },
    Family {
        name: "edwards-doubling-without-t",
        formulas: &[
            Entry { name: "edwards-doubling-without-t", write: edwards::double_general_without_t },
            Entry { name: "edwards-doubling-minus-1-without-t", write: edwards::double_minus_one_without_t },
        ],
    },
    Family {
        name: "lopez-dahab-step",
        formulas: &[
            Entry { name: "lopez-dahab-step", write: lopez_dahab::step },
            Entry { name: "lopez-dahab-step-koblitz", write: lopez_dahab::step_koblitz },
        ],
    },
    Family {
        name: "lopez-dahab-recovery",
        formulas: &[Entry { name: "lopez-dahab-recovery", write: lopez_dahab::recovery }],
    },
    Family {
        name: "binary-edwards-step",
        formulas: &[Entry { name: "binary-edwards-step", write: binary_edwards::step }],
    },
    Family { name: "opposite", formulas: &[Entry { name: "opposite", write: simple::opposite }] },
    Family {
        name: "opposite-edwards",
        formulas: &[Entry { name: "opposite-edwards", write: simple::opposite_edwards }],
    },
    Family { name: "opposite-binary", formulas: &[Entry { name: "opposite-binary", write: simple::opposite_binary }] },
    Family { name: "endomorphism", formulas: &[Entry { name: "endomorphism", write: simple::endomorphism }] },
    Family {
        name: "twist-endomorphism",
        formulas: &[Entry { name: "twist-endomorphism", write: simple::twist_endomorphism }],
    },
    Family { name: "to-affine", formulas: &[Entry { name: "to-affine", write: simple::to_affine }] },
    Family {
        name: "jacobian-to-affine",
        formulas: &[Entry { name: "jacobian-to-affine", write: simple::jacobian_to_affine }],
    },
    Family { name: "from-affine", formulas: &[Entry { name: "from-affine", write: simple::from_affine }] },
    Family {
        name: "from-affine-edwards",
        formulas: &[Entry { name: "from-affine-edwards", write: simple::from_affine_edwards }],
    },
    Family { name: "ladder-swap", formulas: &[Entry { name: "ladder-swap", write: simple::ladder_swap }] },
];
