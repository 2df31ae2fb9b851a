"""One letter of each kind about one's own account, and what it says."""

from datetime import datetime
from zoneinfo import ZoneInfo

from mail.account_letters import AccountNews, WaysChanged

from .cast import BLACK, OPERATOR

_AT = datetime(2026, 12, 6, 19, 5, tzinfo=ZoneInfo("Europe/Copenhagen"))
_URL = "https://skak.example.org/settings/access"
SAYS_OF_ACCOUNT = {
    **{
        f"account_{news.value}": ["Min telefon" if news.value[0] != "x" else "k7", "19.05", _URL]
        for news in AccountNews
    },
}


def account_letters() -> dict[str, WaysChanged]:
    """By a name for the tests."""
    return {
        f"account_{news.value}": WaysChanged(
            BLACK.name, news, "Min telefon" if news.value[0] != "x" else "k7", _AT, _URL, OPERATOR
        )
        for news in AccountNews
    }
