"""The words and codes by which mail systems say that a letter was given up, or is still tried.

In the languages of the systems that translate their reports. NOT for the structure around them
(`mail.incoming.reports`).
"""

import re

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
GIVEN_UP = re.compile(
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
