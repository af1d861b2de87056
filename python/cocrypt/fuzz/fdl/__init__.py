"""Random FDL designs, and the comparison of our simulator with what is exported of them."""
