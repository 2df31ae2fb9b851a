"""What is not written by a person: robots, lists, vacation notices and delivery reports."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from mail.incoming import mime
from mail.incoming.mime import Defect, MimePart, decode_part, read_parts, split_headers
from mail.incoming.own_words import extract_own_words, html_to_text
from mail.incoming.parse_mail import ParsedMail

# Vacation notices that no header field marks: how they begin their subject, what they say.

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


def reads_like_notice(words: str) -> bool:
    """Whether somebody's own words are a notice's; who asks something is a person."""
    text = " ".join(words[:_LONGEST_READ].split())
    if _AUTOMATIC.search(text):
        return True
    if "?" in text:
        return False
    return _IS_AWAY.search(text) is not None and _ANSWERS_LATER.search(text) is not None


# What sent a mail: a person, a robot, a bounce, a list, or our own loop.


class MailKind(StrEnum):
    """HUMAN may be read; LIST and SUSPECT, perhaps a person's, are held, or asked about where they
    have a key and a move; the rest is kept, not answered."""

    HUMAN = "human"
    AUTOMATIC = "automatic"
    BOUNCE = "bounce"
    LOOP = "loop"
    LIST = "list"
    SUSPECT = "suspect"


@dataclass(frozen=True, slots=True)
class MailClass:
    """The kind, and the trait that decided it (for the operator's page)."""

    kind: MailKind
    reason: str = ""


NOTICE_BY_SUBJECT = MailClass(MailKind.AUTOMATIC, "words of the subject")
NOTICE_BY_TEXT = MailClass(MailKind.AUTOMATIC, "words of the text")
NOTICES = (NOTICE_BY_SUBJECT, NOTICE_BY_TEXT)
"""What looks like a vacation notice: it may still have a move, and then a person wrote it."""

_ROBOT_SENDERS = re.compile(
    r"(mailer-daemon|postmaster|no-?reply|do-?not-?reply|noreply|autosvar|autoreply|bounces?)"
    r"([+=-].*)?@",
)
_ROBOT_SENDER = "robot sender"
_ROBOT_HEADERS = ("x-autoreply", "x-autorespond", "x-autoresponder", "x-auto-reply-from",
                  "x-mail-autoreply", "x-autogenerated")  # fmt: skip
_AUTOMATIC_SUBJECT = re.compile(
    r"(?:(?:re|sv|vs|aw|fw)(?:\[\d+\])?\s*:\s*)*"
    r"(?:delivery status notification|undeliver\w+|undelivered mail|mail delivery (?:failed|system)"
    r"|returned mail|failure notice|ikke leveret|kunne ikke leveres|olevererbart|unzustellbar"
    r"|læst|read|gelesen|läst)"
    r"(?=\s*[:!-]|\s+(?:fra|from|von|från|re|til|for)\b|\s*$|\s*\()",
    re.IGNORECASE,
)
_BOUNCE_SUBJECT = re.compile(
    r"delivery status notification|undeliver|mail delivery|returned mail|failure notice"
    r"|ikke leveret|kunne ikke leveres|olevererbart|unzustellbar",
    re.IGNORECASE,
)
_CHALLENGE = re.compile(
    r"verify (?:your|that you)|confirm (?:your|that you).*(?:mail|sender)"
    r"|(?:click|klik).*(?:release|frigiv|deliver your)|challenge.response|spamarrest|boxbe",
    re.IGNORECASE,
)
_LISTS = ("list-id", "list-post", "mailing-list", "x-mailing-list")


def classify(
    mail: ParsedMail, envelope_from: str, own_domain: str, words: str | None = None
) -> MailClass:
    """The class of a mail. `envelope_from`: SMTP's MAIL FROM; '' and '<>' are the null sender.
    `words`: the writer's own, if they are known already.

    The order matters: our own loop first, bounces before other robots. A person's reply that
    merely carries Exchange's X-Auto-Response-Suppress or `Auto-Submitted: no` stays HUMAN.
    """
    notice = partial(_notice, words=words)
    for find in (_loop, _bounce, _report, _automatic, notice, _list, _suspect):
        found = find(mail, envelope_from.strip().lower(), own_domain.lower())
        if found is not None:
            return found
    return MailClass(MailKind.HUMAN)


def _loop(mail: ParsedMail, envelope_from: str, own_domain: str) -> MailClass | None:
    if own_domain in mail.signals.loops:
        return MailClass(MailKind.LOOP, "x-loop")
    if not envelope_from.strip("<>") and mail.signals.report_type == "delivery-status":
        return None  # our relay's report comes from MAILER-DAEMON at our own domain
    for address in (mail.from_addr or "", envelope_from.strip("<>")):
        if address.endswith("@" + own_domain):
            return MailClass(MailKind.LOOP, "own address")
    return None


def _bounce(mail: ParsedMail, envelope_from: str, own_domain: str) -> MailClass | None:
    if mail.signals.report_type == "delivery-status":
        return MailClass(MailKind.BOUNCE, "delivery-status")
    daemon = (mail.from_addr or "").startswith(("mailer-daemon@", "postmaster@"))
    said = bool(_BOUNCE_SUBJECT.search(mail.subject))
    if envelope_from in ("", "<>") and mail.signals.report_type in ("", "unknown"):
        # The null sender also carries vacation notices; they say so in other fields.
        automatic = _automatic(mail, envelope_from, own_domain)
        is_machine = mail.signals.auto_submitted == "auto-generated"  # RFC 3834: no responder
        is_notice = not is_machine and automatic is not None and automatic.reason != _ROBOT_SENDER
        if is_notice and not (daemon or said):
            return automatic
        return MailClass(MailKind.BOUNCE, "null sender")
    return MailClass(MailKind.BOUNCE, "mailer-daemon") if daemon else None


def _report(mail: ParsedMail, envelope_from: str, own_domain: str) -> MailClass | None:
    """Read receipts, complaints, calendar answers: made by programs on a person's behalf."""
    if mail.signals.report_type:
        return MailClass(MailKind.AUTOMATIC, f"report {mail.signals.report_type}")
    if mail.signals.calendar:
        return MailClass(MailKind.AUTOMATIC, "calendar")
    return None


def _automatic(mail: ParsedMail, envelope_from: str, own_domain: str) -> MailClass | None:
    signals = mail.signals
    if signals.auto_submitted not in ("", "no"):
        return MailClass(MailKind.AUTOMATIC, "auto-submitted")
    if any(name in signals.present for name in _ROBOT_HEADERS):
        return MailClass(MailKind.AUTOMATIC, "autoreply header")
    if signals.precedence in ("auto_reply", "auto-reply", "junk"):
        return MailClass(MailKind.AUTOMATIC, "precedence")
    if _AUTOMATIC_SUBJECT.match(mail.subject) or TEMPLATE.match(mail.subject):
        return MailClass(MailKind.AUTOMATIC, "subject")
    if _ROBOT_SENDERS.match(mail.from_addr or ""):
        return MailClass(MailKind.AUTOMATIC, _ROBOT_SENDER)
    if _CHALLENGE.search(mail.subject):
        return MailClass(MailKind.AUTOMATIC, "challenge")
    return None


def _notice(
    mail: ParsedMail, envelope_from: str, own_domain: str, words: str | None
) -> MailClass | None:
    """A vacation notice by its words alone, which a person may have written too."""
    if _BEGINS.match(mail.subject):  # whatever follows: a person may go on
        return NOTICE_BY_SUBJECT
    if words is None:
        words = extract_own_words(mail.text, own_domain, (mail.from_name, mail.from_addr or ""))
    return NOTICE_BY_TEXT if reads_like_notice(words) else None


def _list(mail: ParsedMail, envelope_from: str, own_domain: str) -> MailClass | None:
    found = next((name for name in _LISTS if name in mail.signals.present), None)
    if found is not None or mail.signals.precedence == "list":
        return MailClass(MailKind.LIST, found or "precedence")
    return None


def _suspect(mail: ParsedMail, envelope_from: str, own_domain: str) -> MailClass | None:
    if mail.signals.precedence == "bulk":
        return MailClass(MailKind.SUSPECT, "precedence bulk")
    worst = next((defect for defect in mail.defects if defect.holds), None)
    return MailClass(MailKind.SUSPECT, worst.value) if worst else None


# The words and codes by which mail systems say that a letter was given up, or is still tried.

# Enhanced codes (RFC 3463) and replies (RFC 5321), but no part of an address or a number.
_ENHANCED = r"(?<![\w.]){}\.\d{{1,3}}\.\d{{1,3}}(?!\w|\.\d)"
_REPLY = r"(?<![\w.,/-]){}\d(?=[ -]\D|[ -]\d\.\d)"
REPLY = re.compile(_REPLY.format("5[0-7]"))
HARD_CODE = re.compile(_ENHANCED.format("5") + "|" + REPLY.pattern)
SOFT_CODE = re.compile(_ENHANCED.format("4") + "|" + _REPLY.format("4[2-5]"))

STILL_TRIED = re.compile(
    r"will (?:continue|keep) (?:trying|to (?:try|be)|attempting)|will (?:be (?:retried|re-?tried)"
    r"|(?:now )?(?:retry|try again|be attempted|attempt))|delivery.{0,30}\bdelayed|been delayed"
    r"|is delayed|delayed mail|not yet been delivered|still (?:being )?(?:trying|retrying|queued)"
    r"|(?:you )?do not need to re-?send|warning message only|no action is required"
    r"|warning\W{1,3}(?:could not|message|still)|delivery (?:status notification \(delay|delay)"
    r"|\(delayed?\)|(?:message|mail) delayed|deferred"
    r"|forsinket|prøver igen|forsøger fortsat|försenat|försenad|fördröj|forsinka|verzögert"
    r"|weiterhin versuch|erneut versuch|retardé|différée?|nouvelle tentative|retrasad|aplazad"
    r"|ritardat|in ritardo|vertraagd|atrasad|opóźni|задерж|повторн",
    re.IGNORECASE,
)
GIVING_UP_PATTERN = re.compile(
    r"(?:has|have|['’]ve) given up|giving up|gave up|aborted|too long|permanent"
    r"|will not be re|expired"
    r"|no longer be (?:tried|retried)|not try again|was not delivered|retry time ?out exceeded"
    r"|returned (?:to sender|mail)|return to sender|cannot send message for"
    r"|opgivet|endgültig|aufgegeben|définitive|permanente|definitiv",
    re.IGNORECASE,
)
FAILED = re.compile(
    r"undeliver|not (?:be|been) (?:successfully )?(?:deliver|sent)|returned (?:mail|to sender)"
    r"|return to sender|returned message|non-?deliver"
    r"|deliver.{0,40}(?:fail|error|problem|impossible)"
    r"|(?:fail|error|unable|unsuccessful|impossible|problem).{0,60}deliver|mail error"
    r"|(?:can(?:no|')?t|couldn['’]t|could not|wasn['’]t able to|unable to|not able to).{0,40}"
    r"(?:deliver|send|find|reach|accept)"
    r"|(?:un|not )known|no such|does(?:n['’]t| not) (?:exist|have)|not (?:found|listed|exist)"
    r"|reject|refused|blocked|disabled|inactive|over ?quota|quota (?:exceed|full)|exceed\w* quota"
    r"|mailbox.{0,30}(?:full|exceed|unavailable)|bounced|failed|failure"
    r"|invalid (?:recipient|address)"
    r"|ikke (?:leveret|afleveret|levert)|ikke (?:leveres|afleveres|sendes)|ikke blive leveret"
    r"|olevererbar|kunde inte levereras|inte levereras|unzustellbar|nicht (?:zugestellt|zustell)"
    r"|zustellung.{0,30}(?:fehl|nicht)|non (?:remis|délivré|distribu)|pas pu être|échec|echec"
    r"|no (?:se )?(?:pudo|ha podido|puede|entregad)|devuelto|mancata consegna|impossibile"
    r"|non (?:recapitat|consegnat)|onbestelbaar|niet (?:worden )?(?:afgeleverd|bezorgd)"
    r"|não (?:foi|pôde)|devolvid|niedostarcz|nie (?:został|można|mógł|mogła)|ei voitu|ei ole"
    r"|недостав|не (?:может|удалось|была?о? |доставлен)",
    re.IGNORECASE,
)


# Delivery reports: was a letter given up or is it only late, whatever form its server says it in.

LONGEST_REASON = 200
_LONGEST_REPORT = 64 * 1024
"""Characters read of each part: what a report has to say stands at its beginning."""
_STATUS_KINDS = ("message/delivery-status", "message/global-delivery-status")
_FIELDS = re.compile(r"^[ \t]*(?:action|status)[ \t]*:", re.IGNORECASE | re.MULTILINE)
_FIELD = re.compile(
    r"^[ \t]*(action|status|diagnostic-code)[ \t]*:[ \t]*(.*(?:\n[ \t]+\S.*){0,20})",
    re.IGNORECASE | re.MULTILINE,
)
_RETURNED = re.compile(
    r"^(?:received|return-path|message-id):|^[ >*#=_-]*(?:begin |below |this |line |here |is |an? "
    r"|the |your |copy |of )*(?:original|unsent|returned|rejected|failed)[ -](?:message|e?-?mail)"
    r"(?: (?:headers?|text|info|body|follows|below))*[ :.*#=_-]*$|^message headers follow"
    r"|^[ -]*(?:below |this |line |here |is )*a copy of (?:the|your) (?:original )?message",
    re.IGNORECASE | re.MULTILINE,
)
_XTEXT = re.compile(r"\+([0-9A-F]{2})")


class DeliveryStatus(StrEnum):
    """What a report says of the letter. NONE: nothing, or that it arrived."""

    FAILED = "failed"
    DELAYED = "delayed"
    NONE = "none"


_ACTIONS = (
    ("fail", DeliveryStatus.FAILED),
    ("delay", DeliveryStatus.DELAYED),
    (("relay", "deliver", "expand"), DeliveryStatus.NONE),
)


@dataclass(frozen=True, slots=True)
class DeliveryReport:
    """A report's verdict, and its own words for it on one line.

    ``names_address``: whether the address it was read for occurs in it.
    """

    fate: DeliveryStatus
    said: str
    names_address: bool


_NOTHING = DeliveryReport(DeliveryStatus.NONE, "", False)


def read_report(raw: bytes, address: str, *, is_daemons: bool) -> DeliveryReport:
    """What a mail to a letter's return path says of the letter to ``address``. Never raises.

    ``is_daemons``: it looks like a mail system's; of any other mail only codes are believed, for a
    vacation text may well say «unknown».
    """
    if not mime.check(raw).ok:
        return _NOTHING
    headers = split_headers(raw)
    top = read_parts(headers, raw[headers.body_at :], set())
    told, fields, rest = _texts(top)
    subject = headers.text("subject")
    failed_for = [headers.text(name) for name in ("x-failed-recipients", "original-recipient")]
    everything = _XTEXT.sub(
        lambda code: chr(int(code[1], 16)), "\n".join((told, fields, rest, *failed_for))
    ).casefold()
    named = bool(address) and _names(everything, address.casefold())
    fate = _by_fields(fields or told, address)
    if fate is None:
        fate = _judge_by_words(subject, told, is_daemons=is_daemons)
    return DeliveryReport(
        fate, (_find_reason(fields or told, told, address) or subject)[:LONGEST_REASON], named
    )


def _names(text: str, address: str) -> bool:
    """Whole: «bo@example.net» is not named by «jumbo@example.net»."""
    return re.search(rf"(?<![\w.+-]){re.escape(address)}(?![\w-]|\.\w)", text) is not None


def _texts(top: MimePart) -> tuple[str, str, str]:
    """What people read, the fields for programs, and the letter that came back."""
    told: list[str] = []
    fields: list[str] = []
    rest: list[str] = []
    for part in _leaves(top):
        text = _decode_part(part)
        if part.kind in _STATUS_KINDS:
            fields.append(text)
        elif part.kind.startswith("message/") or part.kind == "text/rfc822-headers":
            rest.append(text)
        else:
            own, returned = _split_report(text)
            told.append(own)
            rest.append(returned)
    return "\n".join(told), "\n\n".join(fields), "\n".join(rest)


def _leaves(part: MimePart) -> Iterable[MimePart]:
    if not part.children:
        yield part
    for child in part.children:
        yield from _leaves(child)


def _decode_part(part: MimePart) -> str:
    """A part as text; as it stands when its encoding is broken: a report is not played."""
    defects: set[Defect] = set()
    text = decode_part(part, defects)
    if Defect.ENCODING in defects:
        text = part.body.decode("us-ascii", "replace").replace("\r\n", "\n")
    return (html_to_text(text)[0] if part.kind == "text/html" else text)[:_LONGEST_REPORT]


def _split_report(text: str) -> tuple[str, str]:
    """The report proper and the letter quoted below it."""
    found = _RETURNED.search(text)
    return (text, "") if found is None else (text[: found.start()], text[found.start() :])


def _by_fields(text: str, address: str) -> DeliveryStatus | None:
    """By Action, which says what was done, else by Status; None without either (RFC 3464 2.3)."""
    groups = [group for group in re.split(r"\n[ \t]*\n", text) if _FIELDS.search(group)]
    mine = [group for group in groups if address and address.casefold() in group.casefold()]
    found = [_FIELD.findall(group) for group in mine or groups]
    said = [(name.lower(), value.lower()) for group in found for name, value in group]
    actions = [value for name, value in said if name == "action"]
    for beginning, fate in _ACTIONS:
        if any(value.startswith(beginning) for value in actions):
            return fate
    statuses = [value for name, value in said if name == "status"]
    if any(value.startswith("5") for value in statuses):
        return DeliveryStatus.FAILED
    return DeliveryStatus.DELAYED if any(value.startswith("4") for value in statuses) else None


def _judge_by_words(subject: str, told: str, *, is_daemons: bool) -> DeliveryStatus:
    text = " ".join(f"{subject}\n{told}".split())
    if not is_daemons:
        return (
            DeliveryStatus.FAILED
            if HARD_CODE.search(told) and FAILED.search(text)
            else DeliveryStatus.NONE
        )
    if STILL_TRIED.search(text) and not GIVING_UP_PATTERN.search(text):
        return DeliveryStatus.DELAYED
    if GIVING_UP_PATTERN.search(text) or FAILED.search(text) or HARD_CODE.search(told):
        return DeliveryStatus.FAILED
    return DeliveryStatus.DELAYED if SOFT_CODE.search(told) else DeliveryStatus.NONE


def _find_reason(fields: str, told: str, address: str) -> str:
    """The reason as the recipient's server gave it, else the lines that name him, else the first.

    What is told for people often begins with a page of politeness.
    """
    for name, value in _FIELD.findall(fields):
        if name.lower() == "diagnostic-code":
            return " ".join(value.partition(";")[2].split() or value.split())
    lines = [line for line in (" ".join(each.split()) for each in told.split("\n")) if line]
    for reason in (REPLY, HARD_CODE, SOFT_CODE):
        found = next((line for line in lines if reason.search(line)), "")
        if found:
            return found
    wanted = address.casefold()
    at = next((i for i, line in enumerate(lines) if wanted and wanted in line.casefold()), 0)
    return " ".join(lines[at : at + 2])
