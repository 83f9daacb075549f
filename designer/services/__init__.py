"""What runs beside the window: session, background runner, recovery, settings."""
