"""From a picture to a figure, a file or a record; matplotlib and plotly are loaded when something is drawn.

The look of every role is in `style`; the axes a picture is drawn on are returned for further changes.
"""

from rocscope.draw.figure import matplotlib
from rocscope.draw.files import save
from rocscope.draw.plotly_figure import figure_json, plotly
from rocscope.draw.recorder import record

__all__ = ["figure_json", "matplotlib", "plotly", "record", "save"]
