//! A small strict reader of the HTML that pages consist of: quoted attributes, tags that balance, escaped texts.

/// Elements that have no end.
const VOID: [&str; 3] = ["meta", "br", "hr"];

/// An element, in the order of opening tags.
#[derive(Debug)]
pub struct Element {
    pub name: String,
    pub depth: usize,
    pub attributes: Vec<(String, String)>,
    /// The text directly inside it.
    pub text: String,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
    }

    #[track_caller]
    pub fn number(&self, name: &str) -> f64 {
        let x: f64 = self.attribute(name).and_then(|v| v.parse().ok()).unwrap_or_else(|| panic!("{name} of {self:?}"));
        assert!(x.is_finite());
        x
    }
}

/// All elements, or where the page is malformed.
pub fn parse(page: &str) -> Result<Vec<Element>, String> {
    let mut rest = page.strip_prefix("<!DOCTYPE html>").ok_or("no doctype")?;
    let mut all: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    while let Some(start) = rest.find('<') {
        let text = unescaped(&rest[..start])?;
        if let Some(top) = open.last() {
            all[*top].text += &text;
        } else if !text.trim().is_empty() {
            return Err(format!("a text outside: {text}"));
        }
        let end = rest[start..].find('>').ok_or("a tag without end")? + start;
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let top = open.pop().ok_or_else(|| format!("</{name}> closes nothing"))?;
            if all[top].name != name {
                return Err(format!("</{name}> closes <{}>", all[top].name));
            }
            continue;
        }
        let element = element(tag, open.len())?;
        let void = VOID.contains(&element.name.as_str());
        // The only text that may hold anything.
        if element.name == "style" {
            let end = rest.find("</style>").ok_or("a style without end")?;
            rest = &rest[end..];
        }
        if !void {
            open.push(all.len());
        }
        all.push(element);
    }
    if !open.is_empty() || !rest.trim().is_empty() {
        return Err(format!("{} elements stay open, then {rest:?}", open.len()));
    }
    Ok(all)
}

fn element(tag: &str, depth: usize) -> Result<Element, String> {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric()) {
        return Err(format!("<{tag}> has no name"));
    }
    let mut attributes: Vec<(String, String)> = Vec::new();
    while !rest.is_empty() {
        let (key, after) = rest.split_once("=\"").ok_or_else(|| format!("an attribute without value in <{tag}>"))?;
        let (value, after) = after.split_once('"').ok_or_else(|| format!("an attribute without end in <{tag}>"))?;
        if attributes.iter().any(|(k, _)| k == key) {
            return Err(format!("{key} stands twice in <{tag}>"));
        }
        attributes.push((key.into(), unescaped(value)?));
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    Ok(Element { name: name.into(), depth, attributes, text: String::new() })
}

fn unescaped(text: &str) -> Result<String, String> {
    for (i, _) in text.match_indices('&') {
        if !["&amp;", "&lt;", "&gt;", "&quot;"].iter().any(|e| text[i..].starts_with(e)) {
            return Err(format!("a bare & in {text:?}"));
        }
    }
    Ok(text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"))
}

#[test]
fn faults_are_found() {
    assert!(parse("<!DOCTYPE html><p a=\"1\">x<br>y</p>\n").is_ok());
    for fault in
        ["<p>", "<p></b>", "<p>a & b</p>", "<p a=1></p>", "<p a=\"1\" a=\"2\"></p>", "</p>", "x", "<p><b></p></b>"]
    {
        assert!(parse(&format!("<!DOCTYPE html>{fault}")).is_err(), "{fault}");
    }
}
