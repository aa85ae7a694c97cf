"""PNG and APNG: what inflates, what repeats, and what declares more than it holds."""

import struct
import zlib

from trigger import table

TRIGGERS, trigger = table()
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunk(kind, data=b""):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width, height, depth=8, color=2, interlaced=0):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, interlaced))


def png(before=b"", width=1, height=1, depth=8, color=2, data=None, after=b"", interlaced=0):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    if data is None:
        data = zlib.compress((b"\0" + bytes((width * channels * depth + 7) // 8)) * height, 9)
    return (
        SIGNATURE + header(width, height, depth, color, interlaced) + before + chunk(b"IDAT", data) + after
        + chunk(b"IEND"))


def bomb(size, value=b"a"):
    return zlib.compress(value * size, 9)


@trigger("png-ztxt-40.png")
def compressed_text():
    text = bomb(7_900_000)
    return png(b"".join(chunk(b"zTXt", b"k%d\0\0" % i + text) for i in range(40)))


@trigger("png-ztxt-latin1-40.png")
def compressed_text_that_doubles_as_utf8():
    text = bomb(7_900_000, b"\xff")
    return png(b"".join(chunk(b"zTXt", b"k%d\0\0" % i + text) for i in range(40)))


@trigger("png-ztxt-1000.png")
def compressed_text_up_to_the_limit_of_chunks():
    text = bomb(7_900_000)
    return png(b"".join(chunk(b"zTXt", b"k%d\0\0" % i + text) for i in range(1000)))


@trigger("png-itxt-1000.png")
def compressed_international_text():
    text = bomb(7_900_000)
    return png(b"".join(chunk(b"iTXt", b"k%d\0\1\0\0\0" % i + text) for i in range(1000)))


@trigger("png-ztxt-after-data.png")
def compressed_text_after_the_pixels():
    text = bomb(7_900_000)
    return png(after=b"".join(chunk(b"zTXt", b"k%d\0\0" % i + text) for i in range(500)))


@trigger("png-iccp-bomb.png")
def profile_that_inflates():
    return png(chunk(b"iCCP", b"p\0\0" + bomb(1 << 28)))


@trigger("png-iccp-many.png")
def profiles_that_inflate():
    profile = bomb(7_900_000)
    return png(b"".join(chunk(b"iCCP", b"p\0\0" + profile) for _ in range(900)))


@trigger("png-raw-exif-profiles.png")
def profiles_as_hexadecimal_text():
    text = zlib.compress(b"\nexif\n 3900000\n" + b"41" * 3_900_000, 9)
    return png(b"".join(chunk(b"zTXt", b"Raw profile type exif\0\0" + text) for _ in range(500)))


@trigger("png-empty-chunks.png")
def chunks_without_content():
    return png(chunk(b"teSt") * 690_000)


@trigger("png-text-chunks.png")
def text_without_end():
    return png(chunk(b"tEXt", b"k\0v") * 540_000)


@trigger("png-time-chunks.png")
def chunks_of_which_there_may_be_one():
    return png(chunk(b"tIME", b"\7\xea\1\2\3\4\5") * 430_000)


@trigger("png-one-byte-data.png")
def data_in_single_bytes():
    data = zlib.compress(b"".join(b"\0" + bytes([y & 255]) * 1500 for y in range(200)), 0)
    return SIGNATURE + header(500, 200) + b"".join(chunk(b"IDAT", data[i : i + 1]) for i in range(len(data))) + chunk(
        b"IEND")


@trigger("png-empty-data.png")
def data_chunks_without_content():
    return SIGNATURE + header(1, 1) + chunk(b"IDAT") * 690_000 + chunk(b"IDAT", zlib.compress(bytes(4))) + chunk(b"IEND")


@trigger("png-size.png")
def size_without_pixels():
    return png(width=0x7FFFFFFF, height=0x7FFFFFFF, data=b"\x78\x9c")


@trigger("png-100-mpx-bits.png")
def pixels_of_one_bit():
    return png(width=9_990, height=9_990, depth=1, color=0)


@trigger("png-100-mpx-palette.png")
def pixels_of_one_bit_with_colours():
    return png(chunk(b"PLTE", bytes(6)), width=9_990, height=9_990, depth=1, color=3)


@trigger("png-100-mpx-16-bit.png")
def pixels_of_eight_bytes():
    row = zlib.compressobj(9)
    data = b"".join(row.compress(bytes(1 + 7_900 * 8)) for _ in range(7_900)) + row.flush()
    return png(width=7_900, height=7_900, depth=16, color=6, data=data)


@trigger("png-interlaced-narrow.png")
def interlaced_columns():
    return png(width=1, height=8_000_000, color=0, interlaced=1, data=zlib.compress(bytes(2 * 8_000_000), 9))


@trigger("png-surplus-data.png")
def data_after_the_last_row():
    return png(data=zlib.compress(bytes(4) + bytes(1 << 28), 9))


# Animations


def frame_control(number, width, height, dispose=0, blend=0):
    return chunk(b"fcTL", struct.pack(">IIIIIHHBB", number, width, height, 0, 0, 1, 10, dispose, blend))


def animation(count, width, height, dispose=0, blend=0, canvas=None):
    canvas = canvas or (width, height)
    data = zlib.compress((b"\0" + bytes(width * 4)) * height, 9)
    content = [SIGNATURE, header(*canvas, color=6), chunk(b"acTL", struct.pack(">II", count, 0))]
    content += [frame_control(0, *canvas), chunk(b"IDAT", zlib.compress((b"\0" + bytes(canvas[0] * 4)) * canvas[1], 9))]
    for index in range(1, count):
        content.append(frame_control(2 * index - 1, width, height, dispose, blend))
        content.append(chunk(b"fdAT", struct.pack(">I", 2 * index) + data))
    return b"".join(content + [chunk(b"IEND")])


@trigger("apng-small-frames.png")
def small_frames_on_a_large_canvas():
    return animation(90_000, 1, 1, dispose=2, canvas=(2_000, 2_000))


@trigger("apng-smallest-frames.png")
def ten_thousand_frames_of_one_pixel():
    return animation(10_000, 1, 1)


@trigger("apng-full-frames.png")
def frames_of_sixteen_megapixels():
    return animation(90, 4_000, 4_000, dispose=1, blend=1)


@trigger("apng-declared-frames.png")
def frames_that_are_only_declared():
    return (
        SIGNATURE + header(1, 1) + chunk(b"acTL", struct.pack(">II", 0x7FFFFFFF, 0)) + frame_control(0, 1, 1)
        + chunk(b"IDAT", zlib.compress(bytes(4))) + chunk(b"IEND"))


@trigger("apng-controls.png")
def frame_controls_without_data():
    controls = b"".join(frame_control(i, 1, 1) for i in range(1, 200_000))
    return (
        SIGNATURE + header(1, 1) + chunk(b"acTL", struct.pack(">II", 200_000, 0)) + frame_control(0, 1, 1)
        + chunk(b"IDAT", zlib.compress(bytes(4))) + controls + chunk(b"IEND"))
