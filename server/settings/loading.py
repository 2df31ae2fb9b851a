"""From file and environment to checked `Settings`, or one line that says what is wrong.

Not for: the keys themselves (`model.py`).
"""

import difflib
import os
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from mail.looks.design import WrongLooks
from server.settings.model import PREFIX, SECRETS, Settings

# Read by other parts of the program, so not mistakes of the operator's.
OTHER_VARIABLES = frozenset({"KSKAK_CRASH_AT"})


class SettingsError(Exception):
    """A setting is wrong; the message is one line for the operator."""


def keys(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[tuple[str, FieldInfo]]:
    """Every key as it stands in the file, dotted (`mail.in.smtp_port`), with its field."""
    for name, field in model.model_fields.items():
        dotted = prefix + (field.alias or name)
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from keys(field.annotation, dotted + ".")
        else:
            yield dotted, field


def load_settings(path: Path | None) -> Settings:
    """Settings from the file at `path` (None: defaults), overridden by the environment."""
    if path is None:
        return settings_from({})
    try:
        text = path.read_text(encoding="utf-8")
        return settings_from(tomllib.loads(text), str(path))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise SettingsError(f"{path}: is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: is not TOML: {error}") from error


def settings_from(table: Mapping[str, object], source: str = "config.toml") -> Settings:
    """Settings from a TOML table, overridden by the environment; `source`: its name in errors."""
    known = dict(keys())
    given = _leaves(table)
    for key in sorted(SECRETS & given.keys()):
        raise SettingsError(
            f"{source}: {key} is a secret and may not stand in the file; "
            f"take it out and set {_variable(key)} in the environment"
        )
    url = given.get("database.url")
    if isinstance(url, str) and _has_password(url):
        raise SettingsError(
            f"{source}: database.url holds a password, and secrets may not stand in the file; "
            f"set {_variable('database.url')} in the environment"
        )
    _refuse_unknown_variables(known)
    try:
        return Settings(**dict(table))  # type: ignore[arg-type]  # checked by the model
    except ValidationError as error:
        raise SettingsError(_explain(error, known, source)) from error


def _leaves(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    found: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, Mapping):
            found |= _leaves(value, f"{prefix}{name}.")
        else:
            found[prefix + name] = value
    return found


def _has_password(url: str) -> bool:
    user, at, _ = url.partition("://")[2].rpartition("@")
    return bool(at) and ":" in user


def _variable(key: str) -> str:
    return PREFIX + key.replace(".", "__").upper()


def _refuse_unknown_variables(known: Iterable[str]) -> None:
    names = {_variable(key) for key in known} | OTHER_VARIABLES
    for name in sorted(os.environ):
        if name.upper().startswith(PREFIX) and name.upper() not in names:
            near = difflib.get_close_matches(name.upper(), sorted(names), n=3, cutoff=0.7)
            allowed = ", ".join(near or sorted(names - OTHER_VARIABLES))
            raise SettingsError(f"environment: {name} is no setting; known: {allowed}")


def _explain(error: ValidationError, known: Mapping[str, FieldInfo], source: str) -> str:
    """One line for the first fault that pydantic found."""
    fault = error.errors(include_url=False)[0]
    dotted = ".".join(str(part) for part in fault["loc"])
    key = next((name for name in known if f"{dotted}.".startswith(f"{name}.")), None)
    if key is None:
        return _explain_unknown(dotted, known, source)
    variable = _variable(key)
    from_file = variable not in map(str.upper, os.environ)
    shown = "(not shown)" if key in SECRETS or "@" in str(fault["input"]) else repr(fault["input"])
    place = f"{source}: {key}" if from_file else f"environment: {variable}"
    reason = fault.get("ctx", {}).get("error")
    told = f" ({reason})" if isinstance(reason, WrongLooks) else ""
    return f"{place} = {shown} is wrong{told}; allowed: {known[key].description}"


def _explain_unknown(dotted: str, known: Iterable[str], source: str) -> str:
    section = dotted
    while section and not any(name.startswith(f"{section}.") for name in known):
        section = section.rpartition(".")[0]
    if section == dotted:
        inside = ", ".join(name for name in known if name.startswith(f"{section}."))
        return f"{source}: {dotted} is a table, not a value; allowed: {inside}"
    prefix = f"{section}." if section else ""
    inside = ", ".join(name for name in known if name.startswith(prefix) and name not in SECRETS)
    return f"{source}: {dotted} is no key; known: {inside}"
