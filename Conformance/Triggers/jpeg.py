"""JPEG: segments without end, scans that cost nothing to write, and EXIF, XMP and thumbnails inside."""

import struct

from trigger import table

TRIGGERS, trigger = table()
SOI, EOI = b"\xff\xd8", b"\xff\xd9"


def segment(marker, data=b""):
    return b"\xff" + bytes([marker]) + struct.pack(">H", len(data) + 2) + data


def huffman(identifier, counts, symbols):
    """A table: how many codes of 1 to 16 bits, and what they mean."""
    return segment(0xC4, bytes([identifier]) + bytes(counts + [0] * (16 - len(counts))) + bytes(symbols))


QUANTIZATION = segment(0xDB, b"\0" + b"\1" * 64)
# DC: 0 is a difference of nothing. AC: 0 is eight bits of the next coefficient, 10 the end of the block.
TABLES = QUANTIZATION + huffman(0x00, [1], [0]) + huffman(0x10, [1, 1], [0x08, 0x00])
# AC of progressive scans: 0 is a run of 2^14 blocks and 14 bits more, 10 is one block.
RUNS = QUANTIZATION + huffman(0x00, [1], [0]) + huffman(0x10, [1, 1], [0xE0, 0x00])


def frame(width, height, components=1, kind=0xC0, sampling=0x11):
    parts = b"".join(bytes([i + 1, sampling if i == 0 else 0x11, 0]) for i in range(components))
    return segment(kind, struct.pack(">BHHB", 8, height, width, components) + parts)


def scan(components=(1,), start=0, end=63, approximation=0):
    parts = b"".join(bytes([component, 0]) for component in components)
    return segment(0xDA, bytes([len(components)]) + parts + bytes([start, end, approximation]))


def picture(before=b"", width=8, height=8):
    """A flat gray picture: no difference and the end of the block, one bit and two for each."""
    blocks = ((width + 7) // 8) * ((height + 7) // 8)
    bits = "010" * blocks
    bits += "1" * (-len(bits) % 8)
    data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    return SOI + before + TABLES + frame(width, height) + scan() + data + EOI


@trigger("jpeg-extended-xmp-pieces.jpg")
def extended_xmp_in_small_pieces():
    identifier, total = b"0" * 32, 3_400_000
    main = b"http://ns.adobe.com/xap/1.0/\0<x xmpNote:HasExtendedXMP='" + identifier + b"'/>"
    pieces = [
        segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0" + identifier + struct.pack(">II", total, i) + b"x" * 100)
        for i in range(0, total, 100)]
    return picture(segment(0xE1, main) + b"".join(pieces))


@trigger("jpeg-extended-xmp-large.jpg")
def extended_xmp_in_large_pieces():
    identifier, total = b"0" * 32, 7_800_000
    main = b"http://ns.adobe.com/xap/1.0/\0<x xmpNote:HasExtendedXMP='" + identifier + b"'/>"
    pieces = [
        segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0" + identifier + struct.pack(">II", total, i) + b"x" * 60_000)
        for i in range(0, total, 60_000)]
    return picture(segment(0xE1, main) + b"".join(pieces))


@trigger("jpeg-xmp-many.jpg")
def xmp_packets_without_end():
    return picture(segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x/>") * 200_000)


@trigger("jpeg-exif-many.jpg")
def exif_blocks_without_end():
    return picture(segment(0xE1, b"Exif\0\0MM\0*\0\0\0\x08\0\0\0\0\0\0") * 340_000)


@trigger("jpeg-iptc-many.jpg")
def photoshop_blocks_without_end():
    block = b"Photoshop 3.0\0" + b"8BIM\4\4\0\0\0\0\0\x0a" + b"\x1c\2\x78\0\5hello"
    return picture(segment(0xED, block) * 180_000)


@trigger("jpeg-icc-pieces.jpg")
def profile_in_pieces():
    return picture(b"".join(segment(0xE2, b"ICC_PROFILE\0" + bytes([i % 255 + 1, 255]) + bytes(30_000)) for i in range(255)))


@trigger("jpeg-app-segments.jpg")
def segments_without_content():
    return picture(segment(0xEF) * 2_000_000)


@trigger("jpeg-comments.jpg")
def comments_of_one_letter():
    return picture(segment(0xFE, b"c") * 1_600_000)


@trigger("jpeg-fill-bytes.jpg")
def fill_bytes():
    return SOI + b"\xff" * 8_000_000 + picture()[2:]


@trigger("jpeg-tables.jpg")
def tables_without_end():
    return SOI + TABLES * 68_000 + picture()[2:]


@trigger("jpeg-one-long-scan.jpg")
def one_scan_of_many_bytes():
    side = 2_640
    return SOI + TABLES + frame(side, side, 3) + scan((1,)) + bytes(7_700_000) + EOI


@trigger("jpeg-long-progressive-scan.jpg")
def one_progressive_scan_of_many_bytes():
    side = 2_640
    return (
        SOI + TABLES + frame(side, side, 1, kind=0xC2) + scan(end=0) + bytes(14_000) + scan(start=1) + bytes(7_700_000)
        + EOI)


def scan_bomb(width, height, count, components=1, kind=0xC2):
    """Every scan says that all blocks of the picture have ended."""
    blocks = ((width + 7) // 8) * ((height + 7) // 8)
    dc = scan(tuple(range(1, components + 1)), end=0) + bytes(blocks * components // 8 + 1)
    bits = "0" + "1" * 14
    bits = bits * (blocks // 32_767 + 1)
    bits += "1" * (-len(bits) % 8)
    runs = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
    return SOI + RUNS + frame(width, height, components, kind) + dc + (scan(start=1) + runs) * count + EOI


@trigger("jpeg-scans-100.jpg")
def scans_up_to_the_limit():
    return scan_bomb(9_900, 9_900, 99)


@trigger("jpeg-scans-20000.jpg")
def scans_without_end():
    return scan_bomb(4_000, 4_000, 20_000)


@trigger("jpeg-scans-colour.jpg")
def scans_of_a_colour_picture():
    return scan_bomb(5_000, 5_000, 99, components=3)


@trigger("jpeg-arithmetic-empty.jpg")
def arithmetic_coding_without_data():
    return SOI + QUANTIZATION + frame(9_900, 9_900, 1, kind=0xC9) + scan() + EOI


@trigger("jpeg-arithmetic-progressive-empty.jpg")
def progressive_arithmetic_coding_without_data():
    scans = scan(end=0) + b"".join(scan(start=1, approximation=0x10 if i else 1) for i in range(90))
    return SOI + QUANTIZATION + frame(9_900, 9_900, 1, kind=0xCA) + scans + EOI


@trigger("jpeg-arithmetic-fill-bytes.jpg")
def arithmetic_coding_before_fill_bytes():
    return SOI + QUANTIZATION + frame(9_900, 9_900, 1, kind=0xC9) + scan() + b"\xff" * 8_000_000 + EOI[1:]


@trigger("jpeg-arithmetic-restarts.jpg")
def arithmetic_intervals_of_one_block():
    markers = b"".join(b"\xff" + bytes([0xD0 + i % 8]) for i in range(1_200 * 1_200))
    return SOI + QUANTIZATION + segment(0xDD, b"\0\1") + frame(9_600, 9_600, kind=0xC9) + scan() + markers * 2 + EOI


@trigger("jpeg-baseline-empty.jpg")
def baseline_without_data():
    return SOI + TABLES + frame(9_900, 9_900, 3) + scan((1, 2, 3)) + EOI


@trigger("jpeg-sampled-empty.jpg")
def sampled_without_data():
    return SOI + TABLES + frame(9_900, 9_900, 3, sampling=0x44) + scan((1, 2, 3)) + EOI


@trigger("jpeg-size.jpg")
def size_without_pixels():
    return SOI + TABLES + frame(65_535, 65_535, 3) + scan((1, 2, 3)) + EOI


@trigger("jpeg-restarts.jpg")
def restart_after_every_block():
    blocks = 1_200 * 1_200
    data = b"".join(b"\x5f\xff" + bytes([0xD0 + i % 8]) for i in range(blocks))
    return SOI + TABLES + segment(0xDD, b"\0\1") + frame(9_600, 9_600) + scan() + data + EOI


@trigger("jpeg-wrong-restarts.jpg")
def restarts_out_of_order():
    return SOI + TABLES + segment(0xDD, b"\0\1") + frame(9_600, 9_600) + scan() + b"\x5f\xff\xd5" * 2_500_000 + EOI


@trigger("jpeg-frames.jpg")
def frame_headers_without_end():
    return SOI + TABLES + frame(8, 8) * 600_000 + scan() + b"\x5f" + EOI


# EXIF and what is inside of it


def exif(content):
    return segment(0xE1, b"Exif\0\0" + content)


def entry(tag, kind, count, value):
    return struct.pack(">HHII", tag, kind, count, value)


def directory(*entries, following=0):
    return struct.pack(">H", len(entries)) + b"".join(entries) + struct.pack(">I", following)


@trigger("jpeg-exif-cycle.jpg")
def directory_that_follows_itself():
    return picture(exif(b"MM\0*\0\0\0\x08" + directory(entry(0x8769, 4, 1, 8), entry(0x8825, 4, 1, 8), following=8)))


@trigger("jpeg-exif-fields.jpg")
def fields_over_the_same_bytes():
    fields = [entry(0x9000 + i % 2_000, 7, 60_000, 8) for i in range(5_000)]
    return picture(exif(b"MM\0*\0\0\0\x08" + directory(*fields)))


@trigger("jpeg-nested-thumbnails.jpg")
def thumbnails_of_thumbnails():
    inner = picture()
    for _ in range(60):
        head = b"MM\0*\0\0\0\x08" + directory(following=14)
        table = directory(entry(0x0201, 4, 1, 44), entry(0x0202, 4, 1, len(inner)))
        inner = picture(exif(head + table + inner))
    return inner


@trigger("jpeg-large-thumbnail.jpg")
def thumbnail_of_many_pixels():
    inner = SOI + TABLES + frame(9_900, 9_900, 1) + scan() + EOI
    head = b"MM\0*\0\0\0\x08" + directory(following=14)
    table = directory(entry(0x0201, 4, 1, 44), entry(0x0202, 4, 1, len(inner)))
    return picture(exif(head + table + inner))


@trigger("jpeg-pictures-to-itself.jpg")
def index_of_pictures_that_are_the_file():
    entries = b"".join(struct.pack(">IIIHH", 0x020003, 0xFFFFFFF, 0, 0, 0) for _ in range(4_000))
    index = b"MM\0*\0\0\0\x08" + directory(entry(0xB001, 4, 1, 4_000), entry(0xB002, 7, len(entries), 38)) + entries
    return picture(segment(0xE2, b"MPF\0" + index))
