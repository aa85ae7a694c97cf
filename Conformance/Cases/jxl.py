"""The cases of JPEG XL: files by cjxl from pictures made here; the pixels of lossless ones are those of the pictures, of
others those of libjxl with 16 bits.

cjxl and libjxl 0.7 must be installed. Another version of cjxl makes other files, and thereby other references.
"""

import ctypes
import hashlib
import os
import struct
import subprocess
import tempfile
import zlib

# The limits of the conformance suite of the format for most of its files.
LIMITS = "tol rms<=0.0001 peak<=0.004"
# Those of samples that are rounded to 8 bits.
ROUNDED = "max<=1"


def coded(rows, depth, *options):
    """A file by cjxl, and its pixels by libjxl."""
    content = encoded("in.png", png(rows, depth), options)
    return content, decoded(content, len(rows[0]), len(rows))


def encoded(name, source, options):
    with tempfile.TemporaryDirectory() as folder:
        path, target = os.path.join(folder, name), os.path.join(folder, "out.jxl")
        with open(path, "wb") as file:
            file.write(source)
        subprocess.run(("cjxl", path, target, "--num_threads=0") + options, check=True, capture_output=True)
        with open(target, "rb") as file:
            return file.read()


class PixelFormat(ctypes.Structure):
    _fields_ = [("channels", ctypes.c_uint32), ("type", ctypes.c_int), ("order", ctypes.c_int), ("align", ctypes.c_size_t)]


def decoded(content, width, height):
    """The pixels of a still picture by libjxl: rows of RGBA of 16 bits. Constants are those of decode.h and types.h."""
    jxl = ctypes.CDLL("libjxl.so.0.7")
    jxl.JxlDecoderCreate.restype = ctypes.c_void_p
    decoder = ctypes.c_void_p(jxl.JxlDecoderCreate(None))
    layout = PixelFormat(4, 3, 2, 0)
    output = ctypes.create_string_buffer(8 * width * height)
    full_image, needs_buffer, succeeded = 0x1000, 5, 0
    assert jxl.JxlDecoderSubscribeEvents(decoder, full_image) == 0
    assert jxl.JxlDecoderSetInput(decoder, content, ctypes.c_size_t(len(content))) == 0
    jxl.JxlDecoderCloseInput(decoder)
    while (status := jxl.JxlDecoderProcessInput(decoder)) != succeeded:
        assert status in (full_image, needs_buffer), status
        if status == needs_buffer:
            size = ctypes.c_size_t(len(output))
            assert jxl.JxlDecoderSetImageOutBuffer(decoder, ctypes.byref(layout), output, size) == 0
    jxl.JxlDecoderDestroy(decoder)
    samples = struct.unpack(f">{4 * width * height}H", output.raw)
    return [[samples[4 * (y * width + x) : 4 * (y * width + x) + 4] for x in range(width)] for y in range(height)]


# Pictures as cjxl reads them


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(rows, depth):
    channels, form = len(rows[0][0]), ">H" if depth == 16 else ">B"
    data = b"".join(b"\0" + b"".join(struct.pack(form, sample) for pixel in row for sample in pixel) for row in rows)
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), depth, {1: 0, 2: 4, 3: 2, 4: 6}[channels], 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def widened(pixel, full):
    """A pixel as RGBA."""
    colors = tuple(pixel[:1]) * 3 if len(pixel) <= 2 else tuple(pixel[:3])
    return colors + (tuple(pixel[-1:]) if len(pixel) in (2, 4) else (full,))


# Pictures


def picture(width, height, channels, depth, seed=0):
    """Slopes and edges; alpha, if there is one, from opaque to transparent."""
    full = (1 << depth) - 1

    def sample(x, y, channel):
        if channel == channels - 1 and channels in (2, 4):
            return max(0, full - full * (x + y) // (width + height - 8))
        slope = x * (3 + channel) + y * (5 - channel) + 60 * ((x // 7 + y // 5 + seed) % 2)
        return min(full, slope * full // (9 * max(width, height)))

    return [[tuple(sample(x, y, channel) for channel in range(channels)) for x in range(width)] for y in range(height)]


def text(width, height):
    """Small shapes that recur on an even background, as letters do."""
    shapes = (
        (0b01110, 0b10001, 0b11111, 0b10001, 0b10001), (0b11110, 0b10001, 0b11110, 0b10001, 0b11110),
        (0b11111, 0b10000, 0b11110, 0b10000, 0b11111))  # fmt: skip
    rows = [[(236, 230, 220)] * width for _ in range(height)]
    for number in range((width // 9) * (height // 9)):
        left, top = number % (width // 9) * 9 + 2, number // (width // 9) * 9 + 2
        for y, line in enumerate(shapes[number * number % 3]):
            for x in range(5):
                if line >> (4 - x) & 1:
                    rows[top + y][left + x] = (20, 30, 90)
    return rows


# Cases


def lossless(folder):
    for name, channels, depth, options in (
            ("gray8", 1, 8, ()), ("gray16", 1, 16, ()), ("rgb8", 3, 8, ()), ("rgba8", 4, 8, ()), ("rgb16", 3, 16, ()),
            ("gray8-alpha", 2, 8, ()), ("fast", 3, 8, ("-e", "1")), ("slow", 3, 8, ("-e", "9")),
            ("squeeze", 3, 8, ("-R", "1")), ("weighted", 3, 8, ("-P", "6")), ("palette", 3, 8, ("-P", "0", "-C", "0")),
            ("container", 3, 8, ("--container=1",))):
        rows = picture(37, 29, channels, depth)
        if name == "palette":
            rows = [[((x // 4 % 5) * 50, (y // 3 % 4) * 60, 9) for x in range(37)] for y in range(29)]
        content, found = coded(rows, depth, "-d", "0", *options)
        expected = [[widened(pixel, (1 << depth) - 1) for pixel in row] for row in rows]
        factor = 257 if depth == 8 else 1
        assert found == [[tuple(factor * sample for sample in pixel) for pixel in row] for row in expected]
        folder.decodes(
            f"jxl-lossless/{name}.jxl", content, expected, " ".join(("cjxl -d 0",) + options), depth, checked=False)


def lossy(folder):
    for name, channels, depth, size, options in (
            ("gray", 1, 8, (37, 29), ()), ("rgb", 3, 8, (45, 33), ()), ("rgba", 4, 8, (37, 29), ()),
            ("rgb16", 3, 16, (37, 29), ()), ("distance4", 3, 8, (45, 33), ("-d", "4")), ("fast", 3, 8, (45, 33), ("-e", "3")),
            ("slow", 3, 8, (45, 33), ("-e", "9")), ("filter0", 3, 8, (45, 33), ("--epf=0", "--gaborish=0")),
            ("filter3", 3, 8, (45, 33), ("--epf=3", "--gaborish=1", "-d", "3")), ("passes", 3, 8, (45, 33), ("--progressive_ac",)),
            ("lf-frame", 3, 8, (45, 33), ("--progressive_dc=1",)),
            ("groups", 3, 8, (264, 9), ("-d", "2",)), ("modular", 3, 8, (45, 33), ("-m", "1", "-d", "2"))):
        content, pixels = coded(picture(*size, channels, depth), depth, *options)
        folder.decodes(
            f"jxl-lossy/{name}.jxl", content, pixels, " ".join(("cjxl",) + options), 16, compare=LIMITS, checked=False,
            ref_decoder="libjxl 0.7")


def features(folder):
    """Noise, patches and upsampling, which are added after a frame is decoded. The files differ from those that are made
    with the last options instead, so that they have what their names say."""
    noise, patches, none = "--photon_noise=ISO3200", "--patches=1", ("--resampling=1",)
    for name, rows, options, others in (
            ("noise", picture(45, 33, 3, 8), (noise,), ()), ("noise-gray", picture(37, 29, 1, 8), (noise,), ()),
            ("noise-groups", picture(264, 9, 3, 8), ("-d", "2", "--photon_noise=ISO1600"), ("-d", "2")),
            ("patches", text(90, 54), (patches,), ("--patches=0",)),
            ("patches-noise", text(72, 45), (patches, noise), ("--patches=0", noise)),
            # cjxl does not accept a factor of 2; it is that of large distances.
            ("upsampling2", picture(75, 50, 3, 8), ("-d", "20"), ("-d", "20") + none),
            ("upsampling2-noise", picture(45, 33, 3, 8), ("-d", "20", noise), ("-d", "20", noise) + none),
            ("upsampling4", picture(45, 33, 3, 8), ("--resampling=4",), none),
            ("upsampling4-modular", picture(45, 33, 3, 8), ("--resampling=4", "-m", "1", "-d", "1"), ("-m", "1", "-d", "1")),
            ("upsampling4-alpha", picture(37, 29, 4, 8), ("--resampling=4",), none),
            ("upsampling8", picture(75, 50, 3, 8), ("--resampling=8",), none),
            ("upsampled-alpha", picture(37, 29, 4, 8), none + ("--ec_resampling=8",), none + ("--ec_resampling=1",))):
        content, pixels = coded(rows, 8, *options)
        assert coded(rows, 8, *others)[0] != content, name
        folder.decodes(
            f"jxl-features/{name}.jxl", content, pixels, " ".join(("cjxl",) + options), 16, compare=LIMITS, checked=False,
            ref_decoder="libjxl 0.7")


def jpegs(folder):
    for name, options in (
            ("444", ("-sample", "1x1")), ("420", ("-sample", "2x2")), ("gray", ("-grayscale",)),
            ("progressive", ("-sample", "2x1", "-progressive")),
            ("restarts", ("-restart", "1"))):
        rows = picture(45, 35, 3, 8)
        with tempfile.TemporaryDirectory() as temporary:
            source = os.path.join(temporary, "in.ppm")
            with open(source, "wb") as file:
                file.write(b"P6\n45 35\n255\n" + bytes(sample for row in rows for pixel in row for sample in pixel))
            jpeg = subprocess.run(
                ["cjpeg", "-quality", "80", *options, source], check=True, capture_output=True).stdout
        path, content = f"jxl-jpeg/{name}.jxl", encoded("in.jpg", jpeg, ())
        folder.decodes(
            path, content, decoded(content, 45, 35), "a JPEG file by " + " ".join(("cjpeg",) + options), 16,
            compare=LIMITS, checked=False, ref_decoder="libjxl 0.7")
        folder.originals.append((path, hashlib.sha256(jpeg).hexdigest()))


def animations(folder):
    import generate

    canvases = [picture(12, 10, 4, 8, seed) for seed in range(3)]
    delays = [50, 100, 70]
    frames = [generate.frame(canvas, delay=(delay, 1000)) for canvas, delay in zip(canvases, delays)]
    content = encoded("in.apng", generate.animation(12, 10, frames), ("-d", "0"))
    folder.animates(
        "jxl-animation/lossless.jxl", content, canvases[0], canvases, delays, "three frames of the whole canvas")


def hosts(folder):
    """Codestreams in TIFF."""
    import tiff

    for name, code, channels, depth, order, options in (
            ("rgb8", 50002, 3, 8, "<", ("-d", "0")), ("gray16", 50002, 1, 16, ">", ("-d", "0")),
            ("lossy", 52546, 3, 8, "<", ("-d", "1"))):
        source = picture(40, 24, channels, depth)

        def compress(stored):
            """A strip as a codestream."""
            values = [struct.unpack(f"{order}{40 * channels}{'H' if depth == 16 else 'B'}", line) for line in stored]
            pixels = [[line[x : x + channels] for x in range(0, len(line), channels)] for line in values]
            return encoded("in.png", png(pixels, depth), options)

        tiff.COMPRESSIONS["JPEG XL"] = (code, compress)
        content = tiff.tiff([(source, depth, 2 if channels == 3 else 1, ())], order, compression="JPEG XL", block=24)
        pixels = [[widened(pixel, (1 << depth) - 1) for pixel in row] for row in source]
        if name == "lossy":
            found = decoded(compress([bytes(sample for pixel in row for sample in pixel) for row in source]), 40, 24)
            pixels = [[tuple((sample * 255 + 32767) // 65535 for sample in pixel) for pixel in row] for row in found]
        folder.decodes(
            f"jxl-hosts/{name}.tiff", content, pixels, f"compression {code}", depth,
            compare=ROUNDED if name == "lossy" else "exact", checked=False)
        # Other cases try all compressions.
        del tiff.COMPRESSIONS["JPEG XL"]


def rejects(folder):
    content, _ = coded(picture(37, 29, 3, 8), 8, "-d", "0")
    folder.rejects("jxl-reject/truncated.jxl", content[:-20], "the codestream ends within its picture")
    folder.rejects("jxl-reject/no-codestream.jxl", b"\0\0\0\x0cJXL \r\n\x87\n" + struct.pack(">I4s", 9, b"jxll") + b"\5",
                   "a container without a codestream")
    folder.rejects("jxl-reject/signature.jxl", b"\xff\x0b" + content[2:], "not the signature of a codestream")


def make(folder):
    for part in (lossless, lossy, features, jpegs, animations, hosts, rejects):
        part(folder)
