"""Pictures as files: written whole or not at all, and the same bytes for the same picture."""

import io
import os

from rocscope.core import checks
from rocscope.core.files import replace_file
from rocscope.errors import RocInputError
from rocscope.plotting import layout, marks, static

# The entries that would carry a date or a version into the file, by format.
METADATA: dict[str, dict[str, None]] = {
    "png": {"Software": None},
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
}
# Names inside an SVG come from this instead of chance; type 42 keeps the text of a PDF editable.
SETTINGS = {"svg.hashsalt": "rocscope", "pdf.fonttype": 42}


def save(
    picture: marks.Picture,
    path: str | os.PathLike[str],
    *,
    size: tuple[float, float] | None = None,
    dpi: float = 200,
) -> None:
    """Write a picture to a PNG, SVG or PDF file, as the ending says.

    The file appears complete or not at all. pyplot is not used.

    Parameters
    ----------
    picture
        What `plotting.picture` returns.
    path
        The file; one of the same name is replaced.
    size
        Width and height in inches; without it what the picture needs.
    dpi
        Dots per inch of a PNG.

    Examples
    --------
    >>> import tempfile
    >>> import rocscope as rs
    >>> from rocscope import plotting
    >>> curve = rs.roc_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(plotting.picture(curve), f"{folder}/curve.svg")
    """
    from matplotlib import style as sheets
    from matplotlib.figure import Figure

    target, named = checks.as_path(path), checks.show(os.fspath(path))
    kind = target.suffix.lower().lstrip(".")
    if kind not in METADATA:
        raise RocInputError(f"must end in .png, .svg or .pdf, got {named}", argument="path")
    if not target.parent.is_dir():
        raise RocInputError(f"must lie in an existing folder, got {named}", argument="path")
    try:
        width, height = layout.figure_size(picture) if size is None else size
    except (TypeError, ValueError):
        raise RocInputError(
            f"must be a pair (width, height), got {checks.show(size)}", argument="size"
        ) from None
    for number, name in ((width, "size[0]"), (height, "size[1]"), (dpi, "dpi")):
        checks.check_number(number, name=name, low=0)
    content = io.BytesIO()
    with sheets.context(["default", SETTINGS]):
        figure = Figure(figsize=(width, height))
        static.draw_on(figure, picture)
        figure.savefig(content, format=kind, dpi=dpi, metadata=METADATA[kind])
    replace_file(target, content.getvalue())
