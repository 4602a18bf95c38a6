"""Prints the reference, in Markdown, of the docstrings: ``python make_reference.py > reference.md``."""

import importlib
import inspect
import re

import evariste as ev


def entry(name, thing, level):
    """A heading with the signature, and the docstring."""
    text = inspect.getdoc(thing) or ""
    try:
        shown = f"{name}{inspect.signature(thing)}" if callable(thing) else name
    except (TypeError, ValueError):
        shown = name
    lines = [f"{'#' * level} `{shown}`", ""]
    # References of reStructuredText are plain code here; examples are blocks.
    text = re.sub(r":(?:class|meth|func|attr):`~?([^`]*)`", r"`\1`", text).replace("``", "`")
    block = False
    for line in text.splitlines():
        example = line.startswith(">>> ") or block and line.strip() != ""
        if example != block:
            lines.append("```python" if example else "```")
            block = example
        lines.append(line)
    if block:
        lines += ["", "```"]
    return lines + [""]


def members(kind, above=()):
    """Those of a class and of its bases here, but for what another page section has."""
    found = {}
    for part in kind.__mro__:
        if part.__module__.startswith("evariste.") and part not in above:
            for name, member in vars(part).items():
                if not name.startswith("_") and (callable(member) or isinstance(member, property)):
                    found.setdefault(name, member)
    return found.items()


def main():
    lines = ["# Reference", "", "Made of the docstrings by `make_reference.py`.", ""]
    lines += inspect.getdoc(ev).splitlines()[:1] + [""]
    for name in ("Field", "Array", "Tower", "Curve", "Points", "Pairing"):
        kind = getattr(ev, name)
        lines += entry(name, kind, 2)
        for member, thing in members(kind, ev.Field.__mro__ if name == "Tower" else ()):
            lines += entry(f"{name}.{member}", thing, 3)
    lines += ["## Functions", ""]
    for name in ("fma", "lincomb", "set_threads", "get_threads", "explain", "tune", "reproduce"):
        lines += entry(f"ev.{name}", getattr(ev, name), 3)
    lines += ["## Tables", ""]
    reports = importlib.import_module("evariste._reports")
    for name in ("Table", "Explanation", "RankingTable", "Figure"):
        lines += entry(name, getattr(reports, name), 3)
    clusters = importlib.import_module("evariste.dask")
    lines += ["## `evariste.dask`", ""]
    for name in ("from_array", "random", "from_function", "dot", "meta"):
        lines += entry(f"dask.{name}", getattr(clusters, name), 3)
    print("\n".join(lines).rstrip())


main()
