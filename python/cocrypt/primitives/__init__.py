"""Primitives: found, called on a device, checked against vectors, measured, and chosen from."""
