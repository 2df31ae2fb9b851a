"""Letters go over several connections, and to each reader in the order they were written."""

from types import SimpleNamespace

from server.jobs.mail_jobs import by_reader


def test_the_letters_of_one_reader_are_in_one_lane_in_their_order_and_none_is_left_out():
    mails = [(SimpleNamespace(id=n, person_id=None if n % 7 == 0 else n % 5), n) for n in range(60)]
    for lanes in (1, 2, 3):
        parts = by_reader(mails, lanes)  # type: ignore[arg-type]
        assert len(parts) == lanes
        assert sorted(row.id for part in parts for row, _ in part) == list(range(60))
        assert all(row.id == mail for part in parts for row, mail in part)
        for reader in range(5):
            found = [[r.id for r, _ in part if r.person_id == reader] for part in parts]
            (mine,) = (ids for ids in found if ids)
            assert mine == sorted(mine)
