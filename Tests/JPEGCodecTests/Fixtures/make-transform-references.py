#!/usr/bin/env python3
"""Writes transform-references.tsv: hashes of JPEG files as jpegtran of libjpeg-turbo 2.1 transforms them.

Needs jpegtran and what make-encoder-references.py needs, whose pictures and files are transformed. Columns: width, height,
kind, components, quality, subsampling, flags (all as there), whether an EXIF block is inserted at the start (0 or 1),
the arguments of jpegtran joined by commas, bytes (0 if jpegtran rejects the transform) and FNV-1a.
"""
import importlib.machinery, importlib.util, os, random, struct, subprocess, tempfile

here = os.path.dirname(os.path.abspath(__file__))
loader = importlib.machinery.SourceFileLoader("encoder", os.path.join(here, "make-encoder-references.py"))
encoder = importlib.util.module_from_spec(importlib.util.spec_from_loader("encoder", loader))
loader.exec_module(encoder)
random.seed(12)

OPERATIONS = ["", "-flip,horizontal", "-flip,vertical", "-transpose", "-transverse"]
OPERATIONS += ["-rotate,%d" % angle for angle in (90, 180, 270)]


def exif(width, height):
    """IFD0 with an orientation of 6 and a directory with the dimensions."""
    entry = lambda tag, kind, value: struct.pack(">HHI", tag, kind, 1) + value
    short = lambda value: struct.pack(">HH", value, 0)
    first = entry(0x112, 3, short(6)) + entry(0x8769, 4, struct.pack(">I", 38))
    second = entry(0xA002, 3, short(width)) + entry(0xA003, 3, short(height))
    block = b"MM\0*" + struct.pack(">I", 8)
    block += b"".join(struct.pack(">H", 2) + entries + bytes(4) for entries in (first, second))
    content = b"Exif\0\0" + block
    return b"\xff\xe1" + struct.pack(">H", len(content) + 2) + content


def cases():
    sources = [(w, w * 7 % 31 + 9, w % 4, 3, 75, s, []) for w in (16, 17, 31, 33, 48, 50) for s in encoder.FACTORS]
    sources += [(w, 40, 1, 3, 90, "gray", ["p"]) for w in (8, 21)]
    sources += [(w, 35, 1, 4, 80, "420", ["y", "o"]) for w in (32, 45)] + [(25, 18, 1, 4, 80, "444", ["p"])]
    sources += [(70, 50, 1, 3, 85, "420", ["p"]), (64, 64, 0, 3, 98, "420", ["r1"]), (90, 30, 1, 3, 30, "422", ["p", "r2"])]
    for number, source in enumerate(sources):
        for operation in OPERATIONS:
            extra = ["-copy,all", "-copy,none"][number % 2 :][:1]
            extra += [random.choice(["", "", "-trim", "-perfect"])]
            extra += [random.choice(["", "", "-optimize", "-progressive", "-restart,2"])]
            if random.random() < 0.4:
                extra.append("-crop,%dx%d+%d+%d" % tuple(random.randint(1, 8) for _ in range(4)))
            yield source, number % 4 == 0, ",".join(part for part in extra + [operation] if part)


with tempfile.TemporaryDirectory() as folder, open(os.path.join(here, "transform-references.tsv"), "w") as output:
    program = encoder.make(folder)
    for source, has_exif, arguments in cases():
        file = encoder.encode(*source, program)
        if has_exif:
            file = file[:2] + exif(source[0], source[1]) + file[2:]
        result = subprocess.run(["jpegtran"] + arguments.split(","), input=file, capture_output=True)
        # An imperfect transform is an error without output, or with an unfinished one.
        data = result.stdout if result.returncode == 0 else b""
        columns = [*source[:6], ",".join(source[6]) or "-", int(has_exif), arguments, len(data), "%016x" % encoder.fnv(data)]
        output.write("\t".join(str(column) for column in columns) + "\n")
