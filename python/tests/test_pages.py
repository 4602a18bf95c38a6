"""Every example of the pages runs, and the reference is what the docstrings say."""

import doctest
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import evariste as ev

FOLDER = pathlib.Path(__file__).resolve().parent.parent
PAGES = [FOLDER / "README.md", FOLDER.parent / "README.md", *sorted((FOLDER / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_examples_run(page):
    if page.name == "cluster.md":
        pytest.importorskip("distributed")
    before = ev.get_threads()
    result = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    ev.set_threads(before)
    assert result.failed == 0


def test_the_readme_has_an_example():
    text = (FOLDER.parent / "README.md").read_text()
    assert "import evariste as ev" in text and ">>> " in text


def test_the_reference_is_of_the_docstrings():
    made = subprocess.run([sys.executable, str(FOLDER / "docs/make_reference.py")], capture_output=True, text=True, check=True)
    page = (FOLDER / "docs/reference.md").read_text()
    assert made.stdout == page, "run `python python/docs/make_reference.py > python/docs/reference.md`"


def test_numpy_is_new_enough():
    assert tuple(int(part) for part in np.__version__.split(".")[:2]) >= (2, 1)
