"""Rounds: asks the upstream for what comes behind the first answer. Tries again what fails in transport, and asks by a
user turn where the upstream refuses a prefill; what to ask is said by `follow_up`."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

import httpx2

from jsonseam.gateway.model import Request
from jsonseam.gateway.prefill import Capability, capability_of
from jsonseam.gateway.retries import RetryCount, async_retrying

from . import headers
from .answers import read_frame
from .caller import Caller
from .conversation import Conversation
from .faults import LATER_ERRORS, PASSING_ERRORS, RefusedError, UnreadableAnswerError
from .follow_up import FollowUp, follow_up
from .settings import Settings
from .upstream import Upstream

_REFUSALS: Final = frozenset({400, 422})


class Rounds:
    """`refused` is called with each error that comes in place of an answer."""

    def __init__(self, settings: Settings, upstream: Upstream, refused: Callable[[BaseException], None]) -> None:
        self._capability: Capability = capability_of(settings.upstream, settings.provider)
        self._upstream = upstream
        self._retry = settings.retry
        self._refused = refused
        self._refuses_prefill = False

    async def ask(self, caller: Caller, conversation: Conversation, request: Request) -> httpx2.Response:
        """The response of the next round: read where it is a whole answer, open where it is a stream.

        Raises `faults.LATER_ERRORS`.
        """
        follow = self._follow_up(conversation, request)
        try:
            response = await self._send(caller, conversation, follow)
        except RefusedError as error:
            if not follow.prefilled or error.status_code not in _REFUSALS:
                raise
            follow = self._follow_up(conversation, request, can_prefill=False)
            response = await self._send(caller, conversation, follow)
            self._refuses_prefill = True
        if follow.prefilled:
            delivery = "stream" if conversation.asked.stream else "plain"
            conversation.prefilled(request.prefill or "", echoes=delivery in self._capability.echoes)
        return response

    def _follow_up(self, conversation: Conversation, request: Request, *, can_prefill: bool = True) -> FollowUp:
        count = conversation.asked.usage or conversation.switch.limits.tokens is not None
        can_prefill = can_prefill and not self._refuses_prefill
        return follow_up(conversation.asked.body, request, self._capability, prefill=can_prefill, count_tokens=count)

    async def _send(self, caller: Caller, conversation: Conversation, follow: FollowUp) -> httpx2.Response:
        content = json.dumps(follow.body).encode()
        sent = headers.of_a_later_round(caller.headers)

        async def once() -> httpx2.Response:
            try:
                response = await self._upstream.open(caller.method, caller.target, sent, content)
                if response.status_code != httpx2.codes.OK:
                    await response.aread()
                    raise RefusedError(response)
                if not conversation.asked.stream:
                    await response.aread()
                    if read_frame(response.content) is None:
                        raise UnreadableAnswerError("no JSON")
            except LATER_ERRORS as error:
                self._refused(error)
                raise
            return response

        return await async_retrying(self._retry, RetryCount(), PASSING_ERRORS)(once)
