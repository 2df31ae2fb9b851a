"""The columns of a register's files, with all the names they may have. The first is what we write.

Help names them, and loads nothing else.
"""

from collections.abc import Mapping, Sequence

Aliases = Mapping[str, Sequence[str]]
"""A field's names in headers; the first is the one we write."""


def names_of(columns: Aliases) -> str:
    """The names that we write, in a line."""
    return ", ".join(names[0] for names in columns.values())


MEMBERS: Aliases = {
    "number": ("Medlemsnummer", "Medlemsnr", "Nummer", "Nr", "Member number", "Member",
               "Member no", "DSU-nr", "DSU-nummer", "DSU-medlemsnummer", "DSU ID"),
    "name": ("Navn", "Spiller", "Name", "Player", "Namn", "Spelare", "Fulde navn", "Full name"),
    "first": ("Fornavn", "Fornavne", "First name", "Förnamn"),
    "middle": ("Mellemnavn", "Mellemnavne", "Middle name", "Mellannamn"),
    "last": ("Efternavn", "Last name", "Surname", "Efternamn"),
    "email": ("E-mail", "Mail", "Mailadresse", "E-mailadresse", "Mail address", "E-post"),
    "birth": ("Fødselsdato", "Født", "Fødselsdag", "Birth date", "Date of birth", "Born",
              "Födelsedatum", "Född"),
    "kind": ("Medlemskab", "Medlemstype", "Membership", "Member type", "Medlemskap"),
    "club": ("Klub", "Skakklub", "Klubnavn", "Club", "Chess club", "Klubb"),
    "district": ("Hovedkreds", "Main district", "District", "Distrikt"),
    "citizen": ("Dansk statsborger", "Statsborger", "Statsborgerskab", "Danish citizen",
                "Citizenship", "Dansk medborgare"),
    "since": ("Medlem siden", "Indmeldt", "Member since", "Joined", "Medlem sedan"),
    "until": ("Udmeldt", "Medlem til", "Left", "Member until", "Utträdd"),
    "arrears": ("Restance siden", "Restance", "I restance siden", "Arrears since", "Arrears",
                "Skuld sedan"),
    "lang": ("Sprog", "Language", "Språk"),
    "k_rating": ("K-rating", "K-skak-rating", "K-ratingtal", "K-skak-ratingtal"),
    "k_status": ("K-rating status", "K-status", "K-rating er", "K-rating är"),
    "k_date": ("K-rating dato", "K-dato", "K-rating date", "K-date", "K-rating datum"),
    "k_source": ("K-rating kilde", "K-kilde", "K-rating source", "K-source",
                 "K-rating källa"),
    "rating": ("Rating", "Ratingtal", "Skakrating", "OTB rating", "Bræt-rating",
               "Elo"),
    "rating_date": ("Rating dato", "Ratingdato", "Rating date", "Rating datum"),
    "rating_source": ("Rating kilde", "Ratingkilde", "Rating source", "Rating källa"),
}  # fmt: skip
CLUBS: Aliases = {
    "number": ("Klubnummer", "Klubnr", "Nummer", "Nr", "Club number", "Club no"),
    "name": ("Klub", "Klubnavn", "Navn", "Club", "Name", "Klubb", "Namn"),
    "district": ("Hovedkreds", "Main district", "District", "Distrikt"),
}
RATINGS: Aliases = {
    **{name: MEMBERS[name] for name in ("number", "name", "first", "middle", "last", "birth")},
    "rating_kind": ("Ratingtype", "Type", "Art", "Kind", "Rating type", "Typ"),
    "value": ("Rating", "Ratingtal", "Tal", "Value"),
    "status": ("Status", "Endelig eller midlertidig"),
    "date": ("Dato", "Ratingdato", "Date", "Pr.", "Datum"),
    "source": ("Kilde", "Source", "Källa"),
}
PAST_RESULTS: Aliases = {
    "event": ("Turnering", "Turneringsnavn", "Tournament", "Event"),
    "kind": ("Art", "Turneringstype", "Kind"),
    "wish": ("Klasse", "Runde", "Class", "Stage", "Round", "Klass", "Rond"),
    "finished": ("Afsluttet", "Slut", "Slutdato", "Finished", "End", "Avslutad"),
    "number": MEMBERS["number"],
    "name": MEMBERS["name"],
    "points": ("Point", "Points", "Score", "Poäng"),
    "games": ("Partier", "Antal partier", "Games"),
    "place": ("Plads", "Placering", "Place", "Rank", "Plats"),
    "entries": ("Tilmeldte", "Antal tilmeldte", "Entries", "Anmälda"),
    "semi_held": ("Semifinale spillet", "Semifinale", "Semi-final held", "Semifinal spelad"),
    "source": ("Kilde", "Source", "Källa"),
}
BY_WHAT = {"members": MEMBERS, "clubs": CLUBS, "ratings": RATINGS}
