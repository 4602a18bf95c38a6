//! Rule: no circle of more than four files. Files that import each other in a loop are one idea in several files; past
//! four nobody holds it in mind. What a crate's files share stands below them, lists of them above. A crate's test
//! program (`tests`) is judged like its sources.
//!
//! An import of a name that a module only hands on (`pub use`) counts as one of the file that the name comes from.

use std::collections::{BTreeMap, BTreeSet};

use super::source::code_only;
use super::{File, Violation};

/// Files that may import each other in a loop.
const MOST: usize = 4;

/// A module's path below the crate.
type Path = Vec<String>;

/// Judges the files in `src` and in `tests` of every crate. What a file's own module of tests imports is no arrow.
pub fn check(files: &[File]) -> Vec<Violation> {
    let mut trees: BTreeMap<&str, Vec<(&str, String)>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        if let Some((root, inside)) = tree(&file.path) {
            let code = code_only(&file.text);
            let code = code.split("#[cfg(test)]").next().unwrap_or_default().to_string();
            trees.entry(root).or_default().push((inside, code));
        }
    }
    trees.iter().flat_map(|(root, files)| judge(root, files)).collect()
}

/// The folder that a path's module tree begins in, and the path below it.
fn tree(path: &str) -> Option<(&str, &str)> {
    let at = ["/src/", "/tests/"].iter().filter_map(|folder| Some(path.find(folder)? + folder.len())).min()?;
    Some((&path[..at - 1], &path[at..]))
}

fn judge(root: &str, files: &[(&str, String)]) -> Vec<Violation> {
    let house = House::new(files);
    let arrows: Vec<BTreeSet<usize>> = (0..files.len()).map(|i| house.imports(i, &files[i].1)).collect();
    circles(&arrows)
        .into_iter()
        .filter(|circle| circle.len() > MOST)
        .map(|circle| {
            let names: Vec<&str> = circle.iter().map(|i| files[*i].0).collect();
            Violation {
                place: format!("{root}/{}", names[0]),
                line: 0,
                message: format!(
                    "{} files import each other in a circle (at most {MOST}): {}",
                    names.len(),
                    names.join(", ")
                ),
            }
        })
        .collect()
}

/// The modules of a crate.
struct House {
    /// The path of each file's module.
    paths: Vec<Path>,
    modules: BTreeMap<Path, usize>,
    /// What a module hands on: its path with the name, and the path that the name stands for.
    handed_on: BTreeMap<Path, Path>,
}

impl House {
    fn new(files: &[(&str, String)]) -> House {
        let path = |file: &str| -> Path {
            let parts = file.trim_end_matches(".rs").split('/');
            parts.filter(|part| !matches!(*part, "mod" | "lib" | "main")).map(str::to_string).collect()
        };
        let paths: Vec<Path> = files.iter().map(|(file, _)| path(file)).collect();
        let modules = paths.iter().cloned().enumerate().map(|(i, path)| (path, i)).collect();
        let mut house = House { paths, modules, handed_on: BTreeMap::new() };
        for (i, (_, code)) in files.iter().enumerate() {
            for path in uses(code).filter(|(public, _)| *public).flat_map(|(_, tree)| leaves(tree)) {
                if let (Some(from), Some(name)) = (house.absolute(i, &path), path.last()) {
                    let to: Path = house.paths[i].iter().chain([name]).cloned().collect();
                    house.handed_on.insert(to, from);
                }
            }
        }
        house
    }

    /// A path as written in file i, from the crate's root; `None` for another crate's.
    fn absolute(&self, i: usize, path: &[String]) -> Option<Path> {
        let mut base = self.paths[i].clone();
        let mut rest = path;
        match path.first()?.as_str() {
            "crate" => (base, rest) = (Vec::new(), &path[1..]),
            "self" => rest = &path[1..],
            "super" => {
                while rest.first().is_some_and(|part| part == "super") {
                    base.pop()?;
                    rest = &rest[1..];
                }
            }
            child => {
                let module: Path = base.iter().map(String::as_str).chain([child]).map(str::to_string).collect();
                self.modules.get(&module)?;
            }
        }
        Some(base.into_iter().chain(rest.iter().cloned()).collect())
    }

    /// The file that a path from the root leads into, names that are handed on followed to where they come from.
    fn file(&self, path: &Path) -> Option<usize> {
        let mut path = path.clone();
        // Chains of handing on are short; a loop of them ends here.
        for _ in 0..8 {
            let known = (0..=path.len()).rev().find(|n| self.modules.contains_key(&path[..*n]))?;
            match path.get(..known + 1).and_then(|name| self.handed_on.get(name)) {
                Some(from) => path = from.iter().chain(&path[known + 1..]).cloned().collect(),
                None => return self.modules.get(&path[..known]).copied(),
            }
        }
        None
    }

    /// The files that file i imports.
    fn imports(&self, i: usize, code: &str) -> BTreeSet<usize> {
        let imported = uses(code).flat_map(|(_, tree)| leaves(tree));
        imported
            .chain(inline_paths(code))
            .filter_map(|path| self.file(&self.absolute(i, &path)?))
            .filter(|j| *j != i)
            .collect()
    }
}

/// The trees of `use` declarations, each with whether it is handed on.
fn uses(code: &str) -> impl Iterator<Item = (bool, &str)> {
    code.match_indices("use ").filter_map(|(at, _)| {
        let before = code[..at].trim_end_matches(' ');
        let alone = before.is_empty() || before.ends_with(['\n', '{', '}', ';', ')']) || before.ends_with("pub");
        let public = before.ends_with("pub") || before.ends_with(')');
        let tree = code[at + 4..].split(';').next()?;
        alone.then_some((public, tree))
    })
}

/// The paths of a tree `a::{b, c::{d, e}}`. A module itself (`a::{self}`) is its path.
fn leaves(tree: &str) -> Vec<Path> {
    let tree = tree.trim();
    let Some((prefix, inner)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap_or_default();
        let parts: Path = path.split("::").map(|part| part.trim().to_string()).collect();
        let ends_in_itself = parts.len() == 1 && parts[0] == "self";
        return vec![if ends_in_itself { Vec::new() } else { parts }];
    };
    let prefix: Path = prefix.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_string).collect();
    let inner = inner.rsplit_once('}').map_or(inner, |(inner, _)| inner);
    let (mut depth, mut start, mut paths) = (0, 0, Vec::new());
    for (at, c) in inner.char_indices().chain([(inner.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = inner[start..at].trim();
                if !part.is_empty() {
                    paths.extend(leaves(part).into_iter().map(|rest| prefix.iter().cloned().chain(rest).collect()));
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    paths
}

/// The paths that are written where they are used.
fn inline_paths(code: &str) -> impl Iterator<Item = Path> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_' && c != ':')
        // What ends in `::` goes on in a tree, which is read as one.
        .filter(|path| path.contains("::") && !path.ends_with("::"))
        .map(|path| path.split("::").filter(|part| !part.is_empty()).map(str::to_string).collect())
}

/// The strongly connected sets of more than one, by Tarjan's algorithm.
fn circles(arrows: &[BTreeSet<usize>]) -> Vec<BTreeSet<usize>> {
    struct Search<'a> {
        arrows: &'a [BTreeSet<usize>],
        order: Vec<Option<usize>>,
        low: Vec<usize>,
        stack: Vec<usize>,
        next: usize,
        found: Vec<BTreeSet<usize>>,
    }
    impl Search<'_> {
        fn visit(&mut self, v: usize) {
            self.order[v] = Some(self.next);
            self.low[v] = self.next;
            self.next += 1;
            self.stack.push(v);
            let arrows = self.arrows;
            for w in &arrows[v] {
                match self.order[*w] {
                    None => {
                        self.visit(*w);
                        self.low[v] = self.low[v].min(self.low[*w]);
                    }
                    Some(order) if self.stack.contains(w) => self.low[v] = self.low[v].min(order),
                    Some(_) => {}
                }
            }
            if Some(self.low[v]) == self.order[v]
                && let Some(at) = self.stack.iter().position(|w| *w == v)
            {
                let circle: BTreeSet<usize> = self.stack.drain(at..).collect();
                if circle.len() > 1 {
                    self.found.push(circle);
                }
            }
        }
    }
    let n = arrows.len();
    let mut search =
        Search { arrows, order: vec![None; n], low: vec![0; n], stack: Vec::new(), next: 0, found: Vec::new() };
    for v in 0..n {
        if search.order[v].is_none() {
            search.visit(v);
        }
    }
    search.found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(files: &[(&str, &str)]) -> Vec<Violation> {
        let file = |(path, text): &(&str, &str)| File { path: format!("crates/x/src/{path}"), text: text.to_string() };
        check(&files.iter().map(file).collect::<Vec<_>>())
    }

    const RING: [(&str, &str); 5] = [
        ("a.rs", "use crate::b::{self, B};"),
        ("b.rs", "use super::c::C as D;"),
        ("c.rs", "fn f() { crate::d::g(1) }"),
        ("d.rs", "use std::x::Y;\nuse crate::{e::{E, F}};"),
        ("e.rs", "use crate::A;"),
    ];

    #[test]
    fn circles_are_found_through_what_is_handed_on() {
        let lib = ("lib.rs", "mod a; mod b; mod c; mod d; mod e;\npub use a::A;");
        let all = found(&[&RING[..], &[lib]].concat());
        assert_eq!(all.len(), 1, "{all:?}");
        assert!(all[0].message.ends_with("a.rs, b.rs, c.rs, d.rs, e.rs"), "{}", all[0].message);
        // One arrow less, and there is none; what only tests and comments name is no arrow.
        let open = ("e.rs", "// use crate::A;\n#[cfg(test)]\nmod tests { use crate::A; }");
        assert_eq!(found(&[&RING[..4], &[open, lib]].concat()), []);
    }

    #[test]
    fn test_programs_have_no_circles_either() {
        let main = ("main.rs", "mod a; mod b; mod c; mod d; mod e;\nuse a::A;");
        let file = |folder: &str, (path, text): (&str, &str)| File {
            path: format!("crates/x/{folder}/{path}"),
            text: text.replace("crate::A", "crate::a::A"),
        };
        let all = |folder: &str| [&RING[..], &[main]].concat().into_iter().map(|f| file(folder, f)).collect::<Vec<_>>();
        assert_eq!(check(&all("tests")).len(), 1);
        assert_eq!(check(&all("src/tests")).len(), 0, "`crate` is another folder there");
        // Two programs are two trees.
        let (mut halves, rest) = (all("src"), all("tests"));
        halves.truncate(3);
        halves.extend(rest.into_iter().skip(3));
        assert_eq!(check(&halves), []);
    }

    #[test]
    fn four_files_may_be_one_idea() {
        let short = ("d.rs", "use crate::a;");
        assert_eq!(found(&[&RING[..3], &[short, ("lib.rs", "mod a;")]].concat()), []);
    }
}
