#!/usr/bin/env python3
"""Writes reference-pictures.bin: small HEVC stills by x265 with hashes of their planes as ffmpeg decodes them.

Needs ffmpeg with libx265 of 8, 10 and 12 bits. A record is: length of the name (1 byte), name, width and height (2 bytes
each, little-endian), bit depth (1 byte), layout (3 bytes, "400" to "444"), length of the byte stream (4 bytes,
little-endian), byte stream with start codes, hash (8 bytes, little-endian). The hash is FNV-1a of the rows of Y, U and V,
one byte a sample for 8 bits, otherwise two, little-endian.
"""
import os, random, struct, subprocess, tempfile

random.seed(23)
directory = tempfile.mkdtemp()

FORMATS = {
    ("400", 8): "gray", ("420", 8): "yuv420p", ("422", 8): "yuv422p", ("444", 8): "yuv444p",
    ("400", 10): "gray10le", ("420", 10): "yuv420p10le", ("422", 10): "yuv422p10le", ("444", 10): "yuv444p10le",
    ("400", 12): "gray12le", ("420", 12): "yuv420p12le", ("422", 12): "yuv422p12le", ("444", 12): "yuv444p12le",
}


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def plane(width, height, depth, kind, seed):
    """Rows of samples: gradients and edges (photo), flat areas with lines (screen) or noise."""
    source = random.Random(seed)
    maximum = (1 << depth) - 1
    samples = []
    for y in range(height):
        for x in range(width):
            if kind == "noise":
                value = source.randrange(256)
            elif kind == "screen":
                value = 40 if (x // 5 + y // 3) % 4 == 0 else 220 if (x * 7 + seed) % 11 == 0 else 128
            else:
                value = x * (2 + seed) + y * (4 - seed) + (70 if (x // 9 + y // 7) % 2 else 0)
                value += source.randrange(12) + (50 if (x - 20) ** 2 + (y - 15) ** 2 < 120 else 0)
            samples.append(max(0, min(255, value)) * maximum // 255)
    return struct.pack("<%d%s" % (len(samples), "B" if depth == 8 else "H"), *samples)


def picture(width, height, depth, layout, kind):
    columns = (width + 1) // 2 if layout in ("420", "422") else width
    rows = (height + 1) // 2 if layout == "420" else height
    data = plane(width, height, depth, kind, 1)
    if layout != "400":
        data += plane(columns, rows, depth, kind, 2) + plane(columns, rows, depth, kind, 3)
    return data


def run(*arguments):
    subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def path(name):
    return os.path.join(directory, name)


def units(stream):
    """NAL units with their start codes."""
    starts = [at for at in range(len(stream) - 3) if stream[at : at + 3] == b"\0\0\1"]
    return [stream[at:end] for at, end in zip(starts, starts[1:] + [len(stream)])]


def clean_random_access(stream):
    """The last picture, which is intra-coded but no instantaneous refresh, after its parameter sets."""
    kinds = [(unit[3] >> 1, unit) for unit in units(stream)]
    sets = {kind: unit for kind, unit in kinds if 32 <= kind <= 34}
    return b"".join(sets.values()) + [unit for kind, unit in kinds if kind == 21][-1]


def encode(width, height, depth, layout, kind, options):
    count = 5 if "keyint" in options else 1
    with open(path("in.yuv"), "wb") as file:
        file.write(picture(width, height, depth, layout, kind) * count)
    pixels = FORMATS[layout, depth]
    raw = ["-f", "rawvideo", "-pix_fmt", pixels, "-s", "%dx%d" % (width, height)]
    settings = "info=0:keyint=1:frame-threads=1:pools=none:log-level=none"
    if options:
        settings += ":" + options
    run("ffmpeg", "-y", *raw, "-i", path("in.yuv"), "-frames:v", str(count), "-c:v", "libx265", "-pix_fmt", pixels,
        "-x265-params", settings, "-f", "hevc", path("out.hevc"))
    if count > 1:
        with open(path("out.hevc"), "rb") as file:
            stream = clean_random_access(file.read())
        with open(path("out.hevc"), "wb") as file:
            file.write(stream)
    run("ffmpeg", "-y", "-i", path("out.hevc"), "-f", "rawvideo", "-pix_fmt", pixels, path("out.yuv"))
    with open(path("out.hevc"), "rb") as file:
        stream = file.read()
    with open(path("out.yuv"), "rb") as file:
        return stream, fnv(file.read())


CASES = [
    ("format", (72, 56), 8, "400", "photo", "qp=22"),
    ("format", (72, 56), 8, "420", "photo", "qp=22"),
    ("format", (72, 56), 8, "422", "photo", "qp=22"),
    ("format", (72, 56), 8, "444", "photo", "qp=22"),
    ("format", (72, 56), 10, "400", "photo", "qp=30"),
    ("format", (72, 56), 10, "420", "photo", "qp=22"),
    ("format", (72, 56), 10, "422", "photo", "qp=30"),
    ("format", (72, 56), 10, "444", "photo", "qp=30"),
    ("format", (72, 56), 12, "400", "photo", "qp=30"),
    ("format", (72, 56), 12, "420", "photo", "qp=22"),
    ("format", (72, 56), 12, "422", "photo", "qp=30"),
    ("format", (72, 56), 12, "444", "photo", "qp=30"),
    ("size", (16, 16), 8, "444", "photo", "qp=20:ctu=16"),
    ("size", (34, 18), 8, "420", "photo", "qp=20:ctu=16"),
    ("size", (34, 50), 8, "420", "photo", "qp=28"),
    ("size", (66, 34), 8, "422", "photo", "qp=28"),
    ("size", (33, 45), 8, "444", "photo", "qp=20"),
    ("size", (130, 70), 8, "420", "photo", "qp=34"),
    ("quantizer", (64, 48), 8, "420", "noise", "qp=2"),
    ("quantizer", (64, 48), 8, "420", "noise", "qp=51"),
    ("quantizer", (64, 48), 12, "444", "noise", "qp=4"),
    ("lossless", (40, 32), 8, "420", "photo", "lossless=1"),
    ("lossless", (40, 32), 10, "444", "screen", "lossless=1"),
    ("lossless", (64, 48), 8, "422", "screen", "cu-lossless=1:qp=20:rd=5"),
    ("skip", (64, 48), 8, "420", "screen", "tskip=1:qp=14:rd=5"),
    ("skip", (64, 48), 8, "444", "screen", "tskip=1:qp=14:rd=5"),
    ("blocks", (96, 64), 8, "420", "photo", "ctu=16:qp=26"),
    ("blocks", (96, 64), 8, "420", "photo", "ctu=32:min-cu-size=16:qp=26"),
    ("blocks", (96, 64), 8, "420", "photo", "max-tu-size=8:qp=26"),
    ("blocks", (96, 64), 8, "420", "photo", "tu-intra-depth=4:rd=5:qp=26"),
    ("blocks", (96, 64), 8, "444", "photo", "tu-intra-depth=3:rect=0:rd=6:qp=24"),
    ("lists", (64, 48), 8, "420", "photo", "scaling-list=default:qp=26"),
    ("lists", (64, 48), 8, "444", "photo", "scaling-list=default:qp=26"),
    ("deltas", (128, 64), 8, "420", "photo", "aq-mode=2:qg-size=8:crf=26"),
    ("deltas", (128, 64), 10, "422", "photo", "aq-mode=3:aq-strength=3:qg-size=16:crf=26"),
    ("deltas", (64, 48), 8, "420", "photo", "cbqpoffs=6:crqpoffs=-9:qp=30"),
    ("deltas", (64, 48), 8, "444", "photo", "cbqpoffs=-12:crqpoffs=12:qp=40"),
    ("filters", (64, 48), 8, "420", "photo", "no-deblock=1:no-sao=1:qp=36"),
    ("filters", (64, 48), 8, "420", "photo", "deblock=-6,6:no-sao=1:qp=36"),
    ("filters", (64, 48), 8, "422", "photo", "deblock=6,-3:qp=40"),
    ("filters", (64, 48), 10, "420", "photo", "no-deblock=1:sao=1:qp=36"),
    ("filters", (128, 64), 8, "420", "photo", "ctu=16:sao=1:no-strong-intra-smoothing=1:qp=38"),
    ("smoothing", (128, 128), 8, "400", "photo", "strong-intra-smoothing=1:ctu=64:qp=44"),
    ("signs", (64, 48), 8, "420", "photo", "no-signhide=1:qp=24"),
    ("signs", (64, 48), 8, "420", "photo", "signhide=1:rdoq-level=2:rd=5:qp=24"),
    ("rows", (128, 96), 8, "420", "photo", "wpp=1:pools=4:ctu=32:qp=30"),
    ("rows", (128, 96), 8, "422", "photo", "wpp=1:pools=4:ctu=16:qp=30"),
    ("slices", (96, 128), 8, "420", "photo", "slices=3:wpp=1:pools=4:ctu=32:qp=30"),
    ("slices", (96, 128), 8, "420", "photo", "slices=2:wpp=1:pools=4:ctu=16:qp=30"),
    ("constrained", (64, 48), 8, "420", "photo", "constrained-intra=1:qp=26"),
    ("refresh", (64, 48), 8, "420", "photo", "keyint=2:min-keyint=1:bframes=0:open-gop=1:qp=28"),
    ("colors", (16, 16), 8, "444", "photo", "range=full:colorprim=bt2020:transfer=bt2020-10:colormatrix=bt2020nc:qp=30"),
    ("colors", (16, 16), 8, "420", "photo", "chromaloc=2:range=limited:colormatrix=bt709:hrd=1:vbv-maxrate=900:vbv-bufsize=900"),
]

with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "reference-pictures.bin"), "wb") as out:
    for group, (width, height), depth, layout, kind, options in CASES:
        stream, value = encode(width, height, depth, layout, kind, options)
        name = ("%s/%dx%d-%s-%d-%s-%s" % (group, width, height, layout, depth, kind, options)).encode()
        out.write(struct.pack("<B", len(name)) + name + struct.pack("<HHB", width, height, depth) + layout.encode())
        out.write(struct.pack("<I", len(stream)) + stream + struct.pack("<Q", value))
