#!/usr/bin/env python3
"""Writes deflate.tsv: streams of zlib, with the sizes and checksums of their content.

    ./generate-deflate.py
"""
import base64
import gzip
import os
import random
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
random.seed(1951)

WORDS = "the of and image row byte window literal distance length code table stream block value pixel is in to".split()


def text(count):
    return " ".join(random.choice(WORDS) for _ in range(count)).encode()


def mixture(count):
    result = bytearray()
    while len(result) < count:
        kind = random.randrange(4)
        if kind == 0 or len(result) < 8:
            result += bytes(random.randrange(256) for _ in range(random.randrange(1, 30)))
        elif kind == 1:
            result += bytes([random.randrange(256)]) * random.randrange(1, 300)
        else:
            start = random.randrange(max(0, len(result) - 32768), len(result))
            result += result[start : start + random.randrange(3, 400)]
    return bytes(result[:count])


LONG = mixture(1500) * 60 + bytes(40000) + mixture(1500) * 20
CONTENTS = {
    "nothing": b"",
    "one byte": b"A",
    "text": text(1200),
    "mixture": mixture(4000),
    "zeros": bytes(100000),
    "noise": bytes(random.randrange(256) for _ in range(1500)),
    "far repetitions": LONG,
}
STRATEGIES = {
    "default": zlib.Z_DEFAULT_STRATEGY,
    "filtered": zlib.Z_FILTERED,
    "Huffman only": zlib.Z_HUFFMAN_ONLY,
    "run length": zlib.Z_RLE,
    "fixed": zlib.Z_FIXED,
}

rows = []


def add(name, container, stream, content):
    rows.append(
        (name, container, str(len(content)), str(zlib.crc32(content)), base64.b64encode(stream).decode())
    )


for name, content in CONTENTS.items():
    for strategy, number in STRATEGIES.items():
        if name == "far repetitions" and strategy != "default":
            continue
        for level, window in [(1, 15), (6, 9), (9, 15)] if strategy == "default" else [(6, 15)]:
            for container, sign in [("zlib", 1), ("raw", -1)]:
                coder = zlib.compressobj(level, zlib.DEFLATED, sign * window, 8, number)
                stream = coder.compress(content) + coder.flush()
                add(f"{name}, {strategy}, level {level}, window {window}", container, stream, content)
    if len(content) < 5000:
        add(f"{name}, stored", "zlib", zlib.compress(content, 0), content)
        add(f"{name}, gzip", "gzip", gzip.compress(content, 6, mtime=1), content)
        for mode in [zlib.Z_PARTIAL_FLUSH, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH, zlib.Z_BLOCK]:
            coder = zlib.compressobj(6, zlib.DEFLATED, 15, 1)
            stream = b""
            for start in range(0, len(content), 700):
                stream += coder.compress(content[start : start + 700]) + coder.flush(mode)
            stream += coder.flush()
            add(f"{name}, flush {mode}", "zlib", stream, content)

with open(os.path.join(HERE, "deflate.tsv"), "w", encoding="utf-8") as file:
    for row in rows:
        file.write("\t".join(row) + "\n")
