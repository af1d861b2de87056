"""Searches of spaces too large to predict every point, by the predicted figures of points.

Both searches are Optuna's: NSGA-II, a genetic algorithm for several objectives (Deb and others,
2002), and TPE, a tree of Parzen estimators (Bergstra and others, 2011). Both are seeded.
"""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from cocrypt.errors import HostError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import optuna
    from numpy.typing import NDArray

    from cocrypt.explore.surface import Surface

TRIALS = {"nsga2": 3000, "tpe": 300}
"""The points that a search evaluates at most; TPE takes longer for each."""
POPULATION = 60


def searched(
    surface: Surface,
    objectives: Sequence[str],
    bounds: Mapping[str, float],
    method: str,
    seed: int,
    step: Callable[[str, int, int], None],
) -> NDArray[np.int64]:
    """The partitions that a search by `nsga2` or `tpe` evaluates, a row of digits each.

    Each of them is evaluated on every bus and clock of the surface.
    """
    try:
        import optuna
    except ImportError as error:
        raise HostError(
            "searching needs a package that is missing: optuna",
            "install it: python -m pip install optuna",
        ) from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sizes = surface.space.sizes
    trials = TRIALS[method]
    seen: dict[tuple[int, ...], None] = {(0,) * len(sizes): None}

    @cache
    def judged(digits: tuple[int, ...]) -> tuple[tuple[float, ...], dict[str, float]]:
        return _judged(surface, digits, objectives, bounds)

    def objective(trial: optuna.Trial) -> tuple[float, ...]:
        digits = tuple(
            trial.suggest_int(str(column), 0, size - 1) for column, size in enumerate(sizes)
        )
        seen[digits] = None
        # A small space is seen whole long before the last trial, and more trials find nothing new.
        if len(seen) == surface.space.count:
            study.stop()
        values, excess = judged(digits)
        for name, most in excess.items():
            trial.set_constraint(name, most)
        if trial.number % POPULATION == 0:
            step("searching", trial.number, trials)
        return values

    samplers: dict[str, Callable[[], optuna.samplers.BaseSampler]] = {
        "nsga2": lambda: optuna.samplers.NSGAIISampler(population_size=POPULATION, seed=seed),
        "tpe": lambda: optuna.samplers.TPESampler(seed=seed),
    }
    study = optuna.create_study(
        sampler=samplers[method](), directions=["minimize"] * len(objectives)
    )
    study.optimize(objective, n_trials=trials)
    return np.array(sorted(seen), dtype=np.int64)


def _judged(
    surface: Surface,
    digits: tuple[int, ...],
    objectives: Sequence[str],
    bounds: Mapping[str, float],
) -> tuple[tuple[float, ...], dict[str, float]]:
    """The best of each objective over all settings, and the excess over each bound."""
    row = np.array([digits], dtype=np.int64)
    names = list(dict.fromkeys((*objectives, *bounds)))
    figures = surface.figures(row, names)
    lowest = {name: float(np.min(values)) for name, values in figures.items()}
    over = {
        name: 0.0 if math.isnan(lowest[name]) else lowest[name] - most
        for name, most in bounds.items()
    }
    over["windows"] = 0.0 if bool(surface.space.fits(row)[0]) else 1.0
    worst = 1e300
    return tuple(worst if math.isnan(lowest[name]) else lowest[name] for name in objectives), over
