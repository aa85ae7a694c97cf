#!/usr/bin/env python3
"""Writes seeds for the fuzz targets of bitstreams, which are not files, of drawings and of encoders: `python3 seeds.py DIR`.

The name of a seed starts with that of its target. VP8L seeds have codes whose lengths take no bits, so that a code may
start and end anywhere in a part of the input.
"""

import os
import random
import sys

sys.dont_write_bytecode = True

import drawings
import hevc
import lossless
import raw


def pictures():
    """WebP files of few pixels."""
    noise = random.Random(1)
    for side, name in ((4, "one-group"), (16, "sixteen-groups"), (32, "groups")):
        blocks = (side // 4) ** 2
        codes = lossless.groups(side, side, range(blocks), lossless.long_codes)
        yield name, lossless.extended_data(codes, noise.randbytes(4 * side * side))
    yield "large-codes", lossless.groups(8, 8, [0, 1, 5, 1], lossless.large_codes, cache_bits=11)
    yield "unused-groups", lossless.groups(4, 8, [0, 40], lossless.large_codes, cache_bits=11)
    yield "transforms", lossless.transformed(33, 17)


def streams():
    """HEVC byte streams of one picture."""
    for chroma, depth, lists in ((1, 8, False), (0, 16, False), (3, 10, True), (2, 12, True)):
        units = [
            hevc.sequence_set(64, 64, chroma, depth, lists), hevc.picture_set(lists=lists),
            hevc.slice_segment(bytes(1_024))]
        yield f"{chroma}-{depth}", b"".join(b"\0\0\1" + unit for unit in units)


def units():
    """The configuration records and samples of the images in our own cases of H.264, after the length of the record."""
    for suite, name, content in cases("avc-", ".avci"):
        record = content.partition(b"avcC")[2]
        count = int.from_bytes(content[content.index(b"avcC") - 4 :][:4], "big") - 8
        yield f"{suite}-{name}", count.to_bytes(2, "big") + record[:count] + content.partition(b"mdat")[2]


def obus():
    """The OBUs of the stills in our own cases: the content of their media data boxes."""
    for suite, name, content in cases("avif-", ".avif"):
        yield f"{suite}-{name}", content.partition(b"mdat")[2]


def packets():
    """The packets of codestreams in our own cases, after a byte that selects the parameters of the target."""
    for suite, name, content in cases("jp2-lossless", ".j2k"):
        yield name, b"\0" + content.partition(b"\xff\x93")[2]


def lossless_streams():
    """Lossless JPEG streams of a strip, after a byte that selects whether it is linear."""
    noise = random.Random(1)
    for components, width in ((1, 32), (2, 16), (4, 8), (3, 32)):
        for restart in (0, width):
            data = noise.randbytes(2_000).replace(b"\xff", b"\0")
            stream = raw.lossless(width, 24, data, components, restart, [0, 1, 5] + [1] * 11, range(17))
            yield f"{components}-{restart}", bytes([components == 3]) + stream


def encoder_inputs():
    """Inputs of the target of encoders: the encoder, options, and the kind of the picture, whether it is large, and its size.

    Rows of large interlaced PNGs and large JPEGs are decoded in other ways than small ones.
    """
    noise = random.Random(1)
    options = {
        "png": (0, [0x0F, 5]), "png-filters": (0, [0x2A, 4, 0, 2]), "apng": (1, [0x07, 2]), "jpeg": (2, [5, 80, 0, 1]),
        "jpeg-restarts": (2, [0x35, 80, 3, 0, 1]), "jpeg-progressive": (2, [0x18, 80, 0, 2]), "gif": (3, [0, 128, 2]),
        "gif-animated": (4, [8, 128, 2]), "tiff": (5, [0x07, 1]), "fax": (6, [0]), "webp": (7, [3, 71, 50, 50, 2]),
        "webp-lossless": (8, [3, 71, 50, 50, 2]), "webp-animated": (9, [1, 3, 71, 50, 50, 2]), "bitmaps": (10, [1, 1]),
        "metadata": (11, [0xFF, 0xFF, *range(60), 2])}  # fmt: skip
    for name, (encoder, choices) in options.items():
        isLarge = name in ("png", "jpeg", "jpeg-restarts")
        yield name, bytes([encoder, *choices, 255 if isLarge else 0, 39, 37]) + noise.randbytes(3_000)


def raw_files():
    """Raw files of our own cases that are TIFF files, whatever their maker."""
    for suffix in (".nef", ".nrw", ".arw", ".pef", ".srw", ".orf", ".rw2", ".erf"):
        for _, name, content in cases("raw-makers", suffix):
            yield f"{name}{suffix}", content


def cases(prefix, suffix):
    """The images of suites of our own cases."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../Cases")
    for suite in sorted(os.listdir(folder)):
        if not suite.startswith(prefix) or suite.endswith(("-reject", "-sequences")):
            continue
        for name in sorted(os.listdir(os.path.join(folder, suite))):
            if name.endswith(suffix):
                with open(os.path.join(folder, suite, name), "rb") as file:
                    yield suite, name[: -len(suffix)], file.read()


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: seeds.py DIR")
    seeds = {f"hevc-{name}": content for name, content in streams()}
    seeds.update((f"av1-{name}", content) for name, content in obus())
    seeds.update((f"avc-{name}", content) for name, content in units())
    for name, content in packets():
        for target in ("packets", "block", "ht-block"):
            seeds[f"jp2-{target}-{name}"] = content
    seeds.update((f"lossless-jpeg-{name}", content) for name, content in lossless_streams())
    seeds.update((f"svg-{name}", content) for name, content in drawings.documents())
    seeds.update((f"encoders-{name}", content) for name, content in encoder_inputs())
    seeds.update((f"cr2-{name}", content) for name, content in raw_files())
    for name, content in pictures():
        seeds[f"webp-{name}"] = content
        seeds[f"vp8l-{name}"] = content[20:]
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, content in seeds.items():
        with open(os.path.join(sys.argv[1], name), "wb") as file:
            file.write(content)


if __name__ == "__main__":
    main()
