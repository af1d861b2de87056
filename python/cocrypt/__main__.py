"""`python -m cocrypt` is the command `cocrypt`."""

from cocrypt.cli import main

if __name__ == "__main__":
    main()
