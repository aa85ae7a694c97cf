"""Triggers of BMP, ICO, ICNS, XBM, Netpbm, TGA and QOI."""

import struct
import zlib

MEGABYTE = 1 << 20


def bitmap(width, height, bits, compression, data, count=0):
    head = struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, compression, 0, 0, 0, count, 0)
    table = bytes(4 << bits) if bits <= 8 else b""
    return b"BM" + struct.pack("<IHHI", 0, 0, 0, 54 + len(table)) + head + table + data


def empty_rows():
    """As many rows as the limits allow, each of which ends at once."""
    return bitmap(100, 1_000_000, 8, 1, bytes(2_000_000))


def deltas():
    """Codes that move down by one row of a large image."""
    return bitmap(10_000, 10_000, 8, 1, bytes((0, 2, 0, 1)) * 100_000)


def empty_deltas():
    """Codes that move nowhere."""
    return bitmap(8, 8, 8, 1, bytes((0, 2, 0, 0)) * (7 * MEGABYTE // 4))


def no_pixels():
    """The largest allowed size, and one row."""
    return bitmap(10_000, 10_000, 1, 0, bytes(1252))


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def entries_of_one_picture():
    side = 1000
    lines = zlib.compress(bytes(side * (side * 4 + 1)), 9)
    picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 6, 0, 0, 0))
    picture += chunk(b"IDAT", lines) + chunk(b"IEND", b"")
    offset = 6 + 65535 * 16
    entry = struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(picture), offset)
    return struct.pack("<HHH", 0, 1, 65535) + entry * 65535 + picture


def entries_in_the_directory():
    entry = struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, 1 << 30, 6)
    return struct.pack("<HHH", 0, 1, 65535) + entry * 65535


def family(content):
    return b"icns" + struct.pack(">I", len(content) + 8) + content


def empty_entries():
    """As many entries as fit, of which only the last one is a picture."""
    picture = b"ICON" + struct.pack(">I", 136) + bytes(128)
    return family(b"\0\0\0\0\0\0\0\x08" * (MEGABYTE - 64) + picture)


def table_of_contents():
    """A table with as many entries as fit, none of which the file has."""
    count = MEGABYTE - 64
    picture = b"ICON" + struct.pack(">I", 136) + bytes(128)
    return family(b"TOC " + struct.pack(">I", 8 + count * 8) + b"ic10\0\0\0\x08" * count + picture)


def largest_picture():
    """A picture file with as many pixels as the limits allow."""
    side = 9_990
    lines = zlib.compress(bytes(side * (side + 7) // 8 + side), 9)
    picture = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 1, 0, 0, 0, 0))
    picture += chunk(b"IDAT", lines) + chunk(b"IEND", b"")
    return family(b"ic07" + struct.pack(">I", 8 + len(picture)) + picture)


def short_runs():
    """The largest planes, in sequences of one byte, and bytes after them."""
    data = bytes(4) + bytes(2 * 3 * 128 * 128) + bytes(7 * MEGABYTE)
    return family(b"it32" + struct.pack(">I", 8 + len(data)) + data)


def definitions():
    return b"#define a_width 8\n" * (60 * 1024 // 18) + b"#define a_height 8\n" + b" " * (7 * MEGABYTE)


def values():
    return b"#define a_width 10000\n#define a_height 10000\nstatic char a[] = {" + b"0," * (3 * MEGABYTE)


def comments_between_values():
    return b"#define a_width 64\n#define a_height 64\nstatic char a[] = {1" + b"/**/" * (7 * MEGABYTE // 4)


def header_comments():
    return b"P6\n" + b"#\n" * (3 * MEGABYTE) + b"1 1 255\n123"


def plain_comments():
    return b"P2 1000 1000 255\n" + b"#\n1 " * (7 * MEGABYTE // 4)


def packets_of_one_pixel():
    head = struct.pack("<BBBHHBHHHHBB", 0, 0, 10, 0, 0, 0, 0, 0, 10_000, 10_000, 24, 32)
    return head + bytes((0x80, 1, 2, 3)) * (7 * MEGABYTE // 4)


def longest_runs(width=10_000):
    return b"qoif" + struct.pack(">IIBB", width, width, 4, 0) + b"\xfd" * (width * width // 62 + 1) + bytes(7) + b"\1"


TRIGGERS = {
    "bmp-empty-rows.bmp": empty_rows, "bmp-deltas.bmp": deltas, "bmp-empty-deltas.bmp": empty_deltas,
    "bmp-no-pixels.bmp": no_pixels, "ico-entries-of-one-picture.ico": entries_of_one_picture,
    "ico-entries-in-the-directory.ico": entries_in_the_directory, "icns-empty-entries.icns": empty_entries,
    "icns-table-of-contents.icns": table_of_contents, "icns-largest-picture.icns": largest_picture,
    "icns-short-runs.icns": short_runs, "xbm-definitions.xbm": definitions,
    "xbm-values.xbm": values, "xbm-comments.xbm": comments_between_values, "pnm-header-comments.ppm": header_comments,
    "pnm-plain-comments.pgm": plain_comments, "tga-packets-of-one-pixel.tga": packets_of_one_pixel,
    "qoi-longest-runs.qoi": longest_runs,
}
