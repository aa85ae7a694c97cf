"""Runs a WebAssembly module over files and compares what it makes of them with the program `digests`.

    compare.py MODULE [FILE...]
    compare.py --lanes MODULE       runs the program of CheckLanes instead
    compare.py --headers MODULE     reads files with extreme values in their headers, and compares nothing
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time

import wasmtime

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SUFFIXES = {
    ".png", ".apng", ".jpg", ".jpeg", ".gif", ".webp", ".tif", ".tiff", ".bmp", ".dib", ".ico", ".cur", ".qoi", ".pbm", ".pgm",
    ".ppm", ".pnm", ".pam", ".pfm", ".tga",
}  # fmt: skip
# Codings inside TIFF whose decoders are not in the module.
MISSING = re.compile(r"JPEG 2000|JPEG XL")


class Module:
    """An instance of the module, and the memory that it has in common with this program."""

    def __init__(self, engine, compiled):
        self.store = wasmtime.Store(engine)
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        self.store.set_wasi(wasmtime.WasiConfig())
        # Of use where the engine interrupts calls.
        self.store.set_epoch_deadline(1 << 30)
        self.exports = linker.instantiate(self.store, compiled).exports(self.store)
        if "_initialize" in self.exports:
            self.exports["_initialize"](self.store)
        self.memory = self.exports["memory"]
        self.time = 0

    def call(self, name, *arguments):
        return self.exports[name](self.store, *arguments)

    def read(self, part):
        count = self.call("answer_byte_count" if part == "bytes" else "answer_text_byte_count")
        start = self.call(f"answer_{part}")
        return bytes(self.memory.read(self.store, start, start + count))

    def answer(self, name, file=None, *arguments):
        """Calls a function, with a file or without. Returns whether it succeeded, and the facts of its answer."""
        if file is not None:
            start = self.call("allocate", max(1, len(file)))
            self.memory.write(self.store, file, start)
            arguments = (start, len(file), *arguments)
        before = time.perf_counter()
        status = self.call(name, *arguments)
        self.time += time.perf_counter() - before
        if file is not None:
            self.call("deallocate", start)
        return status == 0, json.loads(self.read("text"))

    def picture(self, facts):
        """A picture as `digests` describes it, without its pixel format."""
        diagnostics = "".join(f"; {text}" for text in facts["diagnostics"])
        incomplete = "" if facts.get("isComplete", True) else " incomplete"
        digest = hashlib.sha256(self.read("bytes")).hexdigest()
        return f"{facts['width']} × {facts['height']} {digest}{incomplete}{diagnostics}"


def results(module, file):
    """The results of the module for a file, by name."""
    succeeded, facts = module.answer("decode", file)
    if not succeeded:
        kind = "file" if facts["kind"] == "unrecognizedFormat" else "picture"
        found = {kind: facts["message"]}
        if kind == "file":
            return found
    else:
        found = {"picture": module.picture(facts)}
    succeeded, facts = module.answer("animation_open", file)
    if not succeeded:
        found["frames"] = facts["message"]
        return found
    for index in range(facts["frameCount"]):
        succeeded, facts = module.answer("animation_frame", None, index)
        found[f"frame {index}"] = module.picture(facts) if succeeded else facts["message"]
    module.call("animation_close")
    return found


def expected(files):
    """The results of this machine for files, by file and name: those that the module has too."""
    output = subprocess.run(
        [ROOT / ".build/release/digests", *files], check=True, stdout=subprocess.PIPE, text=True).stdout
    found = {file: {} for file in files}
    names = re.compile(r"(file|picture|frames|frame \d+)(?: (?:\d+(?:\.\d+)?(?:e-?\d+)? seconds))? (.*)")
    for line in output.splitlines():
        file = next((file for file in files if line.startswith(file + " ")), None)
        match = names.fullmatch(line[len(file) + 1:]) if file else None
        if match:
            # The pixel format follows the size.
            found[file][match[1]] = re.sub(r"^(\d+ × \d+) \S+ ", r"\1 ", match[2])
    return found


def are_equal(wanted, found):
    # Formats that the module lacks may wait for more bytes of a file of no format.
    unknown = "unrecognizedFormat: "
    if wanted and found and wanted.startswith(unknown) and found.startswith(unknown):
        return True
    return wanted == found or bool(MISSING.search(found or ""))


def compare(engine, compiled, files):
    """Returns the number of results, the differences, and the seconds in the module."""
    module = Module(engine, compiled)
    module.call("use_default_options")
    count, differences = 0, []
    for file, wanted in expected(files).items():
        try:
            found = results(module, pathlib.Path(file).read_bytes())
        except wasmtime.Trap as error:
            differences.append(f"{file}: trap: {error}")
            module = Module(engine, compiled)
            module.call("use_default_options")
            continue
        for name in sorted(wanted.keys() | found.keys()):
            count += 1
            if not are_equal(wanted.get(name), found.get(name)):
                differences.append(f"{file} {name}: x86-64: {wanted.get(name)}, module: {found.get(name)}")
    return count, differences, module.time


def compare_lanes(path):
    """Runs the program that compares vector operations with their definitions."""
    engine = wasmtime.Engine()
    failure = Module(engine, wasmtime.Module.from_file(engine, path)).call("compare_lanes")
    print(f"comparison {failure} of lanes failed" if failure else "the vector instructions equal their definitions")
    return 1 if failure else 0


def extreme_headers(file):
    """Copies of a file in which a field of its header, or two that follow each other, has an extreme value."""
    values = [0x7FFFFFFF, 0xFFFFFFFF, 0x40000000, 0x0FF00000, 0x03000000]
    fields = [value.to_bytes(4, order) for value in values for order in ("big", "little")]
    # Long rows, and many short ones.
    one = [(1).to_bytes(4, order) for order in ("big", "little") for _ in values]
    fields += [a + b for a, b in zip(fields, one)] + [b + a for a, b in zip(fields, one)] + [b"\xff\xff"]
    for offset in range(min(len(file), 100)):
        for field in fields:
            if offset + len(field) <= len(file):
                yield file[:offset] + field + file[offset + len(field):]


def read_extreme_headers(path):
    """Reads files whose headers state sizes that 32 bits do not hold. Their results matter in that no file may trap.

    A file that needs more than a second is given up: some state pictures as large as the limits allow.
    """
    configuration = wasmtime.Config()
    configuration.epoch_interruption = True
    engine = wasmtime.Engine(configuration)
    compiled = wasmtime.Module.from_file(engine, path)

    def tick():
        while True:
            time.sleep(0.5)
            engine.increment_epoch()

    threading.Thread(target=tick, daemon=True).start()
    smallest = {}
    for file in sorted((ROOT / "Conformance/Cases").rglob("*.*"), key=lambda file: file.stat().st_size, reverse=True):
        if file.suffix.lower() in SUFFIXES:
            smallest[file.parent.name, file.suffix] = file
    module, count, traps = Module(engine, compiled), 0, set()
    for name, file in smallest.items():
        for changed in extreme_headers(file.read_bytes()):
            for function, arguments in [
                ("info", []), ("decode", []), ("thumbnail", [64]), ("strip", []), ("animation_open", [])]:
                count += 1
                module.store.set_epoch_deadline(3)
                try:
                    module.answer(function, changed, *arguments)
                except wasmtime.Trap as error:
                    if "interrupt" not in str(error):
                        traps.add(f"{file} {function}: {error}")
                    module = Module(engine, compiled)
    print("\n".join(sorted(traps)[:10]))
    print(f"{len(smallest)} files with extreme headers, {count} calls, {len(traps)} trap")
    return 1 if traps or not smallest else 0


def main():
    if sys.argv[1] == "--lanes":
        return compare_lanes(sys.argv[2])
    if sys.argv[1] == "--headers":
        return read_extreme_headers(sys.argv[2])
    engine = wasmtime.Engine()
    compiled = wasmtime.Module.from_file(engine, sys.argv[1])
    imports = [f"{entry.module}.{entry.name}" for entry in compiled.imports]
    files = sys.argv[2:] or sorted(
        str(file) for file in (ROOT / "Conformance/Cases").rglob("*.*") if file.suffix.lower() in SUFFIXES)
    parts = [files[index::os.cpu_count() or 1] for index in range(os.cpu_count() or 1)]
    with concurrent.futures.ThreadPoolExecutor() as pool:
        compared = list(pool.map(lambda part: compare(engine, compiled, part), [part for part in parts if part]))
    count = sum(part[0] for part in compared)
    differences = [line for part in compared for line in part[1]]
    print("\n".join(differences[:40]))
    print(
        f"{len(files)} files, {count} results, {len(differences)} differ; {sum(part[2] for part in compared):.1f} s in the "
        f"module, which imports {', '.join(imports) or 'nothing'}")
    return 0 if not differences and count >= len(files) and set(imports) <= {"wasi_snapshot_preview1.random_get"} else 1


if __name__ == "__main__":
    sys.exit(main())
