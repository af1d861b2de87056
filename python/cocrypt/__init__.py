"""cocrypt: a workbench for cryptography on embedded devices."""

from importlib.metadata import PackageNotFoundError, version

from cocrypt._native import Machine

__all__ = ["Machine", "__version__"]

try:
    __version__ = version("cocrypt")
except PackageNotFoundError:
    __version__ = "unknown"
