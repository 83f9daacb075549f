"""Notes: free text on the drawing, as small cards of a fixed screen size."""

import numpy as np

from designer.model.records import Note
from designer.scene.display_list import DisplayList, Rects
from designer.scene.text import elide, text_width
from designer.scene.view import View

SIZE, LINE, PAD = 12.0, 16.0, 8.0
MOST_WIDE = 280.0


def note_lines(text: str) -> list[str]:
    """Return the lines of a note, broken between words at 280 pixels."""
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}".strip()
            if line and text_width(longer, SIZE) > MOST_WIDE:
                lines.append(line)
                longer = word
            line = elide(longer, MOST_WIDE, SIZE)
        lines.append(line)
    return lines


def note_box(note: Note, view: View) -> tuple[float, float, float, float]:
    """Return the screen box (x, y, w, h) of a note, centred on its place."""
    lines = note_lines(note.text)
    w = max(24.0, *(text_width(line, SIZE) for line in lines)) + 2 * PAD
    h = len(lines) * LINE + 2 * PAD
    x, y = view.to_screen(note.x, note.y)
    return x - w / 2, y - h / 2, w, h


def draw_notes(notes: list[Note], view: View, out: DisplayList, chosen: frozenset[str]) -> None:
    """Draw the notes that touch the view; chosen ones with a ring."""
    for note in notes:
        x, y, w, h = note_box(note, view)
        if x > view.width or x + w < 0 or y > view.height or y + h < 0:
            continue
        out.add(Rects(np.array([[x, y, w, h]]), "raised", "border2", 1.0, 4))
        for k, line in enumerate(note_lines(note.text)):
            out.text(x + PAD, y + PAD + SIZE + k * LINE, line, SIZE, 400)
        if note.id in chosen:
            ring = np.array([[x - 3, y - 3, w + 6, h + 6]])
            out.add(Rects(ring, "", "accent", 2.0, 6))
