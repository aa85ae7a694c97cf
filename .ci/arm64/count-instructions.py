#!/usr/bin/env python3
"""Counts the ARM64 instructions of decoding files, by this library and by the peer of the format.

    .ci/arm64/count-instructions.py [--functions] FILE...

The emulator logs each block of instructions that it enters; counts are the difference between three decodes and one,
divided by two, so that the start of the program and of the caches is not part of it. They do not depend on the load of
the machine. With --functions, the functions with the largest counts follow.
"""
import bisect
import collections
import pathlib
import re
import subprocess
import sys

from check import BUILD, HERE
from compilation import Compilation
from environment import Environment, output

CODECS = ["Platform", "AV1Codec", "HEVCCodec", "ISOMediaCodec", "JPEGCodec", "PNGCodec", "WebPCodec", "CodecPeers"]
FORMATS = {".jpg": "jpg", ".jpeg": "jpg", ".png": "png", ".webp": "webp", ".heic": "heic", ".avif": "avif"}


def count(environment, program, *arguments):
    """The number of instructions by the address of their block."""
    process = subprocess.Popen(
        [*environment.emulator()[:1], "-d", "in_asm,exec,nochain", "-D", "/dev/stdout", *environment.emulator()[1:],
         program, *arguments], stdout=subprocess.PIPE, text=True, errors="replace")
    lengths, runs = {}, collections.Counter()
    address, length = None, 0
    for line in process.stdout:
        if line.startswith("Trace "):
            runs[int(line.split("/")[1], 16)] += 1
        elif line.startswith("0x"):
            address = address or int(line.split(":")[0], 16)
            length += 1
        elif length:
            lengths[address] = length
            address, length = None, 0
    if process.wait() != 0:
        raise SystemExit(f"{' '.join(map(str, arguments))} cannot be decoded")
    return collections.Counter({address: runs[address] * lengths.get(address, 0) for address in runs})


def per_decode(environment, program, *arguments):
    once, thrice = (count(environment, program, *arguments, times) for times in ("1", "3"))
    return {address: (thrice[address] - once[address]) / 2 for address in thrice}


def functions(program, counts):
    """The functions of the program with the largest counts."""
    symbols = sorted((int(parts[0], 16), parts[2]) for line in output("nm", "--defined-only", program).splitlines()
                     if len(parts := line.split()) == 3 and parts[1] in "tTwW" and parts[2] not in ("$x", "$d"))
    starts = [start for start, _ in symbols]
    totals = collections.Counter()
    for address, instructions in counts.items():
        # Position-independent programs are loaded here.
        offset = address - 0x5500000000
        index = bisect.bisect_right(starts, offset) - 1
        totals[symbols[index][1] if 0 <= offset < 1 << 26 and index >= 0 else "libraries"] += instructions
    names = output("swift-demangle", "-compact", "-simplified", *[name for name, _ in totals.most_common(20)]).splitlines()
    return list(zip([total for _, total in totals.most_common(20)], names))


def main():
    shows_functions = "--functions" in sys.argv
    files = [pathlib.Path(argument) for argument in sys.argv[1:] if not argument.startswith("--")]
    environment = Environment()
    environment.prepare()
    compilation = Compilation(environment, BUILD)
    if not (BUILD / "ImageCore.o").exists() or not (BUILD / "CodecPeers.o").exists():
        compilation.compile_all(CODECS)
    program = compilation.link(
        "DecodeRepeatedly", [HERE / "DecodeRepeatedly.swift"], compilation.closure(CODECS), "-O")
    for file in files:
        kind = FORMATS[file.suffix]
        totals = []
        for decoder in ("ours", "peer"):
            counts = per_decode(environment, program, decoder, kind, str(file))
            totals.append(sum(counts.values()))
            if shows_functions and decoder == "ours":
                details = functions(program, counts)
        ours, peer = totals
        print(f"{file.name}: {ours / 1e6:.2f} M, peer {peer / 1e6:.2f} M, ratio {ours / peer:.2f}", flush=True)
        for total, name in details if shows_functions else []:
            print(f"  {total / 1e6:10.3f} M  {name[:120]}")


if __name__ == "__main__":
    main()
