"""From a picture to a figure, a file or a record; matplotlib is loaded when something is drawn.

The look of every role is in `style`; the axes a picture is drawn on are returned for further changes.
"""

from rocscope.draw.figure import matplotlib
from rocscope.draw.files import save
from rocscope.draw.recorder import record

__all__ = ["matplotlib", "record", "save"]
