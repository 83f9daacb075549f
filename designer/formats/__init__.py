"""Files: the native format, and the files of other programs."""
