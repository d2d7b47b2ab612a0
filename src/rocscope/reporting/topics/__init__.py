"""The sections of a report for each kind of result; `reporting.sections.SECTIONS` names their functions."""
