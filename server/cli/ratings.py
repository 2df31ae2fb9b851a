"""`kskak ratings import FILE`, `kskak ratings export`: ratings as CSV (§ 4.5).

Not for computing ratings.
"""

import argparse

from server.cli import registers
from server.cli.registers import run
from server.usecases.register.report import What

__all__ = ["configure", "run"]


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    registers.configure(parser, What.RATINGS)
