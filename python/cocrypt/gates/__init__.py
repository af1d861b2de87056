"""Designs as gates of a cell library: libraries, synthesis, areas and timing."""
