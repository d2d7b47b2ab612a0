"""Several ROC curves on one pair of axes, and the display that scikit-learn users know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np

from rocscope.averaging.roc import AveragedRoc, average_roc
from rocscope.core import checks, formatting
from rocscope.core.curve import RocCurve, curve_of, roc_curve
from rocscope.core.result import CurveResult
from rocscope.errors import RocInputError
from rocscope.inference.scorers import estimator_scores
from rocscope.plotting import bands, layout, roc_curves, static
from rocscope.plotting.marks import Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_roc(
    curves: Mapping[str, Any],
    ax: Any = None,
    *,
    color: Any = None,
    band: Any = None,
    points: Any = None,
    axes: roc_curves.Axes | None = None,
    style: static.Style = None,
    **line_kw: Any,
) -> Axes:
    """Draw several ROC curves on one pair of axes and return the axes.

    Parameters
    ----------
    curves
        Mapping of names to curves: results such as those of `roc_curve`, `average_roc`, `average_curves` and
        `fit_binormal`; or data, of which the ROC curve is drawn: a pair (labels, scores), or what
        `roc_curve` takes alone.
    ax
        Axes to draw on; without it a new figure is made.
    color, band, points
        As in `RocCurve.plot`, for all curves; or a mapping of names to those of single ones.
    axes, style, **line_kw
        As in `RocCurve.plot`.

    Returns
    -------
    Axes
        Those of matplotlib, with one legend for all curves.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> y = [0, 0, 1, 1]
    >>> ax = plot_roc({"a": (y, [1, 3, 2, 4]), "b": roc_curve(y, [1, 2, 3, 4])}, Figure().add_subplot())
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['Chance (AUC = 0.5)', 'a (AUC = 0.75)', 'b (AUC = 1.00)']
    """
    if not isinstance(curves, Mapping) or not curves:
        raise RocInputError(
            f"must map at least one name to a curve, got {checks.show(curves)}", argument="curves"
        )
    drawn = {str(name): _curve(name, curve) for name, curve in curves.items()}
    if len(drawn) < len(curves):
        raise RocInputError(f"must have distinct names, got {checks.show(list(curves))}", argument="curves")

    def each(value: Any, argument: str) -> dict[str, Any]:
        """What holds for each name."""
        if not isinstance(value, Mapping):
            return dict.fromkeys(drawn, value)
        for name in value:
            checks.check_choice(name, list(drawn), name=f"a name in {argument}")
        return {name: value.get(name) for name in drawn}

    colors, shaded, marked = each(color, "color"), each(band, "band"), each(points, "points")
    known = {name: curve for name, curve in drawn.items() if isinstance(curve, RocCurve)}
    if len(known) == len(drawn):  # one picture, in which labels of points know of all curves
        picture = roc_curves.curves(
            known,
            points={name: own for name, own in marked.items() if own is not None},
            bands={name: bands.band_of_curve(known[name], own) for name, own in shaded.items()},
            axes=axes or "roc",
        )
        ax = static.matplotlib(picture, ax=ax, style=style, colors=list(colors.values()), line=line_kw)
        drawn = {}
    for name, curve in drawn.items():
        own = {"color": colors[name], "band": shaded[name], "points": marked[name]}
        ax = curve.plot(ax, name=name, axes=axes, style=style, **own, **line_kw)
    made: Axes = ax
    return made


def _curve(name: Any, curve: Any) -> CurveResult:
    if isinstance(curve, CurveResult):
        return curve
    pair = curve if isinstance(curve, tuple) else (curve,)
    if not 1 <= len(pair) <= 2:
        raise RocInputError(
            f"must be a curve or a pair (labels, scores), got a tuple of {len(pair)}",
            argument=f"curves[{str(name)!r}]",
        )
    return roc_curve(*pair)


# ---- The display of scikit-learn --------------------------------------------------------------------------


class RocDisplay:
    """ROC curves as a display: its class methods compute and draw, `plot` draws again.

    Use `from_predictions`, `from_estimator` or `from_cv_results`; the attributes are those of scikit-learn's
    `RocCurveDisplay`, and the results behind them.

    Attributes
    ----------
    curves
        The `RocCurve`; of a cross-validation those of its folds.
    average
        The `AveragedRoc` of a cross-validation, else None.
    fpr, tpr, thresholds, roc_auc
        Those of the curve; of a cross-validation lists with one for each fold. No vertex is left out.
    name, estimator_name, pos_label
        Name in the legend, twice as scikit-learn has it, and the positive class.
    ax_, figure_, line_, chance_level_
        What `plot` has drawn; `line_` is a list of the folds' lines for a cross-validation.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> y, ax = [0, 0, 1, 1], Figure().add_subplot()
    >>> display = RocDisplay.from_predictions(y, [0.1, 0.4, 0.35, 0.8], name="model", ax=ax)
    >>> display.roc_auc, display.line_.get_label()
    (0.75, 'model (AUC = 0.75)')
    """

    def __init__(
        self, curves: Sequence[RocCurve], *, average: AveragedRoc | None = None, name: str | None = None
    ) -> None:
        self.curves, self.average, self.name = tuple(curves), average, name
        for field in ("fpr", "tpr", "thresholds"):
            setattr(self, field, self._each([getattr(curve, field) for curve in self.curves]))
        self.roc_auc = self._each([curve.auc for curve in self.curves])
        self.pos_label = self.curves[0].pos_label
        self.ax_: Any = None
        self.figure_: Any = None
        self.line_: Any = None
        self.chance_level_: Any = None

    def _each(self, values: list[Any]) -> Any:
        return values[0] if self.average is None else values

    @property
    def estimator_name(self) -> str | None:
        """The name, as older versions of scikit-learn call it."""
        return self.name

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any = None,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> RocDisplay:
        """Draw the ROC curve of labels and scores.

        Parameters
        ----------
        y_true, y_score, sample_weight, pos_label
            As in `roc_curve`.
        name, ax, **options
            As in `plot`.
        """
        curve = roc_curve(y_true, y_score, sample_weight=sample_weight, pos_label=pos_label)
        return cls([curve], name=name).plot(ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: Any,
        *,
        sample_weight: Any = None,
        response_method: Any = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> RocDisplay:
        """Draw the ROC curve of a fitted estimator on test cases.

        Parameters
        ----------
        estimator, X, y
            The fitted estimator, features and labels.
        sample_weight, pos_label
            As in `roc_curve`.
        response_method
            "auto", "predict_proba" or "decision_function".
        name, ax, **options
            As in `plot`; the name is that of the estimator's class by default.
        """
        data = estimator_scores(
            estimator, X, y, pos_label=pos_label, response=response_method, sample_weight=sample_weight
        )
        return cls([curve_of(data)], name=name or type(estimator).__name__).plot(ax, **options)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Any,
        X: Any,
        y: Any,
        *,
        cv: Any = None,
        response_method: Any = "auto",
        pos_label: Any = None,
        name: str | None = None,
        ax: Any = None,
        **options: Any,
    ) -> RocDisplay:
        """Draw the folds of a cross-validation that scikit-learn has done, and their average.

        Parameters
        ----------
        cv_results, X, y, cv, response_method, pos_label
            As in `AveragedRoc.from_cv_results`.
        name, ax, **options
            As in `plot`.
        """
        from rocscope.training.cross_scores import CrossScores

        scores = CrossScores.from_cv_results(
            cv_results, X, y, cv=cv, response=response_method, pos_label=pos_label
        )
        folds = list(scores.fold_curves().values())
        if not folds:
            raise RocInputError("must have both classes in at least one fold, got none", argument="y")
        return cls(folds, average=average_roc(scores), name=name).plot(ax, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        name: str | None = None,
        curve_kwargs: Any = None,
        plot_chance_level: bool = True,
        chance_level_kw: Any = None,
        despine: bool = False,
        **options: Any,
    ) -> RocDisplay:
        """Draw the curves.

        Parameters
        ----------
        ax
            Axes to draw on; without it a new figure is made.
        name
            Name in the legend; by default that of the display.
        curve_kwargs
            Keywords of matplotlib for the line; of a cross-validation for the lines of its folds, one
            mapping for all or a list with one for each.
        plot_chance_level
            Whether to draw the line of chance; one that the axes have stays.
        chance_level_kw
            Keywords of matplotlib for the line of chance.
        despine
            Whether to leave out the lines at the top and on the right of the axes.
        **options
            Further arguments of `RocCurve.plot`, such as `band`, `points`, `style` and keywords of the line;
            of a cross-validation for the average.

        Returns
        -------
        RocDisplay
            Itself, with `ax_`, `figure_`, `line_` and `chance_level_`.
        """
        checks.check_flag(plot_chance_level, name="plot_chance_level")
        name, style = self.name if name is None else name, options.get("style")
        checks.check_flag(despine, name="despine")
        n = len(self.curves)
        if curve_kwargs is None or isinstance(curve_kwargs, Mapping):
            curve_kwargs = [curve_kwargs or {}] * n
        if not isinstance(curve_kwargs, list) or len(curve_kwargs) != n:
            raise RocInputError(
                f"must be a mapping, or a list of {n} of them, got {checks.show(curve_kwargs)}",
                argument="curve_kwargs",
            )
        keywords = [static.line_keywords(one, name="curve_kwargs") for one in curve_kwargs]
        chance = static.line_keywords(chance_level_kw or {}, name="chance_level_kw")
        given = np.array(ax, dtype=object).ravel()
        earlier = {id(line) for one in given for line in getattr(one, "lines", ())}
        if self.average is None:
            self.ax_ = self.curves[0].plot(ax, name=name, **(options | keywords[0]))
        else:
            self.ax_, color = self._plot_folds(ax, keywords, style)
            self.average.plot(self.ax_, name=name, **({"color": color} | options))
        self.figure_ = self.ax_.figure
        drawn = static.drawn_on(self.ax_)
        pairs = [] if drawn is None else list(zip(drawn.panel.marks, drawn.artists, strict=True))
        lines = [artist for mark, artist in pairs if mark.role == ("fold" if self.average else "curve")]
        self.line_ = self._each(lines[-len(self.curves) :])
        self.chance_level_ = next((artist for mark, artist in pairs if mark.role == "chance"), None)
        if not plot_chance_level and self.chance_level_ is not None:
            if id(self.chance_level_) not in earlier:
                self.chance_level_.remove()
            self.chance_level_ = None
        elif self.chance_level_ is not None:
            self.chance_level_.set(**chance)
        if chance or not plot_chance_level:
            static.renew_legend(self.ax_, style)
        for side in ("top", "right") if despine else ():
            self.ax_.spines[side].set_visible(False)
        return self

    def __repr__(self) -> str:
        areas = [curve.auc for curve in self.curves]
        what = "AUC" if self.average is None else f"mean AUC of {formatting.counted(len(areas), 'fold')}"
        return f"<RocDisplay{'' if self.name is None else f' {self.name!r}'}: {what} = {mean(areas):.4f}>"

    def _plot_folds(
        self, ax: Any, keywords: Sequence[Mapping[str, Any]], style: static.Style
    ) -> tuple[Any, Any]:
        """Draw the curves of the folds under one entry with the mean and the spread of their areas.

        Returns the axes and the colour of the lines.
        """
        areas = [curve.auc for curve in self.curves]
        spread = f" ± {stdev(areas):.2f}" if len(areas) > 1 else ""
        label = f"{formatting.counted(len(areas), 'fold')} (AUC = {mean(areas):.2f}{spread})"
        lines = [
            layout.curve_line(curve.fpr, curve.tpr, label=None if k else label, role="fold")
            for k, curve in enumerate(self.curves)
        ]
        panel = layout.roc_panel([layout.chance_line("Chance"), *lines], positive=[self.pos_label])
        ax = static.matplotlib(Picture(panels=(replace(panel, legend=None),)), ax=ax, style=style)
        drawn = static.drawn_on(ax)
        artists = [] if drawn is None else drawn.artists[-len(lines) :]
        for line, own in zip(artists, keywords, strict=True):
            line.set(**own)
        return ax, artists[0].get_color()
