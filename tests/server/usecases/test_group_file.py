"""A wrong group file: one line that names the place and what to write (CONTRACTS "Group file")."""

import pytest

from server.usecases.group_file import GroupFileError, read_group_file

HEAD = """tournament = "K-skak-EMT 2026"
class = "K"
group = "K-26-01"
regulation = "email"
start = 2026-12-01
tl = "tl@example.org"
"""
PLAYERS = "".join(
    f'[[players]]\nname = "{name}"\nemail = "{name}@example.org"\n' for name in "abcdefg"
)


def test_the_file_is_taken_as_it_stands():
    assert len(read_group_file(HEAD + PLAYERS).players) == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x =", "not TOML"),
        ("", "tournament: is missing"),
        (HEAD + "foo = 1\n" + PLAYERS, "foo: is not a key of a group file; the keys are tournam"),
        (HEAD + PLAYERS + "elo = 5\n", "players.7.elo: is not a key of [[players]]; the keys are"),
        (HEAD + PLAYERS + '[[players]]\nemail = "q@example.org"\n', "players.8.name: is missing"),
        (HEAD + PLAYERS.replace("b@example.org", "b"), "players.2.email: write one e-mail address"),
        (HEAD + PLAYERS.replace("b@", "a@"), "players: a@example.org stands twice"),
        (HEAD + PLAYERS.replace("a@", "tl@"), "tl: no leader decides in a group he plays in"),
        (HEAD, "players: write 2 to 24"),
        (HEAD + 'fen = "x"\n' + PLAYERS, "fen: is no position"),
        (HEAD + 'zone = "Mars"\n' + PLAYERS, "zone: write a time zone, as Europe/Copenhagen"),
        (HEAD.replace('"K"', '"X"') + PLAYERS, "class: Input should be 'DM', 'M', 'K'"),
    ],
)
def test_a_slip_is_one_line_with_its_place_and_the_remedy(text, said):
    with pytest.raises(GroupFileError) as slip:
        read_group_file(text)
    assert str(slip.value).startswith(said)
    assert "\n" not in str(slip.value)
