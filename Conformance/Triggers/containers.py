"""HEIF and MP4, WebP, ICO and BMP: boxes, chunks and entries."""

import struct

import jpeg
from trigger import table

TRIGGERS, trigger = table()


def box(kind, *content):
    data = b"".join(content)
    return struct.pack(">I", len(data) + 8) + kind + data


def full(kind, *content, version=0, flags=0):
    return box(kind, struct.pack(">I", version << 24 | flags), *content)


FILE_TYPE = box(b"ftyp", b"mif1\0\0\0\0mif1jpeg")


def item(number, kind):
    return full(b"infe", struct.pack(">HH", number, 0), kind, b"\0", version=2)


def heif(items, locations, references, properties, associations, primary, data):
    """A file of items.

    `locations` has the offset within the data and the length of an item by its number, `associations` the properties
    of an item by their places in `properties`, counted from 1.
    """
    def meta(start):
        place = b"".join(
            struct.pack(">HHHII", number, 0, 1, start + offset, length) for number, (offset, length) in locations)
        placed = full(b"iloc", b"\x44\0", struct.pack(">H", len(locations)), place)
        linked = b"".join(
            struct.pack(">HB", number, len(places)) + bytes(places) for number, places in associations)
        return full(
            b"meta", full(b"hdlr", struct.pack(">I", 0), b"pict", bytes(13)), full(b"pitm", struct.pack(">H", primary)),
            full(b"iinf", struct.pack(">H", len(items)), *items), placed, full(b"iref", *references) if references else b"",
            box(b"iprp", box(b"ipco", *properties), full(b"ipma", struct.pack(">I", len(associations)), linked)))

    head = len(FILE_TYPE) + len(meta(0)) + 8
    return FILE_TYPE + meta(head) + box(b"mdat", data)


def size(width, height):
    return full(b"ispe", struct.pack(">II", width, height))


def grid(columns, rows, tile, repeated=0):
    """A grid whose tiles are all the same JPEG of 16 × 16 pixels."""
    count = columns * rows
    layout = bytes([0, 0, rows - 1, columns - 1]) + struct.pack(">HH", min(65_535, columns * 16), min(65_535, rows * 16))
    reference = box(b"dimg", struct.pack(">HH", 1, count) + struct.pack(">H", 2) * count)
    associations = [(1, [1]), (2, [2])] + [(2, [2] * 200)] * repeated
    return heif(
        [item(1, b"grid"), item(2, b"jpeg")], [(1, (0, len(layout))), (2, (len(layout), len(tile)))], [reference],
        [size(columns * 16, rows * 16), size(16, 16)], associations, 1, layout + tile)


@trigger("heif-grid-padded-tile.heic")
def grid_of_one_long_tile():
    return grid(32, 32, jpeg.picture(jpeg.segment(0xEF, bytes(65_000)) * 64, 16, 16))


@trigger("heif-grid-associations.heic")
def grid_of_one_tile_with_many_properties():
    return grid(32, 32, jpeg.picture(width=16, height=16), repeated=750)


@trigger("heif-grid-65280-associations.heic")
def largest_grid_of_one_tile_with_many_properties():
    return grid(256, 255, jpeg.picture(width=16, height=16), repeated=750)


@trigger("heif-grid-65280.heic")
def largest_grid_of_one_tile():
    return grid(256, 255, jpeg.picture(width=16, height=16))


@trigger("heif-grid-of-itself.heic")
def grid_whose_tile_it_is():
    layout = bytes([0, 0, 15, 15]) + struct.pack(">HH", 256, 256)
    reference = box(b"dimg", struct.pack(">HH", 1, 256) + struct.pack(">H", 1) * 256)
    return heif([item(1, b"grid")], [(1, (0, 8))], [reference], [size(256, 256)], [(1, [1])], 1, layout)


@trigger("heif-items.heic")
def items_without_end():
    items = [item(i % 65_535 + 1, b"jpeg") for i in range(340_000)]
    return heif(items[:65_535], [(i + 1, (0, 1)) for i in range(65_535)], [], [size(8, 8)], [(1, [1])] * 65_535, 1, bytes(64))


@trigger("heif-extents.heic")
def item_in_one_byte_extents():
    count = 65_535
    # One item of many extents, all of them the same bytes.
    place = struct.pack(">HHH", 1, 0, count) + struct.pack(">II", 0, 4_000_000) * count
    meta = full(
        b"meta", full(b"hdlr", struct.pack(">I", 0), b"pict", bytes(13)), full(b"pitm", struct.pack(">H", 1)),
        full(b"iinf", struct.pack(">H", 1), item(1, b"jpeg")), full(b"iloc", b"\x44\0", struct.pack(">H", 1), place),
        box(b"iprp", box(b"ipco", size(8, 8)), full(b"ipma", struct.pack(">I", 1), struct.pack(">HBB", 1, 1, 1))))
    return FILE_TYPE + meta + box(b"mdat", bytes(4_000_000))


@trigger("heif-properties.heic")
def properties_without_end():
    return heif([item(1, b"jpeg")], [(1, (0, 8))], [], [box(b"free")] * 900_000, [(1, [1])], 1, bytes(8))


@trigger("heif-references.heic")
def references_without_end():
    references = [box(b"thmb", struct.pack(">HHH", i % 65_535 + 1, 1, 1)) for i in range(500_000)]
    return heif([item(1, b"jpeg")], [(1, (0, 8))], references, [size(8, 8)], [(1, [1])], 1, bytes(8))


@trigger("heif-thumbnails.heic")
def thumbnails_of_the_same_bytes():
    tile = jpeg.picture(jpeg.segment(0xEF, bytes(65_000)) * 100, 16, 16)
    references = [box(b"thmb", struct.pack(">HHH", i + 2, 1, 1)) for i in range(2_000)]
    numbers = range(1, 2_002)
    return heif(
        [item(i, b"jpeg") for i in numbers], [(i, (0, len(tile))) for i in numbers], references, [size(16, 16)],
        [(i, [1]) for i in numbers], 1, tile)


@trigger("heif-jpeg-tables.heic")
def tiles_of_many_tables():
    table = jpeg.huffman(0x10, [1], [0])[4:]
    tile = jpeg.picture(jpeg.segment(0xC4, table * 3_600), 16, 16)
    count = 10_000
    layout = bytes([0, 0, 99, 99]) + struct.pack(">HH", 1_600, 1_600)
    reference = box(b"dimg", struct.pack(">HH", 1, count) + b"".join(struct.pack(">H", i + 2) for i in range(count)))
    numbers = range(2, count + 2)
    return heif(
        [item(1, b"grid")] + [item(i, b"jpeg") for i in numbers],
        [(1, (0, len(layout)))] + [(i, (len(layout), len(tile))) for i in numbers], [reference],
        [size(1_600, 1_600), size(16, 16)], [(1, [1])] + [(i, [2]) for i in numbers], 1, layout + tile)


@trigger("heif-empty-boxes.heic")
def boxes_without_content():
    return FILE_TYPE + box(b"free") * 1_000_000


@trigger("heif-nested-boxes.heic")
def boxes_inside_of_boxes():
    count = 500_000
    content = [FILE_TYPE]
    content += [struct.pack(">I", 8 * (count - i) + 8) + b"moov" for i in range(count)]
    return b"".join(content) + box(b"free")


@trigger("mp4-tracks.mp4")
def tracks_without_end():
    handler = full(b"hdlr", struct.pack(">I", 0), b"vide", bytes(13))
    track = box(b"trak", box(b"mdia", handler, box(b"minf", box(b"stbl"))))
    return box(b"ftyp", b"isom\0\0\0\0isom") + box(b"moov", track * 90_000)


@trigger("mp4-samples.mp4")
def samples_that_are_only_declared():
    samples = box(
        b"stbl", full(b"stts", struct.pack(">III", 1, 0xFFFFFFFF, 1)), full(b"stsz", struct.pack(">II", 1, 0xFFFFFFFF)),
        full(b"stsc", struct.pack(">IIII", 1, 1, 0xFFFFFFFF, 1)), full(b"stco", struct.pack(">II", 1, 0)))
    handler = full(b"hdlr", struct.pack(">I", 0), b"vide", bytes(13))
    return box(b"ftyp", b"isom\0\0\0\0isom") + box(b"moov", box(b"trak", box(b"mdia", handler, box(b"minf", samples))))


@trigger("mp4-metadata.mp4")
def covers_without_end():
    cover = box(b"covr", box(b"data", struct.pack(">II", 13, 0), jpeg.picture()))
    items = box(b"ilst", cover * 40_000)
    return box(b"ftyp", b"M4A \0\0\0\0M4A ") + box(b"moov", box(b"udta", full(b"meta", items)))


@trigger("heif-references.heic")
def thumbnails_among_references_to_many_items():
    # Whether an item is a thumbnail depends on the targets of all references.
    thumbnails = range(2, 2_002)
    picture = jpeg.picture()
    items = [item(1, b"jpeg")] + [item(number, b"jpeg") for number in thumbnails]
    places = [(1, (0, len(picture)))] + [(number, (len(picture), 2)) for number in thumbnails]
    references = [box(b"thmb", struct.pack(">HHH", number, 1, 1)) for number in thumbnails]
    references += [box(b"auxl", struct.pack(">HH", 1, 65_535) + b"\0\1" * 65_535)] * 25
    associations = [(1, [1])] + [(number, [1]) for number in thumbnails]
    return heif(items, places, references, [size(16, 16)], associations, 1, picture + b"\0\0")


# WebP


def riff(*chunks):
    content = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(content)) + content


def chunk(kind, data=b""):
    return kind + struct.pack("<I", len(data)) + data + bytes(len(data) % 2)


def extended(width, height, flags):
    return chunk(b"VP8X", bytes([flags, 0, 0, 0]) + struct.pack("<I", width - 1)[:3] + struct.pack("<I", height - 1)[:3])


@trigger("webp-frames.webp")
def frames_without_end():
    lossless = chunk(b"VP8L", b"\x2f\0\0\0\0\x88\x88\x08")
    frame = chunk(b"ANMF", bytes(12) + b"\1\0\0\0" + lossless)
    return riff(extended(4_000, 4_000, 2), chunk(b"ANIM", bytes(6)), frame * 190_000)


@trigger("webp-full-frames.webp")
def frames_of_sixteen_megapixels():
    header = struct.pack("<I", 3_999 | 3_999 << 14)
    lossless = chunk(b"VP8L", b"\x2f" + header + b"\x88\x88\x08")
    place = bytes(6) + struct.pack("<I", 3_999)[:3] + struct.pack("<I", 3_999)[:3] + b"\1\0\0\0"
    frame = chunk(b"ANMF", place + lossless)
    return riff(extended(4_000, 4_000, 2), chunk(b"ANIM", bytes(6)), frame * 190_000)


@trigger("webp-chunks.webp")
def chunks_without_content():
    return riff(extended(1, 1, 0), chunk(b"abcd") * 1_000_000)


@trigger("webp-size.webp")
def canvas_without_pixels():
    return riff(extended(1 << 24, 1 << 24, 0))


@trigger("webp-lossless-flat.webp")
def flat_lossless_picture():
    # One colour with codes of no bits: five tables of one symbol each.
    return riff(chunk(b"VP8L", b"\x2f" + struct.pack("<I", 9_900 - 1 | (9_900 - 1) << 14) + b"\x88\x88\x08"))


def lossless_pixel_of_many_groups(count):
    """A picture of one pixel whose entropy image states `count` groups of prefix codes, each with one symbol of no bits."""
    bits, used = 0, 0

    def put(value, width):
        nonlocal bits, used
        bits |= value << used
        used += width

    put(0x2F, 8)
    put(0, 28)  # 1 × 1
    put(0, 4)  # opaque, version 0
    put(0, 1)  # no transform
    put(0, 1)  # no colour cache
    put(1, 1)  # an entropy image
    put(0, 3)  # blocks of 4 × 4
    put(0, 1)  # which has no colour cache
    group = count - 1
    for symbol in (group & 255, group >> 8, 0, 0, 0):
        put(1 | (1 if symbol > 1 else 0) << 2, 3)
        put(symbol, 8 if symbol > 1 else 1)
    nibbles = int.from_bytes(b"\x11" * (count * 5 // 2), "little")
    put(nibbles, count * 20)
    return bits.to_bytes((used + 7) // 8, "little")


@trigger("webp-pixels-of-many-groups.webp")
def frames_of_one_pixel_with_many_groups_of_codes():
    lossless = chunk(b"VP8L", lossless_pixel_of_many_groups(65_536))
    frame = chunk(b"ANMF", bytes(12) + b"\1\0\0\0" + lossless)
    return riff(extended(1, 1, 2), chunk(b"ANIM", bytes(6)), frame * 48)


@trigger("webp-smallest-frames.webp")
def ten_thousand_frames_of_one_pixel():
    lossless = chunk(b"VP8L", b"\x2f\0\0\0\0\x88\x88\x08")
    frame = chunk(b"ANMF", bytes(12) + b"\1\0\0\0" + lossless)
    return riff(extended(1, 1, 2), chunk(b"ANIM", bytes(6)), frame * 10_000)


# ICO and BMP


@trigger("ico-entries.ico")
def entries_of_the_same_bytes():
    from png import png

    content = png(width=9_990, height=9_990, depth=1, color=0)
    entries = struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(content), 6 + 16 * 65_535) * 65_535
    return struct.pack("<HHH", 0, 1, 65_535) + entries + content


@trigger("ico-entries-bmp.ico")
def entries_of_the_same_bitmap():
    content = struct.pack("<IiiHHIIiiII", 40, 256, 512, 1, 32, 0, 0, 0, 0, 0, 0) + bytes(256 * 256 * 4 + 256 * 32)
    entries = struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, len(content), 6 + 16 * 65_535) * 65_535
    return struct.pack("<HHH", 0, 1, 65_535) + entries + content


def bmp(width, height, bits, compression=0, data=b"", colors=0):
    info = struct.pack("<IiiHHIIiiII", 40, width, height, 1, bits, compression, 0, 0, 0, colors, 0)
    return b"BM" + struct.pack("<IHHI", 54 + len(data), 0, 0, 54) + info + data


@trigger("bmp-size.bmp")
def size_without_pixels():
    return bmp(0x7FFFFFFF, -0x80000000, 32)


@trigger("bmp-100-mpx-runs.bmp")
def runs_of_nothing():
    return bmp(9_900, 9_900, 8, 1, bytes(1_024) + b"\0\1")


@trigger("bmp-runs.bmp")
def runs_without_end():
    return bmp(9_900, 9_900, 8, 1, bytes(1_024) + b"\1\0" * 3_900_000)


@trigger("bmp-colors.bmp")
def colours_that_are_only_declared():
    return bmp(1, 1, 8, colors=0xFFFFFFFF)
