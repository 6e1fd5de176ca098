"""Mojibake is put right where the caller asks: in strings only, reported, and never where a string was right."""

from __future__ import annotations

import builtins
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import jsonseam
from fuzz.inputs import documents
from tests.helpers import cut, hold_reports, spelled

pytest.importorskip("ftfy", reason="the extra `text` is not installed")


def mended(*fragments: str, size: int = 1 << 30) -> jsonseam.Document:
    accumulator = jsonseam.Accumulator()
    for fragment in fragments:
        for chunk in cut(fragment, size):
            accumulator.feed(chunk)
        accumulator.end_fragment()
    document = jsonseam.mend_mojibake(accumulator.finish())
    assert spelled(json.loads(document.text)) == spelled(document.value)
    hold_reports(document)
    return document


# delivered | text that is meant | paths of what was mended
CASES = [
    ('{"a": "cafÃ©", "b": "naïve"}', '{"a": "café", "b": "naïve"}', ["/a"]),
    ('["â€œyesâ€\x9d", "Ð¿Ñ€Ð¸Ð²ÐµÑ‚"]', '["“yes”", "привет"]', ["/0", "/1"]),
    ('{"cafÃ©": {"n": [1, "Ã¼ber uns"]}}', '{"café": {"n": [1, "über uns"]}}', ["/café", "/café/n/1"]),
    (r'["caf\u00c3\u00a9"]', r'["caf\u00e9"]', ["/0"]),
    ('{"cafÃ©": 1, "café": 2}', '{"cafÃ©": 1, "café": 2}', []),
    ('["Ã", "Jürgen – “ok”", "東京 😀"]', '["Ã", "Jürgen – “ok”", "東京 😀"]', []),
    ("{'a': 'cafÃ©', b: 'he said \"Ã©tÃ©\"',}", '{"a": "café", "b": "he said \\"été\\""}', ["/a", "/b"]),
]


@pytest.mark.parametrize(("delivered", "text", "paths"), CASES)
@pytest.mark.parametrize("size", [1 << 30, 1, 3])
def test_strings_are_put_right_and_told(delivered: str, text: str, paths: list[str], size: int) -> None:
    document = mended(delivered, size=size)
    assert document.text == text
    assert [repair.path for repair in document.repairs if repair.kind == "mojibake"] == paths
    assert document == mended(delivered)


def test_what_is_told_of_a_cut_document_moves_along() -> None:
    document = mended('{"Ã©tÃ©": ["cafÃ© au lait, s\'il vous', '["cafÃ© au lait, s\'il vous plaÃ®t", "deux cafÃ©')
    assert document.value == {"été": ["café au lait, s'il vous plaît", "deux café"]}
    assert document.unsafe == ("/été/1",)
    assert document.seams[0].path.startswith("/été")
    assert not document.complete


@settings(max_examples=60, deadline=None)
@given(value=documents, ascii_only=st.booleans())
def test_undone_the_mends_give_the_document_back(value: Any, ascii_only: bool) -> None:
    accumulator = jsonseam.Accumulator()
    accumulator.add(json.dumps(value, ensure_ascii=ascii_only))
    document = accumulator.finish()
    after = jsonseam.mend_mojibake(document)
    assert spelled(json.loads(after.text)) == spelled(after.value)
    if not any(repair.kind == "mojibake" for repair in after.repairs):
        assert after is document
    undone = after.text
    for repair in reversed([repair for repair in after.repairs if repair.kind == "mojibake"]):
        undone = undone[: repair.offset] + repair.before + undone[repair.offset + len(repair.after) :]
    assert undone == document.text


def test_without_ftfy_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "ftfy":
            raise ModuleNotFoundError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModuleNotFoundError, match=r"jsonseam\[text\]"):
        jsonseam.mend_mojibake(jsonseam.join(['["cafÃ©"]']))
