"""A player with a mail program: he answers his newest letter, in its program's own layout."""

from dataclasses import dataclass
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from tests.fakes.layouts import LAYOUTS, SUBJECT, Answered, put
from tests.fakes.machinery.clock import ZONE
from tests.fakes.machinery.smarthost import Letter
from tests.fakes.world import ANNA, COMMANDS, NAMES, World


@dataclass
class Player:
    """Who writes, and how his program writes."""

    world: World
    email: str = ANNA
    layout: str | None = "gmail"
    lang: str = "da"
    encoding: str = "qp"

    @property
    def letters(self) -> list[Letter]:
        return self.world.letters(self.email)

    @property
    def newest(self) -> Letter:
        """His newest letter that can be answered by a move."""
        found = [one for one in self.letters if one.reply_to not in (None, COMMANDS)]
        assert found, f"{self.email} has no letter to answer"
        return found[-1]

    def write(self, said: str, answered: Letter | None = None, **head: str | None) -> bytes:
        """A reply as octets. ``head`` replaces fields (``From_``: From); None leaves one out."""
        letter = answered or self.newest
        self.world.mails += 1
        number = self.world.mails
        when = format_datetime(self.world.clock.at.astimezone(ZONE))
        fields: dict[str, str | None] = {
            "From": f"{NAMES.get(self.email, self.email)} <{self.email}>",
            "To": f"K-skak <{letter.reply_to}>",
            "Subject": SUBJECT[self.lang] + letter.subject,
            "Date": when,
            "Message-ID": f"<m{number}.{self.email}>",
            "In-Reply-To": letter.message_id,
            "References": f"{letter.head['References'] or ''} {letter.message_id}".strip(),
        }
        fields |= {name.rstrip("_").replace("_", "-"): value for name, value in head.items()}
        mail = EmailMessage(policy=SMTP)
        for name, value in fields.items():
            if value is not None:
                mail[name] = value
        text = said
        if self.layout is not None:
            text = LAYOUTS[self.layout](said, Answered(letter, self.lang))
        put(mail, text, self.encoding)
        return mail.as_bytes()

    async def reply(self, said: str, answered: Letter | None = None, **head: str | None) -> str:
        """Reply by SMTP and let the server work; the outcome of the mail."""
        letter = answered or self.newest
        assert letter.reply_to is not None
        raw = self.write(said, letter, **head)
        return await self.send(raw, letter.reply_to)

    async def send(self, raw: bytes, *recipients: str) -> str:
        """Send octets, which must be taken; the outcome of the mail."""
        code, said = await self.world.smtp(raw, *recipients, sender=self.email)
        assert code == 250, said
        await self.world.pump()
        newest = await self.world.newest_mail()
        return newest.outcome or newest.state

    async def write_to_server(self, said: str, subject: str = "Hej") -> str:
        """A new mail to the server's command address, answering nothing."""
        self.world.mails += 1
        mail = EmailMessage(policy=SMTP)
        mail["From"] = f"{NAMES.get(self.email, self.email)} <{self.email}>"
        mail["To"] = COMMANDS
        mail["Subject"] = subject
        mail["Message-ID"] = f"<m{self.world.mails}.{self.email}>"
        mail["Date"] = format_datetime(self.world.clock.at.astimezone(ZONE))
        mail.set_content(said)
        return await self.send(mail.as_bytes(), COMMANDS)
