"""What is remembered of text that is no longer held: how it began, and digests to know it by when it is said again.

Rule: the memory is bounded, and does not depend on the pieces in which the text was forgotten. White space does not
count, wherever it stands: a document said again in another layout is still known.
"""

from __future__ import annotations

from typing import Any, Final

from jsonseam.lexemes import squeeze

HEAD: Final = 4096  # characters of the text's beginning that are kept
BLOCK: Final = 8192  # characters, white space not counted, that go into a digest together
MOST: Final = 64  # digests that are kept, evenly spread over the text


class Past:
    """`size`: characters that were forgotten. `squeezed`: how many of them are no white space."""

    __slots__ = ("_blocks", "_chain", "_digests", "_every", "_rest", "head", "size")

    def __init__(self) -> None:
        self.head = ""
        self.size = 0
        self._blocks = 0
        self._chain = ""  # the digest of all whole blocks
        self._rest = ""  # what is forgotten behind them
        self._digests: list[str] = []  # the chain behind each `_every` blocks
        self._every = 1

    @property
    def squeezed(self) -> int:
        return self._blocks * BLOCK + len(self._rest)

    def add(self, text: str) -> None:
        """Text that goes on behind what was forgotten before. Cost: its length."""
        self.head += text[: HEAD - len(self.head)]
        self.size += len(text)
        rest = self._rest + squeeze(text)
        for at in range(0, len(rest) - BLOCK + 1, BLOCK):
            self._chain = _link(self._chain, rest[at : at + BLOCK])
            self._blocks += 1
            if self._blocks % self._every == 0:
                self._digests.append(self._chain)
        self._rest = rest[len(rest) - len(rest) % BLOCK :]
        if len(self._digests) > MOST:
            self._digests = self._digests[1::2]
            self._every *= 2

    def knows(self, said: str) -> bool:
        """Is `said`, a squeezed text, how this one goes, as far as that can be told? Cost: its length."""
        chain = ""
        for block in range(1, min(self._blocks, len(said) // BLOCK) + 1):
            chain = _link(chain, said[(block - 1) * BLOCK : block * BLOCK])
            if block % self._every == 0 and self._digests[block // self._every - 1] != chain:
                return False
        if len(said) < self.squeezed:
            head = squeeze(self.head)
            return said.startswith(head) or head.startswith(said)
        return chain == self._chain and said.startswith(self._rest, self._blocks * BLOCK)

    def state(self) -> list[Any]:
        """Plain JSON, for a checkpoint."""
        return [self.head, self.size, self._blocks, self._chain, self._rest, list(self._digests), self._every]

    @classmethod
    def resume(cls, state: list[Any]) -> Past:
        past = cls()
        past.head, past.size, past._blocks, past._chain, past._rest, digests, past._every = state
        past._digests = list(digests)
        return past


def place_behind(text: str, start: int, squeezed: int) -> int:
    """The place in `text` between which and `start` there are `squeezed` characters that are no white space."""
    while squeezed:
        piece = text[start : start + squeezed]
        if not piece:
            break
        squeezed -= len(squeeze(piece))
        start += len(piece)
    return start


def _link(chain: str, block: str) -> str:
    import hashlib  # here, because it takes 2 ms to import, and only those who hand off need it

    return hashlib.blake2b(f"{chain} {block}".encode(), digest_size=16).hexdigest()
