"""The cases of HEIF, its sequences, MP4 and QuickTime: streams by x265 from pictures made here, planes by ffmpeg's decoder, RGB by the equations of H.273.

ffmpeg must be installed with libx265 of 8, 10 and 12 bits. The boxes are put together here from ISO/IEC 14496-12, 14496-15
and 23008-12; crops, rotations and compositions of the references are plain loops over the decoded planes. Another version
of x265 makes other streams, and thereby other references.
"""

import hashlib
import struct
import subprocess
import tempfile

FORMATS = {
    ("400", 8): "gray", ("420", 8): "yuv420p", ("422", 8): "yuv422p", ("444", 8): "yuv444p",
    ("400", 10): "gray10le", ("420", 10): "yuv420p10le", ("422", 10): "yuv422p10le", ("444", 10): "yuv444p10le",
    ("400", 12): "gray12le", ("420", 12): "yuv420p12le", ("422", 12): "yuv422p12le", ("444", 12): "yuv444p12le",
}
ALPHA = b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0"


# Planes


def chroma_size(width, height, layout):
    return ((width + 1) // 2 if layout in ("420", "422") else width, (height + 1) // 2 if layout == "420" else height)


class Planes:
    """Samples of Y, and of Cb and Cr unless the layout is 400: lists of rows."""

    def __init__(self, width, height, layout, depth, planes):
        self.width, self.height, self.layout, self.depth, self.planes = width, height, layout, depth, planes

    @staticmethod
    def photo(width, height, layout, depth, seed):
        maximum = (1 << depth) - 1
        sizes = [(width, height)] + ([] if layout == "400" else [chroma_size(width, height, layout)] * 2)
        planes = []
        for component, (columns, rows) in enumerate(sizes):
            k, step = seed + component, width // columns
            planes.append([
                [
                    min(255, (x * step * (2 + k % 3) + y * (4 - k % 3) + 70 * ((x + y * 2 + k) // 9 % 2) + 30) % 256)
                    * maximum // 255
                    for x in range(columns)]
                for y in range(rows)])
        return Planes(width, height, layout, depth, planes)

    @staticmethod
    def parse(data, width, height, layout, depth):
        sizes = [(width, height)] + ([] if layout == "400" else [chroma_size(width, height, layout)] * 2)
        step, at, planes = 1 if depth == 8 else 2, 0, []
        for columns, rows in sizes:
            rows_of = []
            for _ in range(rows):
                part = data[at : at + columns * step]
                rows_of.append(list(part) if step == 1 else list(struct.unpack("<%dH" % columns, part)))
                at += columns * step
            planes.append(rows_of)
        assert at == len(data)
        return Planes(width, height, layout, depth, planes)

    def bytes(self):
        form = "B" if self.depth == 8 else "H"
        return b"".join(struct.pack("<%d%s" % (len(row), form), *row) for plane in self.planes for row in plane)

    def cut(self, width, height):
        columns, rows = chroma_size(width, height, self.layout)
        planes = [[row[:width] for row in self.planes[0][:height]]]
        planes += [[row[:columns] for row in plane[:rows]] for plane in self.planes[1:]]
        return Planes(width, height, self.layout, self.depth, planes)

    @staticmethod
    def grid(tiles, columns, width, height):
        """Tiles side by side, of even size, cropped."""
        first = tiles[0]
        planes = []
        for component in range(len(first.planes)):
            rows = []
            for start in range(0, len(tiles), columns):
                line = tiles[start : start + columns]
                for y in range(len(line[0].planes[component])):
                    rows.append([value for tile in line for value in tile.planes[component][y]])
            planes.append(rows)
        whole = Planes(len(planes[0][0]), len(planes[0]), first.layout, first.depth, planes)
        return whole.cut(width, height)


WEIGHTS = {1: (0.2126, 0.0722), 2: (0.299, 0.114), 5: (0.299, 0.114), 6: (0.299, 0.114), 9: (0.2627, 0.0593)}


def rgb(planes, matrix=2, full=False, alpha=None, premultiplied=False):
    """Rows of RGBA: 8 bits, or 16 for samples of more than 8."""
    depth, (width, height) = planes.depth, (planes.width, planes.height)
    scale, top = 1 << (depth - 8), (1 << depth) - 1
    luma_offset, luma_range, chroma_range = (0, top, top) if full else (16 * scale, 219 * scale, 224 * scale)
    middle, out = 1 << (depth - 1), 65535 if depth > 8 else 255

    def chroma(plane, x, y):
        columns, rows = len(plane[0]), len(plane)
        halves = (planes.layout in ("420", "422"), planes.layout == "420")

        def taps(at, is_half, count):
            if not is_half:
                return [(at, 1.0)]
            near, far = at // 2, at // 2 + (1 if at % 2 else -1)
            return [(near, 0.75), (min(max(far, 0), count - 1), 0.25)]

        return sum(
            plane[row][column] * by_row * by_column
            for row, by_row in taps(y, halves[1], rows) for column, by_column in taps(x, halves[0], columns))

    result = []
    for y in range(height):
        row = []
        for x in range(width):
            luma = (planes.planes[0][y][x] - luma_offset) / luma_range
            if planes.layout == "400":
                values = [luma] * 3
            else:
                cb, cr = (chroma(plane, x, y) for plane in planes.planes[1:])
                if matrix == 0:
                    values = [(cr - luma_offset) / luma_range, luma, (cb - luma_offset) / luma_range]
                elif matrix == 8:
                    cb, cr = (cb - middle) / chroma_range, (cr - middle) / chroma_range
                    values = [luma - cb + cr, luma + cb, luma - cb - cr]
                else:
                    cb, cr = (cb - middle) / chroma_range, (cr - middle) / chroma_range
                    red, blue = WEIGHTS[matrix]
                    values = [luma + 2 * (1 - red) * cr, 0, luma + 2 * (1 - blue) * cb]
                    values[1] = (luma - red * values[0] - blue * values[2]) / (1 - red - blue)
            opacity = alpha.planes[0][y][x] / ((1 << alpha.depth) - 1) if alpha else 1
            if premultiplied and opacity > 0:
                values = [min(1, max(0, value)) / opacity for value in values]
            row.append(tuple(int(0.5 + out * min(1, max(0, value))) for value in values + [opacity]))
        result.append(row)
    return result


# Pictures after decoding


def rotated(rows):
    """By a quarter counter-clockwise."""
    return [[row[x] for row in rows] for x in range(len(rows[0]) - 1, -1, -1)]


def turned(rows, quarters, axis=None):
    for _ in range(quarters):
        rows = rotated(rows)
    if axis == 0:
        rows = rows[::-1]
    if axis == 1:
        rows = [row[::-1] for row in rows]
    return rows


def cropped(rows, x, y, width, height):
    return [row[x : x + width] for row in rows[y : y + height]]


# Streams


def run(*arguments, data=b""):
    return subprocess.run(arguments, input=data, capture_output=True, check=True).stdout


class Coded:
    """Pictures coded by x265: the configuration record, the samples, the planes that ffmpeg decodes."""

    kind, record, decoder = "hvc1", "hvcC", "ffmpeg"

    def __init__(self, pictures, options="", rate=25):
        first = pictures[0]
        pixels = FORMATS[first.layout, first.depth]
        raw = ["-f", "rawvideo", "-pix_fmt", pixels, "-s", f"{first.width}x{first.height}", "-r", str(rate), "-i", "-"]
        settings = "info=0:keyint=1:frame-threads=1:pools=none:log-level=none:qp=26"
        quiet = ["ffmpeg", "-loglevel", "error"]
        stream = run(
            *quiet, *raw, "-c:v", "libx265", "-pix_fmt", pixels, "-x265-params", settings + options, "-f", "hevc", "-",
            data=b"".join(picture.bytes() for picture in pictures))
        decoded = run(*quiet, "-f", "hevc", "-i", "-", "-f", "rawvideo", "-pix_fmt", pixels, "-", data=stream)
        size = len(first.bytes())
        assert len(decoded) == size * len(pictures)
        self.planes = [
            Planes.parse(decoded[at : at + size], first.width, first.height, first.layout, first.depth)
            for at in range(0, len(decoded), size)]
        self.width, self.height = first.width, first.height
        sets, samples = {}, []
        for unit in units(stream):
            kind = unit[0] >> 1 & 63
            if 32 <= kind <= 34:
                sets[kind] = unit
            elif kind < 32:
                # The first bit after the header tells whether a slice starts a picture.
                if unit[2] & 0x80:
                    samples.append(b"")
                samples[-1] += struct.pack(">I", len(unit)) + unit
        assert len(samples) == len(pictures)
        self.samples, self.configuration = samples, configuration(sets, first)


def units(stream):
    starts = [at for at in range(len(stream) - 3) if stream[at : at + 3] == b"\0\0\1"]
    return [stream[at + 3 : end].rstrip(b"\0") for at, end in zip(starts, starts[1:] + [len(stream)])]


def configuration(sets, picture):
    """The decoder configuration record: ISO/IEC 14496-15, 8.3.3.1."""
    # The profile, tier and level follow the header and a byte of the sequence parameter set.
    profile = sets[33].replace(b"\0\0\3", b"\0\0")[3:15]
    chroma = {"400": 0, "420": 1, "422": 2, "444": 3}[picture.layout]
    record = b"\1" + profile + struct.pack(
        ">HBBBBHB", 0xF000, 0xFC, 0xFC | chroma, 0xF8 | picture.depth - 8, 0xF8 | picture.depth - 8, 0, 0x0F)
    record += bytes([len(sets)])
    for kind, unit in sorted(sets.items()):
        record += struct.pack(">BHH", 0x80 | kind, 1, len(unit)) + unit
    return record


# Boxes


def box(kind, *parts):
    content = b"".join(parts)
    return struct.pack(">I", len(content) + 8) + kind.encode() + content


def full(kind, *parts, version=0, flags=0):
    return box(kind, struct.pack(">I", version << 24 | flags), *parts)


def extent(width, height):
    return full("ispe", struct.pack(">II", width, height))


def nclx(primaries, transfer, matrix, is_full):
    return box("colr", b"nclx", struct.pack(">HHHB", primaries, transfer, matrix, 0x80 if is_full else 0))


def aperture(*fractions):
    return box("clap", struct.pack(">8i", *fractions))


class Item:
    def __init__(self, kind, data, properties, hidden=False, pieces=1, method=0):
        self.kind, self.data, self.properties = kind, data, properties
        self.hidden, self.pieces, self.method = hidden, pieces, method


def heif(items, references=(), brands=None, location=0, movie=None):
    """A file of items, numbered from 1; the first one is the primary image.

    `location` is the version of the item location box; `movie` makes the movie box from the position of its data.
    """
    kinds = {item.kind for item in items}
    coding = b"avif" if "av01" in kinds else b"avci" if "avc1" in kinds else b"heic"
    brands = brands or (coding, b"mif1")
    properties = []
    for item in items:
        properties += [one for one in item.properties if one not in properties]
    associations = b"".join(
        struct.pack(">HB", number, len(item.properties))
        + bytes(0x80 | properties.index(one) + 1 for one in item.properties)
        for number, item in enumerate(items, 1))
    entries = b"".join(
        full("infe", struct.pack(">HH", number, 0), item.kind.encode(), b"\0", version=2, flags=int(item.hidden))
        for number, item in enumerate(items, 1))
    linked = b"".join(
        box(kind, struct.pack(">HH%dH" % len(to), source, len(to), *to)) for kind, source, to in references)
    inside = b"".join(item.data for item in items if item.method == 1)

    def meta(start):
        locations, at, within = b"", start, 0
        for number, item in enumerate(items, 1):
            size = len(item.data)
            offset = within if item.method == 1 else at
            cuts = [size * part // item.pieces for part in range(item.pieces + 1)]
            locations += struct.pack(">I" if location == 2 else ">H", number)
            locations += struct.pack(">H", item.method) if location else b""
            locations += struct.pack(">HH", 0, item.pieces)
            for left, right in zip(cuts, cuts[1:]):
                locations += struct.pack(">II", offset + left, right - left)
            if item.method == 1:
                within += size
            else:
                at += size
        return full(
            "meta", full("hdlr", bytes(4), b"pict", bytes(13)), full("pitm", struct.pack(">H", 1)),
            full("iloc", b"\x44\0", struct.pack(">I" if location == 2 else ">H", len(items)), locations,
                 version=location),
            full("iinf", struct.pack(">H", len(items)), entries), full("iref", linked) if linked else b"",
            box("iprp", box("ipco", *properties), full("ipma", struct.pack(">I", len(items)), associations)),
            box("idat", inside) if inside else b"")

    start = box("ftyp", brands[0], bytes(4), *brands)
    data = b"".join(item.data for item in items if item.method == 0)
    before = len(start) + len(meta(0)) + (len(movie(0)) if movie else 0) + 8
    return start + meta(before) + (movie(before) if movie else b"") + box("mdat", data)


def grid(columns, rows, width, height):
    return struct.pack(">BBBBHH", 0, 0, rows - 1, columns - 1, width, height)


def image(coded, *properties, **options):
    properties = [extent(coded.width, coded.height), box(coded.record, coded.configuration), *properties]
    return Item(coded.kind, coded.samples[0], properties, **options)


# The cases


def decodes(folder, name, content, rows, note, planes=None, depth=8, suffix="heic", decoder="ffmpeg", **columns):
    path = f"{name}.{suffix}"
    # Sixteen bits show the rounding of single-precision arithmetic.
    compare = "exact" if depth == 8 else "max<=1"
    folder.decodes(
        path, content, rows, note, depth=depth, compare=compare, checked=False, ref_decoder=decoder, **columns)
    if planes:
        folder.planes.append(
            (path, "yuv", "0", planes.width, planes.height, planes.depth, planes.layout, "-",
             hashlib.sha256(planes.bytes()).hexdigest(), decoder, note))


def formats(folder):
    for layout, depth in (
            ("400", 8), ("420", 8), ("422", 8), ("444", 8), ("420", 10), ("444", 10), ("400", 12), ("422", 12)):
        size = (20, 18) if depth == 8 else (16, 16)
        coded = Coded([Planes.photo(*size, layout, depth, depth)], ":ctu=16")
        decodes(
            folder, f"heif-formats/{layout}-{depth}", heif([image(coded)]), rgb(coded.planes[0]),
            f"4:{layout[1]}:{layout[2]} of {depth} bits", coded.planes[0], depth=16 if depth > 8 else 8)


def colors(folder):
    for name, layout, matrix, is_full in (
            ("bt709-full", "420", 1, True), ("bt2020", "420", 9, False), ("identity-full", "444", 0, True),
            ("ycgco-full", "444", 8, True), ("bt601-full", "422", 6, True)):
        coded = Coded([Planes.photo(20, 18, layout, 8, 3)], ":ctu=16")
        content = heif([image(coded, nclx(1, 13, matrix, is_full))])
        decodes(
            folder, f"heif-colors/{name}", content, rgb(coded.planes[0], matrix, is_full), f"matrix {matrix}",
            coded.planes[0])


def transforms(folder):
    coded = Coded([Planes.photo(24, 18, "420", 8, 4)], ":ctu=16")
    pixels = rgb(coded.planes[0])
    for quarters in range(4):
        for axis in (None, 0, 1):
            properties = [box("irot", bytes([quarters]))] + ([] if axis is None else [box("imir", bytes([axis]))])
            decodes(
                folder, f"heif-transforms/turn{quarters}" + ("" if axis is None else f"-axis{axis}"),
                heif([image(coded, *properties)]), turned(pixels, quarters, axis), "rotation, then mirror")
    # The centre of 15 × 11 is half a pixel left of the middle, and one and a half above it.
    properties = [aperture(15, 1, 11, 1, -1, 2, -3, 2), box("irot", b"\3")]
    decodes(
        folder, "heif-transforms/aperture", heif([image(coded, *properties)]),
        turned(cropped(pixels, 4, 2, 15, 11), 3), "crop, then rotation")


def grids(folder):
    tiles = Coded([Planes.photo(16, 16, "420", 8, seed) for seed in range(6)], ":ctu=16")

    def parts(order=range(6)):
        return [
            Item("hvc1", tiles.samples[index], [extent(16, 16), box("hvcC", tiles.configuration)], hidden=True)
            for index in order]

    for name, (columns, rows), (width, height) in (("2x3", (2, 3), (29, 41)), ("6x1", (6, 1), (96, 15))):
        whole = Planes.grid(tiles.planes, columns, width, height)
        items = [Item("grid", grid(columns, rows, width, height), [extent(width, height)], method=1)] + parts()
        decodes(
            folder, f"heif-grids/{name}", heif(items, [("dimg", 1, range(2, 8))], location=1), rgb(whole),
            "tiles, cropped at the edges", whole)
    order = [2, 3, 3, 2]
    whole = Planes.grid([tiles.planes[index - 2] for index in order], 2, 30, 30)
    items = [Item("grid", grid(2, 2, 30, 30), [extent(30, 30)])] + parts(range(2))
    decodes(
        folder, "heif-grids/shared", heif(items, [("dimg", 1, order)]), rgb(whole), "tiles at several positions", whole)
    alpha = Coded([Planes.photo(16, 16, "400", 8, seed) for seed in range(4)], ":ctu=16:range=full")
    whole, opacity = Planes.grid(tiles.planes[:4], 2, 32, 24), Planes.grid(alpha.planes, 2, 32, 24)
    properties = [extent(32, 24)]
    items = [Item("grid", grid(2, 2, 32, 24), properties), Item("grid", grid(2, 2, 32, 24), properties
                                                                 + [full("auxC", ALPHA)])]
    items += parts(range(4)) + [
        Item("hvc1", sample, [extent(16, 16), box("hvcC", alpha.configuration)], hidden=True)
        for sample in alpha.samples]
    references = [("dimg", 1, range(3, 7)), ("dimg", 2, range(7, 11)), ("auxl", 2, [1])]
    decodes(
        folder, "heif-grids/alpha", heif(items, references), rgb(whole, alpha=opacity), "alpha in tiles", whole)


def alphas(folder):
    coded = Coded([Planes.photo(20, 18, "420", 8, 6)], ":ctu=16")
    alpha = Coded([Planes.photo(20, 18, "400", 8, 7)], ":ctu=16:range=full")
    items = [image(coded), image(alpha, full("auxC", ALPHA))]
    decodes(
        folder, "heif-alpha/straight", heif(items, [("auxl", 2, [1])]), rgb(coded.planes[0], alpha=alpha.planes[0]),
        "an alpha plane", coded.planes[0])


def derivations(folder):
    coded = Coded([Planes.photo(20, 18, "420", 8, 8)], ":ctu=16")
    pixels = rgb(coded.planes[0])
    items = [Item("iden", b"", [extent(18, 20), box("irot", b"\1")]), image(coded, hidden=True)]
    decodes(
        folder, "heif-derived/identity", heif(items, [("dimg", 1, [2])]), turned(pixels, 1), "a rotated identity")
    # Offsets of the corners; the second source covers a part of the first.
    offsets = [(3, 2), (-5, 10)]
    layout = struct.pack(">BB4HHH", 0, 0, 0x1111, 0x8080, 0xFFFF, 0xFFFF, 30, 26)
    layout += b"".join(struct.pack(">hh", *offset) for offset in offsets)
    canvas = [[(0x11, 0x80, 0xFF, 255)] * 30 for _ in range(26)]
    for left, top in offsets:
        for y, row in enumerate(pixels):
            for x, pixel in enumerate(row):
                if 0 <= x + left < 30 and 0 <= y + top < 26:
                    canvas[y + top][x + left] = pixel
    items = [Item("iovl", layout, [extent(30, 26)]), image(coded, hidden=True)]
    decodes(
        folder, "heif-derived/overlay", heif(items, [("dimg", 1, [2, 2])]), canvas, "an overlay beyond its edges")


def positions(folder):
    coded = Coded([Planes.photo(20, 18, "420", 8, 9)], ":ctu=16")
    for name, options, version in (
            ("pieces", {"pieces": 3}, 0), ("item-data", {"method": 1}, 1), ("item-data-pieces", {"method": 1, "pieces": 4}, 2)):
        decodes(
            folder, f"heif-positions/{name}", heif([image(coded, **options)], location=version), rgb(coded.planes[0]),
            f"location box of version {version}", coded.planes[0])


def tools(folder):
    for name, size, options in (
            ("wavefront", (80, 48), ":ctu=16:wpp=1:pools=2"), ("slices", (48, 64), ":ctu=16:slices=3:wpp=1:pools=2"),
            ("lossless", (24, 18), ":lossless=1"), ("scaling-lists", (24, 18), ":scaling-list=default"),
            ("transform-skip", (24, 18), ":tskip=1:rd=5"), ("quantizers", (64, 32), ":aq-mode=2:qg-size=8:crf=30")):
        coded = Coded([Planes.photo(*size, "420", 8, 5)], options)
        pixels = rgb(coded.planes[0])
        decodes(folder, f"heif-tools/{name}", heif([image(coded)]), pixels, f"x265 with {options[1:]}", coded.planes[0])


def tables(coded, durations, start, sync=()):
    """A sample table box, with two samples in each chunk. `sync` are the numbers of the sync samples, unless all are."""
    entry = box(
        coded.kind, bytes(6), struct.pack(">H16xHH50x", 1, coded.width, coded.height),
        box(coded.record, coded.configuration),
        full("ccst", b"\x80\0\0\0"))
    sizes = [len(sample) for sample in coded.samples]
    offsets = [start + sum(sizes[:index]) for index in range(0, len(sizes), 2)]
    runs = [(1, 2, 1)] + ([(len(offsets), 1, 1)] if len(sizes) % 2 else [])
    return box(
        "stbl", full("stsd", struct.pack(">I", 1), entry),
        full("stss", struct.pack(">I%dI" % len(sync), len(sync), *sync)) if sync else b"",
        full("stts", struct.pack(">I", len(sizes)), *(struct.pack(">II", 1, units) for units in durations)),
        full("stsc", struct.pack(">I", len(runs)), *(struct.pack(">III", *run) for run in runs)),
        full("stsz", struct.pack(">II", 0, len(sizes)), *(struct.pack(">I", size) for size in sizes)),
        full("stco", struct.pack(">I", len(offsets)), *(struct.pack(">I", offset) for offset in offsets)))


def track(coded, durations, start, matrix=(1, 0, 0, 1), handler=b"pict", sync=()):
    a, b, c, d = (value << 16 for value in matrix)
    total = sum(durations)
    header = full(
        "tkhd", struct.pack(">IIIII16x", 0, 0, 1, 0, total), struct.pack(">9i", a, b, 0, c, d, 0, 0, 0, 1 << 30),
        struct.pack(">II", coded.width << 16, coded.height << 16), flags=3)
    media = full("mdhd", struct.pack(">IIIIHH", 0, 0, 1000, total, 0x55C4, 0))
    media += full("hdlr", bytes(4), handler, bytes(13))
    media += box("minf", full("vmhd", bytes(8)), tables(coded, durations, start, sync))
    return box("moov", full("mvhd", struct.pack(">IIII80x", 0, 0, 1000, total)), box("trak", header, box("mdia", media)))


def sequences(folder):
    coded = Coded([Planes.photo(20, 18, "420", 8, seed) for seed in range(5)], ":ctu=16")
    canvases, delays = [rgb(planes) for planes in coded.planes], [40, 40, 100, 20, 60]
    brands = box("ftyp", b"msf1", bytes(4), b"msf1", b"hevc")

    def content(matrix=(1, 0, 0, 1)):
        start = len(brands) + len(track(coded, delays, 0)) + 8
        return brands + track(coded, delays, start, matrix) + box("mdat", *coded.samples)

    folder.animates("heif-sequences/track.heic", content(), canvases[0], canvases, delays, "a track without a still image")
    # A matrix of a quarter clockwise.
    canvases = [turned(canvas, 3) for canvas in canvases]
    folder.animates(
        "heif-sequences/turned.heic", content((0, 1, -1, 0)), rgb(coded.planes[0]), canvases, delays, "a rotated track")


def movies(folder):
    pictures = [Planes.photo(32, 16, "420", 8, seed) for seed in range(3)]
    raw = ["-f", "rawvideo", "-pix_fmt", "yuv420p", "-s", "32x16", "-r", "25", "-i", "-"]
    quiet = ["ffmpeg", "-loglevel", "error", "-y", "-fflags", "+bitexact"]
    x265 = "log-level=none:info=0:frame-threads=1:pools=none:ctu=16:qp=28:"
    exact = ["-fflags", "+bitexact", "-flags:v", "+bitexact"]
    for name, codec, options in (
            ("gop.mp4", ["libx265", "-x265-params", x265 + "keyint=3:bframes=1", "-tag:v", "hvc1"], []),
            ("intra-faststart.mp4", ["libx265", "-x265-params", x265 + "keyint=1", "-tag:v", "hvc1"],
             ["-movflags", "+faststart"]),
            ("fragments.mp4", ["libx265", "-x265-params", x265 + "keyint=1", "-tag:v", "hvc1"],
             ["-movflags", "frag_keyframe+empty_moov+default_base_moof"]),
            ("hev1.mov", ["libx265", "-x265-params", x265 + "keyint=1", "-tag:v", "hev1"], [])):
        with tempfile.TemporaryDirectory() as directory:
            path = f"{directory}/{name}"
            data = b"".join(picture.bytes() for picture in pictures)
            run(*quiet, *raw, "-c:v", *codec, *options, *exact, path, data=data)
            decoded = run(
                "ffmpeg", "-loglevel", "error", "-i", path, "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-")
            with open(path, "rb") as file:
                content = file.read()
        planes = Planes.parse(decoded, 32, 16, "420", 8)
        folder.decodes(
            f"movies/{name}", content, rgb(planes), "the first frame", checked=False, ref_decoder="ffmpeg")
        folder.planes.append(
            (f"movies/{name}", "yuv", "0", 32, 16, 8, "420", "-", hashlib.sha256(planes.bytes()).hexdigest(), "ffmpeg", name))


def rejects(folder):
    coded = Coded([Planes.photo(20, 18, "420", 8, 2)], ":ctu=16")
    content = heif([image(coded)])
    folder.rejects("heif-reject/truncated.heic", content[:-40], "the coded data is cut off")
    folder.rejects("heif-reject/no-primary.heic", content.replace(b"pitm", b"free"), "no primary item")
    folder.rejects(
        "heif-reject/no-configuration.heic", content.replace(b"hvcC", b"free"), "no decoder configuration record")
    items = [Item("grid", grid(2, 2, 30, 30), [extent(30, 30)]), image(coded)]
    folder.rejects("heif-reject/few-tiles.heic", heif(items, [("dimg", 1, [2, 2, 2])]), "three tiles of four")
    items = [Item("grid", grid(2, 1, 60, 18), [extent(60, 18)]), image(coded)]
    folder.rejects("heif-reject/uncovered.heic", heif(items, [("dimg", 1, [2, 2])]), "tiles that do not cover the grid")


def make(folder):
    for part in (formats, colors, transforms, grids, alphas, derivations, positions, tools, sequences, movies, rejects):
        part(folder)
