"""AV1 in HEIF: every filter, the smallest tiles, film grain, and OBUs without end."""

import random

import hevc
from containers import box
from hevc import Bits
from trigger import table

TRIGGERS, trigger = table()


def obu(kind, payload):
    count, digits = len(payload), b""
    while count > 127:
        digits += bytes([count & 127 | 128])
        count >>= 7
    return bytes([kind << 3 | 2]) + digits + bytes([count]) + payload


class Picture:
    """A still picture with a reduced header. `options` name what the frame uses."""

    def __init__(self, width, height, chroma=1, depth=8, options=""):
        self.width, self.height, self.chroma, self.depth = width, height, chroma, depth
        self.options = options.split()

    def has(self, option):
        return option in self.options

    @property
    def profile(self):
        return 2 if self.depth == 12 or self.chroma == 2 else 1 if self.chroma == 3 else 0

    def sequence_header(self):
        bits = Bits()
        bits.number(self.profile, 3)
        bits.flags("1 1 01000 1111 1111")
        bits.number(self.width - 1, 16)
        bits.number(self.height - 1, 16)
        bits.number(self.has("large"), 1)
        bits.flags("1 1")
        for option in ("superres", "cdef", "restoration"):
            bits.number(self.has(option), 1)
        bits.number(self.depth > 8, 1)
        if self.profile == 2 and self.depth > 8:
            bits.number(self.depth == 12, 1)
        if self.profile != 1:
            bits.number(self.chroma == 0, 1)
        bits.flags("0 1")
        if self.chroma:
            if self.profile == 2 and self.depth == 12:
                bits.number(self.chroma < 3, 1)
                if self.chroma < 3:
                    bits.number(self.chroma == 1, 1)
            if self.chroma == 1:
                bits.flags("00")
            bits.flags("0")
        bits.number(self.has("grain"), 1)
        return obu(1, bits.bytes())

    def frame(self, data):
        bits = Bits()
        is_screen, is_copying = self.has("screen"), self.has("intrabc")
        bits.number(not self.has("adaptive"), 1)
        bits.number(is_screen or is_copying, 1)
        if is_screen or is_copying:
            bits.flags("1")
        if self.has("superres"):
            bits.flags("1 111")
        bits.flags("0")
        if (is_screen or is_copying) and not self.has("superres"):
            bits.number(is_copying, 1)
        tile_bits = self.tiles(bits)
        bits.number(1 if self.has("fine") else 120, 8)
        bits.flags("0" + ("00" if self.chroma else ""))
        if self.has("matrices"):
            bits.flags("1 0000" + ("0000" if self.chroma else ""))
        else:
            bits.flags("0")
        bits.flags("0")
        bits.flags("0")
        if not is_copying:
            self.filters(bits)
        bits.flags("1 0")
        if self.has("grain"):
            self.grain(bits)
        # A tile group follows on a byte. It states no start and end if there are several tiles. All but the last one
        # are preceded by their lengths.
        content, count = bits.bytes(end="") + (b"\0" if tile_bits else b""), 1 << tile_bits
        tile = data[: max(1, len(data) // count)]
        return obu(6, content + ((len(tile) - 1).to_bytes(4, "little") + tile) * (count - 1) + tile)

    def tiles(self, bits):
        """Writes the layout of tiles: one, or as many as possible. Returns the bits of their number."""
        side = 128 if self.has("large") else 64
        width = (self.width * 8 + 8) // 16 if self.has("superres") else self.width
        columns, rows = -(-width // side), -(-self.height // side)

        def logarithm(block, target):
            power = 0
            while block << power < target:
                power += 1
            return power

        bits.flags("1")
        widest, area = 4096 // side, 4096 * 2304 // side // side
        least, most = logarithm(widest, columns), logarithm(1, min(columns, 64))
        across = most if self.has("tiles") else least
        bits.flags("1" * (across - least) + ("0" if across < most else ""))
        least = max(logarithm(area, columns * rows) - across, 0)
        most = logarithm(1, min(rows, 64))
        down = most if self.has("tiles") else max(least, 0)
        bits.flags("1" * (down - least) + ("0" if down < most else ""))
        if across + down:
            bits.number(0, across + down)
            bits.flags("11")
        return across + down

    def filters(self, bits):
        if self.has("deblocking"):
            bits.number(63, 6)
            bits.number(63, 6)
            if self.chroma:
                bits.number(63, 6)
                bits.number(63, 6)
            bits.number(0, 3)
        else:
            bits.number(0, 15)
        bits.flags("0")
        if self.has("cdef"):
            bits.flags("11 11")
            for _ in range(8):
                bits.flags("1111 11" + ("1111 11" if self.chroma else ""))
        if self.has("restoration"):
            kind = "10" if self.has("wiener") else "11"
            bits.flags(kind * (3 if self.chroma else 1))
            # Units of 64 samples, or of 128 with large superblocks.
            bits.flags("0")
            if self.chroma == 1:
                bits.flags("0")

    def grain(self, bits):
        bits.flags("1")
        bits.number(1234, 16)
        points = "".join(format(16 * place, "08b") + format(200 - place, "08b") for place in range(14))
        bits.flags("1110" + points)
        if self.chroma:
            bits.flags("0")
            points = "".join(format(20 * place, "08b") + format(200 - place, "08b") for place in range(10))
            bits.flags(("1010" + points) * 2)
        bits.flags("11 11")
        bits.number(int.from_bytes(bytes(range(100, 124)), "big"), 24 * 8)
        if self.chroma:
            bits.number(int.from_bytes(bytes(range(100, 125)) * 2, "big"), 50 * 8)
        bits.flags("00 00")
        if self.chroma:
            bits.flags("10000000 11000000 100000000" * 2)
        bits.flags("1 1")

    def record(self):
        flags = (self.depth > 8) << 6 | (self.depth == 12) << 5 | (self.chroma == 0) << 4
        flags |= (self.chroma < 3) << 3 | (self.chroma < 2) << 2
        return box(b"av1C", bytes([0x81, self.profile << 5 | 8, flags, 0]))

    def still(self, data, before=b"", count=1):
        content = self.sequence_header() + before + self.frame(data) * count
        return hevc.still(self.width, self.height, self.record(), content, b"av01")


def noise(count):
    return random.Random(count).randbytes(count)


ONES = b"\xff" * 100_000
FILTERS = "deblocking cdef restoration matrices fine"
CASES = {
    "of-nothing": (Picture(8_192, 8_192, 1, 8), ONES),
    "filtered": (Picture(4_992, 4_992, 1, 8, FILTERS), ONES),
    "noise": (Picture(7_040, 7_040, 0, 8, "fine"), noise(7_900_000)),
    "12-bits": (Picture(4_160, 4_160, 0, 12, FILTERS), noise(7_900_000)),
    "444-of-12-bits": (Picture(4_992, 4_992, 3, 12, FILTERS + " grain"), noise(7_900_000)),
    "444-wiener": (Picture(4_992, 4_992, 3, 12, "deblocking cdef restoration wiener"), noise(100_000)),
    "422": (Picture(4_992, 4_992, 2, 10, FILTERS + " large adaptive"), noise(100_000)),
    "grain": (Picture(5_632, 5_632, 1, 8, "grain"), ONES),
    "grain-wide": (Picture(65_536, 480, 1, 10, "grain"), ONES),
    "superres": (Picture(4_160, 4_160, 1, 8, FILTERS + " superres"), noise(100_000)),
    "screen": (Picture(6_000, 6_000, 3, 8, "screen adaptive"), noise(1_000_000)),
    "intrabc": (Picture(6_000, 6_000, 3, 8, "intrabc adaptive"), noise(1_000_000)),
    "tiles": (Picture(4_096, 4_096, 1, 8, FILTERS + " tiles adaptive"), noise(8_192)),
    "tiles-of-noise": (Picture(4_096, 4_096, 3, 8, FILTERS + " tiles"), noise(7_900_000)),
    "wide": (Picture(65_536, 16, 1, 8, FILTERS), noise(10_000)),
    "tall": (Picture(16, 65_536, 1, 8, FILTERS + " grain"), noise(10_000)),
    "ones": (Picture(4_160, 4_160, 1, 8, FILTERS), b"\xff" * 7_900_000),
}
for name, (picture, data) in CASES.items():
    trigger(f"av1-{name}.avif")(lambda picture=picture, data=data: picture.still(data))


@trigger("av1-frames.avif")
def frames_without_end():
    return Picture(4_096, 4_096, 1, 8, FILTERS).still(bytes(64), count=50_000)


@trigger("av1-sequence-headers.avif")
def sequence_headers_without_end():
    picture = Picture(64, 64)
    return picture.still(bytes(64), before=picture.sequence_header() * 500_000)


@trigger("av1-empty-obus.avif")
def padding_without_content():
    return Picture(64, 64).still(bytes(64), before=obu(15, b"") * 3_900_000)


@trigger("av1-tiles-of-empty-obus.avif")
def tiles_of_padding_without_content():
    picture = Picture(64, 64, options="grain")
    data = picture.sequence_header() + obu(15, b"") * 100_000 + picture.frame(bytes(1_024))
    return hevc.grid(32, 64, picture.record(), data, b"av01")


@trigger("av1-small-tiles.avif")
def largest_grid():
    picture = Picture(64, 64, 3, 12, FILTERS + " grain")
    return hevc.grid(255, 64, picture.record(), picture.sequence_header() + picture.frame(noise(2_000)), b"av01")
