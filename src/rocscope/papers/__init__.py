"""The papers' own experiments as lists of tasks, the papers' figures beside ours.

A study is a module of this folder with `make(options)`, which lists its tasks, and
`tell(results, options)`, which makes tables, figures and notes of their results.
"""
