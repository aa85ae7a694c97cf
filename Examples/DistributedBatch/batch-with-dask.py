"""Runs `imagecodec batch` under Dask, and checks that nothing is lost if a worker dies.

A partition of jobs is piped through one process of the tool. Dask distributes the partitions to worker processes, here
two on this machine, and runs those of a worker that died again. That is safe because a job always writes the same
bytes, and replaces its output only once it is complete.

    pip install dask distributed
    python Examples/DistributedBatch/batch-with-dask.py .build/release/imagecodec

Fails unless every job has one result and all outputs equal those of a direct run, although a worker is killed midway.
Skipped if Dask is not installed.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import zlib

try:
    from dask.distributed import Client, LocalCluster, as_completed
except ImportError:
    print("skipped: dask and distributed are not installed")
    sys.exit(0)


def run_partition(tool, jobs):
    """Returns the results of some jobs, in the order in which they were done."""
    lines = "".join(json.dumps(job) + "\n" for job in jobs)
    run = subprocess.run([tool, "batch", "--limits", "default"], input=lines, capture_output=True, text=True)
    results = [json.loads(line) for line in run.stdout.splitlines()]
    # The exit code is 1 if a job failed, and its result says why. Anything else is a failure of the process, after
    # which the partition is run again.
    if run.returncode not in (0, 1) or len(results) != len(jobs):
        raise RuntimeError(f"the tool ended with {run.returncode} after {len(results)} of {len(jobs)} jobs")
    return results


def png(width, height, seed):
    """Returns a PNG of waves and noise."""
    noise = random.Random(seed)
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            level = (x * (seed % 5 + 1) + y * 2) % 200 + noise.randrange(32)
            rows += bytes((level, 255 - level, (x + seed * 9) % 256))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(rows), 1)) + chunk(b"IEND", b"")
    )


def make_jobs(folder, count):
    """Writes inputs, every tenth of which is damaged, and returns a function from a folder of outputs to jobs."""
    inputs = folder / "inputs"
    inputs.mkdir()
    for index in range(count):
        data = png(300 + index % 7 * 40, 200 + index % 5 * 30, index)
        (inputs / f"{index}.png").write_bytes(data[:20] if index % 10 == 9 else data)

    def jobs(outputs):
        outputs.mkdir()
        return [
            {
                "id": index,
                "input": str(inputs / f"{index}.png"),
                "output": str(outputs / f"{index}.{['jpg', 'png'][index % 2]}"),
                "size": "160x120",
                "fit": ["inside", "cover"][index // 2 % 2],
            }
            for index in range(count)
        ]

    return jobs


def outcome(results):
    """Returns what must not depend on how the jobs were run."""
    members = ("status", "width", "height", "frames", "bytes", "kind", "reason")
    return sorted((result["id"], [result.get(member) for member in members]) for result in results)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", help="the built imagecodec")
    parser.add_argument("--jobs", type=int, default=200, help="the number of jobs")
    parser.add_argument("--partition", type=int, default=10, help="the number of jobs of a partition")
    arguments = parser.parse_args()
    tool = str(pathlib.Path(arguments.tool).resolve())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        jobs_for = make_jobs(folder, arguments.jobs)
        direct = run_partition(tool, jobs_for(folder / "direct"))

        jobs = jobs_for(folder / "dask")
        partitions = [jobs[start : start + arguments.partition] for start in range(0, len(jobs), arguments.partition)]
        results = []
        with LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, local_directory=name
        ) as cluster, Client(cluster) as client:
            futures = [client.submit(run_partition, tool, partition, pure=False) for partition in partitions]
            killed = None
            for number, future in enumerate(as_completed(futures)):
                if number == len(futures) // 3:
                    busy = [address for address, tasks in client.processing().items() if tasks]
                    killed = client.run(os.getpid, workers=busy[:1])
                    os.kill(next(iter(killed.values())), signal.SIGKILL)
            for future in futures:
                results += future.result()

        assert killed, "no worker was killed"
        assert [result["id"] for result in sorted(results, key=lambda result: result["id"])] == list(range(len(jobs)))
        assert outcome(results) == outcome(direct), "the results differ from those of the direct run"
        names = sorted(path.name for path in (folder / "direct").iterdir())
        assert names == sorted(path.name for path in (folder / "dask").iterdir()), "the outputs differ in number"
        for name in names:
            assert (folder / "direct" / name).read_bytes() == (folder / "dask" / name).read_bytes(), name
        failed = sum(result["status"] == "error" for result in results)
        print(
            f"{len(results)} jobs in {len(partitions)} partitions on two workers, of which one was killed: "
            f"{len(names)} outputs equal those of a direct run, {failed} damaged inputs reported"
        )


if __name__ == "__main__":
    main()
