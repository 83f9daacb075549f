"""Writers of foreign files."""
