"""Camera raw files: large mosaics of a few bytes, strips and tiles over the same bytes, corrections of every sample, and
directories, heaps and boxes that contain each other.
"""

import struct
import zlib

import jpeg
from containers import box
from trigger import table

TRIGGERS, trigger = table()
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8, 12: 8}


# Files


def field(tag, kind, values):
    """A field: its values as numbers, or as bytes that are already coded."""
    if isinstance(values, bytes):
        return tag, kind, len(values) // SIZES[kind], values
    form = {1: "B", 3: "H", 4: "I", 5: "I", 10: "i"}[kind]
    data = struct.pack(f"<{len(values)}{form}", *values)
    return tag, kind, len(data) // SIZES[kind], data


def file(fields, blob=b"", head=b"II*\0\x08\0\0\0"):
    """A file of one directory. Values that are functions are called with the position of the blob, which is last."""
    fields = sorted(fields, key=lambda entry: entry[0])
    start = len(head) + 2 + 12 * len(fields) + 4

    def write(position):
        entries, values = b"", b""
        for tag, kind, count, data in fields:
            data = data(position) if callable(data) else data
            if len(data) > 4:
                entries += struct.pack("<HHII", tag, kind, count, start + len(values))
                values += data + bytes(len(data) % 2)
            else:
                entries += struct.pack("<HHI", tag, kind, count) + data.ljust(4, b"\0")
        return head + struct.pack("<H", len(fields)) + entries + bytes(4) + values

    return write(len(write(0))) + blob


def places(tag, count, step=0):
    """Positions in the blob, `step` bytes apart."""
    def positions(start):
        return b"".join(struct.pack("<I", start + index * step) for index in range(count))

    return tag, 4, count, positions


def sensor(width, height, compression=1, bits=16, count=1, pattern=(0, 1, 1, 2)):
    side = 6 if len(pattern) == 36 else 2
    fields = [
        field(254, 4, [0]), field(256, 4, [width]), field(257, 4, [height]), field(258, 3, [bits] * count),
        field(259, 3, [compression]), field(262, 3, [32803 if count == 1 else 34892]), field(277, 3, [count]),
        field(271, 2, b"Maker\0"), field(50706, 1, [1, 4, 0, 0])]
    return fields + ([field(33421, 3, [side, side]), field(33422, 1, list(pattern))] if count == 1 else [])


def strips(count, rows, length, step=0):
    return [field(278, 4, [rows]), places(273, count, step), field(279, 4, [length] * count)]


def tiles(width, height, count, length, step=0):
    return [field(322, 4, [width]), field(323, 4, [height]), places(324, count, step), field(325, 4, [length] * count)]


def lossless(width, height, data, components=1, restart=0, counts=(1,), symbols=(0,)):
    """A lossless JPEG stream. By default its only code means no difference."""
    parts = b"".join(bytes([k + 1, 0x11, 0]) for k in range(components))
    frame = jpeg.segment(0xC3, struct.pack(">BHHB", 16, height, width, components) + parts)
    interval = jpeg.segment(0xDD, struct.pack(">H", restart)) if restart else b""
    return (
        jpeg.SOI + jpeg.huffman(0, list(counts), symbols) + frame + interval
        + jpeg.scan(range(1, components + 1), start=1, end=0) + data + jpeg.EOI)


# Sensor data


@trigger("raw-no-data.dng")
def no_data():
    """100 megapixels, of which the file has 16 bytes."""
    return file(sensor(10_000, 10_000) + strips(1, 10_000, 16), bytes(16))


@trigger("raw-zero-strips.dng")
def empty_strips():
    """100,000 strips of no bytes."""
    return file(sensor(1_000, 100_000) + strips(100_000, 1, 0), b"")


@trigger("raw-column.dng")
def one_column():
    return file(sensor(2, 100_000) + strips(100_000, 1, 4), bytes(4))


@trigger("raw-same-strip.dng")
def strips_over_the_same_bytes():
    """80 megapixels of 10,000 strips, all of which are the same 16,000 bytes."""
    return file(sensor(8_000, 10_000) + strips(10_000, 1, 16_000), bytes(range(250)) * 64)


@trigger("raw-lossless.dng")
def lossless_data():
    """64 megapixels at one bit each."""
    return file(sensor(8_000, 7_900, 7) + strips(1, 7_900, 7_900_000), lossless(8_000, 7_900, bytes(7_899_000)))


@trigger("raw-same-lossless-tile.dng")
def tiles_over_the_same_stream():
    """80 megapixels of tiles that are the same stream."""
    stream = lossless(512, 512, bytes(512 * 512 // 8))
    return file(sensor(8_192, 9_728, 7) + tiles(512, 512, 16 * 19, len(stream)), stream)


@trigger("raw-tiny-lossless-tiles.dng")
def tables_for_one_sample():
    """40,000 tiles of one sample, each with a stream of its own tables."""
    stream = lossless(1, 1, b"\0")
    return file(sensor(200, 200, 7) + tiles(1, 1, 40_000, len(stream)), stream)


@trigger("raw-large-stream-small-tile.dng")
def streams_that_are_larger_than_their_tiles():
    """Tiles of one row, whose streams have rows of 65,535 samples of four components."""
    stream = lossless(65_535, 1, bytes(65_535 * 4 // 8 + 1), 4)
    return file(sensor(64, 4_000, 7) + tiles(64, 1, 4_000, len(stream)), stream)


@trigger("raw-lossless-restarts.dng")
def restart_markers_that_are_missing():
    """Intervals of one row, whose markers are each searched for."""
    stream = lossless(8, 65_535, bytes(4_000_000), restart=8)
    return file(sensor(8, 65_535, 7) + strips(1, 65_535, len(stream)), stream)


@trigger("raw-wide-tiles.dng")
def open_blocks_side_by_side():
    """50,000 tiles in a row, each with a stream of Deflate."""
    stream = zlib.compress(bytes(2 * 1_000))
    return file(sensor(50_000, 1_000, 8) + tiles(1, 1_000, 50_000, len(stream)), stream)


@trigger("raw-deflate.dng")
def inflated_tiles():
    """80 megapixels of zeros, all tiles the same stream."""
    stream = zlib.compress(bytes(2 * 2_048 * 2_048), 9)
    return file(sensor(8_192, 10_240, 8) + tiles(2_048, 2_048, 20, len(stream)), stream)


@trigger("raw-deflate-linear.dng")
def inflated_tiles_of_three_samples():
    stream = zlib.compress(bytes(6 * 2_048 * 2_048), 9)
    return file(sensor(8_192, 8_192, 8, count=3) + tiles(2_048, 2_048, 16, len(stream)), stream)


@trigger("raw-lossy-tiles.dng")
def pictures_that_are_larger_than_their_tiles():
    """4,096 tiles of one pixel, each with a stream of four megapixels."""
    stream = jpeg.picture(width=2_048, height=2_048)
    fields = sensor(64, 64, 34_892, 8)
    return file(fields + tiles(1, 1, 4_096, len(stream)), stream)


@trigger("raw-six-by-six.dng")
def large_mosaic_of_six_by_six():
    pattern = (1, 2, 1, 1, 0, 1, 0, 1, 0, 2, 1, 2, 1, 2, 1, 1, 0, 1, 1, 0, 1, 1, 2, 1, 2, 1, 2, 0, 1, 0, 1, 0, 1, 1, 2, 1)
    return file(sensor(8_000, 8_000, 1, 8, pattern=pattern) + strips(1, 8_000, 7_900_000), bytes(7_900_000))


# Levels and corrections


@trigger("raw-linearization.dng")
def long_table():
    """A million entries, of which 65,536 can be used."""
    return file(sensor(64, 64) + strips(1, 64, 8_192) + [field(50712, 4, bytes(4 << 20))], bytes(8_192))


@trigger("raw-black-levels.dng")
def long_levels():
    width, height = 50_000, 1_600
    deltas = [field(50715, 10, struct.pack("<ii", 1, 1) * width), field(50716, 10, struct.pack("<ii", 1, 1) * height)]
    levels = [field(50713, 3, [64, 64]), field(50714, 3, bytes(2 * 64 * 64))]
    return file(sensor(width, height, 1, 8) + strips(height, 1, width) + deltas + levels, bytes(width))


def opcodes(tag, *operations):
    data = [struct.pack(">IIII", identifier, 0x01030000, 0, len(content)) + content for identifier, content in operations]
    return field(tag, 7, struct.pack(">I", len(operations)) + b"".join(data))


def area(planes=1, pitch=1):
    return struct.pack(">8I", 0, 0, 100_000, 100_000, 0, planes, pitch, pitch)


@trigger("raw-polynomials.dng")
def polynomials_of_every_sample():
    """24 polynomials of degree 8 in each of three lists, for 25 megapixels."""
    polynomial = 8, area(3) + struct.pack(">I9d", 8, *[0.1] * 9)
    lists = [opcodes(tag, *[polynomial] * 24) for tag in (51008, 51009, 51022)]
    return file(sensor(5_000, 5_000, 1, 8) + strips(5_000, 1, 5_000) + lists, bytes(5_000))


@trigger("raw-many-opcodes.dng")
def opcodes_without_end():
    polynomial = 8, area() + struct.pack(">I9d", 8, *[0.1] * 9)
    return file(sensor(64, 64) + strips(1, 64, 8_192) + [opcodes(51009, *[polynomial] * 60_000)], bytes(8_192))


@trigger("raw-unknown-opcodes.dng")
def opcodes_that_are_not_applied():
    return file(sensor(64, 64) + strips(1, 64, 8_192) + [opcodes(51009, *[(1, b"")] * 400_000)], bytes(8_192))


@trigger("raw-map-tables.dng")
def tables_of_every_sample():
    mapping = 7, area() + struct.pack(">I", 65_536) + bytes(131_072)
    lists = [opcodes(tag, *[mapping] * 18) for tag in (51008, 51009, 51022)]
    return file(sensor(5_000, 5_000, 1, 8) + strips(5_000, 1, 5_000) + lists, bytes(5_000))


@trigger("raw-gain-maps.dng")
def grids_as_wide_as_the_picture():
    """Grids of two rows with a point for each column, 24 in each list."""
    width = 10_000
    grid = 9, area() + struct.pack(">II4dI", 2, width, 1, 1 / width, 0, 0, 1) + struct.pack(">f", 1) * (2 * width)
    lists = [opcodes(tag, *[grid] * 24) for tag in (51008, 51009, 51022)]
    return file(sensor(width, 2_000, 1, 8) + strips(2_000, 1, width) + lists, bytes(width))


@trigger("raw-gain-map.dng")
def large_grid():
    """Two million gains for a small picture."""
    grid = 9, area() + struct.pack(">II4dI", 32_000, 60, 1 / 32_000, 1 / 60, 0, 0, 1) + struct.pack(">f", 1) * (60 * 32_000)
    return file(sensor(64, 64) + strips(1, 64, 8_192) + [opcodes(51009, grid)], bytes(8_192))


@trigger("raw-gain-map-narrow.dng")
def grids_of_a_narrow_picture():
    """One sample of each of 100,000 rows is changed 24 times, by rows of two points."""
    place = struct.pack(">8I", 0, 0, 100_000, 2, 0, 1, 1, 2)
    grid = 9, place + struct.pack(">II4dI4f", 2, 2, 1, 1, 0, 0, 1, 1, 1, 1, 1)
    lists = [opcodes(tag, *[grid] * 24) for tag in (51008, 51009)]
    return file(sensor(2, 100_000, 1, 8) + strips(1, 100_000, 200_000) + lists, bytes(200_000))


# Directories and embedded pictures


def subdirectories(directories, main=(), blob=b"", link=0):
    """A file of a first directory with subdirectories, which have all values in their entries."""
    head = b"II*\0\x08\0\0\0"
    fields = sorted([*main, field(271, 2, b"Maker\0"), field(50706, 1, [1, 4, 0, 0])], key=lambda entry: entry[0])
    first = 8 + 2 + 12 * (len(fields) + 1) + 4
    texts = first
    place = texts + 8 + 4 * len(directories)
    offsets = []
    for fields_of_one in directories:
        offsets.append(place)
        place += 2 + 12 * len(fields_of_one) + 4
    entries = []
    for tag, kind, count, data in fields:
        value = struct.pack("<I", texts) if len(data) > 4 else data.ljust(4, b"\0")
        entries.append((tag, struct.pack("<HHI", tag, kind, count) + value))
    value = struct.pack("<I", texts + 8 if len(offsets) > 1 else offsets[0])
    entries.append((330, struct.pack("<HHI", 330, 4, len(offsets)) + value))
    out = head + struct.pack("<H", len(entries)) + b"".join(entry for _, entry in sorted(entries)) + struct.pack("<I", link)
    out += b"Maker\0\0\0" + struct.pack(f"<{len(offsets)}I", *offsets)
    for fields_of_one in directories:
        out += struct.pack("<H", len(fields_of_one)) + b"".join(
            struct.pack("<HHII", tag, 4, 1, value(place) if callable(value) else value) for tag, value in fields_of_one)
        out += struct.pack("<I", link)
    return out + blob


def previews(blob, count=64, step=0):
    """Subdirectories that refer to streams in the blob, from different positions to its end."""
    return subdirectories([
        [(254, 1), (513, lambda start, i=i: start + i * step), (514, len(blob) - i * step)] for i in range(count)], (), blob)


@trigger("raw-preview-headers.dng")
def streams_with_large_headers():
    """Streams of many empty segments, each of which contains the start of the next stream."""
    # APP0 of four bytes, of which two are SOI.
    return previews(jpeg.SOI + b"\xff\xe0\0\4\xff\xd8" * 1_200_000 + jpeg.frame(8, 8) + jpeg.EOI, 64, 6)


@trigger("raw-preview-tables.dng")
def streams_with_many_tables():
    tables = jpeg.QUANTIZATION * 2
    return previews(jpeg.SOI + (b"\xff\xe0\0\4\xff\xd8" + tables) * 50_000 + jpeg.frame(8, 8) + jpeg.EOI, 64, 6 + len(tables))


@trigger("raw-preview-pixels.dng")
def previews_of_many_pixels():
    """Baseline data that end early: 32 previews of 60 megapixels."""
    return previews(jpeg.SOI + jpeg.TABLES + jpeg.frame(8_000, 7_500) + jpeg.scan() + bytes(64), 64, 0)


@trigger("raw-directory-cycle.dng")
def directories_that_contain_each_other():
    directories = [[(330, 8), (254, 1), (34665, 8)]] * 64
    return subdirectories(directories, link=8)


@trigger("raw-overlapping-directories.dng")
def directories_of_many_fields():
    """64 subdirectories of 65,535 fields each, over the same bytes."""
    fields = b"".join(struct.pack("<HHII", 256 + i % 60_000, 4, 1, 7) for i in range(66_000))
    count = 64
    offsets = b"".join(struct.pack("<I", 50 + 8 + 4 * count + 12 * i) for i in range(count))
    head = b"II*\0\x08\0\0\0" + struct.pack("<H", 3) + struct.pack("<HHII", 271, 2, 4, 0x004B414D)
    head += struct.pack("<HHII", 330, 4, count, 58) + struct.pack("<HHI", 50706, 1, 4) + b"\1\4\0\0" + bytes(4)
    # Each directory starts 12 bytes after the one before: its count is a part of that one's fields.
    body = bytearray(fields)
    for i in range(count):
        body[12 * i : 12 * i + 2] = b"\xff\xff"
    return head.ljust(58, b"\0") + offsets + bytes(body)


@trigger("raw-metadata-values.nef")
def fields_that_share_their_values():
    """An Exif directory of 60,000 fields, each of which has the same four megabytes."""
    main = [(254, 4, 1, 1), (262, 3, 1, 32803), (271, 2, 6, 66), (34665, 4, 1, 74)]
    out = b"II*\0\x08\0\0\0" + struct.pack("<H", 4) + b"".join(struct.pack("<HHII", *entry) for entry in main) + bytes(4)
    out = out.ljust(66, b"\0") + b"NIKON\0\0\0"
    values = [struct.pack("<HHII", tag, 7, 4 << 20, 1_000_000) for tag in range(60_000)]
    out += struct.pack("<H", len(values)) + b"".join(values)
    return out.ljust(6_000_000, b"\0")


# Other containers


@trigger("raw-nested-heaps.crw")
def heaps_in_heaps():
    """A heap of 1,024 records, all of which are heaps with the same directory that end in different places."""
    count, directory = 1_024, 0
    head = b"II" + struct.pack("<I", 26) + b"HEAPCCDR" + bytes(12)
    entries = b"".join(struct.pack("<HII", 0x2807, 2 + 10 * count + 4 + 4 * i, 0) for i in range(count))
    return head + struct.pack("<H", count) + entries + struct.pack("<I", directory) * (2 * count)


@trigger("raw-heap-of-streams.crw")
def heap_records_that_are_streams():
    """Records that are the same stream of many segments, from different positions on."""
    stream = jpeg.SOI + b"\xff\xe0\0\4\xff\xd8" * 1_000_000 + jpeg.frame(8, 8) + jpeg.EOI
    out = b"II" + struct.pack("<I", 26) + b"HEAPCCDR" + bytes(12) + stream
    entries = b"".join(struct.pack("<HII", 0x2007, len(stream) - 6 * i, 6 * i) for i in range(1_024))
    return out + struct.pack("<H", 1_024) + entries + struct.pack("<I", len(stream))


def foveon(entries, blob):
    out = b"FOVb" + bytes(60) + blob
    start = len(out)
    return out + b"SECd" + struct.pack("<II", 0x20000, len(entries)) + b"".join(entries) + struct.pack("<I", start)


@trigger("raw-properties.x3f")
def long_properties():
    """65,535 sections of properties over the same bytes, each with many long texts."""
    section = b"SECp" + struct.pack("<IIIII", 0x20000, 1 << 20, 0, 0, 0) + struct.pack("<II", 0, 0) * 200_000 + b"A\0" * 1_000_000
    return foveon([struct.pack("<II", 64, len(section)) + b"PROP"] * 65_535, section)


@trigger("raw-sections.x3f")
def sections_that_are_streams():
    stream = b"SECi" + struct.pack("<6I", 0x20000, 2, 18, 8, 8, 0) + jpeg.SOI + b"\xff\xe0\0\4\xff\xd8" * 1_000_000 + jpeg.frame(8, 8)
    return foveon([struct.pack("<II", 64, len(stream) - i) + b"IMA2" for i in range(65_535)], stream)


FILE_TYPE = box(b"ftyp", b"crx \0\0\0\1crx isom")


@trigger("raw-nested-boxes.cr3")
def boxes_in_boxes():
    """900,000 boxes, each the only content of the one before."""
    count = 900_000
    return FILE_TYPE + b"".join(struct.pack(">I", 8 * (count - i)) + (b"moov", b"trak", b"mdia")[i % 3] for i in range(count))


@trigger("raw-boxes.cr3")
def boxes_without_end():
    return FILE_TYPE + box(b"moov", box(b"free") * 900_000)


@trigger("raw-box-streams.cr3")
def boxes_that_are_streams():
    """1,000 boxes of thumbnails, each of which has many segments."""
    stream = jpeg.SOI + b"\xff\xe0\0\4\xff\xd8" * 1_250 + jpeg.frame(8, 8)
    metadata = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")
    return FILE_TYPE + box(b"moov", box(b"uuid", metadata, box(b"THMB", bytes(16), stream) * 1_000))


@trigger("raw-stream.raf")
def stream_of_many_segments():
    stream = jpeg.SOI + b"\xff\xe0\0\4\xff\xd8" * 1_250_000 + jpeg.frame(8, 8)
    return b"FUJIFILMCCD-RAW 0201".ljust(84, b"\0") + struct.pack(">II", 92, len(stream)) + stream


@trigger("raw-blocks.mrw")
def blocks_without_end():
    return b"\0MRM" + struct.pack(">I", 7_000_000) + (b"\0PRD" + bytes(4)) * 900_000


@trigger("raw-stream.rw2")
def panasonic_stream_of_many_segments():
    stream = jpeg.SOI + b"\xff\xe0\0\4\xff\xd8" * 1_250_000 + jpeg.frame(8, 8)
    head = b"IIU\0\x18\0\0\0" + bytes(16)
    return file([field(46, 7, stream), field(295, 7, b"\xff\xd8\xff\xe0\0\2" + stream[:60])], b"", head)
