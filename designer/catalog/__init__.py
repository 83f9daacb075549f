"""What can be bought: part types, read from TOML with their sources."""
