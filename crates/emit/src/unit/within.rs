//! Which values a language that checks bounds while the code runs should look at.

use evariste_ir::range::transfer;
use evariste_ir::{Interval, Kernel, Op, Type, Value};

use super::model::Model;
use super::prepare::Prepared;

/// Does the interval hold every value of the type?
pub fn fills(range: &Interval, ty: Type) -> bool {
    matches!(ty, Type::Float(_) | Type::Mask(_)) || ty.full().within(range)
}

/// Is the value's interval narrower than its type?
pub(super) fn is_tight(kernel: &Kernel, v: Value) -> bool {
    let info = kernel.value(v);
    !fills(&info.range, info.ty)
}

/// The results of an operation whose intervals say more than the operation itself does.
pub(super) fn results(prepared: &Prepared, op: &Op, args: &[Value], results: &[Value]) -> Vec<Value> {
    let kernel = &prepared.kernel;
    if prepared.model == Model::Lanes || results.iter().all(|v| !is_tight(kernel, *v)) {
        return vec![];
    }
    let anything = |v: &Value| match prepared.constants.get(v) {
        Some(c) => Interval::point(c.clone()),
        None => kernel.value(*v).ty.full(),
    };
    let full: Vec<(Type, Interval)> = args.iter().map(|v| (kernel.value(*v).ty, anything(v))).collect();
    let operands: Vec<(Type, &Interval)> = full.iter().map(|(ty, r)| (*ty, r)).collect();
    let types: Vec<Type> = results.iter().map(|r| kernel.value(*r).ty).collect();
    let amount = op.amount().and_then(|k| k.constant()).map_or(0, |k| k.max(0) as u32);
    let known = transfer(op, &operands, &types, (amount, amount));
    let told = |(v, range): (&Value, Interval)| {
        let info = kernel.value(*v);
        let implied = !matches!(op, Op::Shl(_) | Op::Lookup { .. }) && range.fits(info.ty) && range.within(&info.range);
        (is_tight(kernel, *v) && !implied).then_some(*v)
    };
    results.iter().zip(known).filter_map(told).collect()
}
