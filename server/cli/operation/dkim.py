"""`kskak dkim`: the key that letters are signed with, made once, and its record for the DNS.

Not for publishing the record: that is done where the domain is kept.
"""

import argparse

from mail.outgoing.dkim_signing import UnusableKey, record
from server.cli.config import add_config_option, settings_of
from server.cli.problems import InputError
from server.usecases.mail.dkim_key import KeyFault, make, path_of, read, unusable

_PIECE = 255
"""The most characters of one string in a TXT record."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Arguments of the command."""
    add_config_option(parser)


def run(args: argparse.Namespace) -> int:
    """Exit 0: the record; 2: the key can't be read or made."""
    settings = settings_of(args)
    try:
        path = path_of(settings)
        if not path.exists():
            make(path)
            print(f"# a new key: {path}")
        value = record(read(path))
    except KeyFault as error:
        raise InputError(str(error)) from error
    except UnusableKey as error:
        raise InputError(unusable(path)) from error
    pieces = " ".join(f'"{value[at : at + _PIECE]}"' for at in range(0, len(value), _PIECE))
    name = f"{settings.mail.out.dkim_selector}._domainkey.{settings.mail.domain}."
    print(f"{name} IN TXT ( {pieces} )")
    return 0
