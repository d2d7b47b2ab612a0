"""What DuckDB complains about reaches the user in our words."""

import duckdb
import pytest

from rocscope.errors import ResourceError, RocInputError
from rocscope.sources.csvfile import _translated_errors


def test_an_interrupted_query_is_an_interrupt():
    with pytest.raises(KeyboardInterrupt), _translated_errors("t.csv"):
        raise RuntimeError("Query interrupted")


def test_other_faults_pass():
    with pytest.raises(RuntimeError, match="odd"), _translated_errors("t.csv"):
        raise RuntimeError("odd")


def test_out_of_memory():
    with pytest.raises(ResourceError) as caught, _translated_errors("t.csv"):
        raise duckdb.OutOfMemoryException("could not allocate block\nmore")
    assert str(caught.value) == "t.csv does not fit into memory: could not allocate block"


def test_unknown_complaint():
    with pytest.raises(RocInputError) as caught, _translated_errors("t.csv"):
        raise duckdb.IOException("the disk is gone\nmore")
    assert str(caught.value) == "t.csv cannot be read as a CSV table: the disk is gone"
