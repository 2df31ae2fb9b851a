"""`--config` for the commands that need settings.

Not for: what the settings are (`server.settings`).
"""

import argparse
import os
from pathlib import Path

from server import crash
from server.cli.problems import InputError
from server.settings import Settings, SettingsError, load_settings

DEFAULT = Path("config.toml")


def add_config_option(parser: argparse.ArgumentParser) -> None:
    """`--config FILE`; without it `config.toml`, if there is one."""
    parser.add_argument(
        "--config",
        type=Path,
        metavar="FILE",
        help=f"settings file (default: {DEFAULT}, if present)",
    )


def settings_of(args: argparse.Namespace) -> Settings:
    """The settings for a call; an error in them is an `InputError`.

    What the call creates from then on (databases with their logs, copies, exports, keys) is for its
    own user alone.
    """
    os.umask(0o077)
    path: Path | None = args.config or (DEFAULT if DEFAULT.exists() else None)
    try:
        crash.armed()  # an error here would otherwise stop the server at its first mail
    except ValueError as error:
        raise InputError(f"environment: {error}") from error
    try:
        return load_settings(path)
    except SettingsError as error:
        raise InputError(str(error)) from error
