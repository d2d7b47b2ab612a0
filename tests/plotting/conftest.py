import matplotlib
import pytest

matplotlib.use("Agg")


@pytest.fixture(autouse=True)
def _closed_figures():
    from matplotlib import pyplot as plt

    plt.close("all")  # of tests before these
    yield
    plt.close("all")


@pytest.fixture
def ax():
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 6))
    FigureCanvasAgg(figure)  # the canvas of a bare figure draws nothing
    return figure.add_subplot()
