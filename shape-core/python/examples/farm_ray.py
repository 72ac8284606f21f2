"""Check and infer every model of a folder with Ray: python farm_ray.py MODELS OUT.parquet"""

import sys
from pathlib import Path

import pyarrow
import pyarrow.parquet
import ray

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


@ray.remote(max_retries=3)
def batch(paths):
    return [facts(path) for path in paths]


def main(folder, target):
    paths = sorted(map(str, Path(folder).rglob("*.onnx")))
    ray.init(num_cpus=2, include_dashboard=False)
    jobs = [batch.remote(paths[start : start + 50]) for start in range(0, len(paths), 50)]
    rows = [dict(zip(COLUMNS, row)) for rows in ray.get(jobs) for row in rows]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows, pyarrow.schema(COLUMNS)), target)


if __name__ == "__main__":
    main(*sys.argv[1:])
