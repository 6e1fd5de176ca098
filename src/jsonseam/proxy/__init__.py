"""The proxy: an OpenAI-compatible server in front of another one, which goes on with JSON answers that come back cut.

    create_app(Settings(upstream="https://api.openai.com/v1"))      an ASGI application; `jsonseam serve` runs it

What is decided (which requests, which answers, when to go on, what may be sent) is in rooms that open no socket:
`asking`, `switches`, `conversation`, `outlet`, `plain`, `streamed`. `relay` carries bytes, and decides nothing.
Needs the extra `serve`.
"""

from jsonseam.extras import extra

with extra("serve"):
    from .app import create_app
    from .settings import Settings

__all__ = ["Settings", "create_app"]
