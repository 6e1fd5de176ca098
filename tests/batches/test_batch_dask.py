"""A batch on a real Dask cluster: two worker processes, one of which may die; the files are those of one process."""

from __future__ import annotations

import json
import os
import signal

import pytest

pytest.importorskip("pyarrow", reason="batches need pyarrow: pip install 'jsonseam[batch]'")
distributed = pytest.importorskip("distributed", reason="needs a Dask cluster: pip install 'jsonseam[dask]'")

from jsonseam.batches import BatchBroken, BatchError, DaskEngine, engines, run_batch  # noqa: E402
from tests.batches.logs import log, write_lines  # noqa: E402
from tests.batches.test_batch_files import files_in  # noqa: E402
from tests.test_cli import call  # noqa: E402

ROWS = log(40)


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
    ) as made:
        yield made


@pytest.fixture
def alone(tmp_path):
    """The same batch in one process."""
    path = write_lines(tmp_path / "log.jsonl", ROWS)
    summary = run_batch([str(path)], tmp_path / "alone", partitions=6)
    return path, summary, files_in(tmp_path / "alone")


def where(_):
    return os.getpid()


def fail(_):
    raise OSError("disk full")


def die_once(mark):
    """Kill the worker that does it first; the second one finds the mark."""
    if not os.path.exists(mark):
        with open(mark, "w"):
            os.kill(os.getpid(), signal.SIGKILL)
    return "done"


def test_the_command_line_on_a_cluster_gives_the_same_files(tmp_path, cluster, alone):
    _, summary, files = alone
    arguments = ["log.jsonl", "out", "--partitions", "6", "--json", "--dask", cluster.scheduler_address]
    done = call("batch", *arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(json.dumps(summary.state()))
    assert files_in(tmp_path / "out") == files
    assert json.loads(call("batch", *arguments, cwd=tmp_path).stdout)["skipped"] == 6


def test_the_work_is_done_in_two_other_processes(cluster):
    with distributed.Client(cluster, set_as_default=False) as client:
        assert set(DaskEngine(client).each(where, range(20))) == {
            worker["pid"] for worker in client.run(lambda: {"pid": os.getpid()}).values()
        }
        assert os.getpid() not in client.run(os.getpid).values()


def test_what_fails_on_a_worker_breaks_the_batch_off(tmp_path, cluster, alone, monkeypatch):
    path, _, files = alone
    with distributed.Client(cluster, set_as_default=False) as client:
        engine = DaskEngine(client)
        monkeypatch.setattr("jsonseam.batches.job.write_partition", fail)
        with pytest.raises(BatchBroken, match="disk full"):
            run_batch([str(path)], tmp_path / "out", partitions=6, engine=engine)
        monkeypatch.undo()
        run_batch([str(path)], tmp_path / "out", partitions=6, engine=engine)
    assert files_in(tmp_path / "out") == files


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_a_worker_that_dies_costs_nothing_but_time(tmp_path, cluster):
    with distributed.Client(cluster, set_as_default=False) as client:
        assert list(DaskEngine(client).each(die_once, [str(tmp_path / "mark")])) == ["done"]


def test_a_scheduler_that_does_not_answer_is_an_error_of_the_batch(monkeypatch):
    monkeypatch.setattr(engines, "PATIENCE", 0.5)
    with pytest.raises(BatchError, match="no Dask scheduler answers at tcp:"):
        DaskEngine.connect("tcp://127.0.0.1:9")
