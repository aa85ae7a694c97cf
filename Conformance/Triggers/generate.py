#!/usr/bin/env python3
"""Writes files of at most 8 MB that make a decoder without a budget spend minutes or gigabytes.

Run it as `python3 generate.py DIR`, then `conformance --triggers DIR`. It needs nothing but the standard library. The
files are not committed: each is one function here or in a file of its format, and the same bytes on every run.
"""

import os
import sys

sys.dont_write_bytecode = True

import av1
import avc
import bitmaps
import containers
import fonts
import gif
import hevc
import jp2
import jpeg
import jxl
import lossless
import png
import raw
import svg
import tiff

LARGEST = 8 << 20


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: generate.py DIR [NAME PART…]")
    folder, parts = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    names = set()
    for module in (png, jpeg, gif, tiff, containers, raw, lossless, jxl, jp2, hevc, av1, avc, svg, fonts, bitmaps):
        for name, make in module.TRIGGERS.items():
            assert name not in names, name
            names.add(name)
            if parts and not any(part in name for part in parts):
                continue
            content = make()
            assert len(content) <= LARGEST, (name, len(content))
            with open(os.path.join(folder, name), "wb") as file:
                file.write(content)
    print(f"{len(names)} triggers are known")


if __name__ == "__main__":
    main()
