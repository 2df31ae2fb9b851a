"""One letter of each kind about one's own account, and what it says."""

from datetime import datetime
from zoneinfo import ZoneInfo

from mail.account_letters import AccountNews, RemovalAsked, WaysChanged

from .cast import BLACK, OPERATOR

_AT = datetime(2026, 12, 6, 19, 5, tzinfo=ZoneInfo("Europe/Copenhagen"))
_URL = "https://skak.example.org/settings/access"
SAYS_OF_ACCOUNT = {
    **{
        f"account_{news.value}": ["Min telefon" if news.value[0] != "x" else "k7", "19.05", _URL]
        for news in AccountNews
    },
    "account_removal": ["https://skak.example.org/c/abc", "trykker på knappen"],
}


def account_letters() -> dict[str, WaysChanged | RemovalAsked]:
    """By a name for the tests."""
    told: dict[str, WaysChanged | RemovalAsked] = {
        f"account_{news.value}": WaysChanged(
            BLACK.name, news, "Min telefon" if news.value[0] != "x" else "k7", _AT, _URL, OPERATOR
        )
        for news in AccountNews
    }
    told["account_removal"] = RemovalAsked(
        BLACK.name, "https://skak.example.org/c/abc", _AT, OPERATOR
    )
    return told
