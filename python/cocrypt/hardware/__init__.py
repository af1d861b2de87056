"""Files beside an exported design: recorded runs, test benches, packages."""
