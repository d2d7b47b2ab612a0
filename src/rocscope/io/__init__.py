"""Where scores come from: files of any kind, read with declared types and checked once."""
