"""The list of odd and hostile mails, each through the SMTP port: what becomes of it, and the rest.

161 cases, A01 to I07: those that are one mail are played here (tests/fakes/odd_mails.py), the
others have tests of their own, named below. After each mail: kept with one outcome unless it was
refused, the game as it was unless it moved, nobody unregistered written to, and its player never
left without a word.
"""

import ast
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum
from pathlib import Path

import aiosmtplib
import pytest
from sqlalchemy import func, select, update

from kskak.game.game_events import MoveSent
from kskak.regulation.editions import Side
from server.store.mail import inbox as inbox_rows
from server.store.tables.base import inbox, outbox
from server.usecases.play.game_requests import FieldReader, GameRequest, ask
from tests.fakes.odd_mails import KEY, LETTER, RELAY, Made, base, odd_mails
from tests.fakes.world import ANNA, BO, DOMAIN, KC, TL, World, world_of

pytestmark = pytest.mark.timeout(240)
TESTS = Path(__file__).parents[2]
SCENARIOS = TESTS / "scenarios"
CHARGED = {"f03_illegal"}
"""A plain try at his own move that is illegal costs days (§ 6.8.6)."""


class Fate(StrEnum):
    """What may become of a mail, as its player, an official and its sender see it."""

    MOVED = "moved"
    ASKED = "its owner is asked, by a button or a «ja»"
    ANSWERED = "its player is told why nothing was done"
    HELD = "an official looks, its owner is told"
    FOREIGN = "an official looks, nobody else is told"
    SILENT = "kept; no person wrote it"
    REFUSED = "refused in the dialogue, nothing kept"


_FATES: dict[Fate, str] = {
    Fate.MOVED: """a b04 b05 e07 e09 e15 e18 e19 e20 e25 e28 e31 f05_danish f08 f10_false f11
        f14_fen f14_variant f15 g06""",
    Fate.ASKED: """a20 a22 b06 b18 c0 c10 c11 c12 c13 c14 c15 c19_result c23 c24 d08 e05 e06 e10 e13
        e14 e23 f05_knight f06_small f09 f10_wrong f12 f14_glyph h02""",
    Fate.ANSWERED: """c19 d04 e01_headers e11 e12 e16 e21 e22 e26 e29 e32 f01 f02 f03
        f04 f05_a f05_no f06_bishop f07 h01""",
    Fate.HELD: "c16 e01_nothing e02 e03 e04 e08 e24 e27",
    Fate.FOREIGN: "c17 c18",
    Fate.SILENT: "b01 b02 b03 b07 b08 b09 b1 h08",
    Fate.REFUSED: "e17 e30 f13",
}
"""What becomes of the mails whose names begin so; the longest beginning decides."""

_ELSEWHERE = """
mail/test_bounces B07:test_every_system_s_hard_report_is_told_and_stops_nothing
mail/test_robots B16:test_a_mail_that_went_round_fifty_times_is_refused_in_the_dialogue
    B17:test_two_robots_that_answer_each_other_fall_silent
mail/test_authentication C18:test_an_old_key_when_it_is_the_opponents_turn_moves_nothing
    C20:test_a_made_up_key_is_refused_before_any_mail_is_kept
    C21:test_a_spent_key_gets_a_polite_answer_for_each_new_try
    C22:test_a_foreign_sender_is_held_and_only_an_official_is_written_to
    G07:test_a_trusted_finding_of_forgery_waits_and_counts_from_the_relays_own_time
    G08:test_a_finding_is_nobodys_when_no_relay_is_trusted
faults/test_duplicates D01:test_identical_bytes_twice_before_and_after_the_work
    D02:test_a_new_message_id_under_the_same_key_gets_one_polite_answer
    D03:test_another_move_two_minutes_later_does_not_take_the_first_back
    D05:test_fifty_copies_at_once_are_one_move
    D06:test_two_recipients_of_one_mail_are_one_effect
    D07:test_a_mail_that_was_delayed_until_it_is_his_turn_again_is_stale
    D09:test_a_new_message_id_under_the_same_key_gets_one_polite_answer
    D10:test_mail_and_web_in_the_same_second_are_one_move
    D11:test_different_moves_by_web_and_mail_at_once_the_first_committed_stands
    D12:test_a_late_move_by_mail_and_the_claim_on_the_web_at_once_leave_one_account
faults/test_crash D13:test_killed_there_a_mailed_move_is_made_once_and_relayed_once
faults/test_trouble D14:test_a_mail_that_our_side_put_off_counts_from_the_first_attempt
    G09:test_a_mail_that_our_side_put_off_counts_from_the_first_attempt
    I07:test_after_five_days_a_letter_is_dead_seen_by_the_operator_and_told_to_the_leader
faults/test_clock_back G10:test_6_8_6_an_answer_is_never_dated_before_the_move_that_it_answers
reflection/test_leave G11:test_leave_is_booked_against_all_running_games_of_the_tournament_named
regulation/reflection/test_6_3_1_days G12:test_6_8_6_days_are_local_to_the_tournaments_zone
    G13:test_6_8_6_days_are_local_to_the_tournaments_zone
reflection/test_silence
    G14:test_an_open_outage_defers_it_and_a_past_one_costs_the_player_no_day
kskak/archive/test_pgn F16:test_no_name_ends_its_tag
    F17:test_a_game_of_600_plies_is_written_and_read_back
mail/incoming/test_smtp_in H01:test_smuggled_end_of_data_makes_no_second_mail
    H03:test_disconnect_in_data_keeps_nothing H04:test_any_failure_is_a_fixed_451_and_is_noted
    H05:test_foreign_and_odd_recipients_are_550
    H06:test_eleventh_recipient_is_452_and_the_ten_are_kept
    H09:test_beyond_its_share_an_address_gets_421_and_beyond_all_everybody
    H10:test_smtputf8_sender_is_kept
mail/outgoing/test_envelope I01:test_a_control_character_or_line_break_is_refused
    I02:test_no_name_breaks_the_head I05:test_what_is_not_one_plain_address_is_none
mail/outgoing/test_smtp_out I03:test_lines_of_dots_and_from_arrive_as_they_were
mail/letters/test_every_letter I04:test_another_ones_key_is_nowhere
    I06:test_the_head_is_complete_and_machine_made
"""
"""Files below tests or tests/scenarios, and the cases whose tests they hold."""
COUNTS = {"A": 24, "B": 19, "C": 24, "D": 14, "E": 32, "F": 17, "G": 14, "H": 10, "I": 7}
DAYS = (
    ("G01", "2026-11-12T22:59:59", "2026-11-12"), ("G01", "2026-11-12T23:00:00", "2026-11-13"),
    ("G02", "2027-10-31T00:30:00", "2027-10-31"), ("G02", "2027-10-31T01:30:00", "2027-10-31"),
    ("G03", "2027-03-27T22:59:59", "2027-03-27"), ("G03", "2027-03-27T23:00:00", "2027-03-28"),
    ("G03", "2027-03-28T21:59:59", "2027-03-28"), ("G03", "2027-03-28T22:00:00", "2027-03-29"),
    ("G04", "2026-12-31T22:59:59", "2026-12-31"), ("G04", "2026-12-31T23:00:00", "2027-01-01"),
    ("G05", "2028-02-28T23:00:00", "2028-02-29"), ("G05", "2028-02-29T23:00:00", "2028-03-01"),
)  # fmt: skip
"""Instants (UTC) at which a mail arrives, and the day in Denmark that its move counts as sent."""


def fate_of(name: str) -> Fate:
    """What must become of the mail of this name."""
    beginnings = {one: fate for fate, text in _FATES.items() for one in text.split()}
    return beginnings[max((one for one in beginnings if name.startswith(one)), key=len)]


@pytest.fixture
async def relayed(sqlite_url: str, tmp_path: Path) -> AsyncIterator[World]:
    """A server behind a relay whose findings it believes."""
    settings = {"authserv_id": RELAY, "trusted_relays": ["127.0.0.1"]}
    start = date(2026, 11, 12)
    async with world_of(sqlite_url, str(tmp_path), start=start, **settings) as made:
        yield made


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is in the case's game, and the letter that he answers."""

    email: str
    ply: int
    address: str
    message_id: str


async def _turn(world: World, name: str, position: str) -> Turn:
    """A new game at this position. Its letters count as sent: none is needed but the last's key."""
    fen = position if "/" in position else ""
    await world.start(name, fen=fen)
    for san in () if fen else position.split():
        row = await world.row()
        build = FieldReader(san, row.ply, False, world.clock.today, "en")
        await ask(world.core, GameRequest(row.id, row.person_of(row.state().mover), "web", build))
    row = await world.row()
    side = row.state().mover
    newest = select(outbox.c.message_id).where(outbox.c.person_id == row.person_of(side))
    newest = newest.where(outbox.c.game_id == row.id).order_by(outbox.c.id.desc()).limit(1)
    async with world.core.store.write() as conn:
        message_id = (await conn.execute(newest)).scalar_one()
        await conn.execute(update(outbox).values(state="sent"))
    (key,) = re.findall(r"[a-z2-7]{42}", message_id)
    email = ANNA if side is Side.WHITE else BO
    return Turn(email, row.ply, f"parti+{key}@{DOMAIN}", message_id)


@dataclass(frozen=True, slots=True)
class Became:
    """What became of a mail: the dialogue's code, its outcome, who was told what, the plies."""

    code: int
    state: str
    outcome: str
    told: dict[str, str]
    plies: int

    def fate(self, email: str) -> Fate:
        """As its player and the officials see it."""
        said = self.told.get(email)
        if self.code != 250:
            return Fate.REFUSED
        if self.plies:
            return Fate.MOVED
        if self.state == "held":
            return Fate.FOREIGN if said is None else Fate.HELD
        if said is None:
            return Fate.SILENT
        return Fate.ASKED if "/c/" in said else Fate.ANSWERED


async def _became(world: World, raw: bytes, to: str, sender: str) -> Became:
    before, last, ply = len(world.host.letters), await _newest(world), (await world.row()).ply
    code, _ = await world.smtp(raw, to, sender=sender)
    await world.pump()
    told = {letter.to: letter.said for letter in world.host.letters[before:]}
    kept = await _newest(world)
    if kept == last:
        return Became(code, "", "", told, (await world.row()).ply - ply)
    async with world.core.store.read() as conn:
        row = await inbox_rows.find(conn, kept)
    assert row is not None and row.raw
    return Became(code, row.state, row.outcome or "", told, (await world.row()).ply - ply)


async def _newest(world: World) -> int:
    async with world.core.store.read() as conn:
        return (await conn.execute(select(func.max(inbox.c.id)))).scalar_one() or 0


async def _wrong(world: World, number: int, name: str, case: Made) -> list[str]:
    """Send the mail; what is not as it must be afterwards."""
    turn = await _turn(world, f"K-26-{number}", case.position)
    raw = case.raw.replace(KEY.encode(), turn.address.encode())
    raw = raw.replace(LETTER.encode(), turn.message_id.encode())
    raw = raw.replace(b"<b0@", b"<b%d@" % number)
    became = await _became(world, raw, case.to or turn.address, case.sender)
    fate, wanted = became.fate(TL if case.to else turn.email), fate_of(name)
    found = [] if fate is wanted else [f"is {fate}, not {wanted}"]
    if fate is not Fate.REFUSED and (became.state not in ("done", "held") or not became.outcome):
        found.append(f"has no outcome: {became}")
    if set(became.told) - {ANNA, BO, TL, KC}:
        found.append(f"was told to {sorted(became.told)}")
    events = [row.event for row in await world.events()][turn.ply :]
    moves = [event.plies[0].uci() for event in events if isinstance(event, MoveSent)]
    if moves != ([case.plays] if fate is Fate.MOVED else []):
        found.append(f"played {moves}")
    is_charged = fate is not Fate.MOVED and bool(events) and name not in CHARGED
    return [f"{name}: {what}" for what in (*found, *(["was charged"] if is_charged else []))]


@pytest.mark.parametrize("letters", ["a", "bcd", "e", "fgh"])
async def test_every_odd_mail_becomes_what_it_must(relayed: World, letters: str) -> None:
    wrong = []
    for number, (name, case) in enumerate(odd_mails().items(), 1):
        if name[0] in letters:
            wrong += await _wrong(relayed, number, name, case)
    assert not wrong, "\n".join(wrong)
    await relayed.assert_whole()


async def test_a_move_counts_on_the_day_it_is_in_denmark_when_its_mail_arrives(relayed):
    for number, (case, instant, day) in enumerate(sorted(DAYS, key=lambda one: one[1])):
        at = datetime.fromisoformat(instant).replace(tzinfo=UTC)
        relayed.clock.at = at
        turn = await _turn(relayed, f"K-26-{number}", "")
        raw = base("1. e4", Message_ID=f"<g{number}@example.dk>", Date=None)
        await _became(relayed, raw.replace(KEY.encode(), turn.address.encode()), turn.address, ANNA)
        sent = [r.event.sent for r in await relayed.events() if isinstance(r.event, MoveSent)]
        assert sent == [date.fromisoformat(day)], (case, instant)


async def test_h07_nothing_can_follow_a_starttls_that_is_not_offered(relayed: World) -> None:
    """TLS ends in the relay; the port offers none, so no command can be slipped in behind it."""
    client = aiosmtplib.SMTP(hostname="127.0.0.1", port=relayed.server.smtp_port)
    async with client:
        await client.ehlo()
        assert not client.supports_extension("starttls")
        assert (await client.execute_command(b"STARTTLS")).code >= 400


def test_every_case_of_the_list_is_played_or_has_a_test_of_its_own() -> None:
    played = {name[:3].upper() for name in odd_mails()} | {case for case, *_ in DAYS} | {"H07"}
    pointed, path = set(), Path()
    for word in _ELSEWHERE.split():
        case, colon, test = word.partition(":")
        if not colon:
            path = next(p for p in (TESTS / f"{word}.py", SCENARIOS / f"{word}.py") if p.exists())
            names = {getattr(one, "name", "") for one in ast.parse(path.read_text()).body}
            continue
        assert test in names, (path, test)
        pointed.add(case)
    wanted = {f"{part}{n:02}" for part, count in COUNTS.items() for n in range(1, count + 1)}
    assert sum(COUNTS.values()) == 161
    assert wanted - played - pointed == set()
