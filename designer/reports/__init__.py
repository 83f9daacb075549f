"""Documents for people: summary, bill of materials, cable schedule."""
