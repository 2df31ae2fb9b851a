"""Vacation notices that no header field marks: how they begin their subject, what they say.

In the languages of our players and their mail programs. A text counts only if it says both that
somebody is away and when or who else answers: people mention a holiday, too. NOT for robots that
say in a field what they are (`mail.incoming.guard`).
"""

import re

_RE = r"(?:(?:re|sv|vs|aw|fw|fwd|antw|rif|odp|vá)(?:\[\d+\])?\s*:\s*)*"
_ANSWERS = (
    r"auto(?:matic)?[ -]?(?:reply|response|respons|antwort|svar)|automatiskt? svar"
    r"|odpowiedź automatyczna|automatische (?:antwort|abwesenheits\w+|reactie)|automatisch antwoord"
    r"|réponse automatique|respuesta automática|risposta automatica|resposta automática"
    r"|automaattinen vastaus|sjálfvirkt svar|automatická odpověď|автоматический ответ|автоответ"
)
_AWAY = (
    r"ikke til stede|ikke på (?:kontoret|arbejde|jobb)|fravær(?:smeddelelse|sbesked|ende)?"
    r"|frånvar\w+|inte på kontoret|ikkje på kontoret|out of (?:the )?office"
    r"|away (?:from (?:my|the) \w+|until)"
    r"|on (?:vacation|annual leave|holiday|leave until)|abwesen\w+|nicht im büro|absen(?:ce|t)"
    r"|en (?:congés?|vacances)|fuera de (?:la )?oficina|ausencia|de vacaciones"
    r"|fuori (?:ufficio|sede)|assen(?:za|te)|in ferie|afwezig(?:heid)?|niet aanwezig"
    r"|ausência|fora do escritório|ausente|poza biurem|nieobecno\w+|poissa(?:olo)?\w*"
    r"|en ole paikalla|lomalla|utan skrifstofu|fjarverandi|mimo kancelář|nepřítomn\w+"
    r"|отсутств\w+|нет на месте|в отпуске"
)
_LAST = r"(?=\s*[:!(]|\s+(?:fra|from|von|från|van|re|til|for|de)\b|\s*$)"

TEMPLATE = re.compile(rf"{_RE}(?:(?:{_ANSWERS}){_LAST}|(?:{_AWAY})\s*:)", re.IGNORECASE)
"""A subject as programs make it: their phrase before what they answer."""
_BEGINS = re.compile(rf"{_RE}\W{{0,3}}(?:{_ANSWERS}|{_AWAY})\b", re.IGNORECASE)

_AUTOMATIC = re.compile(
    r"(?:this is an|dies ist eine|dette er (?:et|en)|detta är ett|ceci est une?"
    r"|(?:este|esta) es una?|questa è una?|dit is een|esta é uma|to jest|tämä on|þetta er) "
    r"(?:auto(?:mat\w*)? ?\w*|réponse automatique|respuesta automática|resposta automática"
    r"|mensaje automático|risposta automatica|sjálfvirkt)|автоматический ответ|\bautosvar\b",
    re.IGNORECASE,
)
_IS_AWAY = re.compile(
    r"\b(?:out of (?:the )?office|on (?:annual leave|vacation)"
    r"|(?:i am|i['’]m|i will be) (?:currently )?(?:away|on (?:holiday|leave)|travell?ing|out)"
    r"|ikke (?:på (?:kontoret|arbejde|jobb)|til stede)|ikkje på kontoret"
    r"|(?:på|holder|har|tar) ferie|bortrejst|bortreist|fraværende|ute av kontoret"
    r"|inte på (?:kontoret|plats)|(?:har|på) semester|bortrest|frånvarande|tjänstledig"
    r"|nicht im (?:büro|hause)|im urlaub|abwesend|außer haus"
    r"|absente?(?: du bureau)?|en congés?|en vacances"
    r"|fuera de la oficina|de vacaciones|ausente"
    r"|fuori (?:ufficio|sede)|in ferie|assente"
    r"|afwezig|niet (?:op kantoor|aanwezig)|met vakantie|op vakantie"
    r"|fora do escritório|de férias"
    r"|poza biurem|na urlopie|nieobecn\w+"
    r"|poissa|lomalla|en ole paikalla"
    r"|fjarverandi|í (?:sumar)?fríi|utan skrifstofu"
    r"|mimo kancelář|na dovolené|nepřítom\w+"
    r"|в отпуске|отсутств\w+|нет на месте)(?!\w)",
    re.IGNORECASE,
)
_ANSWERS_LATER = re.compile(
    r"\b(?:(?:will|shall|i['’]ll) (?:be back|return|reply|respond|answer|get back)"
    r"|return(?:ing)? (?:on|to)|back (?:on|in the office)|limited access|no access|until"
    r"|please contact|in urgent|if urgent"
    r"|tilbage|indtil|frem til|kontakt|henvend|besvare\w*|svarer|begrænset adgang|hastende|haster"
    r"|tilbake|til og med|åter|tillbaka|kontakta|brådskande|till och med|besvarar"
    r"|zurück|bis (?:zum|einschließlich)|wenden sie sich|dringend\w*|vertretung|nicht gelesen"
    r"|jusqu['’]au|de retour|contacter|urgen\w+|répondr\w+"
    r"|hasta el|regres\w+|contact\w+|volveré|responder\w+"
    r"|fino al|rientr\w+|tornerò|risponder\w+|rivolg\w+"
    r"|terug|tot en met|t/m|neem contact|dringende"
    r"|até|retorn\w+|voltarei|contat\w+"
    r"|do dnia|wracam|wrócę|proszę o kontakt|odpowiem|kontaktować"
    r"|palaan|asti|saakka|vastaan|ottakaa yhteyttä|kiireellis\w+"
    r"|kem aftur|hafið samband|svara|til baka"
    r"|vrátím|kontaktujte|odpovím"
    r"|вернусь|до \d|обращайтесь|отвечу)",
    re.IGNORECASE,
)
_LONGEST_READ = 2000


def begins_like_notice(subject: str) -> bool:
    """Whether a subject begins as a notice's does, whatever follows: a person may go on."""
    return _BEGINS.match(subject) is not None


def reads_like_notice(words: str) -> bool:
    """Whether somebody's own words are a notice's; who asks something is a person."""
    text = " ".join(words[:_LONGEST_READ].split())
    if _AUTOMATIC.search(text):
        return True
    if "?" in text:
        return False
    return _IS_AWAY.search(text) is not None and _ANSWERS_LATER.search(text) is not None
