"""The diagrams of the report: the system, one transaction, the coprocessors' states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cocrypt.coprocessor import Coprocessor
from cocrypt.report.diagrams import Message, machines, sequence, system
from cocrypt.report.diagrams.connections import connections, datapaths
from cocrypt.report.text import fastest
from cocrypt.visible import escape

if TYPE_CHECKING:
    from cocrypt.explore import Exploration
    from cocrypt.explore.transaction import Transaction, Transfer


def block_diagram(result: Exploration) -> str:
    """The system with the coprocessors of the fastest partition."""
    return system(result.study.device, _coprocessors(result))


def transaction_diagram(transaction: Transaction) -> str:
    """The first transaction, with runs of transfers to one register as one arrow."""
    messages: list[Message] = []
    for run in _runs(transaction.transfers):
        first, last = run[0], run[-1]
        cycles = f"{first.request:,}"
        if first.role == "status":
            messages.append(_status(run, cycles))
            continue
        values = f" = {first.value:#x}" if len(run) == 1 else f", {len(run)} words"
        spent = last.answer - first.request
        words = f"{first.register}{values} ({spent:,} cycles)"
        source, target = (0, 1) if first.writes else (1, 0)
        messages.append(Message(source, target, words, answer=not first.writes, left=cycles))
    return sequence(
        ["driver", transaction.coprocessor],
        messages,
        f"a transaction with {transaction.coprocessor}",
    )


def _status(run: list[Transfer], cycles: str) -> Message:
    """A message for all reads of the status register in a row."""
    often = "once" if len(run) == 1 else f"{len(run)} times"
    spent = run[-1].answer - run[0].request
    words = f"{run[0].register} asked {often}, at last {run[-1].value:#x} ({spent:,} cycles)"
    return Message(1, 0, words, answer=True, left=cycles)


def _runs(transfers: tuple[Transfer, ...]) -> list[list[Transfer]]:
    """Transfers in a row that go to one register in one direction."""
    runs: list[list[Transfer]] = []
    for transfer in transfers:
        before = runs[-1][-1] if runs else None
        if before and (before.register, before.writes) == (transfer.register, transfer.writes):
            runs[-1].append(transfer)
        else:
            runs.append([transfer])
    return runs


def state_diagrams(result: Exploration) -> str:
    """The states of each coprocessor of the fastest partition that is written in FDL."""
    parts = []
    for coprocessor in _coprocessors(result):
        if coprocessor.is_verilog:
            continue
        for name, drawn in machines(coprocessor.design, coprocessor.top):
            parts.append(
                f"<details open><summary>{escape(name)}</summary>"
                f'<div class="box plain" tabindex="0">{drawn}</div></details>'
            )
    return "".join(parts)


def connection_diagrams(result: Exploration) -> str:
    """Who drives whom in each of these coprocessors' datapaths; that of the top is open."""
    parts = []
    for coprocessor in _coprocessors(result):
        if coprocessor.is_verilog:
            continue
        for name in datapaths(coprocessor.design):
            drawn = connections(coprocessor.design, name)
            state = " open" if name == coprocessor.top else ""
            if drawn:
                parts.append(f"<details{state}><summary>{escape(name)}</summary>{drawn}</details>")
    return "".join(parts)


def _coprocessors(result: Exploration) -> list[Coprocessor]:
    choice = fastest(result).measurement.partition.choice
    return [Coprocessor.load(path) for path in result.study.coprocessors(choice)]
