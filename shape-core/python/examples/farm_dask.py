"""Check and infer every model of a folder with Dask: python farm_dask.py MODELS OUT.parquet"""

import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
from distributed import Client, LocalCluster

import onnxspec

TEXT, NUMBER = pyarrow.string(), pyarrow.int64()
COLUMNS = {"model": TEXT, "values": NUMBER, "known": NUMBER, "findings": pyarrow.list_(TEXT), "error": TEXT}


def facts(path):
    try:
        model = onnxspec.open(path)
        found, values = [str(finding) for finding in model.findings], model.values
        return [path, len(values), len(values) - len(model.unknown), found, None]
    except onnxspec.Error as error:
        return [path, None, None, [], f"{error.code}: {error}"]


def batch(paths):
    return [facts(path) for path in paths]


def main(folder, target):
    paths = sorted(map(str, Path(folder).rglob("*.onnx")))
    batches = [paths[start : start + 50] for start in range(0, len(paths), 50)]
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        rows = [dict(zip(COLUMNS, row)) for rows in client.gather(client.map(batch, batches, retries=3)) for row in rows]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, pyarrow.schema(COLUMNS)), target)


if __name__ == "__main__":
    main(*sys.argv[1:])
