#!/usr/bin/env python3
"""Compares the WebAssembly module of Examples/WebPage with x86-64: pictures, frames, damage and errors of our own cases.
Before, compares its vector instructions with their definitions, by the program in CheckLanes. Afterwards, reads files with
extreme values in their headers, for which Int may not have enough bits.

    .ci/wasm/check.py [FILE...]     builds the module and reads files, by default all cases of its formats

`digests` of a release build of this machine prints the expected results. Exits with 75 if the packages that this needs,
ziglang and wasmtime of PyPI, cannot be had. They are kept in ~/.cache/swift-image-codecs-wasm, or the folder that WASM_CACHE
names. MODULE names a module that has been built already.
"""

import importlib.machinery
import os
import pathlib
import subprocess
import sys
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PACKAGES = ["ziglang", "wasmtime"]
CACHE = pathlib.Path(os.environ.get("WASM_CACHE") or pathlib.Path.home() / ".cache/swift-image-codecs-wasm")


def prepare():
    """Installs the packages. Returns the Python that has them; `None` if they cannot be had."""
    python = CACHE / "bin/python"
    if not (CACHE / "complete").exists():
        venv.create(CACHE, with_pip=True, clear=True)
        if subprocess.run([python, "-m", "pip", "install", "--quiet", *PACKAGES]).returncode != 0:
            return None
        (CACHE / "complete").touch()
    return python


def compare_lanes(folder, python):
    """Compares the vector operations with their definitions. Returns whether all are equal."""
    sys.dont_write_bytecode = True
    builder = importlib.machinery.SourceFileLoader("builder", str(ROOT / "Examples/WebPage/build-module")).load_module()
    sources, program = pathlib.Path(__file__).resolve().parent / "CheckLanes", folder / "CheckLanes.wasm"
    os.environ["PYTHON"] = str(python)
    checked = builder.compile_module("CheckLanes", sources, folder, [], "-O")
    builder.link([checked, folder / "VectorLanes.o"], program)
    return subprocess.run([python, ROOT / ".ci/wasm/compare.py", "--lanes", program]).returncode == 0


def main():
    python = prepare()
    if python is None:
        print("the module is not checked: its packages cannot be had")
        return 75
    module = os.environ.get("MODULE")
    if module is None:
        folder = ROOT / ".build/wasm"
        subprocess.run(
            [ROOT / "Examples/WebPage/build-module", folder], env={**os.environ, "PYTHON": str(python)}, check=True)
        module = folder / "imagecodecs.wasm"
        if not compare_lanes(folder, python):
            return 1
    comparison = [python, ROOT / ".ci/wasm/compare.py"]
    code = subprocess.run([*comparison, module, *sys.argv[1:]]).returncode
    if code != 0 or sys.argv[1:]:
        return code
    return subprocess.run([*comparison, "--headers", module]).returncode


if __name__ == "__main__":
    sys.exit(main())
