"""A fragment on the wire: one entry of a stream. Whoever can XADD these fields is a producer.

conversation  any text that is not empty
seq           0, 1, 2, ... within the conversation
text          the model's answer, UTF-8
last          1 on the last fragment; else 0, or left out
expected      what the model was asked for, as in Accumulator.expect; may be left out
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, get_args

from jsonseam import Expected

from .errors import BadEntry

MOST_DIGITS: Final = 15  # of a sequence number
MOST_FIELDS: Final = 100
_LAST: Final = {b"1": True, b"0": False, b"": False}
_EXPECTED: Final[dict[bytes, Expected]] = {word.encode(): word for word in get_args(Expected)}


@dataclass(frozen=True, slots=True)
class Fragment:
    """`entry` is the id in the stream, as bytes; `given` is how often it was given to a worker."""

    entry: bytes
    conversation: str
    seq: int
    text: str | bytes
    last: bool = False
    expected: Expected = "anything"
    given: int = 1


def to_bytes(text: str | bytes) -> bytes:
    """As it goes on the wire; a lone surrogate of a str survives the way."""
    return text.encode("utf-8", "surrogatepass") if isinstance(text, str) else bytes(text)


def from_bytes(text: bytes) -> str | bytes:
    """Text again; bytes that are no text stay bytes, for the accumulator to clean and report."""
    try:
        return text.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return text


def read_fragment(entry: bytes, flat: Sequence[bytes] | None, given: int = 1) -> Fragment:
    """The fragment of an entry, given as name, value, name, value. Raises BadEntry."""
    if flat is None or len(flat) > 2 * MOST_FIELDS:
        raise BadEntry("the entry was deleted, or has too many fields", expected=f"at most {MOST_FIELDS} fields")
    fields = dict(zip(flat[::2], flat[1::2], strict=False))
    try:
        conversation = fields[b"conversation"].decode()
        number, text = fields[b"seq"], fields[b"text"]
    except KeyError as error:
        raise BadEntry(f"there is no field {error.args[0].decode()}") from error
    except UnicodeDecodeError as error:
        raise BadEntry("the conversation is not UTF-8") from error
    if not conversation:
        raise BadEntry("the conversation is empty")
    if not number.isdigit() or len(number) > MOST_DIGITS:
        raise BadEntry(f"the sequence number {number[:40]!r} is no number", expected=f"0 to {'9' * MOST_DIGITS}")
    last = _LAST.get(fields.get(b"last", b""))
    if last is None:
        raise BadEntry(f"the field last is {fields[b'last'][:40]!r}", expected="0 or 1")
    expected = _EXPECTED.get(fields.get(b"expected", b"anything"))
    if expected is None:
        given_word = fields[b"expected"].decode("utf-8", "replace")
        raise BadEntry(f"the field expected is {given_word[:40]!r}", expected=", ".join(get_args(Expected)))
    return Fragment(entry, conversation, int(number), from_bytes(text), last=last, expected=expected, given=given)
