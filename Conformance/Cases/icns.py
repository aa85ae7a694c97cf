"""The cases of Apple's icons: files by the plainest code, references from the same pixels; for JPEG 2000 by OpenJPEG from
pictures made here. `generate.py` calls `make`."""

import random
import struct

import jp2
from bitmaps import png
from jxl import png as png_samples

# The colours of 4 bits, as Apple's color lookup table 4 lists them.
SIXTEEN = (
    0xFFFFFF, 0xFCF305, 0xFF6402, 0xDD0806, 0xF20884, 0x4600A5, 0x0000D4, 0x02ABEA, 0x1FB714, 0x006411, 0x562C05,
    0x90713A, 0xC0C0C0, 0x808080, 0x404040, 0)  # fmt: skip


def colors_of_eight_bits():
    """Six levels of red, green and blue from white downwards; ten more of red, green, blue and grey; black last."""
    steps = range(255, -1, -51)
    cube = [(r, g, b) for r in steps for g in steps for b in steps][:-1]
    levels = [level for level in range(238, 0, -17) if level % 51]
    ramps = [[(v, 0, 0), (0, v, 0), (0, 0, v), (v, v, v)] for v in levels]
    return cube + [ramp[k] for k in range(4) for ramp in ramps] + [(0, 0, 0)]


PALETTES = {
    1: [(255, 255, 255), (0, 0, 0)], 4: [(c >> 16, c >> 8 & 255, c & 255) for c in SIXTEEN], 8: colors_of_eight_bits()}


def entry(kind, data):
    return kind.encode("latin-1") + struct.pack(">I", len(data) + 8) + data


def family(*entries, contents=False):
    if contents:
        entries = (entry("TOC ", b"".join(e[:8] for e in entries)),) + entries
    content = b"".join(entries)
    return b"icns" + struct.pack(">I", len(content) + 8) + content


def packed(values, bits):
    text = "".join(format(value, f"0{bits}b") for value in values)
    return bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))


def runs(plane):
    """A compressed plane: runs of three bytes and more."""
    out, literals, place = b"", b"", 0
    while place < len(plane):
        length = 1
        while length < 130 and plane[place : place + length + 1] == plane[place : place + 1] * (length + 1):
            length += 1
        if length >= 3:
            out += (bytes([len(literals) - 1]) + literals if literals else b"") + bytes([length + 125, plane[place]])
            literals = b""
            place += length
            continue
        literals += plane[place : place + 1]
        place += 1
        if len(literals) == 128:
            out += bytes([127]) + literals
            literals = b""
    return out + (bytes([len(literals) - 1]) + literals if literals else b"")


def planes(rows, order):
    return [bytes(pixel[k] for row in rows for pixel in row) for k in order]


def picture(side, seed, alphas=range(256)):
    """Stripes and noise, so that there are runs."""
    noise = random.Random(seed)
    return [
        [
            (x // 5 * 40 & 255, y * 255 // side, noise.randint(0, 255) if y % 3 == 0 else 90, alphas[x * y % len(alphas)])
            for x in range(side)]
        for y in range(side)]


def shape(rows, alphas):
    """A picture with another alpha."""
    return [[pixel[:3] + (alpha,) for pixel, alpha in zip(row, line)] for row, line in zip(rows, alphas)]


def opaque(rows):
    return [[pixel[:3] + (255,) for pixel in row] for row in rows]


def indexed(noise, width, height, bits, alphas):
    """Indices in one line, and the pixels that they mean."""
    values = [noise.randrange(1 << bits) for _ in range(width * height)]
    flat = [PALETTES[bits][value] for value in values]
    rows = [[flat[y * width + x] + (alphas[y][x],) for x in range(width)] for y in range(height)]
    return packed(values, bits), rows


def legacy(folder):
    """Pictures of 1, 4 and 8 bits with the mask of one bit of their size."""
    noise = random.Random(31)
    entries, pictures = [], []
    for letter, width, height in (("m", 16, 12), ("s", 16, 16), ("l", 32, 32), ("h", 48, 48)):
        mask = [[noise.choice((0, 255)) for _ in range(width)] for _ in range(height)]
        bits, rows = indexed(noise, width, height, 1, mask)
        bits += packed([int(alpha > 0) for line in mask for alpha in line], 1)
        for depth in (8, 4):
            data, deep = indexed(noise, width, height, depth, mask)
            entries.append(entry(f"ic{letter}{depth}", data))
            pictures.append(deep)
        entries.append(entry("ICN#" if letter == "l" else f"ic{letter}#", bits))
        pictures.append(rows)
    path = "icns-basic/legacy.icns"
    folder.decodes(path, family(*entries), pictures[9], "1, 4 and 8 bits with masks of one bit", checked=False)
    folder.has_entries(path, pictures)
    data, rows = indexed(noise, 32, 32, 1, [[255] * 32] * 32)
    folder.decodes("icns-basic/icon.icns", family(entry("ICON", data)), rows, "one bit without a mask", checked=False)
    data, rows = indexed(noise, 16, 16, 8, [[y * 16 + x for x in range(16)] for y in range(16)])
    content = family(entry("ics8", data), entry("s8mk", bytes(range(256))))
    folder.decodes("icns-basic/indices-deep-mask.icns", content, rows, "8 bits with a mask of 8 bits", checked=False)


def true_colors(folder):
    names = (("is32", "s8mk", 16), ("il32", "l8mk", 32), ("ih32", "h8mk", 48), ("it32", "t8mk", 128))
    entries, pictures = [], []
    for kind, mask, side in names:
        rows = picture(side, side)
        zeros = bytes(4) if kind == "it32" else b""
        entries.append(entry(kind, zeros + b"".join(runs(plane) for plane in planes(rows, (0, 1, 2)))))
        entries.append(entry(mask, planes(rows, (3,))[0]))
        pictures.append(rows)
    path = "icns-basic/planes.icns"
    folder.decodes(
        path, family(*entries, contents=True), pictures[-1], "planes with masks of 8 bits, a table of contents",
        checked=False)
    folder.has_entries(path, pictures)

    rows, deep = picture(16, 1), picture(32, 2)
    noise = random.Random(3)
    mask = [[noise.choice((0, 255)) for _ in range(16)] for _ in range(16)]
    data, flat = indexed(noise, 16, 16, 1, mask)
    data += packed([int(alpha > 0) for line in mask for alpha in line], 1)
    path = "icns-basic/masks.icns"
    content = family(
        entry("ics#", data), entry("is32", b"".join(runs(plane) for plane in planes(rows, (0, 1, 2)))),
        entry("il32", b"".join(runs(plane) for plane in planes(deep, (0, 1, 2)))))
    folder.decodes(path, content, opaque(deep), "planes with a mask of one bit, and without one", checked=False)
    folder.has_entries(path, [flat, shape(rows, mask), opaque(deep)])

    path = "icns-basic/uncompressed.icns"
    content = family(
        entry("is32", b"".join(bytes(pixel[:3]) for row in rows for pixel in row)), entry("s8mk", planes(rows, (3,))[0]),
        entry("il32", b"".join(b"\x55" + bytes(pixel[:3]) for row in deep for pixel in row)))
    folder.decodes(path, content, opaque(deep), "three and four bytes for each pixel", checked=False)
    folder.has_entries(path, [rows, opaque(deep)])

    path = "icns-basic/argb.icns"
    pictures = [picture(16, 4), picture(32, 5), picture(18, 6)]
    content = family(*(
        entry(kind, b"ARGB" + b"".join(runs(plane) for plane in planes(rows, (3, 0, 1, 2))))
        for kind, rows in zip(("ic04", "ic05", "icsb"), pictures)))
    folder.decodes(path, content, pictures[1], "planes of alpha, red, green and blue", checked=False)
    folder.has_entries(path, pictures)

    path = "icns-basic/icp-planes.icns"
    pictures = [picture(16, 7), picture(32, 8)]
    content = family(*(
        entry(kind, b"".join(runs(plane) for plane in planes(rows, (0, 1, 2)))) + entry(mask, planes(rows, (3,))[0])
        for kind, mask, rows in zip(("icp4", "icp5"), ("s8mk", "l8mk"), pictures)))
    folder.decodes(path, content, pictures[1], "planes of types that usually are files", checked=False)
    folder.has_entries(path, pictures)


def files(folder):
    pictures = [picture(side, side) for side in (16, 32, 64, 36, 24)]
    kinds = ("icp4", "ic11", "icp6", "icsB", "sb24")
    dark = "\xfd\xd9\x2f\xa8"
    content = family(
        entry("icnV", b"\0\0\0\1"), *(entry(kind, png(rows)) for kind, rows in zip(kinds, pictures)),
        entry(dark, family(entry("ic07", png(picture(128, 9))))), entry("info", b"bplist00"))
    path = "icns-basic/png.icns"
    folder.decodes(
        path, content, pictures[2], "PNG files, a nested family for dark backgrounds, which is skipped", checked=False)
    folder.has_entries(path, pictures)

    rows = [[pixel[:3] for pixel in row] for row in picture(32, 11)]
    small = [[pixel[:3] for pixel in row] for row in picture(16, 12)]
    path = "icns-basic/jpeg2000.icns"
    content = family(
        entry("icp4", jp2.encoded(png_samples(small, 8), ".j2k", ())),
        entry("ic11", jp2.encoded(png_samples(rows, 8), ".jp2", ())))
    folder.decodes(path, content, opaque(rows), "a codestream and a file of JPEG 2000", checked=False)
    folder.has_entries(path, [opaque(small), opaque(rows)])


def rejected(folder):
    rows = picture(16, 20)
    data = b"".join(runs(plane) for plane in planes(rows, (0, 1, 2)))
    good = family(entry("is32", data), entry("s8mk", planes(rows, (3,))[0]))
    longer = bytearray(good)
    longer[8 + 8 + len(data) + 7] += 1
    cases = (
        ("cut", good[:-20], "the mask ends early"), ("tail", good + b"\0", "a byte after the end"),
        ("empty", family(), "no entries"), ("masks", family(entry("s8mk", bytes(256))), "a mask only"),
        ("length", family(b"is32\0\0\0\7", entry("is32", data)), "a length below that of the header"),
        ("longer", bytes(longer), "an entry beyond the end"),
        ("planes", family(entry("is32", data[:-10])), "the last plane ends early"),
        ("run", family(entry("is32", b"\xff\1\xff\1" + data)), "a run beyond its plane"),
        ("mask", family(entry("is32", data), entry("s8mk", bytes(200))), "the mask has too few pixels"),
        ("twice", family(entry("is32", data), entry("is32", data)), "two entries of one type"),
        ("zeros", family(entry("it32", b"\xff\1" * 3 * 127)), "it32 without zeros"),
        ("contents", family(entry("TOC ", b"il32" + struct.pack(">I", 8 + len(data))), entry("is32", data)), "another table"),
        ("content", family(entry("ic07", b"neither PNG nor JPEG 2000")), "an unknown coding"),
        ("size", family(entry("ic07", png(rows))), "another size than that of the type"))
    for name, content, note in cases:
        folder.rejects(f"icns-reject/{name}.icns", content, note)


def make(folder):
    for part in (legacy, true_colors, files, rejected):
        part(folder)
