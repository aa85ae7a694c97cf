"""GIF: frames, comments and codes without end."""

import struct

from trigger import table

TRIGGERS, trigger = table()
TRAILER = b";"


def header(width, height):
    return b"GIF89a" + struct.pack("<HHBBB", width, height, 0x80, 0, 0) + bytes(6)


def control(disposal):
    return b"!\xf9\4" + bytes([disposal << 2, 1, 0, 0]) + b"\0"


def blocks(data):
    return b"".join(bytes([len(data[i : i + 255])]) + data[i : i + 255] for i in range(0, len(data), 255)) + b"\0"


def image(width, height, data, x=0, y=0):
    return b"," + struct.pack("<HHHHB", x, y, width, height, 0) + b"\2" + blocks(data)


def zeros(count):
    """Codes of the LZW coder for `count` indices of 0: strings that grow by one each, the table cleared when full."""
    bits, accumulator, used = 3, 0, 0
    out = bytearray()

    def put(code):
        nonlocal accumulator, used
        accumulator |= code << used
        used += bits
        while used >= 8:
            out.append(accumulator & 255)
            accumulator >>= 8
            used -= 8

    put(4)
    following, length, previous = 6, 1, None
    while count > 0:
        length = min(length, count)
        code = 0 if length == 1 else 4 + length
        put(code)
        count -= length
        if previous is not None and following < 4_096:
            following += 1
            if following == 1 << bits and bits < 12:
                bits += 1
        previous = code
        length += 1
        if following >= 4_095:
            put(4)
            bits, following, length, previous = 3, 6, 1, None
    put(5)
    if used:
        out.append(accumulator & 255)
    return bytes(out)


@trigger("gif-small-frames.gif")
def small_frames_on_a_large_canvas():
    return header(4_000, 4_000) + (control(2) + image(1, 1, zeros(1))) * 310_000 + TRAILER


@trigger("gif-smallest-frames.gif")
def ten_thousand_frames_of_one_pixel():
    return header(1, 1) + (control(1) + image(1, 1, zeros(1))) * 10_000 + TRAILER


def colors(count, seed):
    """A colour table, different for every seed."""
    return b"".join(struct.pack("<I", (index * 0x9E3779 + seed * 0x51ED27) & 0xFFFFFF)[:3] for index in range(count))


def literals(count):
    """Codes of 9 bits for the indices 0, 1, 2 … of a table of 256 colours; the table of strings is cleared in time."""
    codes, used = 0, 0
    for index in range(count):
        if index % 250 == 0:
            codes |= 256 << used
            used += 9
        codes |= (index & 255) << used
        used += 9
    codes |= 257 << used
    return codes.to_bytes((used + 16) // 8, "little")


@trigger("gif-colors.gif")
def frames_that_each_have_all_colours_of_a_table():
    # Encoders choose a table for each frame again.
    data = b"\x08" + blocks(literals(256))
    frames = [
        control(1) + b"," + struct.pack("<HHHHB", 0, 0, 16, 16, 0x87) + colors(256, index) + data for index in range(7_000)]
    return header(16, 16) + b"".join(frames) + TRAILER


@trigger("gif-full-frames.gif")
def frames_of_sixteen_megapixels():
    return header(4_000, 4_000) + (control(2) + image(4_000, 4_000, zeros(16_000_000))) * 500 + TRAILER


@trigger("gif-previous.gif")
def frames_that_restore_what_was_before():
    return header(4_000, 4_000) + (control(3) + image(4_000, 4_000, b"\x4c\1")) * 360_000 + TRAILER


@trigger("gif-100-mpx.gif")
def one_frame_of_many_pixels():
    return header(9_900, 9_900) + image(9_900, 9_900, zeros(98_010_000)) + TRAILER


@trigger("gif-size.gif")
def size_without_pixels():
    return header(65_535, 65_535) + image(65_535, 65_535, b"\x4c\1") + TRAILER


@trigger("gif-surplus-codes.gif")
def codes_after_the_last_pixel():
    return header(1, 1) + image(1, 1, zeros(1)[:1] + b"\x24\x49\x92" * 2_600_000) + TRAILER


@trigger("gif-clear-codes.gif")
def codes_that_only_clear():
    return header(100, 100) + image(100, 100, b"\x24\x49\x92" * 2_600_000) + TRAILER


@trigger("gif-comments.gif")
def comments_without_end():
    return header(1, 1) + b"!\xfe\1c\0" * 1_600_000 + image(1, 1, zeros(1)) + TRAILER


@trigger("gif-one-comment.gif")
def comment_in_blocks_of_one_byte():
    return header(1, 1) + b"!\xfe" + b"\1c" * 4_000_000 + b"\0" + image(1, 1, zeros(1)) + TRAILER


@trigger("gif-xmp.gif")
def packets_without_end():
    packet = b"!\xff\x0bXMP DataXMP" + b"<x/>" + b"\1" + bytes(range(255, -1, -1)) + b"\0"
    return header(1, 1) + packet * 29_000 + image(1, 1, zeros(1)) + TRAILER


@trigger("gif-extensions.gif")
def extensions_that_say_nothing():
    return header(1, 1) + b"!\xce\0" * 2_600_000 + image(1, 1, zeros(1)) + TRAILER
