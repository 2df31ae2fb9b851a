"""What each letter about one's account, joining or the day has to say."""

from mail.office_letters.account import AccountNews
from mail.samples.cast import KEY
from mail.samples.daily import SECOND

_URL = "https://skak.example.org/settings/access"
SETTINGS = "https://skak.example.org/settings/letters"
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
SAYS_OF_THE_DAY = {
    "daily": ["Du er i trækket i 1 parti, hvor", "Åge Hansen sendte 2. 7163 (Sf3) den 4. december",
              "serien 2... 2836 3. 6125", "tilbyder remis", "Glædelig jul", "remis ja",
              "25. januar 2027", "brugt 1 dag af 40 dage", KEY, SETTINGS, "§ 6.3.1"],
    "daily_two": ["Du er i trækket i 2 partier", "K-26-01/3: Sort - Åge Hansen",
                  "K-26-01/5: Sort - Åge Hansen", "Hvert parti har sin egen adresse", KEY, SECOND,
                  "disse linjer til adressen herunder"],
    "daily_none": ["du er ikke i trækket", "Du sendte 2... 2836 3. 6125 1716", "18 dage"],
}  # fmt: skip
