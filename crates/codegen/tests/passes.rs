//! Each pass on small kernels, as text.

use crate::common;

use evariste_algorithms::layouts;
use evariste_algorithms::{Operation, plans};
use evariste_codegen::Aim;
use evariste_codegen::lower::{LowerError, lower};
use evariste_codegen::schedule::Schedule;
use evariste_codegen::schedule::{candidates, demand_order};
use evariste_codegen::x86_64::allocate::{Allocator, Why};
use evariste_codegen::x86_64::schedule::resources;
use evariste_codegen::x86_64::{CompileError, Features, compile_kernel, table};
use evariste_cores::shipped;
use evariste_descriptions::Field;
use evariste_ir::range::Interval;
use evariste_ir::{ArrayKind, Builder, Contract, Counter, Index, Kernel, Type};
use expect_test::{Expect, expect};

fn plan(field: &str, operation: Operation, algorithm: &str) -> Kernel {
    let field = Field::parse(field).unwrap_or_else(|e| panic!("{e:?}"));
    let all = layouts(&field, 64).into_iter().flat_map(|layout| plans(&field, &layout, &operation));
    let plan = all.into_iter().find(|p| p.algorithm == algorithm).unwrap_or_else(|| panic!("no plan {algorithm}"));
    evariste_ir::prune(&plan.write().unwrap_or_else(|e| panic!("{e}")))
}

fn program(kernel: &Kernel, features: Features, expected: Expect) {
    let program = compile_kernel(kernel, features, None).unwrap_or_else(|e| panic!("{e}"));
    expected.assert_eq(&program.to_string());
}

#[test]
fn a_product_of_two_words_as_a_graph() {
    let kernel = plan("int128", Operation::MUL, "operand-scanning-merge");
    expect![[r#"
        graph mul_operand_scanning_merge
          out out: 4 x 8 bytes
          in a: 2 x 8 bytes
          in b: 2 x 8 bytes
            w2, w3 = mul a[0] b[0]
            w5, w6 = mul a[1] b[0]
            w7, f8 = add w3 w5
            w10 = add w6 0 f8 exact
            w12, w13 = mul a[0] b[1]
            w14, w15 = mul a[1] b[1]
            w16, f17 = add w13 w14
            w18 = add w15 0 f17 exact
            w19, f20 = add w7 w12
            w21, f22 = add w10 w16 f20
            w23 = add w18 0 f22
            out[0] = w2
            out[1] = w19
            out[2] = w21
            out[3] = w23
    "#]]
    .assert_eq(&lower(&kernel).unwrap_or_else(|e| panic!("{e}")).to_string());
}

#[test]
fn a_product_of_two_words_by_level() {
    let kernel = plan("int128", Operation::MUL, "operand-scanning-merge");
    program(
        &kernel,
        Features::BASELINE,
        expect![[r#"
        mul_operand_scanning_merge(out, a, b) for baseline
            mov rcx, rdx
            mov rax, [rsi]
            mul qword [rcx]
            mov [rdi], rax
            mov r8, rdx
            mov rax, [rsi + 8]
            mul qword [rcx]
            add r8, rax
            adc rdx, 0
            mov r9, rdx
            mov rax, [rsi]
            mul qword [rcx + 8]
            mov r10, rax
            mov r11, rdx
            mov rax, [rsi + 8]
            mul qword [rcx + 8]
            add r11, rax
            adc rdx, 0
            add r8, r10
            mov [rdi + 8], r8
            adc r9, r11
            mov [rdi + 16], r9
            adc rdx, 0
            mov [rdi + 24], rdx
            ret
    "#]],
    );
    program(
        &kernel,
        Features::ADX,
        expect![[r#"
        mul_operand_scanning_merge(out, a, b) for bmi2
            mov rax, rdx
            mov rdx, [rax]
            mulx rcx, r8, [rsi]
            mov [rdi], r8
            mulx r8, r9, [rsi + 8]
            add rcx, r9
            adc r8, 0
            mov rdx, [rax + 8]
            mulx r9, r10, [rsi]
            mov [rsp - 8], rbx
            mulx r11, rbx, [rsi + 8]
            add r9, rbx
            mov rbx, [rsp - 8]
            adc r11, 0
            add rcx, r10
            mov [rdi + 8], rcx
            adc r8, r9
            mov [rdi + 16], r8
            adc r11, 0
            mov [rdi + 24], r11
            ret
    "#]],
    );
}

#[test]
fn a_sum_in_a_field() {
    program(
        &plan("2^127-1", Operation::ADD, "conditional-subtraction"),
        Features::BMI2,
        expect![[r#"
        add_conditional_subtraction(out, a, b) for baseline
          constants + 0: 0x7fffffffffffffff
            mov rcx, [rsi]
            add rcx, [rdx]
            mov r8, [rsi + 8]
            adc r8, [rdx + 8]
            mov r9, rcx
            sub r9, -1
            mov r10, r8
            sbb r10, [constants]
            cmovc r9, rcx
            cmovc r10, r8
            mov [rdi], r9
            mov [rdi + 8], r10
            ret
    "#]],
    );
}

/// Bytes come and go zero-extended.
#[test]
fn bytes() {
    let mut b = Builder::new("bytes", 64);
    let byte = Type::Word(8);
    let out = b.array("out", byte, 2, ArrayKind::Output, vec![byte.full()]);
    let x = b.array("x", byte, 2, ArrayKind::Input, vec![byte.full()]);
    let (low, high) = (b.load(x, 0u32), b.load(x, 1u32));
    let none = b.no_flag();
    let (s, c) = b.add_carry(low, high, none);
    let c = b.flag_to_word(c, byte);
    b.store(out, 0u32, s);
    b.store(out, 1u32, c);
    program(
        &b.finish(Contract::default()),
        Features::ADX,
        expect![[r#"
        bytes(out, x) for baseline
            movzx rcx, byte [rsi]
            movzx r8, byte [rsi + 1]
            add rcx, r8
            mov r8, rcx
            shr r8, 8
            and rcx, 0xff
            mov [rdi], cl
            mov [rdi + 1], r8b
            ret
    "#]],
    );
}

/// Two carries alive at once: the first one waits in a register; in strict mode there is no code.
fn crossing() -> Kernel {
    let mut b = Builder::new("crossing", 64);
    let out = b.output("out", 2, &[(1u128 << 64) as i128 - 1].map(Into::into));
    let x = b.input("x", 4, &[(1u128 << 64) as i128 - 1].map(Into::into));
    let v = b.load_all(x);
    let none = b.no_flag();
    let (s, f) = b.add_carry(v[0], v[1], none);
    let (t, g) = b.add_carry(v[2], s, none);
    let (u, h) = b.add_carry(t, v[3], f);
    let (w, _) = b.add_carry(u, s, g);
    let h = b.flag_to_word(h, Type::Word(64));
    let r = b.wrapping_add(w, h);
    b.store(out, 0u32, r);
    b.store(out, 1u32, w);
    b.finish(Contract::default())
}

#[test]
fn flags_that_wait() {
    program(
        &crossing(),
        Features::BMI2,
        expect![[r#"
        crossing(out, x) for baseline
            mov rcx, [rsi]
            add rcx, [rsi + 8]
            mov r8d, 0
            setc r8b
            mov r9, rcx
            add r9, [rsi + 16]
            mov r10d, 0
            setc r10b
            bt r8, 0
            adc r9, [rsi + 24]
            mov r8d, 0
            setc r8b
            bt r10, 0
            adc r9, rcx
            add r8, r9
            mov [rdi], r8
            mov [rdi + 8], r9
            ret
    "#]],
    );
    let graph = lower(&crossing()).unwrap_or_else(|e| panic!("{e}"));
    let schedule = Schedule::of_order(&graph, demand_order(&graph, resources(Features::BMI2.into())));
    let refused = Allocator::new(&graph, Features::BMI2).run(&schedule, true).map(|_| ()).map_err(|e| e.why);
    assert_eq!(refused, Err(Why::LiveFlag));
}

/// A chain in OF beside one in CF.
#[test]
fn two_flags_by_the_schedule() {
    let kernel = plan("int192", Operation::MUL, "operand-scanning-chains");
    let graph = lower(&kernel).unwrap_or_else(|e| panic!("{e}"));
    let mut schedule = Schedule::of_order(&graph, demand_order(&graph, resources(Features::ADX.into())));
    schedule.chains.iter_mut().skip(1).step_by(2).for_each(|c| *c = 1);
    let program = compile_kernel(&kernel, Features::ADX, Some(&schedule)).unwrap_or_else(|e| panic!("{e}"));
    assert!(program.to_string().contains("adox"));
    common::compare(&kernel, &program, &mut common::Rng(77), 50).unwrap_or_else(|e| panic!("{e}\n{program}"));
    schedule.order.swap(0, 1);
    schedule.order.reverse();
    assert_eq!(compile_kernel(&kernel, Features::ADX, Some(&schedule)), Err(CompileError::Schedule));
}

/// Orders of two chains side by side: no flag is lost, and each chain has one of its own.
#[test]
fn chains_side_by_side() {
    for (field, operation, algorithm) in [
        ("int192", Operation::MUL, "operand-scanning-two-pass"),
        ("int256", Operation::SQUARE, "operand-scanning-merge"),
        ("p256", Operation::MUL, "montgomery-cios-merge"),
    ] {
        let kernel = plan(field, operation, algorithm);
        let graph = lower(&kernel).unwrap_or_else(|e| panic!("{e}"));
        let mut allocator = Allocator::new(&graph, Features::ADX);
        let mut in_both = 0;
        let orders = candidates(&graph, resources(Features::ADX.into()));
        assert_eq!(orders.iter().filter(|order| !order.fits(&graph)).count(), 0);
        for schedule in &orders {
            let program = compile_kernel(&kernel, Features::ADX, Some(schedule)).unwrap_or_else(|e| panic!("{e}"));
            common::compare(&kernel, &program, &mut common::Rng(78), 50).unwrap_or_else(|e| panic!("{e}\n{program}"));
            let text = program.to_string();
            in_both += usize::from(
                allocator.run(schedule, true).is_ok() && text.contains("adcx") && text.matches("adox").count() > 5,
            );
        }
        assert!(in_both > 0, "{field} {algorithm}: {} orders", orders.len());
    }
}

/// A product with a power of two is one by shifts where the schedule says so.
#[test]
fn products_with_powers_of_two() {
    let kernel = plan("p256", Operation::MUL, "montgomery-cios-merge");
    let graph = lower(&kernel).unwrap_or_else(|e| panic!("{e}"));
    let count = |schedule: &Schedule, text: &str| {
        let program = compile_kernel(&kernel, Features::ADX, Some(schedule)).unwrap_or_else(|e| panic!("{e}"));
        program.to_string().matches(text).count()
    };
    let products = candidates(&graph, resources(Features::ADX.into()));
    let [least, most] = [0, 1].map(|i| {
        let all = products.iter().map(|schedule| [count(schedule, "mulx"), count(schedule, "shlx")]);
        if i == 0 { all.min() } else { all.max() }
    });
    let ([few, shifts], [many, none]) = (least.unwrap_or_default(), most.unwrap_or_default());
    assert_eq!((many - few, none), (shifts, 0));
    assert!(shifts >= 4, "{shifts}");
}

/// A shift through two words is a shift of each and their union where the core's table says that this is quicker.
#[test]
fn shifts_through_two_words() {
    let mut b = Builder::new("shifted", 64);
    let out = b.output("out", 4, &[(1u128 << 64) as i128 - 1].map(Into::into));
    let x = b.input("x", 5, &[(1u128 << 64) as i128 - 1].map(Into::into));
    let v = b.load_all(x);
    for (i, pair) in v.windows(2).enumerate() {
        let word = b.funnel_shift(pair[1], pair[0], 9u32);
        b.store(out, i as u32, word);
    }
    let kernel = b.finish(Contract::default());
    let graph = lower(&kernel).unwrap_or_else(|e| panic!("{e}"));
    for core in shipped().iter().filter(|core| core.architecture == "x86-64") {
        let is_slow = core.name.starts_with("Zen");
        let resources = resources(Aim::of_core(Features::ADX, core));
        for schedule in candidates(&graph, resources) {
            let program = compile_kernel(&kernel, Features::ADX, Some(&schedule)).unwrap_or_else(|e| panic!("{e}"));
            common::compare(&kernel, &program, &mut common::Rng(79), 50).unwrap_or_else(|e| panic!("{e}\n{program}"));
            let text = program.to_string();
            let [whole, unions] = ["d r", "or r"].map(|op| text.matches(op).count());
            assert_eq!([whole, unions], if is_slow { [0, 4] } else { [4, 0] }, "{}: {program}", core.name);
        }
    }
}

/// Differences have the first flag alone: their chains run by themselves, and no flag waits in a register.
#[test]
fn chains_of_differences_run_alone() {
    let mut b = Builder::new("less_one", 64);
    let full = [(1u128 << 64) as i128 - 1].map(Into::into);
    let out = b.output("out", 4, &full);
    let [x, y] = ["x", "y"].map(|name| b.input(name, 4, &full));
    let (x, y, one) = (b.load_all(x), b.load_all(y), b.word_constant(1));
    let (mut carry, mut borrow) = (b.no_flag(), b.no_flag());
    for i in 0..4 {
        let (sum, next) = b.add_carry(x[i], y[i], carry);
        let (difference, below) = b.sub_borrow(sum, one, borrow);
        b.store(out, i as u32, difference);
        (carry, borrow) = (next, below);
    }
    let kernel = b.finish(Contract::default());
    let graph = lower(&kernel).unwrap_or_else(|e| panic!("{e}"));
    let own = Schedule::of_order(&graph, (0..graph.nodes.len() as u32).collect());
    let waits = |schedule: &Schedule| {
        let program = compile_kernel(&kernel, Features::ADX, Some(schedule)).unwrap_or_else(|e| panic!("{e}"));
        common::compare(&kernel, &program, &mut common::Rng(80), 50).unwrap_or_else(|e| panic!("{e}\n{program}"));
        program.to_string().contains("bt r")
    };
    let orders = candidates(&graph, resources(Features::ADX.into()));
    assert!(waits(&own));
    assert_eq!(orders.iter().filter(|order| waits(order)).count(), 1, "the kernel's own order");
}

/// Random schedules of random kernels: what is not refused is right, and what the strict mode gives is what the other
/// gives.
#[test]
fn random_schedules() {
    let mut rng = common::Rng(0xfeed_5eed);
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..300 {
        let kernel = common::random::kernel(&mut rng, 30);
        let graph = lower(&kernel).unwrap_or_else(|e| panic!("{e}"));
        let mut allocator = Allocator::new(&graph, Features::ADX);
        let mut schedule = Schedule::of_order(&graph, demand_order(&graph, resources(Features::ADX.into())));
        for _ in 0..10 {
            for _ in 0..8 {
                if schedule.order.len() > 1 {
                    let i = rng.below(schedule.order.len() as u64 - 1) as usize;
                    schedule.order.swap(i, i + 1);
                    if !graph.is_order(&schedule.order) {
                        schedule.order.swap(i, i + 1);
                    }
                }
            }
            schedule.chains.iter_mut().for_each(|c| *c = rng.below(4) as u8);
            schedule.swaps.iter_mut().for_each(|s| *s = rng.below(2) as u8);
            let program = compile_kernel(&kernel, Features::ADX, Some(&schedule)).unwrap_or_else(|e| panic!("{e}"));
            common::compare(&kernel, &program, &mut rng, 6).unwrap_or_else(|e| panic!("{e}\n{kernel}\n{program}"));
            match allocator.run(&schedule, true) {
                Ok(strict) => {
                    assert_eq!(strict.code, program.code);
                    accepted += 1;
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(accepted > 100 && refused > 100, "{accepted} accepted, {refused} refused");
}

fn c_modulo(c: Counter) -> Index {
    Index::counter(c).modulo()
}

#[test]
fn what_has_no_form() {
    let mut b = Builder::new("floats", 64);
    let out = b.array("out", Type::Float(53), 1, ArrayKind::Output, vec![Interval::new(0, 1)]);
    let x = b.array("x", Type::Float(53), 1, ArrayKind::Input, vec![Interval::new(0, 1)]);
    let v = b.load(x, 0u32);
    b.store(out, 0u32, v);
    let refused = lower(&b.finish(Contract::default())).map(|_| ()).map_err(|e| e.to_string());
    assert_eq!(refused, Err("machine code has no form for the floating-point array out".into()));
    let long = plan("bls12-381-fp", Operation::INVERSE, "addition-chain");
    assert_eq!(lower(&long).map(|_| ()), Err(LowerError::Rolled));
    let mut b = Builder::new("around", 64);
    let out = b.array("out", Type::Word(64), 7, ArrayKind::InOut, vec![Type::Word(64).full()]);
    b.repeat(70_000, &[], |b, c, _| {
        let v = b.load(out, c_modulo(c));
        b.store(out, c_modulo(c), v);
        Vec::new()
    });
    assert_eq!(lower(&b.finish(Contract::default())).map(|_| ()), Err(LowerError::TooLong { most: 1 << 16 }));
}

#[test]
fn the_table() {
    expect![[r#"
        name     timing      needs
        mov      independent baseline
        movzx    independent baseline
        lea      independent baseline
        add      independent baseline
        adc      independent baseline
        sub      independent baseline
        sbb      independent baseline
        adcx     independent adx
        adox     independent adx
        neg      independent baseline
        and      independent baseline
        or       independent baseline
        xor      independent baseline
        not      independent baseline
        andn     independent bmi2
        cmp      independent baseline
        test     independent baseline
        bt       independent baseline
        imul     independent baseline
        mul      independent baseline
        mulx     independent bmi2
        shl      independent baseline
        shr      independent baseline
        sar      independent baseline
        rol      independent baseline
        shld     independent baseline
        shrd     independent baseline
        rorx     independent bmi2
        shlx     independent bmi2
        shrx     independent bmi2
        setc     independent baseline
        cmovc    independent baseline
        clc      no operand  baseline
        stc      no operand  baseline
        push     independent baseline
        pop      independent baseline
        jmp      control     baseline
        jnz      control     baseline
        call     control     baseline
        ret      control     baseline
        endbr64  control     baseline
    "#]]
    .assert_eq(&table::listing());
}
