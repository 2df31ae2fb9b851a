"""Mails that people might write, as somebody imagined who had not seen the grammar: one of a cause.

Each with the game so far, what stands open in it, and what must be heard: a move that is made or
asked about (``Nf3``, ``Nf3 d5 exd5`` with the series behind it), or wishes, by their names.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FoundMail:
    """``moves``: of the game, in SAN; ``hears``: the least that must be understood."""

    said: str
    hears: str
    moves: str = "e4 e5"
    series: str = ""
    is_offered: bool = False
    subject: str = ""


ITALIAN = "e4 e5 Nf3 Nc6 Bc4 Nf6"
TAKEN = "e4 e5 Nf3 Nc6 Bc4 Nf6 d4"
FOUND = (
    # Squares, files and steps in words.
    FoundMail("f-bonden to felter frem", "f4"),
    FoundMail("Så lægger vi ud! Kongebonden to felter frem.", "e4", ""),
    FoundMail("sort trækker springer fra g otte til f seks punktum", "Nf6", "e4 c6 d4"),
    FoundMail("bonden foran dronningen går to felter frem", "d4"),
    FoundMail("Jeg slår selvfølgelig igen, med e-bonden. Hvad ellers.", "exd4", TAKEN),
    FoundMail("Springeren slår bonden", "Nxe5", ITALIAN),
    FoundMail("HERMED MIT SVAR. JEG SVARER SF6. DET ER RUSSISK.", "Nf6", "e4 e5 Nf3"),
    FoundMail("G6, OG SÅ LØBEREN TIL G7 NÆSTE GANG", "g6", "e4 e5 Nf3"),
    FoundMail("bror alle siger sf3. så det spiller jeg. (ikke Sc3 som andre leger med)", "Nf3"),
    FoundMail("Løberen på f8 er uforskammet. f4.", "f4"),
    FoundMail("Race you. 2.d4, and my knight comes to f3 thereafter.", "d4"),
    FoundMail("king's bishop one step, to e2", "Be2"),
    FoundMail("Springeren fra g1 finder sin Plads paa f3. Jeg erindrer, at Dh5 er spillet.", "Nf3"),
    FoundMail("Mi springre tli f3", "Nf3"),
    FoundMail("loeber til c4", "Bc4"),
    FoundMail("Mein Läufer f1 geht nach c4", "Bc4"),
    FoundMail("læs emnet :)", "Nf3", subject="Sf3"),
    FoundMail("de fire", "d4", "e4 d5"),
    FoundMail("Mit træk er be fire", "b4"),
    FoundMail("først altså de tre punktum", "d3"),
    FoundMail("Hej. Slå springeren.", "Nxc6", "e4 e5 Nf3 Nc6 Nd4 d6"),
    FoundMail("Tag bonden!", "exd5", "e4 d5"),
    FoundMail("0-0-0\nnej 0-0", "O-O", "e4 e5 Nf3 Nc6 Bc4 d6"),
    FoundMail("Sd5\nnej, Sc3", "Nc3"),
    FoundMail("Nd5... nej. Bonden skal slå, ikke springeren.", "exd5", "e4 d5 Nc3 h6"),
    FoundMail("H-bonden et enkelt felt frem, så er jeg fri for hans løber på g4.", "h3"),
    FoundMail("Jeg skal slå igen, med bonden og ikke med springeren.", "exd4", TAKEN),
    FoundMail("springeren fra B1 (ikke ham på g1) til C3.", "Nc3"),
    FoundMail("KtxP", "Nxe5", "e4 e5 Nf3 Nc6"),
    FoundMail(
        "G5 kicking the bishop. Sorry about the typos im on a train",
        "g5",
        "d4 h6 Bf4 a6 Bg3 b6 Bh4",
    ),
    FoundMail("The queen goes one square ahead, from d1.", "Qd2", "d4 d5 Nf3 Nf6 Bf4 e6"),
    # A piece is named, and a bare square follows.
    FoundMail("Jeg trækker springeren, den til højre, op foran. Altså f3.", "Nf3 f3"),
    FoundMail("Det bliver løberen denne gang. Altså c4.", "Bc4 c4"),
    FoundMail("Jeg flytter tårnet.\nh3", "h3"),
    # A series in prose.
    FoundMail("Sg5. Kommer han med d5, svarer jeg exd5", "Ng5 d5 exd5", ITALIAN),
    FoundMail("4. Sg5 -> hvis d5 -> 5. exd5. Så langt tør jeg love.", "Ng5 d5 exd5", ITALIAN),
    FoundMail("Springeren til g5. Hvis bonden går til d5, slår e-bonden den.", "Ng5", ITALIAN),
    FoundMail("Jeg følger din serie", "FOLLOW_SERIES", "e4 e5 Nf3", "Nc6 Bb5"),
    FoundMail("Accepteret i sin helhed.", "FOLLOW_SERIES", "e4 e5 Nf3", "Nc6 Bb5"),
    FoundMail("Follow all of his conditional moves.", "FOLLOW_SERIES", "e4 e5 Nf3", "Nc6 Bb5"),
    # How the game shall end.
    FoundMail("0-1. JEG GIDER IKKE MERE.", "RESIGN"),
    FoundMail("Jeg opgver", "RESIGN"),
    FoundMail("Han kan få sit point, jeg gider ikke vise matten frem.", "RESIGN"),
    FoundMail("Ich gebe auf. Glückwunsch!", "RESIGN"),
    FoundMail("½-½ ?", "DRAW_OFFER"),
    FoundMail("1-0? nej 0-1. Altså til dig.", "RESIGN"),
    FoundMail("Jag lägger ner här. Bra spelat!", "RESIGN"),
    FoundMail("Ja så er der vist kun at sige tak for i dag.", "RESIGN"),
    FoundMail("Vi siger det, fred og ingen fjendskab.", "DRAW_YES", is_offered=True),
    FoundMail("Min modstander har haft 14 dage mere end tilladt.", "CLAIM_TIME"),
    FoundMail("40 dage! Jeg kræver at der bliver grebet ind og point til mig.", "CLAIM_TIME"),
    FoundMail("½-½", "DRAW_YES", is_offered=True),
    FoundMail(
        "Det siger jeg ja tak til, og tak for et dejligt parti.",
        "DRAW_YES", is_offered=True,
    ),
    FoundMail("Det er for tidligt til remis", "DRAW_NO", is_offered=True),
    FoundMail("Kind of you, but I'd rather play on for now.", "DRAW_NO", is_offered=True),
    FoundMail("Han har brugt over 30 dage. Jeg kræver partiet.", "CLAIM_TIME"),
    # Days.
    FoundMail("Jag tar semester v. 29-31", "LEAVE 2027-07-19..2027-08-08"),
    FoundMail("Ferie ugerne 29-30", "LEAVE 2027-07-19..2027-08-01"),
    FoundMail("I de dage!", "LEAVE 2026-12-20..2027-01-03", subject="Ferie 20/12-3/1"),
    FoundMail("Ferie 10-20/12", "LEAVE 2026-12-10..2026-12-20"),
    FoundMail("ferei fra 10. december i 10 dage", "LEAVE 2026-12-10..2026-12-19"),
    FoundMail("på kursus fra den første til den ottende december", "LEAVE 2026-12-01..2026-12-08"),
    FoundMail("Fra i morgen til lørdag den 5. er jeg hos Ida", "LEAVE 2026-11-28..2026-12-05"),
    FoundMail("Jeg er fraværende uge 51 til og med uge 1", "LEAVE 2026-12-14..2027-01-10"),
    FoundMail("Regn ikke med svar fra mig før søndag den 6. december.", "LONG_THINK"),
    # Several at once; a question; an address.
    FoundMail("Ny adresse: Nygade 3. Og jeg holder ferie 10/12-20/12.", "LEAVE NEW_ADDRESS"),
    FoundMail(
        "Fra 1. december hedder jeg lis@posteo.example i stedet for den gamle.",
        "NEW_ADDRESS",
    ),
    FoundMail("hvodran giver man op? jge kan ikek fidne kanppen", "HELP"),
    FoundMail("Kære turneringsleder, jeg vil gerne klage", "QUESTION"),
)  # fmt: skip
TALK = (
    "Du burde opgive", "Min nabo har opgivet at lære skak", "Du har vundet i lotto",
    "Jeg tabte min telefon",
    "Vi fik besøg af A. To koner. God fred", "I need a two week break from the news",
    "Jeg flytter en bonde",
)  # fmt: skip
"""Nobody is asked whether he resigns, moves house or plays a2 for that."""
