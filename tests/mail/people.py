"""Mails as people write them: who wrote what, and what must come of it. Made of parts, in three
languages, as a phone and an office program send them."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle

from server.usecases.mail.mail_table import MailMeaning

GREETINGS = {
    "da": ("", "Hej Bo\n\n", "Kære Bo,\n\n", "Goddag\n\n", "Hej igen\n"),
    "en": ("", "Hi Bo,\n\n", "Dear Bo\n\n", "Hello\n\n", "Good evening\n\n"),
    "sv": ("", "Hej Bo\n\n", "Hejsan\n\n", "God morgon\n\n", "Hej igen\n"),
}
ENDS = {
    "da": ("", "\n\nVenlig hilsen\nAnna", "\n\nMvh Anna", "\n\nSendt fra min iPhone", "\n\n/Anna"),
    "en": ("", "\n\nBest regards\nAnna", "\n\nSent from my iPhone", "\n\nCheers\nAnna", "\n\nAnna"),
    "sv": ("", "\n\nHälsningar\nAnna", "\n\nSkickat från min iPhone", "\n\nMvh\nAnna", "\n\nAnna"),
}
SAYS: dict[tuple[str, MailMeaning], str] = {
    ("da", MailMeaning.MOVE): "Sf3|springer til f3|Springer f3|hest f3|2. Sf3|1... e5 2. Sf3|"
        "7163|71-63|Sg1-f3|g1 f3|g1f3|Sf 3|“Sf3”|»Sf3«|[Sf3]|"
        "Mit træk: Sf3|Springeren til f3|Sf3, tak|2.Sf3|"
        "springer g1 til f3|1. e4 e5 2. Sf3|Sf3!|Sf3 :-)|"
        "2. 7163 modt. 2/11 sendt 3/11|2) Sf3",
    ("da", MailMeaning.UNCLEAR): "Jeg spiller Sf3|Jeg flytter springeren til f3|"
        "Det bliver Sf3 denne gang|mon ikke springeren skal til f3|"
        "Så rykker jeg min hest til f3|Cf3|3. Sf3|Sf3?|"
        "Mit træk er springer til f3.|Jeg tror jeg tager Sf3",
    ("da", MailMeaning.RESIGN): "Jeg opgiver, du er for god til mig|Opgiver. Tak for partiet|"
        "Jeg giver op|Så giver jeg op nu|Jeg kapitulerer|"
        "Du har vundet, tillykke|opgiver|Jeg må desværre opgive|"
        "Ok, jeg opgiver partiet|Jeg har opgivet",
    ("da", MailMeaning.DRAW): "Skal vi tage remis?|Jeg vil gerne have remis|Hvad med remis?|"
        "Er remis ok med dig?|Vil du have uafgjort|"
        "Jeg synes vi skal sige remis",
    ("da", MailMeaning.DRAW_WORD): "remis?|Jeg tilbyder remis|remistilbud|"
        "Jeg vil gerne tilbyde remis",
    ("da", MailMeaning.CLAIM): "Min modstander har overskredet tiden|"
        "Hvid har vist brugt hele sin betænkningstid|"
        "Du har overskredet tiden|"
        "Bo har overskredet betænkningstiden, modstanderen",
    ("da", MailMeaning.LEAVE): "Jeg holder ferie fra den 4. januar til den 9. januar|"
        "ferie fra 22. december til 3. januar|på ferie 4/1-9/1|"
        "ferie uge 52|Vi rejser væk 4/1 til 9/1|"
        "Jeg er bortrejst 1. til 15. juli|"
        "Jeg tager på ferie 4.-9. januar|ferie hele juli",
    ("da", MailMeaning.THINK): "Jeg vil tænke længe over det her|Jeg har brug for mere tid|"
        "Jeg bruger nok mere end 14 dage på det|"
        "Lad mig overveje det lidt længere",
    ("da", MailMeaning.NEW_ADDRESS): "Jeg er flyttet til Nygade 3, 5000 Odense|"
        "Jeg har fået ny mailadresse|Min nye adresse er Vestergade 4|"
        "Jeg har skiftet mail",
    ("da", MailMeaning.LATER_START): "Kan jeg få lov at udsætte starten? Jeg skal opereres|"
        "Kan vi udskyde begyndelsen|Jeg vil gerne starte lidt senere",
    ("da", MailMeaning.QUESTION): "Hvordan går det?|Hvor mange dage har jeg?|Hvem fører gruppen?",
    ("da", MailMeaning.HELP): "status|hjælp|mails",
    ("da", MailMeaning.NOTHING): "Tak for sidst|God jul!|Sikke et vejr|Det er spændende det her|"
        "Jeg er glad for partiet|Vi ses til mødet",
    ("en", MailMeaning.MOVE): "Nf3|knight to f3|Knight f3|2. Nf3|7163|1... e5 2. Nf3|Ng1-f3|"
        "g1 to f3|My move: Nf3|N f3|horse to f3|\"Nf3\"|Nf3 thanks",
    ("en", MailMeaning.UNCLEAR): "I play Nf3|My move is Nf3|I think I will play Nf3|"
        "Let me move my knight to f3|Nf3?|3. Nf3|I go for Nf3 then",
    ("en", MailMeaning.RESIGN): "I resign, well played|I give up|resign|"
        "You win, congratulations|I concede|I am giving up",
    ("en", MailMeaning.DRAW): "Shall we call it a draw?|A draw?? I would not mind|"
        "How about a draw?|Would you take a draw",
    ("en", MailMeaning.CLAIM): "My opponent has exceeded the time|"
        "White has exceeded the time limit|He is out of time",
    ("en", MailMeaning.LEAVE): "I'm on holiday from 4 January to 9 January|"
        "Holiday July 4 to July 18|"
        "I am away from 4 January to 9 January|vacation 4/1-9/1",
    ("en", MailMeaning.THINK): "I need more time|I need more than 14 days for this one|"
        "I will think longer about this",
    ("en", MailMeaning.NEW_ADDRESS): "I have moved to London|I have a new e-mail address|"
        "My address has changed",
    ("en", MailMeaning.QUESTION): "How many days have I left?|Who leads the group?",
    ("en", MailMeaning.NOTHING): "Thanks for the game so far|Merry Christmas!|What a day",
    ("sv", MailMeaning.MOVE): "Sf3|springare f3|Springaren till f3|häst f3|2. Sf3|7163|"
        "g1 till f3|Sf3 tack",
    ("sv", MailMeaning.UNCLEAR): "Jag spelar Sf3|Jag flyttar springaren till f3|Sf3?|"
        "Det blir Sf3 nu",
    ("sv", MailMeaning.RESIGN): "Jag ger upp, bra spelat|Jag uppger|uppger|Du har vunnit",
    ("sv", MailMeaning.DRAW): "Ska vi ta remi?|Vill du ha remi|Jag vill gärna ha remi",
    ("sv", MailMeaning.CLAIM): "Motståndaren har överskridit tiden|"
        "Min motståndare har överskridit betänketiden",
    ("sv", MailMeaning.LEAVE): "Jag har semester 4-9 januari|"
        "Jag är ledig från 4 januari till 9 januari|semester vecka 52",
    ("sv", MailMeaning.NEW_ADDRESS): "Jag har flyttat till Malmö|Jag har ny adress",
    ("sv", MailMeaning.QUESTION): "Hur går det?|Hur många dagar har jag?",
    ("sv", MailMeaning.NOTHING): "Tack för senast|God jul!|Vilket väder",
}  # fmt: skip


MORE: dict[tuple[str, MailMeaning], str] = {
    ("da", MailMeaning.MOVE): "Kongespringer til f3|f3 med springeren|S-f3|Springer g1-f3|"
        "springer til f3, tak for sidst|2.- Sf3|hvid: Sf3|"
        "Mit næste træk: Sf3|71 63|Sg1f3|SF3|2) springer f3|"
        "Springer: f3|Hest g1 til f3|2. e4 Sf3",
    ("da", MailMeaning.UNCLEAR): "Jeg vælger at spille springeren ud til f3|"
        "Nu kommer hesten til f3|Min springer skal stå på f3|"
        "Så spiller jeg bare Sf3|jeg tror Sf3 er bedst|"
        "Lad os prøve Sf3|Springeren ud til f3|Sf3 må det være|"
        "Jeg svarer med Sf3|Mit svar er Sf3|Rf3|Hf3|Hes f3|"
        "spr. f3 tror jeg",
    ("da", MailMeaning.RESIGN): "Nu giver jeg op, du spiller for godt|"
        "Partiet er tabt for mig, jeg opgiver|Jeg lægger min konge ned|"
        "Jeg overgiver mig|Det er slut for mig, tillykke med sejren|"
        "Jeg strækker våben|Du vinder, godt spillet|"
        "Jeg vil gerne opgive partiet|Herved opgiver jeg|"
        "jeg giver fortabt",
    ("da", MailMeaning.DRAW): "Skal vi dele punktet med remis?|Kunne du tænke dig remis|"
        "Remis herfra?|Mon ikke det er remis|Lad os slutte med remis|"
        "Jeg er frisk på remis|Er du med på remis?",
    ("da", MailMeaning.CLAIM): "Jeg mener at min modstander har brugt for lang tid, "
        "tidsoverskridelse|"
        "Bo, min modstander, har vist overskredet betænkningstiden|"
        "Hvid er gået over tiden|Sort har overskredet de 40 dage",
    ("da", MailMeaning.LEAVE): "Jeg er på ferie i uge 52|"
        "Vi tager på ferie den 4. januar og er hjemme den 9. januar|"
        "Ferie 4/1 - 9/1 tak|Jeg melder ferie 4. januar - 9. januar|"
        "Holder ferie mellem 4/1 og 9/1|Jeg skal på ferie næste uge|"
        "Jeg rejser bort fra 4. januar til 9. januar|"
        "Ferie: 4.1. til 9.1.|vi har ferie 4-9 januar|"
        "Jeg ønsker ferie fra 4/1 til 9/1",
    ("da", MailMeaning.THINK): "Jeg skal bruge lang tid på det her træk|"
        "Denne stilling kræver at jeg tænker længe|"
        "Jeg bruger mere tid end normalt her|Giv mig mere tid",
    ("da", MailMeaning.NEW_ADDRESS): "Jeg har skiftet adresse|Bemærk ny adresse: Nygade 3|"
        "Min mail er ændret til a@b.dk|"
        "Vi flytter den 1. december til Vejle|Min e-mail er nu a@b.dk",
    ("da", MailMeaning.LATER_START): "Jeg kan først begynde til februar, kan starten udsættes|"
        "Kan vi vente med at starte|Må jeg begynde senere",
    ("da", MailMeaning.QUESTION): "Hvad betyder serie?|Kan man fortryde et træk?|"
        "Hvornår slutter turneringen?|Har du modtaget min mail?",
    ("da", MailMeaning.NOTHING): "Tak for kampen indtil nu|Rigtig god weekend|Det sner her|"
        "Undskyld ventetiden|Fedt parti|Hils familien",
    ("en", MailMeaning.MOVE): "kings knight to f3|Knight to f3 please|N-f3|knight g1 to f3|"
        "2. knight f3|Nf3.|Ng1f3|nf3",
    ("en", MailMeaning.UNCLEAR): "I will go Nf3|My reply is Nf3|knight out to f3|let us try Nf3|"
        "I'd like to play knight to f3|Nf3 I guess",
    ("en", MailMeaning.RESIGN): "I am resigning this game|I surrender|That's it, you win|"
        "I throw in the towel|I hereby resign|I think I have to resign",
    ("en", MailMeaning.DRAW): "Draw agreed from my side?|Do you want a draw|"
        "I would like a draw|Fancy a draw?",
    ("en", MailMeaning.LEAVE): "I will be on vacation between 4 January and 9 January|"
        "On leave 4/1 to 9/1|"
        "We are travelling from 4 January until 9 January|"
        "holiday week 52",
    ("en", MailMeaning.CLAIM): "My opponent overstepped the time limit|"
        "You have exceeded your time|Black lost on time",
    ("en", MailMeaning.NEW_ADDRESS): "My new address is Main Street 4|We moved to York|"
        "Change of address: Main Street 4",
    ("en", MailMeaning.NOTHING): "Nice game|Hope you are well|Sorry for the delay|"
        "It is snowing here",
    ("sv", MailMeaning.MOVE): "Springare g1 till f3|2. springare f3|Sg1-f3",
    ("sv", MailMeaning.UNCLEAR): "Jag svarar Sf3|Mitt drag är Sf3|springaren går nog till f3 nu",
    ("sv", MailMeaning.RESIGN): "Jag får ge upp|Nu ger jag upp partiet|Jag kapitulerar",
    ("sv", MailMeaning.DRAW): "Vad sägs om remi?|Jag föreslår att vi tar remi|Kan vi ta remi",
    ("sv", MailMeaning.LEAVE): "Jag reser bort 4 januari till 9 januari|Ledig 4/1-9/1|"
        "På semester från 4 januari till 9 januari",
    ("sv", MailMeaning.NOTHING): "Trevlig helg|Det snöar|Bra parti",
}  # fmt: skip
"""The same, written down before anybody had tried them."""

BLIND: dict[tuple[str, MailMeaning], str] = {
    ("da", MailMeaning.MOVE):
        "2.: Sf3|2 Sf3|Træk 2: Sf3|Mit 2. træk: Sf3|Mit andet træk: Sf3|2. træk Sf3|"
        "Mit træk er Sf3.|Jeg spiller 2. Sf3|Jeg trækker Sf3|"
        "Jeg trækker springeren fra g1 til f3|Jeg rykker springeren på g1 til f3|"
        "Springeren på g1 går til f3|springer fra g1 til f3|fra g1 til f3|g1 -> f3|g1–f3|G1-F3|"
        "Sg1 - f3|Sg1/f3|7163.|2. 7163|2: 7163|Træk: 7163|2. 71-63|71 - 63|Numerisk: 7163|"
        "7163 (Sf3)|Sf3 (7163)|2. Sf3 - 7163|2. 5254? nej 7163|1.e4,e5 2.Sf3|"
        "1) e2-e4 e7-e5 2) Sg1-f3|1...e5 2.Sf3|1.- e5 2. Sf3|Sort: e5 Hvid: Sf3|"
        "Dit træk e5, mit træk Sf3|Du spillede e5. Jeg spiller Sf3.|"
        "Som svar på 1... e5 spiller jeg 2. Sf3|På e5 svarer jeg Sf3|"
        "Efter dit e5 spiller jeg Sf3|Goddag igen. Vi har fået sne heroppe. Sf3. Hils konen.|"
        "sf3|S f3|Spr f3|Spr. f3|Springer F3|springeren f3|SPRINGER TIL F3|"
        "kongespringeren til f3|Springer på f3|Springer ud på f3|Hesten til f3|"
        "Springer til feltet f3|Sf3 tak for nu|Sf3 - din tur|Sf3, så er det dig|"
        "Sf3. God fornøjelse|Sf3!?|Sf3 🙂|👉 Sf3|*Sf3*|**2. Sf3**|_Sf3_|\"Sf3\"|'Sf3'|Sf3;|• Sf3|"
        "Svar: Sf3|Trækket er Sf3|Mit træk bliver Sf3|Mit næste træk er springer til f3|"
        "Jeg vælger Sf3|Jeg svarer Sf3|Her er mit træk: Sf3|Her kommer mit træk: 2. Sf3|"
        "Hermed mit træk 2. Sf3|Hermed: Sf3|Så er det Sf3|Så bliver det Sf3|Det bliver Sf3|"
        "OK. Sf3|Ok, så Sf3|Nå. Sf3|Hmm... Sf3|Jeg fortsætter med Sf3|Så spiller jeg Sf3|"
        "Nu trækker jeg Sf3|Mit modtræk er Sf3|Svaret er 2. Sf3|"
        "Hej Bo, her kommer mit træk: Sf3|Ok, jeg spiller Sf3|Jeg spiller springer til f3|"
        "Jeg trækker 7163|Tak for mailen. Mit træk er 2. Sf3.|Som svar på e5 spiller jeg Sf3|"
        "Efter 1... e5 svarer jeg 2. Sf3",
    ("da", MailMeaning.UNCLEAR):
        "Jeg tænker Sf3|Jeg overvejer Sf3|Mon ikke Sf3 er fornuftigt|Måske Sf3|Sf3 eller hvad?|"
        "vil gerne spille Sf3 hvis det er lovligt|Kan jeg spille Sf3?|"
        "Jeg ville have spillet f4, men det bliver Sf3|Ikke f4 men Sf3|"
        "Først tænkte jeg på Lc4 men nu vælger jeg Sf3|Rettelse: Sf3|"
        "Undskyld, jeg skrev forkert. Det skulle være Sf3|Jeg mente Sf3|"
        "Det skulle have været Sf3|Nej, Sf3!|Ups. Sf3 selvfølgelig|Jeg spiller nok Sf3|"
        "Jeg spiller vist Sf3|Jeg spiller måske Sf3|Jeg spiller helst Sf3|Jeg spiller ikke Sf3|"
        "Jeg spiller Sf3, hvis jeg må|Jeg spiller Sf3?|Jeg spiller altid Sf3|"
        "Jeg spiller aldrig Sf3|Normalt spiller jeg Sf3|Hvad hvis jeg spiller Sf3?|"
        "Skal jeg spille Sf3?|Det bliver Sf3 eller noget andet|Så er det Sf3 jeg skal kigge på|"
        "Hvorfor spiller du ikke Sf3|Jeg trækker Sf3 tilbage|Jeg fortryder Sf3|"
        "Jeg spiller Sf3. Nej, vent lidt|Jeg ville spille Sf3. Men jeg tænker lidt mere.|"
        "Mit træk er ikke Sf3|Mit træk er måske Sf3|Kasparov spillede Sf3 her|"
        "Min nabo siger Sf3",
    ("da", MailMeaning.RESIGN):
        "Jeg opgiver.|OPGIVER|Jeg opgiver hermed partiet. Tak for kampen.|"
        "Det kan ikke reddes. Jeg opgiver.|Jeg vælger at opgive her|Jeg må give op|"
        "Jeg giver op, du spillede flot|Jeg giver partiet op|Jeg giver dig partiet|"
        "Du får partiet|Jeg trækker mig fra partiet|Partiet er dit|Tillykke med sejren|"
        "Jeg erkender nederlaget|Du vandt. Tak for et godt parti|Hvid opgiver|2. Opgiver|"
        "opgi'r|Kongen lægges ned|Jeg vælter kongen|Jeg er slået, tak for spillet|"
        "Nu har jeg fået nok, jeg giver op|Godt spillet, jeg er færdig. Du har vundet.|"
        "Der er ikke mere at gøre, jeg opgiver|opgivet|Jeg har tabt|"
        "Jeg indser at det er tabt, jeg giver op|Nu må jeg overgive mig|"
        "Det er håbløst, jeg opgiver|Jeg vil opgive nu|Opgives hermed|"
        "Så opgiver jeg. Godt gået Bo",
    ("en", MailMeaning.RESIGN):
        "Jeg kaster håndklædet i ringen|I resign. Thank you for the game.|"
        "I have to give up, sorry|You win|White resigns",
    ("sv", MailMeaning.RESIGN):
        "Jag ger upp. Tack för partiet!|Jag resignerar|Vit ger upp|Jag har förlorat",
    ("da", MailMeaning.DRAW):
        "Remis?|Skal vi sige remis?|Skal vi enes om remis|Jeg foreslår remis|"
        "Jeg foreslår, at vi slutter fred|Jeg tilbyder hermed remis|Tilbyder remis|Remistilbud|"
        "Vil du have remis?|Vil du acceptere remis|Kan vi blive enige om remis?|"
        "Hvad siger du til remis|Stillingen er lige, remis?|Uafgjort?|Skal vi dele pointet?|"
        "Halvt point til hver?|Er du med på uafgjort|Draw?|Let's agree a draw|"
        "Er vi enige om remis?|Jeg er villig til remis|Remis nu?|Jeg tilbyder dig remis, Bo",
    ("sv", MailMeaning.DRAW):
        "Remi?|Jag erbjuder remi|Remi?|Ska vi säga remi|Jag bjuder remi|"
        "Är du intresserad av remi?",
    ("en", MailMeaning.DRAW):
        "Er du interesseret i remis?|Would you accept a draw?|I offer a draw|I propose a draw|"
        "Would you like a draw",
    ("da", MailMeaning.LEAVE):
        "Ferie 10/12 - 20/12|ferie 10.12.2026-20.12.2026|"
        "Ferie fra 10. december til 20. december|"
        "Jeg holder ferie fra d. 10. til d. 20. december|"
        "Vi er på Tenerife fra 10. til 20. december|"
        "Jeg skal på sygehuset fra den 10. til 14. december, vil gerne have ferie|"
        "Kan jeg få ferie fra 10/12 til 20/12?|Jeg ønsker at holde ferie 10/12-20/12|"
        "Meld mig på ferie 10.-20. december|Ferie uge 50|"
        "Jeg er ikke hjemme fra 10/12 til 20/12|Jeg holder juleferie 20/12 til 3/1|"
        "Jeg holder vinterferie fra 8. februar til 14. februar|Holder ferie de næste 14 dage|"
        "Jeg holder ferie fra på mandag|Jeg vil gerne holde ferie|ferie fra 10/12 20/12|"
        "FERIE 10/12 20/12|Orlov 10/12 til 20/12|Jeg er på kur fra 10. til 20. december|"
        "Jeg holder pause fra skakken 10. til 20. december|"
        "Jeg kan ikke spille fra 10/12 til 20/12|Vi holder efterårsferie 10/12 til 14/12|"
        "Er på rejse 10. december til 20. december|Jeg er indlagt fra 10/12 til 14/12|"
        "Vi skal til Norge fra den 10. december til den 20. december|"
        "Jeg kan ikke svare mellem 10/12 og 20/12",
    ("en", MailMeaning.LEAVE):
        "Jeg er på ferie i perioden 10. dec. - 20. dec.|"
        "Jeg vil gerne melde ferie i uge 50 og 51|Jeg er væk i uge 50|"
        "Jeg er bortrejst i december|Jeg tager på ferie i morgen|"
        "I am going on holiday from 10 December to 20 December|"
        "Leave from Dec 10 to Dec 20 please|I will be away 10/12 - 20/12|"
        "Out of town from the 10th to the 20th of December",
    ("sv", MailMeaning.LEAVE):
        "Jag har semester 10/12 till 20/12|"
        "Jag åker på semester den 10 december och kommer hem den 20|Semester vecka 50|"
        "Jag är bortrest 10-20 december",
    ("da", MailMeaning.CLAIM):
        "Du har brugt for meget tid|Min modstander har brugt mere end 40 dage|"
        "Modstanderen har overskredet|Jeg kræver partiet vundet på tid|"
        "Jeg vil gerne have tidsoverskridelse|Bo er faldet for tiden|Sort er gået over tiden|"
        "Sort har tabt på tid|Jeg gør krav på gevinst på tid|Min modstander er gået over tiden|"
        "Bo har overskredet sin betænkningstid, min modstander altså",
    ("en", MailMeaning.CLAIM):
        "Black has overstepped the time|My opponent is out of time|I claim a win on time",
    ("sv", MailMeaning.CLAIM):
        "Svart har överskridit tiden",
    ("da", MailMeaning.THINK):
        "Jeg bruger mere end 14 dage på næste træk|Jeg skal bruge længere tid på dette træk|"
        "Det varer lidt inden jeg svarer, jeg skal tænke|Jeg tænker længe over dette træk",
    ("en", MailMeaning.THINK):
        "Jeg er i gang med en lang analyse, der går nok 3 uger|"
        "I will need more than two weeks for this move",
    ("sv", MailMeaning.THINK):
        "Jag behöver mer tid att tänka",
    ("da", MailMeaning.NEW_ADDRESS):
        "Jeg har fået ny mail: anna2@example.dk|Ny mailadresse: anna2@example.dk|"
        "Min mail er fra nu af anna2@example.dk|Jeg skifter mailadresse til anna2@example.dk|"
        "Jeg har skiftet e-mail til anna2@example.dk|"
        "Brug venligst min nye adresse anna2@example.dk|"
        "Adresseændring: Strandvejen 12, 2900 Hellerup|"
        "Jeg flytter på plejehjem, ny adresse Skovvej 2|Vi er flyttet til Vejle|"
        "Ny e-mail: a@b.dk",
    ("en", MailMeaning.NEW_ADDRESS):
        "Vi er flyttet i lejlighed: Torvet 3, 4. th, 8900 Randers|Kan I ændre min mailadresse?|"
        "I have changed my email address to anna2@example.dk|"
        "Please note my new address: 4 High Street",
    ("sv", MailMeaning.NEW_ADDRESS):
        "Min nya e-post är anna2@example.se",
    ("da", MailMeaning.LATER_START):
        "Kan starten udsættes til januar?|Jeg vil gerne have udsat starten|"
        "Må jeg vente med at begynde til efter jul|Jeg kan desværre først starte den 1. januar",
    ("en", MailMeaning.LATER_START):
        "Can the start be postponed?",
    ("sv", MailMeaning.LATER_START):
        "Kan starten skjutas upp?",
    ("da", MailMeaning.QUESTION):
        "Hvor mange dage har jeg tilbage?|Hvor lang tid har jeg brugt?|Hvad er stillingen?|"
        "Hvornår skal jeg senest svare?|Hvem er turneringsleder?|"
        "Hvordan skriver jeg en rokade?|Hvad sker der hvis jeg ikke svarer?|"
        "Kan jeg lave mit træk om?|Kan jeg se partiet på nettet?|"
        "Jeg kan ikke finde ud af at logge ind, hvad gør jeg?|Fik du min sidste mail?|"
        "Er det min tur?|Hvad betyder 5254?|Hvad koster det at være med næste år?|"
        "Hvornår starter næste turnering?|Hvordan tilmelder jeg mig?|Hvem spiller jeg mod?|"
        "Hvornår er næste runde?|Hvor kan jeg se stillingen?",
    ("en", MailMeaning.QUESTION):
        "Har I fået mit træk?|How do I castle in numeric notation?|Is it my turn?",
    ("sv", MailMeaning.QUESTION):
        "När ska jag senast svara?|Vems tur är det?",
    ("da", MailMeaning.HELP):
        "Hjælp!|hjælp mig|Jeg har brug for hjælp|help",
    ("sv", MailMeaning.HELP):
        "hjälp",
    ("da", MailMeaning.NOTHING):
        "Tak for det|Tak for mailen|Mange tak|Okay|Hej|Det var et overraskende træk|Godt træk!|"
        "Av|Undskyld, jeg har været syg|Undskyld det sene svar|Jeg vender tilbage|"
        "Beklager, jeg trykkede forkert|Glædelig jul og godt nytår|God påske|"
        "Min kone siger jeg skal holde op med det skak|Held og lykke|Modtaget|Kvittering|test|"
        "Øv, du fandt det|Jeg har lige købt ny computer|Det er min søns mail, svar bare her|"
        "Vi ses på lørdag|Jeg er hjemme igen nu|Det er min tur til at lave kaffe|"
        "Du spiller godt|Jeg er slemt forkølet|Vi fik 4-5 cm sne|Jeg er 82 år nu|"
        "Jeg har fået nye briller|Jeg har fået en ny hest|Min søn har fået nyt arbejde|"
        "Jeg opgiver ikke endnu|Man skal aldrig give op",
    ("en", MailMeaning.NOTHING):
        "Jeg svarer i morgen|Jeg kigger på det i weekenden|Good luck|Thank you, same to you|"
        "Hils i klubben|Jeg var på ferie i sidste uge|Jeg har ikke tid i dag|"
        "Har du set kampen i går|Min computer gik i stykker",
    ("sv", MailMeaning.NOTHING):
        "Tack så mycket|Vi hörs",
    ("en", MailMeaning.UNCLEAR):
        "Fejl i min mail, rigtigt træk: Sf3|Jeg spiller Sf3 i morgen|I would play Nf3|"
        "I might play Nf3|I never play Nf3|I usually play Nf3|I min ungdom spillede jeg Sf3",
    ("en", MailMeaning.MOVE):
        "I move knight to f3|My move: 2. Nf3|I will play Nf3 now|"
        "Det er koldt i dag. Jeg spiller Sf3. Hils Grethe!",
    ("sv", MailMeaning.MOVE):
        "Jag spelar springare till f3|Mitt nästa drag är Sf3",
}  # fmt: skip
"""Of 740 written down by another who had not read the grammar."""


@dataclass(frozen=True, slots=True)
class PersonMail:
    """What somebody wrote, in which language, and what it must be recognised as."""

    lang: str
    said: str
    what: MailMeaning


def people_mails() -> Iterator[PersonMail]:
    """Every saying with every greeting and end of its language, each once."""
    for (lang, what), texts in (*SAYS.items(), *MORE.items(), *BLIND.items()):
        for text in texts.split("|"):
            ends = cycle(ENDS[lang])
            for greeting in GREETINGS[lang]:
                for _ in range(2):
                    yield PersonMail(lang, f"{greeting}{text}{next(ends)}", what)
