"""SQL that was compiled once in this process serves every database of its kind.

SQLAlchemy keeps compiled statements with an engine, and each test opens engines of its own: a
fifth of the tests' time went into compiling the same few hundred statements again. Not for the
server, whose engines live as long as it does.
"""

from typing import Any

from sqlalchemy import Connection, Engine, event

_kept: dict[type, "_ForAnyDialect"] = {}


class _ForAnyDialect(dict[tuple[Any, ...], Any]):
    """A cache whose keys begin with a dialect object, which is left out: its class is known."""

    def get(self, key: tuple[Any, ...], default: Any = None) -> Any:
        return super().get(key[1:], default)

    def __setitem__(self, key: tuple[Any, ...], value: Any) -> None:
        super().__setitem__(key[1:], value)


@event.listens_for(Engine, "engine_connect")
def _shared(connection: Connection) -> None:
    kind = type(connection.dialect)
    connection.execution_options(compiled_cache=_kept.setdefault(kind, _ForAnyDialect()))
