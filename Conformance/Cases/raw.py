"""The cases of camera raw files: DNG files from a picture by the way of `rawcolors.py`, and files of all makers.

`generate.py` calls `make`. libjpeg-turbo's cjpeg must be installed: it encodes embedded pictures and lossy tiles. The
references of sensor data are the picture from which the samples were made, never what a decoder makes of them.
"""

import hashlib
import math
import struct
import zlib

import rawmakers
from jpeg import cjpeg
from rawbytes import Structure, blobs, differences, lossless_jpeg, packed
from rawcolors import D50, D55, D65, forward_camera, linear, matrix_camera, scene, sensed

WIDTH, HEIGHT = 40, 28
MAKE, MODEL, DATE = "Made-up", "Made-up Model 7", "2026:03:04 05:06:07"
EXPOSURE = [
    (33434, "R", [(1, 250)]), (33437, "R", [(56, 10)]), (34855, "H", [400]), (36867, "A", DATE), (37386, "R", [(35, 1)])]
FACTS = (MAKE, MODEL, "1", DATE, "0.004", "5.6", "400", "35")
COLORS = "RGB"
# The pattern of Fujifilm's sensors.
SIX = "GBGGRGRGRBGBGBGGRGGRGGBGBGBRGRGRGGBG"
MOSAIC, LINEAR, LOSSY = "raw(mean<=0.8,p95<=3)", "raw(mean<=0.2,p95<=1)", "raw(mean<=2,p95<=5)"


# Samples


class Levels:
    """Black and white levels. `black` are the levels of a repeating area, row by row, sample by sample."""

    def __init__(self, white, black=None, rows=1, columns=1, deltas_h=(), deltas_v=(), samples=1):
        black = black or (0,) * samples
        self.white, self.black, self.rows, self.columns = white, black, rows, columns
        self.deltas_h, self.deltas_v, self.samples = deltas_h, deltas_v, samples
        deltas = max(deltas_h, default=0) + max(deltas_v, default=0)
        self.ranges = [white - max(black[k::samples]) - deltas for k in range(samples)]

    def level(self, x, y, k):
        index = (y % self.rows * self.columns + x % self.columns) * self.samples + k
        delta = (self.deltas_h[x] if self.deltas_h else 0) + (self.deltas_v[y] if self.deltas_v else 0)
        return self.black[index] + delta

    def sample(self, value, x, y, k):
        return self.level(x, y, k) + value * self.ranges[k]

    @property
    def fields(self):
        fields = [(50717, "I", [self.white] * self.samples)]
        if any(self.black):
            fields += [(50713, "H", [self.rows, self.columns]), (50714, "R", [(v, 1) for v in self.black])]
        if self.deltas_h:
            fields.append((50715, "r", [(v, 1) for v in self.deltas_h]))
        if self.deltas_v:
            fields.append((50716, "r", [(v, 1) for v in self.deltas_v]))
        return fields


def samples_of(values, pattern, levels, response=None):
    """Rows of samples of a mosaic, or of all colours without a pattern; `response` is the inverse of later corrections,
    for a value, its column, row and colour."""
    period = math.isqrt(len(pattern)) if pattern else 1
    rows = []
    for y, line in enumerate(values):
        row = []
        for x, pixel in enumerate(line):
            colors = [COLORS.index(pattern[y % period * period + x % period])] if pattern else range(len(pixel))
            for k in colors:
                value = response(pixel[k], x, y, k) if response else pixel[k]
                row.append(round(levels.sample(value, x, y, 0 if pattern else k)))
        rows.append(row)
    return rows


def indices(rows, table):
    """The indices of the values of a table that are nearest to samples."""
    nearest = {v: min(range(len(table)), key=lambda i: abs(table[i] - v)) for v in {v for row in rows for v in row}}
    return [[nearest[v] for v in row] for row in rows]


def blocks(rows, count, width, height):
    """Strips or tiles of `count` samples per pixel. Tiles repeat the last pixels beyond the edges."""
    parts = []
    for top in range(0, len(rows), height):
        for left in range(0, len(rows[0]) // count, width):
            tile = []
            for y in range(top, top + height):
                row = rows[min(y, len(rows) - 1)]
                part = row[left * count : (left + width) * count]
                tile.append(part + row[-count:] * ((width * count - len(part)) // count))
            parts.append(tile)
    return parts


# Files


def description(rows, count, pattern, bits, order="<", tile=None, strip=None, compression=1, coder=None, predictor=1):
    """The fields of sensor data that describe how samples are stored."""
    width, height = len(rows[0]) // count, len(rows)
    coder = coder or (lambda block: packed(block, bits, order))
    fields = [
        (254, "I", [0]), (256, "I", [width]), (257, "I", [height]), (258, "H", [bits] * count), (259, "H", [compression]),
        (262, "H", [32803 if pattern else 34892]), (277, "H", [count])]
    if tile:
        parts = [coder(block) for block in blocks(rows, count, *tile)]
        fields += [(322, "I", [tile[0]]), (323, "I", [tile[1]])] + blobs(324, 325, parts)
    else:
        strip = strip or height
        parts = [coder(rows[top : top + strip]) for top in range(0, height, strip)]
        fields += [(278, "I", [strip])] + blobs(273, 279, parts)
    if predictor != 1:
        fields.append((317, "H", [predictor]))
    if pattern:
        period = math.isqrt(len(pattern))
        colors = bytes(COLORS.index(color) for color in pattern)
        fields += [(33421, "H", [period, period]), (33422, "B", list(colors))]
    return fields


def camera_fields(camera, orientation=1):
    return [
        (271, "A", MAKE), (272, "A", MODEL), (274, "H", [orientation]), (34665, "ifds", [EXPOSURE]),
        (50706, "B", [1, 4, 0, 0]), (50708, "A", MODEL)] + camera.fields


def dng(fields, order="<"):
    return Structure(order).finish([fields])


class Cases:
    """Writes files with the tables of samples and pictures."""

    def __init__(self, folder):
        self.folder, self.references = folder, {}

    def reference(self, name, rows):
        """Writes a picture that several files share."""
        path = f"raw-dng/_ref/{name}.pam"
        pixels = bytes(v for row in rows for pixel in row for v in (*pixel, 255))
        if path not in self.references:
            head = f"P7\nWIDTH {len(rows[0])}\nHEIGHT {len(rows)}\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
            self.folder.write(path, head.encode() + pixels)
            self.references[path] = pixels
        assert self.references[path] == pixels
        return path, hashlib.sha256(pixels).hexdigest()

    def add(self, name, content, picture, compare, note, frame=None, count=1, pattern=None, facts=FACTS, previews=()):
        """`picture` is the name and the rows of the reference; `frame` the samples after linearisation."""
        path = f"raw-dng/{name}.dng"
        reference, digest = self.reference(*picture)
        rows = picture[1]
        self.folder.add(
            path, content, "decode", note, reference=reference, compare=compare, ref_decoder="generator",
            width=len(rows[0]), height=len(rows), frames=1, ref_depth=8, rgba_sha256=digest)
        rawmakers.list_previews(self.folder, path, content, previews)
        shape = ["-"] * 5
        if frame:
            stored = b"".join(struct.pack("<H", v) for row in frame for v in row)
            shape = [
                len(frame[0]) // count, len(frame), count, pattern or "linear", hashlib.sha256(stored).hexdigest()]
        self.folder.sensors.append((path, *facts, *map(str, shape), "-"))

    def mosaic(
        self, name, note, camera=None, pattern="RGGB", bits=12, levels=None, table=None, response=None, further=(),
        compare=None, orientation=1, order="<", coded=None, **options):
        """A file whose picture is the whole frame; linear without a pattern. `coded` changes the samples that are stored
        to ones that opcodes map back."""
        camera = camera or matrix_camera()
        count = 1 if pattern else 3
        levels = levels or Levels((1 << bits) - 1, samples=count)
        truth = ("scene", scene(WIDTH, HEIGHT))
        frame = samples_of(sensed(truth[1], camera), pattern, levels, response)
        stored = frame = coded(frame) if coded else frame
        fields = list(further) + levels.fields
        if table:
            stored = indices(frame, table)
            frame = [[table[v] for v in row] for row in stored]
            fields.append((50712, "H", table))
        fields += description(stored, count, pattern, bits, order, **options) + camera_fields(camera, orientation)
        facts = FACTS[:2] + (str(orientation),) + FACTS[3:]
        self.add(
            name, dng(fields, order), truth, compare or (MOSAIC if pattern else LINEAR), note, frame, count, pattern, facts)


# The cases


def storage(cases):
    for bits in (8, 10, 12, 14, 16):
        for name, order in (("le", "<"), ("be", ">")):
            # Eight bits of linear light are coarse.
            compare = "raw(mean<=1.1,p95<=4)" if bits == 8 else MOSAIC
            note = f"{bits} bits, packed, byte order {order}"
            cases.mosaic(f"bits-{bits}-{name}", note, bits=bits, order=order, compare=compare)
    for pattern in ("GRBG", "GBRG", "BGGR"):
        cases.mosaic(f"phase-{pattern.lower()}", "another corner of the mosaic", pattern=pattern)
    cases.mosaic("six-by-six", "a mosaic of 6 × 6", pattern=SIX, bits=14, compare="raw(mean<=1.6,p95<=7)")
    cases.mosaic("strips", "strips of five rows", bits=16, strip=5)
    cases.mosaic("tiles", "tiles of 16 × 16, cut off by the frame", tile=(16, 16))
    cases.mosaic("linear-16", "all colours of each pixel", pattern=None, bits=16)
    cases.mosaic("linear-tiles-be", "all colours of each pixel, in tiles", pattern=None, bits=16, order=">", tile=(16, 16))
    cases.mosaic("orientation-6", "the orientation is not applied", orientation=6)
    cases.mosaic(
        "deflate", "Deflate", compression=8, coder=lambda block: zlib.compress(packed(block, 12), 9))
    cases.mosaic(
        "deflate-predictor", "Deflate of differences", bits=16, compression=8, predictor=2,
        coder=lambda block: zlib.compress(packed(differences(block, 1, 16), 16), 9))
    cases.mosaic(
        "deflate-predictor-tiles-be", "Deflate of differences of three samples", pattern=None, bits=16, order=">",
        compression=8, predictor=2, tile=(16, 16),
        coder=lambda block: zlib.compress(packed(differences(block, 3, 16), 16, ">"), 9))
    gray = [[(pixel[1],) * 3 for pixel in row] for row in scene(WIDTH, HEIGHT)]
    camera = matrix_camera()
    frame = [[round(linear(pixel[0]) * 65535) for pixel in row] for row in gray]
    cases.add(
        "monochrome", dng(description(frame, 1, None, 16) + camera_fields(camera)), ("gray", gray), LINEAR,
        "a sensor without colours", frame)


def lossless(cases):
    def coder(components, bits, **options):
        return lambda block: lossless_jpeg(block, components, bits, **options)

    for predictor in range(1, 8):
        cases.mosaic(
            f"lossless-predictor-{predictor}", f"lossless JPEG, predictor {predictor}", bits=14, compression=7,
            coder=coder(1, 14, predictor=predictor))
    cases.mosaic(
        "lossless-two-components", "columns alternate between components", bits=14, compression=7, coder=coder(2, 14))
    cases.mosaic("lossless-tiles", "two components in tiles", bits=14, compression=7, tile=(32, 16), coder=coder(2, 14))
    cases.mosaic("lossless-strips", "strips of eight rows", bits=12, compression=7, strip=8, coder=coder(2, 12))
    cases.mosaic(
        "lossless-restarts", "restart intervals of three rows", bits=14, compression=7,
        coder=coder(1, 14, restart=3, predictor=4))
    cases.mosaic(
        "lossless-16", "16 bits, of which differences overflow", bits=16, compression=7, coder=coder(1, 16, predictor=2))
    cases.mosaic(
        "lossless-two-rows", "the rows of the stream are two of the tile", bits=14, compression=7, tile=(48, 32),
        coder=lambda block: lossless_jpeg([a + b for a, b in zip(block[::2], block[1::2])], 2, 14))
    cases.mosaic(
        "lossless-four-components", "four columns are components", bits=14, compression=7, coder=coder(4, 14))
    cases.mosaic(
        "lossless-linear", "three components", pattern=None, bits=16, compression=7, tile=(16, 16),
        coder=coder(3, 16, predictor=6))


def levels(cases):
    table = [round((i / 255) ** 2 * 4000) + 40 for i in range(256)]
    black = Levels(4040, (40,))
    cases.mosaic("linearization", "8 bits, linearised by a table", bits=8, table=table, levels=black)
    short = table[:230] + [4040]
    cases.mosaic("linearization-short", "indices beyond the table mean its last value", bits=8, table=short, levels=black)
    cases.mosaic("white-level", "white below the maximum", levels=Levels(3000))
    cases.mosaic(
        "black-repeat", "four black levels", levels=Levels(4095, (200, 260, 230, 290), rows=2, columns=2))
    cases.mosaic(
        "black-deltas", "black levels of columns and rows", bits=14, levels=Levels(
            15000, (500,), deltas_h=[x * 7 % 60 for x in range(WIDTH)], deltas_v=[y * 11 % 90 for y in range(HEIGHT)]))
    cases.mosaic(
        "black-linear", "a black level for each sample", pattern=None, bits=16,
        levels=Levels(60000, (1000, 2000, 3000), samples=3))


def framed(cases):
    """Frames that are larger than the picture."""
    camera = matrix_camera()
    whole = scene(WIDTH, HEIGHT)
    for name, note, pattern, area, crop in (
        ("active-area", "an odd origin; the mosaic and black levels start there", "RGGB", (3, 5, 31, 45), None),
        ("default-crop", "a crop with an odd origin", "GBRG", None, (3, 1, 33, 25)),
        ("active-area-crop", "a crop inside the active area", "BGGR", (2, 7, 30, 47), (2, 3, 34, 22)),
    ):
        levels = Levels(4095, (150, 210, 180, 240), rows=2, columns=2)
        active = samples_of(sensed(whole, camera), pattern, levels)
        frame = active
        fields = camera_fields(camera) + levels.fields
        if area:
            top, left, bottom, right = area
            frame = [[4095 - (x * y) % 9 for x in range(right + 3)] for y in range(bottom + 2)]
            for y, row in enumerate(active):
                frame[top + y][left : left + WIDTH] = row
            fields.append((50829, "I", area))
        picture = ("scene", whole)
        if crop:
            x, y, width, height = crop
            fields += [(50719, "R", [(x, 1), (y, 1)]), (50720, "R", [(width, 1), (height, 1)])]
            picture = (name, [row[x : x + width] for row in whole[y : y + height]])
        fields += description(frame, 1, pattern, 12)
        cases.add(name, dng(fields), picture, MOSAIC, note, frame, 1, pattern)


def colors(cases):
    cases.mosaic("white-xy", "AsShotWhiteXY of D55", camera=matrix_camera(D55, as_chromaticity=True))
    cases.mosaic("white-d50", "AsShotNeutral in the light of D50", camera=matrix_camera(D50))
    cases.mosaic("analog-balance", "AnalogBalance", camera=matrix_camera(D55, gain=[1.25, 1.0, 0.8]))
    calibration = [[0.95, 0.03, 0.0], [0.02, 1.04, 0.01], [0.0, 0.05, 0.9]]
    cases.mosaic("camera-calibration", "CameraCalibration", camera=matrix_camera(D50, calibration=calibration))
    cases.mosaic(
        "balance-and-calibration", "AnalogBalance is applied after CameraCalibration",
        camera=matrix_camera(D50, gain=[1.25, 1.0, 0.8], calibration=calibration))
    cases.mosaic("two-illuminants", "ColorMatrix between two illuminants", camera=forward_camera(D50, has_forward=False))
    cases.mosaic("forward-matrix", "ForwardMatrix between two illuminants", camera=forward_camera(D50))
    cases.mosaic("forward-matrix-cool", "ForwardMatrix of the second illuminant", camera=forward_camera(D65))
    cases.mosaic("forward-linear", "ForwardMatrix, without demosaicing", pattern=None, bits=16, camera=forward_camera(D55))


def opcode_list(*opcodes):
    """Opcodes as pairs of an identifier and its data."""
    data = struct.pack(">I", len(opcodes))
    for identifier, content in opcodes:
        data += struct.pack(">II", identifier, 0x01030000) + struct.pack(">II", 0, len(content)) + content
    return data


def opcode_area(top=0, left=0, plane=0, planes=1, pitch=1):
    return struct.pack(">8I", top, left, HEIGHT, WIDTH, plane, planes, pitch, pitch)


def corrections(cases):
    # The stored samples are square roots of light, which opcodes square.
    table = [round((i / 1023) ** 2 * 65535) for i in range(1024)]
    cases.mosaic(
        "map-table", "MapTable of stored samples", bits=10, levels=Levels(65535),
        coded=lambda frame: indices(frame, table),
        further=[(51008, "U", opcode_list((7, opcode_area() + struct.pack(">I", 1024) + struct.pack(">1024H", *table))))])

    def polynomial(*coefficients, **area):
        return 8, opcode_area(**area) + struct.pack(">I", len(coefficients) - 1) + struct.pack(
            f">{len(coefficients)}d", *coefficients)

    cases.mosaic(
        "map-polynomial", "MapPolynomial of the mosaic", bits=14, response=lambda v, x, y, k: (math.sqrt(1 + 8 * v) - 1) / 2,
        further=[(51009, "U", opcode_list(polynomial(0, 0.5, 0.5)))])
    cases.mosaic(
        "map-polynomial-planes", "a polynomial for each plane", pattern=None, bits=16,
        response=lambda v, x, y, k: (v, math.sqrt(v), v ** (1 / 3))[k],
        further=[(51009, "U", opcode_list(polynomial(0, 0, 1, plane=1), polynomial(0, 0, 0, 1, plane=2)))])
    cases.mosaic(
        "map-polynomial-after", "a polynomial after demosaicing, of colours before white balance", pattern=None, bits=16,
        response=lambda v, x, y, k: (v, math.sqrt(v), v ** (1 / 3))[k],
        further=[(51022, "U", opcode_list(polynomial(0, 0, 1, plane=1), polynomial(0, 0, 0, 1, plane=2)))])
    gain_maps(cases)


def gain_maps(cases):
    def grid(rows, columns, planes, seed):
        """Gains of a grid over the picture, point by point, plane by plane."""
        return [
            [[1 + ((3 * r + 5 * c + 2 * p + seed) % 7) / 10 for p in range(planes)] for c in range(columns)]
            for r in range(rows)]

    def gain(grid, x, y, plane):
        """Bilinear interpolation at the centre of a pixel; the grid's corners are those of the picture."""
        v, u = (y + 0.5) / HEIGHT * (len(grid) - 1), (x + 0.5) / WIDTH * (len(grid[0]) - 1)
        r, c = int(v), int(u)
        corners = [
            (1 - abs(r + i - v)) * (1 - abs(c + j - u)) * grid[r + i][c + j][plane] for i in (0, 1) for j in (0, 1)]
        return sum(corners)

    def opcode(grid, **area):
        rows, columns, planes = len(grid), len(grid[0]), len(grid[0][0])
        head = struct.pack(">II4dI", rows, columns, 1 / (rows - 1), 1 / (columns - 1), 0, 0, planes)
        gains = [value for row in grid for point in row for value in point]
        return 9, opcode_area(**area) + head + struct.pack(f">{len(gains)}f", *gains)

    single = grid(3, 4, 3, 0)
    cases.mosaic(
        "gain-map", "a grid of gains for three planes", pattern=None, bits=16,
        response=lambda v, x, y, k: v / gain(single, x, y, k),
        further=[(51009, "U", opcode_list(opcode(single, planes=3)))])
    grids = [grid(4, 5, 1, seed) for seed in range(4)]
    cases.mosaic(
        "gain-map-mosaic", "a grid of gains for each filter of the mosaic", bits=14,
        response=lambda v, x, y, k: v / gain(grids[y % 2 * 2 + x % 2], x, y, 0),
        further=[(51009, "U", opcode_list(*(
            opcode(grids[i], top=i // 2, left=i % 2, pitch=2) for i in range(4))))])


def lossy(cases):
    """Tiles of baseline JPEG. Their samples are gamma-coded, and linearised by a table or a polynomial."""
    camera = matrix_camera()
    picture = ("scene", scene(WIDTH, HEIGHT))
    values = sensed(picture[1], camera)
    table = [round((i / 255) ** 2 * 65535) for i in range(256)]
    codes = [[[round(255 * math.sqrt(v)) for v in pixel] for pixel in row] for row in values]
    flat = [[v for pixel in row for v in pixel] for row in codes]

    def coder(block):
        pixels = [[tuple(row[i : i + 3]) for i in range(0, len(row), 3)] for row in block]
        return cjpeg(pixels, "-quality", "97", "-sample", "1x1", "-optimize")

    fields = description(flat, 3, None, 8, tile=(32, 16), compression=34892, coder=coder) + camera_fields(camera)
    cases.add(
        "lossy-linearization", dng(fields + [(50712, "H", table), (50717, "I", [65535] * 3)]), picture, LOSSY,
        "lossy JPEG in tiles, linearised by a table", count=3)
    squares = [
        (8, opcode_area(plane=plane) + struct.pack(">I3d", 2, 0, 0, 1)) for plane in range(3)]
    cases.add(
        "lossy-polynomial", dng(fields + [(51009, "U", opcode_list(*squares))]), picture, LOSSY,
        "lossy JPEG in tiles, linearised by polynomials", count=3)
    gray = [[(pixel[1],) * 3 for pixel in row] for row in picture[1]]
    levels = [[round(255 * math.sqrt(linear(pixel[0]))) for pixel in row] for row in gray]
    fields = description(
        levels, 1, None, 8, compression=34892, coder=lambda block: cjpeg(block, "-quality", "97", "-grayscale"))
    cases.add(
        "lossy-monochrome", dng(fields + camera_fields(camera) + [(50712, "H", table), (50717, "I", [65535])]),
        ("gray", gray), LOSSY, "lossy JPEG of one component", count=1)


def previews(cases):
    camera = matrix_camera()
    picture = ("scene", scene(WIDTH, HEIGHT))
    frame = samples_of(sensed(picture[1], camera), "RGGB", Levels(4095))
    sensor = description(frame, 1, "RGGB", 12) + [(50717, "I", [4095])]
    small = cjpeg(scene(20, 14), "-quality", "80")
    preview = [
        (254, "I", [1]), (256, "I", [20]), (257, "I", [14]), (258, "H", [8] * 3), (259, "H", [7]), (262, "H", [6]),
        (277, "H", [3]), (278, "I", [14])] + blobs(273, 279, [small])
    cases.add(
        "preview-in-subdirectory", dng(sensor + camera_fields(camera) + [(330, "ifds", [preview])]), picture, MOSAIC,
        "the sensor data are in the first directory", frame, 1, "RGGB", previews=[("PreviewImage", small)])
    colors = [[v for pixel in row for v in pixel] for row in scene(8, 6)]
    thumbnail = [
        (254, "I", [1]), (256, "I", [8]), (257, "I", [6]), (258, "H", [8] * 3), (259, "H", [1]), (262, "H", [2]),
        (277, "H", [3]), (278, "I", [6])] + blobs(273, 279, [packed(colors, 8)])
    for name, order in (("le", "<"), ("be", ">")):
        sensor = description(frame, 1, "RGGB", 12, order) + [(50717, "I", [4095])]
        fields = thumbnail + camera_fields(camera) + [(330, "ifds", [sensor, preview])]
        cases.add(
            f"sensor-in-subdirectory-{name}", dng(fields, order), picture, MOSAIC,
            "the first directory has a thumbnail, subdirectories the rest", frame, 1, "RGGB",
            previews=[("PreviewImage", small)])


def rejects(folder):
    camera = matrix_camera()
    frame = samples_of(sensed(scene(WIDTH, HEIGHT), camera), "RGGB", Levels(4095))

    def file(*further, without=(), stored=None, **options):
        fields = (stored or description(frame, 1, "RGGB", 12, **options)) + camera_fields(camera)
        tags = {field[0] for field in further} | set(without)
        return dng([field for field in fields if field[0] not in tags] + list(further))

    good = file()
    stream = lossless_jpeg(frame, 2, 12)

    def reject(name, content, note):
        folder.rejects(f"raw-reject/{name}", content, note)

    reject("cut-directory.dng", good[:100], "the directory is cut off")
    short = packed(frame, 12)[:-300]
    reject("cut-samples.dng", file(coder=lambda block: short), "the strip ends early")
    reject("strip-outside.dng", file((273, "I", [1 << 24])), "the strip is not in the file")
    reject("cut-lossless.dng", file(compression=7, coder=lambda block: stream[:400]), "the stream ends early")
    reject(
        "short-lossless.dng", file(compression=7, coder=lambda block: lossless_jpeg(frame[:20], 2, 12)),
        "the stream has fewer samples than the strip")
    damaged = bytearray(stream)
    damaged[300:340] = b"\xff\0" * 20
    reject("bad-lossless.dng", file(compression=7, coder=lambda block: bytes(damaged)), "codes that are not in the table")
    zeros = zlib.compress(packed(frame, 12))
    reject("cut-deflate.dng", file(compression=8, coder=lambda block: zeros[: len(zeros) // 2]), "the stream ends early")
    reject("white-below-black.dng", file((50714, "I", [900]), (50717, "I", [800])), "white is below black")
    reject("active-area-outside.dng", file((50829, "I", [0, 0, HEIGHT + 1, WIDTH])), "the active area is outside")
    reject("active-area-empty.dng", file((50829, "I", [5, 5, 5, 20])), "the active area is empty")
    reject("no-width.dng", file(without=(256,)), "the width is missing")
    reject("zero-height.dng", file((257, "I", [0])), "the height is 0")
    reject("no-strips.dng", file(without=(273, 279)), "there are no strips")
    reject(
        "cut-opcodes.dng", file((51009, "U", opcode_list((8, opcode_area() + struct.pack(">I", 3))))),
        "the coefficients of MapPolynomial are missing")
    rawmakers.rejects(reject)


def make(folder):
    cases = Cases(folder)
    for part in (storage, lossless, levels, framed, colors, corrections, lossy, previews):
        part(cases)
    rawmakers.make(folder)
    rejects(folder)
