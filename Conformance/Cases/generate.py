#!/usr/bin/env python3
"""Makes the cases of this folder, their references and the tables: PNG here, other formats in separate files.

Run it in this folder: `python3 generate.py`, with names of files below, such as `avif`, to make only their cases and keep
the others. It needs the standard library, for JPEG libjpeg-turbo's cjpeg and djpeg, for HEIF ffmpeg with libx265, for
H.264 ffmpeg with libx264, for AVIF libaom and libdav1d, for JPEG XL cjxl and libjxl, for JPEG 2000 OpenJPEG, and for
raw files cjpeg. Where netpbm's pngtopam is installed, every still PNG is decoded with it too and must agree with what the
generator meant.

The pixels of a case are made first, as a list of sample tuples; the file is written from them by the plainest code
(one zlib stream, one filter function for each filter), and the reference is written from the same pixels. So the
references owe nothing to any decoder.
"""

import hashlib
import os
import random
import shutil
import struct
import subprocess
import sys
import zlib

sys.dont_write_bytecode = True

import avc
import avif
import bitmaps
import gif
import heif
import icns
import jp2
import jpeg
import jxl
import raw
import tiff

SIGNATURE = b"\x89PNG\r\n\x1a\n"
CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
DEPTHS = {0: (1, 2, 4, 8, 16), 2: (8, 16), 3: (1, 2, 4, 8), 4: (8, 16), 6: (8, 16)}
COLUMNS = "path format reference expected compare ref_decoder width height frames ref_depth rgba_sha256 still_sha256 note".split()
# PNG 3rd edition, section 8.1: x start, y start, x step, y step.
PASSES = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


# Writing files


def chunk(kind, data, crc=None):
    crc = zlib.crc32(kind + data) if crc is None else crc
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)


def header(width, height, depth, color, interlaced=False, compression=0, filtering=0):
    return chunk(
        b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, compression, filtering, int(interlaced)))


def paeth(a, b, c):
    p = a + b - c
    distances = (abs(p - a), abs(p - b), abs(p - c))
    return (a, b, c)[distances.index(min(distances))]


def filtered(kind, line, above, bpp):
    out = bytearray([kind])
    for i, value in enumerate(line):
        a = line[i - bpp] if i >= bpp else 0
        b = above[i]
        c = above[i - bpp] if i >= bpp else 0
        out.append((value - (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]) & 255)
    return bytes(out)


def packed(samples, depth):
    """A row of samples as bytes, the leftmost in the most significant bits."""
    if depth == 16:
        return b"".join(struct.pack(">H", sample) for sample in samples)
    bits = "".join(format(sample, f"0{depth}b") for sample in samples)
    bits += "0" * (-len(bits) % 8)
    return bytes(int(bits[i : i + 8], 2) for i in range(0, len(bits), 8))


def scanlines(rows, depth, channels, filters):
    """Filtered rows of one pass. `filters` maps the number of a row to its filter."""
    out = b""
    bpp = max(1, depth * channels // 8)
    above = bytes((len(rows[0]) * channels * depth + 7) // 8) if rows else b""
    for number, row in enumerate(rows):
        line = packed([sample for pixel in row for sample in pixel], depth)
        out += filtered(filters(number), line, above, bpp)
        above = line
    return out


def image_data(rows, depth, color, filters=lambda row: row % 5, interlaced=False):
    """All filtered rows of an image; of an interlaced one pass after pass, empty ones left out."""
    if not interlaced:
        return scanlines(rows, depth, CHANNELS[color], filters)
    out = b""
    for x, y, dx, dy in PASSES:
        reduced = [row[x::dx] for row in rows[y::dy]]
        if reduced and reduced[0]:
            out += scanlines(reduced, depth, CHANNELS[color], filters)
    return out


def png(rows, depth, color, before=(), filters=lambda row: row % 5, interlaced=False, split=None, level=9, after=()):
    """A whole file. `split` cuts the compressed data into the pieces that become IDAT chunks."""
    data = zlib.compress(image_data(rows, depth, color, filters, interlaced), level)
    pieces = split(data) if split else [data]
    return (
        SIGNATURE + header(len(rows[0]), len(rows), depth, color, interlaced) + b"".join(before)
        + b"".join(chunk(b"IDAT", piece) for piece in pieces) + b"".join(after) + chunk(b"IEND", b""))


# The expected pixels of a file


def rgba(rows, depth, color, palette=None, transparent=None):
    """Rows of RGBA tuples: 16 bits for 16-bit files, 8 bits for all others.

    `transparent` is the tRNS chunk's content: alphas of a palette, or one colour.
    """
    def convert(pixel):
        scale = 65535 if depth == 16 else 255
        if color == 3:
            index = pixel[0]
            alpha = transparent[index] if transparent and index < len(transparent) else 255
            return tuple(palette[index]) + (alpha,)
        opaque = 0 if transparent is not None and tuple(pixel) == tuple(transparent) else scale
        # Depths below 8 divide 255 exactly.
        values = [v * scale // ((1 << depth) - 1) for v in pixel]
        return {
            0: lambda: (values[0],) * 3 + (opaque,), 2: lambda: tuple(values) + (opaque,),
            4: lambda: (values[0],) * 3 + (values[1],), 6: lambda: tuple(values)}[color]()

    return [[convert(pixel) for pixel in row] for row in rows]


def normalized(rows, depth):
    """Bytes of rows, with colours cleared where alpha is 0."""
    form = ">4H" if depth == 16 else ">4B"
    return b"".join(struct.pack(form, *(pixel if pixel[3] else (0, 0, 0, 0))) for row in rows for pixel in row)


# Pictures


def picture(width, height, depth, channels, seed):
    """Gradients with a little noise: every filter has something to do."""
    noise = random.Random(seed)
    top = (1 << depth) - 1
    return [
        [
            tuple(
                min(top, max(0, (x * (3 + k) + y * (5 - k)) * top // (8 * (width + height)) + noise.randint(0, top // 8)))
                if depth > 2 else noise.randint(0, top)
                for k in range(channels))
            for x in range(width)]
        for y in range(height)]


def palette_of(count, seed):
    noise = random.Random(seed)
    return [tuple(noise.randint(0, 255) for _ in range(3)) for _ in range(count)]


def palette_chunk(palette):
    return chunk(b"PLTE", b"".join(bytes(entry) for entry in palette))


# The folder


class Folder:
    def __init__(self):
        self.rows, self.frames, self.planes, self.originals = [], [], [], []
        self.previews, self.sensors = [], []

    def write(self, path, content):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content)

    def add(self, path, content, expected, note, **columns):
        self.write(path, content)
        row = dict.fromkeys(COLUMNS, "-")
        row.update(path=path, format=path.rsplit(".", 1)[1], expected=expected, note=note, **columns)
        self.rows.append(row)

    def decodes(
        self, path, content, rows, note, depth=8, compare="exact", checked=True, ref_decoder="generator", **columns):
        pixels = normalized(rows, depth)
        width, height = len(rows[0]), len(rows)
        reference = "-"
        if len(pixels) <= 256 or compare != "exact":
            suite, name = path.split("/")
            reference = f"{suite}/_ref/{name}.pam"
            maximum = 65535 if depth == 16 else 255
            lines = f"P7\nWIDTH {width}\nHEIGHT {height}\nDEPTH 4\nMAXVAL {maximum}\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
            self.write(reference, lines.encode() + pixels)
        self.add(
            path, content, "decode", note, reference=reference, compare=compare, ref_decoder=ref_decoder, width=width,
            height=height, ref_depth=depth, rgba_sha256=hashlib.sha256(pixels).hexdigest(), **columns)
        if checked:
            check_with_netpbm(path, rows, depth)

    def animates(self, path, content, still, canvases, delays, note, compare="exact"):
        """`canvases` are composed frames; `still` is what a viewer shows that plays no animations."""
        self.decodes(
            path, content, canvases[0], note, compare=compare, checked=False, frames=len(canvases),
            still_sha256=hashlib.sha256(normalized(still, 8)).hexdigest())
        suite, name = path.split("/")
        for index, (canvas, delay) in enumerate(zip(canvases, delays)):
            pixels = normalized(canvas, 8)
            reference = "-"
            if compare != "exact":
                reference = f"{suite}/_ref/{name}.f{index:03}.pam"
                lines = f"P7\nWIDTH {len(canvas[0])}\nHEIGHT {len(canvas)}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
                self.write(reference, lines.encode() + pixels)
            self.frames.append(
                (path, "frame", str(index), f"{delay:.1f}", hashlib.sha256(pixels).hexdigest(), reference))

    def has_entries(self, path, pictures):
        """`pictures` are the images of an icon in file order."""
        for index, rows in enumerate(pictures):
            digest = hashlib.sha256(normalized(rows, 8)).hexdigest()
            self.frames.append((path, f"entry {len(rows[0])}x{len(rows)}", str(index), "-", digest, "-"))

    def rejects(self, path, content, note):
        self.add(path, content, "reject", note)

    def tables(self):
        lines = ["\t".join(COLUMNS)] + ["\t".join(str(row[c]) for c in COLUMNS) for row in self.rows]
        self.write("./MANIFEST.tsv", ("\n".join(lines) + "\n").encode())
        lines = ["path\tkind\tindex\tdelay_ms\trgba_sha256\treference"] + ["\t".join(row) for row in self.frames]
        self.write("./FRAMES.tsv", ("\n".join(lines) + "\n").encode())
        lines = ["path\tkind\tindex\twidth\theight\tdepth\tlayout\trange\tsha256\tdecoder\tnote"]
        lines += ["\t".join(str(value) for value in row) for row in self.planes]
        self.write("./PLANES.tsv", ("\n".join(lines) + "\n").encode())
        lines = ["path\tjpeg_sha256"] + ["\t".join(row) for row in self.originals]
        self.write("./JPEGS.tsv", ("\n".join(lines) + "\n").encode())
        lines = ["path\tindex\ttag\toffset\tlength\twidth\theight\tsha256"]
        lines += ["\t".join(row) for row in self.previews]
        self.write("./PREVIEWS.tsv", ("\n".join(lines) + "\n").encode())
        lines = [
            "path\tmake\tmodel\torientation\tdate\texposure\tfnumber\tiso\tfocal\tcfa_width\tcfa_height\tsamples\tpattern"
            "\traw_sha256\traw_check"]
        lines += ["\t".join(row) for row in self.sensors]
        self.write("./RAW.tsv", ("\n".join(lines) + "\n").encode())


def check_with_netpbm(path, rows, depth):
    """Holds the generator's own idea of the pixels against netpbm's."""
    if not shutil.which("pngtopam"):
        return
    # netpbm says what it thinks of a file's chunks on standard error.
    output = subprocess.run(["pngtopam", "-alphapam", path], capture_output=True, check=True).stdout
    head, samples = output.split(b"ENDHDR\n", 1)
    fields = dict(line.split(b" ", 1) for line in head.split(b"\n")[1:] if line and not line.startswith(b"#"))
    maximum, channels = int(fields[b"MAXVAL"]), int(fields[b"DEPTH"])
    size = 2 if maximum > 255 else 1
    values = [int.from_bytes(samples[i : i + size], "big") for i in range(0, len(samples), size)]
    full = 65535 if depth == 16 else 255
    values = [(value * full + maximum // 2) // maximum for value in values]
    expected = [pixel for row in rows for pixel in row]
    assert len(values) == channels * len(expected), path
    for index, pixel in enumerate(expected):
        found = values[index * channels : (index + 1) * channels]
        found = (found[:1] * 3 + found[1:]) if channels <= 2 else found
        found = found if len(found) == 4 else found + [full]
        assert found[3] == pixel[3] and (pixel[3] == 0 or tuple(found) == tuple(pixel)), (path, index, found, pixel)


def still_images(folder):
    for color, depths in DEPTHS.items():
        for depth in depths:
            for interlaced in (False, True):
                palette = palette_of(min(1 << depth, 200), depth) if color == 3 else None
                rows = picture(13, 11, depth, CHANNELS[color], seed=color * 100 + depth)
                if palette:
                    rows = [[(pixel[0] % len(palette),) for pixel in row] for row in rows]
                before = [palette_chunk(palette)] if palette else []
                name = f"color{color}-depth{depth}" + ("-adam7" if interlaced else "")
                folder.decodes(
                    f"png-basic/{name}.png", png(rows, depth, color, before, interlaced=interlaced),
                    rgba(rows, depth, color, palette), f"colour type {color}, {depth} bits",
                    depth=16 if depth == 16 else 8)


def transparency(folder):
    for depth in DEPTHS[0]:
        rows = picture(9, 8, depth, 1, seed=depth)
        key = rows[3][4]
        folder.decodes(
            f"png-transparency/gray{depth}.png", png(rows, depth, 0, [chunk(b"tRNS", struct.pack(">H", key[0]))]),
            rgba(rows, depth, 0, transparent=key), "one gray level is transparent", depth=16 if depth == 16 else 8)
    for depth in DEPTHS[2]:
        rows = picture(9, 8, depth, 3, seed=depth)
        key = rows[3][4]
        # A pixel that differs in the lowest bit of one sample stays opaque.
        rows[5][5] = (key[0], key[1], key[2] ^ 1)
        folder.decodes(
            f"png-transparency/rgb{depth}.png", png(rows, depth, 2, [chunk(b"tRNS", struct.pack(">3H", *key))]),
            rgba(rows, depth, 2, transparent=key), "one colour is transparent", depth=16 if depth == 16 else 8,
            # pngtopam 11.01 leaves it opaque; libpng's own conversion does not.
            checked=False)
    for depth, alphas in ((2, [0, 85, 170]), (4, [0]), (8, [255, 128, 0, 1, 254])):
        palette = palette_of(1 << min(depth, 4), depth)
        rows = [[(pixel[0] % len(palette),) for pixel in row] for row in picture(9, 8, depth, 1, seed=depth)]
        folder.decodes(
            f"png-transparency/palette{depth}.png",
            png(rows, depth, 3, [palette_chunk(palette), chunk(b"tRNS", bytes(alphas))]),
            rgba(rows, depth, 3, palette, alphas), "fewer alphas than colours: the rest is opaque")


def filters(folder):
    for kind, name in enumerate(("none", "sub", "up", "average", "paeth")):
        rows = picture(16, 9, 8, 3, seed=kind)
        folder.decodes(
            f"png-filters/{name}.png", png(rows, 8, 2, filters=lambda row, kind=kind: kind), rgba(rows, 8, 2),
            f"every row filtered by {name}")
    rows = picture(11, 9, 1, 1, seed=7)
    folder.decodes(
        "png-filters/below-one-byte.png", png(rows, 1, 0), rgba(rows, 1, 0), "filters reach back one whole byte")


def sizes(folder):
    for size in range(1, 10):
        rows = picture(size, 10 - size, 8, 4, seed=size)
        folder.decodes(
            f"png-sizes/{size}x{10 - size}-adam7.png", png(rows, 8, 6, interlaced=True), rgba(rows, 8, 6),
            "some passes are empty")
    for size in (1, 3, 7, 9):
        rows = picture(size, size, 1, 1, seed=size)
        folder.decodes(
            f"png-sizes/{size}x{size}-bits.png", png(rows, 1, 0), rgba(rows, 1, 0), "rows that end inside of a byte")


def framing(folder):
    rows = picture(17, 13, 8, 3, seed=1)
    expected = rgba(rows, 8, 2)
    cuts = {
        "one-byte-chunks": lambda data: [data[i : i + 1] for i in range(len(data))],
        "empty-chunks": lambda data: [b"", data[:5], b"", b"", data[5:], b""],
        "cut-in-header": lambda data: [data[:1], data[1:]],
        "cut-in-checksum": lambda data: [data[:-2], data[-2:]],
    }
    for name, split in cuts.items():
        folder.decodes(f"png-framing/{name}.png", png(rows, 8, 2, split=split), expected, "IDAT in pieces")
    for level in (0, 1):
        folder.decodes(f"png-framing/level{level}.png", png(rows, 8, 2, level=level), expected, "other DEFLATE blocks")
    ancillary = [chunk(b"teSt", b"unknown"), chunk(b"tEXt", b"Title\0a test"), chunk(b"gAMA", struct.pack(">I", 45455))]
    folder.decodes(
        "png-framing/ancillary.png", png(rows, 8, 2, ancillary, after=[chunk(b"tIME", b"\7\xea\1\2\3\4\5")]), expected,
        "chunks before and after the image data")
    folder.decodes(
        "png-framing/ancillary-damaged.png", png(rows, 8, 2, [chunk(b"tEXt", b"Title\0a test", crc=0)]), expected,
        "the CRC of an ancillary chunk is wrong", checked=False)
    data = zlib.compress(image_data(rows, 8, 2) + b"more than the image needs")
    content = SIGNATURE + header(17, 13, 8, 2) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    folder.decodes("png-framing/surplus-data.png", content, expected, "rows beyond the last one", checked=False)


# Animations


def frame_control(number, width, height, x, y, delay, dispose, blend):
    return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, x, y, delay[0], delay[1], dispose, blend))


def over(below, above):
    """Straight-alpha compositing in exact fractions, rounded once."""
    if above[3] in (0, 255):
        return above if above[3] else below
    a, b = above[3], below[3]
    alpha = a * 255 + b * (255 - a)
    color = tuple(
        (2 * (above[k] * a * 255 + below[k] * b * (255 - a)) + alpha) // (2 * alpha) for k in range(3))
    return color + ((2 * alpha + 255) // 510,)


def compose(width, height, frames):
    """Returns the pictures that a player shows, frame by frame: one canvas, one pixel at a time."""
    canvas = [[(0, 0, 0, 0)] * width for _ in range(height)]
    shown = []
    for index, frame in enumerate(frames):
        saved = [list(row) for row in canvas]
        for dy, row in enumerate(frame["rows"]):
            for dx, pixel in enumerate(row):
                x, y = frame["x"] + dx, frame["y"] + dy
                canvas[y][x] = over(canvas[y][x], pixel) if frame["blend"] else pixel
        shown.append([list(row) for row in canvas])
        # On the first frame "previous" means "background".
        dispose = 1 if frame["dispose"] == 2 and index == 0 else frame["dispose"]
        if dispose == 2:
            canvas = saved
        elif dispose == 1:
            for dy, row in enumerate(frame["rows"]):
                for dx in range(len(row)):
                    canvas[frame["y"] + dy][frame["x"] + dx] = (0, 0, 0, 0)
    return shown


def animation(width, height, frames, default=None, split=None):
    """An APNG of 8-bit RGBA. Without `default` the first frame is the still image too."""
    content = SIGNATURE + header(width, height, 8, 6) + chunk(b"acTL", struct.pack(">II", len(frames), 3))
    number = 0
    if default:
        content += chunk(b"IDAT", zlib.compress(image_data(default, 8, 6)))
    for index, frame in enumerate(frames):
        rows = frame["rows"]
        content += frame_control(
            number, len(rows[0]), len(rows), frame["x"], frame["y"], frame["delay"], frame["dispose"], frame["blend"])
        number += 1
        data = zlib.compress(image_data(rows, 8, 6))
        for piece in split(data) if split else [data]:
            if index == 0 and not default:
                content += chunk(b"IDAT", piece)
            else:
                content += chunk(b"fdAT", struct.pack(">I", number) + piece)
                number += 1
    return content + chunk(b"IEND", b"")


def frame(rows, x=0, y=0, dispose=0, blend=0, delay=(1, 10)):
    return dict(rows=rows, x=x, y=y, dispose=dispose, blend=blend, delay=delay)


def patch(width, height, seed, alphas):
    noise = random.Random(seed)
    return [
        [tuple(noise.randint(0, 255) for _ in range(3)) + (noise.choice(alphas),) for _ in range(width)]
        for _ in range(height)]


def milliseconds(frame):
    numerator, denominator = frame["delay"]
    return numerator * 1000 / (denominator or 100)


def animations(folder):
    mixed = (0, 1, 60, 128, 200, 254, 255)
    for dispose, dispose_name in enumerate(("none", "background", "previous")):
        for blend, blend_name in enumerate(("source", "over")):
            frames = [
                frame(patch(8, 6, 1, mixed), blend=0), frame(patch(4, 3, 2, mixed), 2, 1, dispose, blend),
                frame(patch(3, 4, 3, mixed), 4, 2, dispose, blend, (1, 4)), frame(patch(2, 2, 4, (0, 255)), 0, 4, 0, blend)]
            canvases = compose(8, 6, frames)
            folder.animates(
                f"apng/{dispose_name}-{blend_name}.png", animation(8, 6, frames), canvases[0], canvases,
                [milliseconds(f) for f in frames], f"dispose {dispose_name}, blend {blend_name}",
                compare="exact(max<=1 for OVER)" if blend else "exact")
    frames = [frame(patch(5, 5, 5, mixed), dispose=2), frame(patch(2, 2, 6, (255,)), 1, 1)]
    canvases = compose(5, 5, frames)
    delays = [milliseconds(f) for f in frames]
    folder.animates(
        "apng/first-previous.png", animation(5, 5, frames), canvases[0], canvases, delays,
        "dispose to previous on the first frame clears")
    folder.animates(
        "apng/split-fdat.png", animation(5, 5, frames, split=lambda data: [data[:3], data[3:4], b"", data[4:]]),
        canvases[0], canvases, delays, "frame data in pieces, one of them empty")
    default = patch(5, 5, 8, (255,))
    folder.animates(
        "apng/default-image-apart.png", animation(5, 5, frames, default=default), default, canvases, delays,
        "the still image is not a frame")
    frames = [frame(patch(3, 3, seed, (255,)), delay=delay) for seed, delay in enumerate(((0, 0), (1, 0), (3, 1000)))]
    canvases = compose(3, 3, frames)
    folder.animates(
        "apng/delays.png", animation(3, 3, frames), canvases[0], canvases, [milliseconds(f) for f in frames],
        "a denominator of 0 means hundredths")


def rejects(folder):
    rows = picture(6, 5, 8, 3, seed=1)
    data = zlib.compress(image_data(rows, 8, 2))
    good, end = header(6, 5, 8, 2), chunk(b"IEND", b"")

    def reject(name, content, note):
        folder.rejects(f"png-reject/{name}.png", content, note)

    reject("empty", b"", "no bytes at all")
    reject("signature-only", SIGNATURE, "nothing behind the signature")
    reject("no-header", SIGNATURE + chunk(b"IDAT", data) + end, "IHDR is missing")
    reject("header-crc", SIGNATURE + good[:-1] + b"\0" + chunk(b"IDAT", data) + end, "the CRC of IHDR is wrong")
    reject("data-crc", SIGNATURE + good + chunk(b"IDAT", data, crc=1) + end, "the CRC of IDAT is wrong")
    reject("no-data", SIGNATURE + good + end, "IDAT is missing")
    reject("no-end", SIGNATURE + good + chunk(b"IDAT", data), "IEND is missing")
    reject("truncated", (SIGNATURE + good + chunk(b"IDAT", data))[:-12], "the file ends inside of IDAT")
    reject("short-data", SIGNATURE + good + chunk(b"IDAT", zlib.compress(image_data(rows[:3], 8, 2))) + end,
           "the stream ends before the last row")
    reject("adler", SIGNATURE + good + chunk(b"IDAT", data[:-1] + bytes([data[-1] ^ 1])) + end,
           "the stream's checksum is wrong")
    reject("filter-type", SIGNATURE + good + chunk(b"IDAT", zlib.compress(b"\5" + image_data(rows, 8, 2)[1:])) + end,
           "there is no filter 5")
    reject("no-palette", SIGNATURE + header(6, 5, 8, 3) + chunk(b"IDAT", data) + end, "PLTE is missing")
    reject("unknown-critical", SIGNATURE + good + chunk(b"TESt", b"") + chunk(b"IDAT", data) + end,
           "a critical chunk that nobody knows")
    for name, ihdr, note in (
        ("zero-width", header(0, 5, 8, 2), "width 0"), ("zero-height", header(6, 0, 8, 2), "height 0"),
        ("depth3", header(6, 5, 3, 0), "depth 3"), ("depth16-palette", header(6, 5, 16, 3), "a palette of 16 bits"),
        ("depth4-rgb", header(6, 5, 4, 2), "RGB of 4 bits"), ("color1", header(6, 5, 8, 1), "colour type 1"),
        ("compression1", header(6, 5, 8, 2, compression=1), "compression method 1"),
        ("filter-method1", header(6, 5, 8, 2, filtering=1), "filter method 1"),
        ("interlace2", header(6, 5, 8, 2, interlaced=2), "interlace method 2")):
        reject(name, SIGNATURE + ihdr + palette_chunk(palette_of(4, 1)) + chunk(b"IDAT", data) + end, note)


def make_png(folder):
    for make in (still_images, transparency, filters, sizes, framing, animations, rejects):
        make(folder)


MAKERS = {
    "png": make_png, "gif": gif.make, "jpeg": jpeg.make, "heif": heif.make, "avif": avif.make, "avc": avc.make,
    "jxl": jxl.make, "jp2": jp2.make, "tiff": tiff.make,
    "bitmaps": bitmaps.make, "raw": raw.make, "icns": icns.make}


def kept(table, new):
    """The rows of a table on disk that belong to no suite of the new rows."""
    suites = {path.split("/")[0] for path in new}
    with open(table) as file:
        rows = [line.rstrip("\n").split("\t") for line in file][1:]
    return [row for row in rows if row[0].split("/")[0] not in suites]


def main():
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    folder = Folder()
    if sys.argv[1:]:
        for name in sys.argv[1:]:
            MAKERS[name](folder)
        paths = [row["path"] for row in folder.rows]
        folder.rows = [dict(zip(COLUMNS, row)) for row in kept("MANIFEST.tsv", paths)] + folder.rows
        folder.frames = kept("FRAMES.tsv", paths) + folder.frames
        folder.planes = kept("PLANES.tsv", paths) + folder.planes
        folder.originals = kept("JPEGS.tsv", paths) + folder.originals
        folder.previews = kept("PREVIEWS.tsv", paths) + folder.previews
        folder.sensors = kept("RAW.tsv", paths) + folder.sensors
    else:
        for name in os.listdir("."):
            if os.path.isdir(name) and name != "__pycache__":
                shutil.rmtree(name)
        for make in MAKERS.values():
            make(folder)
    folder.tables()
    print(f"{len(folder.rows)} cases")


if __name__ == "__main__":
    main()
