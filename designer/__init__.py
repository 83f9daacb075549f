"""Railspine: draw a GPU training network, see what it does and whether it pays for itself."""

__version__ = "1.0.0"
