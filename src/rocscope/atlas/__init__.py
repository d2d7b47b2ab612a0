"""Coverage of every interval and size of every test, measured by simulation.

| module | what it does |
|---|---|
| `laws` | laws of scores whose true curve is known |
| `cells` | families of methods, the cells of their grid, and the simulation of one cell |
| `areas`, `points`, `models`, `tests` | the families |
| `results` | what was measured: the table that comes with the package, and how it is looked up |
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
