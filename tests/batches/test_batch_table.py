"""`stitch_batch`: a table in, a table out. What any engine relies on, whatever the rows, their order, their types."""

from __future__ import annotations

import inspect
import json
from decimal import Decimal

import pytest

pa = pytest.importorskip("pyarrow", reason="batches need pyarrow: pip install 'jsonseam[batch]'")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402

import jsonseam  # noqa: E402
from jsonseam.batches import (  # noqa: E402
    SCHEMA,
    SPARK_SCHEMA,
    BatchError,
    Columns,
    partition_of,
    split_batch,
    stitch_batch,
)
from tests.batches.logs import expected, log  # noqa: E402

NAMES = ["conversation", "sequence", "text"]


def table(*rows, names=NAMES):
    return pa.table({name: list(values) for name, values in zip(names, zip(*rows, strict=True), strict=True)})


def only(made):
    assert made.num_rows == 1, made.to_pylist()
    return made.to_pylist()[0]


ROOT = "cut in the root, with 1 container open"
NESTED = "cut in /0/1, with 2 containers open"
# the answers, as (sequence, text)                        document          complete  reason
JOINED = [
    ([(0, '{"a": 1}')],                                   '{"a": 1}',       True,  "complete"),
    ([(1, '2, 3]'), (0, "[1, ")],                         "[1, 2, 3]",      True,  "complete"),
    ([(-5, "[1, "), (70, "2, "), (9, "0, ")],             "[1, 0, 2]",      False, ROOT),
    ([(10, "]"), (9, "1"), (1, "[")],                     "[1]",            True,  "complete"),
    ([(0, "[1, 2"), (1, "Sorry, no."), (2, ", 3]")],      "[1, 2, 3]",      True,  "complete"),
    ([(0, "[[1, 25")],                                    "[[1]]",          False, NESTED),
    ([(0, '"a str')],                                     '"a str"',        False, "cut inside its only value"),
    ([(0, "{'a': True}")],                                '{"a": true}',    True,  "complete"),
    ([(0, "[1"), (1, "")],                                "[]",             False, "cut in /0, with 1 container open"),
]  # fmt: skip


@pytest.mark.parametrize(("answers", "document", "complete", "reason"), JOINED)
def test_the_answers_of_a_conversation_are_joined_in_their_order(answers, document, complete, reason):
    row = only(stitch_batch(table(*[("c", sequence, text) for sequence, text in answers])))
    assert (row["document"], row["complete"], row["reason"], row["error"]) == (document, complete, reason, None)


# the answers, as (sequence, text)                      a word of the error
BAD = [
    ([(0, None)],                                       "there is no text at sequence 0"),
    ([(0, "[1, "), (1, None), (2, "3]")],               "there is no text at sequence 1"),
    ([(0, "[1, "), (None, "3]")],                       "1 of 2 rows has no sequence number"),
    ([(None, "[1, "), (None, "3]")],                    "2 of 2 rows have no sequence number"),
    ([(0, "[1, "), (0, "3]")],                          "more than one row has sequence 0"),
    ([(0, "[1]"), (0, "[1]")],                          "more than one row has sequence 0"),
    ([(0, "Good morning.")],                            "no JSON document has begun"),
    ([(0, ""), (1, "")],                                "no JSON document has begun"),
    ([(0, '{"a": 1, "b": ' + "[" * 1000)],              "max_depth"),
]  # fmt: skip


@pytest.mark.parametrize(("answers", "word"), BAD)
def test_a_bad_conversation_is_a_row_with_its_error_beside_good_ones(answers, word):
    good = [("a", 0, "[1"), ("z", 0, "[2]")]
    rows = stitch_batch(table(*[("bad", sequence, text) for sequence, text in answers], *good)).to_pylist()
    assert [row["conversation"] for row in rows] == ["a", "bad", "z"]
    assert word in rows[1]["error"]
    assert rows[1]["reason"] == rows[1]["error"]
    assert rows[1]["complete"] is False
    assert [row["error"] for row in rows] == [None, rows[1]["error"], None]


def test_what_came_before_a_limit_is_there():
    row = only(stitch_batch(table(("c", 0, '{"a": 1, "b": ' + "[" * 1000))))
    assert json.loads(row["document"])["a"] == 1


def test_a_defect_in_one_conversation_is_its_row(monkeypatch):
    def broken(self, fragment):
        raise RuntimeError("broken")

    monkeypatch.setattr(jsonseam.Accumulator, "add", broken)
    assert "a defect of jsonseam: RuntimeError: broken" in only(stitch_batch(table(("c", 0, "[]"))))["error"]


def test_rows_without_a_conversation_are_one_row_together():
    rows = stitch_batch(table((None, 0, "[1]"), ("a", 0, "[2]"), (None, 0, "[3]"))).to_pylist()
    assert [(row["conversation"], row["error"]) for row in rows] == [(None, "2 rows name no conversation"), ("a", None)]


def test_strict_refuses_what_is_not_json():
    rows = stitch_batch(table(("bad", 0, "[1,]"), ("good", 0, "[1]")), strict=True).to_pylist()
    assert [row["document"] for row in rows] == [None, "[1]"]
    assert "not JSON" in rows[0]["error"]


def test_seams_repairs_and_unsafe_are_those_of_join():
    answers = ['{"a": ["one", "two",', '"one", "two", "three"], \'b\': True, "c": 1']
    row = only(stitch_batch(table(*[("c", number, text) for number, text in enumerate(answers)])))
    report = jsonseam.join(answers).report()
    assert {name: row[name] for name in ("seams", "repairs", "unsafe")} == {
        name: report[name] for name in ("seams", "repairs", "unsafe")
    }
    assert row["seams"]
    assert row["repairs"]
    assert row["unsafe"]


# column          its values for two answers of one conversation
TYPES = [
    ("conversation", pa.array([7, 7], pa.int32()), "7"),
    ("conversation", pa.array(["c", "c"]).dictionary_encode(), "c"),
    ("conversation", pa.array(["c", "c"], pa.large_string()), "c"),
    ("conversation", pa.array([b"c\xff", b"c\xff"]), "c\\xff"),
    ("conversation", pa.array([b"\x00\xff"] * 2, pa.binary(2)), "00ff"),
    ("sequence", pa.array([2, 1], pa.uint8()), "c"),
    ("sequence", pa.array([10.0, 9.0]), "c"),
    ("sequence", pa.array(["10", "9"]), "c"),
    ("sequence", pa.array([2**63 + 1, 2**63], pa.uint64()), "c"),
    ("sequence", pa.array([Decimal(10), Decimal(9)]), "c"),
    ("text", pa.array(["2]", "[1, "], pa.large_string()), "c"),
    ("text", pa.array([b"2]", b"[1, "]), "c"),
    ("text", pa.array(["2]", "[1, "]).dictionary_encode(), "c"),
]


@pytest.mark.parametrize(("column", "values", "name"), TYPES, ids=[f"{name} {array.type}" for name, array, _ in TYPES])
def test_columns_of_many_types(column, values, name):
    columns = {"conversation": ["c", "c"], "sequence": [1, 0], "text": ["2]", "[1, "], column: values}
    row = only(stitch_batch(pa.table(columns)))
    assert (row["conversation"], row["document"], row["error"]) == (name, "[1, 2]", None)


@pytest.mark.parametrize("spelled", ["first", "1.5", "nan", "", "1e999"])
def test_a_sequence_that_is_no_whole_number_is_an_error(spelled):
    row = only(stitch_batch(table(("c", spelled, "[1]"))))
    assert row["error"] == f"sequence is no whole number: {spelled!r}"


def test_a_character_that_was_cut_in_bytes_is_whole():
    whole = '{"a": "größer 😀"}'.encode()
    rows = [("c", 0, whole[:10]), ("c", 1, whole[10:-4]), ("c", 2, whole[-4:])]
    assert all("\ufffd" in part.decode("utf-8", "replace") for _, _, part in rows)
    assert json.loads(only(stitch_batch(table(*rows)))["document"]) == {"a": "größer 😀"}


# the table                                             a word of the error
WRONG = [
    (pa.table({"conversation": ["c"], "text": ["[]"]}), "there is no column 'sequence'"),
    (pa.table([["c"], [1], [""], [""]], [*NAMES, "text"]), "more than one column 'text'"),
    (pa.table({"conversation": ["c"], "sequence": [1], "text": [1]}), "'text' cannot be read: it holds int64"),
    (pa.table({"conversation": [["c"]], "sequence": [1], "text": ["1"]}), "'conversation' cannot be read"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "word"), WRONG)
def test_a_column_that_is_missing_or_no_text_is_an_error_of_the_batch(given, word):
    with pytest.raises(BatchError, match=word):
        stitch_batch(given)


def test_columns_can_have_other_names_and_others_are_left_aside():
    given = pa.table({"id": ["c"], "turn": [0], "answer": ["[1]"], "model": ["m"], "text": [None]})
    assert only(stitch_batch(given, columns=Columns("id", "turn", "answer")))["document"] == "[1]"


def test_no_rows_are_no_conversations():
    empty = pa.table({name: pa.array([], pa.string()) for name in NAMES})
    assert stitch_batch(empty).equals(SCHEMA.empty_table())


def test_the_schema_is_always_the_same():
    for rows in ([("c", 0, "[1]")], [(None, None, None)], [("c", 0, "no")]):
        assert stitch_batch(table(*rows)).schema.equals(SCHEMA)


def test_engines_may_call_it_with_a_table_alone():
    """Spark gives the key as well to a function of two places."""
    places = [p for p in inspect.signature(stitch_batch).parameters.values() if p.kind is not p.KEYWORD_ONLY]
    assert len(places) == 1


def test_spark_is_told_the_same_schema():
    assert SPARK_SCHEMA.startswith("`conversation` string, `document` string, `complete` boolean, `reason` string, ")
    assert "`seams` array<struct<`fragment`: bigint, `kind`: string, " in SPARK_SCHEMA
    assert SPARK_SCHEMA.count("`: ") == 24
    assert SPARK_SCHEMA.endswith("`unsafe` array<string>, `error` string")


# ------------------------------------------------------------ what holds always
ROWS = log(6)
MADE = stitch_batch(pa.Table.from_pylist(ROWS))
TEXTS = st.sampled_from(["[1, ", "2", "]", '{"a": ', '"x', '"}', "no", "", None])
SOME = st.lists(st.tuples(st.sampled_from(["a", "b", "ü", None]), st.sampled_from([0, 1, 2, 3, None]), TEXTS))


def test_a_log_of_conversations_is_what_join_makes_of_them():
    wanted = expected(ROWS)
    assert [row["conversation"] for row in MADE.to_pylist()] == sorted(wanted)
    for row in MADE.to_pylist():
        document = wanted[row["conversation"]]
        assert (row["document"], row["complete"]) == (document.text, document.complete)


@settings(max_examples=8)
@given(order=st.permutations(ROWS), tables=st.integers(1, 4), partitions=st.integers(1, 5))
def test_any_order_of_rows_in_any_tables_and_partitions_gives_the_same_rows(order, tables, partitions):
    parts = {}
    for n in range(tables):
        given = pa.Table.from_pylist(order[n::tables], MADE_FROM)
        for number, part in split_batch(given, partitions).items():
            parts.setdefault(number, []).append(part)
    made = pa.concat_tables([stitch_batch(pa.concat_tables(part)) for part in parts.values()])
    assert sorted(made.to_pylist(), key=lambda row: row["conversation"]) == MADE.to_pylist()


MADE_FROM = pa.schema([("conversation", pa.string()), ("sequence", pa.int64()), ("text", pa.string())])


@given(rows=SOME, order=st.randoms(use_true_random=False), partitions=st.integers(1, 5))
def test_bad_rows_in_any_order_and_partitions_give_the_same_rows(rows, order, partitions):
    def stitched(given):
        return stitch_batch(pa.Table.from_pylist([dict(zip(NAMES, row, strict=True)) for row in given], MADE_FROM))

    shuffled = list(rows)
    order.shuffle(shuffled)
    whole = stitched(rows)
    assert stitched(shuffled).equals(whole)
    assert whole.num_rows == len({name for name, _, _ in rows})
    parts = split_batch(
        pa.Table.from_pylist([dict(zip(NAMES, row, strict=True)) for row in rows], MADE_FROM), partitions
    )
    made = [row for part in parts.values() for row in stitch_batch(part).to_pylist()]
    assert (
        sorted(made, key=lambda row: (row["conversation"] is not None, row["conversation"] or "")) == whole.to_pylist()
    )


def test_a_conversation_has_the_same_partition_everywhere():
    names = pa.chunked_array([["a", "b", None], ["b", "größer", "a"]])
    assert partition_of(names, 8).to_pylist() == [3, 1, 0, 1, 0, 3]
    assert set(partition_of(pa.chunked_array([[f"c{n}" for n in range(400)]]), 8).to_pylist()) == set(range(8))
