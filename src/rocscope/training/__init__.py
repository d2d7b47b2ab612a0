"""Training: splits, one fit and its scores, cross-validated scores, and the deployed classifier."""
