"""`kskak clubs import FILE`, `kskak clubs export`: clubs and their main districts as CSV (§ 6.7.3).

Not for a club's teams, which belong to the league.
"""

import argparse

from server.cli.data import registers
from server.cli.data.registers import run
from server.usecases.register.report import What

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    registers.configure(parser, What.CLUBS)
