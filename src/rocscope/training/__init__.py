"""The only room that trains: data sets, splits, fit-and-score, cross-validated scores, operating points."""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
