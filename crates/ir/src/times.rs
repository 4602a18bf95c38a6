//! A kernel of several elements: a call of the kernel of one for each of them.

use std::sync::Arc;

use crate::contract::{Claim, Contract, Operand};
use crate::kernel::{Array, ArrayInfo, Kernel, Stmt, View};

/// The kernel of so many elements, which lie one after the other in each array. What a caller guarantees it guarantees of
/// each; what is promised of results is their bounds.
pub fn times(kernel: Arc<Kernel>, times: u32) -> Kernel {
    let params: Vec<Array> = kernel.params().collect();
    let arrays = params.iter().map(|a| repeated(kernel.array(*a), times)).collect();
    let place = |a: &Array| params.iter().position(|p| p == a).map(|i| Array(i as u32));
    let disjoint = kernel.disjoint.iter().filter_map(|(a, b)| Some((place(a)?, place(b)?))).collect();
    let call = |i: u32| {
        let view = |(p, a): (usize, &Array)| View::from(Array(p as u32), i * kernel.array(*a).len);
        Stmt::Call { callee: 0, args: params.iter().enumerate().map(view).collect() }
    };
    let moved = |operand: &Operand, i: u32| {
        let mut operand = Operand { name: format!("{}_{i}", operand.name), ..operand.clone() };
        for digit in &mut operand.digits {
            digit.index += i * kernel.array(digit.array).len;
            digit.array = place(&digit.array).unwrap_or(digit.array);
        }
        operand
    };
    let mut contract = Contract::default();
    for i in 0..times {
        let first = i * kernel.contract.inputs.len() as u32;
        for input in &kernel.contract.inputs {
            let mut input = moved(input, i);
            input.below.iter_mut().for_each(|below| below.number += first);
            contract.inputs.push(input);
        }
        for fact in &kernel.contract.facts {
            let mut fact = fact.clone();
            fact.number += first;
            fact.times.iter_mut().for_each(|number| *number += first);
            fact.polynomial.0.iter_mut().for_each(|(_, factors)| factors.iter_mut().for_each(|f| *f += first));
            contract.facts.push(fact);
        }
        let bounds = |claim: &Claim| Claim::Step { output: moved(claim.output(), i), name: "bounds".to_string() };
        contract.claims.extend(kernel.contract.claims.iter().map(bounds));
    }
    Kernel {
        name: format!("{}_times_{times}", kernel.name),
        word: kernel.word,
        arrays,
        disjoint,
        values: Vec::new(),
        body: (0..times).map(call).collect(),
        contract,
        vartime: kernel.vartime,
        callees: vec![kernel],
    }
}

fn repeated(info: &ArrayInfo, times: u32) -> ArrayInfo {
    let ranges = match &info.ranges[..] {
        [one] => vec![one.clone()],
        each => (0..times).flat_map(|_| each.iter().cloned()).collect(),
    };
    ArrayInfo { len: info.len * times, ranges, ..info.clone() }
}
