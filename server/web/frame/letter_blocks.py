"""A letter's blocks on a page: what a bulletin and a final standing are made of.

The template is blocks.html. Not for wording (mail.writing) nor for other looks
(mail.outgoing.rendering).
"""

from collections.abc import Iterable

from mail.outgoing import blocks as b

SHOWN = (b.Lead, b.Due, b.Para, b.Small, b.Heading, b.Bullets, b.Link, b.Grid)
"""What blocks.html knows; what is for mail programs alone is not among them."""


def named(blocks: Iterable[b.Block]) -> list[tuple[str, b.Block]]:
    """The blocks with their kinds, as the template asks for them. TypeError for one it lacks."""
    listed = list(blocks)
    for block in listed:
        if not isinstance(block, SHOWN):
            raise TypeError(f"no look for {type(block).__name__}")
    return [(type(block).__name__, block) for block in listed]
