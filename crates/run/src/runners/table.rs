//! The runners: a line each.

use super::{By, Runner};

const ARM: &str = "gcc-arm-linux-gnueabi libc6-dev-armel-cross qemu-user";

/// All of them. Big-endian ones are here to find what depends on the order of bytes.
#[rustfmt::skip] // A line each.
pub const RUNNERS: &[Runner] = &[
    Runner { name: "x86-32", about: "x86 of 32 bits (Pentium Pro and later)", compiler: "gcc -m32", flags: &["-march=i686"], wide: false, by: By::Qemu("qemu-i386", &[]), packages: "gcc-12-multilib libc6-dev-i386 qemu-user", remark: None },
    Runner { name: "armv4t", about: "ARM v4T, products of 64 bits, no UMAAL", compiler: "arm-linux-gnueabi-gcc", flags: &["-march=armv4t", "-marm"], wide: false, by: By::Qemu("qemu-arm", &[]), packages: ARM, remark: None },
    Runner { name: "armv6-umaal", about: "ARM v6 (ARM1136) with UMAAL", compiler: "arm-linux-gnueabi-gcc", flags: &["-mcpu=arm1136j-s", "-marm"], wide: false, by: By::Qemu("qemu-arm", &["-cpu", "arm1136"]), packages: ARM, remark: None },
    Runner { name: "armv6", about: "ARM v6 (ARM1136), UMAAL left out", compiler: "arm-linux-gnueabi-gcc", flags: &["-mcpu=arm1136j-s", "-marm", "-DEVARISTE_PORTABLE"], wide: false, by: By::Qemu("qemu-arm", &["-cpu", "arm1136"]), packages: ARM, remark: None },
    Runner { name: "armv7", about: "ARM v7-A (Cortex-A7) with UMAAL, Thumb-2", compiler: "arm-linux-gnueabihf-gcc", flags: &["-mcpu=cortex-a7", "-mthumb"], wide: false, by: By::Qemu("qemu-arm", &["-cpu", "cortex-a7"]), packages: "gcc-arm-linux-gnueabihf libc6-dev-armhf-cross qemu-user", remark: None },
    Runner { name: "aarch64", about: "AArch64", compiler: "aarch64-linux-gnu-gcc", flags: &[], wide: true, by: By::Qemu("qemu-aarch64", &[]), packages: "gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user", remark: None },
    Runner { name: "riscv64", about: "RISC-V, 64 bits (rv64gc)", compiler: "riscv64-linux-gnu-gcc", flags: &[], wide: true, by: By::Qemu("qemu-riscv64", &[]), packages: "gcc-riscv64-linux-gnu libc6-dev-riscv64-cross qemu-user", remark: None },
    Runner { name: "s390x", about: "s390x (z/Architecture), 64 bits, big-endian", compiler: "s390x-linux-gnu-gcc", flags: &[], wide: true, by: By::Qemu("qemu-s390x", &[]), packages: "gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user", remark: None },
    Runner { name: "powerpc", about: "PowerPC, 32 bits, big-endian", compiler: "powerpc-linux-gnu-gcc", flags: &[], wide: false, by: By::Qemu("qemu-ppc", &[]), packages: "gcc-powerpc-linux-gnu libc6-dev-powerpc-cross qemu-user", remark: None },
    Runner { name: "atmega128", about: "AVR (ATmega128), 8 bits", compiler: "avr-gcc", flags: &["-mmcu=atmega128", "-fno-strict-aliasing"], wide: false, by: By::Simavr, packages: "gcc-avr avr-libc simavr libsimavr-dev libelf-dev", remark: Some("static data lies in external memory, of which the simulator counts no wait states") },
    Runner { name: "arm7tdmi", about: "ARM7TDMI, memory without wait states", compiler: "arm-linux-gnueabi-gcc", flags: &["-mcpu=arm7tdmi", "-marm"], wide: false, by: By::Mgba, packages: "gcc-arm-linux-gnueabi libc6-dev-armel-cross libmgba-dev", remark: Some("MUL and UMULL end early there, by the upper bytes of an operand (UMULL takes 3 to 6 cycles): products are not constant-time on this processor, and a count is of its operands") },
];
