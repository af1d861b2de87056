"""Measures the analysis of leakage: statistics beside SCALib and scared, gates, software traces.

    python benches/leakage.py [--runs N] [--quick] [--json] [--write FILE]

The statistics are those of 100,000 traces of 1,000 samples (int16) with a known key. The results
of all libraries are compared before a time is printed; they take turns, and medians count. The
peers come from PyPI into build/peers/leakage/. Gates are those of the AES-128 coprocessor in one
rail and in two (WDDL) over the small library that comes with cocrypt, and random ones. --write puts
the table between its marks of a page.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from speed import host

from cocrypt import _native, leakage, paths
from cocrypt.cli.leak_trace import primitive_target
from cocrypt.gates import hardening, library
from cocrypt.gates.synthesis import Wires
from cocrypt.gates.wddl import MASTER_SLAVE
from cocrypt.leakage import models, sampling, statistics
from cocrypt.leakage.ciphers import AES_SBOX, HAMMING

if TYPE_CHECKING:
    from collections.abc import Callable

Array = np.ndarray[Any, Any]
PEERS = {"scalib": "scalib==0.6.4", "scared": "scared==1.2.13"}
"""What pip installs, each in an environment of its own."""
ONCE = {"scared"}
"""Peers that take so long that they run once."""
STATISTICS = {
    "cpa": "CPA of 16 bytes, 256 guesses each",
    "welch": "Welch's t of first order",
    "snr": "SNR of 16 bytes",
}
TOLERANCES = {
    "cpa": {"scalib": 0.01, "scared": 1e-5},
    "welch": {"scalib": 0.001, "scared": 0.001},
    "snr": {"scalib": 1e-6, "scared": 0.01},
}
"""The largest differences of values. SCALib takes the model's variance over all bytes, not over
those that occur; both take the variances of a group for t by n instead of n - 1; and scared gives
each class of an SNR the same weight, however many traces it has."""
SAMPLES, KEY = 1000, bytes(range(16))
DESIGN = Path("coprocessors") / "aes128" / "aes128.fdl"
LANES = 512
CYCLES = 22
"""Eleven cycles of an encryption, each with its precharge."""
UNCOUNTED = 2
"""Cycles of the reset, which are simulated before those."""
MODEL = "hamming"
BLOCKS = re.compile(r"^(.+): (\d+) gates\n((?: .*\n)+)", re.MULTILINE)
SPEEDS = re.compile(r"^ *(\w+)" + 3 * r" +([\d.]+) G/s" + r" +(?:([\d.]+) G/s|-)$", re.MULTILINE)
"""What the bench of gates prints: netlists, each with the speeds by sets of instructions."""


@dataclass(frozen=True)
class Row:
    """What was measured: seconds, or a rate, of each run by tool, and the words on a page."""

    title: str
    unit: str
    figures: dict[str, list[float]]


@dataclass(frozen=True)
class Reference:
    """The reference set: in memory, in a folder for the peers, and as a set of ours."""

    folder: Path
    traces: leakage.TraceSet
    groups: Array

    @classmethod
    def draw(cls, folder: Path, count: int) -> Reference:
        """Normal noise, in which each S-box output and the group of a trace show at one sample."""
        generator = np.random.default_rng(27)
        text = generator.integers(0, 256, (count, len(KEY)), dtype=np.uint8)
        groups = generator.integers(0, 2, count, dtype=np.uint8)
        values = 100 * generator.standard_normal((count, SAMPLES), dtype=np.float32)
        for index, key in enumerate(KEY):
            values[:, 60 * index] += 20 * HAMMING[AES_SBOX[text[:, index] ^ key]]
        values[:, -1] += 5 * groups
        traces = np.rint(values).astype(np.int16)
        content: dict[str, Array] = {"traces": traces, "text": text, "groups": groups}
        content["model"] = HAMMING[AES_SBOX].astype(np.float64)
        for name, array in content.items():
            np.save(folder / f"{name}.npy", array)
        columns = {"plaintext": (np.uint8, (len(KEY),))}
        with leakage.TraceSetWriter.create(folder / "set", SAMPLES, np.int16, columns) as writer:
            writer.append(traces, plaintext=text)
        return cls(folder, leakage.TraceSet.open(folder / "set"), groups)

    def ours(self, statistic: str) -> Array:
        """Our result, in the form of `leakage_peer.py`; of CPA, the curves of the right guesses."""
        chosen = leakage.part(self.traces)
        selections = leakage.MODELS["aes-first"].select("plaintext", None)
        if statistic == "welch":
            return leakage.welch(self.traces, chosen, self.groups).t[0]
        if statistic == "snr":
            # The classes of a table with a value for each byte are the bytes.
            shares = leakage.explained(self.traces, chosen, selections)
            return np.stack([statistics.signal_to_noise(share) for share in shares])
        (found,) = leakage.attack(self.traces, chosen, selections, [chosen.count], list(KEY))
        if bytes(outcome.best for outcome in found) != KEY:
            raise SystemExit("CPA does not find the key")
        return np.stack([found[index].curves[key] for index, key in enumerate(KEY)])


class Peer:
    """Another library, in a process of its own that holds the reference set."""

    def __init__(self, name: str, reference: Reference) -> None:
        self.name, self.folder = name, reference.folder
        script = Path(__file__).with_name("leakage_peer.py")
        self.process = subprocess.Popen(
            [environment(name), script, name, str(reference.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, statistic: str) -> float:
        """Computes a statistic; raises `SystemExit` if the library fails."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{statistic}\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"{self.name} fails at {statistic}")
        return float(line)

    def result(self, statistic: str) -> Array:
        """The result of the last run, of CPA that of the right guesses."""
        found: Array = np.load(self.folder / f"{self.name}-{statistic}.npy")
        return found[range(len(KEY)), list(KEY)] if statistic == "cpa" else found

    def close(self) -> None:
        """Ends the process."""
        self.process.communicate()


def environment(name: str) -> Path:
    """The interpreter with a peer, which is installed unless it is there.

    Raises `subprocess.CalledProcessError` where pip fails.
    """
    folder = paths.root() / "build" / "peers" / "leakage" / PEERS[name].replace("==", "-")
    interpreter = folder / "bin" / "python"
    if not (folder / "complete").exists():
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = (interpreter, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        subprocess.run([*pip, PEERS[name]], check=True, capture_output=True, text=True)
        (folder / "complete").touch()
    return interpreter


def started(reference: Reference) -> tuple[dict[str, Peer], dict[str, str]]:
    """The peers that install here, and why the others do not."""
    peers, reasons = {}, {}
    for name in PEERS:
        try:
            peers[name] = Peer(name, reference)
        except (OSError, subprocess.CalledProcessError) as error:
            text = str(getattr(error, "stderr", None) or error)
            reasons[name] = text.strip().splitlines()[-1]
    return peers, reasons


def compared(reference: Reference, peers: dict[str, Peer], runs: int) -> list[Row]:
    """The statistics: all results agree, then each library takes its turn in each run."""
    rows = []
    for statistic, title in STATISTICS.items():
        figures: dict[str, list[float]] = {"cocrypt": []}
        wanted = reference.ours(statistic)
        for run in range(runs):
            say(f"{title}: run {run + 1} of {runs}")
            figures["cocrypt"].append(seconds(partial(reference.ours, statistic)))
            for name, peer in peers.items():
                if run and name in ONCE:
                    continue
                figures.setdefault(name, []).append(peer.seconds(statistic))
                require_same(statistic, name, wanted, peer.result(statistic))
        rows.append(Row(title, "s", figures))
    return rows


def require_same(statistic: str, name: str, ours: Array, theirs: Array) -> None:
    """Raises `SystemExit` unless all values are within the tolerance; signs of t may differ."""
    if statistic == "welch":
        ours, theirs = np.abs(ours), np.abs(theirs)
    difference = float(np.abs(ours - theirs).max())
    say(f"{statistic}: {name} differs by at most {difference:.2g}")
    if not difference <= TOLERANCES[statistic][name]:
        raise SystemExit(f"{statistic}: cocrypt and {name} differ by {difference}")


def hardened_aes() -> hardening.Pair:
    """AES-128 in one rail and in two, whose values are the same."""
    say("hardening AES-128")
    cells = library.load(library.USUAL)
    pair = hardening.hardened(paths.root() / DESIGN, None, cells, MASTER_SLAVE)
    # Raises if the values of the rails are not those of the single one.
    pair.simulate([hardening.random_data(pair.mapped.single, 13, random.Random(27))], Wires())
    return pair


def lanes(folder: Path, netlists: dict[str, str]) -> list[Row]:
    """Evaluations of gates on one core, by the widest instructions of the host."""
    files = []
    for title, text in netlists.items():
        files.append(folder / f"{title}.json")
        files[-1].write_text(text, encoding="utf-8")
    say("evaluations of gates")
    command = ["cargo", "bench", "--locked", "--offline", "-p", "cocrypt-gates", "--"]
    command += map(str, files)
    run = subprocess.run(command, cwd=paths.root(), check=True, stdout=subprocess.PIPE, text=True)
    rows: dict[str, list[Row]] = {
        "values of ports": [],
        "values of all nets": [],
        "energies too": [],
        "energies of many cycles": [],
    }
    for path, count, block in BLOCKS.findall(run.stdout):
        name, *figures = SPEEDS.findall(block)[-1]
        for (kind, found), value in zip(rows.items(), figures, strict=True):
            if not value:
                continue
            title = f"gates, {kind}: {Path(path).stem}, {int(count):,} ({name})"
            found.append(Row(title, "G gate-lanes/s", {"cocrypt": [float(value)]}))
    return [row for found in rows.values() for row in found]


def power(pair: hardening.Pair, runs: int, count: int) -> list[Row]:
    """Power traces of AES-128 in two rails: on one core, and a number of them on two."""
    cells, wires = pair.library, Wires()
    netlist, loads = pair.double.netlist, (wires.base, wires.fanout, cells.output_load)

    def simulated(batches: int) -> float:
        text = (str(cells.path), cells.text, netlist)
        size = (CYCLES, batches, 27)
        return seconds(lambda: _native.gates_energy(*text, loads, (0.0, 0), None, size))

    batches = max(1, count // 10 // LANES)
    rates = []
    for run in range(runs):
        say(f"power traces on one core: run {run + 1} of {runs}")
        # Reading the netlist is not a part of a trace.
        taken = on_cores(1, lambda: simulated(batches) - simulated(0))
        rates.append(batches * LANES / taken)
    say("power traces on two cores")
    whole = on_cores(2, lambda: simulated(-(-count // LANES)))
    gates = sum(pair.double.report(wires)["cells"].values())
    title = f"power traces of AES-128 in two rails ({gates:,} cells, {CYCLES} cycles), one core"
    return [
        Row(title, "traces/s", {"cocrypt": rates}),
        Row(f"{count:,} such traces on two cores", "s", {"cocrypt": [whole]}),
    ]


def on_cores(count: int, run: Callable[[], float]) -> float:
    """Runs on so many cores, or on as many as there are."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(allowed)[:count])
    try:
        return run()
    finally:
        os.sched_setaffinity(0, allowed)


def software(runs: int, count: int) -> list[Row]:
    """Instructions of AES-128 that are traced in a second of one core, with the model's samples.

    Runs come in chunks as large as those of `cocrypt leak trace`. What counts is the processor's
    time, so that other work on the machine does not.
    """
    target = primitive_target("aes128/ref", "picorv32", None, None, None)
    text, result = (target.ranges[name] for name in ("text", "result"))
    sampler = _native.LeakageSampler(
        target.machine.native,
        models.model(MODEL).path,
        [(text.address, text.size)],
        [(result.address, result.size)],
        10**7,
        1,
    )
    first = sampler.first(bytes(text.size))
    size = sampling.runs_at_once(first["cycles"], jobs=1)
    chunks = -(-count // size)
    contents = np.random.default_rng(27).bytes(size * text.size)
    encryptor = Cipher(algorithms.AES(dict(target.constants)["key"]), modes.ECB()).encryptor()
    expected, rates = encryptor.update(contents), []
    for run in range(runs):
        say(f"software traces: run {run + 1} of {runs}")
        start = time.process_time()
        for _ in range(chunks):
            _, _, digests, read = sampler.run(contents, size, first["cycles"])
        taken = time.process_time() - start
        if read != expected or set(digests) != {first["digest"]}:
            raise SystemExit("traced encryptions are wrong, or take different paths")
        rates.append(chunks * size * first["instructions"] / taken / 1e6)
    title = f"software traces of AES-128 on PicoRV32, model `{MODEL}`, one core"
    return [Row(title, "M instructions/s", {"cocrypt": rates})]


def lines(
    rows: list[Row], reasons: dict[str, str], size: tuple[int, int], busy: float
) -> list[str]:
    """The table as Markdown, for so many runs and traces of the reference set."""
    runs, count = size
    tools = ("cocrypt", *PEERS)
    titles = ["cocrypt", *(versioned(name) for name in PEERS)]
    text = [
        f"{runs} runs each, scared and the long ones once: median (least to most). The statistics",
        f"are of {count:,} traces of {SAMPLES:,} samples (int16), on all cores; cocrypt reads the",
        "traces from a trace set, the others have them in memory. A power trace is the energies of",
        "all cycles, for random inputs; they are summed, not written. Software traces count by the",
        "processor's time.",
        "",
        f"| what | unit | {' | '.join(titles)} |",
        "|---|---|" + "--:|" * len(tools),
    ]
    for row in rows:
        cells = [cell(row.figures.get(name)) for name in tools]
        text.append(f"| {row.title} | {row.unit} | {' | '.join(cells)} |")
    text += [
        "",
        *(f"{versioned(name)} does not install here: {why}." for name, why in reasons.items()),
    ]
    text.append(f"Host: {host(None)}.")
    if busy > 1:
        text += [
            f"The machine was shared: its load average was {busy:.1f} before the run, on",
            f"{os.cpu_count()} cores.",
        ]
    return text


def versioned(name: str) -> str:
    """A peer as a page names it, with its version."""
    return PEERS[name].replace("==", " ").replace("scalib", "SCALib")


def cell(runs: list[float] | None) -> str:
    """Median, least and most."""
    if not runs:
        return "-"
    if len(runs) == 1:
        return figure(runs[0])
    return f"{figure(median(runs))} ({figure(min(runs))} to {figure(max(runs))})"


def figure(value: float) -> str:
    """A figure with three digits, or all those before the point."""
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def seconds(run: Callable[[], object]) -> float:
    """The duration of a call."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def say(text: str) -> None:
    """Prints the progress."""
    print(text, file=sys.stderr, flush=True)


def main() -> None:
    """Parses the arguments, measures, writes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="a tenth of the traces, once")
    parser.add_argument("--json", action="store_true", help="print figures of each run as JSON")
    parser.add_argument("--write", type=Path, help="put the table into this page")
    words = parser.parse_args()
    busy = os.getloadavg()[2]
    runs, count = (1, 10_000) if words.quick else (words.runs, 100_000)
    with tempfile.TemporaryDirectory(prefix="cocrypt-bench-") as scratch:
        reference = Reference.draw(Path(scratch), count)
        peers, reasons = started(reference)
        rows = compared(reference, peers, runs)
        for peer in peers.values():
            peer.close()
        pair = hardened_aes()
        netlists = {"AES-128": pair.single.netlist, "AES-128 in two rails": pair.double.netlist}
        rows += lanes(Path(scratch), netlists)
    rows += [*power(pair, runs, 10 * count), *software(runs, count // 10)]
    table = "\n".join(lines(rows, reasons, (runs, count), busy))
    if words.json:
        print(json.dumps({"rows": [asdict(row) for row in rows], "missing": reasons}, indent=2))
    else:
        print(table)
    if words.write:
        paths.write_between(words.write, "speed of leakage", table)


if __name__ == "__main__":
    main()
