"""The cases of H.264, in MP4, QuickTime and HEIF: streams by x264 from pictures made here, planes by ffmpeg's decoder, RGB by
the equations of H.273.

ffmpeg must be installed with libx264. The boxes are those of HEIF and of ffmpeg. x264 writes no pairs of fields: such
streams are made of two streams of x264, whose headers are written again here, or of PCM macroblocks. Another version of
x264 makes other streams, and thereby other references.
"""

import hashlib
import struct
import tempfile

import heif
from heif import ALPHA, FORMATS, Item, Planes, box, extent, grid, image, rgb, run, turned, units

QUIET = ["ffmpeg", "-loglevel", "error"]
SLICES, SEQUENCE, PICTURE = (1, 5), 7, 8


# Streams


def encoded(pictures, options="", rate=25, profile=()):
    first = pictures[0]
    pixels = FORMATS[first.layout, first.depth]
    raw = ["-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{first.width}x{first.height}", "-r", str(rate), "-i", "-"]
    settings = "keyint=1:threads=1:qp=26" + options
    return run(
        *QUIET, *raw, "-c:v", "libx264", *profile, "-pix_fmt", pixels, "-x264-params", settings, "-f", "h264", "-",
        data=b"".join(picture.bytes() for picture in pictures))


def decoded(stream, width, height, layout, depth, full=False):
    # The decoder adds grey chroma to pictures without it; conversion to gray would change the range of luma.
    decoder_layout = "420" if layout == "400" else layout
    pixels = "yuvj420p" if full else FORMATS[decoder_layout, depth]
    data = run(*QUIET, "-f", "h264", "-i", "-", "-f", "rawvideo", "-pix_fmt", pixels, "-", data=stream)
    columns, rows = heif.chroma_size(width, height, decoder_layout)
    size = (width * height + 2 * columns * rows) * (1 if depth == 8 else 2)
    assert data and len(data) % size == 0
    pictures = [Planes.parse(data[at : at + size], width, height, decoder_layout, depth) for at in range(0, len(data), size)]
    if layout == "400":
        pictures = [Planes(width, height, layout, depth, picture.planes[:1]) for picture in pictures]
    return pictures


class Coded:
    """Pictures coded by x264: the configuration record, the samples, the planes that ffmpeg decodes."""

    kind, record, decoder = "avc1", "avcC", "ffmpeg"

    def __init__(self, pictures, options="", profile=()):
        first = pictures[0]
        self.take(
            encoded(pictures, options, profile=profile), first.width, first.height, first.layout, first.depth,
            "fullrange=on" in options)
        assert len(self.samples) == len(pictures)

    @classmethod
    def stream(cls, stream, *format):
        coded = cls.__new__(cls)
        coded.take(stream, *format)
        return coded

    def take(self, stream, width, height, layout, depth, full=False):
        self.width, self.height = width, height
        self.planes = decoded(stream, width, height, layout, depth, full)
        sets, samples, previous = {}, [], None
        for unit in units(stream):
            kind = unit[0] & 31
            if kind in (SEQUENCE, PICTURE):
                sets[kind] = unit
            elif kind in SLICES:
                # A picture starts with an instantaneous refresh, unless it is a slice of the same one.
                header = Bits(unit[1:])
                if kind == 5 and header.unsigned() == 0:
                    samples.append(b"")
                samples[-1] += struct.pack(">I", len(unit)) + unit
        self.samples, self.configuration = samples, configuration(sets, layout, depth)


def configuration(sets, layout, depth):
    """The decoder configuration record: ISO/IEC 14496-15, 5.3.3.1."""
    profile = sets[SEQUENCE][1:4]
    record = b"\1" + profile + b"\xFF\xE1" + struct.pack(">H", len(sets[SEQUENCE])) + sets[SEQUENCE]
    record += b"\1" + struct.pack(">H", len(sets[PICTURE])) + sets[PICTURE]
    if profile[0] in (100, 110, 122, 144):
        chroma = {"400": 0, "420": 1, "422": 2, "444": 3}[layout]
        record += bytes([0xFC | chroma, 0xF8 | depth - 8, 0xF8 | depth - 8, 0])
    return record


# Bits


class Bits:
    """Reads the bits of a payload without the bytes that prevent start codes."""

    def __init__(self, data):
        data = data.replace(b"\0\0\3", b"\0\0")
        self.text, self.position = "".join(f"{byte:08b}" for byte in data), 0

    def read(self, count):
        self.position += count
        return int(self.text[self.position - count : self.position] or "0", 2)

    def unsigned(self):
        zeros = self.text.index("1", self.position) - self.position
        self.position += zeros
        return self.read(zeros + 1) - 1

    def rest(self):
        """The remaining bits without the trailing ones."""
        return self.text[self.position : self.text.rindex("1")]


def unsigned(value):
    digits = f"{value + 1:b}"
    return "0" * (len(digits) - 1) + digits


def unit(kind, bits, importance=3):
    bits += "1"
    bits += "0" * (-len(bits) % 8)
    payload, zeros = bytearray(), 0
    for byte in int(bits, 2).to_bytes(len(bits) // 8, "big"):
        if zeros >= 2 and byte <= 3:
            payload.append(3)
            zeros = 0
        payload.append(byte)
        zeros = zeros + 1 if byte == 0 else 0
    return b"\0\0\0\1" + bytes([importance << 5 | kind]) + payload


# Pairs of fields


def field_sequence(columns, rows, chroma=1, crop=None):
    """A sequence parameter set of pairs of fields. `rows` are macroblocks of a field, `crop` is a number of rows."""
    bits = f"{122 if chroma == 2 else 100:08b}{0:08b}{30:08b}" + unsigned(0)
    bits += unsigned(chroma) + unsigned(0) + unsigned(0) + "00"
    # Frame numbers of four bits, no order of output, one reference, no gaps.
    bits += unsigned(0) + unsigned(2) + unsigned(1) + "0" + unsigned(columns - 1) + unsigned(rows - 1)
    # Not frames only, no pairs of macroblocks, 8 x 8 inference.
    bits += "001"
    bits += "1" + unsigned(0) * 3 + unsigned(crop) if crop else "0"
    return unit(SEQUENCE, bits + "0")


def field_header(field):
    """The header of an I slice: of a refresh in the first field."""
    bits = unsigned(0) + unsigned(7) + unsigned(0) + "0000" + "1" + str(field)
    return bits + (unsigned(0) + "00" if field == 0 else "0")


def fields_of_x264(width, height, layout, options, seeds):
    """Two progressive pictures, coded by x264 with CAVLC, as the fields of one frame: only headers are written again. The
    order of coefficients in fields differs, so that the picture is not the one that was coded."""
    pictures = [Planes.photo(width, height // 2, layout, 8, seed) for seed in seeds]
    stream = encoded(pictures, ":no-cabac=1:" + options)
    chroma = {"400": 0, "420": 1, "422": 2, "444": 3}[layout]
    result, count = field_sequence((width + 15) // 16, height // 32, chroma), 0
    for one in units(stream):
        kind = one[0] & 31
        if kind == PICTURE:
            result += b"\0\0\0\1" + one
        if kind == SEQUENCE:
            bits = Bits(one[1:])
            profile = bits.read(8)
            bits.read(16)
            assert bits.unsigned() == 0
            assert profile in (66, 77) or [bits.unsigned() for _ in range(3)] == [chroma, 0, 0] and bits.read(2) == 0
            # Four bits of frame numbers; no picture order count.
            assert bits.unsigned() == 0 and bits.unsigned() == 2
        if kind in SLICES:
            assert kind == 5
            bits = Bits(one[1:])
            assert bits.unsigned() == 0 and bits.unsigned() == 7 and bits.unsigned() == 0
            bits.read(4)
            bits.unsigned()
            bits.read(2)
            result += unit((5, 1)[count], field_header(count) + bits.rest())
            count += 1
    assert count == 2
    return Coded.stream(result, width, height, layout, 8)


def fields_of_samples():
    """PCM macroblocks in fields; 28 of 32 rows are shown. The samples are known without a decoder."""
    frame = Planes.photo(32, 32, "420", 8, 4)
    stream = field_sequence(2, 1, crop=1)
    # CAVLC, no slice groups, no weights, a quantiser of 26, control of deblocking.
    stream += unit(PICTURE, unsigned(0) * 2 + "00" + unsigned(0) * 3 + "000" + unsigned(0) * 3 + "100")
    for field in range(2):
        bits = field_header(field) + unsigned(0) + unsigned(1)
        for column in range(2):
            bits += unsigned(25)
            # The samples follow the header of the NAL unit and whole bytes.
            bits += "0" * (-len(bits) % 8)
            for plane, size in zip(frame.planes, (16, 8, 8)):
                for row in plane[field::2]:
                    bits += "".join(f"{sample:08b}" for sample in row[column * size : (column + 1) * size])
        stream += unit((5, 1)[field], bits)
    coded = Coded.stream(stream, 32, 28, "420", 8)
    assert coded.planes[0].bytes() == frame.cut(32, 28).bytes()
    return coded


# The cases


def shows(folder, name, coded, note, depth=8):
    heif.decodes(
        folder, name, heif.heif([image(coded)]), rgb(coded.planes[0]), note, coded.planes[0], depth, suffix="avci")


def formats(folder):
    for layout, depth in (
            ("400", 8), ("420", 8), ("422", 8), ("444", 8), ("420", 10), ("422", 10), ("444", 10)):
        coded = Coded([Planes.photo(20, 18, layout, depth, depth)])
        shows(folder, f"avc-formats/{layout}-{depth}", coded, f"{layout} with {depth} bits", depth if depth == 8 else 16)
    for width, height in ((16, 16), (2, 2), (34, 6), (50, 46)):
        coded = Coded([Planes.photo(width, height, "420", 8, 3)])
        shows(folder, f"avc-formats/{width}x{height}", coded, f"{width} x {height} pixels of macroblocks")


def tools(folder):
    for name, size, layout, depth, options in (
            ("cavlc", (48, 32), "420", 8, "no-cabac=1:no-8x8dct=1"),
            ("cavlc-8x8", (48, 32), "420", 8, "no-cabac=1"),
            ("cavlc-444", (32, 32), "444", 8, "no-cabac=1"),
            ("cabac", (48, 32), "420", 8, "no-8x8dct=1"),
            ("cabac-8x8", (48, 32), "420", 8, "partitions=i8x8"),
            ("mbaff", (48, 64), "420", 8, "interlaced=1"),
            ("mbaff-cavlc", (48, 64), "420", 8, "interlaced=1:no-cabac=1"),
            ("mbaff-422-10", (32, 64), "422", 10, "interlaced=1"),
            ("slices", (48, 48), "420", 8, "slices=3"),
            ("no-deblocking", (32, 32), "420", 8, "no-deblock=1"),
            ("deblocking", (48, 32), "420", 8, "deblock=6,6:qp=40"),
            ("lossless", (32, 32), "420", 8, "qp=0"),
            ("lossless-444", (32, 32), "444", 8, "qp=0"),
            ("scaling-lists", (32, 32), "420", 8, "cqm=jvt"),
            ("quantizers", (64, 32), "420", 8, "aq-mode=2:crf=30"),
            ("chroma-quantizer", (32, 32), "420", 8, "chroma-qp-offset=12"),
            ("coarse", (32, 32), "420", 8, "qp=51"), ("fine", (32, 32), "420", 8, "qp=2")):
        coded = Coded([Planes.photo(*size, layout, depth, 5)], ":" + options)
        shows(folder, f"avc-tools/{name}", coded, f"x264 with {options}", 8 if depth == 8 else 16)


def fields(folder):
    for name, layout, options in (
            ("cavlc", "420", "no-8x8dct=1"), ("cavlc-8x8", "420", "qp=32"), ("422", "422", "qp=30"),
            ("deblocking", "420", "deblock=3,3:qp=38")):
        coded = fields_of_x264(48, 64, layout, options, (2, 3))
        shows(folder, f"avc-fields/{name}", coded, f"fields by x264 with {options}, whose headers are written again")
    coded = fields_of_samples()
    heif.decodes(
        folder, "avc-fields/pcm", heif.heif([image(coded)]), rgb(coded.planes[0]), "fields of PCM macroblocks",
        coded.planes[0], suffix="avci", decoder="generator")


def images(folder):
    coded = Coded([Planes.photo(32, 24, "420", 8, 1)])
    pixels = rgb(coded.planes[0])
    shows(folder, "avc-images/item", coded, "one item")
    content = heif.heif([image(coded, box("irot", b"\1"))], brands=(b"mif1", b"avci"))
    heif.decodes(
        folder, "avc-images/turned", content, turned(pixels, 1), "a rotated item, with a generic major brand", coded.planes[0],
        suffix="avci")
    alpha = Coded([Planes.photo(32, 24, "400", 8, 3)], ":fullrange=on")
    items = [image(coded), image(alpha, heif.full("auxC", ALPHA), hidden=True)]
    content = heif.heif(items, [("auxl", 2, [1])])
    heif.decodes(
        folder, "avc-images/alpha", content, rgb(coded.planes[0], alpha=alpha.planes[0]), "an item of alpha",
        suffix="avci")
    tiles = [Coded([Planes.photo(32, 32, "420", 8, seed)]) for seed in range(4)]
    items = [Item("grid", grid(2, 2, 60, 50), [extent(60, 50)])]
    items += [image(tile, hidden=True) for tile in tiles]
    planes = Planes.grid([tile.planes[0] for tile in tiles], 2, 60, 50)
    heif.decodes(
        folder, "avc-images/grid", heif.heif(items, [("dimg", 1, [2, 3, 4, 5])]), rgb(planes), "a grid of items", planes,
        suffix="avci")


def sequences(folder):
    coded = Coded([Planes.photo(20, 18, "420", 8, seed) for seed in range(4)])
    canvases, delays = [rgb(planes) for planes in coded.planes], [40, 40, 100, 20]
    brands = box("ftyp", b"avcs", bytes(4), b"msf1", b"avcs")
    start = len(brands) + len(heif.track(coded, delays, 0)) + 8
    content = brands + heif.track(coded, delays, start) + box("mdat", *coded.samples)
    folder.animates("avc-sequences/track.avci", content, canvases[0], canvases, delays, "a track without a still image")


def movies(folder):
    pictures = [Planes.photo(32, 48, "420", 8, seed) for seed in range(4)]
    raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "32x48", "-r", "25", "-i", "-"]
    exact = ["-fflags", "+bitexact", "-flags:v", "+bitexact"]
    for name, settings, options in (
            ("gop.mp4", "keyint=4:bframes=1", []),
            ("faststart.mp4", "keyint=1", ["-movflags", "+faststart"]),
            ("fragments.mp4", "keyint=2", ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]),
            ("avc3.mp4", "keyint=2:repeat-headers=1", ["-tag:v", "avc3"]),
            ("video.m4v", "keyint=2", ["-f", "ipod", "-brand", "M4V "]),
            ("interlaced.mov", "keyint=1:interlaced=1", []), ("quicktime.mov", "keyint=4:bframes=2:open-gop=1", [])):
        with tempfile.TemporaryDirectory() as directory:
            path = f"{directory}/{name}"
            data = b"".join(picture.bytes() for picture in pictures)
            run(*QUIET, "-y", "-fflags", "+bitexact", *raw, "-c:v", "libx264", "-x264-params",
                "threads=1:qp=26:" + settings, *options, *exact, path, data=data)
            first = run(*QUIET, "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-")
            with open(path, "rb") as file:
                content = file.read()
        planes = Planes.parse(first, 32, 48, "420", 8)
        folder.decodes(f"avc-movies/{name}", content, rgb(planes), "the first frame", checked=False, ref_decoder="ffmpeg")
        folder.planes.append(
            (f"avc-movies/{name}", "yuv", "0", 32, 48, 8, "420", "-", hashlib.sha256(planes.bytes()).hexdigest(), "ffmpeg",
             name))


def rejects(folder):
    coded = Coded([Planes.photo(20, 18, "420", 8, 2)])
    content = heif.heif([image(coded)])
    folder.rejects("avc-reject/truncated.avci", content[:-40], "the coded data is cut off")
    folder.rejects("avc-reject/no-configuration.avci", content.replace(b"avcC", b"free"), "no decoder configuration record")
    predicted = encoded([Planes.photo(32, 32, "420", 8, seed) for seed in (1, 2)], ":keyint=2:bframes=0")
    slices = [one for one in units(predicted) if one[0] & 31 in SLICES]
    coded = Coded([Planes.photo(32, 32, "420", 8, 1)])
    coded.samples = [struct.pack(">I", len(slices[1])) + slices[1]]
    folder.rejects("avc-reject/predicted.avci", heif.heif([image(coded)]), "a P slice")


def make(folder):
    for part in (formats, tools, fields, images, sequences, movies, rejects):
        part(folder)
