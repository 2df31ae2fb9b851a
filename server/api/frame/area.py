"""An area's calls, declared where they are answered: path, models and problems beside the handler.

The handler's docstring is the call's summary in openapi.json, and what follows its first line the
description. What a handler returns (a row, a view, a mapping) becomes the answer through the
attributes that the answer's model names; None is not found, and a refusal that it returns or raises
becomes its problem. A POST is carried out once whatever the network does (serving.py): by ``post``,
or, in calls about one game, by the writer itself, through what the handler of an ``act`` hands it.
"""

import sys
from collections.abc import Awaitable, Callable
from copy import copy
from datetime import datetime
from typing import Annotated, Any

from aiohttp import web
from pydantic import AliasPath, BaseModel, Field, PlainSerializer

from kskak.ledger.ledger_files import JsonObject
from server.api.frame.endpoints import Call, Endpoint, Guard, Parameter
from server.api.frame.game_models import (
    EMPTY,
    MOST_BYTES,
    ApiBody,
    NothingBody,
    parse,
    text_response,
)
from server.api.frame.problems import AnyKind, ApiProblem, ApiProblemKind
from server.api.frame.serving import call_use_case, respond_once
from server.store.account.sign_in import TokenScope
from server.usecases.rights import NoSuch

PREFIX = "/api/v1"
Declare = Callable[[Any], Any]
"""A decorator that gives the handler back as it is."""
ProblemOf = Callable[[Call, Any], ApiProblem]
Points = Annotated[float, PlainSerializer(lambda n: int(n) if n == int(n) else n)]
"""A figure that may be a fraction: written without decimals where it is whole."""
Instant = Annotated[datetime, PlainSerializer(datetime.isoformat)]
"""An instant, written with its offset in digits."""


def at(*path: str) -> Any:
    """An answer's field that the row or view has by another name, or inside another."""
    return Field(validation_alias=AliasPath(*path))


def _is_optional(body: type[BaseModel]) -> bool:
    return not any(field.is_required() for field in body.model_fields.values())


class Area:
    """The calls of one subject; what its paths name (``named``) is not found where it is not.

    ``scope``: what a token must open for its actions; ``prefix``: what its paths begin with.
    """

    def __init__(
        self, *named: str, scope: TokenScope = TokenScope.PLAY, prefix: str = PREFIX
    ) -> None:
        self.calls: list[Endpoint] = []
        self._scope, self._prefix = scope, prefix
        self._named = frozenset(named)
        self._problems: dict[type, ProblemOf] = {}

    def opened_by(self, scope: TokenScope) -> "Area":
        """The same area, for actions that a token of another scope opens."""
        other = copy(self)
        other._scope = scope
        return other

    def refusal(self, *kinds: type) -> Callable[[ProblemOf], ProblemOf]:
        """How what a use case returns or raises to refuse becomes a problem of this area."""

        def declared(problem: ProblemOf) -> ProblemOf:
            self._problems.update(dict.fromkeys(kinds, problem))
            return problem

        return declared

    def get(
        self, path: str, name: str, answer: type[BaseModel] | str, *problems: AnyKind,
        query: tuple[Parameter, ...] = (), is_open: bool = False, hides: bool = False,
        example: object = None,
    ) -> Declare:  # fmt: skip
        """A reading, for who is signed in; ``is_open``: for everybody.

        ``answer`` is a media type where the handler itself gives the response; ``hides``: whatever
        is named and missing, or not for the caller's eyes, is not found.
        """

        def declared(read: Any) -> Any:
            async def handle(call: Call) -> web.StreamResponse:
                found = await self._run(call, answer, lambda: read(call), hides)
                if isinstance(found, web.StreamResponse):
                    return found
                return text_response(200, found.model_dump_json())

            self._add(
                "GET", path, name, handle, read, answer, query=query, problems=problems,
                guard=Guard.OPEN if is_open else Guard.SIGNED_IN, hides=hides, example=example,
            )  # fmt: skip
            return read

        return declared

    def post(
        self, path: str, name: str, answer: type[BaseModel], *problems: AnyKind,
        body: type[ApiBody] = NothingBody, is_needed: bool = False, hides: bool = False,
        most: int = MOST_BYTES,
    ) -> Declare:  # fmt: skip
        """An action of somebody who is signed in, done once.

        The handler gets call and body; a body without a field that must be there may be left out,
        unless it ``is_needed``.
        """

        is_optional = _is_optional(body) and not is_needed

        def declared(act: Any) -> Any:
            async def handle(call: Call) -> web.Response:
                raw = await call.body(most)
                asked = parse(body, raw or EMPTY if is_optional else raw)

                async def work() -> JsonObject:
                    done = await self._run(call, answer, lambda: act(call, asked), hides)
                    assert isinstance(done, BaseModel)
                    return done.model_dump(mode="json")

                return await respond_once(call, raw, work)

            self._add(
                "POST", path, name, handle, act, answer, body=body,
                is_body_optional=is_optional, problems=problems, hides=hides,
                scope=self._scope,
            )  # fmt: skip
            return act

        return declared

    def act(
        self, path: str, name: str, answer: type[BaseModel] | str, *problems: AnyKind,
        body: type[ApiBody], most: int = MOST_BYTES, method: str = "POST",
        example: object = None,
    ) -> Declare:  # fmt: skip
        """An action of somebody who is signed in, whose handler sees to it that it is done once.

        The handler gets call, the body as it came and as read, and gives the response.
        """

        is_optional = _is_optional(body)

        def declared(act: Any) -> Any:
            async def handle(call: Call) -> web.Response:
                raw = await call.body(most)
                asked = parse(body, raw or EMPTY if is_optional else raw)
                response: web.Response = await act(call, raw, asked)
                return response

            self._add(
                method, path, name, handle, act, answer, body=body,
                is_body_optional=is_optional, problems=problems, scope=self._scope,
                example=example,
            )  # fmt: skip
            return act

        return declared

    def _add(
        self, method: str, path: str, name: str, handle: Any, of: Any, answer: Any, **more: Any
    ) -> None:
        summary, _, rest = (of.__doc__ or "").strip().partition("\n")
        about = (sys.modules[of.__module__].__doc__ or "").partition("\n")[0].split(" (§")[0]
        self.calls.append(
            Endpoint(
                method, self._prefix + path, name, handle,
                summary.split(" (§")[0].rstrip("."), answer,
                description=" ".join(rest.split()), tag=of.__module__.split(".")[2],
                about=about.rstrip("."), **more,
            )
        )  # fmt: skip

    async def _run(
        self, call: Call, answer: type[BaseModel] | str, do: Callable[[], Awaitable[object]],
        hides: bool,
    ) -> Any:  # fmt: skip
        """What was done or found, as the answer's model. Raises ApiProblem for every refusal."""

        async def found() -> object:
            try:
                return await do()
            except NoSuch as error:
                if hides or str(error) in self._named:
                    raise ApiProblem(ApiProblemKind.NOT_FOUND) from None
                raise
            except Exception as error:
                if type(error) not in self._problems:
                    raise
                return error

        done = await call_use_case(found)
        if done is None:
            raise ApiProblem(ApiProblemKind.NOT_FOUND)
        if (problem := self._problems.get(type(done))) is not None:
            raise problem(call, done)
        if isinstance(answer, str) or isinstance(done, web.StreamResponse):
            return done
        return answer.model_validate(done, from_attributes=True)
