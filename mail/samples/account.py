"""One letter of each kind about one's own account and about joining. Not for play (play.py)."""

from datetime import datetime
from zoneinfo import ZoneInfo

from mail.office_letters.account import AccountNews, WaysChanged
from mail.office_letters.join_letters import JoinLetter, JoinNews
from mail.samples.cast import BLACK, OPERATOR

_AT = datetime(2026, 12, 6, 19, 5, tzinfo=ZoneInfo("Europe/Copenhagen"))
_URL = "https://skak.example.org/settings/access"
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
