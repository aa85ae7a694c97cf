#!/usr/bin/env python3
"""Writes reference-pictures.bin: small WebP files with hashes of their pixels as libwebp 1.2 decodes them.

Needs cwebp, dwebp, webpmux and libwebpdemux. A record is: length of the name (1 byte), name, length of the file (4 bytes,
little-endian), file, number of hashes (1 byte), hashes (8 bytes each, little-endian). Hashes are FNV-1a of RGBA rows with
the colour of transparent pixels zeroed: of the picture, or of each composed frame. Lossy stills have a second hash, of the
Y, U and V planes.
"""
import ctypes, os, random, struct, subprocess, tempfile

random.seed(11)
directory = tempfile.mkdtemp()


def path(name):
    return os.path.join(directory, name)


def write(name, data):
    with open(path(name), "wb") as file:
        file.write(data)
    return path(name)


def read(name):
    with open(path(name), "rb") as file:
        return file.read()


def run(*arguments):
    subprocess.run(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def normalized(rgba):
    pixels = bytearray(rgba)
    for index in range(0, len(pixels), 4):
        if pixels[index + 3] == 0:
            pixels[index : index + 3] = b"\0\0\0"
    return bytes(pixels)


def pam(width, height, rgba):
    header = b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" % (width, height)
    return header + bytes(rgba)


def photo(width, height, alpha=None, noise=30):
    """A gradient with coloured noise."""
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            for channel in range(3):
                value = x * (3 + 2 * channel) + y * (5 - 2 * channel) + (90 if (x // 9 + y // 7) % 2 else 0)
                pixels.append(max(0, min(255, value % 256 + random.randint(-noise, noise))))
            pixels.append(255 if alpha is None else alpha(x, y))
    return pam(width, height, pixels)


def drawing(width, height, colors):
    """Runs of few colours."""
    palette = [bytes(random.randrange(256) for _ in range(3)) + b"\xff" for _ in range(colors)]
    rows = []
    for y in range(height):
        row, x = [], 0
        while x < width:
            run_length, color = random.randint(1, 9), random.choice(palette)
            row += [color] * run_length
            x += run_length
        rows.append(b"".join(row[:width]) if y % 3 else (rows[-1] if rows else b"".join(row[:width])))
    return pam(width, height, b"".join(rows))


def still_hash(file):
    write("in.webp", file)
    run("dwebp", path("in.webp"), "-pam", "-o", path("out.pam"))
    return fnv(normalized(read("out.pam").split(b"ENDHDR\n", 1)[1]))


def planes_hash(file):
    write("in.webp", file)
    run("dwebp", path("in.webp"), "-yuv", "-o", path("out.yuv"))
    width, height = sizes[file]
    luma, chroma = width * height, (width + 1) // 2 * ((height + 1) // 2)
    return fnv(read("out.yuv")[: luma + 2 * chroma])


sizes = {}
records = []


def add(name, file, width, height, is_lossy=False):
    sizes[file] = (width, height)
    hashes = [still_hash(file)] + ([planes_hash(file)] if is_lossy else [])
    records.append((name.encode(), file, hashes))


def encode(picture, *options):
    write("in.pam", picture)
    run("cwebp", *options, path("in.pam"), "-o", path("out.webp"))
    return read("out.webp")


# Lossy: every width modulo a macroblock, qualities, filters, sharpness, segments.
for width in list(range(1, 19)) + [33, 40]:
    height = width * 7 % 23 + 1
    quality = str(width * 37 % 101)
    options = ["-q", quality, "-m", str(width % 7), "-f", str(width * 29 % 101), "-sharpness", str(width % 8)]
    options += ["-segments", str(width % 4 + 1), "-strong" if width % 3 else "-nostrong"]
    add("lossy/%dx%d" % (width, height), encode(photo(width, height), *options), width, height, True)
for index, (quality, strength) in enumerate([(5, 100), (50, 60), (95, 20), (75, 0)]):
    file = encode(photo(70, 61), "-q", str(quality), "-f", str(strength), "-sns", "100", "-segments", "4")
    add("lossy/70x61-%d" % index, file, 70, 61, True)


# Key frames of random modes and coefficients after a header that uses every field.
class BoolEncoder:
    """The encoder of RFC 6386, section 7.3."""

    def __init__(self):
        self.output, self.range, self.bottom, self.bit_count = bytearray(), 255, 0, 24

    def write(self, bit, probability=128):
        split = 1 + (((self.range - 1) * probability) >> 8)
        if bit:
            self.bottom += split
            self.range -= split
        else:
            self.range = split
        while self.range < 128:
            self.range <<= 1
            if self.bottom & (1 << 31):
                index = len(self.output) - 1
                while self.output[index] == 255:
                    self.output[index] = 0
                    index -= 1
                self.output[index] += 1
            self.bottom = (self.bottom << 1) & 0xFFFFFFFF
            self.bit_count -= 1
            if self.bit_count == 0:
                self.output.append(self.bottom >> 24)
                self.bottom &= 0xFFFFFF
                self.bit_count = 8

    def literal(self, value, bits):
        for bit in reversed(range(bits)):
            self.write(value >> bit & 1)

    def optional_signed(self, value, bits):
        self.write(value is not None)
        if value is not None:
            self.literal(abs(value), bits)
            self.write(value < 0)


UPDATE = [
    int(word)
    for word in "".join(
        line
        for line in open(
            os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Sources/WebPCodec/Lossy/CoefficientProbabilities.swift")
        )
        .read()
        .split("static let update: [UInt8] = [")[1]
        .split("]")[0]
    ).replace("\n", " ").split(",")
    if word.strip()
]


def random_frame(seed, width, height):
    random.seed(seed)
    encoder = BoolEncoder()
    encoder.literal(0, 2)
    has_segments = seed % 3 != 0
    encoder.write(has_segments)
    if has_segments:
        encoder.write(seed % 2)
        encoder.write(1)
        encoder.write(seed % 5 == 0)
        for _ in range(4):
            encoder.optional_signed(random.choice([None, random.randint(-60, 127)]), 7)
        for _ in range(4):
            encoder.optional_signed(random.choice([None, random.randint(-30, 63)]), 6)
        if seed % 2:
            for _ in range(3):
                update = random.randint(0, 1)
                encoder.write(update)
                if update:
                    encoder.literal(random.randint(1, 255), 8)
    encoder.write(seed % 4 == 0)
    encoder.literal(random.randint(0, 63) if seed % 7 else 0, 6)
    encoder.literal(seed % 8, 3)
    encoder.write(seed % 3 == 1)
    if seed % 3 == 1:
        encoder.write(1)
        for _ in range(8):
            encoder.optional_signed(random.choice([None, random.randint(-30, 30)]), 6)
    partitions = seed % 4
    encoder.literal(partitions, 2)
    encoder.literal(random.randint(0, 60), 7)
    for _ in range(5):
        encoder.optional_signed(random.choice([None, random.randint(-15, 15)]), 4)
    encoder.write(0)
    for probability in UPDATE:
        update = seed % 6 == 5 and random.randint(0, 40) == 0
        encoder.write(update, probability)
        if update:
            encoder.literal(random.randint(1, 255), 8)
    encoder.write(seed % 2)
    if seed % 2:
        encoder.literal(random.randint(100, 255), 8)
    blocks = ((width + 15) // 16) * ((height + 15) // 16)
    first = bytes(encoder.output) + random.randbytes(60 * blocks + 40)
    count = 1 << partitions
    parts = [random.randbytes(500 * blocks // min(count, (height + 15) // 16) + 200) for _ in range(count)]
    lengths = b"".join(struct.pack("<I", len(part))[:3] for part in parts[:-1])
    tag = struct.pack("<I", 1 << 4 | seed % 4 << 1 | len(first) << 5)[:3]
    scale = seed % 4 << 14
    payload = tag + b"\x9d\x01\x2a" + struct.pack("<HH", width | scale, height | scale) + first + lengths + b"".join(parts)
    chunk = b"VP8 " + struct.pack("<I", len(payload)) + payload + b"\0" * (len(payload) & 1)
    return b"RIFF" + struct.pack("<I", len(chunk) + 4) + b"WEBP" + chunk


for seed in range(24):
    width, height = [(16, 16), (33, 17), (20, 50), (48, 31)][seed % 4]
    add("random/%d" % seed, random_frame(seed, width, height), width, height, True)

# Lossless: efforts, palettes of every packing, noise that uses every predictor, a width beyond one batch of rows.
random.seed(12)
for effort in range(0, 10, 3):
    add("lossless/photo-z%d" % effort, encode(photo(45, 38), "-z", str(effort)), 45, 38)
    add("lossless/smooth-z%d" % effort, encode(photo(61, 47, noise=2), "-z", str(effort)), 61, 47)
for colors in [1, 2, 3, 4, 5, 16, 17, 200]:
    add("lossless/palette-%d" % colors, encode(drawing(51, 43, colors), "-lossless"), 51, 43)
add("lossless/wide", encode(drawing(2100, 9, 40), "-lossless", "-m", "6"), 2100, 9)
add("lossless/near", encode(photo(40, 30), "-near_lossless", "20"), 40, 30)
add("lossless/alpha", encode(photo(40, 30, lambda x, y: x * y % 256), "-lossless", "-exact"), 40, 30)

# Alpha planes: methods, filters, reduced levels.
for method in (0, 1):
    for filtering in ("none", "fast", "best"):
        for quality in (100, 40):
            picture = photo(37, 29, lambda x, y: max(0, min(255, x * 7 - y * 2 + random.randint(0, 5))))
            file = encode(
                picture, "-q", "60", "-alpha_method", str(method), "-alpha_filter", filtering, "-alpha_q", str(quality)
            )
            add("alpha/%d-%s-%d" % (method, filtering, quality), file, 37, 29)
for colors in (2, 4, 12):
    picture = photo(50, 21, lambda x, y: (x // 5 + y // 3) % colors * 255 // max(1, colors - 1))
    add("alpha/levels-%d" % colors, encode(picture, "-q", "30"), 50, 21)


# Animations, composed by libwebp's animation decoder.
class WebPData(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_char_p), ("size", ctypes.c_size_t)]


demux = ctypes.CDLL("libwebpdemux.so.2")
demux.WebPAnimDecoderNewInternal.restype = ctypes.c_void_p
demux.WebPAnimDecoderNewInternal.argtypes = [ctypes.POINTER(WebPData), ctypes.c_void_p, ctypes.c_int]
demux.WebPAnimDecoderHasMoreFrames.argtypes = [ctypes.c_void_p]
demux.WebPAnimDecoderGetNext.argtypes = [
    ctypes.c_void_p, ctypes.POINTER(ctypes.POINTER(ctypes.c_uint8)), ctypes.POINTER(ctypes.c_int)]


def frame_hashes(file, width, height):
    data = WebPData(file, len(file))
    decoder = demux.WebPAnimDecoderNewInternal(ctypes.byref(data), None, 0x0107)
    hashes = []
    while demux.WebPAnimDecoderHasMoreFrames(decoder):
        pixels, timestamp = ctypes.POINTER(ctypes.c_uint8)(), ctypes.c_int()
        assert demux.WebPAnimDecoderGetNext(decoder, ctypes.byref(pixels), ctypes.byref(timestamp))
        hashes.append(fnv(normalized(bytes(pixels[: width * height * 4]))))
    return hashes


for index in range(6):
    random.seed(100 + index)
    width, height = 48, 40
    arguments = []
    for number in range(6):
        is_whole = number == 0 and index % 2 == 0 or random.randint(0, 3) == 0
        w, h = (width, height) if is_whole else (random.randint(4, 30), random.randint(4, 30))
        x, y = (0, 0) if is_whole else (random.randint(0, (width - w) // 2) * 2, random.randint(0, (height - h) // 2) * 2)
        alpha = (lambda x, y: (x * 9 + y * 5) % 256) if random.randint(0, 2) else None
        options = ["-lossless"] if random.randint(0, 1) else ["-q", "50"]
        write("frame%d.webp" % number, encode(photo(w, h, alpha), *options))
        flags = "+%d+%d+%d+%d%s" % (
            30 + number, x, y, random.randint(0, 1), random.choice(["+b", "-b"]))
        arguments += ["-frame", path("frame%d.webp" % number), flags]
    # The first frame fixes the canvas when it is whole; otherwise the last one reaches its corner.
    if index % 2:
        write("corner.webp", encode(photo(8, 8), "-q", "80"))
        arguments += ["-frame", path("corner.webp"), "+90+%d+%d+0+b" % (width - 8, height - 8)]
    run("webpmux", *arguments, "-loop", str(index), "-bgcolor", "255,1,2,3", "-o", path("anim.webp"))
    file = read("anim.webp")
    w = 1 + int.from_bytes(file[24:27], "little")
    h = 1 + int.from_bytes(file[27:30], "little")
    records.append((b"animation/%d" % index, file, frame_hashes(file, w, h)))

# Pictures large enough for several threads. The alpha plane of the last one is larger than its colours.
for name, noise, alpha, options in [
    ("lossy", 6, None, []),
    ("small-alpha", 2, lambda x, y: min(255, x // 2), []),
    ("noisy-alpha", 0, lambda x, y: 255 if x > 300 else 85 * random.randint(0, 3), ["-alpha_filter", "best"]),
]:
    picture = photo(641, 411, alpha, noise)
    add("large/" + name, encode(picture, "-q", "10", "-m", "2", "-partition_limit", "0", *options), 641, 411, alpha is None)

here = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(here, "reference-pictures.bin"), "wb") as output:
    for name, file, hashes in records:
        output.write(struct.pack("<B", len(name)) + name + struct.pack("<I", len(file)) + file)
        output.write(struct.pack("<B", len(hashes)) + b"".join(struct.pack("<Q", value) for value in hashes))
print(len(records), "pictures")
