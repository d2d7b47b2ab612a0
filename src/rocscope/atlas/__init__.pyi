"""What was measured, and its lookup."""

from .results import Atlas as Atlas
from .results import AtlasCell as AtlasCell
from .results import Validity as Validity
from .results import load as load
from .results import validity as validity
