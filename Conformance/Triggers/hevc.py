"""HEVC in HEIF: parameter sets without end, deep samples, and images that are composed or turned."""

import struct

import jpeg
from containers import FILE_TYPE, box, full, heif, item, size
from trigger import table

TRIGGERS, trigger = table()


class Bits:
    """Bits of a parameter set or a header, most significant first."""

    def __init__(self):
        self.text = ""

    def flags(self, text):
        self.text += text.replace(" ", "")

    def number(self, value, count):
        self.text += format(value, f"0{count}b")

    def unsigned(self, value):
        digits = format(value + 1, "b")
        self.text += "0" * (len(digits) - 1) + digits

    def bytes(self, end="1"):
        """The bits, a stop bit, and zeros up to a whole byte."""
        text = self.text + end
        text += "0" * (-len(text) % 8)
        return int(text, 2).to_bytes(len(text) // 8, "big")


def unit(kind, payload):
    """A NAL unit; a zero after two zeros gets an emulation prevention byte."""
    data = bytearray([kind << 1, 1])
    zeros = 0
    for byte in payload:
        if zeros >= 2 and byte <= 3:
            data.append(3)
            zeros = 0
        data.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return bytes(data)


def sequence_set(width, height, chroma=1, depth=8, lists=False):
    bits = Bits()
    bits.flags("0000 000 1" + "0" * 96)
    bits.unsigned(0)
    bits.unsigned(chroma)
    if chroma == 3:
        bits.flags("0")
    bits.unsigned(width)
    bits.unsigned(height)
    bits.flags("0")
    bits.unsigned(depth - 8)
    bits.unsigned(depth - 8)
    bits.unsigned(0)
    bits.flags("1")
    # Orderings; coding blocks of 8 to 64 samples, transforms of 4 to 32, no depth.
    for value in (0, 0, 0, 0, 3, 0, 3, 0, 0):
        bits.unsigned(value)
    bits.flags("10" if lists else "0")
    bits.flags("000")
    bits.unsigned(0)
    bits.flags("000 0 0")
    return unit(33, bits.bytes())


def picture_set(identifier=0, lists=False):
    bits = Bits()
    bits.unsigned(identifier)
    bits.unsigned(0)
    bits.flags("0 0 000 0 0")
    for _ in range(3):
        bits.unsigned(0)
    bits.flags("0 0 0")
    bits.unsigned(0)
    bits.unsigned(0)
    bits.flags("0 0 0 0 0 0 1 0")
    # Twenty lists, each of which is the default one.
    bits.flags("1" + "01" * 20 if lists else "0")
    bits.flags("0")
    bits.unsigned(0)
    bits.flags("0 0")
    return unit(34, bits.bytes())


def slice_segment(data):
    """An intra slice of the whole picture: the header, and bytes of entropy-coded data."""
    return unit(19, b"") + slice_header() + data


def slice_header():
    bits = Bits()
    bits.flags("1 0")
    bits.unsigned(0)
    bits.unsigned(2)
    bits.unsigned(0)
    bits.flags("1")
    return bits.bytes()


def sample(*units):
    return b"".join(struct.pack(">I", len(content)) + content for content in units)


def configuration(*arrays):
    """A configuration record: arrays of units of the same kind."""
    content = b"\1" + bytes(20) + b"\xff" + bytes([len(arrays)])
    for units in arrays:
        content += bytes([units[0][0] >> 1]) + struct.pack(">H", len(units))
        content += b"".join(struct.pack(">H", len(content)) + content for content in units)
    return box(b"hvcC", content)


def repeated_sets(width, height, count):
    """A configuration of one sequence parameter set and many picture parameter sets with scaling lists."""
    picture = picture_set(lists=True)
    arrays = [[sequence_set(width, height, lists=True)]]
    while count > 0:
        arrays.append([picture] * min(count, 65_535))
        count -= 65_535
    return configuration(*arrays)


def grid(side, tile, record, data, kind=b"hvc1"):
    """A grid of distinct items that share a configuration and all bytes of a picture."""
    count = side * side
    layout = bytes([0, 0, side - 1, side - 1]) + struct.pack(">HH", side * tile, side * tile)
    numbers = range(2, 2 + count)
    reference = box(b"dimg", struct.pack(">HH", 1, count) + b"".join(struct.pack(">H", number) for number in numbers))
    return heif(
        [item(1, b"grid")] + [item(number, kind) for number in numbers],
        [(1, (0, len(layout)))] + [(number, (len(layout), len(data))) for number in numbers], [reference],
        [size(side * tile, side * tile), size(tile, tile), record],
        [(1, [1])] + [(number, [2, 3]) for number in numbers], 1, layout + data)


def still(width, height, record, data, kind=b"hvc1"):
    return heif([item(1, kind)], [(1, (0, len(data)))], [], [size(width, height), record], [(1, [1, 2])], 1, data)


@trigger("hevc-configuration-of-64-tiles.heic")
def small_grid_of_many_parameter_sets():
    return grid(8, 64, repeated_sets(64, 64, 2_000), sample(slice_segment(bytes(1_024))))


@trigger("hevc-configuration-of-1024-tiles.heic")
def grid_of_many_parameter_sets():
    return grid(32, 64, repeated_sets(64, 64, 5_000), sample(slice_segment(bytes(1_024))))


@trigger("hevc-configuration-of-65025-tiles.heic")
def largest_grid_of_many_parameter_sets():
    return grid(255, 32, repeated_sets(32, 32, 300_000), sample(slice_segment(bytes(1_024))))


@trigger("hevc-configurations.heic")
def records_that_tiles_use_in_turn():
    # Each tile has another of ten records than the one before.
    side, tile, count = 32, 64, 1_024
    data = sample(slice_segment(bytes(1_024)))
    layout = bytes([0, 0, side - 1, side - 1]) + struct.pack(">HH", side * tile, side * tile)
    numbers = range(2, 2 + count)
    reference = box(b"dimg", struct.pack(">HH", 1, count) + b"".join(struct.pack(">H", number) for number in numbers))
    records = [repeated_sets(64, 64, 40_000)] * 10
    return heif(
        [item(1, b"grid")] + [item(number, b"hvc1") for number in numbers],
        [(1, (0, len(layout)))] + [(number, (len(layout), len(data))) for number in numbers], [reference],
        [size(side * tile, side * tile), size(tile, tile)] + records,
        [(1, [1])] + [(number, [2, 3 + number % 10]) for number in numbers], 1, layout + data)


@trigger("hevc-parameter-sets-in-the-payload.heic")
def picture_after_many_parameter_sets():
    record = configuration([sequence_set(64, 64, lists=True)])
    picture = picture_set(lists=True)
    count = 7_900_000 // (4 + len(picture))
    return still(64, 64, record, sample(picture) * count + sample(slice_segment(bytes(1_024))))


@trigger("hevc-parameter-sets-in-the-record.heic")
def record_of_many_parameter_sets():
    return still(64, 64, repeated_sets(64, 64, 430_000), sample(slice_segment(bytes(1_024))))


@trigger("hevc-empty-units-in-the-record.heic")
def record_of_units_without_content():
    arrays = b"".join(b"\x22" + struct.pack(">H", 65_535) + bytes(2 * 65_535) for _ in range(55))
    record = box(b"hvcC", b"\1" + bytes(20) + b"\xff" + bytes([55]) + arrays)
    return still(64, 64, record, sample(slice_segment(bytes(1_024))))


@trigger("hevc-slices-without-content.heic")
def tiles_of_slices_without_content():
    record = configuration([sequence_set(64, 64)], [picture_set()])
    return grid(32, 64, record, sample(*[unit(19, b"\x80")] * 40_000))


@trigger("hevc-messages-without-content.heic")
def tiles_of_messages_without_content():
    record = configuration([sequence_set(64, 64)], [picture_set()])
    return grid(32, 64, record, sample(*[unit(39, b"")] * 40_000, slice_segment(bytes(1_024))))


def image_sequence(record, data, count, *tables):
    """Frames of 64 × 64 pixels, the same data for each."""
    entry = box(b"hvc1", bytes(6) + b"\0\1" + bytes(16) + struct.pack(">HH", 64, 64) + bytes(50) + record)
    kind = box(b"ftyp", b"msf1\0\0\0\0msf1hevc")

    def movie(start):
        samples = box(
            b"stbl", full(b"stsd", struct.pack(">I", 1), entry), full(b"stts", struct.pack(">III", 1, count, 100)),
            full(b"stsc", struct.pack(">IIII", 1, 1, count, 1)),
            full(b"stsz", struct.pack(">II", len(data), count)), full(b"stco", struct.pack(">II", 1, start)), *tables)
        media = box(
            b"mdia", full(b"mdhd", struct.pack(">QIII", 0, 1_000, 100 * count, 0)),
            full(b"hdlr", bytes(4) + b"pict" + bytes(13)), box(b"minf", samples))
        matrix = struct.pack(">9I", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
        header = full(
            b"tkhd", bytes(8) + struct.pack(">I", 1) + bytes(24) + matrix + struct.pack(">II", 64 << 16, 64 << 16))
        return box(
            b"moov", full(b"mvhd", struct.pack(">QII", 0, 1_000, 100 * count) + bytes(80)), box(b"trak", header, media))

    start = len(kind) + len(movie(0)) + 8
    return kind + movie(start) + box(b"mdat", data * count)


@trigger("hevc-sequence.heics")
def frames_that_share_many_parameter_sets():
    return image_sequence(repeated_sets(64, 64, 45_000), sample(slice_segment(bytes(1_024))), 60)


@trigger("hevc-sequence-order.heics")
def frames_that_are_shown_in_reverse_and_many_sync_samples():
    count, sync_count = 1_000, 1_600_000
    offsets = b"".join(struct.pack(">II", 1, 200 * (count - index)) for index in range(count))
    return image_sequence(
        configuration([sequence_set(64, 64)], [picture_set()]), sample(slice_segment(bytes(1_024))), count,
        full(b"ctts", struct.pack(">I", count), offsets),
        full(b"stss", struct.pack(">I", sync_count), struct.pack(">I", count) * sync_count))


def deep(side, chroma, depth, byte_count):
    """A picture of zeros: each block gets coefficients."""
    record = configuration([sequence_set(side, side, chroma, depth)], [picture_set()])
    return still(side, side, record, sample(slice_segment(bytes(byte_count))))


@trigger("hevc-16-bit-96-mpx.heic")
def largest_picture_of_deep_samples():
    return deep(9_792, 0, 16, 7_900_000)


@trigger("hevc-16-bit-48-mpx.heic")
def picture_of_deep_samples():
    return deep(6_976, 0, 16, 7_900_000)


@trigger("hevc-16-bit-444.heic")
def picture_of_deep_samples_of_three_components():
    return deep(4_992, 3, 16, 7_900_000)


@trigger("hevc-8-bit-96-mpx.heic")
def largest_picture_of_bytes():
    return deep(9_792, 0, 8, 7_900_000)


def overlay(canvas, source):
    """An overlay of one JPEG picture of `source` columns and rows on a canvas of `canvas` ones."""
    picture = jpeg.picture(width=source, height=source)
    layout = bytes(2) + b"\xff" * 8 + struct.pack(">HHHH", canvas, canvas, 0, 1)
    reference = box(b"dimg", struct.pack(">HHH", 1, 1, 2))
    return heif(
        [item(1, b"iovl"), item(2, b"jpeg")], [(1, (0, len(layout))), (2, (len(layout), len(picture)))], [reference],
        [size(canvas, canvas), size(source, source)], [(1, [1]), (2, [2])], 1, layout + picture)


@trigger("heif-overlay.heic")
def overlay_at_the_default_limits():
    return overlay(5_500, 5_500)


@trigger("heif-overlay-server.heic")
def overlay_at_the_limits_of_servers():
    return overlay(3_900, 3_900)


def turned(side, crop):
    """A picture that is cropped, and then turned by a quarter."""
    record = configuration([sequence_set(side, side, 3, 12)], [picture_set()])
    aperture = box(b"clap", struct.pack(">8i", crop, 1, crop, 1, 0, 1, 0, 1))
    data = sample(slice_segment(bytes(1_000_000)))
    return heif(
        [item(1, b"hvc1")], [(1, (0, len(data)))], [], [size(side, side), record, aperture, box(b"irot", b"\1")],
        [(1, [1, 2, 3, 4])], 1, data)


@trigger("heif-cropped-and-turned.heic")
def crop_at_the_default_limits():
    return turned(6_400, 6_398)


@trigger("heif-cropped-and-turned-server.heic")
def crop_at_the_limits_of_servers():
    return turned(4_480, 4_478)
