"""The TIFF cases: files by the plainest code, references from the same samples. `generate.py` calls `make`."""

import random
import struct
import zlib


def samples(width, height, channels, top, seed):
    """Gradients with flat areas and noise."""
    noise = random.Random(seed)

    def value(x, y, k):
        if (x // 5 + y // 4) % 3 == 0:
            return top * ((x // 5 + k) % 4) // 3
        return min(top, (x * (3 + k) + y * (5 - k)) * top // (8 * (width + height)) + noise.randint(0, max(1, top // 16)))

    return [[[value(x, y, k) for k in range(channels)] for x in range(width)] for y in range(height)]


def packed(values, bits, order):
    if bits in (8, 16, 32):
        return struct.pack(order + {8: "B", 16: "H", 32: "I"}[bits] * len(values), *values)
    text = "".join(format(value, f"0{bits}b") for value in values)
    text += "0" * (-len(text) % 8)
    return bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))


def packbits(row):
    """Every byte as a separate sequence, or as a run."""
    out, i = bytearray(), 0
    while i < len(row):
        run = 1
        while i + run < len(row) and run < 128 and row[i + run] == row[i]:
            run += 1
        out += bytes([257 - run if run > 1 else 0, row[i]])
        i += run
    return bytes(out)


def lzw(data, low_first=False):
    """LZW of TIFF 6.0, section 13, with a dictionary of strings; or of its predecessors, bytes filled from the low end
    and widths growing one code later."""
    bits = []
    late = 1 if low_first else 0

    def emit(code, width):
        digits = [code >> i & 1 for i in range(width)]
        bits.extend(digits if low_first else reversed(digits))

    def width_of(code):
        return next(width for width in (9, 10, 11, 12) if code < (1 << width) + late or width == 12)

    table, following = {bytes([i]): i for i in range(256)}, 258
    emit(256, 9)
    string = b""
    for byte in data:
        longer = string + bytes([byte])
        if longer in table:
            string = longer
            continue
        emit(table[string], width_of(following))
        table[longer] = following
        following += 1
        if following == 4095:
            emit(256, width_of(following))
            table, following = {bytes([i]): i for i in range(256)}, 258
        string = bytes([byte])
    if string:
        emit(table[string], width_of(following))
        following += 1
    emit(257, width_of(following))
    bits += [0] * (-len(bits) % 8)
    groups = [bits[i : i + 8] for i in range(0, len(bits), 8)]
    return bytes(sum(bit << (i if low_first else 7 - i) for i, bit in enumerate(group)) for group in groups)


COMPRESSIONS = {
    "none": (1, lambda rows: b"".join(rows)),
    "packbits": (32773, lambda rows: b"".join(packbits(row) for row in rows)),
    "lzw": (5, lambda rows: lzw(b"".join(rows))),
    "lzw-old": (5, lambda rows: lzw(b"".join(rows), low_first=True)),
    "deflate": (8, lambda rows: zlib.compress(b"".join(rows))),
    "deflate-old": (32946, lambda rows: zlib.compress(b"".join(rows))),
}


def differences(values, step, bits):
    return values[:step] + [(values[i] - values[i - step]) % (1 << bits) for i in range(step, len(values))]


def tiff(
    pages, order="<", big=False, compression="none", predictor=False, block=None, tiled=False, planar=False,
    low_first=False):
    """A file. A page is (rows, bits, photometric, fields); `block` is the height of strips or the size of tiles."""
    wide = "Q" if big else "I"
    head = (b"II" if order == "<" else b"MM") + struct.pack(order + "H", 43 if big else 42)
    head += struct.pack(order + "HH", 8, 0) if big else b""
    body = bytearray(head + struct.pack(order + wide, 0))
    link = len(head)
    for rows, bits, photometric, more in pages:
        width, height, channels = len(rows[0]), len(rows), len(rows[0][0])
        columns, lines = (block if tiled else (width, block or height))
        code, compress = COMPRESSIONS[compression]
        offsets, counts = [], []
        for plane in range(channels) if planar else [None]:
            for top in range(0, height, lines):
                for left in range(0, width, columns):
                    stored = []
                    for y in range(top, top + lines if tiled else min(height, top + lines)):
                        pixels = [
                            rows[min(y, height - 1)][min(x, width - 1)] for x in range(left, left + columns)]
                        values = [v for p in pixels for v in (p if plane is None else [p[plane]])]
                        if predictor:
                            values = differences(values, 1 if planar else channels, bits)
                        stored.append(packed(values, bits, order))
                    data = compress(stored)
                    if low_first:
                        data = bytes(int(format(byte, "08b")[::-1], 2) for byte in data)
                    body += b"\0" * (len(body) % 2)
                    offsets.append(len(body))
                    counts.append(len(data))
                    body += data
        fields = [
            (256, "H", [width]), (257, "H", [height]), (258, "H", [bits] * channels), (259, "H", [code]),
            (262, "H", [photometric]), (277, "H", [channels]), (284, "H", [2 if planar else 1])]
        if tiled:
            fields += [(322, "H", [columns]), (323, "H", [lines]), (324, wide, offsets), (325, wide, counts)]
        else:
            fields += [(273, wide, offsets), (278, "H", [lines]), (279, wide, counts)]
        fields += [(317, "H", [2])] if predictor else []
        fields += [(266, "H", [2])] if low_first else []
        fields += list(more)
        body += b"\0" * (len(body) % 2)
        entries = b""
        for tag, kind, values in sorted(fields):
            content = struct.pack(order + kind * len(values), *values)
            entries += struct.pack(order + "HH" + wide, tag, {"H": 3, "I": 4, "Q": 16}[kind], len(values))
            if len(content) <= struct.calcsize(wide):
                entries += content.ljust(struct.calcsize(wide), b"\0")
            else:
                entries += struct.pack(order + wide, len(body))
                body += content + b"\0" * (len(content) % 2)
        body[link : link + struct.calcsize(wide)] = struct.pack(order + wide, len(body))
        body += struct.pack(order + ("Q" if big else "H"), len(fields)) + entries
        link = len(body)
        body += struct.pack(order + wide, 0)
    return bytes(body)


def scaled(value, bits, top):
    maximum = (1 << bits) - 1
    return (value * top + maximum // 2) // maximum


def gray(rows, bits, inverted=False):
    top = 255 if bits <= 8 else 65535
    values = [[scaled(p[0], bits, top) for p in row] for row in rows]
    return [[((top - v) if inverted else v,) * 3 + (top,) for v in row] for row in values]


def color(rows, bits):
    top = 255 if bits <= 8 else 65535
    return [[tuple(scaled(v, bits, top) for v in p) + ((top,) if len(p) == 3 else ()) for p in row] for row in rows]


def depth_of(bits):
    return 8 if bits <= 8 else 16


def basic(folder):
    for bits in (1, 2, 3, 4, 6, 8, 10, 12, 14, 16):
        rows = samples(19, 11, 1, (1 << bits) - 1, seed=bits)
        for name, code in (("gray", 1), ("white-is-zero", 0)):
            folder.decodes(
                f"tiff-basic/{name}-{bits}.tiff", tiff([(rows, bits, code, ())]), gray(rows, bits, code == 0),
                f"{bits}-bit gray, photometric interpretation {code}", depth=depth_of(bits), checked=False)
    for bits in (4, 8, 12, 16):
        rows = samples(19, 11, 3, (1 << bits) - 1, seed=20 + bits)
        folder.decodes(
            f"tiff-basic/rgb-{bits}.tiff", tiff([(rows, bits, 2, ())]), color(rows, bits), f"{bits}-bit RGB",
            depth=depth_of(bits), checked=False)
    rows = samples(19, 11, 4, 255, seed=40)
    folder.decodes(
        "tiff-basic/rgba-8.tiff", tiff([(rows, 8, 2, [(338, "H", [2])])]), color(rows, 8), "unassociated alpha",
        checked=False)
    for bits in (1, 2, 4, 8):
        indices = samples(19, 11, 1, (1 << bits) - 1, seed=50 + bits)
        noise = random.Random(bits)
        table = [[noise.randint(0, 255) for _ in range(1 << bits)] for _ in range(3)]
        fields = [(320, "H", [v * 257 for channel in table for v in channel])]
        expected = [[tuple(table[k][p[0]] for k in range(3)) + (255,) for p in row] for row in indices]
        folder.decodes(
            f"tiff-basic/palette-{bits}.tiff", tiff([(indices, bits, 3, fields)]), expected, f"{bits}-bit palette",
            checked=False)


def layouts(folder):
    rows = samples(21, 18, 3, 255, seed=60)
    deep = samples(21, 18, 3, 65535, seed=61)
    for scheme in COMPRESSIONS:
        for name, options in (
            ("strips", {"block": 6}), ("tiles", {"block": (16, 16), "tiled": True}),
            ("planes", {"planar": True, "block": 9}), ("big-endian", {"order": ">"}), ("big", {"big": True}),
        ):
            if scheme.endswith("-old") and name != "strips":
                continue
            folder.decodes(
                f"tiff-layout/{scheme}-{name}.tiff", tiff([(rows, 8, 2, ())], compression=scheme, **options),
                color(rows, 8), f"{scheme}, {name}", checked=False)
    for scheme in ("lzw", "deflate"):
        folder.decodes(
            f"tiff-layout/{scheme}-predictor.tiff", tiff([(rows, 8, 2, ())], compression=scheme, predictor=True),
            color(rows, 8), f"{scheme} of differences", checked=False)
        folder.decodes(
            f"tiff-layout/{scheme}-predictor-16.tiff",
            tiff([(deep, 16, 2, ())], order=">", compression=scheme, predictor=True, block=(16, 16), tiled=True),
            color(deep, 16), f"{scheme} of 16-bit differences in tiles", depth=16, checked=False)
    folder.decodes(
        "tiff-layout/low-bits-first.tiff", tiff([(rows, 8, 2, ())], compression="packbits", low_first=True),
        color(rows, 8), "FillOrder 2", checked=False)
    oriented = [[rows[y][x] for y in range(18)] for x in range(21)]
    folder.decodes(
        "tiff-layout/transposed.tiff", tiff([(rows, 8, 2, [(274, "H", [5])])]), color(oriented, 8), "Orientation 5",
        checked=False)
    folder.decodes(
        "tiff-layout/pages.tiff", tiff([(rows, 8, 2, ()), (deep, 16, 2, ())]), color(rows, 8), "two pages", checked=False)


def rejects(folder):
    rows = samples(7, 5, 3, 255, seed=70)
    good = tiff([(rows, 8, 2, ())])
    folder.rejects("tiff-reject/no-directory.tiff", good[:4] + b"\xff\xff\xff\x7f" + good[8:], "the first offset is outside")
    folder.rejects("tiff-reject/cut-off.tiff", good[:-30], "the directory is cut off")
    folder.rejects(
        "tiff-reject/no-palette.tiff", tiff([(samples(7, 5, 1, 255, seed=71), 8, 3, ())]), "the colour map is missing")
    damaged = bytearray(tiff([(rows, 8, 2, ())], compression="lzw"))
    damaged[12:40] = b"\xff" * 28
    folder.rejects("tiff-reject/bad-lzw.tiff", bytes(damaged), "LZW codes that are not in the table")
    folder.rejects(
        "tiff-reject/no-samples.tiff", tiff([(samples(7, 5, 1, 255, seed=72), 8, 2, ())]), "RGB with one sample")


def make(folder):
    basic(folder)
    layouts(folder)
    rejects(folder)
