"""Random programs that compare the cycle model with the core's RTL."""
