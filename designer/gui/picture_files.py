"""Writes display lists as PNG and PDF, in one step each; needs no display."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice, QMarginsF, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QImage, QPageSize, QPainter, QPdfWriter

from designer.errors import CannotRunHereError, FileError
from designer.formats.native import write_atomically
from designer.gui.render import CSS_DPI, MAX_PIXELS, ListPainter
from designer.messages import _
from designer.scene.display_list import DisplayList


def ensure_application() -> QGuiApplication:
    """Return the running Qt application, or start one that needs no display.

    Raises:
        CannotRunHereError: Qt cannot draw on this machine.
    """
    running = QGuiApplication.instance()
    if isinstance(running, QGuiApplication):
        return running
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    try:
        return QGuiApplication(["railspine"])
    except RuntimeError as fault:
        raise CannotRunHereError(
            _("Qt cannot draw pictures on this machine: {fault}").format(fault=fault),
            _("Export SVG instead; it needs no Qt."),
        ) from fault


def to_image(picture: DisplayList, scale: float = 1.0) -> QImage:
    """Return a picture as an image of `scale` pixels a unit.

    Raises:
        FileError: The image would be too large to hold.
    """
    width, height = round(picture.width * scale), round(picture.height * scale)
    if not 0 < max(width, height) <= MAX_PIXELS or min(width, height) < 1:
        raise FileError(
            _("A picture of {w} × {h} pixels cannot be made.").format(w=width, h=height),
            _("Choose a smaller scale, or export PDF or SVG, which have no such limit."),
        )
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise FileError(
            _("There is no memory for a picture of {w} × {h} pixels.").format(w=width, h=height),
            _("Choose a smaller scale, or export PDF or SVG."),
        )
    image.setDevicePixelRatio(scale)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    ListPainter().paint(painter, picture)
    painter.end()
    return image


def write_png(picture: DisplayList, path: Path, *, scale: float = 2.0) -> None:
    """Write a picture as PNG, `scale` pixels a unit, in one step.

    Raises:
        FileError: It is too large, or the file cannot be written; what was there stays.
        CannotRunHereError: Qt cannot draw on this machine.
    """
    ensure_application()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image = to_image(picture, scale)
    image.setDevicePixelRatio(1.0)
    image.setDotsPerMeterX(round(CSS_DPI * scale / 0.0254))
    image.setDotsPerMeterY(round(CSS_DPI * scale / 0.0254))
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    write_atomically(path, bytes(buffer.data().data()))


def write_pdf(
    pages: DisplayList | Sequence[DisplayList],
    path: Path,
    *,
    page_mm: tuple[float, float] | None = None,
    title: str = "",
) -> None:
    """Write pictures as the pages of a PDF: vector, texts as text, fonts embedded, in one step.

    Args:
        pages: One picture or several.
        path: File to write.
        page_mm: Width and height of a page; the picture is fitted into it. None makes each page
            as large as its picture at 96 units an inch.
        title: Title in the document's properties.

    Raises:
        FileError: There is no page, or the file cannot be written; what was there stays.
        CannotRunHereError: Qt cannot draw on this machine.
    """
    ensure_application()
    pictures = [pages] if isinstance(pages, DisplayList) else list(pages)
    if not pictures:
        raise FileError(_("There is nothing to print."), _("Draw something first."))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    writer.setResolution(CSS_DPI * 10)
    writer.setTitle(title)
    writer.setCreator("railspine")
    _set_page(writer, pictures[0], page_mm)
    painter = QPainter(writer)
    for number, picture in enumerate(pictures):
        if number:
            _set_page(writer, picture, page_mm)
            writer.newPage()
        fit = min(writer.width() / picture.width, writer.height() / picture.height)
        painter.save()
        painter.translate(
            (writer.width() - picture.width * fit) / 2, (writer.height() - picture.height * fit) / 2
        )
        painter.scale(fit, fit)
        ListPainter(vector=True).paint(painter, picture)
        painter.restore()
    painter.end()
    write_atomically(path, bytes(buffer.data().data()))


def _set_page(
    writer: QPdfWriter, picture: DisplayList, page_mm: tuple[float, float] | None
) -> None:
    width, height = page_mm or (
        picture.width * 25.4 / CSS_DPI,
        picture.height * 25.4 / CSS_DPI,
    )
    size = QPageSize(
        QSizeF(width, height), QPageSize.Unit.Millimeter, "", QPageSize.SizeMatchPolicy.ExactMatch
    )
    writer.setPageSize(size)
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
