"""Dialogs and popovers."""
