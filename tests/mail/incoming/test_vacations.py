"""Vacation notices without a header field: known by their words in a dozen languages."""

import pytest

from mail.incoming.parse_mail import parse
from mail.incoming.robots import NOTICE_BY_SUBJECT, NOTICE_BY_TEXT, MailKind, classify
from tests.fakes.machinery.each import each
from tests.mail.games import DOMAIN

TEMPLATES = (
    *("Autosvar: Re: [K-26-01/1] 1. e4", "Automatisk svar: K-skak", "Ikke på kontoret: K-skak"),
    *("Out of Office: K-skak", "Automatic reply: K-skak", "Auto Response: K-skak"),
    *("Abwesenheitsnotiz: K-skak", "Automatische Antwort: K-skak", "Réponse automatique : K-skak"),
    *("Respuesta automática: K-skak", "Risposta automatica: K-skak", "Frånvaro: K-skak"),
    *("Automatiskt svar: K-skak", "Automatisch antwoord: K-skak", "Resposta automática: K-skak"),
    *("Odpowiedź automatyczna: K-skak", "Automaattinen vastaus: K-skak", "Fraværende: K-skak"),
    *("Sjálfvirkt svar: K-skak", "Автоматический ответ: K-skak", "Automatická odpověď: K-skak"),
)
BARE = (
    *("Ikke på kontoret", "Ikke til stede", "Out of office until Monday", "On vacation"),
    *("Abwesend bis Montag", "Absence du bureau", "Fuera de la oficina", "Fuori ufficio"),
    *("Niet aanwezig", "Fora do escritório", "Poza biurem", "Poissa toimistolta", "Fjarverandi"),
    *("Mimo kancelář", "Ikke på kontoret – men her er mit træk", "Inte på kontoret - e4"),
)
TEXTS = (
    "Tak for din mail. Jeg holder ferie og er tilbage mandag den 7.",
    "Jeg er ikke på kontoret og svarer på din mail, når jeg er tilbage.",
    "Jeg har ferie til og med 3. januar. Kontakt receptionen.",
    "Jag har semester och är åter den 7 januari.",
    "I am out of the office until 7 January with limited access to e-mail.",
    "I'm away this week. I will reply on my return.",
    "This is an automatic reply. Your mail was received.",
    "Ich bin bis zum 7. Januar nicht im Büro. Ihre Mail wird nicht gelesen.",
    "Vielen Dank. Ich bin im Urlaub; in dringenden Fällen wenden Sie sich an Frau Maier.",
    "Je suis absent du bureau jusqu'au 7 janvier.",
    "Je suis en congé, de retour le 7.",
    "Estoy fuera de la oficina hasta el 7 de enero.",
    "Sono in ferie fino al 7 gennaio.",
    "Ik ben afwezig tot en met 7 januari.",
    "Estarei de férias até 7 de janeiro.",
    "Jestem na urlopie do dnia 7 stycznia.",
    "Olen lomalla 7.1. asti.",
    "Ég er í fríi og kem aftur 7. janúar.",
    "Jsem na dovolené, vrátím se 7. ledna.",
    "Я в отпуске, вернусь 7 января.",
)
PEOPLE = (
    *("Jeg holder ferie, og her er mit træk.", "Jeg er på ferie.", "Er du på ferie til mandag?"),
    *("I am on holiday until Monday, can I answer then?", "Ferie 20/12 til 3/1"),
    *("Tak for et godt parti. Kontakt mig gerne.", "e4", "Jeg svarer på mandag."),
)


def found(subject: str, words: str) -> object:
    head = f"From: Anna <anna@example.dk>\r\nSubject: {subject}\r\n"
    head += "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
    return classify(parse(f"{head}{words}\r\n".encode()), "anna@example.dk", DOMAIN)


@each("subject", TEMPLATES)
def test_a_programs_subject_is_a_programs_in_any_language(subject: str) -> None:
    kind = found(subject, "Hej.")
    assert getattr(kind, "kind", None) is MailKind.AUTOMATIC
    assert kind is not NOTICE_BY_SUBJECT, "nothing in it is a person's"


@each("subject", BARE)
def test_a_subject_that_begins_like_a_notice_s_may_be_a_persons(subject: str) -> None:
    assert found(subject, "Hej.") == NOTICE_BY_SUBJECT


@each("words", TEXTS)
def test_a_text_that_says_away_and_until_when_is_a_notice(words: str) -> None:
    assert found("Re: [K-26-01/1] 1. e4", words) == NOTICE_BY_TEXT


@each("words", PEOPLE)
def test_who_mentions_a_holiday_is_a_person(words: str) -> None:
    assert getattr(found("Re: [K-26-01/1]", words), "kind", None) is MailKind.HUMAN


@pytest.mark.parametrize("subject", ["O-O-O", "OOO", "Ferie 8/7 til 22/7", "Kontor og skak"])
def test_a_subject_about_chess_or_leave_is_a_persons(subject: str) -> None:
    assert getattr(found(subject, "e4"), "kind", None) is MailKind.HUMAN


def test_a_notice_in_the_quote_below_is_not_the_writers() -> None:
    quoted = "> I am out of the office until Monday.\r\n\r\ne4"
    assert getattr(found("Re: x", quoted), "kind", None) is MailKind.HUMAN
