"""The HTML pages of results, and what they are drawn with."""
