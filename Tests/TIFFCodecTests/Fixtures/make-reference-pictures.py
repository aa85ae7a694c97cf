#!/usr/bin/env python3
"""Writes reference-pictures.bin: small TIFF files, each with the hash of its pixels.

Run it in this folder: `python3 make-reference-pictures.py`. It needs libtiff's tiffcp, and Pillow for JPEG.

The samples of a picture are made first. A plain writer stores them uncompressed; tiffcp writes the other variants. The
expected pixels are computed from the samples, so they owe nothing to a decoder; those of JPEG are decoded by Pillow, which
uses libtiff and libjpeg-turbo.

A record: length of the name (1 byte), name, length of the file (4 bytes, little-endian), file, FNV-1a of the pixels
(8 bytes). Pixels are rows without padding; samples of 16 and 32 bits are little-endian.
"""

import io
import os
import random
import struct
import subprocess
import tempfile

W, H = 43, 29


def fnv1a(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def picture(channels, top, seed):
    """Gradients with some noise and flat areas."""
    noise = random.Random(seed)
    def sample(x, y, k):
        if (x // 8 + y // 8) % 3 == 0:
            return top * ((x // 8 + k) % 4) // 3
        return min(top, (x * (3 + k) + y * (5 - k)) * top // (8 * (W + H)) + noise.randint(0, max(1, top // 16)))
    return [[[sample(x, y, k) for k in range(channels)] for x in range(W)] for y in range(H)]


def packed(values, bits):
    text = "".join(format(value, f"0{bits}b") for value in values)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))


def row_bytes(values, bits, kind, order):
    if kind == "f":
        return struct.pack(order + {16: "e", 32: "f", 64: "d"}[bits] * len(values), *values)
    if bits in (8, 16, 32):
        return struct.pack(order + {8: "B", 16: "H", 32: "I"}[bits] * len(values), *values)
    if bits == 24:
        return b"".join(struct.pack(order + "I", v)[:3] if order == "<" else struct.pack(">I", v)[1:] for v in values)
    return packed(values, bits)


def tiff(rows, bits, photometric, kind="u", order="<", fields=(), rows_per_strip=8):
    """An uncompressed file in strips."""
    channels = len(rows[0][0])
    strips = []
    for top in range(0, len(rows), rows_per_strip):
        strips.append(b"".join(
            row_bytes([v for pixel in row for v in pixel], bits, kind, order) for row in rows[top : top + rows_per_strip]))
    data = b""
    offsets = []
    for strip in strips:
        data += b"\0" * (len(data) % 2)
        offsets.append(8 + len(data))
        data += strip
    entries = [
        (256, 3, [len(rows[0])]), (257, 3, [len(rows)]), (258, 3, [bits] * channels), (259, 3, [1]),
        (262, 3, [photometric]), (273, 4, offsets), (277, 3, [channels]), (278, 3, [rows_per_strip]),
        (279, 4, [len(strip) for strip in strips]), (284, 3, [1])] + list(fields)
    if kind == "f":
        entries.append((339, 3, [3] * channels))
    body = b""
    directory = 8 + len(data) + len(data) % 2
    after = directory + 2 + 12 * len(entries) + 4
    out = struct.pack(order + "H", len(entries))
    for tag, type, values in sorted(entries):
        stored = struct.pack(order + {3: "H", 4: "I"}[type] * len(values), *values)
        out += struct.pack(order + "HHI", tag, type, len(values))
        if len(stored) <= 4:
            out += stored.ljust(4, b"\0")
        else:
            out += struct.pack(order + "I", after + len(body))
            body += stored
    header = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", directory)
    return header + data + b"\0" * (len(data) % 2) + out + struct.pack(order + "I", 0) + body


def tiffcp(file, *options):
    with tempfile.TemporaryDirectory() as folder:
        source, target = os.path.join(folder, "a.tif"), os.path.join(folder, "b.tif")
        open(source, "wb").write(file)
        subprocess.run(["tiffcp", *options, source, target], check=True, stderr=subprocess.DEVNULL)
        return open(target, "rb").read()


def scaled(value, bits, top):
    maximum = (1 << bits) - 1
    return (value * top + maximum // 2) // maximum


def integers(rows, bits, inverted=False):
    """The expected pixels of integer samples."""
    maximum = (1 << bits) - 1
    values = [maximum - v if inverted else v for row in rows for pixel in row for v in pixel]
    if bits <= 8:
        return bytes(scaled(v, bits, 255) for v in values)
    if bits <= 16:
        return struct.pack("<" + "H" * len(values), *(scaled(v, bits, 65535) for v in values))
    return struct.pack("<" + "f" * len(values), *(v / maximum for v in values))


def floats(rows, bits):
    values = [v for row in rows for pixel in row for v in pixel]
    return struct.pack("<" + ("e" if bits == 16 else "f") * len(values), *values)


records = []


def add(name, file, pixels):
    records.append((name, file, fnv1a(pixels)))


ALPHA = [(338, 3, [2])]
ASSOCIATED = [(338, 3, [1])]

for bits in (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 16, 24, 32):
    rows = picture(1, (1 << bits) - 1, bits)
    add(f"gray{bits}", tiff(rows, bits, 1), integers(rows, bits))
    add(f"gray{bits}-be", tiff(rows, bits, 1, order=">"), integers(rows, bits))
    if bits in (1, 4, 8, 12, 16):
        add(f"white{bits}", tiff(rows, bits, 0), integers(rows, bits, inverted=True))
for bits in (4, 8, 12, 16):
    rows = picture(3, (1 << bits) - 1, 40 + bits)
    add(f"rgb{bits}", tiff(rows, bits, 2), integers(rows, bits))

gray = picture(1, 255, 1)
rgb = picture(3, 255, 2)
rgba = picture(4, 255, 3)
deep = picture(3, 65535, 4)
cmyk = picture(4, 255, 5)
bilevel = [[[1 if (x * y) % 7 < 3 or x % 13 == 0 else 0] for x in range(W)] for y in range(H)]

add("gray-alpha", tiff(picture(2, 255, 6), 8, 1, fields=ALPHA), integers(picture(2, 255, 6), 8))
add("rgba", tiff(rgba, 8, 2, fields=ALPHA), integers(rgba, 8))
add("rgba-associated", tiff(rgba, 8, 2, fields=ASSOCIATED), integers(rgba, 8))
add("cmyk", tiff(cmyk, 8, 5), integers(cmyk, 8))
extra = picture(5, 255, 7)
add("rgb-two-extra", tiff(extra, 8, 2, fields=[(338, 3, [0, 2])]),
    bytes(pixel[k] for row in extra for pixel in row for k in (0, 1, 2, 4)))

for bits in (1, 2, 4, 8):
    indices = picture(1, (1 << bits) - 1, 60 + bits)
    map_random = random.Random(bits)
    colors = [[map_random.randint(0, 255) * 257 for _ in range(1 << bits)] for _ in range(3)]
    file = tiff(indices, bits, 3, fields=[(320, 3, colors[0] + colors[1] + colors[2])])
    add(f"palette{bits}", file, bytes(colors[k][pixel[0]] >> 8 for row in indices for pixel in row for k in range(3)))

for bits in (16, 32, 64):
    rows = [[[v / 3.0 - 20 for v in pixel] for pixel in row] for row in picture(3, 255, 70 + bits)]
    rows = [[[struct.unpack("<e", struct.pack("<e", v))[0] for v in pixel] for pixel in row] for row in rows]
    add(f"float{bits}", tiff(rows, bits, 2, kind="f"), floats(rows, bits))
    if bits != 16:
        add(f"float{bits}-be-zip3", tiffcp(tiff(rows, bits, 2, kind="f", order=">"), "-c", "zip:3"), floats(rows, bits))
    if bits == 32:
        add("float32-lzw3-tiles", tiffcp(tiff(rows, bits, 2, kind="f"), "-c", "lzw:3", "-t", "-w", "16", "-l", "16"),
            floats(rows, bits))

plain = tiff(rgb, 8, 2)
for scheme in ("none", "packbits", "lzw", "lzw:2", "zip", "zip:2"):
    name = scheme.replace(":", "")
    add(f"rgb-{name}", tiffcp(plain, "-c", scheme), integers(rgb, 8))
    add(f"rgb-{name}-tiles", tiffcp(plain, "-c", scheme, "-t", "-w", "16", "-l", "32"), integers(rgb, 8))
    add(f"rgb-{name}-planes", tiffcp(plain, "-c", scheme, "-p", "separate", "-r", "5"), integers(rgb, 8))
    add(f"rgba-{name}-planar-tiles",
        tiffcp(tiff(rgba, 8, 2, fields=ALPHA), "-c", scheme, "-p", "separate", "-t", "-w", "32", "-l", "16"),
        integers(rgba, 8))
    add(f"deep-{name}-big-endian", tiffcp(tiff(deep, 16, 2), "-c", scheme, "-B"), integers(deep, 16))
    add(f"gray-{name}-lsb", tiffcp(tiff(gray, 8, 1), "-c", scheme, "-f", "lsb2msb"), integers(gray, 8))
add("rgb-big", tiffcp(plain, "-8", "-c", "lzw"), integers(rgb, 8))
add("rgb-big-tiles", tiffcp(plain, "-8", "-B", "-t", "-w", "16", "-l", "16"), integers(rgb, 8))

fax = tiff(bilevel, 1, 0)
black = integers(bilevel, 1, inverted=True)
for scheme in ("g3", "g3:1d", "g3:2d", "g3:1d:fill", "g3:2d:fill", "g4"):
    name = scheme.replace(":", "-")
    add(f"fax-{name}", tiffcp(fax, "-c", scheme, "-r", "10"), black)
    add(f"fax-{name}-lsb", tiffcp(fax, "-c", scheme, "-f", "lsb2msb"), black)
add("fax-g4-tiles", tiffcp(fax, "-c", "g4", "-t", "-w", "16", "-l", "16"), black)
add("fax-g4-black-is-zero", tiffcp(tiff(bilevel, 1, 1), "-c", "g4"), integers(bilevel, 1))

wide = [[[1 if (x // (1 + y * 131)) % 2 else 0] for x in range(5300)] for y in range(12)]
for scheme in ("g3:1d", "g3:2d", "g4"):
    add(f"fax-wide-{scheme.replace(':', '-')}", tiffcp(tiff(wide, 1, 0), "-c", scheme), integers(wide, 1, inverted=True))

# Every terminating and make-up code of both colours.
lengths = list(range(1, 64)) + [64 * n for n in range(1, 41)]
runs = [[[0]] * n + [[1]] * n + [[0]] * (5200 - 2 * n) for n in lengths] + [[[1]] * n + [[0]] * (5200 - n) for n in (1, 2560)]
add("fax-all-runs", tiffcp(tiff(runs, 1, 0, rows_per_strip=200), "-c", "g3:1d"), integers(runs, 1, inverted=True))
add("fax-all-runs-g4", tiffcp(tiff(runs, 1, 0, rows_per_strip=200), "-c", "g4"), integers(runs, 1, inverted=True))

try:
    from PIL import Image

    def jpeg(name, file, *options, mode):
        coded = tiffcp(file, *options)
        add(name, coded, Image.open(io.BytesIO(coded)).convert(mode).tobytes())

    jpeg("jpeg-gray", tiff(gray, 8, 1), "-c", "jpeg:90", "-r", "16", mode="L")
    jpeg("jpeg-rgb", plain, "-c", "jpeg:r:90", "-r", "16", mode="RGB")
    jpeg("jpeg-ycbcr", plain, "-c", "jpeg:90", "-r", "16", mode="RGB")
    jpeg("jpeg-ycbcr-tiles", plain, "-c", "jpeg:90", "-t", "-w", "32", "-l", "32", mode="RGB")
    jpeg("jpeg-planes", plain, "-c", "jpeg:r:90", "-p", "separate", "-r", "16", mode="RGB")
except ImportError:
    raise SystemExit("Pillow is missing")

with open("reference-pictures.bin", "wb") as out:
    for name, file, value in records:
        out.write(bytes([len(name)]) + name.encode() + struct.pack("<I", len(file)) + file + struct.pack("<Q", value))
print(len(records), "pictures,", sum(len(file) for _, file, _ in records), "bytes")
