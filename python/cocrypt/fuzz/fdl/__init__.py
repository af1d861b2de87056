"""Random FDL designs, and the comparison of our simulator with their exports."""
