"""The types and small tools that every method shares: NumPy and SciPy only."""
