"""From results to one self-contained HTML page: `rocscope.report(*results, path=...)`."""

from rocscope.reporting.page import report, report_html

__all__ = ["report", "report_html"]
