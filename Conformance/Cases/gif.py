"""The GIF cases: files by the plainest code, references from the same pixels. `generate.py` calls `make`."""

import random
import struct

TRAILER = b"\x3b"


def lzw(indices, code_size, clear_when_full=True):
    """A code stream with a table of whole strings, as GIF89a appendix F tells it."""
    clear, end = 1 << code_size, (1 << code_size) + 1
    bits, count, out = 0, 0, bytearray()

    def emit(code, width):
        nonlocal bits, count
        bits |= code << count
        count += width
        while count >= 8:
            out.append(bits & 255)
            bits >>= 8
            count -= 8

    def reset():
        return {bytes([i]): i for i in range(clear)}, end + 1, code_size + 1

    table, next_code, width = reset()
    emit(clear, width)
    string = b""
    for index in indices:
        longer = string + bytes([index])
        if longer in table:
            string = longer
            continue
        emit(table[string], width)
        if next_code < 4096:
            table[longer] = next_code
            # The decoder knows this code one code later.
            if next_code == 1 << width and width < 12:
                width += 1
            next_code += 1
        elif clear_when_full:
            emit(clear, width)
            table, next_code, width = reset()
        string = bytes([index])
    if string:
        emit(table[string], width)
        if next_code == 1 << width and width < 12:
            width += 1
    emit(end, width)
    if count:
        out.append(bits & 255)
    return bytes(out)


def sub_blocks(data, size=255):
    return b"".join(bytes([len(data[i : i + size])]) + data[i : i + size] for i in range(0, len(data), size)) + b"\0"


def extension(label, data, application=b""):
    head = bytes([len(application)]) + application if application else b""
    return b"\x21" + bytes([label]) + head + sub_blocks(data)


def loops(count, application=b"NETSCAPE2.0"):
    return extension(0xFF, b"\x01" + struct.pack("<H", count), application)


def control(delay=0, disposal=0, transparent=None):
    flags = disposal << 2 | (transparent is not None)
    return extension(0xF9, struct.pack("<BHB", flags, delay, transparent or 0))


def table_size(colors):
    return max(1, (len(colors) - 1).bit_length()) - 1


def screen(width, height, colors=None, version=b"89a", background=0):
    flags = 0x80 | table_size(colors) if colors else 0
    return b"GIF" + version + struct.pack("<HHBBB", width, height, flags, background, 0) + table(colors)


def table(colors):
    if not colors:
        return b""
    return b"".join(bytes(color[:3]) for color in colors) + bytes(3 * ((2 << table_size(colors)) - len(colors)))


def image(rows, x=0, y=0, colors=None, interlaced=False, code_size=None, block=255, data=None, clear_when_full=True):
    height = len(rows)
    order = range(height)
    if interlaced:
        order = [*range(0, height, 8), *range(4, height, 8), *range(2, height, 4), *range(1, height, 2)]
    indices = [index for row in order for index in rows[row]]
    code_size = code_size or max(2, max(indices, default=0).bit_length())
    flags = (0x80 | table_size(colors) if colors else 0) | (0x40 if interlaced else 0)
    data = lzw(indices, code_size, clear_when_full) if data is None else data
    return (b"\x2c" + struct.pack("<HHHHB", x, y, len(rows[0]), height, flags) + table(colors) + bytes([code_size])
            + sub_blocks(data, block))


def palette(count, seed):
    generator = random.Random(seed)
    return [tuple(generator.randrange(256) for _ in range(3)) + (255,) for _ in range(count)]


def pattern(width, height, count, seed):
    generator = random.Random(seed)
    return [[(x // 2 + y + generator.randrange(2)) % count for x in range(width)] for y in range(height)]


def colored(rows, colors, transparent=None):
    return [[(0, 0, 0, 0) if i == transparent else colors[i] for i in row] for row in rows]


def compose(width, height, frames):
    """Returns the pictures that a browser shows: (indices, colours, x, y, disposal, transparent) on a transparent canvas."""
    canvas = [[(0, 0, 0, 0)] * width for _ in range(height)]
    shown = []
    for rows, colors, x, y, disposal, transparent in frames:
        saved = [list(row) for row in canvas]
        inside = [(x + dx, y + dy, index) for dy, row in enumerate(rows) for dx, index in enumerate(row)
                  if x + dx < width and y + dy < height]
        for px, py, index in inside:
            if index != transparent:
                canvas[py][px] = colors[index]
        shown.append([list(row) for row in canvas])
        if disposal == 2:
            for px, py, _ in inside:
                canvas[py][px] = (0, 0, 0, 0)
        elif disposal == 3:
            canvas = saved
    return shown


def stills(folder):
    for count in (2, 4, 8, 16, 32, 64, 128, 256):
        colors, rows = palette(count, count), pattern(23, 19, count, count)
        for interlaced in (False, True):
            suffix = "-interlaced" if interlaced else ""
            folder.decodes(
                f"gif-basic/colors{count}{suffix}.gif",
                screen(23, 19, colors) + image(rows, interlaced=interlaced) + TRAILER, colored(rows, colors),
                f"{count} colours", checked=False)
    colors = palette(16, 5)
    for height in (1, 2, 3, 4, 5, 7, 8, 9):
        rows = pattern(3, height, 16, height)
        folder.decodes(
            f"gif-basic/interlaced-height{height}.gif",
            screen(3, height, colors) + image(rows, interlaced=True) + TRAILER, colored(rows, colors),
            "passes that are empty", checked=False)
    generator = random.Random(1)
    noise = [[generator.randrange(256) for _ in range(120)] for _ in range(100)]
    colors = palette(256, 1)
    for name, clears in (("clear-when-full", True), ("full-table", False)):
        folder.decodes(
            f"gif-basic/{name}.gif", screen(120, 100, colors) + image(noise, clear_when_full=clears) + TRAILER,
            colored(noise, colors), "more strings than the table holds", checked=False)
    rows, colors, local = pattern(9, 7, 8, 3), palette(8, 3), palette(8, 4)
    folder.decodes(
        "gif-basic/local-colors.gif", screen(9, 7, colors) + image(rows, colors=local) + TRAILER, colored(rows, local),
        "a local colour table", checked=False)
    folder.decodes(
        "gif-basic/transparent.gif", screen(9, 7, colors) + control(transparent=5) + image(rows) + TRAILER,
        colored(rows, colors, 5), "a transparent colour", checked=False)
    folder.decodes(
        "gif-basic/inside.gif", screen(14, 11, colors, background=2) + image(rows, 3, 2) + TRAILER,
        compose(14, 11, [(rows, colors, 3, 2, 0, None)])[0], "the background is transparent", checked=False)
    folder.decodes(
        "gif-basic/outside.gif", screen(6, 5, colors) + image(rows, 2, 3) + TRAILER,
        compose(6, 5, [(rows, colors, 2, 3, 0, None)])[0], "an image that leaves the screen", checked=False)


def framing(folder):
    rows, colors = pattern(9, 7, 8, 6), palette(8, 6)
    start, picture = screen(9, 7, colors), image(rows)
    stored = lzw([index for row in rows for index in row], 3)
    for name, content, note in (
        ("small-blocks", start + image(rows, block=1) + TRAILER, "sub-blocks of one byte"),
        ("version-87a", screen(9, 7, colors, b"87a") + picture + TRAILER, "GIF87a"),
        ("no-trailer", start + picture, "the trailer is missing"),
        ("behind-trailer", start + picture + TRAILER + b"\x2c\0garbage", "bytes behind the trailer"),
        ("unknown-block", start + picture + b"\0\0\0", "bytes that start no block"),
        ("code-size8", start + image(rows, code_size=8) + TRAILER, "wider codes than needed"),
        ("bytes-behind-end", start + image(rows, data=stored + b"\1\2\3") + TRAILER, "bytes behind the end code"),
        ("extensions", start + extension(0xFE, b"comment" * 60) + extension(0x01, bytes(12) + b"text")
            + extension(0xFF, b"data", b"SOMEBODY1.0") + extension(0x77, b"?") + picture + TRAILER,
            "extensions that show nothing")):
        folder.decodes(f"gif-framing/{name}.gif", content, colored(rows, colors), note, checked=False)
    missing = [list(row) for row in colored(rows, colors)]
    for position in range(40, 63):
        missing[position // 9][position % 9] = (0, 0, 0, 0)
    folder.decodes(
        "gif-framing/missing-pixels.gif",
        start + image(rows, data=lzw([index for row in rows for index in row][:40], 3)) + TRAILER, missing,
        "the data ends before the image does", checked=False)


def animations(folder):
    generator = random.Random(7)
    for number in range(6):
        frames, content = [], loops(number)
        colors = palette(8, number)
        for index in range(7):
            width, height = (12, 9) if index == 0 else (generator.randint(1, 12), generator.randint(1, 9))
            x, y = (0, 0) if index == 0 else (generator.randint(0, 11), generator.randint(0, 8))
            rows = [[generator.randrange(8) for _ in range(width)] for _ in range(height)]
            disposal, transparent = generator.randrange(4), generator.choice((None, 0, 3))
            local = palette(8, 100 + index) if generator.randrange(3) == 0 else None
            frames.append((rows, local or colors, x, y, disposal, transparent))
            content += control(index * 3, disposal, transparent) + image(
                rows, x, y, local, interlaced=generator.randrange(2) == 1)
        canvases = compose(12, 9, frames)
        folder.animates(
            f"gif-animation/mixed{number}.gif", screen(12, 9, colors) + content + TRAILER, canvases[0], canvases,
            [index * 30 for index in range(7)], "every disposal, some frames leave the screen")


def rejects(folder):
    rows, colors = pattern(9, 7, 8, 6), palette(8, 6)
    start, picture = screen(9, 7, colors), image(rows)
    stored = lzw([index for row in rows for index in row], 3)
    for name, content, note in (
        ("empty", b"", "no bytes at all"),
        ("signature", b"GIF88a" + start[6:] + picture + TRAILER, "an unknown version"),
        ("screen-only", start, "nothing behind the screen"),
        ("no-image", start + TRAILER, "no image"),
        ("no-trailer", start + picture, "the trailer is missing"),
        ("truncated", (start + picture)[:-9], "the file ends inside of the image"),
        ("short-data", start + image(rows, data=stored[:12]) + TRAILER, "the data ends before the image does"),
        ("bad-code", start + image(rows, data=b"\xf8\xff\xff\xff") + TRAILER, "a code that stands for nothing"),
        ("code-size0", start + (picture.replace(b"\x03" + sub_blocks(stored), b"\0" + sub_blocks(stored))) + TRAILER,
            "code size 0"),
        ("no-colors", screen(9, 7) + picture + TRAILER, "no colour table"),
        ("index-behind-table", screen(9, 7, colors[:4]) + picture + TRAILER, "indices without a colour"),
        ("zero-width", screen(0, 7, colors) + picture + TRAILER, "a screen without pixels")):
        folder.rejects(f"gif-reject/{name}.gif", content, note)


def make(folder):
    for part in (stills, framing, animations, rejects):
        part(folder)
