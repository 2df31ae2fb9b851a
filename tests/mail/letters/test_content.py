"""What each letter has to say: the facts of § 6.2.1, § 6.8.2 and of the issue, in both parts."""

import re
from dataclasses import replace
from datetime import date

import pytest

from kskak.play.evolve_game import replay
from kskak.regulation.editions import Side
from mail.compose import compose
from mail.game_letters.cast import EVENTS, GAME, KEY, TERMS, acc, dispatch, moves
from mail.game_letters.move_letters import Confirmation, FirstMove
from mail.samples import GAME_LETTERS, NOTICES
from mail.text.catalogue import Words
from mail.text.letter_facts import dispatch_of
from tests.fakes.machinery.each import each
from tests.mail.letters.said_by_the_operator import SAYS_OF_ACCOUNT, SAYS_OF_THE_DAY
from tests.mail.letters.said_of_cases import SAYS_OF_CASES
from tests.mail.letters.test_every_letter import parts, said

ALL = GAME_LETTERS | NOTICES
LINK = "https://skak.example.org/svar/0123456789abcdef"

SAYS_OF_SILENCE = {
    "reminder": ["venter på dit svar på 2. 7163 (Sf3)", "har fået en kopi", "(§ 6.8.3)", "7 dage",
                 "jeg tænker længe", LINK, KEY, "2... 2836 3. 6125"],
    "reminder_postal": ["Har du allerede sendt dit kort til Åge Hansen", "/card",
                        "3 dage til din tid", "6 dage mere", "(§ 6.3.4)", LINK],
    "reminder_first": ["venter på dit første træk", "14 dage", "5254", LINK, KEY],
    "copy": ["Bo Jensen har ikke svaret Åge Hansen i 14 dage", "2. 7163 (Sf3)", "7 dage"],
    "copy_first": ["Åge Hansen har ikke svaret Bo Jensen", "partiets første træk"],
    "copy_answered": ["Åge Hansen har svaret Bo Jensen efter rykkeren", "2. 7163 (Sf3)"],
    "told_reminded": ["Serveren har rykket Bo Jensen for dig", "Du skal ikke gøre noget"],
    "told_leader": ["Bo Jensen har stadig ikke svaret", "turneringslederen har nu fået besked"],
    "think_warning": ["senest den 19. december 2026", "§ 6.3.4", LINK, "jeg tænker længe", KEY],
    "think_still": ["3 dage til din tid", "6 dage mere", LINK],
    "long_think": ["Bo Jensen har givet varsel", "På ferie", "Tiden løber som før"],
    "long_think_own": ["Dit varsel", "Åge Hansen har fået besked"],
    "control": ["3 dage tilbage til træk 10", "40 dage", "§ 6.8.7", KEY],
    "control_supposed": ["Du kan være nede på 3 dage til træk 10", "30 dage",
                         "den 5. december 2026, den tidligste dag", "/card"],
    "copy_postal": ["Bo Jensen har ikke svaret", "poststemplet afgør"],
    "told_postal": ["Serveren har rykket Bo Jensen for dig", "Bo Jensens kort er kommet", "/card"],
    "offline": ["siden den 5. december 2026", "30 dage", "§ 6.8.1", "bo@example.org"],
    "long_transit": ["mere end en dag undervejs", "sendt den 1. december 2026",
                     "modtaget den 4. december 2026", "§ 6.8.2"],
    "shorter": ["afkortet sin ferie", "den 10. januar 2027",
                "din egen tid står stille til og med den 15. januar 2027"],
    "given_up": ["holder alligevel ikke ferie", "Modstanderen beholder"],
}  # fmt: skip

SAYS_OF_LEAGUE = {
    "team_entered": ["Nordre Skakklub er tilmeldt holdturneringen 2028", "den 1. november 2027",
                     "Indskuddet er ikke modtaget", "§ 6.4.4.1", "(§ 6.7.3.2). Åge Hansen.",
                     "400", "Holdkaptajn: Åge Hansen", "1. bræt: Åge Hansen (2000)", "/team-entry"],
    "team_fee": ["er modtaget den 1. november 2027, og tilmeldingen er gyldig"],
    "team_leave": ["lov til at spille for to klubber (§ 6.7.3.2)", "4. bræt: Dorte (1700)"],
    "team_lineup": ["Opstillingen for holdet fra Nordre Skakklub til 2028 er ændret."],
    "team_waits": ["venter igen", "Indskuddet"],
    "team_valid": ["Holdet fra Nordre Skakklub til 2028 er gyldigt tilmeldt."],
    "team_withdrawn": ["Tilmeldingen af holdet fra Nordre Skakklub til 2028 er trukket tilbage.",
                       "400,00", "skal betales tilbage"],
    "team_unpaid": ["Vi mangler indskuddet for holdet fra Nordre Skakklub til 2028", "400,00",
                    "Konto 1", "den 13. december 2027", "begynder partierne den 10. januar 2028"],
    "team_refused": ["kan ikke komme med i 2028", "Spilleren er ikke medlem.", "(§ 6.7.3.2)"],
    "league_resumed": ["Tiden på 2. bræt for Nordre Skakklub løber igen", "§ 6.7.4.3",
                       "Den 14. februar 2027 er den sidste dag"],
    "league_schedule": ["DIV-1, der begynder den 10. januar 2027 (§ 6.7.4.2)",
                        "Du er holdkaptajn for Nordre Skakklub", "§ 6.7.6.1", "runde for runde",
                        "h s h s", "1. Nordre Skakklub. Holdkaptajn: Tove Leder, tl@example.org",
                        "1. bræt: Anna (2000)", "4. bræt: Dorte (1700)", "hvid på 1. og 3. bræt",
                        "1. runde: Nordre Skakklub – Sydhavnens lange klubnavn af 1912",
                        "https://skak.example.org/league/DIV-1",
                        "(§ 6.7.6.1)"],
    "league_schedule_leader": ["(§ 6.7.4.2)", "2. Sydhavnens lange klubnavn af 1912. Holdkaptajn",
                               "4. bræt: Dorte (1700)", "hvid på 1. og 3. bræt", "1. runde",
                               "den 10. januar 2027 (§ 6.7.4.2)"],
    "league_paused": ["Nordre Skakklub har standset tiden på 2. bræt (Åge Hansen)", "§ 6.7.4.3",
                      "den 1. februar 2027 til og med den 14. februar 2027",
                      "står stille for begge", "Han er syg.", "/captain",
                      "(§ 6.7.4.3)", "begge spillere"],
    "league_reserve_asked": ["Rosa Reserve (1950) for Åge Hansen (1900)", "2. bræt", "DIV-1",
                             "skal godkendes, før han kan spille (§ 6.7.4.3)", "Han er syg."],
    "league_reserve_in": ["Rosa Reserve overtager for Åge Hansen på 2. bræt for Nordre Skakklub",
                          "DIV-1/2, DIV-1/6", "Stilling og tid er uændret", "§ 6.7.4.3"],
    "league_reserve_refused": ["ikke godkendt Rosa Reserve", "2. bræt", "§ 6.7.4.3", "Han er syg.",
                               "(§ 6.7.4.3)"],
    "league_order": ["Nordre Skakklub", "(§ 6.7.2.1)", "Anna, Bo, Carl, Dorte", "Han er syg.",
                     "ændret opstillingen"],
    "league_player_died": ["er død", "reserve", "§ 6.7.4.3"],
    "league_club_ended": ["er nedlagt", "til ende", "§ 6.7.3"],
    "league_club_merged": ["Nord er blevet en del af Nordre Skakklub", "til ende", "§ 6.7.3"],
    "league_freed": ["holdt Åge Hansen ude af Nordre Skakklub", "som reserve eller som holdkaptajn",
                     "§ 6.4.3", "§ 6.7.2.2"],
    "league_captain": ["Bo Jensen er nu holdkaptajn for Nordre Skakklub", "§ 6.7.2.2", "/captain",
                       "(§ 6.7.2.2)"],
    "league_reported": ["Nordre Skakklub indberetter 1-0 i DIV-1/2, Åge Hansen – Bo Jensen",
                        "ikke afsluttet her på serveren", "i en sag",
                        "Partiet er ikke afsluttet"],
    "league_lots": ["trukket lod om placeringerne i DIV-1 (§ 6.7.4.5)", "Nord, Syd", "abc123"],
}  # fmt: skip

SAYS_OF_THE_YEAR = {
    "year_ahead": ["Kære Otto Krag", "Om 14 dage, mandag den 20. december 2027",
                   "Holdturneringen 2028, divisionerne sættes sammen", "(§ 6.7.5.1)",
                   "ikke mindet om det igen", "https://skak.example.org/partier/4711",
                   "drift@example.org"],
    "year_today": ["I dag, mandag den 20. december 2027", "semifinale 2028, tilmeldingsfrist",
                   "når indskuddet er modtaget (§ 6.7.5.1)", "ikke mindet om det igen"],
    "cup_round": ["den indledende runde er færdigspillet", "(§ 6.4.5)"],
    "cup_round_semi": ["semifinalen er færdigspillet"],
    "year_late": ["Datoen er gået, uden at du fik besked", "Pokalturneringen 2028, annoncering",
                  "mandag den 20. december 2027", "indskud og præmier (§ 6.7.5.1)"],
}  # fmt: skip

SAYS_OF_ENTRIES = {
    "entry_made": ["EMT 2026, kvalifikationsklassen er modtaget", "Tove Leder",
                   "Indskuddet er ikke modtaget (§ 6.4.4.1)", "Fødselsdatoen mangler",
                   "Medlemsnummeret mangler", "ikke dokumenteret (§ 6.5.3.2)", "én gruppe (§ 6.1)",
                   "Karantæne (§ 6.4.2)", "to pokalgrupper ad gangen (§ 6.6.1.2)",
                   "mindst 2000 (§ 6.6.1.6)", "Indskud: 200,00 kr.",
                   "https://skak.example.org/partier/4711"],
    "entry_let_in": ["er gyldig", "Begrundelse: Han er flyttet hertil. (§ 6.1)"],
    "entry_asked": ["er modtaget", "Klassen er ikke åben (§ 6.5.3.2). Turneringslederen ser på",
                    "tilmelding til EMT 2026, kvalifikationsklassen",
                    "Turneringslederen ser på det",
                    "tl@example.org"],
    "entry_paid": ["modtaget den 1. februar 2027", "din tilmelding er gyldig", "nr. 3",
                   "3 gyldige tilmeldinger", "når 7 er inde (§ 6.5.1.1)",
                   "nr. 3 på ventelisten"],
    "entry_unpaid": ["Vi mangler dit indskud", "200,00", "Sådan betaler du"],
    "entry_dm": ["den 4. august 2027", "begynder partierne den 1. september 2027",
                 "er gyldig", "nr. 3 på listen", "Turneringslederen sætter gruppen i gang"],
    "entry_waits": ["venter igen", "Klassen er ikke åben (§ 6.5.1.2)", "fare for nedrykning",
                    "gyldig af sig selv",
                    "bliver tilmeldingen gyldig af sig selv"],
    "entry_no_club": ["Din klub er nedlagt", "gælder stadig", "én gruppe (§ 6.1)"],
    "entry_refused": ["kan ikke tages med", "Begrundelse: Karantæne. (§ 6.4.2)",
                      "tilmelde dig igen",
                      "tl@example.org"],
    "entry_withdrawn": ["er trukket tilbage", "tilmelde dig igen", "200,00",
                        "skal betales tilbage"],
    "not_sent": ["Dit træk blev ikke sendt", "allerede besvaret", "stadig dig, der er i trækket",
                 "Glædelig jul!", "blev heller ikke sendt"],
    "leave_told": ["den 8. januar 2027 til og med den 15. januar 2027", "står stille",
                   "K-26-01/9", "sin egen mail"],
    "leave_told_shorter": ["slutter nu den 10. januar 2027", "K-26-01/9", "beholder det stop"],
    "not_sent_theirs": ["ikke dig, der er i trækket nu"], "not_sent_over": ["Partiet er slut (§"],
    "thread": ["Bo Jensen har skrevet", "uden at trække", "Glædelig jul!", "ferie til den 3/1",
               "når ikke frem til modstanderen"],
}  # fmt: skip

SAYS = {
    "to_all": ["Tove Leder skriver til alle i K-26-01", "K-skak-EMT 2026",
               "Husk, at tiden står stille i juleferien.", "Glædelig jul!", "/groups/K-26-01",
               "går svaret til Tove Leder, tl@example.org"],
    "first_move": ["Du har hvid mod Bo Jensen", "5254", "e4", KEY, "K-skak-EMT 2026",
                   "opgiver", "hjælp", "Sidste dag", "bo@example.org", "udgaven fra 2018"],
    "position": ["Stillingen er rettet", "2. 7163 (Sf3) af Åge Hansen", "du er i trækket",
                 "trækserien 2... 2836 3. 6125 (2... Sc6 3. Lb5)", "ældre mail", KEY],
    "position_anew": ["begynder forfra", "Du har hvid mod Bo Jensen", "gælder ikke", "5254", KEY],
    "confirmation": ["2... 2836 3. 6125 1716", "3. Lb5 a6", "18 dage", "i alt 19",
                     "20/12-31/12 (12 dage)", "obligatorisk ferie", "§ 6.3.6.2",
                     "Grænsen er 40 dage til træk 10", "13. februar 2027",
                     "Var det ikke dig", "Jeg ser på serien"],
    "confirmation_plain": ["2. 7163 (Sf3) er modtaget", "modtaget 3/12, sendt 4/12. Brugt 1 dag",
                           "den 5. december 2026 (dagen efter, § 6.8.6)", "/partier/4711"],
    "relay_later": ["Din trækserie er fulgt", "03/12 04/12 1/01 02. 7163 2836", KEY,
                    "skriv dit træk øverst", "»hjælp«", "brugt 19 dage af 40 dage til træk 10"],
    "relay_first": ["1. 5254 (e4)", "tilbyder remis, men", "(FIDE 5.2, udgaven fra 2018)",
                    "remis nej", KEY],
    "relay": ["2. 7163 (Sf3)", "trækserien 2... 2836 3. 6125 (2... Sc6 3. Lb5)", "tilbyder remis",
              "Glædelig jul", "25. januar 2027", "remis ja", "remis nej", KEY,
              "2... 2836 3. 6125 (dit træk)", "svaret 3. 6125 (Lb5)",
              "aage@example.org", "1. e4 e5 2. Sf3", "03/12 04/12 1/01 02. 7163",
              "Brugt 1 dag, i alt 1"],
    "meant": ["»1... Sc6« passer ikke", "Mener du 2... 2836 (Sc6)?", "et ja alene",
              "den 5. december", KEY],
    "repeated": ["venter på dit svar", "2. 7163 (Sf3)", KEY],
    "illegal": ["2. 7163 2835", "ikke et lovligt træk", "3 dage", "§ 6.8.6", "nu brugt 4 dage",
                "Tove Leder, tl@example.org", "slette dagene", "mon det går", KEY],
    "ambiguous": ["»Se7« kan betyde", "7857", "2836", "det koster ingen dage", KEY],
    "nothing": ["hverken et træk eller et ønske", "Hvad svarer du på 2. 7163 (Sf3)?", "7163",
                "»hjælp«", "det koster ingen dage", "Tak for sidst, Åge!", KEY,
                "en af disse linjer", "opgiver", "remis?"],
    "asked_leader": ["kan serveren ikke selv svare på", "Hvornår er der ferie?", "Stillingen",
                     "Resten svarer turneringslederen på: Tove Leder, tl@example.org", "7163",
                     KEY],
    "meant_or": ["Mener du 2... 2836 (Sc6)?", "Mener du et andet træk", "2816", "det er Sa6",
                 "Et træk afslår remistilbuddet", KEY],
    "which": ["Det er ikke klart, om det, du skriver, er et ja", "opgiver", "remis ja",
              "Intet er ændret i partiet", KEY],
    "refused": ["Dit træk 2. 7163 (Sf3) er sendt og binder (§ 6.8.4)", "Bo Jensen er i trækket"],
    "out_of_turn": ["er sendt og binder (§ 6.8.4)", "Hvad nu?", "ikke sendt videre til Bo Jensen"],
    "no_claim": ["ingen tidsoverskridelse at gøre krav på (§ 6.8.7)", "Intet er ændret i partiet"],
    "ask_back": ["Vil du opgive partiet mod Åge Hansen?", "ja", KEY, "/svar/0123456789abcdef"],
    "attached": ["en vedhæftet fil, »IMG_0712.jpg«, men intet træk", "partier i PGN", KEY],
    "ask_series": ["Dit træk 2. 7163 (Sf3) er spillet",
                   "Du skrev også 2... Sc6 3. Lb5. Skal det være en trækserie?", "ja",
                   "binder dig (§ 6.2.5)", "Når din modstander har svaret",
                   "/svar/0123456789abcdef"],
    "series_added_white": ["Din trækserie er føjet til 2. 7163 (Sf3) og sendt til Bo Jensen",
                           "Du foreslår trækserien 2... 2836 3. 6125"],
    "series_added_black": ["Åge Hansen har føjet en trækserie til 2. 7163 (Sf3)", KEY,
                           "Din modstander foreslår trækserien 2... 2836 3. 6125"],
    "ask_leave": ["Vil du holde ferie fra den 4. januar 2027 til den 9. januar 2027", "ja", KEY],
    "heard": ["Du skriver om ferie", "ferie hele juli", "Hvornår holder du ferie?",
              "ferie 8/7 22/7", "Intet er ændret i partiet"],
    "held": ["2... 2836 (Sc6)", "anden adresse", "den 6. december 2026",
             "https://skak.example.org/svar/0123456789abcdef"],
    "late_ask": ["66 dage", "40 dage", "26. januar 2027", "tabt for jer begge (§ 6.3.3.4)",
                 "beholder den dato", "svar/0123456789abcdefx"],
    "over": ["1-0", "Åge Hansen har sat mat", "3. 4185 (Dh5#)", "§ 6.8.9"],
    "over_agreed": ["1/2-1/2", "remis efter aftale", "Slutstillingen."],
    "declined": ["Bo Jensen har afslået"],
    "offer-noted": ["noteret", "næste træk"],
    "draw-claimed": ["krav på remis", "remis ja"],
    "leave_notice": ["den 8. januar 2027 til og med den 15. januar 2027", "står stille"],
    "overstep_late": ["Du har overskredet tiden", "Du overskred", "66 dage", "Intet er afgjort"],
    "overstep_waiting": ["tid", "tabt for jer begge", "66 dage", KEY],
    "overstep_leader": ["Begge spillere har fået besked", "66 dage"],
    "claim": ["den 20. februar 2027", "Åge Hansen", "fordi du har overskredet tiden", "66 dage",
              "20/12-31/12"],
    "claim_own": ["Du har den 20. februar 2027 gjort krav", "(§ 6.8.7)"],
    "claim_leader": ["Afgørelsen er din", "03/12 04/12 1/01 02. 7163"],
    "annulled": ["som ikke kan læses (indførsel 3)", "Fejlen er vores", KEY,
                 "Du er i trækket", "Har fejlen kostet dig dage", "Stillingen efter 2. Sf3"],
    "annulled_leader": ["som ikke kan stå (indførsel 3, 4)", "opret en sag fra partiets side"],
    "silence": ["Bo Jensen har ikke svaret", "bo@example.org", "den 4. januar 2027"],
    **SAYS_OF_SILENCE,
    **SAYS_OF_LEAGUE,
    **SAYS_OF_THE_YEAR,
    **SAYS_OF_ENTRIES,
    **SAYS_OF_THE_DAY,
    **SAYS_OF_ACCOUNT,
    **SAYS_OF_CASES,
    "start": ["K-26-01", "mandag den 30. november 2026", "Skakklubben Nord", "ratingtal 1875",
              "aage@example.org", "relay-3@skak.example.org", "Sort mod nr. 1 Åge Hansen",
              "Hvid mod nr. 3 Ida Ø. Berg", "§ 6.8: 40 dage til 10 træk", "2011",
              "udgaven fra 2018", "reglement", "Tove Leder", "35 dage", "6 dage før", "20.-31.",
              "12. 2425 1625 13. 1118", "12. 2425 01625 13. 1118", "5758(1)", "remis?",
              "ferie 8/7 22/7", "parti@skak.example.org"],
    "status": ["K-26-01/3", "2. 7163 (Sf3)", "mandag den 25. januar 2027", KEY, "din modstander"],
    "help": ["ingen partier", "5254", "tid"],
    "unclear": ["Der er ikke gjort noget", KEY, "5254"],
    "leave": ["den 8. januar 2027", "27 dage", "P-26-02", "Tove Leder"],
    "leave_shorter": ["slutter nu den 10. januar 2027", "30 dage tilbage",
                      "beholder det stop, de har fået meldt, til og med den 15. januar 2027"],
    "leave_given_up": ["fra den 8. januar 2027 til den 15. januar 2027 er aflyst"],
    "leave_special": ["Du har fået særlov"], "unwritten": ["nyt i K-26-01/3", "Fejlen er vores"],
    "leave_refused": ["den 10. januar 2027", "§ 6.3.6.1"],
    "delivery": ["bo@example.org", "550 5.1.1 no such user", "K-26-01/3", "den 5. december 2026",
                 "ret den (§ 6.8.5)", "(§ 6.8.2)"],
    "delivery_postal": ["ret den (§ 6.2.1)", "Tiden står stille så længe (§ 6.3.2)"],
    "sign_in": ["https://skak.example.org/ind/abc", "19.05", "side med en knap"],
    "decided_tl": ["Turneringslederen har afgjort", "kortet er stemplet den 25/10",
                   "Resultatet er indført", "ingen skal indberette det (§ 6.8.9)",
                   "til K-skak chefen inden 21 dage"],
    "decided_kc": ["K-skak chefen har afgjort", "til Skaknævnet inden 21 dage", "500,00 kr.",
                   "Fra den 1. marts 2027 er beløbet 520,00 kr."],
    "decided_kc_first": ["intet depositum", "som første instans", "fortolkning", "§ 6.4.3"],
    "decided_board": ["Skaknævnet har afsagt Kendelse", "Kendelse er endelig",
                      "Depositummet på 500,00 kr. fra Bo Jensen betales tilbage"],
    "decision_copied": ["en kopi", "registret", "fortolkning"],
    "case_appeal_hearing": ["har appelleret", "svare på appellen til og med den 1. marts 2027",
                            "§ 6.4.3"],
    "case_deposit_unknown": ["årets kontingent", "depositummets størrelse kendes ikke", "§ 6.4.3"],
    "case_deposit_due": ["Depositummet for din appel", "540,00 kr.", "senest den 1. marts 2027"],
    "case_member_excused": ["deltager ikke", "en suppleant", "lovens § 9", "Jeg var syg."],
    "case_unheard_tl": ["ingen turneringsleder må afgøre", "suppleant", "en administrator"],
    "case_unheard_kc": ["K-skak chefen", "ingen må afgøre", "en administrator"],
    "case_unheard_board": ["ikke tre medlemmer", "en administrator", "lovens § 9"],
    "start_annulled": ["taget tilbage", "En spiller for lidt."],
    "start_swap": ["spiller Carl Dam i stedet for", "samme nummer, farver", "sag 2026/4"],
    "card": ["Åge Hansen har indført sit kort: 1. 5254 (e4)", "ulæseligt",
             "2. december 2026", "hvilken dag du modtog kortet", "§ 6.3.2", "tl@example.org"],
    "card_own": ["Bo har indført dit kort", "7. december 2026"],
    "card_end": ["Bo Jensen har indført, at dit kort afslutter partiet"],
    "card_faulty": ["Dit kort, modtaget", "ikke kan læses", "3 dage", "§ 6.3.5.1", "nyt kort"],
    "card_damaged": ["beskadiget af posten", "senest den 10. december 2026 (§ 6.3.5)",
                     "koster ingen dage", "Send det beskadigede kort"],
    "card_damaged_leader": ["være sendt til dig", "10. december 2026"],
    "card_corrected": ["Åge Hansen har rettet et kort", "er ugyldigt", "Det rigtige er", "§ 6.2.4",
                       "tl@example.org"],
    "card_void": ["Åge Hansen har rettet", "ikke indført noget nyt træk", "§ 6.2.4"],
    "damaged_due": ["Tove Leder", "senest den 10. december 2026", "tl@example.org", "§ 6.3.5"],
    "email_offered": ["Bo Jensen vil gerne", "pr. mail", "§ 6.2.1"],
    "address": ["Bo Jensen har oplyst en ny postadresse", "sendt rigtigt"],
    "address_leader": ["Bo Jensen har oplyst en ny postadresse"],
    "email_agreed": ["enige", "dagen efter", "§ 6.3.2.1", "3 dage"],
    "email_declined": ["postkort", "tages ikke imod"],
    "result_asked": ["7. december 2026", "8 dage", "§ 6.2.6"],
    "published": ["færdigspillet", "Du blev nr. 1 af 2 med 1 point",
                  "vundet ret til mesterklassen til og med den 31. januar 2029 (§ 6.5.3.2)",
                  "300,00", "/enter", "Åge Hansen × 1", "15. februar 2027 (§ 6.4.5)", "§ 6.2.3"],
    "published_fallen": ["Du blev nr. 2 af 2 med 0 point", "Du rykker ned i åben klasse",
                         "til og med den 31. januar 2029"],
    "published_leader": ["22. februar 2027 (§ 6.4.5)", "1. februar 2030", "§ 6.2.9",
                         "Åge Hansen har vundet ret til mesterklassen"],
    "published_controller": ["kan kun gives til en dansk statsborger", "om Åge Hansen er det",
                             "Titlen venter på dig", "/desk/groups/K#tie", "(§ 6.5.2)"],
    "published_resumed": ["den 1. februar 2027, gælder ikke længere", "K-26-01/3",
                          "ny frist for indsigelser"],
    "published_cup_changed": ["runden er trukket uden dig", "(§ 6.6.1.3)"],
    "published_cup_barred": ["runden trækkes uden dig", "(§ 6.4.2)"],
    "published_cup": ["runden med gruppe K-26-01 er færdigspillet", "Du går videre til finalen",
                      "ikke tilmelde dig", "mesterklassen i EMT", "Videre til finalen: Åge Hansen"],
    "published_division": ["Nordre Skakklub blev nr. 1 af 2 med 1 point",
                           "100 procent", "rykke op i 1. division (§ 6.7.5.1)",
                           "tilmeldes igen; efter årsplanen senest den 13. december 2027"],
    "right_lapses": ["mesterklassen udløber onsdag den 31. januar 2029 (§ 6.5.3.2)",
                     "senest den dag", "/enter", "kun én gang"],
    "published_again": ["den 20. januar 2027, er rettet den 1. februar 2027", "K-26-01/3",
                        "1/2-1/2", "15. februar 2027 (§ 6.4.5)"],
    "week": ["2 afgørelser i de sidste syv dage: 2027/3/1 (ophævet), 2027/5/1", "2027/4",
             "12. februar 2027", "K-26-01", "om fredagen"],
    "week_quiet": ["ikke afgjort nogen sag", "ingen frist udløber"],
    "prizes_due": ["22. februar 2027 (§ 6.4.5)", "K-26-01"],
    "taken": ["den 11. januar 2027 videre på serveren", "Bo Jensen; ferie brugt", "7 dage",
              "mandag den 25. januar 2027", "indsigelse", "object?kind=takeover", "§ 6.4.5"],
    "taken_still": ["Tiden har stået stille siden den 2. januar 2027", "brugt 1 dag af 40"],
    "taken_over": ["som er slut", "Resultat", "1-0"],
    "taken_late": ["overskredet før overtagelsen", "§ 6.8.7", "159 dage i dag"],
    "taken_postal": ["spilles med postkort som hidtil", "§ 6.3.4"],
    "taken_card": ["hvilken dag du modtog kortet"],
    "objection_late": ["udløb den 25. januar 2027 (§ 6.4.5)", "trækket i en mail for sig"],
}  # fmt: skip


def flat(text):
    return re.sub(r"[\s>]+", " ", text)


def test_every_letter_has_its_list():
    assert SAYS.keys() | {"over_leader"} == ALL.keys()


@each("name", SAYS)
def test_text_and_html_say_what_the_letter_is_for(name):
    for part in said(name, "da"):
        shown = flat(part)
        missing = [fact for fact in SAYS[name] if flat(fact) not in shown]
        assert missing == []


@pytest.mark.parametrize("name", ["relay", "confirmation"])
def test_an_english_reader_gets_english_letters(name):
    for part in said(name, "en"):
        assert re.search(r"3\. Bb5", part)
        assert not re.search(r"Lb5|dage|træk", part)


@pytest.mark.parametrize("name", ["daily", "daily_two", "daily_none"])
def test_a_daily_letter_never_says_that_it_is_answered_itself(name, envelope):
    """It may be about several games: only the address below a game is that game's."""
    text, html = parts(compose(ALL[name], Words.load("da"), envelope))
    assert "Svar på denne mail" not in flat(text) + flat(html)


def test_the_bound_answer_of_a_series_puts_the_sender_on_move_again(envelope):
    stop = replace(EVENTS[3], plies=moves("b8c6"))
    now = acc(*EVENTS[:3], stop)
    told = dispatch_of(replay(TERMS, EVENTS[:3]).position, stop, moves("f1b5")[0])
    letter = Confirmation(GAME, now, told)
    text, _ = parts(compose(letter, Words.load("da"), envelope))
    assert "svarer straks 3. 6125 (Lb5)" in flat(text)
    assert KEY in text
    assert "Stillingen efter 3. Lb5. Du er i trækket." in text
    assert "skriv dit træk øverst" in text


def test_a_stated_day_that_differs_is_shown_beside_the_one_that_counts(envelope):
    letter = replace(
        GAME_LETTERS["confirmation"], dispatch=replace(dispatch(3), stated=date(2027, 1, 2))
    )
    text, _ = parts(compose(letter, Words.load("da"), envelope))
    assert "Der stod den 2. januar 2027" in flat(text)
    assert "den 4. januar 2027" in flat(text)


def test_diagrams_are_seen_from_the_readers_side(envelope):
    white, _ = parts(compose(FirstMove(GAME, acc(), Side.WHITE), Words.load("da"), envelope))
    black, _ = parts(compose(GAME_LETTERS["relay"], Words.load("da"), envelope))
    assert "a b c d e f g h\n" in white
    assert "h g f e d c b a\n" in black
    assert "  8  t s l d k l s t" in white
    assert "  8  t s l k d l s t" in black
