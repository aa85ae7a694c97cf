#!/usr/bin/env python3
"""Writes reference-pictures.bin: small H.264 stills by x264 with hashes of their planes as ffmpeg decodes them.

Needs ffmpeg with libx264 of 8 and 10 bits. A record is: length of the name (1 byte), name, width and height (2 bytes
each, little-endian), bit depth (1 byte), layout (3 bytes, "400" to "444"), length of the byte stream (4 bytes,
little-endian), byte stream with start codes, hash (8 bytes, little-endian). The hash is FNV-1a of the rows of Y, U and V,
one byte a sample for 8 bits, otherwise two, little-endian.
"""
import os, random, struct, subprocess, tempfile

directory = tempfile.mkdtemp()

FORMATS = {
    ("400", 8): "gray", ("420", 8): "yuv420p", ("422", 8): "yuv422p", ("444", 8): "yuv444p",
    ("400", 10): "gray10le", ("420", 10): "yuv420p10le", ("422", 10): "yuv422p10le", ("444", 10): "yuv444p10le",
}


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def plane(width, height, depth, seed):
    """Rows of samples: gradients, edges, a disc, lines and noise in different parts; rows alternate in others."""
    source = random.Random(seed)
    maximum = (1 << depth) - 1
    samples = []
    for y in range(height):
        for x in range(width):
            value = x * (2 + seed % 3) + y * (4 - seed % 3) + (70 if (x // 9 + y // 7) % 2 else 0)
            value += source.randrange(12) + (50 if (x - 20) ** 2 + (y - 15) ** 2 < 120 else 0)
            if x > width * 2 // 3:
                value = 40 if (x // 5 + y // 3) % 4 == 0 else 220 if (x * 7 + seed) % 11 == 0 else 128
            elif y > height * 2 // 3 and x < width // 2:
                value += 60 if y % 2 else 0
            samples.append(max(0, min(255, value)) * maximum // 255)
    return struct.pack("<%d%s" % (len(samples), "B" if depth == 8 else "H"), *samples)


def sizes(width, height, layout):
    columns = (width + 1) // 2 if layout in ("420", "422") else width
    rows = (height + 1) // 2 if layout == "420" else height
    return columns, rows


def picture(width, height, depth, layout):
    columns, rows = sizes(width, height, layout)
    data = plane(width, height, depth, 1)
    if layout != "400":
        data += plane(columns, rows, depth, 2) + plane(columns, rows, depth, 3)
    return data


def run(*arguments):
    subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def record(name, width, height, depth, layout, parameters):
    source, stream, planes = (os.path.join(directory, part) for part in ("source.yuv", "picture.264", "planes.yuv"))
    pixels = FORMATS[layout, depth]
    with open(source, "wb") as file:
        file.write(picture(width, height, depth, layout))
    run("ffmpeg", "-y", "-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{width}x{height}", "-i", source, "-c:v", "libx264",
        "-x264-params", f"{parameters}:no-info=1", "-bsf:v", "filter_units=remove_types=6", "-f", "h264", stream)
    run("ffmpeg", "-y", "-i", stream, "-frames:v", "1", "-f", "rawvideo", planes)
    data = open(planes, "rb").read()
    # ffmpeg adds neutral chroma to pictures without chroma.
    if layout == "400":
        data = data[:width * height * (1 if depth == 8 else 2)]
    coded = open(stream, "rb").read()
    label = name.encode()
    return (struct.pack("<B", len(label)) + label + struct.pack("<HHB", width, height, depth) + layout.encode()
            + struct.pack("<I", len(coded)) + coded + struct.pack("<Q", fnv(data)))


CASES = []
for (layout, depth) in FORMATS:
    for coding in ("cabac=1", "cabac=0"):
        CASES.append((f"format/72x56-{layout}-{depth}-{coding}", 72, 56, depth, layout, f"{coding}:qp=24:8x8dct=1"))
        CASES.append((f"pairs/48x64-{layout}-{depth}-{coding}", 48, 64, depth, layout,
                      f"{coding}:qp=28:8x8dct=1:interlaced=1"))
        CASES.append((f"lossless/40x32-{layout}-{depth}-{coding}", 40, 32, depth, layout, f"{coding}:qp=0:8x8dct=1"))
for qp in (4, 16, 36, 51):
    CASES.append((f"quantizer/64x48-{qp}", 64, 48, 8, "420", f"qp={qp}:8x8dct=1"))
CASES += [
    ("small/64x48-cabac", 64, 48, 8, "420", "qp=22:8x8dct=0"),
    ("small/64x48-cavlc", 64, 48, 8, "422", "qp=22:8x8dct=0:cabac=0"),
    ("slices/64x96-cabac", 64, 96, 8, "420", "qp=30:slices=3"),
    ("slices/64x96-cavlc", 64, 96, 8, "420", "qp=30:slices=3:cabac=0"),
    ("slices/64x96-pairs", 64, 96, 8, "420", "qp=34:slices=3:interlaced=1"),
    ("slices/96x64-macroblocks", 96, 64, 8, "422", "qp=36:slice-max-mbs=5"),
    ("filter/64x48-strong", 64, 48, 8, "420", "qp=40:deblock=6,6"),
    ("filter/64x48-weak", 64, 48, 8, "444", "qp=40:deblock=-6,-3"),
    ("filter/64x48-off", 64, 48, 8, "420", "qp=40:no-deblock=1"),
    ("lists/64x48-420", 64, 48, 8, "420", "qp=26:cqm=jvt:8x8dct=1"),
    ("lists/64x64-444-pairs", 64, 64, 8, "444", "qp=26:cqm=jvt:8x8dct=1:interlaced=1"),
    ("lists/64x48-cavlc", 64, 48, 10, "422", "qp=26:cqm4=8,11,14,17,20,23,26,29,32,35,38,41,44,47,50,53:cabac=0"),
    ("chroma/64x48-12", 64, 48, 8, "420", "qp=30:chroma-qp-offset=12"),
    ("chroma/64x48-444", 64, 48, 8, "444", "qp=30:chroma-qp-offset=-9"),
    ("deltas/128x64-420", 128, 64, 8, "420", "crf=24:aq-mode=2:aq-strength=2"),
    ("deltas/128x64-cavlc", 128, 64, 10, "422", "crf=24:aq-mode=2:aq-strength=2:cabac=0:interlaced=1"),
    ("blocks/64x48-4x4", 64, 48, 8, "420", "qp=18:partitions=i4x4:8x8dct=0:trellis=0"),
    ("crop/38x30-420", 38, 30, 8, "420", "qp=28"),
]

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference-pictures.bin"), "wb") as file:
    for case in CASES:
        file.write(record(*case))
