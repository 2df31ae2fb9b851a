"""What the letters' tests share: the envelope of the sample letters (mail/samples)."""

import pytest

from mail.outgoing.envelope import Envelope
from mail.samples import ENVELOPE


@pytest.fixture
def envelope() -> Envelope:
    return ENVELOPE
