"""The cells of the notebooks run, one after the other, and draw."""

import ast
import json
import pathlib

import pytest

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "docs"


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda path: path.name)
def test_cells_run(path, monkeypatch):
    pytest.importorskip("pandas")
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    plots = pytest.importorskip("matplotlib.pyplot")
    notebook = json.loads(path.read_text())
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert all(not cell.get("outputs") for cell in notebook["cells"]), "no output is kept: it would be of one machine"
    names = {}
    for cell in cells:
        # What a cell ends with is shown as notebooks show it.
        body = ast.parse(cell, path.name)
        shown = body.body.pop() if body.body and isinstance(body.body[-1], ast.Expr) else None
        exec(compile(body, path.name, "exec"), names)
        if shown is not None:
            value = eval(compile(ast.Expression(shown.value), path.name, "eval"), names)
            assert value is None or repr(value)
    assert len(plots.get_fignums()) >= 3
    for number in plots.get_fignums():
        figure = plots.figure(number)
        figure.canvas.draw()
        assert any(axes.has_data() for axes in figure.axes)
    plots.close("all")
    assert {"mul", "square"} <= set(names["best"]["operation"]) and (names["measured"]["ns"] > 0).all()
