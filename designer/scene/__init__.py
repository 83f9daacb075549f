"""What is drawn where: layout, cable routes, levels of detail, display lists, SVG."""
