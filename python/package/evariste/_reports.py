"""What ``explain``, ``tune`` and ``reproduce`` give: tables that print well, and become frames of pandas."""

import html as escaping


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


def explain(field, operations):
    core, rows = field._core, []
    for name in OPERATIONS if operations is None else operations:
        try:
            rows.append((name, core.describe(name)))
        except RuntimeError as error:
            if operations is not None:
                raise ValueError(str(error)) from None
    made = Explanation(f"{field.text} in the layout {core.layout}, {core.lanes} elements side by side", ("operation", "code"), rows)
    made.field, made.layout, made.lanes = field, core.layout, core.lanes
    return made
