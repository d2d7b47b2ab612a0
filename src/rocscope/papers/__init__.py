"""The five papers' own experiments as lists of tasks, the papers' numbers beside ours.

Each paper is a module with `make(options)`, which lists its tasks, and `summarise(results, options)`, which
makes tables, figures and notes of their results; at its end it registers both (``base.register``).
``datasets`` loads the papers' data, ``learners`` holds the classifiers of two of them.
"""
