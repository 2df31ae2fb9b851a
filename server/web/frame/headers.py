"""Headers on every answer: nothing foreign is loaded, framed, cached or guessed.

Not for who may see a page.
"""

from aiohttp import web

from server.web.frame.context import CORE

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
    )
)
FIXED = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # Not «no-referrer»: with it a browser names its own site «null» when a form is sent.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
STRICT_TRANSPORT = "max-age=31536000"


async def add_headers(request: web.Request, response: web.StreamResponse) -> None:
    """Add what a handler has not set itself; for ``on_response_prepare``."""
    for name, value in FIXED.items():
        response.headers.setdefault(name, value)
    if request.app[CORE].settings.web.site.startswith("https:"):
        response.headers.setdefault("Strict-Transport-Security", STRICT_TRANSPORT)
