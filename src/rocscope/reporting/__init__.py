"""From scores to results, and from results to one self-contained HTML page.

``analysis``   what a report consists of: ``rocscope.analyse(y_true, y_score)`` returns all results
``page``       ``rocscope.report(*results, path=...)``: the file, its templates and its security policy
``sections``   what a section holds, and which sections a report has; ``topics`` makes them
``explorer``   the section in which the reader moves an operating point
``saved``      sections of JSON that was saved before
``notebook``   results in a notebook
"""

from rocscope.reporting.analysis import Analysis, analyse
from rocscope.reporting.page import report, report_html

__all__ = ["Analysis", "analyse", "report", "report_html"]
