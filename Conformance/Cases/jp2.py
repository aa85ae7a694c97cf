"""The cases of JPEG 2000: files by opj_compress from pictures made here. The pixels of lossless ones are those of the
pictures, of lossy ones those of opj_decompress.

OpenJPEG 2.5 must be installed. Another version writes other files, and thereby other references.
"""

import os
import struct
import subprocess
import tempfile
import types

import heif
import tiff
from jxl import picture, png, widened

# Floating-point transforms round differently.
LIMITS = "max<=1"


def encoded(source, extension, options, name="in.png"):
    """A file by opj_compress."""
    with tempfile.TemporaryDirectory() as folder:
        path, target = os.path.join(folder, name), os.path.join(folder, "out" + extension)
        with open(path, "wb") as file:
            file.write(source)
        # Small pictures do not have the six resolutions that are the default.
        resolutions = () if "-n" in options else ("-n", "4")
        subprocess.run(
            ("opj_compress", "-i", path, "-o", target) + resolutions + options, check=True, capture_output=True)
        with open(target, "rb") as file:
            return file.read()


def decoded(content, extension, *options):
    """The samples of a file by opj_decompress, as rows of pixels."""
    with tempfile.TemporaryDirectory() as folder:
        path, target = os.path.join(folder, "in" + extension), os.path.join(folder, "out.pnm")
        with open(path, "wb") as file:
            file.write(content)
        subprocess.run(("opj_decompress", "-i", path, "-o", target) + options, check=True, capture_output=True)
        with open(target, "rb") as file:
            # The format, a comment, the size, the maximum.
            kind, _, size, maximum, samples = file.read().split(b"\n", 4)
    (width, height), channels = (int(word) for word in size.split()), {b"P5": 1, b"P6": 3}[kind]
    size = 2 if int(maximum) > 255 else 1
    values = [int.from_bytes(samples[i : i + size], "big") for i in range(0, len(samples), size)]
    pixels = [tuple(values[i : i + channels]) for i in range(0, len(values), channels)]
    return [pixels[y * width : (y + 1) * width] for y in range(height)]


# Boxes


def box(kind, content):
    return struct.pack(">I4s", 8 + len(content), kind) + content


def file(codestream, header, brand=b"jp2 ", before=b"", after=b""):
    """A file of the boxes of a header and a codestream."""
    return (
        box(b"jP  ", b"\r\n\x87\n") + box(b"ftyp", brand + b"\0\0\0\0" + brand) + box(b"jp2h", header) + before
        + box(b"jp2c", codestream) + after)


def image_header(width, height, components, depth=8):
    return box(b"ihdr", struct.pack(">IIHBBBB", height, width, components, depth - 1, 7, 0, 0))


def enumerated(space):
    return box(b"colr", struct.pack(">BBBI", 1, 0, 0, space))


def rgb(y, cb, cr):
    """Luma and chroma of ITU-R BT.601, full range, as RGBA."""
    values = (y + 1.402 * (cr - 128), y - 0.344136 * (cb - 128) - 0.714136 * (cr - 128), y + 1.772 * (cb - 128))
    return tuple(max(0, min(255, int(value + 0.5))) for value in values) + (255,)


# Cases


def lossless(folder):
    for name, extension, channels, depth, options in (
            ("gray8", ".jp2", 1, 8, ()), ("gray16", ".jp2", 1, 16, ()), ("rgb8", ".jp2", 3, 8, ()),
            ("rgba8", ".jp2", 4, 8, ()), ("rgb16", ".jp2", 3, 16, ("-n", "3")), ("gray8-alpha", ".jp2", 2, 8, ()),
            ("tiles", ".j2k", 3, 8, ("-t", "16,11", "-n", "3")), ("offsets", ".j2k", 3, 8, ("-d", "5,3", "-t", "16,16", "-T", "2,1")),
            ("precincts", ".j2k", 3, 8, ("-c", "[32,32],[16,16]", "-b", "8,8", "-p", "PCRL")),
            ("layers", ".j2k", 3, 8, ("-r", "30,10,1", "-p", "RPCL", "-SOP", "-EPH")),
            ("styles", ".j2k", 3, 8, ("-M", "63", "-b", "16,8")), ("bypass", ".j2k", 3, 8, ("-M", "1", "-b", "16,16")),
            ("parts", ".j2k", 3, 8, ("-TP", "R", "-t", "20,20", "-p", "CPRL", "-PLT", "-TLM")),
            ("interest", ".j2k", 3, 8, ("-ROI", "c=1,U=5")), ("single", ".j2k", 1, 8, ("-n", "1")),
            ("changes", ".j2k", 3, 8, ("-POC", "T1=0,0,1,2,3,CPRL/T1=2,0,1,4,3,RLCP"))):
        rows = picture(37, 29, channels, depth)
        content = encoded(png(rows, depth), extension, options)
        expected = [[widened(pixel, (1 << depth) - 1) for pixel in row] for row in rows]
        folder.decodes(
            f"jp2-lossless/{name}{extension}", content, expected, " ".join(("opj_compress",) + options), depth,
            checked=False)


def lossy(folder):
    for name, channels, depth, options in (
            ("gray", 1, 8, ("-r", "8")), ("rgb", 3, 8, ("-r", "10")), ("rgb16", 3, 16, ("-q", "60")),
            ("layers", 3, 8, ("-q", "25,35,45", "-c", "[16,16]")), ("tiles", 3, 8, ("-r", "6", "-t", "23,13"))):
        content = encoded(png(picture(37, 29, channels, depth), depth), ".j2k", ("-I",) + options)
        rows = [[widened(pixel, (1 << depth) - 1) for pixel in row] for row in decoded(content, ".j2k")]
        folder.decodes(
            f"jp2-lossy/{name}.j2k", content, rows, " ".join(("opj_compress", "-I") + options), depth, compare=LIMITS,
            checked=False, ref_decoder="opj_decompress 2.5")


def colors(folder):
    """Palettes and luma with chroma in boxes that are put together here."""
    width, height = 23, 17
    table = [(9 * index, 255 - 7 * index, 40 + 90 * (index % 3)) for index in range(16)]
    indices = [[((x // 3 + y // 2) % 16,) for x in range(width)] for y in range(height)]
    codestream = encoded(png(indices, 8), ".j2k", ())
    palette = box(b"pclr", struct.pack(">HB3B", 16, 3, 7, 7, 7) + b"".join(bytes(entry) for entry in table))
    mapping = box(b"cmap", b"".join(struct.pack(">HBB", 0, 1, column) for column in range(3)))
    content = file(codestream, image_header(width, height, 1) + enumerated(16) + palette + mapping)
    rows = [[table[pixel[0]] + (255,) for pixel in row] for row in indices]
    folder.decodes("jp2-colors/palette.jp2", content, rows, "sixteen colours", checked=False)

    planes = picture(width, height, 3, 8)
    codestream = encoded(png(planes, 8), ".j2k", ("-mct", "0"))
    content = file(codestream, image_header(width, height, 3) + enumerated(18))

    rows = [[rgb(*pixel) for pixel in row] for row in planes]
    folder.decodes("jp2-colors/sycc.jp2", content, rows, "luma and chroma", compare=LIMITS, checked=False)

    # Chroma of half the width and height; each sample is that of 2 × 2 pixels.
    luma = bytes(20 + 9 * x % 200 for y in range(16) for x in range(22))
    chroma = [bytes(60 + 11 * (x + k * y) % 150 for y in range(8) for x in range(11)) for k in (1, 2)]
    codestream = encoded(
        luma + b"".join(chroma), ".j2k", ("-F", "22,16,3,8,u@1x1:2x2:2x2", "-mct", "0"), "in.yuv")
    content = file(codestream, image_header(22, 16, 3) + enumerated(18))
    rows = [[rgb(luma[y * 22 + x], *(plane[y // 2 * 11 + x // 2] for plane in chroma)) for x in range(22)] for y in range(16)]
    folder.decodes("jp2-colors/sycc420.jp2", content, rows, "subsampled chroma", compare=LIMITS, checked=False)

    rows = picture(width, height, 3, 8)
    swapped = encoded(png([[pixel[::-1] for pixel in row] for row in rows], 8), ".j2k", ())
    definitions = box(b"cdef", struct.pack(">H9H", 3, 0, 0, 3, 1, 0, 2, 2, 0, 1))
    expected = [[pixel + (255,) for pixel in row] for row in rows]
    content = file(swapped, image_header(width, height, 3) + enumerated(16) + definitions)
    folder.decodes("jp2-colors/order.jp2", content, expected, "blue, green, red", checked=False)


def boxes(folder):
    width, height = 19, 13
    rows = picture(width, height, 1, 8)
    codestream = encoded(png(rows, 8), ".j2k", ())
    header = image_header(width, height, 1) + enumerated(17)
    expected = [[widened(pixel, 255) for pixel in row] for row in rows]
    exif = box(b"uuid", b"JpgTiffExif->JP2" + b"MM\0*\0\0\0\x08\0\0\0\0\0\0")
    xmp = box(b"uuid", bytes.fromhex("be7acfcb97a942e89c71999491e3afac") + b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>")
    resolution = box(b"res ", box(b"resc", struct.pack(">HHHHBB", 300, 1, 300, 1, 1, 1)))
    folder.decodes(
        "jp2-boxes/metadata.jp2", file(codestream, header + resolution, before=exif, after=xmp), expected,
        "EXIF, XMP and a resolution", checked=False)
    other = encoded(png(picture(11, 12, 1, 8), 8), ".j2k", ())
    content = file(codestream, header, b"jpx ", after=box(b"jp2c", other))
    second = [[widened(pixel, 255) for pixel in row] for row in picture(11, 12, 1, 8)]
    folder.decodes("jp2-boxes/two-images.jpx", content, expected, "two codestreams", checked=False)
    folder.has_entries("jp2-boxes/two-images.jpx", [expected, second])
    open_ended = file(b"", header)[:-8] + struct.pack(">I4s", 0, b"jp2c") + codestream
    folder.decodes("jp2-boxes/open.jp2", open_ended, expected, "a box that extends to the end", checked=False)


def hosts(folder):
    """Codestreams in TIFF, HEIF and a movie."""
    rows = picture(21, 14, 3, 8)
    expected = [[pixel + (255,) for pixel in row] for row in rows]
    for name, code, channels, depth, order in (
            ("rgb", 34712, 3, 8, "<"), ("aperio", 33005, 3, 8, "<"), ("gray16", 34712, 1, 16, ">"), ("luma", 33003, 3, 8, "<")):
        source = picture(21, 14, channels, depth)

        def compress(stored):
            """A strip as a codestream."""
            values = [struct.unpack(f"{order}{21 * channels}{'H' if depth == 16 else 'B'}", line) for line in stored]
            pixels = [[line[x : x + channels] for x in range(0, len(line), channels)] for line in values]
            return encoded(png(pixels, depth), ".j2k", ("-n", "2", "-mct", "0"))

        tiff.COMPRESSIONS["JPEG 2000"] = (code, compress)
        content = tiff.tiff([(source, depth, 2 if channels == 3 else 1, ())], order, compression="JPEG 2000", block=8)
        full = (1 << depth) - 1
        pixels = [[rgb(*pixel) if code == 33003 else widened(pixel, full) for pixel in row] for row in source]
        folder.decodes(
            f"jp2-hosts/{name}.tiff", content, pixels, f"compression {code}", depth,
            compare=LIMITS if code == 33003 else "exact", checked=False)

    codestream = encoded(png(rows, 8), ".j2k", ("-n", "3"))
    item = heif.Item("j2k1", codestream, [heif.extent(21, 14), heif.box("j2kH", b"")])
    folder.decodes("jp2-hosts/item.heif", heif.heif([item], brands=(b"mif1",)), expected, "a coded item", checked=False)

    luma = encoded(png(rows, 8), ".j2k", ("-n", "3", "-mct", "0"))
    coded = types.SimpleNamespace(
        kind="mjp2", width=21, height=14, record="jp2h", configuration=image_header(21, 14, 3) + enumerated(18),
        samples=[box(b"jp2c", luma), box(b"jp2c", codestream)])
    brands = heif.box("ftyp", b"qt  ", bytes(4), b"qt  ")

    def movie(start):
        return brands + heif.track(coded, [40, 40], start, handler=b"vide")

    content = movie(len(movie(0)) + 8) + heif.box("mdat", *coded.samples)
    pixels = [[rgb(*pixel) for pixel in row] for row in rows]
    folder.decodes(
        "jp2-hosts/movie.mov", content, pixels, "samples with luma and chroma", compare=LIMITS, checked=False)


def rejects(folder):
    content = encoded(png(picture(37, 29, 3, 8), 8), ".j2k", ())
    size = content.index(b"\xff\x51")
    for name, changed, note in (
            ("truncated", content[:-60], "the codestream ends within its packets"),
            ("no-size", content[:2] + content[size + 49 :], "SIZ is missing"),
            ("empty", content[: size + 6] + bytes(8) + content[size + 14 :], "an image without pixels"),
            ("no-tiles", content[: content.index(b"\xff\x90")] + b"\xff\xd9", "there is no tile-part")):
        folder.rejects(f"jp2-reject/{name}.j2k", changed, note)
    folder.rejects(
        "jp2-reject/no-codestream.jp2", file(b"", image_header(37, 29, 3) + enumerated(16))[:-8], "a header only")


def make(folder):
    for part in (lossless, lossy, colors, boxes, hosts, rejects):
        part(folder)
