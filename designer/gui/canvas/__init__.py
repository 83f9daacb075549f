"""The canvas: one widget that paints a retained frame, and its gestures."""
