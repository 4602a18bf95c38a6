//! Pruning and counting: text in, text out; a pruned kernel computes the same.

use evariste_ir::count::{Counts, count};
use evariste_ir::prune::prune;
use evariste_ir::{Interpreter, Kernel, verify};
use expect_test::expect;
use num_bigint::BigInt;

const SAMPLE: &str = "
kernel @0 parts: word 8 {
    output lo: 1 x w8
    ghost hi: 1 x w8
    input v: 2 x w8
    %0: w8 = v[0]
    %1: w8 = v[1]
    %2: w8, %3: w8 = mul_wide %0, %1
    lo[0] = %2
    hi[0] = %3
}
kernel @1 unused: word 8 {
    output out: 1 x w8
    %0: w8 [1] = const(1)
    out[0] = %0
}
kernel sample: word 8 {
    table never: 1 x w8 [1] = (1)
    output r: 3 x w8
    ghost g: 2 x w8
    input a: 2 x w8
    table order: 2 x w8 <2^1 = (1, 0)
    local dead: 2 x w8
    local hi: 1 x w8
    local t: 2 x w8
    local s: 1 x w8
    disjoint r a
    disjoint g a
    callees @1 @0

    given a <= (2^16-1) = a[0..2] * 2^0 step 8 max 255
    gives r <= (2^24-1) = r[0] * 2^0 max 255 + g[0] * 2^8 max 255: value 1 it = a
    gives s <= 255 = r[1] * 2^0 max 255 + g[1] * 2^8 max 255: value 3 it = a mod 7
    gives u <= 255 = g[1] * 2^8 max 255: value 3 it = a mod 7
    gives v <= 255 = r[2] * 2^0 max 255: value 3 it = a mod 7

    %0: w8 [0] = const(0)
    %1: w8 [0] = const(0)
    for i0 in 0..2 {
        dead[i0] = %0
        g[i0] = %1
    }
    for i1 in 0..2 {
        %2: w8 = a[order[i1]]
        t[i1] = %2
    }
    call 1 parts(r, hi, t)
    call 0 unused(s)
    %8: w8, %9: w8 = for i2 in 0..3 carry %3: w8 = %0, %4: w8 = %0 {
        %5: w8 = a[1]
        %6: w8 = wrapping_add %3, %5
        %7: w8 = xor %4, %5
        yield %6, %7
    }
    %10: w8 = t[1]
    %11: w8 = not %10
    r[1] = %8
    %12: w8 = t[0]
    r[2] = %12
    g[1] = %9
}
";

#[test]
fn ghosts_and_dead_code_go() {
    let kernel = Kernel::parse(SAMPLE).unwrap();
    assert_eq!(verify(&kernel), Ok(()));
    let small = prune(&kernel);
    assert_eq!(verify(&small), Ok(()));
    assert_eq!(prune(&small), small);
    expect![[r#"
        kernel @0 parts: word 8 {
            output lo: 1 x w8
            input v: 2 x w8

            %0: w8 = v[0]
            %1: w8 = v[1]
            %2: w8, %3: w8 = mul_wide %0, %1
            lo[0] = %2
        }

        kernel sample: word 8 {
            output r: 3 x w8
            input a: 2 x w8
            table order: 2 x w8 <2^1 = (1, 0)
            local t: 2 x w8
            disjoint r a
            callees @0

            given a <= (2^16-1) = a[0..2] * 2^0 step 8 max 255
            gives r <= 255 = r[0] * 2^0 max 255: value 1 it = a mod 256
            gives s <= 255 = r[1] * 2^0 max 255: value 3 it = a mod 7
            gives v <= 255 = r[2] * 2^0 max 255: value 3 it = a mod 7

            %0: w8 [0] = const(0)
            for i0 in 0..2 {
                %1: w8 = a[order[i0]]
                t[i0] = %1
            }
            call 0 parts(r, t)
            %5: w8 = for i1 in 0..3 carry %2: w8 = %0 {
                %3: w8 = a[1]
                %4: w8 = wrapping_add %2, %3
                yield %4
            }
            r[1] = %5
            %6: w8 = t[0]
            r[2] = %6
        }
    "#]]
    .assert_eq(&small.to_string());
    for (x, y) in [(0u32, 0u32), (255, 255), (7, 201)] {
        let inputs = [("a", vec![BigInt::from(x), BigInt::from(y)])];
        let (all, few) =
            (Interpreter::new(&kernel).run_one(&inputs).unwrap(), Interpreter::new(&small).run_one(&inputs).unwrap());
        assert_eq!(all[0], few[0]);
        assert_eq!(few[0].1, [x * y % 256, 3 * y % 256, y].map(BigInt::from));
    }
}

#[test]
fn operations_are_counted_by_class() {
    let kernel = Kernel::parse(SAMPLE).unwrap();
    let expected = Counts {
        multiplications: 1,
        additions: 3,
        logic: 4,
        constants: 3,
        loads: 2 + 3 + 2 + 2,
        stores: 4 + 2 + 2 + 3 + 1,
        calls: 2,
        ..Counts::default()
    };
    assert_eq!(count(&kernel), expected);
    let one_of_each = "kernel k: word 8 { input a: 2 x w8 table t: 1 x w8 [1] = (1) %0: w8 = a[0] %1: d16 = mul_full %0, %0 %2: d16 = wrapping_add %1, %1 \
        %3: w8, %4: w8 = mul_add_add %0, %0, %0, %0 %5: w8 = madd_lo(4) %0, %0, %0 %6: w8, %7: w8 = split %1 %8: m8 = less %0, %0 %9: w8 = select %8, %0, %0 \
        %10: w8 = shr(1) %0 %11: w8 = lookup(t) %0 %12: w8 = low_bits(3) %0 }";
    let expected = Counts {
        multiplications: 3,
        additions: 3,
        wide_additions: 1,
        logic: 2,
        shifts: 1,
        selects: 1,
        moves: 1,
        lookups: 1,
        loads: 1,
        ..Counts::default()
    };
    assert_eq!(count(&Kernel::parse(one_of_each).unwrap()), expected);
    // Counts of nested loops and calls saturate.
    let deep = "kernel k: word 8 { for i0 in 0..4294967295 { for i1 in 0..4294967295 { for i2 in 0..4294967295 { %0: w8 [1] = const(1) } } } }";
    assert_eq!(count(&Kernel::parse(deep).unwrap()).constants, u64::MAX);
}
