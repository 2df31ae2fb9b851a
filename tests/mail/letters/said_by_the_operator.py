"""What each letter of the server's operator, and the daily letter, has to say."""

from mail.game_letters.cast import KEY, SECOND
from mail.office_letters.entry_letters import AccountNews

_URL = "https://skak.example.org/settings/access"
SETTINGS = "https://skak.example.org/settings/letters"
SAYS_OF_ACCOUNT = {
    **{
        f"account_{news.value}": ["Min telefon" if news.value[0] != "x" else "k7", "19.05", _URL]
        for news in AccountNews
    },
    "account_passkeys_reset": ["Bo Jensen er logget ud alle steder", "19.05", "ikke aftalt", _URL],
    "join_confirm": ["https://skak.example.org/join/abc", "fem dage"],
    "join_waits": ["Jógvan á Rógvi", "https://skak.example.org/desk/join"],
    "join_admitted": ["Velkommen", "https://skak.example.org/login/abc", "tre dage"],
    "join_declined": ["Nummeret er en andens."],
    "alarm": ["opgivet (2)", "<a@b>"],
    "outage": [
        "Serveren stod stille fra den 6. december 2026 kl. 19.05 til den 9. december",
        "K-26-01: 21 partier med 7 spillere; 3 dage, den 6. december 2026 til den 8. december 2026",
        "K-26-02: 1 parti med 2 spillere; den 8. december 2026 tæller ikke",
        "/partier/4711",
        "(§ 6.8.5)",
    ],
    "outage_mail": ["Mailen stod stille fra", "med ét tryk"],
    "challenge": [
        "Bo Jensen vil gerne spille et venskabsparti med dig",
        "Revanche?",
        "40 dage til 10 træk",
        "hvid",
        "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b",
        "uden turneringsleder",
    ],
    "challenge_open": ["trækkes ved lod"],
    "challenge_no": ["sagt nej tak"],
    "challenge_asked": ["at du vil udfordre Bo Jensen", "Svar på denne mail med »ja«"],
    "challenge_asked_all": ["med hvem som helst", "trækkes ved lod"],
    "challenge_sent": ["Bo Jensen har fået din udfordring"],
    "challenge_sent_all": ["Den første, der tager imod"],
    "challenge_fault": ["allerede 5 udfordringer"],
    "followed": ["Åge Hansen – Bo Jensen 1-0", "K-26-01/4"],
    "followed_more": ["Der er sluttet partier", "Ida Ø. Berg – Åge Hansen 1/2-1/2", "V-7/1"],
    "office_made": ["K-skak chef", "19.05"],
    "office_ended": ["ikke længere", "suppleant", "K-26-01"],
    "readdressed": ["går ikke længere til denne adresse"],
    "bulletin": [
        "1. januar 2027 til den 31. marts 2027",
        "Godt nytår!",
        "1. Åge Hansen, 2. Bo",
        "Sag 2027/3/1 (§ 6.8.6)",
        "senest den 29. april 2027 (§ 6.4.5.1)",
        "sig fra her",
    ],
    "bulletin_due": ["Otto Krag", "31. marts 2027", "15. april 2027"],
    "report": [
        "1 mail fra en spiller eller om et parti",
        "2 mails fra fremmede",
        "tilbage fra 1 adresse.",
        "Mít drag",
    ],
}
SAYS_OF_THE_DAY = {
    "daily": ["Du er i trækket i 1 parti, hvor", "Åge Hansen sendte 2. 7163 (Sf3) den 4. december",
              "trækserien 2... 2836 3. 6125", "tilbyder remis", "Glædelig jul", "remis ja",
              "25. januar 2027", "brugt 1 dag af 40 dage", KEY, SETTINGS],
    "daily_two": ["Du er i trækket i 2 partier", "K-26-01/3: Sort mod Åge Hansen",
                  "K-26-01/5: Sort mod Åge Hansen", "Hvert parti har sin egen adresse", KEY, SECOND,
                  "disse linjer til adressen herunder"],
    "daily_none": ["du er ikke i trækket", "Du sendte 2... 2836 3. 6125 1716", "18 dage"],
}  # fmt: skip
