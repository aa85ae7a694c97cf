"""The cases of AVIF: streams by libaom from pictures made here, planes by libdav1d, RGB by the equations of H.273.

libaom.so.3 and libdav1d.so.6 must be installed. The boxes are those of HEIF. Another version of libaom makes other
streams, and thereby other references.
"""

import hashlib
import importlib.util
import os
import struct

import heif
from heif import ALPHA, Item, Planes, aperture, box, cropped, extent, full, grid, image, nclx, rgb, turned

HERE = os.path.dirname(os.path.abspath(__file__))


def library():
    """The functions of libaom and libdav1d that the tests of the coding use too."""
    path = os.path.join(HERE, "../../Tests/AV1CodecTests/Fixtures/make-reference-pictures.py")
    specification = importlib.util.spec_from_file_location("pictures", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


class Bits:
    def __init__(self, data):
        self.value, self.count = int.from_bytes(data, "big"), len(data) * 8

    def read(self, count):
        self.count -= count
        return self.value >> self.count & (1 << count) - 1


class Coded:
    """Pictures coded one by one by libaom: the configuration record, the samples, the planes that libdav1d decodes."""

    kind, record, decoder = "av01", "av1C", "libdav1d"

    def __init__(self, width, height, layout="420", depth=8, options="", contents=("photo",)):
        self.width, self.height, self.samples, self.planes = width, height, [], []
        pictures = library()
        for content in contents:
            stream = pictures.encode(width, height, depth, layout, content, options)
            *_, planes = pictures.decode(stream)
            # Without the temporal delimiter, which files leave out.
            assert stream[:2] == b"\x12\0"
            self.samples.append(stream[2:])
            self.planes.append(Planes.parse(planes, width, height, layout, depth))
        self.configuration = configuration(self.samples[0], layout, depth)


def configuration(sample, layout, depth):
    """The codec configuration record: AV1 Codec ISO Media File Format Binding, 2.3."""
    assert sample[0] == 0x0A and sample[1] < 128
    bits = Bits(sample[2 : 2 + sample[1]])
    profile, _, is_reduced = bits.read(3), bits.read(1), bits.read(1)
    if not is_reduced:
        # Neither timing information nor display delays; one operating point.
        assert bits.read(7) == 0
        bits.read(12)
    level = bits.read(5)
    flags = (depth > 8) << 6 | (depth == 12) << 5 | (layout == "400") << 4
    flags |= (layout in ("400", "420", "422")) << 3 | (layout in ("400", "420")) << 2
    return bytes([0x81, profile << 5 | level, flags, 0])


def decodes(folder, name, content, rows, note, planes=None, depth=8):
    heif.decodes(folder, name, content, rows, note, planes, depth, suffix="avif", decoder="libdav1d")


def formats(folder):
    for layout, depth in (
            ("400", 8), ("420", 8), ("422", 8), ("444", 8), ("420", 10), ("444", 10), ("400", 12), ("422", 12)):
        size = (20, 18) if depth == 8 else (16, 16)
        coded = Coded(*size, layout, depth, "q=20")
        decodes(
            folder, f"avif-formats/{layout}-{depth}", heif.heif([image(coded)]), rgb(coded.planes[0]),
            f"4:{layout[1]}:{layout[2]} of {depth} bits", coded.planes[0], 16 if depth > 8 else 8)


def colors(folder):
    for name, layout, matrix, is_full in (
            ("bt709-full", "420", 1, True), ("bt2020", "420", 9, False), ("identity-full", "444", 0, True),
            ("ycgco-full", "444", 8, True), ("bt601-full", "422", 6, True)):
        coded = Coded(20, 18, layout, 8, "q=30")
        content = heif.heif([image(coded, nclx(1, 13, matrix, is_full))])
        decodes(
            folder, f"avif-colors/{name}", content, rgb(coded.planes[0], matrix, is_full), f"matrix {matrix}",
            coded.planes[0])


def transforms(folder):
    coded = Coded(24, 18, "420", 8, "q=20")
    pixels = rgb(coded.planes[0])
    for quarters, axis in ((1, None), (2, 0), (3, 1)):
        properties = [box("irot", bytes([quarters]))] + ([] if axis is None else [box("imir", bytes([axis]))])
        decodes(
            folder, f"avif-transforms/turn{quarters}" + ("" if axis is None else f"-axis{axis}"),
            heif.heif([image(coded, *properties)]), turned(pixels, quarters, axis), "rotation, then mirror")
    # The centre of 15 × 11 is half a pixel left of the middle, and one and a half above it.
    properties = [aperture(15, 1, 11, 1, -1, 2, -3, 2), box("irot", b"\3")]
    decodes(
        folder, "avif-transforms/aperture", heif.heif([image(coded, *properties)]),
        turned(cropped(pixels, 4, 2, 15, 11), 3), "crop, then rotation")


def grids(folder):
    tiles = Coded(64, 64, "420", 8, "q=45", ("photo", "screen", "photo", "screen"))
    whole = Planes.grid(tiles.planes, 2, 99, 85)
    items = [Item("grid", grid(2, 2, 99, 85), [extent(99, 85)], method=1)]
    items += [
        Item("av01", sample, [extent(64, 64), box("av1C", tiles.configuration)], hidden=True)
        for sample in tiles.samples]
    decodes(
        folder, "avif-grids/2x2", heif.heif(items, [("dimg", 1, range(2, 6))], location=1), rgb(whole),
        "tiles, cropped at the edges", whole)


def expanded(planes):
    """Luma of limited range in full range: libaom writes alpha so."""
    rows = [[((min(max(value, 16), 235) - 16) * 510 + 219) // 438 for value in row] for row in planes.planes[0]]
    return Planes(planes.width, planes.height, "400", 8, [rows])


def alphas(folder):
    coded = Coded(20, 18, "420", 8, "q=20")
    alpha = Coded(20, 18, "400", 8, "q=20", ("screen",))
    opacity = expanded(alpha.planes[0])
    items = [image(coded), image(alpha, full("auxC", ALPHA))]
    decodes(
        folder, "avif-alpha/straight", heif.heif(items, [("auxl", 2, [1])]),
        rgb(coded.planes[0], alpha=opacity), "an alpha plane", coded.planes[0])
    decodes(
        folder, "avif-alpha/premultiplied", heif.heif(items, [("auxl", 2, [1]), ("prem", 1, [2])]),
        rgb(coded.planes[0], alpha=opacity, premultiplied=True), "colours multiplied by alpha", coded.planes[0])


def tools(folder):
    for name, size, layout, depth, content, options in (
            ("lossless", (24, 18), "444", 8, "photo", "lossless=1"), ("screen", (72, 40), "444", 8, "screen", "q=30:tune-content=screen"),
            ("film-grain", (64, 48), "420", 8, "photo", "q=30:film-grain-test=1"),
            ("super-resolution", (72, 40), "420", 8, "photo", "q=40:superres=11"),
            ("quantizer-matrices", (48, 40), "420", 8, "photo", "q=40:enable-qm=1:qm-min=0:qm-max=8"),
            ("full-header", (24, 18), "420", 8, "photo", "q=40:full-header=1"),
            ("tiles", (136, 72), "420", 8, "photo", "q=55:tile-columns=1:tile-rows=1:sb-size=64")):
        coded = Coded(*size, layout, depth, options, (content,))
        decodes(
            folder, f"avif-tools/{name}", heif.heif([image(coded)]), rgb(coded.planes[0]), f"libaom with {options}",
            coded.planes[0])


def sequences(folder):
    coded = Coded(20, 18, "420", 8, "q=20", ("photo", "screen", "noise"))
    canvases, delays = [rgb(planes) for planes in coded.planes], [40, 100, 60]
    brands = box("ftyp", b"avis", bytes(4), b"avis", b"msf1")
    start = len(brands) + len(heif.track(coded, delays, 0)) + 8
    content = brands + heif.track(coded, delays, start) + box("mdat", *coded.samples)
    folder.animates(
        "avif-sequences/track.avif", content, canvases[0], canvases, delays, "a track of key frames without a still image")


def inter_coded(folder):
    coded = Coded(20, 18, "420", 8, "q=20:full-header=1")
    # The header of a frame that starts with its type, which is not that of a key frame.
    coded.samples.append(bytes([0x32, 1, 0x20]))
    brands = box("ftyp", b"avis", bytes(4), b"avis", b"msf1")
    start = len(brands) + len(heif.track(coded, [40, 40], 0, sync=[1])) + 8
    content = brands + heif.track(coded, [40, 40], start, sync=[1]) + box("mdat", *coded.samples)
    canvas = rgb(coded.planes[0])
    folder.animates(
        "avif-sequences/inter-coded.avif", content, canvas, [canvas, canvas], [40, 40],
        "the second frame refers to the first")


def movies(folder):
    coded = Coded(32, 16, "420", 8, "q=20", ("photo", "screen"))
    kind = box("ftyp", b"isom", bytes(4), b"isom", b"av01")
    start = len(kind) + len(heif.track(coded, [40, 40], 0, handler=b"vide")) + 8
    content = kind + heif.track(coded, [40, 40], start, handler=b"vide") + box("mdat", *coded.samples)
    heif.decodes(
        folder, "avif-sequences/video", content, rgb(coded.planes[0]), "the first frame of a video", coded.planes[0],
        suffix="mp4", decoder="libdav1d")


def rejects(folder):
    coded = Coded(20, 18, "420", 8, "q=20")
    content = heif.heif([image(coded)])
    folder.rejects("avif-reject/truncated.avif", content[:-40], "the coded data is cut off")
    folder.rejects("avif-reject/no-primary.avif", content.replace(b"pitm", b"free"), "no primary item")
    folder.rejects(
        "avif-reject/no-configuration.avif", content.replace(b"av1C", b"free"), "no codec configuration record")


def make(folder):
    for part in (formats, colors, transforms, grids, alphas, tools, sequences, inter_coded, movies, rejects):
        part(folder)
