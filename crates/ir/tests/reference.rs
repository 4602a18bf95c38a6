//! The tables of docs/reference/kernel-language.md are made of the code; `BLESS=1` (`cargo xtask bless`) writes them anew.

/// The variants of an enumeration in a source text, with what their doc comments say.
fn variants(source: &str, name: &str) -> Vec<(String, String)> {
    let start = source.find(&format!("pub enum {name} {{")).expect(name);
    let body = &source[start..];
    let body = &body[..body.find("\n}\n").expect("its end")];
    let (mut all, mut said) = (Vec::new(), String::new());
    for line in body.lines().skip(1) {
        // Members of a variant are indented further.
        let Some(line) = line.strip_prefix("    ").filter(|line| !line.starts_with([' ', '}'])) else { continue };
        match line.strip_prefix("///") {
            Some(text) => said = format!("{said} {}", text.trim()),
            None if line.starts_with(|c: char| c.is_ascii_uppercase()) => {
                let end = line.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(line.len());
                all.push((line[..end].to_string(), std::mem::take(&mut said).trim().to_string()));
            }
            None => {}
        }
    }
    all
}

/// `MulAddAdd` as the text form writes it: `mul_add_add`.
fn mnemonic(variant: &str) -> String {
    let mut name = String::new();
    for c in variant.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    name
}

/// A document with this between its marks.
fn with(text: &str, mark: &str, table: &str) -> String {
    let (start, end) = (format!("<!-- {mark} -->\n"), format!("<!-- end {mark} -->"));
    let (before, rest) = text.split_once(&start).expect(&start);
    let (_, after) = rest.split_once(&end).expect(&end);
    format!("{before}{start}{table}{end}{after}")
}

#[test]
fn the_tables_are_those_of_the_code() {
    let (op, contract) = (include_str!("../src/op/operation.rs"), include_str!("../src/contract.rs"));
    let cell = |text: &str| text.replace('|', "\\|");
    let mut operations = variants(op, "Op");
    // Operations with bodies have rows of their own.
    operations.retain(|(name, _)| name != "Defined");
    // A row more than variants: a look-up has two.
    assert_eq!(operations.len() + 1, evariste_ir::op::ROWS.len());
    assert!(operations.iter().all(|(name, said)| !said.is_empty() || panic!("{name}")));
    let mut table = String::from("| operation | types and result |\n| --- | --- |\n");
    for (variant, said) in &operations {
        let name = mnemonic(variant);
        assert!(evariste_ir::op::ROWS.iter().any(|row| row.name == name), "{name} is no name of the text form");
        table += &format!("| `{name}` | {} |\n", cell(said));
    }
    let mut claims = String::from("| claim | meaning |\n| --- | --- |\n");
    for (variant, said) in variants(contract, "Claim") {
        claims += &format!("| {} | {} |\n", variant.to_lowercase(), cell(&said));
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reference/kernel-language.md");
    let text = std::fs::read_to_string(path).expect(path);
    let now = with(&with(&text, "operations", &table), "claims", &claims);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &now).expect("a document can be written");
    } else {
        assert!(now == text, "docs/reference/kernel-language.md is out of date: cargo xtask bless ir");
    }
    // The example is a kernel.
    let example = now.split("    kernel double").nth(1).and_then(|t| t.split("\n    }\n").next()).expect("the example");
    let kernel = format!("kernel double{example}\n}}\n");
    assert_eq!(evariste_ir::Kernel::parse(&kernel).map(|k| k.name), Ok("double".to_string()));
}
