"""A wrong group file: one line that names the place and what to write (CONTRACTS "Group file")."""

import pytest

from server.usecases.groups.group_file import GroupFileError, read_group_file
from tests.fakes.machinery.each import each

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


@each(
    "text said",
    ("x =", "not TOML"),
    ("", "tournament: is missing"),
    (HEAD + "foo = 1\n" + PLAYERS, "foo: is not a key of a group file; the keys are tournam"),
    (HEAD + PLAYERS + "elo = 5\n", "players.7.elo: is not a key of [[players]]; the keys are"),
    (HEAD + PLAYERS + '[[players]]\nemail = "q@example.org"\n', "players.8.name: is missing"),
    (HEAD + PLAYERS.replace("b@example.org", "b"), "players.2.email: write one e-mail address"),
    (HEAD + PLAYERS.replace("b@", "a@"), "players: a@example.org stands twice"),
    (HEAD + PLAYERS.replace("a@", "tl@"), "tl: no leader decides in a group he plays in"),
    (HEAD, "players: write 2 to 24"),
    (HEAD + PLAYERS + "birth = 1850-05-01\n", "birth: 1850-05-01 of "),
    (HEAD + PLAYERS + "birth = 2099-05-01\n", "birth: 2099-05-01 of "),
    (HEAD + 'fen = "x"\n' + PLAYERS, "fen: is no position"),
    (HEAD + 'zone = "Mars"\n' + PLAYERS, "zone: write a time zone, as Europe/Copenhagen"),
    (HEAD.replace('"K"', '"X"') + PLAYERS, "class: write one of 'DM', 'M', 'K', 'Å'"),
)
def test_a_slip_is_one_line_with_its_place_and_the_remedy(text, said):
    with pytest.raises(GroupFileError) as slip:
        read_group_file(text)
    assert str(slip.value).startswith(said)
    assert "\n" not in str(slip.value)


BARE = "".join(line for line in HEAD.splitlines(keepends=True) if not line.startswith("start"))
DAY, NUMBER = "write a day without quotes, as 2026-09-01", "write a whole number"


@each(
    "text said",
    (BARE + 'start = ""\n' + PLAYERS, f"start: {DAY}"),
    (BARE + "start = 5\n" + PLAYERS, f"start: {DAY}"),
    (BARE + 'start = "2026-13-01"\n' + PLAYERS, f"start: {DAY}"),
    (HEAD + PLAYERS + 'birth = "x"\n', f"players.7.birth: {DAY}"),
    (HEAD + 'post_days = "a"\n' + PLAYERS, f"post_days: {NUMBER}, as 14"),
    (HEAD + "post_days = 99\n" + PLAYERS, f"post_days: {NUMBER}, 60 or less"),
    (HEAD + PLAYERS + "rating = -1\n", f"players.7.rating: {NUMBER}, 0 or more"),
    (HEAD + 'draw = "maybe"\n' + PLAYERS, "draw: write true or false"),
    (HEAD + "laws = 2010\n" + PLAYERS, "laws: write one of 2009, 2014 or 2018"),
    (HEAD + "seed = 5\n" + PLAYERS, "seed: write a text in quotes"),
    (HEAD + 'seed = ""\n' + PLAYERS, "seed: write a text, it may not be empty"),
    (HEAD + f'seed = "{"x" * 121}"\n' + PLAYERS, "seed: write a text of at most 120 charact"),
    (HEAD + 'regulation_url = "x"\n' + PLAYERS, "regulation_url: write an address that beg"),
    (HEAD + "players = 5\n", "players: write a list of tables, each under its own [[players"),
    (HEAD + 'players = ["a"]\n', "players.1: write a table, with the keys name, email, rating"),
    (
        HEAD + '[[teams]]\nclub = "c"\ncaptain = "x"\nplayers = [{ name = "a", elo = 1 }]\n',
        "teams.1.players.1.email: is missing",
    ),
    (
        HEAD + '[[teams]]\nclub = "c"\ncaptain = "x"\n'
        'players = [{ name = "a", email = "a@example.org", elo = 1 }]\n',
        "teams.1.players.1.elo: is not a key of [[players]]; the keys are name, email",
    ),
)
def test_what_is_no_value_of_its_key_is_said_in_our_words_with_an_example(text, said):
    with pytest.raises(GroupFileError) as slip:
        read_group_file(text)
    assert str(slip.value).startswith(said)
    assert "\n" not in str(slip.value) and "nput" not in str(slip.value)
