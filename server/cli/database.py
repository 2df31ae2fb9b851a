"""The commands about the database: `backup`, `restore`, `repair`, `retention`, `verify`, and
`doctor`, which looks at all that is around it too.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic

from mail.text.catalogue import LANGUAGES, Words
from server.cli import JSON, InputError, command, lazily, option, say, telling
from server.cli.config import (
    CONFIG,
    config_of,
    find_database,
    hold_database,
    on_core,
    on_store,
    reporting,
    settings_of,
)

with lazily():
    from kskak.regulation import days
    from server import clock, settings
    from server.store.engine import store as stores
    from server.usecases.desks import (
        database_backup,
        database_care,
        database_copy,
        doctor,
        readiness,
    )
    from server.usecases.rating import computing

# `kskak backup FILE`: make a checked copy of the database; the server may be running.


@command(
    "backup",
    option("file", metavar="FILE", type=Path, help="the copy to write; must not exist"),
    option(
        "--keep",
        type=int,
        metavar="N",
        help="FILE is a folder: prove the copy by restoring it, and keep the N newest made so",
    ),
    option(
        "--keys",
        action="store_true",
        help="beside it (….keys.tar) what starts a new machine: secrets, DKIM key, settings",
    ),
    CONFIG,
)
def run_backup(args: argparse.Namespace) -> int:
    """Exit 0: the copy was made and is sound; 2: it can't be made, and nothing was written."""
    if args.keep is not None and args.keep < 1:
        raise InputError(f"--keep {args.keep}: at least 1 copy is kept")
    settings = settings_of(args)

    async def copied(store: stores.Store) -> Path:
        if args.keep is None:
            await database_backup.backup(store, args.file)
            made: Path = args.file
        else:
            now = clock.SystemClock().now()
            made = await database_backup.keep_copy(store, args.file, args.keep, now)
        if args.keys:
            database_backup.write_keys(settings, config_of(args), database_backup.keys_of(made))
        return made

    made = on_store(settings, copied)
    print(f"{made}: copied and {'checked' if args.keep is None else 'proved'}")
    if args.keys:
        print(f"{database_backup.keys_of(made)}: secrets are in it; keep it apart")
    return 0


# `kskak restore FILE`: put a copy back, after checking that it is sound.


@command(
    "restore",
    option("file", metavar="FILE", type=Path, help="a copy made by `kskak backup`"),
    option("--force", action="store_true", help="replace a database even if it holds games"),
    CONFIG,
)
def run_restore(args: argparse.Namespace) -> int:
    """Exit 0: restored; 2: a server runs, a bad copy, or a database with games; nothing changed."""
    settings = settings_of(args, makes=True)
    base = settings.database
    with hold_database(settings, "restore"):
        reporting(
            partial(database_backup.restore, args.file, base.url, base.backups, force=args.force)
        )
    print(f"{args.file}: proved and restored; start the server again")
    return 0


# `kskak copy --from URL --to URL`: the same federation on the other kind of database.


@command(
    "copy",
    option("--from", dest="source", required=True, metavar="URL", help="the database to copy"),
    option("--to", dest="target", required=True, metavar="URL", help="an empty database"),
    description=(
        "Copy every row, then count and verify. No server may work on either. Stopped halfway, "
        "run it again: it goes on. Then write the new address in database.url."
    ),
)
def run_copy(args: argparse.Namespace) -> int:
    """Exit 0: copied and sound; 1: what came is not sound; 2: it can't be, or is not whole yet."""
    both = [_settings_on("--from", args.source), _settings_on("--to", args.target)]
    find_database(both[0], "--from")
    with hold_database(both[0], "copy"), hold_database(both[1], "copy"):
        report = reporting(partial(_copy, *(one.database.url for one in both)))
    for found in report.findings:
        print(f"{found.game or 'database'}: {found.what}", file=sys.stderr)
    print(f"{report.games} games, {report.events} events: copied, {len(report.findings)} findings")
    return 0 if report.is_sound else 1


def _settings_on(named: str, url: str) -> settings.Settings:
    """Settings with this database. A password is not taken: PGPASSWORD or ~/.pgpass has it."""
    try:
        return settings.settings_from({"database": {"url": url}})
    except settings.SettingsError as error:
        told = str(error).partition("database.url")[2].replace("KSKAK_DATABASE__URL", "PGPASSWORD")
        raise InputError(f"{named}{told}") from error


async def _copy(source_url: str, target_url: str) -> database_care.DatabaseReport:
    source = await stores.Store.open(source_url)
    try:
        target = await stores.Store.open(target_url)
        try:
            return await database_copy.copy_database(source, target, telling())
        finally:
            await target.close()
    finally:
        await source.close()


# `kskak doctor`: what an operator should mend, with the line to write.


@command(
    "doctor",
    CONFIG,
    JSON,
    option("--lang", choices=LANGUAGES, default="en", help="language of the texts (default: en)"),
    option("--no-restore", action="store_true", help="don't try to restore the newest copy"),
    description="Look at the machine, the database, its copies, the mail, TLS and the DNS.",
)
def run_doctor(args: argparse.Namespace) -> int:
    """Exit 0: nothing to mend; 1: a fault, with what to write; 2: the database can't be read."""
    settings, words = settings_of(args), Words.load(args.lang)
    restores = not args.no_restore
    found = on_core(settings, lambda core: doctor.examine(core, restores=restores), migrates=False)
    checks, lines = [], []
    for one in found:
        said, wanted = doctor.describe_check(one, words)
        checks.append({"state": one.state, "check": one.key, "found": said, "do": wanted})
        lines.append(f"{words(f'doctor.state.{one.state}'):8} {said}")
        lines += [f"{'':8} {wanted}"] if wanted else []
    faults = sum(one.state is doctor.CheckState.FAULT for one in found)
    say(args, {"sound": not faults, "checks": checks}, lines)
    return 1 if faults else 0


# `kskak repair GAME SEQ …`: annul an entry of a game that can't be read (`kskak verify` names it).


@command(
    "repair",
    option("game", metavar="GAME", help="the game's name, as `kskak verify` says it"),
    option("seq", metavar="SEQ", type=int, nargs="+", help="the entry's number, from 1"),
    CONFIG,
    JSON,
    description=(
        "Annul an entry of a game that can't be read. Its bytes are kept and an annulment is "
        "chained on: the game stands as if the entry had never been made. Entries that rest on "
        "it go with it and are named too; the command says which. Stop the server meanwhile."
    ),
)
def run_repair(args: argparse.Namespace) -> int:
    """Exit 0: annulled; 2: not possible, and nothing was changed."""
    settings = settings_of(args)
    try:
        with hold_database(settings, "repair"):
            on_core(
                settings, lambda core: database_care.repair(core, args.game, args.seq), args.game
            )
    except database_care.NoRepair as error:
        raise InputError(f"{args.game}: {error}") from error
    numbers = ", ".join(map(str, args.seq))
    done = f"{args.game}: annulled: {numbers}; what they said is kept"
    return say(args, {"game": args.game, "annulled": args.seq}, [done])


# `kskak retention`: what is kept, and until when, by tournament. Changes nothing.


@command("retention", CONFIG, JSON)
def run_retention(args: argparse.Namespace) -> int:
    """Exit 0: the list; 2: a server runs, or the database can't be read."""
    settings = settings_of(args)
    with hold_database(settings, "retention"):
        zone = settings.clock.zone
        today = days.local_day(clock.SystemClock().now(), zone)
        found = on_store(settings, lambda store: readiness.overview(store, zone, today))
    kept = [(one, one.ended and str(one.ended), one.until and str(one.until)) for one in found]
    rows = [
        {"tournament": one.tournament, "ended": ended, "until": until, "over": one.is_over}
        for one, ended, until in kept
    ]
    lines = [
        f"{one.tournament}: contact data, mails and cards "
        f"{f'until {until}' if until else 'runs'}; games stay"
        for one, _, until in kept
    ]
    return say(args, {"tournaments": rows}, lines)


# `kskak verify`: check that every hash chain is whole, that what repeats a ledger matches it, that
# papers are those filed, and that every rating matches a recalculation of all groups.

SECONDS = 600


@command(
    "verify",
    CONFIG,
    JSON,
    option(
        "--seconds",
        type=int,
        default=SECONDS,
        metavar="N",
        help=f"most seconds to spend rereading games for the ratings (default: {SECONDS})",
    ),
)
def run_verify(args: argparse.Namespace) -> int:
    """Exit 0: everything checks out; 1: something does not; 2: the database can't be read."""
    report, proof = on_store(settings_of(args), lambda store: _verify(store, args.seconds))
    if args.json:
        findings = [{"game": f.game, "event": f.seq, "what": f.what} for f in report.findings]
        counts = {"games": report.games, "cases": report.cases, "events": report.events}
        counts |= {"rated_groups": proof.groups, "unread_groups": proof.unread}
        say(args, counts | {"findings": findings}, ())
        return 0 if report.is_sound else 1
    said = f"{report.games} games, {report.cases} cases, {report.events} events"
    said += f", {proof.groups} groups rated"
    if proof.unread:
        print(f"{proof.unread} groups not read: give --seconds more", file=sys.stderr)
    print(f"{said}, {len(report.findings)} findings")
    for found in report.findings:
        at = "" if found.seq is None else f", event {found.seq}"
        print(f"{found.game or 'database'}{at}: {found.what}", file=sys.stderr)
    return 0 if report.is_sound else 1


async def _verify(
    store: stores.Store, seconds: int
) -> tuple[database_care.DatabaseReport, computing.Proof]:
    until, tell = monotonic() + seconds, telling()
    report = await database_care.verify(store, partial(tell, "games"))
    proof = await computing.prove(store, lambda: monotonic() > until, partial(tell, "groups rated"))
    rated = (
        database_care.DatabaseFinding(f"ratings of {of}", None, what) for of, what in proof.findings
    )
    return replace(report, findings=(*report.findings, *rated)), proof
