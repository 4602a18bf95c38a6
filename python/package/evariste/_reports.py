"""What ``explain``, ``tune`` and ``reproduce`` give: tables that print well, and become frames of pandas."""

import html as escaping
import json

from . import _core


class Table:
    """Rows of named columns, with a title and notes.

    Attributes:
        title: what the rows are about.
        columns: their names.
        rows: a tuple of values each; ``None`` where there is none.
        notes: sentences below the table.
    """

    def __init__(self, title, columns, rows, notes=()):
        self.title, self.columns = title, tuple(columns)
        self.rows, self.notes = [tuple(row) for row in rows], list(notes)

    def __len__(self):
        return len(self.rows)

    def __iter__(self):
        return iter(self.rows)

    def __getitem__(self, key):
        if isinstance(key, str):
            at = self.columns.index(key)
            return [row[at] for row in self.rows]
        return self.rows[key]

    def to_pandas(self):
        """A frame of pandas, which has to be installed."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("pandas is missing\nhelp: pip install pandas, or read .rows and .columns") from error
        return pandas.DataFrame(self.rows, columns=list(self.columns))

    def __str__(self):
        cells = [self.columns] + [tuple(shown(value) for value in row) for row in self.rows]
        widths = [max(len(row[i]) for row in cells) for i in range(len(self.columns))]
        lines = [self.title]
        lines += ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in cells]
        return "\n".join(lines + list(self.notes))

    __repr__ = __str__

    def _repr_html_(self):
        head = "".join(f"<th>{escaping.escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escaping.escape(shown(value))}</td>" for value in row) + "</tr>" for row in self.rows
        )
        notes = "".join(f"<p>{escaping.escape(note)}</p>" for note in self.notes)
        return f"<div><p>{escaping.escape(self.title)}</p><table><tr>{head}</tr>{body}</table>{notes}</div>"


def shown(value):
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


class Explanation(Table):
    """How arrays of a field are computed.

    Attributes:
        field: the field.
        layout: the name of the layout that elements rest in.
        lanes: elements side by side.
    """


OPERATIONS = ("mul", "square", "add", "sub", "opp", "mul_add", "selectznz", "dot", "sum", "from_words", "to_words")


def _operations_of(field):
    return OPERATIONS if field.kind in ("prime", "ring", "binary") else field._facts["operations"]


def explain(field, operations):
    core, rows = field._core, []
    for name in _operations_of(field) if operations is None else operations:
        try:
            rows.append((name, core.describe(name)))
        except RuntimeError as error:
            if operations is not None:
                raise ValueError(str(error)) from None
    made = Explanation(f"{field.text} in the layout {core.layout}, {core.lanes} elements side by side", ("operation", "code"), rows)
    made.field, made.layout, made.lanes = field, core.layout, core.lanes
    return made


class RankingTable(Table):
    """The candidates of a field, the quickest of each layout and operation first.

    Attributes:
        data: the whole ranking, as the command's ``--json`` gives it.
        remembered: the file that keeps it, or why it is not kept.
    """


COLUMNS = ("operation", "layout", "plan", "code", "shape", "ns", "cycles", "bound_cycles", "spread_percent", "note")


def tune(field, seconds, quick, remember, only):
    if seconds is not None and not seconds > 0:
        raise ValueError(f"{seconds} seconds\nhelp: give a positive number of seconds, or None for as long as it takes")
    if field.kind == "tower":
        raise ValueError(f"{field.text} is a tower\nhelp: its prime field has a ranking: ev.tune({field.ground.text!r})")
    text, kept = _core.tune(field._core, seconds, bool(quick), bool(remember), [str(part) for part in only])
    data = json.loads(text)
    rows = [
        (
            c["operation"], c["layout"], c["plan"], c.get("code"), c.get("shape"), c["throughput_ns"],
            c["throughput_cycles"], c["bound_cycles"], c.get("throughput_spread"), c.get("note"),
        )
        for c in data["candidates"]
    ]  # fmt: skip
    rows.sort(key=lambda row: (row[0], row[1], row[5] is None, row[5] or 0.0))
    notes = [f"on {data['target']}", kept] + [f"busy: {why}" for why in data.get("noise", [])]
    made = RankingTable(f"{field.text}: times of one element", COLUMNS, rows, notes)
    made.data, made.remembered = data, kept
    return made


class Figure(Table):
    """A published figure, made anew: a row for each point.

    Attributes:
        data: the whole figure, as the command's ``--json`` gives it.
        comparisons: a table of the paper's numbers beside ours.
    """


def reproduce(name, quick):
    if name is None:
        rows = [(r["name"], r["figure"], r["about"], r["paper"]) for r in json.loads(_core.reproductions())]
        return Table("figures that can be made anew", ("name", "figure", "about", "paper"), rows)
    data = json.loads(_core.reproduce(name, bool(quick)))
    rows = [
        (panel["title"], series["name"], series["origin"], point.get("label", ""), point["x"], point["y"], panel["y"]["unit"])
        for panel in data["panels"]
        for series in panel["series"]
        for point in series["points"]
    ]
    title = f"{data['title']} ({data['figure']} of {data['paper']})"
    made = Figure(title, ("panel", "series", "kind", "label", "x", "y", "unit"), rows, data["notes"])
    compared = [(c["what"], c["published"], c["ours"]) for c in data["comparisons"]]
    made.data = data
    made.comparisons = Table("published beside ours", ("what", "published", "ours"), compared)
    return made
