"""WebP, lossless: prefix codes that take few bits and much time or memory, and codes that end where the input does."""

import struct

from containers import chunk, riff
from trigger import table

TRIGGERS, trigger = table()


class Bits:
    """Bits of a VP8L stream, least significant first."""

    def __init__(self):
        self.parts = []
        self.count = 0

    def write(self, value, count):
        self.parts.append((value, count))
        self.count += count

    def bytes(self):
        data = bytearray((self.count + 7) // 8)
        position = 0
        for value, count in self.parts:
            index, shift = position >> 3, position & 7
            value <<= shift
            while value:
                data[index] |= value & 255
                value >>= 8
                index += 1
            position += count
        return bytes(data)


# The order in which the lengths of the code of lengths are stored.
ORDER = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]


def uniform(bits, length, limit_bits=None):
    """A code in which 2 ** length symbols have codes of that length. The lengths take no bits.

    The code of lengths has one symbol. The number of lengths follows unless it is that of the alphabet.
    """
    bits.write(0, 1)
    bits.write(15, 4)
    for symbol in ORDER:
        bits.write(1 if symbol == length else 0, 3)
    if limit_bits is None:
        bits.write(0, 1)
    else:
        bits.write(1, 1)
        bits.write((limit_bits - 2) // 2, 3)
        bits.write((1 << length) - 2, limit_bits)


def single(bits, symbol=0):
    """A code of one symbol."""
    bits.write(0b101 if symbol > 1 else 0b001, 3)
    bits.write(symbol, 8 if symbol > 1 else 1)


def reverse(value, count):
    return int(format(value, f"0{count}b")[::-1], 2)


def groups(width, height, numbers, code, cache_bits=0):
    """A picture of blocks of 4 × 4 pixels whose groups of codes are given, and the codes of all groups."""
    bits = Bits()
    bits.write(0, 1)
    if cache_bits:
        bits.write(1 | cache_bits << 1, 5)
    else:
        bits.write(0, 1)
    bits.write(1, 4)
    # The entropy image: eight bits each for green and red, which are the number of the group.
    bits.write(0, 1)
    uniform(bits, 8, 8)
    uniform(bits, 8)
    for _ in range(3):
        single(bits)
    for number in numbers:
        bits.write(reverse(number & 255, 8) | reverse(number >> 8, 8) << 8, 16)
    one = Bits()
    code(one)
    pattern = one.bytes()
    value = int.from_bytes(pattern, "little")
    for _ in range(max(numbers) + 1):
        bits.write(value, one.count)
    return riff(chunk(b"VP8L", b"\x2f" + struct.pack("<I", width - 1 | (height - 1) << 14) + bits.bytes()))


def extended_data(picture, data):
    """A picture of one chunk with further bytes of its stream."""
    return riff(chunk(b"VP8L", picture[20:] + data))


def long_codes(bits):
    """Five codes of 368 bits, 46 bytes, whose lengths take no bits."""
    for _ in range(4):
        uniform(bits, 8, 8)
    uniform(bits, 5, 6)


@trigger("webp-codes-at-the-end-of-input.webp")
def codes_that_start_eight_bytes_before_the_end_of_a_part():
    # The number of groups is one of the few for which a code of more than 64 bits starts on the eighth byte before offset
    # 65,536, after a code whose lengths take no bits. The same holds for many multiples of 1,400.
    return groups(8_660, 4, range(2_165), long_codes)


def large_codes(bits):
    """The codes of the largest alphabets: 2,048 colours of the cache, two levels of tables."""
    uniform(bits, 11, 12)
    for _ in range(3):
        uniform(bits, 8)
    uniform(bits, 5, 6)


@trigger("webp-code-tables.webp")
def tables_of_all_groups():
    return groups(1_024, 1_024, range(65_536), large_codes, cache_bits=11)


@trigger("webp-unused-groups.webp")
def groups_that_no_block_uses():
    return groups(4, 8, [0, 65_535], large_codes, cache_bits=11)


def transformed(width, height):
    """All transforms but the palette, of one block, and a colour cache: every code has one symbol."""
    bits = Bits()
    for kind in (0, 1):
        bits.write(1 | kind << 1 | 7 << 3, 6)
        bits.write(0, 1)
        single(bits, 11 if kind == 0 else 2)
        for _ in range(4):
            single(bits)
    bits.write(1 | 2 << 1, 3)
    bits.write(0, 1)
    bits.write(1 | 11 << 1, 5)
    bits.write(0, 1)
    single(bits, 7)
    for _ in range(4):
        single(bits)
    return riff(chunk(b"VP8L", b"\x2f" + struct.pack("<I", width - 1 | (height - 1) << 14) + bits.bytes()))


@trigger("webp-100-mpx-transforms.webp")
def largest_picture_with_all_transforms():
    return transformed(10_000, 10_000)


@trigger("webp-268-mpx-transforms.webp")
def picture_that_is_only_streamed():
    return transformed(16_383, 16_350)
