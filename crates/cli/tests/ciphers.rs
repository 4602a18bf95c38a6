//! Ciphers and hash functions at the command line: answers, what is refused, packages.

use crate::common::{Place, documented};
use expect_test::{Expect, expect};

const ZEROS: &str = "00000000000000000000000000000000";
const COUNTING: &str = "000102030405060708090a0b0c0d0e0f";

#[test]
fn answers() {
    let place = Place::new();
    let cases: &[(&str, &[&str], &str, bool)] = &[
        ("cipher:dfc", &["encrypt", ZEROS, COUNTING], "630420709e777ff6cb1c65231362c5e3", true),
        ("cipher:dfc", &["decrypt", ZEROS, "630420709e777ff6cb1c65231362c5e3"], COUNTING, true),
        ("cipher:dfc", &["encrypt", &"00".repeat(32), COUNTING], "10fdbad10fa262f64147a00f4306b11c", true),
        (
            "cipher:dfcv2",
            &["encrypt", "86d1bf275b9b241deb64749a47dfdfb96632c3eb061b6472bbf84c26144e49c2", ZEROS],
            "1ba5af95aba096ed5b6c97502fe7efa2",
            true,
        ),
        (
            "cipher:wg",
            &["keystream", "0053a6f94c9ff24598eb3e91e4378add", "0d74db42a91077de", "0x10"],
            "338c07932629f88fee56a9440b55fbf6",
            true,
        ),
        ("cipher:wg", &["keystream", "0053a6f94c9ff24598eb", "0d74db42a91077de45ac", "4"], "360ba6a3", true),
        ("cipher:wg", &["keystream", "0053a6f94c9ff24598eb", "0d74db42a91077de45ac", "0"], "", true),
        ("cipher:wg", &["mul", "80000000", "40000000"], "80000400", false),
        ("mac:mmh32", &["hash", "222222260000000e", "8000000000000001"], "00000000", true),
        ("mac:mmh32", &["hash-wrapping", "222222260000000e", "8000000000000001"], "00000000", true),
        ("mac:mmh32", &["hash", "", ""], "00000000", true),
        // Longer than a kernel takes: piece by piece; signed words by the reference alone.
        ("mac:mmh16", &["hash", &"ffff".repeat(33), &"ffff".repeat(33)], "0084", true),
        ("mac:mmh16", &["hash-signed", &"ffff".repeat(33), &"ffff".repeat(33)], "0021", false),
        // -1 times -1, and -1 times 1, which is p - 1.
        ("mac:mmh32", &["hash-signed", "ffffffff", "ffffffff"], "00000001", true),
        ("mac:mmh32", &["hash_wrapping_signed", "ffffffff", "00000001"], "0000000e", true),
        ("mac:tmmh16", &["tag", "0123456789abcdeffedc", "cafebabebade", "2"], "9d6a", true),
        ("mac:tmmh16", &["tag", "0123456789abcdeffedc", "cafeba", "2"], "c88e", true),
        ("mac:tmmh16", &["tag", "0123456789abcdeffedc", "", "10"], "00000000000000000000", true),
        ("mac:tmmh16", &["tag", &"0001".repeat(42), "0001", "18"], "000300030003000300030003000300030003", false),
        ("mac:tmmh16", &["tag_word", "0123456789abcdeffedc", "cafebabebade"], "9d6a", true),
        ("mac:tmmh16", &["tag-word", "0123456789abcdeffedc", "cafeba"], "c88e", true),
        ("mac:square-hash-8", &["hash", "e2", "70"], "88", true),
        ("mac:square-hash-8", &["wrapping", "e2", "70"], "2a", true),
    ];
    for (field, operands, right, kernel) in cases {
        let arguments = [&["eval", field], *operands, &["--json"]].concat();
        let json = place.run(&arguments).ended(0).json();
        documented(&json);
        assert_eq!(json["reference"], *right, "{arguments:?}");
        assert_eq!(json["kernel"].as_str(), kernel.then_some(*right), "{arguments:?}");
    }
}

/// Messages of more words than a kernel takes, by the kernels that take pieces, exact and wrapping, with a word added.
#[test]
fn long_messages() {
    let place = Place::new();
    // Long runs of ones, and bytes that are all different.
    let string = |bytes: usize, from: usize| -> String {
        let byte = |i: usize| if (i / 40).is_multiple_of(3) { 0xff } else { (i * 89 + from) % 251 };
        (0..bytes).map(|i| format!("{:02x}", byte(i))).collect()
    };
    let cases: [(&str, usize, &[&str]); 5] = [
        ("mac:mmh16", 2, &["hash", "hash-wrapping"]),
        ("mac:mmh32", 4, &["hash", "hash-wrapping"]),
        ("mac:mmh64", 8, &["hash", "hash-wrapping"]),
        ("mac:square-hash-32", 4, &["hash", "wrapping", "hash-plus", "wrapping-plus"]),
        ("mac:square-hash-8", 1, &["hash", "wrapping"]),
    ];
    for (field, bytes, operations) in cases {
        for operation in operations {
            for words in [33, 64, 65, 150] {
                let mut operands = vec![string(words * bytes, 1), string(words * bytes, 200)];
                if operation.ends_with("plus") {
                    operands.push("00000005".into());
                }
                let operands: Vec<&str> = operands.iter().map(String::as_str).collect();
                let arguments = [&["eval", field, operation], &operands[..], &["--json"]].concat();
                let json = place.run(&arguments).ended(0).json();
                documented(&json);
                assert!(
                    json["kernel"].is_string() && json["kernel"] == json["reference"],
                    "{field} {operation}: {json}"
                );
                assert!(json["plan"].as_str().is_some_and(|plan| plan.contains(" for each 32 words, then ")), "{json}");
            }
        }
    }
}

#[track_caller]
fn refused(arguments: &[&str], expected: Expect) {
    expected.assert_eq(&Place::new().run(arguments).ended(2).err);
}

#[test]
fn what_is_refused() {
    refused(
        &["eval", "cipher:dfc", "encrypt", &"00".repeat(33), ZEROS],
        expect![[r#"
        error: a key of 264 bits is not possible
          | 000000000000000000000000000000000000000000000000000000000000000000
          | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        help: a key has 0 to 256 bits
    "#]],
    );
    refused(
        &["eval", "cipher:dfc", "encrypt", "", "00"],
        expect![[r#"
        error: a block of 8 bits is not possible
          | 00
          | ^^
        help: a block has 128 bits, which are 32 hexadecimal digits
    "#]],
    );
    refused(
        &["eval", "cipher:dfc", "encrypt", "0g", ZEROS],
        expect![[r#"
        error: “g” is no hexadecimal digit
          | 0g
          |  ^
        help: write hexadecimal digits: 0 to 256 bits
    "#]],
    );
    refused(
        &["eval", "cipher:dfc", "encrypt", ZEROS],
        expect![[r#"
        error: `encrypt` takes 2 operands (key, block), and got 1 text
        help: a string is hexadecimal digits, and "" where it has none
    "#]],
    );
    refused(
        &["eval", "cipher:dfc", "encipher", ZEROS, ZEROS],
        expect![[r#"
            error: there is no operation on numbers `encipher`
            help: cipher:dfc has encrypt (key, block), decrypt (key, block), expand_key (key), encrypt_block (round_keys, block), decrypt_block (round_keys, block), encrypt_blocks (round_keys, blocks), decrypt_blocks (round_keys, blocks), round (a, x, b)
        "#]],
    );
    refused(
        &["eval", "cipher:wg", "keystream", &"00".repeat(10), &"00".repeat(12), "1"],
        expect![[r#"
        error: an initial value of 96 bits does not go with a key of 80
        help: write one of 80 bits, or of 32 or 64
    "#]],
    );
    refused(
        &["eval", "cipher:wg", "keystream", &"00".repeat(11), &"00".repeat(4), "1"],
        expect![[r#"
        error: a key of 88 bits is not possible
          | 0000000000000000000000
          | ^^^^^^^^^^^^^^^^^^^^^^
        help: a key has 80, 96, 112, 128 bits
    "#]],
    );
    refused(
        &["eval", "cipher:wg", "keystream", &"00".repeat(10), &"00".repeat(4), "4398046511105"],
        expect![[r#"
        error: 4398046511105 bytes of keystream are too many: a key with an initial value gives at most 2^45 bits
          | 4398046511105
          | ^^^^^^^^^^^^^
        help: write at most 4398046511104
    "#]],
    );
    refused(
        &["eval", "cipher:wg", "keystream", &"00".repeat(10), &"00".repeat(4), "1048577"],
        expect![[r#"
        error: 1048577 bytes of keystream are more than the reference gives at once
          | 1048577
          | ^^^^^^^
        help: write at most 1048576
    "#]],
    );
    refused(
        &["eval", "mac:mmh32", "hash", "00000001", "0000000100000002"],
        expect![[r#"
        error: a key of 32 bits does not go with a message of 64: there is a word of the key for each of the message
        help: write as many of both
    "#]],
    );
    refused(
        &["eval", "mac:mmh32", "hash", "00000001", "000001"],
        expect![[r#"
        error: a message of 24 bits is not possible
          | 000001
          | ^^^^^^
        help: a message has a multiple of 32 bits
    "#]],
    );
    refused(
        &["eval", "mac:tmmh16", "tag", "0123", "cafe", "2"],
        expect![[r#"
        error: the key has 1 words, and this message and tag need 2
        help: write 2 words of 16 bits or more
    "#]],
    );
    refused(
        &["eval", "mac:mmh16", "hash", &"00".repeat(66), &"00".repeat(66), "--layout", "1x64"],
        expect![[r#"
        error: kernels of `hash` take messages of at most 32 words
        help: leave --layout and --plan out: the reference answers
    "#]],
    );
    refused(
        &["eval", "cipher:aes", "encrypt", ZEROS, ZEROS],
        expect![[r#"
        error: there is no cipher called “aes”
          | cipher:aes
          |        ^^^
        help: there are cipher:dfc, cipher:dfcv2, cipher:wg
    "#]],
    );
    refused(
        &["eval", "mac:tmmh16", "tag_word", "012345", "cafe"],
        expect![[r#"
        error: a key of 24 bits is not possible
          | 012345
          | ^^^^^^
        help: a key has a multiple of 16 bits
    "#]],
    );
    refused(
        &["eval", "mac:tmmh16", "tag_word", "0123", "cafe"],
        expect![[r#"
        error: the key has 1 words, and this message and tag need 2
        help: write 2 words of 16 bits or more
    "#]],
    );
}

/// Functions on buffers stand in C beside kernels that they call, with words of 64 and of 32 bits, in a file, a header,
/// beside machine code and in C89. (Packages' own tests compare them with the reference.)
#[test]
fn buffers() {
    let place = Place::new();
    let cases: &[(&[&str], &str, bool)] = &[
        (&["--lang", "c"], "cipher_dfc.c", true),
        (&["--lang", "c", "--layout", "3x32"], "cipher_dfc.c", true),
        (&["--lang", "c", "--header-only"], "cipher_dfc.h", true),
        (&["--lang", "asm"], "cipher_dfc.c", true),
        (&["--lang", "c", "--ops", "encrypt_block,expand_key"], "cipher_dfc.c", false),
        (&["--lang", "c89"], "cipher_dfc.c", true),
        (&["--lang", "c89", "--ops", "encrypt_block,expand_key"], "cipher_dfc.c", false),
    ];
    for (i, (options, file, there)) in cases.iter().enumerate() {
        let folder = format!("buffers-{i}");
        place.run(&[&["emit", "cipher:dfc", "-o", &folder], *options].concat()).ok();
        let text = std::fs::read_to_string(place.path(&folder).join(file)).expect("a file of the package");
        for name in ["set_key", "ecb_encrypt", "ecb_decrypt", "ctr"] {
            assert_eq!(text.contains(&format!("cipher_dfc_{name}(")), *there, "{options:?}: {name}");
        }
        if *there {
            // NIST's first value of `ecb_tbl` is the first block of the first answer.
            let test = std::fs::read_to_string(place.path(&folder).join("test.c")).expect("a test");
            assert!(
                test.contains("buffer_ecb_0[] = {0x63, 0x04, 0x20, 0x70, 0x9e, 0x77, 0x7f, 0xf6, 0xcb, 0x1c, 0x65")
            );
        }
        if *there && evariste::Compiler::find().is_ok() {
            place.run(&["check", &folder]).ok();
        }
    }
}

/// Programs that a check needs; without one it is counted as left out.
fn has(what: &str, tools: &[&str]) -> bool {
    let there = |tool: &&str| std::process::Command::new(tool).arg("--version").output().is_ok();
    let lacking = tools.iter().find(|tool| !there(tool));
    lacking.inspect(|tool| evariste_testing::lacks_tool(what, tool)).is_none()
}

/// Block ciphers on buffers and keystreams on bytes in other languages than C: each has its functions, and its package's own
/// test compares them with the reference.
#[test]
fn buffers_in_every_language() {
    let place = Place::new();
    type Case =
        (&'static str, &'static str, &'static str, &'static str, &'static [&'static str], &'static [&'static str]);
    let cases: &[Case] = &[
        ("cipher:dfc", "2x64", "rust", "lib.rs", &["fn cipher_dfc_set_key(", "fn cipher_dfc_ctr("], &["cargo"]),
        ("cipher:dfc", "2x64", "go", "buffers.go", &["func SetKey(", "func EcbDecrypt(", "func Ctr("], &["go"]),
        ("cipher:dfc", "2x64", "java", "Cipher_dfc.java", &["cipher_dfc_set_key(", "cipher_dfc_ctr("], &["javac"]),
        ("cipher:dfc", "3x32", "wasm", "cipher_dfc.mjs", &["ecbEncrypt:", "ctr("], &["clang", "wasm-ld", "node"]),
        ("cipher:dfc", "3x32", "c89", "cipher_dfc.c", &["int cipher_dfc_set_key(", "int cipher_dfc_ctr("], &["cc"]),
        ("cipher:wg", "1x32", "c89", "cipher_wg.c", &["int cipher_wg_start(", "given[1]", "high == 1024"], &["cc"]),
        ("mac:mmh32", "2x32", "c89", "mac_mmh32.c", &["int mac_mmh32_init(", "int mac_mmh32_update("], &["cc"]),
        ("mac:square-hash-8-5", "1x32", "c89", "mac_square_hash_8_5.h", &["unsigned char left["], &["cc"]),
        ("cipher:wg", "1x64", "c", "cipher_wg.c", &["int cipher_wg_start(", "CIPHER_WG_TOO_LONG"], &["cc"]),
        ("cipher:wg", "1x64", "rust", "lib.rs", &["pub struct Stream", "TooLong"], &["cargo"]),
        ("cipher:wg", "1x64", "go", "stream.go", &["func NewStream(", "ErrTooLong"], &["go"]),
        ("cipher:wg", "1x32", "java", "Cipher_wg.java", &["class Stream", "2^45 bits"], &["javac"]),
        ("cipher:wg", "1x32", "wasm", "cipher_wg.mjs", &["countAsGiven", "2^45 bits"], &["clang", "wasm-ld", "node"]),
        ("mac:mmh32", "1x64", "c", "mac_mmh32.c", &["int mac_mmh32_init(", "int mac_mmh32_init_wrapping("], &["cc"]),
        ("mac:mmh64", "2x64", "rust", "lib.rs", &["pub struct Message<", "fn new_wrapping("], &["cargo"]),
        ("mac:mmh32", "1x64", "go", "message.go", &["func NewMessage(", "func NewMessageWrapping("], &["go"]),
        (
            "mac:square-hash-8-5",
            "1x64",
            "java",
            "Mac_square_hash_8_5.java",
            &["class Message", "beginWrapping("],
            &["javac"],
        ),
        (
            "mac:mmh64",
            "3x32",
            "wasm",
            "mac_mmh64.mjs",
            &["pieceBits: 32", "beginWrapping"],
            &["clang", "wasm-ld", "node"],
        ),
    ];
    for (field, layout, language, file, names, tools) in cases {
        let folder = format!("{}-{language}", field.replace(':', "-"));
        place.run(&["emit", field, "--layout", layout, "--lang", language, "-o", &folder]).ok();
        let text = std::fs::read_to_string(place.path(&folder).join(file)).expect("a file of the package");
        names.iter().for_each(|name| assert!(text.contains(name), "{field} in {language}: {name}"));
        if has(&format!("{field} on bytes in {language}"), tools) {
            place.run(&["check", &folder]).ok();
        }
    }
}

/// Packages of ciphers build without a warning and pass their vectors.
#[test]
fn packages() {
    if evariste::Compiler::find().is_err() {
        evariste_testing::lacks_tool("packages of ciphers", "a C compiler");
        return;
    }
    let place = Place::new();
    for (field, language, operations) in [
        ("cipher:dfc", "c", ""),
        ("cipher:dfcv2", "c", "expand_key,encrypt_block,decrypt_block"),
        ("cipher:dfc", "c89", "encrypt_block,expand_key"),
        ("cipher:dfc", "asm", "encrypt_block,decrypt_block,expand_key"),
        ("cipher:wg", "c", "transformation"),
        ("mac:mmh32", "c", "hash,hash_wrapping"),
        ("mac:tmmh16", "c", ""),
        ("mac:tmmh16", "asm", "tag_word"),
        ("mac:square-hash-32", "asm", "hash,wrapping"),
    ] {
        let folder = format!("{}-{language}", field.replace(':', "-"));
        let mut arguments = vec!["emit", field, "--lang", language, "-o", &folder];
        if !operations.is_empty() {
            arguments.extend(["--ops", operations]);
        }
        place.run(&arguments).ok();
        place.run(&["check", &folder]).ok();
    }
}

/// The words of a vector, as bytes of C.
fn bytes_of(words: &serde_json::Value, bits: u64) -> (String, usize) {
    let digits = (bits / 4) as usize;
    let word = |word: &serde_json::Value| format!("{:0>digits$}", word.as_str().expect("a word"));
    let text: String = words.as_array().expect("words").iter().map(word).collect();
    let bytes: Vec<String> = (0..text.len() / 2).map(|i| format!("0x{}", &text[2 * i..2 * i + 2])).collect();
    (format!("(const uint8_t[]){{{}}}", bytes.join(", ")), bytes.len())
}

/// The shared vectors by the functions on messages of C, in two parts at every byte.
#[test]
fn vectors_of_messages() {
    if !has("vectors of hash functions on messages", &["cc"]) {
        return;
    }
    let place = Place::new();
    let all: Vec<serde_json::Value> =
        [include_str!("../../../vectors/mmh.json"), include_str!("../../../vectors/squarehash.json")]
            .iter()
            .flat_map(|text| {
                serde_json::from_str::<serde_json::Value>(text).expect("JSON")["vectors"].as_array().cloned()
            })
            .flatten()
            .collect();
    for (field, bits, result) in [
        ("mac:mmh16", 16, None),
        ("mac:mmh32", 32, None),
        ("mac:mmh64", 64, None),
        ("mac:square-hash-64", 64, Some(64)),
    ] {
        let (key, exact, wrapping) =
            if result.is_some() { ("k", "exact_add", "wrap_add") } else { ("x", "exact_unsigned", "wrap_unsigned") };
        let prefix = field.replace([':', '-'], "_");
        let (mut calls, mut count) = (String::new(), 0);
        for vector in all.iter().filter(|v| v["word_bits"] == bits && v["out_bits"].as_u64() == result) {
            let (key, key_bytes) = bytes_of(&vector["inputs"][key], bits);
            let (text, bytes) = bytes_of(&vector["inputs"]["m"], bits);
            for (init, output) in [("init", exact), ("init_wrapping", wrapping)] {
                let hash = bytes_of(&serde_json::json!([vector["outputs"][output]]), bits).0;
                calls += &format!("  test({prefix}_{init}, {key}, {key_bytes}, {text}, {bytes}, {hash});\n");
                count += 1;
            }
        }
        assert!(count > 10, "{field}: {count}");
        place.run(&["emit", field, "--lang", "c", "-o", field]).ok();
        let upper = prefix.to_uppercase();
        let program = format!(
            "#include \"{prefix}.h\"
#include <stdio.h>
#include <string.h>
static unsigned hashes;
static void test(int (*init)({prefix}_message *, const uint8_t *, size_t), const uint8_t *key, size_t key_bytes, const uint8_t *text, size_t bytes, const uint8_t *hash) {{
  {prefix}_message state;
  uint8_t out[{}];
  for (size_t at = 0; at <= bytes; at++) {{
    int codes = init(&state, key, key_bytes) | {prefix}_update(&state, text, at);
    codes |= {prefix}_update(&state, text + at, bytes - at) | {prefix}_final(&state, out);
    if (codes != {upper}_DONE || memcmp(out, hash, sizeof out) != 0) return;
  }}
  hashes++;
}}
int main(void) {{
{calls}  printf(\"%u\\n\", hashes);
  return 0;
}}
",
            bits / 8
        );
        let folder = place.path(field);
        std::fs::write(folder.join("vectors.c"), program).expect("a program");
        let source = format!("{prefix}.c");
        let built = std::process::Command::new("cc")
            .args(["-std=c99", "-O1", "-o", "vectors", "vectors.c", &source])
            .current_dir(&folder)
            .status();
        assert!(built.expect("cc").success(), "{field}");
        let out = std::process::Command::new(folder.join("vectors")).output().expect("a run");
        assert_eq!(String::from_utf8_lossy(&out.stdout).trim(), count.to_string(), "{field}");
    }
}
