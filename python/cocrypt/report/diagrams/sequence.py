"""Sequence diagrams: messages between participants, from top to bottom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from cocrypt.report.diagrams.svg import LINE, box, line, path, picture, text, wide

if TYPE_CHECKING:
    from collections.abc import Sequence

STEP = 30
TOP = 46


@dataclass(frozen=True)
class Message:
    """An arrow from one participant to another, by their numbers; an answer is dashed.

    A message to itself is a step of its own. `left` is a text at the margin, as a cycle.
    """

    source: int
    target: int
    words: str
    answer: bool = False
    left: str = ""


def sequence(participants: Sequence[str], messages: Sequence[Message], title: str) -> str:
    """A sequence diagram."""
    margin = max([wide(message.left) for message in messages] + [0.0]) + 20
    centres = _centres(participants, messages, margin)
    bottom = TOP + STEP * (len(messages) + 1)
    parts = [line(x, TOP - 8, x, bottom, "life") for x in centres]
    for x, name in zip(centres, participants, strict=True):
        size = wide(name) + 24
        parts += [
            box(x - size / 2, 8, size, LINE + 14),
            text(x, 8 + (LINE + 14) / 2, name, kind="strong"),
        ]
    right = centres[-1] + wide(participants[-1]) / 2 + 24
    for number, message in enumerate(messages):
        y = TOP + STEP * (number + 1)
        parts.append(text(margin - 14, y, message.left, "end", "quiet"))
        parts += _message(message, centres, y)
        if message.source == message.target:
            right = max(right, centres[message.source] + 40 + wide(message.words))
    return picture(right, bottom + 8, parts, title)


def _centres(
    participants: Sequence[str], messages: Sequence[Message], margin: float
) -> list[float]:
    """The x coordinates of the lifelines, with room for the messages between them."""
    x = margin + wide(participants[0]) / 2 + 12
    centres = [x]
    for number in range(1, len(participants)):
        between = [
            wide(message.words) + 34
            for message in messages
            if {message.source, message.target} == {number - 1, number}
        ]
        alone = [
            wide(message.words) + 54
            for message in messages
            if message.source == message.target == number - 1
        ]
        names = (wide(participants[number - 1]) + wide(participants[number])) / 2 + 50
        centres.append(centres[-1] + max([names, *between, *alone]))
    return centres


def _message(message: Message, centres: Sequence[float], y: float) -> list[str]:
    start, end = centres[message.source], centres[message.target]
    if message.source == message.target:
        data = f"M{start:.1f} {y - 8:.1f} h24 v14 h-22"
        return [path(data, "wire", "tip"), text(start + 32, y, message.words, "start")]
    kind = "wire dashed" if message.answer else "wire"
    return [
        line(start, y, end, y, kind, "open" if message.answer else "tip"),
        text((start + end) / 2, y - 9, message.words),
    ]
