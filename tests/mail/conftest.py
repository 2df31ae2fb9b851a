"""What the letters' tests share: the envelope of the sample letters (mail/samples)."""

import pytest

from mail.game_letters.cast import ENVELOPE
from mail.outgoing.envelope import Envelope


@pytest.fixture
def envelope() -> Envelope:
    return ENVELOPE
