"""The columns of the three files, with all the names they may have. The first is what we write.

Not for what their cells mean (cells.py).
"""

from server.usecases.register.csv_table import Aliases
from server.usecases.register.report import What

MEMBERS: Aliases = {
    "number": ("Medlemsnummer", "Medlemsnr", "Nummer", "Nr", "Member number", "Member",
               "Member no"),
    "name": ("Navn", "Spiller", "Name", "Player", "Namn", "Spelare"),
    "email": ("E-mail", "Mail", "Mailadresse", "E-mailadresse", "Mail address", "E-post"),
    "birth": ("Fødselsdato", "Født", "Fødselsdag", "Birth date", "Date of birth", "Born",
              "Födelsedatum", "Född"),
    "kind": ("Medlemskab", "Medlemstype", "Membership", "Member type", "Medlemskap"),
    "club": ("Klub", "Skakklub", "Club", "Chess club", "Klubb"),
    "district": ("Hovedkreds", "Main district", "District", "Distrikt"),
    "citizen": ("Dansk statsborger", "Statsborger", "Statsborgerskab", "Danish citizen",
                "Citizenship", "Dansk medborgare"),
    "since": ("Medlem siden", "Indmeldt", "Member since", "Joined", "Medlem sedan"),
    "until": ("Udmeldt", "Medlem til", "Left", "Member until", "Utträdd"),
    "lang": ("Sprog", "Language", "Språk"),
    "k_rating": ("K-rating", "K-skak-rating", "K-ratingtal", "K-skak-ratingtal"),
    "k_status": ("K-rating status", "K-status", "K-rating er", "K-rating är"),
    "k_date": ("K-rating dato", "K-dato", "K-rating date", "K-date", "K-rating datum"),
    "k_source": ("K-rating kilde", "K-kilde", "K-rating source", "K-source",
                 "K-rating källa"),
    "rating": ("Rating", "Ratingtal", "Skakrating", "OTB rating", "Bræt-rating"),
    "rating_date": ("Rating dato", "Ratingdato", "Rating date", "Rating datum"),
    "rating_source": ("Rating kilde", "Ratingkilde", "Rating source", "Rating källa"),
}  # fmt: skip
CLUBS: Aliases = {
    "number": ("Klubnummer", "Klubnr", "Nummer", "Nr", "Club number", "Club no"),
    "name": ("Klub", "Klubnavn", "Navn", "Club", "Name", "Klubb", "Namn"),
    "district": ("Hovedkreds", "Main district", "District", "Distrikt"),
}
RATINGS: Aliases = {
    "number": MEMBERS["number"],
    "name": MEMBERS["name"],
    "birth": MEMBERS["birth"],
    "rating_kind": ("Ratingtype", "Type", "Art", "Kind", "Rating type", "Typ"),
    "value": ("Rating", "Ratingtal", "Tal", "Value"),
    "status": ("Status", "Endelig eller midlertidig"),
    "date": ("Dato", "Ratingdato", "Date", "Pr.", "Datum"),
    "source": ("Kilde", "Source", "Källa"),
}
BY_WHAT = {What.MEMBERS: MEMBERS, What.CLUBS: CLUBS, What.RATINGS: RATINGS}
NEEDED = {
    What.MEMBERS: (("name",), ("number", "birth")),
    What.CLUBS: (("name",),),
    What.RATINGS: (("number", "birth"), ("rating_kind",), ("value",), ("date",)),
}
"""Of each group of fields, one must be present."""
