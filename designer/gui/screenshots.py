"""Pictures of the program, made by the program: the same window a person sees, on no display."""

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
from PySide6.QtCore import QBuffer, QCoreApplication, QIODevice, QPoint
from PySide6.QtGui import QImage, QPixmap, qRgb
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from designer.catalog.catalog import Catalog
from designer.catalog.load import load_catalog
from designer.errors import CannotRunHereError
from designer.formats.native import write_atomically
from designer.gui.dialogs.template_dialog import TemplateDialog
from designer.gui.editor import Editor
from designer.gui.main_window import MainWindow
from designer.gui.style import apply_style
from designer.gui.workspace import Workspace
from designer.messages import _, language, set_language
from designer.model.design import Design
from designer.model.operations import remove, set_workload
from designer.model.wiring import connect_devices
from designer.model.workload import stock_workloads
from designer.services.create import new_design
from designer.services.recovery import Recovery
from designer.services.settings import Settings

WIDTH, HEIGHT = 1600, 1000
# Longest time one picture may take; a window that never settles is a fault of ours.
PATIENCE_S = 120.0
COLOURS = 256


class Photographer:
    """Opens windows with settings and recovery files of its own, and takes their picture."""

    def __init__(self, folder: Path, catalog: Catalog, scratch: Path) -> None:
        self._folder, self._catalog, self._scratch = folder, catalog, scratch
        self.written: list[Path] = []

    @contextmanager
    def window(self, theme: str, design: Design | None = None) -> Iterator[MainWindow]:
        """Show the window with a drawing, or with its start page, until the block ends."""
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        apply_style(application, theme)
        settings = Settings(theme=theme, language="en")
        workspace = Workspace(settings, self._catalog, Recovery(self._scratch))
        window = MainWindow(workspace)
        window.resize(WIDTH, HEIGHT)
        window.show()
        try:
            if design is not None:
                workspace.adopt(design)
            settle(window)
            yield window
        finally:
            window.drawing.close_compare()
            workspace.close()
            window.hide()
            window.deleteLater()
            QCoreApplication.processEvents()

    def take(self, name: str, widget: QWidget) -> None:
        """Write the picture of a widget as `NAME.png`."""
        path = self._folder / f"{name}.png"
        write_atomically(path, png_of(widget.grab()))
        self.written.append(path)


def editor_of(window: MainWindow) -> Editor:
    """Return the editor of a window that shows a drawing."""
    assert window.editor is not None
    return window.editor


def wait_until(done: Callable[[], bool]) -> None:
    """Let the window work until something is so.

    Raises:
        TimeoutError: It did not become so.
    """
    end = time.monotonic() + PATIENCE_S
    while not done():
        if time.monotonic() > end:
            raise TimeoutError
        QCoreApplication.processEvents()
        time.sleep(0.005)
    QCoreApplication.processEvents()


def settle(window: MainWindow) -> None:
    """Wait until results and drawing are those of the design."""
    document = window.workspace.document
    QCoreApplication.processEvents()
    if document is not None and window.editor is not None:
        wait_until(lambda: document.current)
        window.editor.canvas.zoom_to_fit()
        window.editor.canvas.finish_painting()
    QCoreApplication.processEvents()


def png_of(pixmap: QPixmap) -> bytes:
    """Return a picture as PNG of 256 colours of its own: a third of the size, and no dithering."""
    image = pixmap.toImage().convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), -1)
    small = palette_image(pixels[:, : image.width()])
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    small.save(buffer, "PNG", 0)  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def palette_image(pixels: np.ndarray[tuple[int, ...], np.dtype[np.uint32]]) -> QImage:
    """Return pixels (height, width) of 0xffRRGGBB in their own 256 most used colours."""
    values, inverse, counts = np.unique(pixels, return_inverse=True, return_counts=True)
    rgb = np.stack([(values >> s) & 255 for s in (16, 8, 0)], axis=1).astype(np.int64)
    chosen = rgb[np.argsort(counts)[::-1][:COLOURS]]
    nearest = np.empty(len(rgb), np.uint8)
    for start in range(0, len(rgb), 2048):
        block = rgb[start : start + 2048, None, :] - chosen[None]
        nearest[start : start + 2048] = (block * block).sum(axis=2).argmin(axis=1)
    indexed = np.ascontiguousarray(nearest[inverse].reshape(pixels.shape))
    height, width = indexed.shape
    image = QImage(indexed.tobytes(), width, height, width, QImage.Format.Format_Indexed8)
    image.setColorTable([qRgb(*(int(v) for v in c)) for c in chosen])
    return image.copy()


def unit_of_256(catalog: Catalog) -> Design:
    """Return one unit of 256 GPUs, with a trunk that lacks two of its eight cables."""
    design = new_design("rail-optimized", catalog, gpus=256)
    design.apply(set_workload(design, stock_workloads()["llama3-70b-tp8"]))
    leaf, spine = design.named("leaf-5"), design.named("spine-3")
    assert leaf is not None
    assert spine is not None
    between = [
        i
        for i in design.cables_of(leaf.id)
        if design.cables[i].other_end(leaf.id).device == spine.id
    ]
    design.apply(remove(design, between))
    design.apply(connect_devices(design, leaf.id, spine.id, 6))
    return design


def _main(camera: Photographer, catalog: Catalog) -> None:
    for theme in ("light", "dark"):
        with camera.window(theme, unit_of_256(catalog)) as window:
            editor = editor_of(window)
            selection = editor.document.selection
            selection.set({"leaf-5"})
            settle(window)
            camera.take(f"main-{theme}", window)
            if theme == "dark":
                selection.set(())
                editor.set_colour("utilization")
                settle(window)
                camera.take("utilisation-dark", window)
                continue
            window.drawing.show_compare()
            assert window.drawing.compare is not None
            QCoreApplication.processEvents()
            camera.take("compare", window.drawing.compare)
            window.drawing.close_compare()
            at = editor.results.all_reduce.time.mapToGlobal(QPoint(20, 0))
            window.drawing.explain("collectives.all_reduce.time_s", at)
            QCoreApplication.processEvents()
            camera.take("explain", window)


def _start(camera: Photographer, catalog: Catalog) -> None:
    with camera.window("light") as window:
        camera.take("start", window)
        dialog = TemplateDialog(catalog, "light", "superpod-h100", window)
        dialog.show()
        wait_until(lambda: _("Computing") not in {t.text() for t in dialog.findChildren(QLabel)})
        camera.take("template", dialog)
        dialog.reject()
        dialog.deleteLater()


def _drawings(camera: Photographer, catalog: Catalog) -> None:
    for name, template in (("close-up", "four-servers"), ("cluster-24576", "roce-24k")):
        with camera.window("light", new_design(template, catalog)) as window:
            camera.take(name, window)


def make_screenshots(folder: Path) -> list[Path]:
    """Write all pictures of the program into a folder and return their paths.

    Raises:
        FileError: A picture cannot be written.
        CannotRunHereError: A Qt without windows is running in this process.
    """
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if not isinstance(QApplication.instance() or QApplication(["railspine"]), QApplication):
        raise CannotRunHereError(_("Screenshots need a process of their own."))
    before = language()
    set_language("en")
    catalog = load_catalog(None)
    try:
        with tempfile.TemporaryDirectory() as scratch:
            camera = Photographer(folder, catalog, Path(scratch))
            _start(camera, catalog)
            _main(camera, catalog)
            _drawings(camera, catalog)
    finally:
        set_language(before)
    return camera.written
