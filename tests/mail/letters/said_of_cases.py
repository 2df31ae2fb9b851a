"""What each notice of a case has to say (§ 6.4.1, § 6.4.3)."""

SAYS_OF_CASES = {
    "case_opened": ["2026/12", "Har sort overskredet tiden?", "§ 6.3.3.1, § 6.8.7"],
    "case_said": ["Åge Hansen har skrevet", "Det er godtgjort.", "[Sag 2026/12]"],
    "case_enclosed": ["bilag", "https://skak.example.org/cases/1"],
    "case_hearing": ["til og med den 1. marts 2027", "parti@skak.example.org"],
    "case_suspended": ["i bero", "Tiden står stille"],
    "case_lifted": ["ikke længere i bero", "løber igen"],
    "case_settled": ["uden afgørelse"],
    "case_withdrawn": ["trukket tilbage"],
    "case_appealed": ["Åge Hansen har anket"],
    "case_appeal_withdrawn": ["Åge Hansen har trukket sin anke tilbage"],
    "case_widened": ["omfatter nu flere partier eller spillere"],
    "case_returned": ["ladet høre fra sig", "6.8.1"],
    "case_of_server": ["oprettet en sag", "sagen ligger hos dig"],
    "case_of_team": ["dit hold", "6.7.6", "https://skak.example.org/cases/1"],
    "case_admitted": ["har indrømmet det", "Partiet er tabt", "§ 6.3.3.5"],
    "case_appeal_taken": ["Din anke er indgivet", "den 1. marts 2027", "§ 6.4.3"],
    "case_appeal_asked": ["svar på denne mail med et ja", "den 1. marts 2027", "§ 6.4.3"],
    "case_appeal_not_taken": ["ikke taget imod", "den 1. marts 2027"],
    "case_answered": ["Den tavse spiller har svaret", "slut den, eller lad partiet gå videre"],
    "case_excused": ["særlov for tiden", "§ 6.3.6.4"],
}
