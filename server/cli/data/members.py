"""`kskak members import FILE`, `kskak members export`: members as CSV (§ 6.4.4).

Not for entries, which belong to a tournament.
"""

import argparse

from server.cli.data import registers
from server.cli.data.registers import run
from server.usecases.register.report import What

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    registers.configure(parser, What.MEMBERS)
