"""The cases of BMP, ICO, CUR, XBM, Netpbm, TGA and QOI: files by the plainest code, references from the same pixels.
`generate.py` calls `make`."""

import random
import struct
import zlib


def colors(count, seed):
    noise = random.Random(seed)
    return [tuple(noise.randint(0, 255) for _ in range(3)) for _ in range(count)]


def indices(width, height, count, seed):
    noise = random.Random(seed)
    return [[noise.randrange(count) for _ in range(width)] for _ in range(height)]


def opaque(palette, rows):
    return [[tuple(palette[index]) + (255,) for index in row] for row in rows]


def packed(row, bits):
    text = "".join(format(index, f"0{bits}b") for index in row)
    text += "0" * (-len(text) % 32)
    return bytes(int(text[i : i + 8], 2) for i in range(0, len(text), 8))


def information(size, width, height, bits, compression=0, count=0, masks=(), rest=b""):
    if size == 12:
        return struct.pack("<IHHHH", 12, width, height, 1, bits)
    head = struct.pack("<IiiHHIIiiII", size, width, height, 1, bits, compression, 0, 2835, 2835, count, 0)
    head = head[:size] + b"".join(struct.pack("<I", mask) for mask in masks) + rest
    return head + bytes(max(0, size - len(head)))


def bmp(head, palette, data, entry=4, tail=b""):
    table = b"".join(bytes((color[2], color[1], color[0]))[:3] + bytes(entry - 3) for color in palette)
    offset = 14 + len(head) + len(table)
    return b"BM" + struct.pack("<IHHI", offset + len(data) + len(tail), 0, 0, offset) + head + table + data + tail


def palettes(folder):
    for bits in (1, 2, 4, 8):
        for width, size in ((9, 12), (17, 40), (8, 64), (33, 108)):
            palette = colors(1 << bits, bits)
            rows = indices(width, 5, 1 << bits, width)
            data = b"".join(packed(row, bits) for row in reversed(rows))
            content = bmp(information(size, width, 5, bits), palette, data, 3 if size == 12 else 4)
            folder.decodes(
                f"bmp-basic/palette{bits}-header{size}.bmp", content, opaque(palette, rows), f"{bits} bits, header of {size} bytes",
                checked=False)
    palette = colors(100, 3)
    rows = indices(11, 6, 100, 4)
    data = b"".join(packed(row, 8) for row in rows)
    folder.decodes(
        "bmp-basic/topdown-100-colors.bmp", bmp(information(40, 11, -6, 8, count=100), palette, data),
        opaque(palette, rows), "100 colours, rows from top to bottom", checked=False)


def scaled(value, mask):
    if mask == 0:
        return 0
    shift = (mask & -mask).bit_length() - 1
    full = mask >> shift
    return (((value & mask) >> shift) * 255 * 2 + full) // (2 * full)


def true_colors(folder):
    layouts = [
        ("rgb555", 16, 40, ()), ("rgb24", 24, 40, ()), ("rgb24-os2", 24, 12, ()), ("rgb32", 32, 40, ()),
        ("rgb565", 16, 56, (0xF800, 0x7E0, 0x1F, 0)), ("argb4444", 16, 108, (0xF00, 0xF0, 0xF, 0xF000)),
        ("argb1555", 16, 124, (0x7C00, 0x3E0, 0x1F, 0x8000)), ("rgb565-following", 16, 40, (0xF800, 0x7E0, 0x1F)),
        ("rgba8888", 32, 124, (0xFF000000, 0xFF0000, 0xFF00, 0xFF)), ("bgr888", 32, 52, (0xFF, 0xFF00, 0xFF0000)),
        ("argb8888-following", 32, 40, (0xFF0000, 0xFF00, 0xFF, 0xFF000000)),
    ]
    for name, bits, size, masks in layouts:
        noise = random.Random(bits + size)
        width, height = 7, 6
        values = [[noise.getrandbits(bits) for _ in range(width)] for _ in range(height)]
        data = b""
        for row in reversed(values):
            line = b"".join(value.to_bytes(bits // 8, "little") for value in row)
            data += line + bytes(-len(line) % 4)
        effective = masks or ((0x7C00, 0x3E0, 0x1F) if bits == 16 else (0xFF0000, 0xFF00, 0xFF))
        rows = [
            [
                tuple(scaled(value, mask) for mask in effective[:3])
                + ((scaled(value, effective[3]),) if len(effective) == 4 and effective[3] else (255,))
                for value in row]
            for row in values]
        compression = 0 if not masks else 6 if size == 40 and len(masks) == 4 else 3
        folder.decodes(
            f"bmp-basic/{name}.bmp", bmp(information(size, width, height, bits, compression, masks=masks), [], data), rows,
            f"{bits} bits, masks {[hex(mask) for mask in masks]}", checked=False)


def run_lengths(folder):
    palette = colors(256, 9)
    clear = (0, 0, 0, 0)

    def at(index):
        return tuple(palette[index]) + (255,)

    data = bytes([2, 9, 0, 3, 1, 2, 3, 0, 0, 0, 0, 2, 2, 1, 3, 8, 0, 1])
    rows = [[clear, clear, at(8), at(8), at(8), clear], [clear] * 6, [at(9), at(9), at(1), at(2), at(3), clear]]
    folder.decodes(
        "bmp-runs/rle8-gaps.bmp", bmp(information(40, 6, 3, 8, 1), palette, data), rows,
        "a run, pixels, a delta; what is left out is transparent", checked=False)
    data = bytes([3, 0x9A, 0, 3, 0x12, 0x30, 0, 0, 4, 0x55, 0, 1])
    rows = [[at(5)] * 4 + [clear] * 2, [at(9), at(10), at(9), at(1), at(2), at(3)]]
    folder.decodes(
        "bmp-runs/rle4.bmp", bmp(information(40, 6, 2, 4, 2), palette[:16], data), rows, "runs of two alternating pixels",
        checked=False)
    data = bytes([2, 3, 2, 1, 0, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 1])
    rows = [[(3, 2, 1, 255), (6, 5, 4, 255), (9, 8, 7, 255)], [(1, 2, 3, 255), (1, 2, 3, 255), clear]]
    folder.decodes(
        "bmp-runs/rle24-os2.bmp", bmp(information(64, 3, 2, 24, 4), [], data), rows, "run lengths of colours", checked=False)
    data = bytes([9, 7, 0, 0, 6, 8, 0, 1])
    folder.decodes(
        "bmp-runs/run-exceeds-row.bmp", bmp(information(40, 6, 2, 8, 1), palette, data), [[at(8)] * 6, [at(7)] * 6],
        "the rest of a run beyond the edge is dropped", checked=False)


def rejected(folder):
    palette = colors(16, 1)
    rows = b"".join(packed(row, 4) for row in indices(9, 4, 16, 1))
    good = bmp(information(40, 9, 4, 4), palette, rows)

    def changed(offset, value):
        return good[:offset] + value + good[offset + len(value) :]

    for name, content, note in (
        ("planes", changed(26, b"\2\0"), "two planes"), ("depth", changed(28, b"\3\0"), "3 bits per pixel"),
        ("width", changed(18, b"\0\0\0\0"), "no columns"), ("height", changed(22, b"\0\0\0\0"), "no rows"),
        ("compression", changed(30, b"\x0c\0\0\0"), "an unknown compression"),
        ("palette", changed(46, b"\xff\xff\0\0"), "more colours than the depth allows"),
        ("offset", changed(10, b"\x20\0\0\0"), "pixels inside the headers"), ("cut", good[:-20], "two rows are missing"),
        ("index", bmp(information(40, 9, 4, 4, count=3), palette[:3], rows), "indices without colours"),
        ("run", bmp(information(40, 9, 4, 4, 2), palette, bytes([20, 1, 0, 1])), "a run beyond the edge"),
        ("masks", bmp(information(56, 2, 1, 16, 3, masks=(0xFF00, 0xFF0, 0xF, 0)), [], bytes(4)), "masks that overlap")):
        folder.rejects(f"bmp-reject/{name}.bmp", content, note)


def dib(rows, bits, palette=None, masked=True):
    """A picture of an icon: rows of RGBA or of indices with a transparency flag, and its mask."""
    width, height = len(rows[0]), len(rows)
    data = b""
    for row in reversed(rows):
        if bits == 32:
            data += b"".join(bytes((p[2], p[1], p[0], p[3])) for p in row)
        else:
            data += packed([p[0] for p in row], bits)
    table = b"".join(bytes((c[2], c[1], c[0], 0)) for c in palette or [])
    mask = b"".join(packed([int(p[-1] == 0) for p in row], 1) for row in reversed(rows)) if masked else b""
    return information(40, width, height * 2, bits, count=len(palette or [])) + table + data + mask


def png(rows):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + b"".join(bytes(pixel) for pixel in row) for row in rows)
    head = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")


def icon(pictures, kind=1, spots=None):
    head, offset = struct.pack("<HHH", 0, kind, len(pictures)), 6 + 16 * len(pictures)
    for number, (width, height, data) in enumerate(pictures):
        first, second = spots[number] if spots else (1, 32)
        head += struct.pack("<BBBBHHII", width & 255, height & 255, 0, 0, first, second, len(data), offset)
        offset += len(data)
    return head + b"".join(data for _, _, data in pictures)


def icons(folder):
    noise = random.Random(12)

    def transparent(width, height, levels):
        return [
            [tuple(noise.randint(0, 255) for _ in range(3)) + (noise.choice(levels),) for _ in range(width)]
            for _ in range(height)]

    deep, solid, small = transparent(9, 7, [0, 100, 255]), transparent(12, 12, [255]), transparent(5, 5, [0, 255])
    palette = colors(16, 2)
    flags = [[(noise.randrange(16), noise.choice([0, 255])) for _ in range(10)] for _ in range(8)]
    flat = [[tuple(palette[index]) + (alpha,) for index, alpha in row] for row in flags]

    def entries(path, content, main, pictures, note):
        folder.decodes(path, content, main, note, checked=False)
        folder.has_entries(path, pictures)

    entries(
        "ico-basic/mixed.ico",
        icon([(5, 5, png(small)), (9, 7, dib(deep, 32)), (12, 12, dib(solid, 32)), (10, 8, dib(flags, 4, palette))]), solid,
        [small, deep, solid, flat], "a PNG, 32 bits with and without transparency, 4 bits with a mask")
    entries(
        "ico-basic/cursor.cur", icon([(10, 8, dib(flags, 4, palette)), (5, 5, png(small))], 2, [(3, 4), (1, 2)]), flat,
        [flat, small], "two pictures with hot spots")
    hidden = [[pixel[:3] + (0,) for pixel in row] for row in deep]
    masked = [[pixel[:3] + (255,) for pixel in row] for row in deep]
    content = dib(hidden, 32, masked=False) + b"".join(packed([0] * 9, 1) for _ in range(7))
    entries("ico-basic/no-alpha.ico", icon([(9, 7, content)]), masked, [masked], "alpha is zero everywhere: the mask applies")
    folder.rejects("ico-reject/no-mask.ico", icon([(10, 8, dib(flags, 4, palette, masked=False))]), "there is no mask")
    folder.rejects("ico-reject/cut.ico", icon([(9, 7, dib(deep, 32))])[:-200], "the picture ends early")
    folder.rejects("ico-reject/size.ico", icon([(8, 7, dib(deep, 32))]), "the directory states another size")


def others(folder):
    noise = random.Random(20)
    bits = [[noise.randrange(2) for _ in range(11)] for _ in range(6)]
    black = [[(0, 0, 0, 255) if bit else (255, 255, 255, 255) for bit in row] for row in bits]

    def value(row, start, count):
        return sum(bit << place for place, bit in enumerate(row[start : start + count]))

    text = "#define a_width 11\n#define a_height 6\n#define a_x_hot 2\n#define a_y_hot 3\nstatic {} a_bits[] = {{\n{}}};\n"
    bytes_ = ", ".join(f"0x{value(row, start, 8):02x}" for row in bits for start in (0, 8))
    words = ", ".join(f"0x{value(row, 0, 16):04X}" for row in bits)
    folder.decodes("xbm-basic/x11.xbm", text.format("unsigned char", bytes_).encode(), black, "bytes", checked=False)
    folder.decodes("xbm-basic/x10.xbm", text.format("short", words).encode(), black, "words of 16 bits", checked=False)

    plain = "P1\n# comment\n11 6\n" + "\n".join("".join(map(str, row)) for row in bits) + "\n"
    folder.decodes("pnm-basic/plain.pbm", plain.encode(), black, "digits without white space", checked=False)
    raw = b"P4\n11 6\n" + b"".join(packed(row, 1)[:2] for row in bits)
    folder.decodes("pnm-basic/raw.pbm", raw, black, "bits", checked=False)
    rows = [[tuple(noise.randint(0, 100) for _ in range(3)) for _ in range(7)] for _ in range(5)]
    full = [[tuple((v * 255 * 2 + 100) // 200 for v in pixel) + (255,) for pixel in row] for row in rows]
    numbers = " ".join(str(v) for row in rows for pixel in row for v in pixel)
    folder.decodes("pnm-basic/plain.ppm", f"P3 7 5 100\n{numbers}\n".encode(), full, "a maximum of 100", checked=False)
    raw = b"P6 7 5 100\n" + bytes(v for row in rows for pixel in row for v in pixel)
    folder.decodes("pnm-basic/raw.ppm", raw, full, "a maximum of 100", checked=False)
    deep = [[(noise.randint(0, 65535), noise.randint(0, 65535)) for _ in range(4)] for _ in range(3)]
    raw = b"P7\nWIDTH 4\nHEIGHT 3\nDEPTH 2\nMAXVAL 65535\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n"
    raw += b"".join(struct.pack(">HH", *pixel) for row in deep for pixel in row)
    folder.decodes(
        "pnm-basic/gray-alpha.pam", raw, [[(g, g, g, a) for g, a in row] for row in deep], "16 bits", depth=16, checked=False)
    folder.rejects("pnm-reject/cut.ppm", b"P6 7 5 255\n" + bytes(50), "rows are missing")
    folder.rejects("pnm-reject/maximum.pgm", b"P2 2 1 7\n3 8\n", "a sample above the maximum")

    pixels = [[tuple(noise.randint(0, 255) for _ in range(4)) for _ in range(6)] for _ in range(4)]
    pixels[1] = [pixels[1][0]] * 6
    for name, kind, order in (("rgba", 2, 8), ("rgba-topdown", 2, 40), ("rgba-runs", 10, 40)):
        stored = pixels if order & 32 else pixels[::-1]
        data = b""
        for row in stored:
            quads = [bytes((p[2], p[1], p[0], p[3])) for p in row]
            if kind == 2:
                data += b"".join(quads)
            elif len(set(quads)) == 1:
                data += bytes([0x80 | 5]) + quads[0]
            else:
                data += bytes([5]) + b"".join(quads)
        head = struct.pack("<BBBHHBHHHHBB", 0, 0, kind, 0, 0, 0, 0, 0, 6, 4, 32, order)
        folder.decodes(f"tga-basic/{name}.tga", head + data, pixels, f"type {kind}, descriptor {order}", checked=False)
    levels = [[noise.randint(0, 255) for _ in range(5)] for _ in range(3)]
    head = struct.pack("<BBBHHBHHHHBB", 2, 0, 3, 0, 0, 0, 0, 0, 5, 3, 8, 16) + b"ID"
    data = b"".join(bytes(row[::-1]) for row in levels[::-1])
    folder.decodes(
        "tga-basic/gray-mirrored.tga", head + data, [[(v, v, v, 255) for v in row] for row in levels],
        "rows from bottom to top and right to left, an identifier", checked=False)

    data = b"".join(b"\xff" + bytes(pixel) for row in pixels[:1] for pixel in row) + bytes([0xFF]) + bytes(pixels[1][0])
    data += bytes([0xC0 | 4]) + b"".join(b"\xff" + bytes(pixel) for row in pixels[2:] for pixel in row)
    head = b"qoif" + struct.pack(">IIBB", 6, 4, 4, 0)
    end = bytes(7) + b"\1"
    folder.decodes("qoi-basic/rgba-run.qoi", head + data + end, pixels, "whole pixels and a run", checked=False)
    # A difference of (1, −2, 0), a luma difference of (−9, −5, −3), and the first pixel again by its place.
    rows = [[(10, 20, 30, 255), (11, 18, 30, 255), (2, 13, 27, 255), (10, 20, 30, 255)]]
    place = (10 * 3 + 20 * 5 + 30 * 7 + 255 * 11) % 64
    data = bytes([0xFE, 10, 20, 30, 0x40 | 3 << 4 | 0 << 2 | 2, 0x80 | 27, 4 << 4 | 10, place])
    head = b"qoif" + struct.pack(">IIBB", 4, 1, 3, 1)
    folder.decodes("qoi-basic/differences.qoi", head + data + end, rows, "differences and an index", checked=False)
    folder.rejects("qoi-reject/no-end.qoi", head + data, "there is no end marker")


def make(folder):
    for part in (palettes, true_colors, run_lengths, rejected, icons, others):
        part(folder)
