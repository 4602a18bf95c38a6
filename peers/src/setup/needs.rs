//! What building peers needs from the system, and the line that installs what is missing. Nothing here but the standard
//! library, and nothing is run: whether something is there is asked of the caller.

/// How something of the system is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// One of these commands is on the path.
    Command(&'static [&'static str]),
    /// The C compiler finds this header.
    Header(&'static str),
}

/// Something that the system has to have.
#[derive(Debug, PartialEq, Eq)]
pub struct Tool {
    /// What it is called in a line about what is missing.
    pub name: &'static str,
    /// How it is found.
    pub probe: Probe,
    /// Debian's package, or where else it comes from.
    pub from: From,
}

/// Where a tool comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum From {
    /// A package of Debian and its descendants.
    Apt(&'static str),
    /// Not from there, or not in a version that is new enough.
    Elsewhere(&'static str),
}

/// A C compiler.
pub const CC: Tool = Tool { name: "cc", probe: Probe::Command(&["cc", "gcc", "clang"]), from: From::Apt("gcc") };
/// A C++ compiler.
pub const CXX: Tool = Tool { name: "c++", probe: Probe::Command(&["c++", "g++", "clang++"]), from: From::Apt("g++") };
/// Make.
pub const MAKE: Tool = Tool { name: "make", probe: Probe::Command(&["make"]), from: From::Apt("make") };
/// The macro processor that GMP's assembly is written for.
pub const M4: Tool = Tool { name: "m4", probe: Probe::Command(&["m4"]), from: From::Apt("m4") };
/// What writes OpenSSL's assembly.
pub const PERL: Tool = Tool { name: "perl", probe: Probe::Command(&["perl"]), from: From::Apt("perl") };
/// What configures mcl.
pub const CMAKE: Tool = Tool { name: "cmake", probe: Probe::Command(&["cmake"]), from: From::Apt("cmake") };
/// Go, in a version that gnark-crypto takes.
pub const GO: Tool = Tool {
    name: "go",
    probe: Probe::Command(&["go"]),
    from: From::Elsewhere("Go 1.21 or newer, from https://go.dev/dl"),
};
/// This system's GMP.
pub const GMP: Tool = Tool { name: "gmp.h", probe: Probe::Header("gmp.h"), from: From::Apt("libgmp-dev") };
/// This system's OpenSSL.
pub const SSL: Tool =
    Tool { name: "openssl/bn.h", probe: Probe::Header("openssl/bn.h"), from: From::Apt("libssl-dev") };
/// What fetches Debian's source packages.
pub const APT: Tool = Tool {
    name: "apt-get",
    probe: Probe::Command(&["apt-get"]),
    from: From::Elsewhere("a system with apt-get, for its source packages; or GF2X_PREFIX and NTL_PREFIX"),
};

/// Those of the needed tools that the system lacks, each once, in the order of the first need.
pub fn missing<'a>(needed: impl IntoIterator<Item = &'a Tool>, has: impl Fn(&Tool) -> bool) -> Vec<&'a Tool> {
    let mut lacking: Vec<&Tool> = Vec::new();
    for tool in needed {
        if !lacking.contains(&tool) && !has(tool) {
            lacking.push(tool);
        }
    }
    lacking
}

/// What to do about tools that are missing: one command for all that Debian has, a line for each of the others.
pub fn remedies(lacking: &[&Tool], as_root: bool) -> Vec<String> {
    let packages: Vec<&str> = lacking
        .iter()
        .filter_map(|tool| match tool.from {
            From::Apt(package) => Some(package),
            From::Elsewhere(_) => None,
        })
        .collect();
    let mut lines = Vec::new();
    if !packages.is_empty() {
        lines.push(format!("{}apt-get install {}", if as_root { "" } else { "sudo " }, packages.join(" ")));
    }
    lines.extend(lacking.iter().filter_map(|tool| match tool.from {
        From::Apt(_) => None,
        From::Elsewhere(place) => Some(format!("{}: {place}", tool.name)),
    }));
    lines
}
