"""The rating endpoints: lists, histories, calculations, the desk; part of site/table.py (§ 4.5)."""

from server.api.frame.endpoints import Endpoint, Guard, Parameter
from server.api.frame.problems import Kind
from server.api.rating import calls
from server.api.rating import models as answers
from server.api.rating import rating_bodies as bodies

PREFIX = "/api/v1"
_RIGHT = (Kind.NOT_ALLOWED,)
_ON = Parameter("on", "string", "The day of the list; today without it", format="date")

RATINGS: tuple[Endpoint, ...] = (
    Endpoint(
        "GET", f"{PREFIX}/ratings", "rating_list", calls.listed,
        "The K-ratings of a day, highest first", answers.RatingList,
        guard=Guard.OPEN, query=(_ON,),
    ),
    Endpoint(
        "GET", f"{PREFIX}/players/{{id}}/ratings", "rating_history", calls.of_player,
        "A player's K-ratings in order of time", answers.RatingHistory, guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", f"{PREFIX}/groups/{{id}}/rating", "rating_calculation", calls.of_group,
        "A group's rating calculation with every step", answers.RatingCalculation,
        guard=Guard.OPEN,
    ),
    Endpoint(
        "GET", f"{PREFIX}/ratings/waiting", "ratings_waiting", calls.waiting,
        "The groups that wait for their ratings", answers.RatingDesk, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/ratings/compute", "ratings_compute", calls.computed,
        "Calculate what waits, or everything anew", answers.RatingsComputed,
        body=bodies.ComputeBody, is_body_optional=True, problems=_RIGHT,
    ),
    Endpoint(
        "POST", f"{PREFIX}/members/{{id}}/ratings/remove", "rating_remove", calls.removed,
        "Remove a rating from the register, with a reason", answers.RatingRemoved,
        body=bodies.RemoveRatingBody, problems=(*_RIGHT, Kind.NO_SUCH),
    ),
)  # fmt: skip
