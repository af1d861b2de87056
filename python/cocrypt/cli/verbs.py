"""The verbs of the command, each of which is loaded when it is called."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from cocrypt.cli import examples
from cocrypt.cli.decorate import decorated

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter
    from typer._click.shell_completion import CompletionItem

VERBS = {
    "new": "Write a project that works: a program, a study, and a function to put into hardware.",
    "explore": "Build and run the partitions of a study; print a table, write a report.",
    "build": "Build the images of a study; write one ELF file for each workload and partition.",
    "java": "Build a program in Java for a device: write its ELF file, print what it takes.",
    "compare": "Compare figures of two runs or measurements; fail if one grew by more than the "
    "bound.",
    "verify": "Run a study's programs, or generated ones, on the model and at RTL, and compare.",
    "reproduce": "Run a paper's experiment again; print its tables beside ours and what they say.",
    "authenticate": "Run a network of CA, server and terminal: each step with its cycles, time and "
    "energy.",
    "run": "Run an image or a study's workload; print cycles, ROM, RAM, stack and energy.",
    "profile": "Run an image or a study's workload; print what its cycles go to.",
    "measure": "Measure primitives: cycles, cycles per byte, ROM, RAM, stack and energy.",
    "portfolio": "Tell which primitives fit budgets of ROM and RAM, by which implementation, and "
    "how fast.",
    "fdl": "Designs in FDL: check them, run them, write them as Verilog or VHDL.",
    "synth": "Synthesise a design; print area, cells, longest path and energy of a cycle.",
    "harden": "Harden a design against power analysis; compare the netlist with the unprotected "
    "one.",
    "leak": "Leaks of secrets that an observer can see.",
    "devices": "List the devices, with core, clock and waits.",
    "primitives": "List the primitives with their implementations.",
    "trust": "Trust a project: compilers and Verilog that it names run as you, without a sandbox.",
    "toolchain": "Build binutils and GCC for a target that no distribution has ready, or list what "
    "is there.",
    "cache": "Print what is kept between runs, by kind, with its size; or clear it.",
    "doctor": "Name every tool with its version, or what it is for and how to get it.",
}
"""The names of modules beside this one, each with the first paragraph of its help, so that the
verbs can be listed without loading them."""


class Loaded(MutableMapping[str, "Command"]):
    """Verbs by name, loaded when they are asked for."""

    def __init__(self) -> None:
        self._kept: dict[str, Command] = {}

    def __getitem__(self, name: str) -> Command:
        if name not in VERBS:
            raise KeyError(name)
        if name not in self._kept:
            self._kept[name] = _load(name)
        return self._kept[name]

    def __setitem__(self, name: str, command: Command) -> None:
        self._kept[name] = command

    def __delitem__(self, name: str) -> None:
        del self._kept[name]

    def __iter__(self) -> Iterator[str]:
        return iter(VERBS)

    def __len__(self) -> int:
        return len(VERBS)


def _load(name: str) -> Command:
    """A verb, or a group of them, from the module that has it."""
    module = import_module(f"cocrypt.cli.{name}")
    single = typer.Typer(add_completion=False, rich_markup_mode=None)
    if not hasattr(module, "app"):
        single.command(name, epilog=examples.text(name))(decorated(module.command))
        return typer.main.get_command(single)
    single.add_typer(_decorate(name, module.app), name=name)
    return typer.main.get_group(single).commands[name]


def _decorate(group: str, app: typer.Typer) -> typer.Typer:
    """Gives the verbs of a group the options and examples that every verb has, once."""
    for info in app.registered_commands:
        if info.callback and info.epilog is None:
            info.callback = decorated(info.callback)
            info.epilog = examples.text(f"{group} {info.name}")
    return app


class Group(TyperGroup):
    """Verbs whose help is shown whole, not cut to a line."""

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Writes the purpose of each verb."""
        with formatter.section("Commands"):
            formatter.write_dl(self.summaries(ctx))

    def summaries(self, ctx: Context) -> list[tuple[str, str]]:
        """Each verb with the first paragraph of its help."""
        commands = [(name, self.get_command(ctx, name)) for name in self.list_commands(ctx)]
        return [(name, _summary(command)) for name, command in commands if command]


def _summary(command: Command) -> str:
    return " ".join((command.help or "").partition("\n\n")[0].split())


class Verbs(Group):
    """The command itself, which has its verbs by name."""

    def __init__(self, **attributes: Any) -> None:  # noqa: ANN401 - as its base class has them.
        super().__init__(**attributes)
        self.commands = Loaded()

    def list_commands(self, ctx: Context) -> list[str]:  # noqa: ARG002 - as its base class has it.
        """The names of the verbs, in the order in which they are shown."""
        return list(VERBS)

    def summaries(self, ctx: Context) -> list[tuple[str, str]]:  # noqa: ARG002 - the same.
        """Each verb with the first paragraph of its help."""
        return list(VERBS.items())

    def shell_complete(self, ctx: Context, incomplete: str) -> list[CompletionItem]:
        """The verbs and options that begin with the text typed so far."""
        from typer._click import Command
        from typer._click.shell_completion import CompletionItem

        names = [name for name in VERBS if name.startswith(incomplete)]
        verbs = [CompletionItem(name, help=VERBS[name]) for name in names]
        return verbs + Command.shell_complete(self, ctx, incomplete)
