"""Raw files of the makers: embedded JPEG streams at the places where their cameras put them. The sensor data are a few
bytes without meaning, because only those of DNG are decoded.
"""

import hashlib
import math
import struct

from jpeg import cjpeg
from rawbytes import Structure, blobs, lossless_jpeg, packed, segment
from rawcolors import scene

DATE = "2026:05:06 07:08:09"
# The same time in seconds, which some files have instead.
SECONDS = 1_778_051_289
EXPOSURE = [
    (33434, "R", [(1, 500)]), (33437, "R", [(4, 1)]), (34855, "H", [800]), (36867, "A", DATE), (37386, "R", [(85, 1)])]
SENSOR = bytes(range(64))
LARGE, MEDIUM, SMALL = (64, 44), (40, 28), (24, 16)


def picture(size, quality=75):
    return cjpeg(scene(*size), "-quality", str(quality))


def list_previews(folder, path, content, previews):
    """Lists the embedded streams of a file, the largest first."""
    def size(stream):
        # SOF0 of cjpeg, the last one: streams of thumbnails precede it.
        place = stream.rindex(b"\xff\xc0")
        return struct.unpack(">HH", stream[place + 5 : place + 9])[::-1]

    ordered = sorted(previews, key=lambda preview: -math.prod(size(preview[1])))
    for index, (tag, stream) in enumerate(ordered):
        assert content.count(stream) == 1, (path, tag)
        folder.previews.append((
            path, str(index), tag, str(content.index(stream)), str(len(stream)), *map(str, size(stream)),
            hashlib.sha256(stream).hexdigest()))


def add(folder, name, content, previews, make, model, orientation=1, exposure=True, date=True):
    """Adds a file that is decoded as its largest embedded stream."""
    path = f"raw-makers/{name}"
    list_previews(folder, path, content, previews)
    width, height = next((row[5], row[6]) for row in folder.previews if row[0] == path)
    folder.add(
        path, content, "decode", "the largest embedded stream", compare="preview", ref_decoder="generator", width=width,
        height=height, frames=1)
    facts = ("0.002", "4", "800", "85") if exposure else ("-",) * 4
    folder.sensors.append(
        (path, make, model, str(orientation or "-"), DATE if date else "-", *facts, "-", "-", "-", "-", "-", "-"))


def camera(make, model, orientation=1, note=None, more=()):
    exif = EXPOSURE + ([(37500, "note", note)] if note else [])
    return [(271, "A", make), (272, "A", model), (274, "H", [orientation]), (34665, "ifds", [exif])] + list(more)


def stream_fields(stream):
    """JPEGInterchangeFormat and its length."""
    return blobs(513, 514, [stream])


def strip(width, height, compression, photometric, data, bits=(8, 8, 8), subfile=None):
    fields = [
        (256, "I", [width]), (257, "I", [height]), (258, "H", list(bits)), (259, "H", [compression]),
        (262, "H", [photometric]), (277, "H", [len(bits)]), (278, "I", [height])] + blobs(273, 279, [data])
    return fields + ([(254, "I", [subfile])] if subfile is not None else [])


def colors(width, height):
    """Uncompressed RGB."""
    return packed([[v for pixel in row for v in pixel] for row in scene(width, height)], 8)


def sensor(compression, bits=14):
    return strip(60, 40, compression, 32803, SENSOR, (bits,), 0)


def exif_stream(stream, directories):
    """A JPEG stream with an EXIF block."""
    block = b"Exif\0\0" + Structure("<").finish(directories)
    return stream[:2] + segment(0xE1, block) + stream[2:]


# Files of directories


def canon(folder):
    large, small = picture(LARGE), picture(SMALL)
    frame = [[(x * y * 37) % 16384 for x in range(48)] for y in range(12)]
    raw = strip(48, 12, 6, 32803, lossless_jpeg(frame, 2, 14), (14,)) + [(50752, "H", [1, 16, 16])]
    pages = [
        strip(*LARGE, 6, 6, large) + camera("Canon", "Canon EOS Made-up", 8), stream_fields(small),
        strip(6, 4, 1, 2, bytes(6 * 4 * 6), (16, 16, 16)), raw]
    content = Structure("<", b"II*\0\0\0\0\0CR\2\0\0\0\0\0").finish(pages)
    add(folder, "canon.cr2", content, [("PreviewImage", large), ("ThumbnailImage", small)], "Canon", "Canon EOS Made-up", 8)


def nikon(folder):
    large, medium = picture(LARGE), picture(MEDIUM)

    def note(position):
        # Offsets relate to the TIFF header in the note.
        preview = [(259, "H", [6])] + stream_fields(medium)
        return b"Nikon\0\2\x10\0\0" + Structure(">").finish([[(1, "U", b"0210"), (17, "ifds", [preview])]])

    for name, order in (("nikon", ">"), ("nikon-little-endian", "<")):
        thumbnail = strip(8, 6, 1, 2, colors(8, 6), subfile=1)
        subdirectories = [[(254, "I", [1]), (259, "H", [6])] + stream_fields(large), sensor(34713)]
        main = thumbnail + camera("NIKON CORPORATION", "NIKON D-Made-up", 6, note, [(330, "ifds", subdirectories)])
        add(
            folder, f"{name}.nef", Structure(order).finish([main]), [("JpgFromRaw", large), ("PreviewImage", medium)],
            "NIKON CORPORATION", "NIKON D-Made-up", 6)
    small = picture(SMALL)
    main = camera("NIKON", "COOLPIX Made-up", 1, None, [(330, "ifds", [
        [(254, "I", [1]), (259, "H", [6])] + stream_fields(large), sensor(34713)])]) + [(259, "H", [6])] + stream_fields(small)
    add(
        folder, "nikon.nrw", Structure("<").finish([main]), [("JpgFromRaw", large), ("ThumbnailImage", small)], "NIKON",
        "COOLPIX Made-up")


def sony(folder):
    large, small = picture(LARGE), picture(SMALL)
    main = [(254, "I", [1])] + stream_fields(large) + camera(
        "SONY", "ILCE-Made-up", 3, None, [(330, "ifds", [sensor(32767)])])
    content = Structure("<").finish([main, [(254, "I", [1]), (259, "H", [6])] + stream_fields(small)])
    add(folder, "sony.arw", content, [("PreviewImage", large), ("ThumbnailImage", small)], "SONY", "ILCE-Made-up", 3)


def pentax(folder):
    large, medium, small = picture(LARGE), picture(MEDIUM), picture(SMALL)

    def note(position):
        # Offsets relate to the file. The stream follows the directory.
        start = position + 6 + 2 + 3 * 12 + 4
        fields = struct.pack(">HHIHH", 2, 3, 2, *MEDIUM) + struct.pack(">HHII", 3, 4, 1, len(medium))
        fields += struct.pack(">HHII", 4, 4, 1, start)
        return b"AOC\0MM" + struct.pack(">H", 3) + fields + bytes(4) + medium

    main = sensor(65535) + camera("PENTAX Corporation", "PENTAX Made-up", 1, note)
    pages = [main, stream_fields(small), stream_fields(large)]
    add(
        folder, "pentax.pef", Structure(">").finish(pages),
        [("JpgFromRaw", large), ("PreviewImage", medium), ("ThumbnailImage", small)], "PENTAX Corporation", "PENTAX Made-up")


def samsung(folder):
    large, small = picture(LARGE), picture(SMALL)
    preview = [(254, "I", [1]), (259, "H", [6])] + stream_fields(large)
    thumbnail = [(254, "I", [1]), (259, "H", [6])] + stream_fields(small)
    main = [(254, "I", [1])] + camera("SAMSUNG", "NX Made-up", 1, None, [(330, "ifds", [preview])])
    second = sensor(32769) + [(330, "ifds", [thumbnail])]
    add(
        folder, "samsung.srw", Structure("<").finish([main, second]), [("JpgFromRaw", large), ("ThumbnailImage", small)],
        "SAMSUNG", "NX Made-up")


def olympus(folder):
    large, small = picture(LARGE), picture(SMALL)
    for name, signature, model in (
        ("olympus", b"OLYMPUS\0II\3\0", "E-Made-up"), ("om-system", b"OM SYSTEM\0\0\0II\4\0", "OM-Made-up"),
    ):
        def note(position, signature=signature):
            # Offsets relate to the note. Camera settings are a directory; the stream follows all directories.
            settings_at = len(signature) + 2 + 12 + 4
            start = settings_at + 2 + 3 * 12 + 4
            head = signature + struct.pack("<HHHIII", 1, 0x2020, 13, 1, settings_at, 0)
            fields = struct.pack("<HHII", 0x0100, 4, 1, 1) + struct.pack("<HHII", 0x0101, 4, 1, start)
            fields += struct.pack("<HHII", 0x0102, 4, 1, len(large))
            return head + struct.pack("<H", 3) + fields + bytes(4) + large

        make = "OLYMPUS CORPORATION" if name == "olympus" else "OM Digital Solutions"
        main = strip(60, 40, 1, 32803, SENSOR, (16,)) + camera(make, model, 6, note)
        content = Structure("<", b"IIRO\0\0\0\0").finish([main, stream_fields(small)])
        add(folder, f"{name}.orf", content, [("PreviewImage", large), ("ThumbnailImage", small)], make, model, 6)


def generic(folder):
    """A thumbnail in the first directory, a stream in a subdirectory."""
    large = picture(LARGE)
    for extension, make in (
        ("3fr", "Hasselblad"), ("erf", "SEIKO EPSON CORP."), ("mef", "Mamiya-OP Co.,Ltd."), ("dcr", "EASTMAN KODAK COMPANY"),
        ("mos", "Leaf"),
    ):
        thumbnail = strip(8, 6, 1, 2, colors(8, 6), subfile=1)
        preview = strip(*LARGE, 7, 6, large, subfile=1)
        main = thumbnail + camera(make, "Made-up", 1, None, [(330, "ifds", [sensor(1), preview])])
        add(folder, f"further.{extension}", Structure(">").finish([main]), [("PreviewImage", large)], make, "Made-up")


def panasonic(folder):
    small = picture(SMALL)
    inner = [camera("Panasonic", "DC-Made-up", 8), [(259, "H", [6])] + stream_fields(small)]
    large = exif_stream(picture(LARGE), inner)
    main = [
        (1, "U", b"0310"), (2, "H", [64]), (3, "H", [46]), (46, "U", large), (271, "A", "Panasonic"), (272, "A", "DC-Made-up"),
        (274, "H", [8]), (280, "I", [1024])]
    content = Structure("<", b"IIU\0\0\0\0\0" + bytes(16)).finish([main])
    add(folder, "panasonic.rw2", content, [("JpgFromRaw", large), ("ThumbnailImage", small)], "Panasonic", "DC-Made-up", 8)


# Other files


def fuji(folder):
    small = picture(SMALL)
    inner = [camera("FUJIFILM", "X-Made-up", 6), [(259, "H", [6])] + stream_fields(small)]
    large = exif_stream(picture(LARGE), inner)
    head = b"FUJIFILMCCD-RAW 0201FF000000" + b"X-Made-up".ljust(32, b"\0") + b"0100" + bytes(20)
    start = len(head) + 24
    after = start + len(large)
    head += struct.pack(">6I", start, len(large), after, 4, after + 4, len(SENSOR))
    content = head + large + bytes(4) + SENSOR
    add(folder, "fuji.raf", content, [("PreviewImage", large), ("ThumbnailImage", small)], "FUJIFILM", "X-Made-up", 6)


def minolta(folder):
    large = picture(LARGE)

    def note(position):
        # Offsets relate to the block TTW. The stream follows the directory.
        start = position + 2 + 2 * 12 + 4
        fields = struct.pack(">HHII", 0x88, 4, 1, start) + struct.pack(">HHII", 0x89, 4, 1, len(large))
        return struct.pack(">H", 2) + fields + bytes(4) + large

    block = Structure(">").finish([camera("Minolta Co., Ltd.", "DiMAGE Made-up", 6, note)])
    dimensions = b"21810002" + struct.pack(">4H", 46, 64, 44, 64) + bytes([12, 12, 0x59, 1, 0, 0, 0, 0])
    blocks = b"\0PRD" + struct.pack(">I", len(dimensions)) + dimensions
    blocks += b"\0TTW" + struct.pack(">I", len(block)) + block + b"\0WBG" + struct.pack(">I", 12) + bytes(12)
    content = b"\0MRM" + struct.pack(">I", len(blocks)) + blocks + SENSOR
    add(folder, "minolta.mrw", content, [("PreviewImage", large)], "Minolta Co., Ltd.", "DiMAGE Made-up", 6)


def heap(records, start=0):
    """A heap of CIFF: values, then the directory, then its offset. A record is a tag and its bytes."""
    values, entries = b"", b""
    for tag, data in records:
        entries += struct.pack("<HII", tag, len(data), len(values))
        values += data + bytes(len(data) % 2)
    return values + struct.pack("<H", len(records)) + entries + struct.pack("<I", len(values))


def ciff(folder):
    large, small = picture(LARGE), picture(SMALL)
    specification = struct.pack("<IIfIIII", 64, 44, 1.0, 270, 8, 24, 1)
    texts = heap([(0x080A, b"Canon\0Canon PowerShot Made-up\0")])
    properties = heap([(0x2807, texts), (0x1810, specification), (0x180E, struct.pack("<iII", SECONDS, 0, 0))])
    content = b"II" + struct.pack("<I", 26) + b"HEAPCCDR" + struct.pack("<I", 0x00010002) + bytes(8)
    content += heap([(0x2008, small), (0x2005, SENSOR), (0x2007, large), (0x300A, properties)])
    add(
        folder, "canon.crw", content, [("JpgFromRaw", large), ("ThumbnailImage", small)], "Canon", "Canon PowerShot Made-up", 8,
        exposure=False)


def foveon(folder):
    """One file with properties, one whose stream has an EXIF block."""
    names = [("CAMMANUF", "SIGMA"), ("CAMMODEL", "SIGMA Made-up"), ("TIME", str(SECONDS))]
    texts, places = b"", []
    for text in (text for pair in names for text in pair):
        places.append(len(texts) // 2)
        texts += text.encode("utf-16-le") + b"\0\0"
    properties = b"SECp" + struct.pack("<IIIII", 0x20000, len(names), 0, 0, len(texts) // 2)
    properties += struct.pack(f"<{len(places)}I", *places) + texts
    rgb = b"SECi" + struct.pack("<6I", 0x20000, 2, 3, 8, 6, 24) + colors(8, 6)
    small = picture(SMALL)
    plain = picture(LARGE)
    inner = [camera("SIGMA", "SIGMA Made-up", 3), [(259, "H", [6])] + stream_fields(small)]
    full = exif_stream(picture(LARGE), inner)
    for name, stream, streams, rotation in (
        ("sigma", plain, [("PreviewImage", plain)], 90),
        ("sigma-exif", full, [("JpgFromRaw", full), ("ThumbnailImage", small)], 0),
    ):
        image = b"SECi" + struct.pack("<6I", 0x20000, 2, 18, *LARGE, 0) + stream
        content = b"FOVb" + struct.pack("<I", 0x20002) + bytes(range(16)) + struct.pack("<4I", 0, *LARGE, rotation)
        directory = []
        for kind, section in ((b"PROP", properties), (b"IMAG", rgb), (b"IMA2", image)):
            content += bytes(-len(content) % 4)
            directory.append(struct.pack("<II", len(content), len(section)) + kind)
            content += section
        content += bytes(-len(content) % 4)
        start = len(content)
        content += b"SECd" + struct.pack("<II", 0x20000, len(directory)) + b"".join(directory) + struct.pack("<I", start)
        has_exif = len(streams) > 1
        add(
            folder, f"{name}.x3f", content, streams, "SIGMA", "SIGMA Made-up", 3 if has_exif else 6, exposure=has_exif)


def box(kind, *content):
    data = b"".join(content)
    return struct.pack(">I", len(data) + 8) + kind + data


def canon_movie(folder):
    large, medium, small = picture(LARGE), picture(MEDIUM), picture(SMALL)
    metadata = bytes.fromhex("85c0b687820f11e08111f4ce462b6a48")
    preview = bytes.fromhex("eaf42b5e1c984b88b9fbb7dc406e4d16")
    image = Structure("<").finish([[(271, "A", "Canon"), (272, "A", "Canon EOS R-Made-up"), (274, "H", [6])]])
    exif = Structure("<").finish([EXPOSURE])
    thumbnail = struct.pack(">IHHIHH", 0, *SMALL, len(small), 1, 0) + small

    def track(kind, stream, offset):
        entry = box(
            b"CRAW", bytes(6), struct.pack(">H", 1), bytes(16), struct.pack(">HH", *LARGE), struct.pack(">II", 72 << 16, 72 << 16),
            bytes(4), struct.pack(">H", 1), bytes(32), struct.pack(">Hh", 24, -1), bytes(4), kind)
        table = box(
            b"stbl", box(b"stsd", struct.pack(">II", 0, 1), entry), box(b"stts", struct.pack(">IIII", 0, 1, 1, 1)),
            box(b"stsc", struct.pack(">IIIII", 0, 1, 1, 1, 1)), box(b"stsz", struct.pack(">III", 0, len(stream), 1)),
            box(b"co64", struct.pack(">IIQ", 0, 1, offset)))
        handler = box(b"hdlr", bytes(8), b"vide", bytes(13))
        timing = box(b"mdhd", bytes(12), struct.pack(">IIHH", 1, 1, 0x55C4, 0))
        return box(b"trak", box(b"mdia", timing, handler, box(b"minf", table)))

    def movie(offset):
        return box(
            b"moov",
            box(b"uuid", metadata, box(b"CMT1", image), box(b"CMT2", exif), box(b"CMT4", Structure("<").finish([[]])),
                box(b"THMB", thumbnail)),
            track(box(b"JPEG", bytes(4)), large, offset), track(box(b"CMP1", bytes(8)), SENSOR, offset + len(large)))

    start = box(b"ftyp", b"crx \0\0\0\1crx isom")
    data = struct.pack(">IHHHHI", 0, 1, *MEDIUM, 1, len(medium))
    pictures = box(b"uuid", preview, bytes(8), box(b"PRVW", data, medium))
    offset = len(start) + len(movie(0)) + len(pictures) + 8
    content = start + movie(offset) + pictures + box(b"mdat", large, SENSOR)
    add(
        folder, "canon.cr3", content, [("JpgFromRaw", large), ("PreviewImage", medium), ("ThumbnailImage", small)], "Canon",
        "Canon EOS R-Made-up", 6)


# Files that are no raw files, and damaged ones


def developed(folder):
    """Developed pictures keep the name of the camera, and are TIFF files."""
    rows = scene(20, 14)
    content = Structure("<").finish([
        strip(20, 14, 1, 2, packed([[v for pixel in row for v in pixel] for row in rows], 8), subfile=0)
        + camera("NIKON CORPORATION", "NIKON D-Made-up")])
    folder.decodes(
        "raw-makers/developed.tiff", content, [[pixel + (255,) for pixel in row] for row in rows],
        "a TIFF file with the name of a camera", checked=False)


def rejects(reject):
    reject("no-stream.raf", b"FUJIFILMCCD-RAW 0201".ljust(108, b"\0"), "there is no embedded stream")
    reject("cut.raf", b"FUJIFILMCCD-RAW 0201".ljust(84, b"\0") + struct.pack(">II", 120, 4000), "the stream is not in the file")
    reject("heap-outside.crw", b"II" + struct.pack("<I", 4096) + b"HEAPCCDR" + bytes(40), "the heap is outside of the file")
    reject("no-directory.x3f", b"FOVb" + bytes(60) + struct.pack("<I", 8), "the directory is missing")
    reject("no-metadata.mrw", b"\0MRM" + struct.pack(">I", 12) + b"\0PRD" + struct.pack(">I", 4) + bytes(8), "TTW is missing")
    reject("cut.cr2", b"II*\0\x10\0\0\0CR\2\0\0\0\0\0" + struct.pack("<H", 40), "the directory is cut off")
    reject("cut.rw2", b"IIU\0\x18\0\0\0" + bytes(16) + struct.pack("<H", 30) + bytes(20), "the directory is cut off")
    reject("cut.orf", b"IIRO\xff\xff\0\0" + bytes(16), "the directory is outside of the file")


def make(folder):
    for part in (
        canon, nikon, sony, pentax, samsung, olympus, generic, panasonic, fuji, minolta, ciff, foveon, canon_movie, developed,
    ):
        part(folder)
