"""Metrics: what the proxy counts, for Prometheus. Each application has a registry of its own."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from jsonseam.gateway.events import Asked, Broken, Event, Joined

from .conversation import Conversation, SeamSeen

_SECONDS = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600)


class Metrics:
    """A listener to all conversations, and to the relay."""

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        self.requests = Counter(
            "jsonseam_requests", "Client requests, by what they were and how they ended", ["kind", "status"],
            registry=registry,
        )  # fmt: skip
        self.in_flight = Gauge("jsonseam_requests_in_flight", "Client requests under way", registry=registry)
        self.seconds = Histogram(
            "jsonseam_request_seconds", "From a request to the end of its answer", ["kind"], buckets=_SECONDS,
            registry=registry,
        )  # fmt: skip
        self.first_byte = Histogram(
            "jsonseam_upstream_headers_seconds", "From a call to the upstream to the headers of its answer",
            buckets=_SECONDS, registry=registry,
        )  # fmt: skip
        self.rounds = Counter("jsonseam_rounds", "Calls for documents, the first ones too", registry=registry)
        self.seams = Counter("jsonseam_seams", "Answers joined, by the kind of seam", ["kind"], registry=registry)
        self.documents = Counter(
            "jsonseam_documents", "Documents by how they ended", ["outcome", "reason"], registry=registry
        )
        self.broken = Counter("jsonseam_broken_answers", "Answers that broke off in the middle", registry=registry)
        self.errors = Counter(
            "jsonseam_upstream_errors", "What kept an answer away: a status, or a fault of transport", ["kind"],
            registry=registry,
        )  # fmt: skip
        self.put_back = Counter(
            "jsonseam_put_back", "Streamed documents put back to what the client had", registry=registry
        )
        self.held = Gauge(
            "jsonseam_held_characters", "Characters that came in and wait to be sent to streams", registry=registry
        )
        self._held: dict[int, int] = {}

    def text(self) -> tuple[bytes, str]:
        """The exposition, and its content type."""
        return generate_latest(self._registry), CONTENT_TYPE_LATEST

    def tell(self, conversation: Conversation, event: Event | SeamSeen) -> None:
        match event:
            case Asked():
                self.rounds.inc()
            case Joined(seam=seam) if seam is not None:
                self.seams.labels(seam.kind).inc()
            case Broken():
                self.broken.inc()

    def moved(self, conversation: Conversation) -> None:
        self._hold(conversation, conversation.held)

    def over(self, conversation: Conversation) -> None:
        self._hold(conversation, 0)
        self._held.pop(id(conversation), None)
        self.put_back.inc(conversation.put_back)
        outcome = "complete" if conversation.complete else "incomplete"
        self.documents.labels(outcome, conversation.reason).inc()

    def _hold(self, conversation: Conversation, held: int) -> None:
        self.held.inc(held - self._held.get(id(conversation), 0))
        self._held[id(conversation)] = held
