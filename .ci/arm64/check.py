#!/usr/bin/env python3
"""Compares ARM64 with x86-64: results for files, and kernels with their oracles.

    .ci/arm64/check.py digests      compile the library, compare what it makes of our cases with a build for this machine
    .ci/arm64/check.py tests [MODULE...]
                                    run the tests of the modules below the umbrella that need no Foundation, or of those named

Exits with 75 if the packages that it needs cannot be had.
"""
import concurrent.futures
import difflib
import os
import pathlib
import subprocess
import sys

from compilation import Compilation
from environment import Environment, Unavailable
from rewrite_tests import rewrite_module

HERE = pathlib.Path(__file__).parent
BUILD = pathlib.Path(".build/arm64")
# Tests of pixels and bytes; those of threads, files and processes need what is not there.
TESTED = ["VectorLanesTests", "ByteCompressionTests", "PixelPlanesTests", "ResamplingTests", "VectorGraphicsTests",
          "PNGCodecTests", "JPEGCodecTests", "GIFCodecTests", "WebPCodecTests", "TIFFCodecTests", "HEVCCodecTests",
          "AV1CodecTests", "AVCCodecTests", "JXLCodecTests", "JPEG2000CodecTests", "RawCodecTests"]


def run_digests(program, files):
    """What a program prints for files, on all processors at once."""
    parts = [files[index::os.cpu_count() or 1] for index in range(os.cpu_count() or 1)]

    def run(part):
        process = subprocess.run([*program, *part], stdout=subprocess.PIPE, text=True)
        return process.stdout.splitlines() + ([f"exit {process.returncode}"] if process.returncode else [])

    with concurrent.futures.ThreadPoolExecutor() as pool:
        return sorted(line for lines in pool.map(run, parts) for line in lines)


def digests(environment, _):
    compilation = Compilation(environment, BUILD)
    compilation.compile("FoundationEssentials", [HERE / "FoundationEssentials.swift"], "-O")
    compilation.compile_all(["ImageCodecs"])
    modules = compilation.closure(["ImageCodecs"])
    program = compilation.link(
        "digests", compilation.sources("digests"), modules + ["FoundationEssentials"], "-O", "-parse-as-library")
    files = sorted(str(file) for file in pathlib.Path("Conformance/Cases").rglob("*.*") if file.suffix not in (".py", ".tsv"))
    files.append("drawings")
    expected = run_digests([".build/release/digests"], files)
    results = run_digests([*environment.emulator(), program], files)
    differences = [line for line in difflib.unified_diff(expected, results, "x86-64", "ARM64", n=0, lineterm="")]
    print("\n".join(differences[:40]))
    print(f"{len(files)} files, {len(results)} results, {sum(line[0] == '+' for line in differences[2:])} differ")
    return not differences and len(results) > 4 * len(files)


def tests(environment, tested):
    compilation = Compilation(environment, BUILD)
    compilation.compile("PlainTesting", [HERE / "Testing.swift"], "-O")
    compilation.compile_all(["TestSupport"] + [dep for name in tested for dep in compilation.dependencies(name)])

    def run(name):
        sources, summary = rewrite_module(name, BUILD / "tests" / name)
        modules = compilation.closure(compilation.dependencies(name))
        try:
            # Exhaustive comparisons with oracles would take minutes without optimisation.
            program = compilation.link(name, sources, modules + ["PlainTesting"], "-O")
        except SystemExit as error:
            # The other modules run nevertheless.
            print(error, flush=True)
            return False
        process = subprocess.run([*environment.emulator(), program], stdout=subprocess.PIPE, text=True)
        print(summary, process.stdout, sep="\n", end="", flush=True)
        return process.returncode == 0

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return all(list(pool.map(run, tested)))


def main():
    parts = {"digests": digests, "tests": tests}
    named = [argument for argument in sys.argv[1:] if argument not in parts]
    if unknown := set(named) - set(TESTED):
        raise SystemExit(f"not among the tested modules: {', '.join(sorted(unknown))}")
    environment = Environment()
    try:
        environment.prepare()
    except Unavailable as error:
        print(f"ARM64 is not checked: {error}")
        return 75
    chosen = [name for name in parts if name in sys.argv[1:]] or (["tests"] if named else parts)
    return 0 if all([parts[name](environment, named or TESTED) for name in chosen]) else 1


if __name__ == "__main__":
    sys.exit(main())
