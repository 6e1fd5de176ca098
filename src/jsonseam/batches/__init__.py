"""Batches: logged answers by the million, one row a conversation, in one process or on a cluster.

    table = stitch_batch(answers)            # a pyarrow.Table in, a pyarrow.Table out; for any engine
    summary = run_batch(["logs/"], "out")    # files in, partition files out; a rerun does what is not done

Rule: all of this sees the public API of jsonseam only. `stitch_batch` is where to begin; `job.py` is the way of a run:
inputs -> reading -> spill (rows by partition) -> partition (one file each), on an engine of `engines.py`.
"""

from jsonseam.extras import extra

with extra("batch"):
    from .columns import Columns
    from .engines import DaskEngine, Engine, LocalEngine
    from .errors import BatchBroken, BatchError
    from .job import run_batch
    from .partitioning import partition_of, split_batch
    from .progress import Progress
    from .schema import SCHEMA, SPARK_SCHEMA
    from .stitch import stitch_batch
    from .summary import Summary

__all__ = [
    "SCHEMA",
    "SPARK_SCHEMA",
    "BatchBroken",
    "BatchError",
    "Columns",
    "DaskEngine",
    "Engine",
    "LocalEngine",
    "Progress",
    "Summary",
    "partition_of",
    "run_batch",
    "split_batch",
    "stitch_batch",
]
