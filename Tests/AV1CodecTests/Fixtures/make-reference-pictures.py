#!/usr/bin/env python3
"""Writes reference-pictures.bin: small AV1 stills by libaom with hashes of their planes as libdav1d decodes them.

Needs the shared libraries libaom.so.3, version 3.6, and libdav1d.so.6. A record is: length of the name (1 byte), name,
width and height (2 bytes each, little-endian), bit depth (1 byte), layout (3 bytes, "400" to "444"), length of the OBUs
(4 bytes, little-endian), OBUs, hash (8 bytes, little-endian). The hash is FNV-1a of the rows of Y, U and V, one byte a
sample for 8 bits, otherwise two, little-endian.
"""
import ctypes
import os
import random
import struct

HERE = os.path.dirname(os.path.abspath(__file__))
aom = ctypes.CDLL("libaom.so.3")
dav1d = ctypes.CDLL("libdav1d.so.6")
pointer, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
for name, result, arguments in (
    ("aom_codec_av1_cx", pointer, []),
    ("aom_codec_enc_config_default", number, [pointer, pointer, ctypes.c_uint]),
    ("aom_codec_enc_init_ver", number, [pointer, pointer, pointer, ctypes.c_long, number]),
    ("aom_codec_set_option", number, [pointer, ctypes.c_char_p, ctypes.c_char_p]),
    ("aom_img_alloc", pointer, [pointer, number, ctypes.c_uint, ctypes.c_uint, ctypes.c_uint]),
    ("aom_codec_encode", number, [pointer, pointer, ctypes.c_int64, ctypes.c_ulong, ctypes.c_long]),
    ("aom_codec_get_cx_data", pointer, [pointer, pointer]),
    ("aom_codec_destroy", number, [pointer]),
):
    function = getattr(aom, name)
    function.restype, function.argtypes = result, arguments
dav1d.dav1d_data_create.restype = pointer
dav1d.dav1d_data_create.argtypes = [pointer, size]

ENCODER_ABI_VERSION = 25
# Indices of words of aom_codec_enc_cfg.
PROFILE, WIDTH, HEIGHT, LIMIT, BIT_DEPTH, INPUT_DEPTH, LAG = 2, 3, 4, 5, 8, 9, 14
SUPERRES_MODE, SUPERRES_DENOMINATOR, SUPERRES_KEY_DENOMINATOR = 19, 20, 21
END_USAGE, MONOCHROME, FULL_HEADER = 24, 52, 53


class Image(ctypes.Structure):
    _fields_ = [("head", number * 7), ("w", ctypes.c_uint), ("h", ctypes.c_uint), ("bit_depth", ctypes.c_uint),
                ("d", ctypes.c_uint * 4), ("x_shift", ctypes.c_uint), ("y_shift", ctypes.c_uint),
                ("planes", pointer * 3), ("stride", number * 3)]


def fnv(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return value


def sample(x, y, kind, seed, source):
    if kind == "noise":
        return source.randrange(256)
    if kind == "screen":
        return 40 if (x // 5 + y // 3) % 4 == 0 else 220 if (x * 7 + seed) % 11 == 0 else 128
    value = x * (2 + seed) + y * (4 - seed) + (70 if (x // 9 + y // 7) % 2 else 0)
    return value + source.randrange(12) + (50 if (x - 20) ** 2 + (y - 15) ** 2 < 120 else 0)


def plane_size(width, height, layout, plane):
    if plane == 0:
        return width, height
    return (width + 1) // 2 if layout in ("420", "422") else width, (height + 1) // 2 if layout == "420" else height


def fill(image, width, height, depth, layout, kind):
    maximum = (1 << depth) - 1
    for plane in range(3):
        columns, rows = plane_size(width, height, "420" if layout == "400" else layout, plane)
        source = random.Random(plane + 1)
        for y in range(rows):
            row = []
            for x in range(columns):
                value = 128 if plane and layout == "400" else sample(x, y, kind, plane + 1, source)
                row.append(max(0, min(255, value)) * maximum // 255)
            data = struct.pack("<%d%s" % (columns, "B" if depth == 8 else "H"), *row)
            ctypes.memmove(image.planes[plane] + y * image.stride[plane], data, len(data))


def encode(width, height, depth, layout, kind, options):
    settings = dict(item.split("=") for item in options.split(":")) if options else {}
    words = (ctypes.c_uint * 512)()
    codec = aom.aom_codec_av1_cx()
    assert aom.aom_codec_enc_config_default(codec, words, 2 if settings.pop("allintra", "1") == "1" else 0) == 0
    words[PROFILE] = 2 if depth == 12 or layout == "422" else 1 if layout == "444" else 0
    words[WIDTH], words[HEIGHT], words[LIMIT] = width, height, int(settings.pop("frames", 1))
    words[BIT_DEPTH] = words[INPUT_DEPTH] = depth
    words[LAG] = 0
    if "superres" in settings:
        words[SUPERRES_MODE] = 1
        words[SUPERRES_DENOMINATOR] = words[SUPERRES_KEY_DENOMINATOR] = int(settings.pop("superres"))
    words[END_USAGE] = 3
    quantizer = int(settings.pop("q", 30))
    context = ctypes.create_string_buffer(4096)
    words[MONOCHROME] = 1 if layout == "400" else 0
    words[FULL_HEADER] = int(settings.pop("full-header", 0))
    flags = 0x40000 if depth > 8 else 0
    result = aom.aom_codec_enc_init_ver(context, codec, words, flags, ENCODER_ABI_VERSION)
    assert result == 0, (result, options)
    defaults = {"cq-level": str(quantizer), "cpu-used": "1"}
    for key, value in {**defaults, **settings}.items():
        result = aom.aom_codec_set_option(context, key.encode(), value.encode())
        assert result == 0, (key, value, result)
    layouts = {"400": 0x102, "420": 0x102, "422": 0x105, "444": 0x106}
    address = aom.aom_img_alloc(None, layouts[layout] | (0x800 if depth > 8 else 0), width, height, 16)
    image = Image.from_address(address)
    image.head[4] = 1 if layout == "400" else 0
    fill(image, width, height, depth, layout, kind)
    stream = b""
    for frame in (address, None):
        assert aom.aom_codec_encode(context, frame, 0, 1, 1) == 0
        iterator = pointer(0)
        while packet := aom.aom_codec_get_cx_data(context, ctypes.byref(iterator)):
            if ctypes.c_int.from_address(packet).value == 0:
                start, count = (ctypes.c_size_t * 2).from_address(packet + 8)
                stream += ctypes.string_at(start, count)
    aom.aom_codec_destroy(context)
    return stream


def decode(stream):
    settings = ctypes.create_string_buffer(512)
    dav1d.dav1d_default_settings(settings)
    (ctypes.c_int * 2).from_buffer(settings)[0:2] = [1, 1]
    context = pointer()
    assert dav1d.dav1d_open(ctypes.byref(context), settings) == 0
    data = ctypes.create_string_buffer(256)
    ctypes.memmove(dav1d.dav1d_data_create(data, len(stream)), stream, len(stream))
    picture = ctypes.create_string_buffer(2048)
    result = -11
    for _ in range(4):
        dav1d.dav1d_send_data(context, data)
        result = dav1d.dav1d_get_picture(context, picture)
        if result == 0:
            break
    assert result == 0, result
    # Dav1dPicture: two headers, three planes, two strides, then width, height, layout and depth.
    base = ctypes.addressof(picture)
    planes = (ctypes.c_size_t * 3).from_address(base + 16)
    strides = (ctypes.c_ssize_t * 2).from_address(base + 40)
    width, height, layout, depth = (ctypes.c_int * 4).from_address(base + 56)
    layout = ("400", "420", "422", "444")[layout]
    result = b""
    for plane in range(1 if layout == "400" else 3):
        columns, rows = plane_size(width, height, layout, plane)
        for y in range(rows):
            result += ctypes.string_at(planes[plane] + y * strides[min(plane, 1)], columns * (2 if depth > 8 else 1))
    return width, height, layout, depth, result


CASES = [("format", (72, 56), depth, layout, "photo", "q=%d" % (20 + depth))
         for depth in (8, 10, 12) for layout in ("400", "420", "422", "444")]
CASES += [("size", dimensions, 8, layout, "photo", "q=30") for dimensions, layout in (
    ((16, 16), "444"), ((33, 45), "444"), ((34, 18), "420"), ((1, 1), "420"), ((66, 34), "422"), ((130, 70), "420"),
    ((7, 150), "420"), ((200, 9), "444"))]
CASES += [("quantizer", (64, 48), depth, layout, "noise", options) for depth, layout, options in (
    (8, "420", "q=1"), (8, "420", "q=63"), (12, "444", "q=2"), (10, "420", "q=63"), (8, "444", "lossless=1"),
    (12, "422", "lossless=1"), (8, "420", "q=40:enable-qm=1:qm-min=0:qm-max=8"),
    (10, "444", "q=40:enable-qm=1:qm-min=3:qm-max=6"), (8, "422", "q=25:enable-qm=1:qm-min=9:qm-max=14"))]
CASES += [("tools", (136, 88), depth, layout, kind, options) for depth, layout, kind, options in (
    (8, "420", "photo", "q=35:sb-size=64"), (8, "420", "photo", "q=35:sb-size=128"),
    (8, "444", "screen", "q=30:tune-content=screen"), (10, "420", "screen", "q=20:tune-content=screen"),
    (8, "420", "screen", "q=30:tune-content=screen:enable-intrabc=0"),
    (8, "420", "photo", "q=40:enable-cdef=1:enable-restoration=1:cpu-used=0"),
    (10, "422", "photo", "q=50:enable-cdef=1:enable-restoration=1:cpu-used=0"),
    (12, "420", "photo", "q=50:enable-cdef=1:enable-restoration=1:cpu-used=0"),
    (8, "420", "photo", "q=45:enable-cdef=0:enable-restoration=0"), (8, "420", "photo", "q=45:enable-rect-partitions=0"),
    (8, "420", "photo", "q=45:reduced-tx-type-set=1"), (8, "420", "photo", "q=30:enable-filter-intra=0"),
    (8, "444", "photo", "q=30:enable-intra-edge-filter=0"), (8, "420", "photo", "q=30:deltaq-mode=3"),
    (8, "420", "photo", "q=30:deltaq-mode=3:delta-lf-mode=1"), (8, "420", "photo", "q=30:aq-mode=1"),
    (8, "420", "photo", "q=30:film-grain-test=1"), (10, "444", "photo", "q=30:film-grain-test=9"),
    (8, "420", "photo", "q=40:superres=11"), (10, "444", "photo", "q=30:superres=16"),
    (8, "420", "photo", "q=40:cdf-update-mode=0"), (8, "420", "photo", "q=40:full-header=1"))]
CASES += [("tiles", (300, 200), 8, "420", "photo", "q=50:tile-columns=2:tile-rows=1:sb-size=64"),
          ("tiles", (300, 140), 10, "444", "photo", "q=55:tile-columns=1:tile-rows=2:sb-size=64")]
# Tiles with state that neighbours or filters read across their edges, in one column, in several tile groups, and in
# frames that are filtered as a whole.
CASES += [("tiles", dimensions, depth, layout, kind, options) for dimensions, depth, layout, kind, options in (
    ((260, 200), 8, "420", "photo", "q=50:tile-columns=1:tile-rows=1:aq-mode=1:sb-size=64"),
    ((260, 140), 8, "422", "photo",
     "q=50:tile-columns=1:tile-rows=1:deltaq-mode=3:delta-lf-mode=1:enable-cdef=1:enable-restoration=1:cpu-used=0:sb-size=64"),
    ((300, 260), 10, "420", "photo",
     "q=55:tile-columns=1:tile-rows=1:enable-cdef=1:enable-restoration=1:cpu-used=0:sb-size=128"),
    ((140, 300), 8, "420", "photo", "q=50:tile-rows=2:enable-restoration=1:cpu-used=0:sb-size=64"),
    ((300, 200), 8, "420", "photo", "q=55:tile-columns=2:tile-rows=1:num-tile-groups=4:sb-size=64"),
    ((260, 140), 8, "420", "photo", "q=55:tile-columns=1:tile-rows=1:superres=11:sb-size=64"),
    ((260, 140), 8, "420", "photo", "q=55:tile-columns=1:tile-rows=1:film-grain-test=1:sb-size=64"),
    ((260, 140), 8, "420", "screen", "q=50:tile-columns=1:tile-rows=1:tune-content=screen:enable-intrabc=0:sb-size=64"),
    ((260, 140), 8, "420", "screen", "q=50:tile-columns=1:tile-rows=1:tune-content=screen:sb-size=64"))]
# More rows of superblocks than are kept at a time.
CASES += [("rows", dimensions, depth, layout, "photo", options) for dimensions, depth, layout, options in (
    ((72, 600), 8, "420", "q=44:enable-cdef=1:enable-restoration=1:cpu-used=0:sb-size=64"),
    ((80, 420), 10, "444", "q=50:enable-cdef=1:enable-restoration=1:cpu-used=0:sb-size=128"),
    ((64, 560), 8, "422", "q=44:enable-cdef=1:enable-restoration=0:sb-size=64"),
    ((72, 500), 8, "420", "q=44:enable-cdef=0:enable-restoration=1:cpu-used=0:sb-size=64"))]

if __name__ == "__main__":
    with open(os.path.join(HERE, "reference-pictures.bin"), "wb") as file:
        for group, (columns, rows), depth, layout, kind, options in CASES:
            stream = encode(columns, rows, depth, layout, kind, options)
            width, height, decoded_layout, decoded_depth, planes = decode(stream)
            name = "%s/%dx%d-%s-%d-%s-%s" % (group, columns, rows, layout, depth, kind, options)
            assert (width, height, decoded_layout, decoded_depth) == (columns, rows, layout, depth), name
            file.write(bytes([len(name)]) + name.encode())
            file.write(struct.pack("<HHB", width, height, depth) + layout.encode())
            file.write(struct.pack("<I", len(stream)) + stream + struct.pack("<Q", fnv(planes)))
