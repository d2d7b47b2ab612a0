"""Result classes of this room that `rocscope` itself does not name."""

from .ordinal_scores import OrdinalEstimates as OrdinalEstimates
