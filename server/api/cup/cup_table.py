"""Endpoints of cups, titles and theme groups; part of site/table.py (§ 6.6, § 6.5.2, § 1.1.22)."""

from server.api.cup import calls
from server.api.cup import cup_bodies as bodies
from server.api.cup import models as answers
from server.api.entries.entry_bodies import NothingBody
from server.api.entries.models import GroupStarted
from server.api.frame.endpoints import Endpoint, Guard
from server.api.frame.problems import Kind

PREFIX = "/api/v1"
_CUP = f"{PREFIX}/cups/{{id}}"
_GROUP = f"{PREFIX}/groups/{{id}}"
_TIE = (Kind.NOT_ALLOWED, Kind.TIE_REFUSED)

CUPS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/cups", "cups", calls.cups, "All cups, the newest first", answers.Cups,
        guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", _CUP, "cup", calls.cup, "A cup: rounds, groups, who goes on and why",
        answers.CupSeen, guard=Guard.OPEN,
    ),
    Endpoint(
        "POST", f"{PREFIX}/cups", "cup_open", calls.opened, "Open a cup on its waiting list",
        answers.CupOpened, body=bodies.CupBody, problems=(Kind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_CUP}/rounds", "cup_draw", calls.drawn, "Draw a cup's next round",
        answers.RoundDrawn, body=bodies.RoundBody,
        problems=(Kind.NOT_ALLOWED, Kind.CUP_REFUSED),
    ),
    Endpoint(
        "GET", f"{PREFIX}/titles", "titles", calls.all_titles, "Who has borne which title",
        answers.Titles, guard=Guard.OPEN,
    ),
    Endpoint(
        "POST", f"{PREFIX}/titles", "title_enter", calls.entered,
        "Enter a title from before the server", answers.TitleKept, body=bodies.TitleBody,
        problems=(Kind.NOT_ALLOWED, Kind.NO_SUCH),
    ),
    Endpoint(
        "POST", f"{PREFIX}/titles/{{id}}/removal", "title_remove", calls.removed,
        "Take an entered title away", answers.TitleKept, body=NothingBody,
        is_body_optional=True, problems=(Kind.NOT_ALLOWED,),
    ),
    Endpoint(
        "POST", f"{_GROUP}/playoff", "title_playoff", calls.playoff,
        "Start the play-off of a level DM", GroupStarted, body=bodies.PlayoffBody,
        is_body_optional=True, problems=_TIE,
    ),
    Endpoint(
        "POST", f"{_GROUP}/shared-title", "title_share", calls.shared,
        "A level DM is shared by agreement", answers.TieSettled, body=bodies.SharedBody,
        problems=_TIE,
    ),
    Endpoint(
        "POST", f"{PREFIX}/entry-lists/{{id}}/theme-group", "theme_start", calls.theme,
        "Start a theme tournament's group", GroupStarted, body=bodies.ThemeBody,
        problems=(Kind.NOT_ALLOWED, Kind.ENTRY_REFUSED),
    ),
)  # fmt: skip
