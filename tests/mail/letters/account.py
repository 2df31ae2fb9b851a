"""One letter of each kind about one's own account and about joining, and what it says."""

from datetime import datetime
from zoneinfo import ZoneInfo

from mail.office_letters.account import AccountNews, WaysChanged
from mail.office_letters.join_letters import JoinLetter, JoinNews
from tests.mail.letters.cast import BLACK, OPERATOR

_AT = datetime(2026, 12, 6, 19, 5, tzinfo=ZoneInfo("Europe/Copenhagen"))
_URL = "https://skak.example.org/settings/access"
SAYS_OF_ACCOUNT = {
    **{
        f"account_{news.value}": ["Min telefon" if news.value[0] != "x" else "k7", "19.05", _URL]
        for news in AccountNews
    },
    "join_confirm": ["Jógvan á Rógvi", "https://skak.example.org/join/abc", "fem dage"],
    "join_waits": ["Jógvan á Rógvi", "https://skak.example.org/desk/join"],
    "join_admitted": ["Velkommen", "https://skak.example.org/login/abc", "tre dage"],
    "join_declined": ["Nummeret er en andens."],
}
_PAGES = {"confirm": "/join/abc", "waits": "/desk/join", "admitted": "/login/abc", "declined": ""}


def account_letters() -> dict[str, WaysChanged | JoinLetter]:
    """By a name for the tests."""
    return _joining() | {
        f"account_{news.value}": WaysChanged(
            BLACK.name, news, "Min telefon" if news.value[0] != "x" else "k7", _AT, _URL, OPERATOR
        )
        for news in AccountNews
    }


def _joining() -> dict[str, JoinLetter]:
    site = "https://skak.example.org"
    return {
        f"join_{news}": JoinLetter(
            BLACK.name if news is JoinNews.WAITS else "Jógvan á Rógvi",
            news,
            "Jógvan á Rógvi",
            f"{site}{_PAGES[news]}" if _PAGES[news] else "",
            "Nummeret er en andens." if news is JoinNews.DECLINED else "",
            OPERATOR,
        )
        for news in JoinNews
    }
