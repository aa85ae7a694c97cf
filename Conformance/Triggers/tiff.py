"""TIFF: directories that repeat, overlap and follow each other."""

import struct
import zlib

import jpeg
from trigger import table

TRIGGERS, trigger = table()


def entry(tag, kind, count, value):
    return struct.pack("<HHII", tag, kind, count, value)


def page(width=1, height=1, compression=1, strip=(8, 1), more=()):
    fields = [
        entry(256, 4, 1, width), entry(257, 4, 1, height), entry(258, 3, 1, 8), entry(259, 3, 1, compression),
        entry(262, 3, 1, 1), entry(273, 4, 1, strip[0]), entry(278, 4, 1, height), entry(279, 4, 1, strip[1])]
    return sorted(fields + list(more), key=lambda field: struct.unpack("<H", field[:2]))


def directory(fields, following=0):
    return struct.pack("<H", len(fields)) + b"".join(fields) + struct.pack("<I", following)


def head(offset=8):
    return b"II*\0" + struct.pack("<I", offset)


@trigger("tiff-overlapping-pages.tif")
def directories_over_the_same_bytes():
    # Directory k begins four bytes after directory k - 1, so that their links to the next do not overlap. Each says that it
    # has 65,535 fields.
    count = 9_999
    end = 8 + 2 + 65_535 * 12
    links = b"".join(struct.pack("<I", 8 + 4 * (index + 1)) for index in range(count))
    body = b"\xff\xff" * (2 * count) + bytes(end - 8 - 4 * count) + links + bytes(4)
    return head(8 + len(body)) + body + directory(page(), 8)


@trigger("tiff-private-fields.tif")
def pages_over_the_same_private_fields():
    # Directory k begins with entry k of the same list, whose predecessor's value ends with the number of entries. It ends
    # before a separate place for the link, which later directories take for an entry.
    pages, count = 200, 32_000
    fields = [entry(65_535 - index, 4, 1, count << 16) for index in range(pages)]
    fields += page() + [entry(32_768 + index, 4, 1, 1) for index in range(count - pages - len(page()))]
    links = [struct.pack("<III", 8 + 12 * (index + 1) if index + 1 < pages else 0, 0, 0) for index in range(pages)]
    return head() + struct.pack("<H", count) + b"".join(fields + links)


@trigger("tiff-pages.tif")
def pages_without_end():
    size = len(directory(page()))
    return head() + b"".join(directory(page(), 8 + (i + 1) * size) for i in range(80_000))


@trigger("tiff-empty-pages.tif")
def pages_of_no_fields():
    return head() + b"".join(struct.pack("<HI", 0, 8 + 6 * (i + 1)) for i in range(1_390_000))


@trigger("tiff-cycle.tif")
def page_that_follows_itself():
    return head() + directory(page(), 8)


@trigger("tiff-sub-cycle.tif")
def page_inside_of_itself():
    more = [entry(330, 4, 1, 8), entry(0x8769, 4, 1, 8), entry(0x8825, 4, 1, 8)]
    return head() + directory(page(more=more))


@trigger("tiff-strips.tif")
def strips_without_end():
    count = 900_000
    offset = 8 + len(directory(page())) + 12
    fields = [field for field in page(1, count) if struct.unpack("<H", field[:2])[0] not in (273, 278, 279)]
    fields += [entry(273, 4, count, offset), entry(278, 4, 1, 1), entry(279, 4, count, offset + 4 * count)]
    return head() + directory(fields) + struct.pack("<I", 8) * count + struct.pack("<I", 1) * count


@trigger("tiff-size.tif")
def size_without_pixels():
    return head() + directory(page(0xFFFFFFFF, 0xFFFFFFFF))


@trigger("tiff-100-mpx.tif")
def pixels_of_nothing():
    return head() + directory(page(9_900, 9_900, compression=32_773, strip=(8, 100)))


@trigger("tiff-metadata.tif")
def blocks_over_the_same_bytes():
    block = 7_900_000
    more = [entry(tag, 7, block, 8) for tag in (700, 33_723, 34_377, 34_675)]
    return head(8 + block) + bytes(block) + directory(page(more=more))


@trigger("tiff-fields.tif")
def fields_without_end():
    fields = [entry(10_000 + i, 7, 8_000_000, 0) for i in range(50_000)]
    content = head() + directory(page() + fields)
    return content + bytes(7_000_000)


@trigger("tiff-shared-stream.tif")
def strips_that_share_a_stream():
    count = 60_000
    stream = zlib.compress(bytes(1_000_000))
    offset = 8 + len(stream) + len(stream) % 2
    fields = [f for f in page(500, count, compression=8) if struct.unpack("<H", f[:2])[0] not in (273, 278, 279)]
    start = offset + len(directory(fields)) + 36
    fields += [entry(273, 4, count, start), entry(278, 4, 1, 1), entry(279, 4, count, start + 4 * count)]
    body = head(offset) + stream + bytes(len(stream) % 2) + directory(sorted(fields, key=lambda f: struct.unpack("<H", f[:2])))
    return body + struct.pack("<I", 8) * count + struct.pack("<I", len(stream)) * count


@trigger("tiff-deflate-bomb.tif")
def tile_far_larger_than_the_image():
    stream = zlib.compress(bytes(200_000_000))
    more = [entry(322, 4, 1, 65_536), entry(323, 4, 1, 1 << 20), entry(324, 4, 1, 8), entry(325, 4, 1, len(stream))]
    return head(8 + len(stream)) + stream + directory(page(1, 1, compression=8, more=more))


@trigger("tiff-group-4.tif")
def rows_of_one_bit():
    # Each bit is a row that equals the one above.
    data = b"\xff" * 2_000_000
    fields = [f for f in page(40_000, 6_000, compression=4, strip=(8, len(data))) if struct.unpack("<H", f[:2])[0] != 258]
    return head(8 + len(data)) + data + directory(fields)


@trigger("tiff-samples.tif")
def samples_of_which_one_is_shown():
    fields = [f for f in page(100, 600, strip=(8, 4_000_000)) if struct.unpack("<H", f[:2])[0] != 258]
    fields += [entry(258, 3, 1, 8), entry(277, 3, 1, 65_535)]
    data = bytes(4_000_000)
    return head(8 + len(data)) + data + directory(sorted(fields, key=lambda f: struct.unpack("<H", f[:2])))


def shared_strips(width, rows, count, compression, stream, bits=1, more=(), tables=b""):
    """Strips that all are the same bytes."""
    stream += bytes(len(stream) % 2)
    tables += bytes(len(tables) % 2)
    fields = [
        entry(256, 4, 1, width), entry(257, 4, 1, rows * count), entry(258, 3, 1, bits), entry(259, 3, 1, compression),
        entry(262, 3, 1, 1), entry(278, 4, 1, rows), *more]
    offset = 8 + len(stream) + len(tables)
    start = offset + len(directory(fields)) + 24
    fields += [entry(273, 4, count, start), entry(279, 4, count, start + 4 * count)]
    listed = directory(sorted(fields, key=lambda field: struct.unpack("<H", field[:2])))
    values = struct.pack("<I", 8) * count + struct.pack("<I", len(stream)) * count
    return head(offset) + stream + tables + listed + values


def bits_of_codes(text, byte_count):
    """Codes as digits, repeated, the first digit in the highest bit."""
    return (int(text * 8, 2).to_bytes(len(text), "big") * (byte_count // len(text) + 1))[:byte_count]


def empty_blocks(count):
    """A zlib stream of blocks with dynamic codes, each of which ends at once."""
    # BFINAL, BTYPE, HLIT, HDIST, HCLEN; then the code lengths 1 of the lengths 18 and 0, 2 of 1.
    digits = "0" + "01" + "00000" + "00000"
    order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1]
    lengths = {18: "100", 0: "010", 1: "010"}
    digits += format(len(order) - 4, "04b")[::-1] + "".join(lengths.get(symbol, "000") for symbol in order)
    # 256 literals without a code, in runs of 138 and 118; the end of the block and one distance of one bit; the end.
    digits += "0" + format(138 - 11, "07b")[::-1] + "0" + format(118 - 11, "07b")[::-1] + "11" + "11" + "0"
    eight = int((digits * 8)[::-1], 2).to_bytes(len(digits), "little")
    return b"\x78\x9c" + eight * (count // 8)


@trigger("tiff-shared-empty-blocks.tif")
def strips_that_share_blocks_of_nothing():
    return shared_strips(8_000, 10, 20_000, 8, empty_blocks(8_000))


@trigger("tiff-shared-large-empty-blocks.tif")
def strips_that_share_many_blocks_of_nothing():
    return shared_strips(8_000, 10, 2_000, 8, empty_blocks(80_000))


@trigger("tiff-shared-open-strips.tif")
def strips_without_length_that_share_blocks_of_nothing():
    whole = shared_strips(8_000, 10, 20_000, 8, empty_blocks(8_000))
    return whole[:-4 * 20_000] + bytes(4 * 20_000)


@trigger("tiff-shared-runs-of-nothing.tif")
def strips_that_share_runs_of_no_pixels():
    # White and black runs of length 0.
    return shared_strips(8_000, 3, 20_000, 2, bits_of_codes("00110101" + "0000110111", 60_000))


@trigger("tiff-shared-clear-codes.tif")
def strips_that_share_clear_codes():
    return shared_strips(8_000, 3, 20_000, 5, bits_of_codes("100000000", 90_000))


@trigger("tiff-shared-no-operations.tif")
def strips_that_share_bytes_without_meaning():
    return shared_strips(8_000, 3, 20_000, 32_773, b"\x80" * 200_000)


@trigger("tiff-jpeg-tables.tif")
def many_strips_with_many_tables():
    coded = jpeg.picture(width=16, height=16)
    tables = jpeg.SOI + jpeg.huffman(0x10, [1, 1], [0x08, 0x00]) * 9_000 + jpeg.EOI
    more = [entry(347, 7, len(tables), 8 + len(coded) + len(coded) % 2)]
    return shared_strips(16, 16, 20_000, 7, coded, bits=8, more=more, tables=tables)
