"""Tables 2 to 4 as Marrocco, Molinara and Tortorella printed them (ICIAP 2005, section 3).

Rows are weights of the MLP, columns those of the SVM. One cell of table 3 cannot be read in the copy that the
figures were taken from.
"""

from __future__ import annotations

from collections.abc import Iterator

# Both weights, of rows and of columns.
WEIGHTS = (0.2, 0.4, 0.6, 0.8, 1.0)
# Data set, number of its table, and the areas under the empirical and the parametric curves.
TABLES = {"german": 2, "pima": 3, "cmc": 4}
EMPIRICAL: dict[str, tuple[tuple[float | None, ...], ...]] = {
    "german": (
        (0.7789, 0.7827, 0.7829, 0.7829, 0.7826),
        (0.7701, 0.7789, 0.7825, 0.7827, 0.7827),
        (0.7628, 0.7743, 0.7789, 0.7811, 0.7822),
        (0.7589, 0.7701, 0.7763, 0.7789, 0.7805),
        (0.7578, 0.7661, 0.7728, 0.7767, 0.7789),
    ),
    "pima": (
        (0.8188, 0.8268, 0.8289, 0.8296, None),
        (0.7993, 0.8188, 0.8251, 0.8268, 0.8281),
        (0.7785, 0.8086, 0.8188, 0.8242, 0.8261),
        (0.7616, 0.7993, 0.8120, 0.8188, 0.8233),
        (0.7460, 0.7887, 0.8050, 0.8137, 0.8188),
    ),
    "cmc": (
        (0.7280, 0.7257, 0.7225, 0.7200, 0.7188),
        (0.7250, 0.7280, 0.7274, 0.7257, 0.7240),
        (0.7220, 0.7270, 0.7280, 0.7277, 0.7268),
        (0.7192, 0.7250, 0.7275, 0.7280, 0.7279),
        (0.7172, 0.7234, 0.7263, 0.7278, 0.7280),
    ),
}
PARAMETRIC: dict[str, tuple[tuple[float | None, ...], ...]] = {
    "german": (
        (0.8280, 0.8287, 0.8204, 0.8132, 0.8074),
        (0.8064, 0.8282, 0.8313, 0.8286, 0.8242),
        (0.7898, 0.8173, 0.8282, 0.8310, 0.8298),
        (0.7787, 0.8063, 0.8208, 0.8274, 0.8290),
        (0.7708, 0.7968, 0.8125, 0.8210, 0.8245),
    ),
    "pima": (
        (0.8016, 0.8348, 0.8406, 0.8414, 0.8408),
        (0.7410, 0.8016, 0.8252, 0.8347, 0.8385),
        (0.7057, 0.7677, 0.8016, 0.8195, 0.8288),
        (0.6845, 0.7410, 0.7781, 0.8012, 0.8150),
        (0.6706, 0.7208, 0.7575, 0.7829, 0.7996),
    ),
    "cmc": (
        (0.7768, 0.7669, 0.7553, 0.7471, 0.7413),
        (0.7635, 0.7768, 0.7734, 0.7668, 0.7603),
        (0.7497, 0.7716, 0.7768, 0.7751, 0.7707),
        (0.7400, 0.7635, 0.7738, 0.7764, 0.7748),
        (0.7331, 0.7558, 0.7684, 0.7738, 0.7746),
    ),
}


def cells() -> Iterator[tuple[int, int, float, float]]:
    """Every cell of a table: row, column, weight of the SVM, weight of the MLP.

    Examples
    --------
    >>> next(cells())
    (0, 0, 0.2, 0.2)
    """
    for row, mlp in enumerate(WEIGHTS):
        for column, svm in enumerate(WEIGHTS):
            yield row, column, svm, mlp
