"""The statement of each table, published, measured and the reasons for differences, computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.hotspots import hot_spots
from cocrypt.reproduce.duarte2010 import claims
from cocrypt.reproduce.duarte2010.native import EXTERNAL
from cocrypt.reproduce.duarte2010.settled import above

if TYPE_CHECKING:
    from cocrypt.reproduce.duarte2010.experiment import Reproduction
    from cocrypt.reproduce.duarte2010.timed import Pair, Timed


def profile(result: Reproduction) -> str:
    """Names the hot function, the rule that finds it, and its share of the counted cycles."""
    run, unit = result.profiled.without, result.published["coprocessor"]
    native = result.profiled_native.without
    top = max(hot_spots(run.tree).spots, key=lambda spot: spot.self_cycles)
    return (
        "On the Ibex, the stand-in: of the functions that call no other, most cycles are spent in "
        f"{result.hot}: {100 * run.share(result.hot):.1f} % of encryption and decryption, where "
        f"the paper observed {unit['hot_share_percent']} %; a call takes "
        f"{run.each(result.hot):.1f} cycles instead of {unit['cycles_software']}, because core and "
        f"compiler are others; on the MicroBlaze it is {100 * native.share(result.hot):.1f} %, and "
        f"{native.each(result.hot):.1f} cycles. Most of all is spent in {top.name} itself, "
        f"{100 * top.self_cycles / run.total:.1f} % of T, which no faster {result.hot} changes."
    )


def calls(result: Reproduction) -> str:
    """Compares a call's cycles on the paper's processor with the paper's."""
    software, hardware = above(result)
    slow = result.native.unoptimised
    each = [run.each(result.hot) for run in (slow.without, slow.with_hardware)]
    return (
        f"On the MicroBlaze the paper's calls are {software:.1f} cycles longer in software and "
        f"{hardware:.1f} in hardware, so that both save the same: the paper may have counted two "
        "readings of its timer with each call. Without optimisation a call takes "
        f"{each[0]:.1f} and {each[1]:.1f} cycles and saves {each[0] - each[1]:.1f}: the paper's "
        "program was probably optimised. On the Ibex, the stand-in, the loop and the driver are "
        "other instructions."
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
    natives = [
        pair.without if kind == "without" else pair.with_hardware for pair in result.native.sizes
    ]
    by_native = [run.cycles / theirs for run, theirs in zip(natives, paper, strict=True)]
    return (
        f"Table {number}: on the MicroBlaze we need {min(by_native):.2f} to {max(by_native):.2f} "
        "times the paper's cycles, because the compiler, the key and how a product is made, of "
        "which the paper says nothing, are others; on the Ibex, the stand-in, "
        f"{min(ratios):.2f} to {max(ratios):.2f} times, "
        f"{min(words):,.0f} to {max(words):,.0f} instead of "
        f"{min(published):,.0f} to {max(published):,.0f} "
        "for a word, because its instructions and their cycles are others too. A word's cycles "
        f"differ there by {ours_apart:.1f} % between sizes "
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
    native = result.native.sizes[-1]
    by_native = claims.saved_percent(native.without.cycles, native.with_hardware.cycles)
    row = result.published["row"][-1]
    theirs = 1e6 * (row["without"]["Mcycles"] - row["with"]["Mcycles"])
    less = native.without.cycles - native.with_hardware.cycles
    longer = native.without.cycles / (1e6 * row["without"]["Mcycles"])
    native_share = 100 * native.without.share(result.hot)
    return (
        f"Figure 5: on the MicroBlaze time falls by {by_native:.2f} % instead of "
        f"{result.published['claims']['time_percent']} %: our program saves "
        f"{less / 1e6:.2f} million cycles of the {theirs / 1e6:.2f} that the paper's saves, and "
        f"takes {longer:.2f} times as long; {result.hot} is {native_share:.1f} % of it. On the "
        f"Ibex, the stand-in, time falls by {saved:.2f} %: {result.hot} is {100 * share:.1f} % of "
        f"the time instead of {unit['hot_share_percent']} %, though the coprocessor makes it "
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
    native, ours = (
        claims.saved_percent(
            *(result.energy(run) or 0.0 for run in (pair.without, pair.with_hardware))
        )
        for pair in (result.native.sizes[-1], largest)
    )
    return (
        f"Figure 6: the hardware draws {more:.2f} % more (the paper's figures, which we take), so "
        f"energy falls by {native:.2f} % on the MicroBlaze and by {ours:.2f} % on the Ibex, the "
        f"stand-in, instead of {result.published['claims']['energy_percent']} %: as much less as "
        "time is saved less."
    )


def per_byte(result: Reproduction) -> str:
    """States the change of a byte's energy with the size of the text."""
    rows = [row["with"]["uJ_per_byte"] for row in result.published["row"]]
    native, ours = (
        [pair.with_hardware.cycles / pair.with_hardware.size for pair in pairs]
        for pairs in (result.native.sizes, result.sizes)
    )
    paper_change, native_change, our_change = (
        100 * (values[-1] / values[0] - 1) for values in (rows, native, ours)
    )
    return (
        f"Figure 7: from the least to the largest size a byte's energy changes by "
        f"{paper_change:+.2f} % in the paper, by {native_change:+.2f} % on the MicroBlaze and by "
        f"{our_change:+.2f} % on the Ibex, the stand-in; ours has no part that larger texts share, "
        "for the marks stand next to the work, and follows the words that come up."
    )


def external(result: Reproduction) -> str:
    """Explains the wait states, and what is left to predict."""
    paper = claims.external(result.published)
    theirs = [1e6 * result.published["row"][0][kind]["Mcycles"] for kind in ("without", "with")]
    native, stand_in = (
        _ratios(near, far)
        for near, far in (
            (result.native.sizes[0], result.native.external),
            (result.sizes[0], result.external),
        )
    )
    gains = [100 * (far.speedup - 1) for far in (result.native.external, result.external)]
    return (
        "The paper names no wait states. Ours, in the devices "
        f"{EXTERNAL} and duarte2010-ddr, were chosen so that the program without acceleration "
        "takes about as many times its on-chip cycles as the paper's "
        f"({native[0]:.1f} and {stand_in[0]:.1f}; the paper: {paper[0] / theirs[0]:.1f}). With "
        f"acceleration it then takes {native[1]:.1f} times as many on the MicroBlaze and "
        f"{stand_in[1]:.1f} on the Ibex, the stand-in, where the paper has "
        f"{paper[1] / theirs[1]:.1f}. In external memory the hardware makes the program "
        f"{gains[0]:.1f} and {gains[1]:.1f} % faster, {100 * (paper[0] / paper[1] - 1):.1f} % in "
        "the paper."
    )


def _ratios(near: Pair, far: Pair) -> tuple[float, float]:
    """External cycles by on-chip ones, without and with hardware."""
    return (
        far.without.cycles / near.without.cycles,
        far.with_hardware.cycles / near.with_hardware.cycles,
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
