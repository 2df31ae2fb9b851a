"""config.toml is the settings' manual: every key, its default, and a comment above it."""

import os
import tomllib
from pathlib import Path

from server.settings import SECRETS, keys, settings_from

CONFIG = Path(__file__).parents[2] / "config.toml"


def _dotted(table: dict, prefix: str = "") -> set[str]:
    nested = [(prefix + name, value) for name, value in table.items()]
    return {
        key
        for name, value in nested
        for key in (_dotted(value, name + ".") if isinstance(value, dict) else {name})
    }


def test_config_toml_has_exactly_the_keys_of_the_settings():
    table = tomllib.loads(CONFIG.read_text(encoding="utf-8"))
    assert _dotted(table) == {key for key, _ in keys()} - SECRETS


def test_config_toml_shows_the_defaults(monkeypatch):
    for name in [name for name in os.environ if name.upper().startswith("KSKAK_")]:
        monkeypatch.delenv(name)
    table = tomllib.loads(CONFIG.read_text(encoding="utf-8"))
    assert settings_from(table) == settings_from({})


def test_every_key_is_explained_by_a_comment_above_it():
    lines = CONFIG.read_text(encoding="utf-8").splitlines()
    bare = [
        line
        for above, line in zip(lines, lines[1:], strict=False)
        if "=" in line and not line.startswith("#") and not above.startswith("# ")
    ]
    assert bare == []


def test_every_secret_is_named_with_its_variable():
    text = CONFIG.read_text(encoding="utf-8")
    variables = ["KSKAK_" + key.upper().replace(".", "__") for key in SECRETS]
    assert [name for name in variables if name not in text] == []
