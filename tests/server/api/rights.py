"""Who gets in: how every table of rights in the API is asked. Not for what is in the tables."""

from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping

SHUT = frozenset({401, 403, 404})
"""Answers to who may not."""
Role = str | None
Ask = Callable[[Role], Awaitable[int]]


def filled(value: object, ids: Mapping[str, int]) -> object:
    """A body with the numbers that it names in braces."""
    match value:
        case dict():
            return {name: filled(item, ids) for name, item in value.items()}
        case list():
            return [filled(item, ids) for item in value]
        case str() if value.startswith("{"):
            return ids[value[1:-1]]
    return value


async def shut_out(ask: Ask, roles: Iterable[Role], allowed: Collection[Role]) -> None:
    """All who may not ask first, and each is shut out."""
    answers = {role: await ask(role) for role in roles if role not in allowed}
    assert {role: status for role, status in answers.items() if status not in SHUT} == {}


async def let_in(ask: Ask, roles: Iterable[Role], allowed: Collection[Role]) -> set[int]:
    """Then all who may, and none is shut out: the statuses that they got."""
    await shut_out(ask, roles, allowed)
    answers = {role: await ask(role) for role in roles if role in allowed}
    assert {role: status for role, status in answers.items() if status in SHUT} == {}
    assert "stranger" not in allowed and None not in allowed
    return set(answers.values())
