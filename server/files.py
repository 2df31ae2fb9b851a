"""Open files: the limit raised as far as the system lets us, and a share for mail.

Web, database and mail all take from it. Not for limits per peer (mail/incoming/smtp_in.py).
"""

import resource

MOST_FILES = 65_536
MOST_SMTP = 200
_SHARE = 4


def raise_limit() -> int:
    """Raise the soft limit of open files to the hard one; return what it is now."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wished = MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wished:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wished, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


def smtp_connections() -> int:
    """Connections that mail may take at a time: at most a quarter of the files."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_SMTP if soft == resource.RLIM_INFINITY else min(MOST_SMTP, max(soft // _SHARE, 1))
