"""Many random designs, in batches that share a compilation of each external simulator."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.errors import InterruptedWorkError
from cocrypt.fuzz.fdl.make import make
from cocrypt.hardware.exported import differing
from cocrypt.interrupt import by_any_signal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

BATCH = 50


def campaign(
    count: int, seed: int, cycles: int, folder: Path, say: Callable[[str], None]
) -> dict[str, list[str]]:
    """The designs that differ, by simulator, among `count` from a seed on.

    Those of a batch are said at once. Raises `InterruptedWorkError` on Ctrl-C, which names the seed
    to go on with.
    """
    result: dict[str, list[str]] = {}
    compared = 0
    try:
        with by_any_signal():
            while compared < count:
                batch_folder = folder / f"batch_{compared}"
                batch_folder.mkdir(parents=True)
                batch, following = make(batch_folder, seed, min(BATCH, count - compared), cycles)
                for simulator, names in differing(batch, batch_folder).items():
                    result.setdefault(simulator, []).extend(names)
                    if names:
                        say(f"{simulator} differs: {', '.join(names)}")
                compared, seed = compared + len(batch), following
                say(f"{compared} of {count} designs")
    except KeyboardInterrupt as error:
        wrong = len({name for names in result.values() for name in names})
        raise InterruptedWorkError(
            f"behind {compared} of {count} designs, of which {wrong} differ; "
            f"`--seed {seed}` goes on from there"
        ) from error
    return result
