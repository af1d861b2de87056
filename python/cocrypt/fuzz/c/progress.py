"""The state of a campaign in a file, so that an interrupted campaign continues."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cocrypt import _native, paths
from cocrypt.fuzz.c.levels import LEVELS

if TYPE_CHECKING:
    from cocrypt.fuzz.c.__main__ import Campaign

FOLDERS = ("runtime", "devices", "python/cocrypt/fuzz/c")
"""The folders on which a program's outcome depends, beside the engines."""


def place(seed: int) -> Path:
    """The file of the campaign from a seed on, with the present engines and devices."""
    digest = hashlib.sha256(Path(_native.__file__).read_bytes())
    for folder in FOLDERS:
        for path in sorted((paths.root() / folder).rglob("*.*")):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(path.name.encode() + path.read_bytes())
    return paths.cache().resolve() / "campaigns" / f"{seed}-{digest.hexdigest()[:32]}.json"


def save(campaign: Campaign, path: Path) -> None:
    """Saves the campaign, unless it has a difference, which has to be shown again."""
    if campaign.differences:
        return
    order: dict[object, int] = {level: number for number, level in enumerate(LEVELS)}
    values = {
        "programs": campaign.programs,
        "seeds": campaign.seeds,
        "skipped": campaign.skipped,
        "verdicts": [
            [order[level], option, verdict, number]
            for (level, option, verdict), number in campaign.verdicts.items()
        ],
        "instructions": [campaign.instructions[level] for level in LEVELS],
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".part")
    partial.write_text(json.dumps(values), encoding="utf-8")
    partial.replace(path)


def load(campaign: Campaign, path: Path) -> None:
    """Continues a campaign from its file, if there is one."""
    if not path.exists():
        return
    values: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    campaign.programs = values["programs"]
    campaign.seeds = values["seeds"]
    campaign.skipped.update(values["skipped"])
    for level, option, verdict, number in values["verdicts"]:
        campaign.verdicts[LEVELS[level], option, verdict] = number
    for level, number in zip(LEVELS, values["instructions"], strict=True):
        campaign.instructions[level] = number
