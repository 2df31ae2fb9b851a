"""The register: every paragraph that the project rests on, and how far it is implemented.

All of section 6, what it draws on elsewhere in the handbook, the Appeals Board's rulings and
the articles of FIDE's laws that the rules cite. A house test checks it against the sources.
How a paragraph is read where its text leaves room is in docs/readings.md, by these numbers.
Not for numbers (editions.py) nor for the paragraphs' text.
"""

from dataclasses import dataclass
from enum import StrEnum

# A row of the register: a paragraph and how far it is implemented.


class Status(StrEnum):
    """How far a paragraph is implemented."""

    YES = "yes"
    PARTLY = "partly"
    OFFICIAL = "official"
    NO = "no"


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A row: ``yes`` is cited by code and tests; ``official`` is for a person to decide."""

    number: str
    title: str
    status: Status
    note: str = ""


YES, PARTLY, OFFICIAL, NO = Status.YES, Status.PARTLY, Status.OFFICIAL, Status.NO


# The register's rows on ratings and correction (§ 4.5, § 4.9.10).

_TOLD = "told beside the ruling"
RATING_ROWS = (
    Paragraph(
        "4.5",
        "Dansk Skak Unions ratingsystem",
        PARTLY,
        "K-ratings are made by it (reading); what is the over-the-board committee's alone is not",
    ),
    Paragraph("4.5.2", "Beregning af ratingtallet", YES),
    Paragraph(
        "4.5.2.1",
        "Den forventede score",
        YES,
        "a double round expects twice what a single one does, rounded last (reading)",
    ),
    Paragraph("4.5.2.2", "Bonus", YES, "beyond 11 games by the pattern (reading)"),
    Paragraph("4.5.2.3", "Udviklingskoefficienten K", YES),
    Paragraph("4.5.2.4", "Korrektion ved passage af en koefficientgrænse", YES),
    Paragraph("4.5.2.5", "Korrektion ved turneringssejr", YES),
    Paragraph("4.5.2.6", "Bundgrænse", YES),
    Paragraph(
        "4.5.3",
        "Ratingberettigede turneringer",
        NO,
        "over-the-board tournaments; every K tournament is rated (reading)",
    ),
    Paragraph(
        "4.5.4.1",
        "Tidsmæssig beregningsrækkefølge",
        YES,
        "registered on the day of publication (reading)",
    ),
    Paragraph(
        "4.5.4.2",
        "Ratingberettigede partier",
        YES,
        "what is played and what an absence is by post are readings; a game that § 6.2.8 turned is "
        "rated as its result stands (reading)",
    ),
    Paragraph(
        "4.5.5.1",
        "Danske spillere",
        PARTLY,
        "three years on the list; first numbers are assigned by people or come from § 6.7.6.2",
    ),
    Paragraph("4.5.5.2", "Udenlandske spillere", YES, "performance ratings"),
    Paragraph(
        "4.5.6",
        "Koordinering med den internationale ratingliste",
        NO,
        "compares over-the-board ratings with FIDE's",
    ),
    Paragraph("4.5.7", "Tabeller til ratingberegning", YES),
    Paragraph("4.9.10", "Korrektionssystemer", YES, "K-skak names Sonneborn-Berger alone"),
    Paragraph("4.9.10.1", "Sonneborn-Berger", YES),
    Paragraph("4.9.10.2", "Almindelig korrektion", NO, "no form of section 6 uses it"),
    Paragraph("4.9.10.3", "Middelkorrektion", NO, "no form of section 6 uses it"),
)


# The register: every paragraph that the project rests on, and how far it is implemented.

_ROWS = (
    Paragraph(
        "1.1.22",
        "Korrespondanceskak",
        PARTLY,
        "a theme group starts from the position that its leader gives",
    ),
    Paragraph("1.3.4", "Unionens medlemmer", PARTLY, "the kinds of members, and who may enter"),
    Paragraph("1.3.6", "Delegeretmødet", PARTLY, "the fee that it fixes from 1 July"),
    Paragraph("1.3.7", "Hovedbestyrelsen", OFFICIAL, "names honorary members"),
    Paragraph(
        "1.3.9",
        "Skaknævnet",
        PARTLY,
        "paragraph 9 of section 1.3: three members, term, deposit, last word; its own procedure",
    ),
    Paragraph("1.3.10", "Kontingentet", PARTLY, "arrears of more than six months"),
    Paragraph(
        "3.5.5",
        "Kendelser i korrespondanceskak",
        PARTLY,
        "see Kendelse 38, 59, 107, 120, 135 below",
    ),
    Paragraph("4.1.7", "Turneringskomiteer", PARTLY, "copies of sanctions to club and register"),
    Paragraph(
        "4.1.19",
        "Registrering af advarsler og karantæner",
        YES,
        "paragraph 19 of section 4.1; it holds in K-skak too (reading)",
    ),
    *RATING_ROWS,
    Paragraph(
        "4.9.11",
        "Alle-mod-alle rundeskemaer",
        YES,
        "the rule of the text; its printed tables are illustrations",
    ),
    Paragraph(
        "6",
        "Reglement for DSU's korrespondanceskakturneringer",
        PARTLY,
        "see its paragraphs",
    ),
    Paragraph(
        "6.1",
        "Indledning",
        PARTLY,
        "FIDE's laws as far as they fit; a non-member's one group",
    ),
    Paragraph(
        "6.1.1",
        "Turneringsleder (TL)",
        OFFICIAL,
        "the KC appoints; none decides in a group he plays in (reading)",
    ),
    Paragraph("6.1.2", "K-skak chef (KC)", PARTLY, "appeals, the year, the accounts"),
    Paragraph("6.2", "Spillets gang samt almindelige bestemmelser", PARTLY, "see its paragraphs"),
    Paragraph(
        "6.2.1",
        "Spillets gang",
        PARTLY,
        "cards, receipts, e-mail by agreement, letters; results of the group are on its page",
    ),
    Paragraph("6.2.2", "Notation", YES),
    Paragraph(
        "6.2.3",
        "Notering af partier",
        PARTLY,
        "the ledger keeps everything, the case file hands it over; paper cards are the players'",
    ),
    Paragraph("6.2.4", "Afsendt træk", YES, "there is no taking back; a stale dispatch is refused"),
    Paragraph("6.2.5", "Trækserie", YES),
    Paragraph(
        "6.2.6",
        "Ved partiets afslutning",
        YES,
        "reported to the TL when it is recorded; silent postal games are asked about",
    ),
    Paragraph(
        "6.2.7",
        "Uafsluttede partier",
        PARTLY,
        "which games and from when; calling them in is the desk's, judging them the TL's",
    ),
    Paragraph("6.2.8", "En spillers udtræden", YES, "unfinished games are the TL's to judge"),
    Paragraph(
        "6.2.9",
        "Partiafskrifter",
        YES,
        "the ledgers stay; every cup and league group is treated as final and division 1",
    ),
    Paragraph("6.3", "Betænkningstiden", PARTLY, "see its paragraphs"),
    Paragraph("6.3.1", "Betænkningstid", YES),
    Paragraph("6.3.2", "Poststemplets dato", YES),
    Paragraph("6.3.2.1", "Partier pr. fax eller e-mail", YES),
    Paragraph("6.3.3", "Tidskontrol", YES),
    Paragraph("6.3.3.1", "Tidsoverskridelse", YES),
    Paragraph("6.3.3.2", "Tidsoverskridelse i trækserier", YES),
    Paragraph("6.3.3.3", "Følgen af tidsoverskridelse", YES),
    Paragraph("6.3.3.4", "Fortsat spil efter tidsoverskridelse", YES),
    Paragraph(
        "6.3.3.5",
        "Indberetning af tidsoverskridelse",
        PARTLY,
        "the claim and the account; attaching them comes with the case file",
    ),
    Paragraph(
        "6.3.4",
        "Brug af mere end 14 dages betænkningstid",
        YES,
        "what follows from a silence that lasts is for the TL to rule",
    ),
    Paragraph(
        "6.3.5",
        "Beskadigede kort",
        YES,
        "costs nobody a day; sent to the TL within 3 days, who says that he has it",
    ),
    Paragraph("6.3.5.1", "Ugørligt eller ulæseligt træk", YES),
    Paragraph("6.3.6", "Ferie", YES),
    Paragraph("6.3.6.1", "Varsel om ferie", YES),
    Paragraph("6.3.6.2", "Obligatoriske ferier", YES),
    Paragraph("6.3.6.3", "Beregning af betænkningstid ved ferier", YES),
    Paragraph("6.3.6.4", "Særlov", YES, "the TL grants it at his desk; its days are exempt"),
    Paragraph("6.4", "Afgørelse af tvister m.m.", PARTLY, "see its paragraphs"),
    Paragraph(
        "6.4.1",
        "Tvistigheder og tvivlsspørgsmål",
        YES,
        "heard, suspended, decided; what is decided is the official's",
    ),
    Paragraph("6.4.2", "Usportslig optræden", YES, "whether it was so is the official's to say"),
    Paragraph("6.4.3", "Appel", YES),
    Paragraph("6.4.4", "Tilmeldelse", PARTLY, "see § 6.4.4.1"),
    Paragraph("6.4.4.1", "Tilmeldelse og indskud", YES),
    Paragraph(
        "6.4.5",
        "Information om turneringerne",
        PARTLY,
        "prizes are recorded, not paid",
    ),
    Paragraph("6.4.5.1", "Information om turneringens gang", PARTLY, "see § 6.4.5"),
    Paragraph("6.5", "Enkeltmandsturneringen (K-skak-EMT)", PARTLY, "see its paragraphs"),
    Paragraph("6.5.1", "Indledning", PARTLY, "see its paragraphs"),
    Paragraph("6.5.1.1", "Klasser og grupper", YES),
    Paragraph("6.5.1.2", "Deltagelse i flere grupper", YES),
    Paragraph(
        "6.5.2",
        "DM-klassen",
        YES,
        "the play-off is a group of its own, started by the leader; the best placed Danish citizen "
        "is champion, and who is one the register of members says (readings)",
    ),
    Paragraph("6.5.2.1", "DM-klassens afvikling og startbrev", YES),
    Paragraph("6.5.2.2", "Adgang til DM-klassen", YES, "f is for TL and KC together"),
    Paragraph("6.5.2.3", "Nedrykning fra DM-klassen", YES),
    Paragraph("6.5.3", "Øvrige klasser", PARTLY, "see its paragraphs"),
    Paragraph("6.5.3.1", "De øvrige klassers afvikling", YES),
    Paragraph("6.5.3.2", "Adgang til klasserne", YES, "e is for the TL"),
    Paragraph("6.5.3.3", "Nedrykning", YES),
    Paragraph("6.5.4", "Øvrige bestemmelser for K-skak-EMT", PARTLY, "see § 6.5.4.1"),
    Paragraph(
        "6.5.4.1",
        "Indskud, præmier og korrektion",
        PARTLY,
        "ties and shared money; fees and prizes in the account, how much is the KC's",
    ),
    Paragraph("6.6", "Pokalturneringen", PARTLY, "see its paragraphs"),
    Paragraph("6.6.1", "Turneringens afvikling", PARTLY, "see its paragraphs"),
    Paragraph("6.6.1.1", "Runder og grupper", YES),
    Paragraph("6.6.1.2", "Fordeling i grupper", YES),
    Paragraph("6.6.1.3", "Videre til semifinale og finale", YES),
    Paragraph("6.6.1.4", "Ligestilling før finalen", YES),
    Paragraph("6.6.1.5", "Pokalfinale", YES),
    Paragraph("6.6.1.6", "Indtræden og supplering", YES),
    Paragraph("6.6.2", "Rettigheder i forhold til K-skak-EMT", PARTLY, "see its paragraphs"),
    Paragraph("6.6.2.1", "Rettigheder fra semifinalen", YES),
    Paragraph("6.6.2.2", "Rettigheder fra finalen", YES),
    Paragraph("6.6.2.3", "Rettighedernes bortfald", YES),
    Paragraph("6.6.3", "Starttidspunkter", YES),
    Paragraph("6.6.4", "Indskud og præmier", PARTLY, "the account; how much is for KC and TL"),
    Paragraph("6.7", "Danmarksturneringen for hold", PARTLY, "see its paragraphs"),
    Paragraph("6.7.1", "Turneringens opbygning", PARTLY, "see its paragraphs"),
    Paragraph("6.7.1.1", "Inddeling", PARTLY, "sizes, in the composition"),
    Paragraph("6.7.1.2", "Starttidspunkter", YES),
    Paragraph("6.7.2", "Beskrivelse af turneringsformen", PARTLY, "see its paragraphs"),
    Paragraph("6.7.2.1", "Hold og brætter", YES),
    Paragraph("6.7.2.2", "Holdkaptajn", PARTLY, "an office of his team, and a desk"),
    Paragraph("6.7.2.3", "Partierne", YES),
    Paragraph("6.7.3", "Adgangsbetingelser m.m.", PARTLY, "see its paragraphs"),
    Paragraph("6.7.3.1", "Klubberne", PARTLY, "a district as a club"),
    Paragraph("6.7.3.2", "Spillerne", YES),
    Paragraph("6.7.3.3", "Ét hold i hver division", YES),
    Paragraph("6.7.4", "Turneringens afvikling", PARTLY, "see its paragraphs"),
    Paragraph("6.7.4.1", "Tilmeldelse", YES),
    Paragraph("6.7.4.2", "Opstart", YES),
    Paragraph("6.7.4.3", "Reservespillere", YES, "how much stronger is the TL's number"),
    Paragraph("6.7.4.4", "Indberetning m.m.", PARTLY, "by the server; captains report the rest"),
    Paragraph("6.7.4.5", "Slutplacering", YES),
    Paragraph("6.7.4.6", "Danmarksmester", YES),
    Paragraph("6.7.5", "Op- og nedrykningsregler", PARTLY, "see § 6.7.5.1"),
    Paragraph("6.7.5.1", "Divisionshold", YES),
    Paragraph("6.7.6", "Øvrige regler", PARTLY, "see its paragraphs"),
    Paragraph("6.7.6.1", "Holdkaptajnens opgaver", PARTLY, "the captain's desk and his copies"),
    Paragraph("6.7.6.2", "Gennemsnitsratingtal", YES),
    Paragraph("6.8", "Regler for danske e-mailturneringer", PARTLY, "see its paragraphs"),
    Paragraph(
        "6.8.1",
        "Spil og kontrol",
        PARTLY,
        "the rule set; 30 days offline are told to the TL, who rules",
    ),
    Paragraph(
        "6.8.2",
        "Partiernes afvikling",
        PARTLY,
        "notation, dates, layout; transit over a day is remarked on for the TL",
    ),
    Paragraph("6.8.3", "Undladelse af svar", YES),
    Paragraph("6.8.4", "Træk og trækserier", YES),
    Paragraph("6.8.5", "Noteringer og rapporter", PARTLY, "the ledger; an outage stops time"),
    Paragraph("6.8.6", "Tilladt tid og straf", YES),
    Paragraph("6.8.7", "Tidsoverskridelse", YES),
    Paragraph("6.8.8", "Ferie", YES, "special leave is the TL's to grant"),
    Paragraph(
        "6.8.9",
        "Indberetning af resultater",
        PARTLY,
        "the leader is told at once for both; who ends a game by post has it entered",
    ),
    Paragraph("6.8.10", "Appel", YES, "§ 6.4.3's terms, deposit and suspension (reading)"),
    Paragraph("Kendelse 12", "Gyldigt afbud giver ikke krav på en anden dag", PARTLY, _TOLD),
    Paragraph("Kendelse 38", "Afsenderen bærer risikoen for poststemplet", YES),
    Paragraph("Kendelse 42", "Forglemmelse er ikke usportslig optræden", PARTLY, _TOLD),
    Paragraph("Kendelse 47", "Forkerte farver (47b)", PARTLY, _TOLD),
    Paragraph("Kendelse 49", "Resultat aftalt uden spil", PARTLY, _TOLD),
    Paragraph("Kendelse 59", "Hvad posten ødelægger, koster ingen dage", YES),
    Paragraph("Kendelse 97", "Karantæne gælder overalt", PARTLY, _TOLD),
    Paragraph("Kendelse 103", "En åbenbar fejl i tiden rettes", PARTLY, _TOLD),
    Paragraph("Kendelse 107", "Kendte forhold kan afgøre et poststempel", YES),
    Paragraph(
        "Kendelse 116", "Hvad der ikke er nævnets sag, afvises, og depositum går tilbage", YES
    ),
    Paragraph(
        "Kendelse 120",
        "Hjælp er tilladt; partier genoptages fra en dato",
        YES,
        "one decision annuls a sanction and resumes several games",
    ),
    Paragraph(
        "Kendelse 133", "En protest, der kommer for sent, afvises, og depositum er tabt", YES
    ),
    Paragraph("Kendelse 135", "Hvad ét medlem afgør, har udvalget ikke afgjort", YES),
    Paragraph("Kendelse 139", "En ændring gælder først, når den er kundgjort", YES),
    Paragraph("FIDE 5", "Partiets afslutning", PARTLY, "see its articles"),
    Paragraph("FIDE 5.1", "Mat og opgivelse", YES),
    Paragraph(
        "FIDE 5.2",
        "Pat, død stilling og enighed om remis",
        YES,
        "blocked positions on claim",
    ),
    Paragraph(
        "FIDE 6.9",
        "Tidsoverskridelse mod en bar konge",
        NO,
        "not applied: § 6.3.3.3 makes no exception (reading)",
    ),
    Paragraph("FIDE 7", "Uregelmæssigheder", PARTLY, "see its articles"),
    Paragraph("FIDE 7.1", "Forkert begyndelsesstilling (2009)", PARTLY, "a ruling begins anew"),
    Paragraph("FIDE 7.2", "Forkert begyndelse; i 2009 farver", PARTLY, "a ruling begins anew"),
    Paragraph("FIDE 7.3", "Forkerte farver (2014, 2018)", PARTLY, "the ten moves are 2018's"),
    Paragraph(
        "FIDE 7.4", "Ulovligt træk (2009), flyttede brikker", PARTLY, "a ruling sets it back"
    ),
    Paragraph("FIDE 7.5", "Ulovligt træk (2014, 2018)", PARTLY, "a ruling sets it back"),
    Paragraph("FIDE 9", "Remis", PARTLY, "see its articles"),
    Paragraph("FIDE 9.1", "Remistilbud", YES, "an offer goes with a move"),
    Paragraph("FIDE 9.2", "Samme stilling tre gange", YES),
    Paragraph("FIDE 9.3", "50 træk", YES),
    Paragraph("FIDE 9.4", "Ret til krav om remis", YES),
    Paragraph("FIDE 9.6", "Fem gange samme stilling og 75 træk", YES, "2014 and 2018; not in 2009"),
    Paragraph("FIDE C.2", "Brikkernes bogstaver", PARTLY, "read beside the numbers of § 6.2.2"),
    Paragraph("FIDE C.4", "Bønder har intet bogstav", PARTLY, "read beside the numbers of § 6.2.2"),
    Paragraph("FIDE C.8", "Skrivemåden for et træk", PARTLY, "read beside the numbers of § 6.2.2"),
    Paragraph("FIDE C.11", "Forvandling", PARTLY, "read beside the numbers of § 6.2.2"),
    Paragraph("FIDE C.13", "Tegn i notationen", PARTLY, "read beside the numbers of § 6.2.2"),
)

PARAGRAPHS = {row.number: row for row in _ROWS}
"""By number: ``6.3.3.1``, ``Kendelse 107``, ``FIDE 9.2``."""
