"""The statement of each table, published, measured and the reasons for differences, computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.hotspots import hot_spots
from cocrypt.reproduce.duarte2010 import claims

if TYPE_CHECKING:
    from cocrypt.reproduce.duarte2010.experiment import Reproduction
    from cocrypt.reproduce.duarte2010.timed import Timed


def profile(result: Reproduction) -> str:
    """Names the hot function, the rule that finds it, and its share of the counted cycles."""
    run, unit = result.profiled.without, result.published["coprocessor"]
    top = max(hot_spots(run.tree).spots, key=lambda spot: spot.self_cycles)
    return (
        f"Of the functions that call no other, most cycles are spent in {result.hot}: "
        f"{100 * run.share(result.hot):.1f} % of encryption and decryption, where the paper "
        f"observed {unit['hot_share_percent']} %; a call takes {run.each(result.hot):.1f} cycles "
        f"instead of {unit['cycles_software']}, because core and compiler are others. Most of all "
        f"is spent in {top.name} itself, {100 * top.self_cycles / run.total:.1f} % of T, which "
        f"no faster {result.hot} changes."
    )


def times(result: Reproduction, number: str, kind: str) -> str:
    """Compares our cycles with the paper's, and their growth with the size."""
    rows = result.published["row"]
    runs = [pair.without if kind == "without" else pair.with_hardware for pair in result.sizes]
    paper = [1e6 * row[kind]["Mcycles"] for row in rows]
    ratios = [run.cycles / theirs for run, theirs in zip(runs, paper, strict=True)]
    words = [4 * run.cycles / run.size for run in runs]
    ours_apart = 100 * (max(words) / min(words) - 1)
    published = [4 * cycles / row["bytes"] for cycles, row in zip(paper, rows, strict=True)]
    return (
        f"Table {number}: we need {min(ratios):.2f} to {max(ratios):.2f} times the paper's cycles, "
        f"{min(words):,.0f} to {max(words):,.0f} instead of "
        f"{min(published):,.0f} to {max(published):,.0f} "
        "for a word, because the core (Ibex instead of MicroBlaze), the compiler, the key and how "
        "a product is made, of which the paper says nothing, are others; a word's cycles differ "
        f"by {ours_apart:.1f} % between sizes "
        f"({100 * (max(published) / min(published) - 1):.1f} % in the paper), because doubling "
        "and adding take as many steps as a factor has bits. Time and energy follow from the "
        "paper's clock and power."
    )


def speedup(result: Reproduction) -> str:
    """Compares the gain with the bound of Amdahl's law."""
    pair, unit = result.profiled, result.published["coprocessor"]
    share = pair.without.share(result.hot)
    cycles = pair.without.each(result.hot), pair.with_hardware.each(result.hot)
    factor = cycles[0] / cycles[1]
    bound, most = claims.amdahl(share, factor), claims.amdahl(share, float("inf"))
    largest = result.sizes[-1]
    saved = claims.saved_percent(largest.without.cycles, largest.with_hardware.cycles)
    return (
        f"Figure 5: our time falls by {saved:.2f} % instead of "
        f"{result.published['claims']['time_percent']} %: {result.hot} is {100 * share:.1f} % of "
        f"our time instead of {unit['hot_share_percent']} %, though the coprocessor makes it "
        f"{factor:.2f} times as fast ({cycles[0]:.1f} to {cycles[1]:.1f} cycles) instead of "
        f"{unit['cycles_software'] / unit['cycles_hardware']:.2f} ({unit['cycles_software']} to "
        f"{unit['cycles_hardware']}), since our driver is two transfers and little else. Amdahl's "
        f"law gives {100 * (bound - 1):.2f} % more speed, {100 * (pair.speedup - 1):.2f} % were "
        f"measured; hardware that takes no time at all would give {100 * (most - 1):.2f} %, and an "
        f"access that takes a cycle more (7 and 3 instead of 7 and 2) leaves "
        f"{100 * (pair.without.cycles / result.slower_bus.cycles - 1):.2f} %."
    )


def energy(result: Reproduction) -> str:
    """States the energy saved although the hardware draws more."""
    platform, largest = result.published["platform"], result.sizes[-1]
    more = 100 * (platform["power_W_with"] / platform["power_W_without"] - 1)
    ours = [result.energy(run) or 0.0 for run in (largest.without, largest.with_hardware)]
    return (
        f"Figure 6: the hardware draws {more:.2f} % more (the paper's figures, which we take), so "
        f"energy falls by {claims.saved_percent(*ours):.2f} % instead of "
        f"{result.published['claims']['energy_percent']} %: as much less as time is saved less."
    )


def per_byte(result: Reproduction) -> str:
    """States the change of a byte's energy with the size of the text."""
    rows = [row["with"]["uJ_per_byte"] for row in result.published["row"]]
    runs = [pair.with_hardware for pair in result.sizes]
    ours = [run.cycles / run.size for run in runs]
    paper_change, our_change = (100 * (values[-1] / values[0] - 1) for values in (rows, ours))
    return (
        f"Figure 7: from the least to the largest size a byte's energy changes by "
        f"{paper_change:+.2f} % in the paper and by {our_change:+.2f} % in ours; ours has no part "
        "that larger texts share, for the marks stand next to the work, and follows the words "
        "that come up."
    )


def external(result: Reproduction) -> str:
    """Explains the wait states, and what is left to predict."""
    least, away = result.sizes[0], result.external
    paper = claims.external(result.published)
    theirs = 1e6 * result.published["row"][0]["with"]["Mcycles"]
    return (
        "The paper names no wait states. Ours, in the device duarte2010-ddr, were chosen so that "
        f"the program without acceleration takes about as many times its on-chip cycles as the "
        f"paper's ({away.without.cycles / least.without.cycles:.1f}); with acceleration it then "
        f"takes {away.with_hardware.cycles / least.with_hardware.cycles:.1f} times as many, where "
        f"the paper has {paper[1] / theirs:.1f}. In external memory the hardware makes us "
        f"{100 * (away.speedup - 1):.1f} % faster, {100 * (paper[0] / paper[1] - 1):.1f} % in the "
        "paper."
    )


def resources(result: Reproduction) -> str:
    """Compares the areas."""
    unit = result.published["coprocessor"]
    (name, ours), *_ = result.resources.items()
    return (
        f"{name} takes {ours.luts} LUTs where the paper has {unit['luts']}; whether those count an "
        f"interface to the PLB, the paper does not say. By {ours.yosys}, synth_xilinx -family "
        f"{ours.family}; slices are a lower bound, as if each of them were full."
    )


def choices(result: Reproduction) -> str:
    """Compares the paper's choice with others."""
    base, paper = result.choices[0], result.profiled.with_hardware
    software = [run for run in result.choices if not run.partition.hw]
    free = _by_hot(result, software)
    best = min(software, key=lambda run: run.cycles)
    units = [
        run for run in result.choices if run.partition.hw and run.partition.hw != (result.hot,)
    ]
    unit = min(units, key=lambda run: run.cycles)
    return (
        f"The paper's coprocessor makes the program {base.cycles / paper.cycles:.2f} times as "
        f"fast; {free.partition.name}, in software, {base.cycles / free.cycles:.2f} times, without "
        f"any hardware; {best.partition.name} {base.cycles / best.cycles:.1f} times, also in "
        f"software; {unit.partition.name}, with {result.coprocessor(unit)} on the same bus, "
        f"{base.cycles / unit.cycles:.1f} times: for {unit.waited:,} of its {unit.cycles:,} "
        f"cycles it waits on the bus, and numbers of one word are what a core multiplies itself."
        f"{_slower(result, software)}"
    )


def _slower(result: Reproduction, software: list[Timed]) -> str:
    """Names the other software that is slower than what it replaces."""
    worse = [run.partition.name for run in software if run.cycles > result.choices[0].cycles]
    if not worse:
        return ""
    return f" {' and '.join(worse)} is slower: the core divides no numbers of 64 bits."


def _by_hot(result: Reproduction, runs: list[Timed]) -> Timed:
    """The fastest run in which the hot function, and nothing else, is other software."""
    alone = [run for run in runs if run.partition.choice[result.hot] != "software"]
    return min((run for run in alone if run.partition.replaced == 1), key=lambda run: run.cycles)
