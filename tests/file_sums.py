"""Placement sums of one score of a file, with limits as users write them."""

from rocscope.io.input_file import Limits
from rocscope.io.large import sums_of_file


def placement_sums_of_file(path, *, score, memory_limit=None, temp_limit=None, **options):
    limits = Limits.read(memory_limit, temp_limit=temp_limit)
    return sums_of_file(path, score=score, limits=limits, **options)[score].sums
