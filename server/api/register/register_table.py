"""The register's endpoints: members, clubs, ratings; part of site/table.py (§ 6.1, § 6.4.4)."""

from server.api.frame.endpoints import Endpoint, Parameter
from server.api.frame.problems import Kind
from server.api.register import calls as registering
from server.api.register import models as answers
from server.api.register import register_bodies as bodies
from server.usecases.register.report import What

PREFIX = "/api/v1"
_RIGHT = (Kind.NOT_ALLOWED,)
_WORDS = Parameter("q", "string", "Words of the name or the club, or the number")
_PAGE = Parameter("page", "integer", "From 1 on, 50 members each")
_MEMBER = f"{PREFIX}/members/{{id}}"


def _files(what: What) -> tuple[Endpoint, Endpoint]:
    path, name = f"{PREFIX}/{what.value}", what.value
    return (
        Endpoint(
            "POST", f"{path}/import", f"{name}_import", registering.importing(what),
            f"Import {name} from CSV, all or nothing", answers.RegisterImported,
            body=bodies.RegisterFileBody, problems=_RIGHT,
        ),
        Endpoint(
            "GET", f"{path}/export", f"{name}_export", registering.exporting(what),
            f"All {name} as CSV", registering.CSV, problems=_RIGHT,
        ),
    )  # fmt: skip


REGISTER: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/members", "members", registering.listed, "Look members up",
        answers.MemberList, query=(_WORDS, _PAGE), problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/members", "member_add", registering.added, "Add a member",
        answers.MemberSaved, body=bodies.MemberBody, problems=_RIGHT,
    ),
    Endpoint(
        "GET", _MEMBER, "member", registering.shown, "One member, or your own data",
        answers.MemberDetail, problems=(*_RIGHT, Kind.NO_SUCH),
    ),
    Endpoint(
        "POST", _MEMBER, "member_change", registering.changed, "Change a member, with a reason",
        answers.MemberSaved, body=bodies.MemberBody, problems=(*_RIGHT, Kind.NO_SUCH),
    ),
    Endpoint(
        "GET", f"{PREFIX}/clubs", "clubs", registering.clubs, "The clubs",
        answers.ClubList, problems=_RIGHT,
    ),
    *_files(What.MEMBERS), *_files(What.CLUBS), *_files(What.RATINGS),
)  # fmt: skip
