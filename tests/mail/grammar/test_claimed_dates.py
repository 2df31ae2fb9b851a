"""The dates that a person claims in a case, as they write them (§ 6.3.2, Kendelse 107)."""

from datetime import date

from mail.grammar.intentions import read_claimed_dates
from tests.fakes.machinery.each import each

TODAY = date(1987, 8, 20)


@each(
    ("text", "wanted"),
    [
        ("Kortet er stemplet den 19/8.", [("stamped", date(1987, 8, 19))]),
        ("kortet er stemplet d. 19. august, ikke før", [("stamped", date(1987, 8, 19))]),
        ("Poststemplet viser 19.8.1987", [("stamped", date(1987, 8, 19))]),
        ("Jeg lagde det i kassen den 17/8, og det er stemplet 19/8",
         [("stamped", date(1987, 8, 19))]),
        ("Jeg har sendt trækket den 17. august, og det er modtaget den 18/8.",
         [("sent", date(1987, 8, 17)), ("received", date(1987, 8, 18))]),
        ("It is postmarked 19 August", [("stamped", date(1987, 8, 19))]),
        ("The card was stamped on 1987-08-19.", [("stamped", date(1987, 8, 19))]),
        ("Kortet er stemplet den 19/12.", [("stamped", date(1986, 12, 19))]),
        ("Kortet er stemplet den 19/8 1988.", []),
        ("Kortet er ikke stemplet den 19/8.", []),
        ("Jeg holder ferie den 19/8. Kortet er stemplet.", []),
        ("Stemplet kan ikke læses. Vi ses den 19/8.", []),
        ("12. 2425 1625", []),
        ("", []),
    ],
)  # fmt: skip
def test_the_word_before_the_day_says_what_it_is_of(text, wanted):
    found = read_claimed_dates(text, TODAY)
    assert [(one.kind.value, one.day) for one in found] == wanted
