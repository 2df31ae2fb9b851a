"""The command `kskak`, also `python -m server`; everything is in `server.cli`."""

import sys
from collections.abc import Sequence

from server import cli


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line (without the program's name) and return its exit code: 0, 1 or 2."""
    return cli.run(sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    sys.exit(main())
