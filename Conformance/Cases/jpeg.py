"""The cases of JPEG: files by libjpeg-turbo's cjpeg from pictures made here, references by its djpeg.

Both programs must be installed; what they make has been the same for many versions. Files of four components, which
cjpeg does not write, are put together from gray ones: a scan of one component does not know of the others.
"""

import random
import struct
import subprocess
import tempfile

SOI, EOI = b"\xff\xd8", b"\xff\xd9"


# Pictures


def photo(width, height, seed):
    """Slow waves, an edge and a little noise: every coefficient has something to do."""
    noise = random.Random(seed)
    rows = []
    for y in range(height):
        row = []
        for x in range(width):
            edge = 60 if (x * 2 + y) // 17 % 3 == seed % 3 else 0
            row.append(tuple(
                min(255, max(0, (x * (5 + k) + y * (9 - 2 * k)) * 2 % 230 + edge - 20 * k + noise.randint(-9, 9)))
                for k in range(3)))
        rows.append(row)
    return rows


def levels(width, height, seed, low=0):
    """One component of a picture."""
    return [[max(low, pixel[seed % 3]) for pixel in row] for row in photo(width, height, seed)]


# The programs


def pnm(rows):
    if isinstance(rows[0][0], int):
        return b"P5 %d %d 255\n" % (len(rows[0]), len(rows)) + bytes(v for row in rows for v in row)
    return b"P6 %d %d 255\n" % (len(rows[0]), len(rows)) + bytes(v for row in rows for pixel in row for v in pixel)


def cjpeg(rows, *options, scans=None):
    arguments = ["cjpeg", "-dct", "int", *options]
    with tempfile.NamedTemporaryFile("w", suffix=".scans") as script:
        if scans:
            script.write(scans)
            script.flush()
            arguments += ["-scans", script.name]
        return subprocess.run(arguments, input=pnm(rows), capture_output=True, check=True).stdout


def djpeg(content):
    """Rows of RGBA tuples."""
    output = subprocess.run(
        ["djpeg", "-dct", "int", "-pnm"], input=content, capture_output=True, check=True).stdout
    kind, width, height = output.split(None, 3)[:3]
    # The header ends with one byte of white space, which may be followed by samples that look like more of it.
    samples = output[output.index(b"\n255\n") + 5 :]
    width, height, channels = int(width), int(height), 1 if kind == b"P5" else 3
    assert len(samples) == width * height * channels
    pixels = [samples[i : i + channels] for i in range(0, len(samples), channels)]
    pixels = [tuple(pixel * 3 if channels == 1 else pixel) + (255,) for pixel in pixels]
    return [pixels[y * width : (y + 1) * width] for y in range(height)]


# Files of four components


def segments(content):
    """The segments of a file as pairs of a marker and what follows it, entropy-coded data included."""
    position, found = 2, []
    while content[position + 1] != 0xD9:
        marker = content[position + 1]
        end = position + 2 + struct.unpack(">H", content[position + 2 : position + 4])[0]
        if marker == 0xDA:
            while not (content[end] == 0xFF and content[end + 1] not in (0, *range(0xD0, 0xD8))):
                end += 1
        found.append((marker, content[position + 4 : end]))
        position = end
    return found


def segment(marker, data):
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def four_components(planes, width, height, transform, samplings=(0x11,) * 4, options=()):
    """A file from four gray planes, each coded by cjpeg, with the colour transform that Adobe's marker states."""
    out = SOI
    if transform is not None:
        out += segment(0xEE, b"Adobe\0\x64\0\0\0\0" + bytes([transform]))
    frame = None
    for index, plane in enumerate(planes):
        coded = segments(cjpeg(plane, "-grayscale", "-quality", "85", *options))
        if frame is None:
            kind = next(marker for marker, _ in coded if marker in (0xC0, 0xC1, 0xC2))
            parts = b"".join(bytes([number + 1, samplings[number], 0]) for number in range(4))
            frame = segment(kind, struct.pack(">BHHB", 8, height, width, 4) + parts)
            out += b"".join(segment(marker, data) for marker, data in coded if marker == 0xDB) + frame
        for marker, data in coded:
            if marker in (0xC4, 0xDD):
                out += segment(marker, data)
            if marker == 0xDA:
                # One component, its number, its tables, the part of the spectrum; then the data.
                header = bytes([1, index + 1]) + data[2:6]
                out += segment(marker, header) + data[6:]
    return out + EOI


# The cases


def coded(folder, suite, name, rows, note, *options, scans=None):
    content = cjpeg(rows, *options, scans=scans)
    folder.decodes(f"{suite}/{name}.jpeg", content, djpeg(content), note, checked=False, ref_decoder="djpeg")


def baseline(folder):
    for quality in (5, 50, 75, 95, 100):
        coded(folder, "jpeg-baseline", f"quality{quality}", photo(37, 29, quality), f"quality {quality}",
              "-quality", str(quality))
    coded(folder, "jpeg-baseline", "gray", levels(37, 29, 1), "one component")
    coded(folder, "jpeg-baseline", "rgb", photo(37, 29, 2), "components without a transform", "-rgb")
    coded(folder, "jpeg-baseline", "optimized", photo(37, 29, 3), "tables made for the file", "-optimize")
    coded(folder, "jpeg-baseline", "deep-tables", photo(37, 29, 4), "quantisation in 16 bits", "-quality", "1")
    coded(folder, "jpeg-baseline", "one-scan-each", photo(37, 29, 5), "a scan for each component", scans="0; 1; 2;")
    coded(folder, "jpeg-baseline", "scan-of-two", photo(37, 29, 6), "a scan of two components", scans="0; 1 2;")
    for width, height in ((1, 1), (8, 8), (16, 16), (17, 1), (1, 17), (15, 33), (64, 3)):
        coded(folder, "jpeg-sizes", f"{width}x{height}", photo(width, height, 7), "sizes around whole blocks")
        coded(folder, "jpeg-sizes", f"{width}x{height}-progressive", photo(width, height, 7),
              "sizes around whole blocks", "-progressive")


def samplings(folder):
    for luma in ("1x1", "2x1", "1x2", "2x2", "4x1", "1x4", "4x2", "2x4", "3x1", "1x3", "3x2"):
        for kind, options in (("", ()), ("-progressive", ("-progressive",))):
            coded(folder, "jpeg-sampling", f"luma{luma}{kind}", photo(45, 39, 8), f"luma {luma}", "-sample", luma,
                  *options)
    for name, sampling in (
            ("uneven", "2x2,1x2,2x1"), ("chroma-finer", "1x1,2x2,2x2"), ("one-chroma", "2x2,2x2,1x1"),
            ("rows", "1x2,1x1,1x2"), ("wide", "4x1,2x1,1x1")):
        coded(folder, "jpeg-sampling", name, photo(45, 39, 9), f"sampling {sampling}", "-sample", sampling)
    coded(folder, "jpeg-sampling", "gray2x2", levels(45, 39, 9), "factors of a lone component", "-sample", "2x2")
    coded(folder, "jpeg-sampling", "all2x2", photo(45, 39, 9), "no component is coarser", "-sample", "2x2,2x2,2x2",
          scans="0; 1; 2;")


def restarts(folder):
    for interval in ("1B", "2B", "7B", "1", "2"):
        for kind, options in (("", ()), ("-progressive", ("-progressive",)), ("-arithmetic", ("-arithmetic",))):
            coded(folder, "jpeg-restarts", f"every{interval}{kind}", photo(61, 43, 10), f"restarts every {interval}",
                  "-restart", interval, *options)


def progressive(folder):
    scripts = {
        "spectral": "0,1,2: 0-0, 0, 0; 0: 1-5, 0, 0; 2: 1-63, 0, 0; 1: 1-63, 0, 0; 0: 6-63, 0, 0;",
        "successive": "0 1 2: 0-0, 0, 3; 0: 1-63, 0, 3; 1: 1-63, 0, 2; 2: 1-63, 0, 1; 0 1 2: 0-0, 3, 2; 0: 1-63, 3, 2;"
        " 0 1 2: 0-0, 2, 1; 0: 1-63, 2, 1; 1: 1-63, 2, 1; 0 1 2: 0-0, 1, 0; 0: 1-63, 1, 0; 1: 1-63, 1, 0;"
        " 2: 1-63, 1, 0;",
        "one-coefficient": "0 1 2: 0-0, 0, 0; " + " ".join(f"0: {k}-{k}, 0, 0;" for k in range(1, 64))
        + " 1: 1-63, 0, 0; 2: 1-63, 0, 0;",
    }
    for name, scans in scripts.items():
        coded(folder, "jpeg-progressive", name, photo(45, 39, 11), "scans of its own", scans=scans.replace(",1,2", " 1 2"))
    for quality in (20, 90, 100):
        coded(folder, "jpeg-progressive", f"quality{quality}", photo(61, 43, 12), f"quality {quality}", "-progressive",
              "-quality", str(quality))
    coded(folder, "jpeg-progressive", "gray", levels(61, 43, 13), "one component", "-progressive")


def arithmetic(folder):
    for quality in (20, 90, 100):
        for kind, options in (("", ()), ("-progressive", ("-progressive",))):
            coded(folder, "jpeg-arithmetic", f"quality{quality}{kind}", photo(61, 43, 14), f"quality {quality}",
                  "-arithmetic", "-quality", str(quality), *options)
    coded(folder, "jpeg-arithmetic", "gray", levels(37, 29, 15), "one component", "-arithmetic")


def inks(folder):
    planes = [levels(37, 29, 16), levels(37, 29, 17), levels(37, 29, 18), levels(37, 29, 19, low=90)]
    halves = [planes[0], levels(19, 15, 17), levels(19, 15, 18), planes[3]]
    for name, transform, note in (
            ("cmyk", 0, "four inks, inverted as Adobe does"), ("ycck", 2, "three of the inks transformed"),
            ("unmarked", None, "four components and no word of Adobe's")):
        for kind, options in (("", ()), ("-progressive", ("-progressive",)), ("-restarts", ("-restart", "3B"))):
            content = four_components(planes, 37, 29, transform, options=options)
            folder.decodes(
                f"jpeg-inks/{name}{kind}.jpeg", content, djpeg(content), note, checked=False, ref_decoder="djpeg")
        content = four_components(halves, 37, 29, transform, samplings=(0x22, 0x11, 0x11, 0x22))
        folder.decodes(
            f"jpeg-inks/{name}-sampled.jpeg", content, djpeg(content), note, checked=False, ref_decoder="djpeg")


def rejects(folder):
    good = cjpeg(photo(37, 29, 20))
    parts = segments(good)
    whole = lambda kept: SOI + b"".join(segment_with_data(*part) for part in kept) + EOI
    for name, content, note in (
            ("empty", b"", "no bytes at all"),
            ("start-only", SOI, "nothing after the first marker"),
            ("no-frame", whole([part for part in parts if part[0] != 0xC0]), "SOF is missing"),
            ("no-scan", whole([part for part in parts if part[0] != 0xDA]), "SOS is missing"),
            ("no-quantisation", whole([part for part in parts if part[0] != 0xDB]), "DQT is missing"),
            ("no-end", good[:-2], "EOI is missing"),
            ("truncated", good[: len(good) * 2 // 3], "the file ends inside of the scan"),
            ("zero-width", whole([
                (marker, data[:3] + b"\0\0" + data[5:] if marker == 0xC0 else data) for marker, data in parts]),
             "a width of 0"),
            ("sampling5", whole([
                (marker, data[:7] + b"\x51" + data[8:] if marker == 0xC0 else data) for marker, data in parts]),
             "a sampling factor of 5"),
            ("huffman-overflow", whole([
                (marker, data[:1] + b"\3" + data[2:] if marker == 0xC4 else data) for marker, data in parts]),
             "three codes of one bit")):
        folder.rejects(f"jpeg-reject/{name}.jpeg", content, note)


def segment_with_data(marker, data):
    """A segment; the length of a scan's does not count the data after its header."""
    if marker != 0xDA:
        return segment(marker, data)
    header = 1 + 2 * data[0] + 3
    return segment(marker, data[:header]) + data[header:]


def make(folder):
    for part in (baseline, samplings, restarts, progressive, arithmetic, inks, rejects):
        part(folder)
