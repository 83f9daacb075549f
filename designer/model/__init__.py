"""What is drawn: records in tables, changed only through edits."""
