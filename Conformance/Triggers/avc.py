"""H.264 in HEIF and MP4: macroblocks with all coefficients in few bytes, slices and parameter sets without end.

Coded macroblocks are written once as a slice of a part of a row, which is repeated at other addresses.
"""

import os
import re
import struct

import hevc
from containers import box
from hevc import sample
from trigger import table

TRIGGERS, trigger = table()

SOURCES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../Sources/AVCCodec/Slices")


class Bits(hevc.Bits):
    def signed(self, value):
        self.unsigned(2 * value - 1 if value > 0 else -2 * value)

    def text_with_end(self):
        text = self.text + "1"
        return text + "0" * (-len(text) % 8)


def escaped(payload):
    """Bytes with those that prevent start codes."""
    result, zeros = bytearray(), 0
    for byte in payload:
        if zeros >= 2 and byte <= 3:
            result.append(3)
            zeros = 0
        result.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return bytes(result)


def unit(kind, payload):
    return bytes([0x60 | kind]) + escaped(payload)


class Format:
    """Parameter sets and slice headers of intra-coded pictures. `options` name what they use."""

    def __init__(self, columns, rows, chroma=1, depth=8, options=""):
        self.columns, self.rows, self.chroma, self.depth = columns, rows, chroma, depth
        self.options = options.split()

    def has(self, option):
        return option in self.options

    def sequence_set(self):
        bits = Bits()
        bits.number(244, 8)
        bits.number(0, 8)
        bits.number(51, 8)
        bits.unsigned(0)
        bits.unsigned(self.chroma)
        if self.chroma == 3:
            bits.number(self.has("planes"), 1)
        bits.unsigned(self.depth - 8)
        bits.unsigned(self.depth - 8)
        bits.number(self.has("lossless"), 1)
        # Scaling lists that state all weights.
        bits.number(self.has("lists"), 1)
        if self.has("lists"):
            for index in range(12 if self.chroma == 3 else 8):
                bits.flags("1" + "1" * (16 if index < 6 else 64))
        # Frame numbers of four bits, no order of output, one reference, no gaps.
        for value in (0, 2, 1):
            bits.unsigned(value)
        bits.flags("0")
        is_interlaced = self.has("pairs") or self.has("fields")
        bits.unsigned(self.columns - 1)
        bits.unsigned((self.rows // 2 if is_interlaced else self.rows) - 1)
        bits.number(not is_interlaced, 1)
        if is_interlaced:
            bits.number(self.has("pairs"), 1)
        bits.flags("1 0 0")
        return unit(7, bits.bytes())

    def picture_set(self, identifier=0):
        bits = Bits()
        bits.unsigned(identifier)
        bits.unsigned(0)
        bits.number(self.has("cabac"), 1)
        bits.flags("0")
        for _ in range(3):
            bits.unsigned(0)
        bits.flags("000")
        for value in (0, 0, 0):
            bits.signed(value)
        # No control of deblocking; redundant pictures.
        bits.flags("00")
        bits.number(self.has("redundant"), 1)
        bits.number(1, 1)
        bits.number(self.has("lists"), 1)
        if self.has("lists"):
            for index in range(12 if self.chroma == 3 else 8):
                bits.flags("1" + "1" * (16 if index < 6 else 64))
        bits.signed(0)
        return unit(8, bits.bytes())

    def header(self, first, plane=0, qp=26):
        bits = Bits()
        bits.unsigned(first)
        bits.unsigned(7)
        bits.unsigned(0)
        if self.has("planes"):
            bits.number(plane, 2)
        bits.flags("0000")
        if self.has("fields") or self.has("pairs"):
            bits.number(self.has("fields"), 1)
            if self.has("fields"):
                bits.flags("0")
        bits.unsigned(0)
        if self.has("redundant"):
            bits.unsigned(1)
        bits.flags("00")
        bits.signed(qp - 26)
        return bits

    def record(self, *others):
        sequence, pictures = self.sequence_set(), [self.picture_set(), *others]
        content = b"\1\xf4\0\x33\xff\xe1" + struct.pack(">H", len(sequence)) + sequence + bytes([len(pictures)])
        return box(b"avcC", content + b"".join(struct.pack(">H", len(one)) + one for one in pictures))

    def still(self, *units):
        return hevc.still(16 * self.columns, 16 * self.rows, self.record(), b"".join(units), b"avc1")

    def repeated(self, macroblocks, count, byte_count=7_900_000):
        """Slices of `count` macroblocks, up to the end of the picture or the number of bytes."""
        units, size = [], 0
        for plane in range(3 if self.has("planes") else 1):
            for first in range(0, self.columns * self.rows // (2 if self.has("pairs") else 1), count):
                one = self.coded(self.header(first, plane), macroblocks)
                size += len(one) + 4
                if size > byte_count:
                    return sample(*units)
                units.append(one)
        return sample(*units)

    def coded(self, header, macroblocks):
        if self.has("cabac"):
            text = header.text + "1" * (-len(header.text) % 8)
            # The data has its escapes already, and few headers end with zeros.
            return unit(5, int(text, 2).to_bytes(len(text) // 8, "big")) + macroblocks
        bits = Bits()
        bits.text = header.text + macroblocks
        text = bits.text_with_end()
        return unit(5, int(text, 2).to_bytes(len(text) // 8, "big"))


# Arithmetic coding


def numbers(file, name):
    """A table of the decoder. Triggers need no independent one, because their pixels are compared with nothing."""
    with open(os.path.join(SOURCES, file)) as source:
        text = source.read().partition(name)[2].partition("= [")[2].partition("]")[0]
    return [int(number) for number in re.findall(r"-?\d+", text)]


class Encoder:
    """The arithmetic encoder (section 9.3.4), for slices whose quantization parameter is 26."""

    initial = numbers("ContextTables.swift", "initialContextValues")
    intervals = numbers("ProbabilityTables.swift", "lessProbableIntervals")
    transitions = numbers("ProbabilityTables.swift", "nextModels")

    def __init__(self):
        self.states = {}
        self.low, self.range, self.outstanding, self.bits, self.is_first = 0, 510, 0, [], True

    def state(self, context):
        if context not in self.states:
            index = context if context < 11 else context - 49
            value = min(max((self.initial[2 * index] * 26 >> 4) + self.initial[2 * index + 1], 1), 126)
            self.states[context] = (value - 64, 1) if value >= 64 else (63 - value, 0)
        return self.states[context]

    def encode(self, context, bin):
        state, likely = self.state(context)
        interval = self.intervals[state << 2 | self.range >> 6 & 3]
        self.range -= interval
        if bin == likely:
            state = min(state + 1, 62)
        else:
            self.low += self.range
            self.range = interval
            if state == 0:
                likely = 1 - likely
            state = self.transitions[128 | state << 1] >> 1
        self.states[context] = state, likely
        self.renormalize()

    def bypass(self, bin):
        self.low = 2 * self.low + (self.range if bin else 0)
        if self.low >= 1024:
            self.put(1)
            self.low -= 1024
        elif self.low < 512:
            self.put(0)
        else:
            self.low -= 512
            self.outstanding += 1

    def terminate(self, bin):
        self.range -= 2
        if bin:
            self.low += self.range
            self.range = 2
        self.renormalize()
        if bin:
            self.put(self.low >> 9 & 1)
            self.bits += [self.low >> 8 & 1, 1]

    def renormalize(self):
        while self.range < 256:
            if self.low < 256:
                self.put(0)
            elif self.low >= 512:
                self.low -= 512
                self.put(1)
            else:
                self.low -= 256
                self.outstanding += 1
            self.range *= 2
            self.low *= 2

    def put(self, bit):
        if self.is_first:
            self.is_first = False
        else:
            self.bits.append(bit)
        self.bits += [1 - bit] * self.outstanding
        self.outstanding = 0

    def bytes(self):
        text = "".join(map(str, self.bits))
        text += "0" * (-len(text) % 8)
        return escaped(int(text, 2).to_bytes(len(text) // 8, "big"))


def arithmetic(count, blocks, level, is_large=False):
    """Macroblocks of 4:0:0 or 4:2:0 whose blocks have all coefficients.

    `blocks` are those of chroma. All neighbours within a slice are coded alike, and there are none above.
    """
    encoder = Encoder()

    def coefficients(size, flag, significant, last, levels, maximum):
        if flag is not None:
            encoder.encode(flag, 1)
        for index in range(size - 1):
            place = min(index, 2) if size == 4 else index
            if size == 64:
                encoder.encode(402 + large_significant[index], 1)
                encoder.encode(417 + large_last[index], 0)
            else:
                encoder.encode(significant + place, 1)
                encoder.encode(last + place, 0)
        ones, greater = 0, 0
        for _ in range(size):
            first = 0 if greater else min(4, ones + 1)
            encoder.encode(levels + first, int(level > 1))
            if level > 1:
                for _ in range(level - 2):
                    encoder.encode(levels + 5 + min(maximum, greater), 1)
                if level < 15:
                    encoder.encode(levels + 5 + min(maximum, greater), 0)
                else:
                    encoder.bypass(0)
                greater += 1
            else:
                ones += 1
            encoder.bypass(0)

    large_significant = numbers("CoefficientScan.swift", "significantInFrame")
    large_last = numbers("CoefficientScan.swift", "let last")
    for index in range(count):
        left = index > 0
        # I_NxN, its transform, and predicted modes, which are DC.
        encoder.encode(3, 0)
        encoder.encode(399 + (1 if left and is_large else 0), int(is_large))
        for _ in range(4 if is_large else 16):
            encoder.encode(68, 1)
        if blocks:
            encoder.encode(64, 0)
        # The pattern: neighbours outside the slice count as coded.
        for _ in range(4):
            encoder.encode(73, 1)
        if blocks:
            encoder.encode(77 + (1 if left else 0), 1)
            encoder.encode(77 + 4 + (1 if left else 0), 1)
        encoder.encode(60, 0)
        if is_large:
            for _ in range(4):
                coefficients(64, None, 0, 0, 426, 4)
        else:
            for _ in range(16):
                # A block outside the slice counts as coded, as all others are.
                coefficients(16, 85 + 8 + 3, 105 + 29, 166 + 29, 227 + 20, 4)
        if blocks:
            for _ in range(2):
                coefficients(4, 85 + 12 + 3, 105 + 44, 166 + 44, 227 + 30, 3)
            for _ in range(blocks):
                coefficients(15, 85 + 16 + 3, 105 + 47, 166 + 47, 227 + 39, 4)
        encoder.terminate(int(index == count - 1))
    return encoder.bytes()


for name, options, chroma, level, is_large in (
        ("levels", "cabac", 1, 14, False), ("8x8", "cabac", 1, 14, True), ("fields", "cabac fields", 0, 1, False)):
    def make(options=options, chroma=chroma, level=level, is_large=is_large):
        format = Format(440, 440, chroma, 8, options)
        if "fields" in options:
            # The contexts of fields differ, so that levels are others.
            return format.still(format.repeated(arithmetic(110, 0, level, is_large), 110))
        return format.still(format.repeated(arithmetic(110, 8 if chroma else 0, level, is_large), 110))
    trigger(f"avc-cabac-{name}.avci")(make)


# Variable-length codes


def variable(format, count):
    """Macroblocks whose 4 x 4 blocks have sixteen coefficients of ±1 each."""
    text = ""
    for index in range(count):
        bits = Bits()
        # Field pairs state so before each pair; I_NxN of small transforms, predicted modes.
        if format.has("pairs"):
            bits.flags("1" if index % 2 == 0 else "")
        bits.unsigned(0)
        bits.flags("0" + "1" * 16)
        if format.chroma in (1, 2):
            bits.unsigned(0)
        # The code numbers of all blocks: 0 in gray and 4:4:4 is 15, in others 47.
        bits.unsigned(0 if format.chroma in (1, 2) else 1)
        bits.signed(0)
        text += bits.text
        text += residuals(index, 16, 16)
        if format.chroma == 3 and not format.has("planes"):
            text += residuals(index, 16, 16) * 2
    return text


def residuals(index, count, size):
    """Blocks of a component: the first ones have fewer neighbours, so that their tokens have other codes."""
    counts, text = {}, ""
    for block in range(count):
        x, y = block & 1 | block >> 1 & 2, block >> 1 & 1 | block >> 2 & 2
        left = 16 if x > 0 or index > 0 else None
        above = 16 if y > 0 else None
        both = [one for one in (left, above) if one is not None]
        near = (sum(both) + 1) // 2 if len(both) == 2 else sum(both)
        # Sixteen coefficients, three of which are trailing ones.
        text += "0000000000001000" if near < 2 else "111111"
        # Signs, and levels of a prefix without zeros. The first one has a suffix of one bit.
        text += "000" + "1" + "1" * 12
    return text


for name, format in (
        ("444", Format(300, 300, 3, 14)), ("planes", Format(300, 300, 3, 8, "planes"))):
    trigger(f"avc-cavlc-{name}.avci")(lambda format=format: format.still(format.repeated(variable(format, 100), 100)))


# Macroblocks and slices of few bits


def flat(format, count):
    """16 x 16 blocks of mode DC with neither AC coefficients nor chroma."""
    text = ""
    for index in range(count):
        bits = Bits()
        if format.has("pairs") and index % 2 == 0:
            bits.flags("1" if index % 4 else "0")
        bits.unsigned(3)
        if format.chroma in (1, 2):
            bits.unsigned(0)
        bits.signed(0)
        # No DC coefficients either.
        bits.flags("1" * (3 if format.chroma == 3 and not format.has("planes") else 1))
        text += bits.text
    return text


for name, format, count in (
        ("pairs", Format(440, 440, 1, 8, "pairs"), 440), ("444", Format(300, 300, 3, 14), 300),
        ("fields", Format(440, 440, 1, 8, "fields"), 440), ("planes", Format(320, 320, 3, 8, "planes"), 320),
        ("tall", Format(1, 4_095, 2, 10), 1), ("slices-of-lists", Format(440, 440, 1, 8, "lists"), 1)):
    def make(format=format, count=count):
        macroblocks = flat(format, count * (2 if format.has("pairs") else 1))
        if count > 1 or format.columns == 1:
            return format.still(format.repeated(macroblocks, count))
        return format.still(format.repeated(macroblocks, 1))
    trigger(f"avc-flat-{name}.avci")(make)


@trigger("avc-zeros.avci")
def most_probable_symbols():
    format = Format(440, 440, 1, 8, "cabac")
    return format.still(sample(format.coded(format.header(0), b"\0\0\3" * 2_600_000)))


@trigger("avc-zeros-444.avci")
def most_probable_symbols_of_three_components():
    format = Format(312, 312, 3, 14, "cabac")
    return format.still(sample(format.coded(format.header(0), b"\0\0\3" * 2_600_000)))


@trigger("avc-pcm.avci")
def samples_without_coding():
    format = Format(300, 300, 0, 8)
    bits = format.header(0)
    data = b"\x0d" + b"\x80" * 256
    bits.unsigned(25)
    text = bits.text + "0" * (-len(bits.text) % 8)
    data = (b"\x80" * 256 + b"\x0d\0")[:-1] * 30_000
    return format.still(sample(unit(5, int(text, 2).to_bytes(len(text) // 8, "big")) + data))


# Units without end


def small_slice(format):
    return format.coded(format.header(0), flat(format, 1))


@trigger("avc-empty-units.avci")
def units_without_content():
    format = Format(4, 4)
    return format.still(sample(b"\x06") * 1_500_000, sample(small_slice(format)))


@trigger("avc-slices-without-content.avci")
def tiles_of_slices_without_content():
    format = Format(4, 4)
    return hevc.grid(32, 64, format.record(), sample(*[b"\x65\x80"] * 40_000), b"avc1")


@trigger("avc-messages-without-content.avci")
def tiles_of_messages_without_content():
    format = Format(4, 4)
    return hevc.grid(32, 64, format.record(), sample(*[b"\x06"] * 40_000, small_slice(format)), b"avc1")


@trigger("avc-redundant-slices.avci")
def slices_that_are_skipped():
    format = Format(4, 4, options="redundant")
    return format.still(sample(format.coded(format.header(0), "1")) * 600_000)


@trigger("avc-slices-that-overlap.avci")
def slices_at_one_address():
    format = Format(400, 400)
    return format.still(sample(small_slice(format)) * 700_000)


@trigger("avc-parameter-sets-in-the-payload.avci")
def picture_after_many_parameter_sets():
    format = Format(4, 4, 3, 8, "lists")
    sets = sample(format.sequence_set(), format.picture_set())
    return format.still(sets * (7_900_000 // len(sets)), sample(small_slice(format)))


@trigger("avc-parameter-sets-and-slices.avci")
def parameter_sets_before_each_slice():
    format = Format(400, 400, 1, 8, "lists")
    units = []
    for first in range(60_000):
        units += [format.picture_set(), format.coded(format.header(first), flat(format, 1))]
    return format.still(sample(*units))


@trigger("avc-parameter-sets-of-tiles.avci")
def grid_of_many_parameter_sets():
    format = Format(4, 4, 3, 8, "lists")
    record = format.record(*[format.picture_set(index) for index in range(1, 250)])
    return hevc.grid(255, 64, record, sample(small_slice(format)), b"avc1")


@trigger("avc-sets-in-samples-of-tiles.avci")
def grid_of_pictures_after_many_parameter_sets():
    format = Format(4, 4, 3, 8, "lists")
    sets = sample(format.sequence_set(), format.picture_set())
    return hevc.grid(64, 64, format.record(), sets * 5_000 + sample(small_slice(format)), b"avc1")
