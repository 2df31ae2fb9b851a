"""openapi.json: OpenAPI 3.1, generated from the endpoint table and the models, with no
hand-written text that could contradict the code. Not for routing.
"""

from collections.abc import Iterable, Iterator

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from kskak.ledger.ledger_out import JsonObject, JsonValue
from server.api.frame.doors import CSRF_HEADER
from server.api.frame.endpoints import JSON, Endpoint, Guard, Parameter
from server.api.frame.game_answers import ProblemDocument
from server.api.frame.keys import HEADER as KEY_HEADER
from server.api.frame.problems import MEDIA_TYPE, AnyKind, Kind, status_of, type_of

VERSION = "3.1.0"
API_VERSION = "1.0"
"""The version of the API itself; it grows with every field or call added."""
_REF = "#/components/schemas/{model}"
_ALWAYS = (Kind.INTERNAL, Kind.UNAVAILABLE)
_SIGNED_IN = (Kind.NOT_SIGNED_IN, Kind.TOO_MANY)
_CHANGING = (
    Kind.BAD_JSON, Kind.BAD_FIELDS, Kind.BAD_KEY, Kind.BAD_MEDIA_TYPE, Kind.TOO_LARGE,
    Kind.KEY_REUSED, Kind.FOREIGN_PAGE,
)  # fmt: skip


def describe(endpoints: Iterable[Endpoint]) -> JsonObject:
    """The OpenAPI document for these endpoints."""
    listed = tuple(endpoints)
    paths: dict[str, JsonValue] = {}
    for endpoint in listed:
        at = paths.setdefault(endpoint.path, {})
        assert isinstance(at, dict)
        at[endpoint.method.lower()] = _operation(endpoint)
    return {
        "openapi": VERSION,
        "info": {"title": "kskak", "version": API_VERSION},
        "paths": paths,
        "components": {
            "schemas": _schemas(listed),
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
                "session": {
                    "type": "apiKey",
                    "in": "cookie",
                    "name": "kskak",
                    "description": f"The website's sign-in; POSTs also need {CSRF_HEADER}. "
                    "Under https the cookie is named __Host-kskak.",
                },
            },
        },
    }


def _schemas(endpoints: tuple[Endpoint, ...]) -> dict[str, JsonValue]:
    """Schemas of answers as serialized and of bodies as validated."""
    wanted: dict[type[BaseModel], str] = {ProblemDocument: "serialization"}
    for endpoint in endpoints:
        if endpoint.body is not None:
            wanted[endpoint.body] = "validation"
        if not isinstance(endpoint.answer, str):
            wanted[endpoint.answer] = "serialization"
    reads = [model for model, mode in wanted.items() if mode == "validation"]
    writes = [model for model, mode in wanted.items() if mode == "serialization"]
    out: dict[str, JsonValue] = {}
    _, read = models_json_schema([(m, "validation") for m in reads], ref_template=_REF)
    _, written = models_json_schema([(m, "serialization") for m in writes], ref_template=_REF)
    for found in (read, written):
        out |= found["$defs"]
    return out


def _operation(endpoint: Endpoint) -> JsonObject:
    out: JsonObject = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "parameters": list(_parameters(endpoint)),
        "responses": _responses(endpoint),
    }
    if endpoint.guard is Guard.SIGNED_IN:
        out["security"] = [{"token": []}, {"session": []}]
    if endpoint.body is not None:
        out["requestBody"] = {
            "required": not endpoint.is_body_optional,
            "content": {JSON: {"schema": _ref(endpoint.body)}},
        }
    return out


def _parameters(endpoint: Endpoint) -> Iterator[JsonValue]:
    if "{id}" in endpoint.path:
        yield {"name": "id", "in": "path", "required": True, "schema": {"type": "integer"}}
    for parameter in endpoint.query:
        yield _query(parameter)
    if endpoint.method == "POST":
        schema: JsonObject = {"type": "string", "minLength": 1, "maxLength": 128}
        text = "The same key and request again: the first answer, nothing done twice"
        yield {"name": KEY_HEADER, "in": "header", "schema": schema, "description": text}


def _query(parameter: Parameter) -> JsonObject:
    schema: JsonObject = {"type": parameter.type}
    if parameter.format is not None:
        schema["format"] = parameter.format
    if parameter.allowed:
        schema["enum"] = list(parameter.allowed)
    about = {"description": parameter.description}
    return {"name": parameter.name, "in": "query", "schema": schema, **about}


def _responses(endpoint: Endpoint) -> JsonObject:
    answer = endpoint.answer
    content: JsonObject = (
        {answer: {"schema": {"type": "object" if answer == JSON else "string"}}}
        if isinstance(answer, str)
        else {JSON: {"schema": _ref(answer)}}
    )
    out: dict[str, JsonValue] = {"200": {"description": "Done", "content": content}}
    if endpoint.has_etag:
        out["304"] = {"description": "Nothing new since the ETag of If-None-Match"}
    by_status: dict[int, list[str]] = {}
    for kind in _kinds(endpoint):
        by_status.setdefault(status_of(kind), []).append(type_of(kind))
    for status, types in sorted(by_status.items()):
        problem: JsonObject = {MEDIA_TYPE: {"schema": _ref(ProblemDocument)}}
        out[str(status)] = {"description": ", ".join(types), "content": problem}
    if endpoint.unready is not None:
        unready: JsonObject = {JSON: {"schema": _ref(endpoint.unready)}}
        out["503"] = {"description": "Not ready", "content": unready}
    return out


def _kinds(endpoint: Endpoint) -> tuple[AnyKind, ...]:
    kinds: tuple[AnyKind, ...] = (*endpoint.problems, *_ALWAYS)
    if endpoint.guard is Guard.SIGNED_IN:
        kinds += _SIGNED_IN
    if endpoint.query:
        kinds += (Kind.BAD_FIELDS,)
    if "{id}" in endpoint.path or endpoint.hides:
        kinds += (Kind.NOT_FOUND,)
    if "/games/{id}" in endpoint.path:
        kinds += (Kind.UNREAD_LEDGER,)
    if "/cases/{id}" in endpoint.path:
        kinds += (Kind.UNREAD_CASE,)
    if endpoint.body is not None:
        kinds += _CHANGING
    return tuple(dict.fromkeys(kinds))


def _ref(model: type[BaseModel]) -> JsonObject:
    return {"$ref": _REF.format(model=model.__name__)}
