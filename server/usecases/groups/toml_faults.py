"""What is wrong with a hand-written TOML file: one line with the place and what to write.

In our words, never the validator's. Not for what a file must contain (group_file.py,
starts/short_file.py), whose own complaints are passed on unchanged.
"""

from collections.abc import Iterator
from typing import get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

_WANTED = {
    "string_type": 'write a text in quotes, as "A. Spiller"',
    "string_too_short": "write a text, it may not be empty",
    "string_too_long": "write a text of at most {max_length} characters",
    "string_pattern_mismatch": "write an address that begins with http:// or https://",
    "greater_than_equal": "write a whole number, {ge} or more",
    "less_than_equal": "write a whole number, {le} or less",
    "enum": "write one of {expected}",
    "literal_error": "write one of {expected}",
    "tuple_type": "write a list of tables, each under its own [[{key}]]",
}
"""What to write, by the validator's error type; its context fills in the braces."""
_KINDS = {
    "date": "write a day without quotes, as 2026-09-01",
    "bool": "write true or false",
    "int": "write a whole number, as 14",
}
"""The same by prefix of the error type, for anything wrong with such a value."""
_OTHERWISE = "can't be read, look at the example in docs/formats.md"


def one_line(error: ValidationError, model: type[BaseModel], name: str) -> str:
    """The first complaint about a file of this model: place, what is wrong, what to write.

    ``name``: what such a file is called, such as «a group file».
    """
    first = error.errors()[0]
    parts = list(_parts(first["loc"]))
    place = ".".join(str(part + 1) if isinstance(part, int) else part for part in parts)
    said = _said(first, parts, model, name)
    return f"{place}: {said}" if place else said


def _parts(place: tuple[int | str, ...]) -> Iterator[int | str]:
    """The keys of a place, without what the validator adds to tell its models apart."""
    yield from (part for part in place if isinstance(part, int) or not _is_model(part))


def _is_model(part: str) -> bool:
    return part[:1].isupper() or "[" in part


def _said(first: ErrorDetails, parts: list[int | str], model: type[BaseModel], name: str) -> str:
    kind, known = first["type"], {"key": next((p for p in reversed(parts) if p == str(p)), "")}
    known |= {key: str(value) for key, value in first.get("ctx", {}).items()}
    match kind:
        case "missing":
            return "is missing"
        case "value_error":
            return first["msg"].removeprefix("Value error, ")
        case "extra_forbidden":
            table, of = _table(parts[:-1], model, name)
            return f"is not a key of {of}; the keys are {_keys(table)}"
        case "model_type" | "model_attributes_type":
            table, _ = _table(parts, model, name)
            return f"write a table, with the keys {_keys(table)}"
    by_kind = next((text for start, text in _KINDS.items() if kind.startswith(start)), _OTHERWISE)
    return _WANTED.get(kind, by_kind).format_map(known)


def _keys(table: type[BaseModel]) -> str:
    return ", ".join(field.alias or key for key, field in table.model_fields.items())


def _table(
    place: list[int | str], model: type[BaseModel], name: str
) -> tuple[type[BaseModel], str]:
    """The innermost table that a place lies in, and its name."""
    for at, part in enumerate(place):
        fields = {field.alias or key: field for key, field in model.model_fields.items()}
        inner = _model_in(fields[part].annotation) if part in fields else None
        if inner is not None:
            is_list = isinstance(next(iter(place[at + 1 :]), None), int)
            model, name = inner, f"[[{part}]]" if is_list else f"{part}"
    return model, name


def _model_in(annotation: object) -> type[BaseModel] | None:
    """The table among the types a field may hold."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    found = (_model_in(part) for part in get_args(annotation))
    return next((one for one in found if one is not None), None)
