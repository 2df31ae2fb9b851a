"""Streams: bounded for each visitor and in all, slow pages lose no news but its particulars.

Pages that were left stand in nobody's way.
"""

import pytest

from server.store.play.games import ChangedGame, compute_public_version
from server.usecases.play import open_pages
from server.usecases.play.open_pages import (
    PER_VISITOR,
    UNHEARD,
    GameNews,
    Hub,
    MissedNews,
    Stream,
    StreamEnd,
)

ANNA, BENT, SOREN = 1, 2, 3


def _changed(game: int, seq: int, *, result: str | None = None) -> ChangedGame:
    return ChangedGame(game, seq, ANNA, BENT, result)


def _opened(hub: Hub, person: int, known: dict[int, int]) -> Stream:
    stream = Stream(person, person, None, dict(known))
    assert hub.open(stream)
    return stream


def test_both_players_and_the_games_own_streams_hear_of_a_change_and_nobody_else():
    hub = Hub()
    anna, bent = _opened(hub, ANNA, {7: 1}), _opened(hub, BENT, {7: 1})
    other, watching = _opened(hub, SOREN, {}), Stream("192.0.2.1", None, 7, {7: 1})
    assert hub.open(watching)
    hub.tell([_changed(7, 2)])
    for stream in (anna, bent, watching):
        assert [(n.game_id, n.seq) for n in stream.take() if isinstance(n, GameNews)] == [(7, 2)]
    assert other.take() == []
    assert watching.cursor == "2"
    assert anna.cursor == bent.cursor == open_pages.cursor_of({7: 2})


def test_a_message_is_heard_by_the_games_players_and_by_nobody_who_only_watches():
    hub = Hub()
    anna = _opened(hub, ANNA, {7: 2})
    page, leader = Stream(BENT, None, 7, {7: 2}), Stream(SOREN, None, 7, {7: 2})
    stranger = Stream("192.0.2.1", None, 7, {7: 2})
    for stream in (page, leader, stranger):
        assert hub.open(stream)
    hub.tell([ChangedGame(7, 2, ANNA, BENT, None, said=40)])
    assert [len(stream.take()) for stream in (anna, page, leader, stranger)] == [1, 1, 0, 0]
    hub.tell([ChangedGame(7, 3, ANNA, BENT, None, said=40)])
    assert [len(stream.take()) for stream in (anna, page, leader, stranger)] == [1, 1, 1, 1]
    assert (leader.cursor, stranger.cursor) == ("3", "3")


def test_what_is_known_is_no_news_and_of_several_changes_the_last_is_told():
    stream = _opened(Hub(), ANNA, {7: 3})
    stream.offer(_changed(7, 3))
    assert stream.take() == []
    for seq in (4, 5, 6):
        stream.offer(_changed(7, seq))
    assert [news.seq for news in stream.take() if isinstance(news, GameNews)] == [6]


def test_a_game_that_ends_leaves_what_is_known_as_a_fresh_look_would_have_it():
    stream = _opened(Hub(), ANNA, {7: 3, 8: 1})
    stream.offer(_changed(7, 4, result="1-0"))
    (news,) = stream.take()
    assert isinstance(news, GameNews)
    assert news.cursor == open_pages.cursor_of({8: 1})


def test_a_page_that_takes_nothing_holds_a_bounded_queue_and_is_told_to_look_at_everything():
    stream = _opened(Hub(), ANNA, {})
    for game in range(1, 10 * UNHEARD):
        stream.offer(_changed(game, 1))
        assert len(stream._unheard) <= UNHEARD
    news = stream.take()
    assert isinstance(news[0], MissedNews)
    assert len(news) <= UNHEARD + 1


def test_a_visitor_has_so_many_streams_and_one_more_takes_the_oldests_place():
    hub = Hub()
    mine = [_opened(hub, ANNA, {}) for _ in range(PER_VISITOR)]
    _opened(hub, BENT, {})
    newest = _opened(hub, ANNA, {7: 1})
    assert [one.is_over for one in mine] == [True] + [False] * (PER_VISITOR - 1)
    assert mine[0].take() == [StreamEnd(is_replaced=True)]
    assert hub.count == PER_VISITOR + 1
    hub.close(mine[0])
    hub.close(mine[1])
    hub.close(mine[1])
    assert hub.count == PER_VISITOR
    _opened(hub, ANNA, {})
    assert not mine[2].is_over, "one that closed had made room"
    hub.tell([_changed(7, 2)])
    assert isinstance(newest.take()[0], GameNews)


def test_a_page_that_is_gone_gives_its_place_before_one_that_is_open():
    hub = Hub()
    mine = [_opened(hub, ANNA, {}) for _ in range(PER_VISITOR)]
    for one in mine[3:5]:
        one.is_gone = lambda: True
    _opened(hub, ANNA, {})
    assert [number for number, one in enumerate(mine) if one.is_over] == [3, 4]
    assert hub.count == PER_VISITOR - 1


def test_in_all_there_are_so_many_and_pages_that_are_gone_do_not_count(monkeypatch):
    monkeypatch.setattr(open_pages, "IN_ALL", 3)
    hub = Hub()
    opened = [_opened(hub, person, {}) for person in range(3)]
    assert not hub.open(Stream(9, 9, None))
    assert not any(one.is_over for one in opened), "nobody loses his place to another person"
    opened[1].is_gone = lambda: True
    assert hub.open(Stream(9, 9, None))
    assert hub.count == 3


async def test_at_the_end_every_stream_ends_and_none_begins():
    hub = Hub()
    stream = _opened(hub, ANNA, {})
    hub.end()
    assert stream.take() == [StreamEnd()]
    assert await stream.wait(0), "also one that was just about to begin"
    assert not hub.open(Stream(BENT, BENT, None))


def _following(hub: Hub, visitor: str, group: int = 70) -> Stream:
    stream = Stream(visitor, None, 7, {7: 0}, follows=group)
    assert hub.open(stream)
    return stream


def test_who_follows_hears_moves_and_the_end_and_nothing_of_what_is_the_players():
    """The number of the last event would tell of a draw that was offered."""
    stream = _following(Hub(), "192.0.2.1")
    for seq, ply, result, heard in (
        (1, 0, None, []),
        (2, 1, None, [2]),
        (3, 1, None, []),
        (4, 1, "1-0", [3]),
    ):
        stream.offer(ChangedGame(7, seq, ANNA, BENT, result, ply))
        assert [one.seq for one in stream.take() if isinstance(one, GameNews)] == heard, seq


@pytest.mark.parametrize("ply", [1, 2, 3])
def test_who_follows_hears_of_a_set_back_though_the_plies_are_fewer_or_as_many(ply):
    """A wrong card and the right one may change places in one commit (FIDE 7.5, § 6.2.4)."""
    stream = _following(Hub(), "192.0.2.1")
    stream.offer(ChangedGame(7, 3, ANNA, BENT, None, 2))
    assert len(stream.take()) == 1
    heard = stream.cursor
    stream.offer(ChangedGame(7, 5, ANNA, BENT, None, ply, turns=1))
    (news,) = stream.take()
    assert isinstance(news, GameNews) and news.seq == compute_public_version(ply, None, 1) > int(
        heard
    )


def test_switched_off_it_ends_for_who_follows_that_group_with_what_came_last_unheard():
    hub = Hub()
    off, other, own = _following(hub, "a"), _following(hub, "b", 71), Stream(ANNA, None, 7, {7: 0})
    assert hub.open(own)
    assert hub.followed == {70, 71}
    hub.tell([ChangedGame(7, 1, ANNA, BENT, None, 1)])
    hub.shut({70})
    assert off.take() == [StreamEnd()]
    assert [type(one) for one in other.take()] == [GameNews]
    assert [type(one) for one in own.take()] == [GameNews]


def test_who_follows_takes_no_players_place(monkeypatch):
    monkeypatch.setattr(open_pages, "FOLLOWERS", 2)
    hub = Hub()
    for visitor in ("a", "b"):
        _following(hub, visitor)
    assert not hub.open(Stream("c", None, 7, follows=70))
    assert hub.open(Stream(ANNA, ANNA, None))
