"""The report for people who do not program: a page in the browser, served on this machine alone.

`session` keeps the tables that were dropped on the page and makes their reports; `server` is the way there:
one address with a random token, checked on every request. Nothing is computed here.
"""
