"""Fonts in drawings, each written byte by byte: tables of a few bytes that ask for endless work, and text that does.

Offsets past the end of a table read as 0, and records may share what they refer to, so that counts of 65,535 cost
nothing. Each drawing exists plain and compressed.
"""

import base64
import gzip
import struct

from svg import svg
from trigger import table

TRIGGERS, trigger = table()


def drawing(name):
    """Enters a drawing under its name, plain and compressed."""

    def enter(make):
        trigger(name + ".svg")(make)
        trigger(name + ".svgz")(lambda: gzip.compress(make(), 9, mtime=0))
        return make

    return enter


def words(*values):
    return struct.pack(f">{len(values)}H", *[value & 0xFFFF for value in values])


def long(value):
    return struct.pack(">I", value)


# Fonts

FIRST = 0x4E00
"""The character of glyph 1."""


def mapping(groups, shares_glyph=False):
    """`cmap` with groups of first character, last character and glyph; each group has one glyph if `shares_glyph`."""
    data = b"".join(struct.pack(">III", *group) for group in groups)
    header = words(13 if shares_glyph else 12, 0) + long(16 + len(data)) + long(0) + long(len(groups))
    return words(0, 1, 3, 10) + long(12) + header + data


def font(glyph_count=2, characters=None, **tables):
    """A font file with the given tables and those that every font has."""
    head = bytearray(54)
    head[18:20] = words(1000)
    head[50:52] = words(1)
    tables = {name.ljust(4): data for name, data in tables.items()}
    base = {
        "head": bytes(head),
        "hhea": long(0x10000) + words(800, -200, 0) + bytes(24) + words(1),
        "maxp": long(0x5000) + words(glyph_count),
        "hmtx": words(500, 0),
        "cmap": characters or mapping([(FIRST, FIRST + glyph_count - 2, 1)]),
    }
    tables = {**base, **{name.replace("_", "/"): data for name, data in tables.items()}}
    directory = (b"OTTO" if "CFF " in tables else long(0x10000)) + words(len(tables), 0, 0, 0)
    content = b""
    for name, data in sorted(tables.items()):
        directory += name.encode() + long(0) + long(12 + 16 * len(tables) + len(content)) + long(len(data))
        content += data + bytes(-len(data) % 4)
    return directory + content


def text(*fonts, content, weights="400", size=2):
    """A drawing with text in the families F0, F1, …"""
    faces = "".join(
        f"@font-face{{font-family:F{number};font-weight:{weights};src:url(data:font/ttf;base64,{base64.b64encode(data).decode()})}}"
        for number, data in enumerate(fonts))
    return svg(f"<style>{faces}text{{font-size:{size}px;font-family:F0}}</style>{content}")


def letters(count, first=FIRST):
    return "".join(chr(first + index) for index in range(count))


# Layout


def layout(lookups, feature=b"ccmp"):
    """`GSUB` or `GPOS` of the default script with one feature of all lookups, which may be the same bytes."""
    script = words(1) + b"DFLT" + words(8) + words(4, 0) + words(0, 0xFFFF, 1, 0)
    features = words(1) + feature + words(8) + words(0, len(lookups), *range(len(lookups)))
    offsets, data, known = [], b"", {}
    for lookup in lookups:
        if lookup not in known:
            known[lookup] = 2 + 2 * len(lookups) + len(data)
            data += lookup
        offsets.append(known[lookup])
    list_offset = 10 + len(script) + len(features)
    return (
        long(0x10000) + words(10, 10 + len(script), list_offset) + script + features
        + words(len(lookups), *offsets) + data)


def lookup(kind, subtable, count=1):
    """A lookup with one subtable, `count` times."""
    return words(kind, 0, count, *[6 + 2 * count] * count) + subtable


COVERAGE = words(1, 1, 1)
"""Glyph 1."""


def ligatures(count, components=2):
    """A subtable with ligatures of glyph 1, all of which are the same and do not match a single glyph."""
    body = words(1, 8, 1, 14) + COVERAGE
    return body + words(count) + words(2 + 2 * count) * count + words(1, components) + words(1) * (components - 1)


# Latin and Greek letters in turn, each of which is a run.
ALTERNATING = mapping([(0x20, 0x3FF, 1)], shares_glyph=True)
RUN = "a\u03b1"


@drawing("font-ligature-runs")
def ligatures_for_short_runs():
    data = font(characters=ALTERNATING, GSUB=layout([lookup(4, ligatures(2_000)) + bytes(2 * i) for i in range(40)]))
    return text(data, content="<text>" + RUN * 40_000 + "</text>")


@drawing("font-ligature-texts")
def ligatures_for_texts_of_a_letter():
    data = font(GSUB=layout([lookup(4, ligatures(2_000)) + bytes(2 * i) for i in range(40)]))
    return text(data, content=f"<text>{chr(FIRST)}</text>" * 20_000)


@drawing("font-ligature-long")
def long_ligatures_that_nearly_match():
    subtable = ligatures(1_000, components=64)[:-2] + words(2)
    return text(font(GSUB=layout([lookup(4, subtable)])), content="<text>" + chr(FIRST) * 150_000 + "</text>")


@drawing("font-lookups")
def lookups_that_do_not_apply():
    absent = words(1, 8, 1, 14) + words(1, 1, 9)
    data = font(characters=ALTERNATING, GSUB=layout([lookup(4, absent)] * 20_000))
    return text(data, content="<text>" + RUN * 40_000 + "</text>")


@drawing("font-subtables")
def subtables_that_do_not_apply():
    data = font(GSUB=layout([lookup(4, words(1, 8, 0, 0) + COVERAGE, count=20_000)] * 100))
    return text(data, content="<text>" + chr(FIRST) * 150_000 + "</text>")


@drawing("font-contexts")
def contexts_of_contexts():
    rules = words(1, 8, 1, 14) + COVERAGE + words(200) + words(402) * 200 + words(1, 20) + words(0, 1, 0, 0) * 10
    data = font(GSUB=layout([lookup(5, rules)] * 4))
    return text(data, content="<text>" + chr(FIRST) * 150_000 + "</text>")


@drawing("font-context-coverage")
def long_contexts_of_coverages():
    # All glyphs but the last of the sequence match.
    offset = 6 + 2 * 64 + 8
    subtable = words(3, 64, 0, *[offset] * 63, 0) + bytes(8) + COVERAGE
    data = font(GSUB=layout([lookup(5, subtable, count=200)] * 40))
    return text(data, content="<text>" + chr(FIRST) * 150_000 + "</text>")


@drawing("font-multiply")
def glyphs_replaced_by_many():
    sequence = words(64) + words(1) * 64
    data = font(GSUB=layout([lookup(2, words(1, 8, 1, 14) + COVERAGE + sequence)] * 4))
    return text(data, content="<text>" + chr(FIRST) * 150_000 + "</text>")


@drawing("font-multiply-runs")
def glyphs_of_short_runs_replaced_by_many():
    sequence = words(64) + words(1) * 64
    data = font(
        characters=ALTERNATING, GSUB=layout([lookup(2, words(1, 8, 1, 14) + COVERAGE + sequence)] * 4))
    return text(data, content="<text>" + RUN * 60_000 + "</text>")


@drawing("font-attachments")
def marks_on_distant_bases():
    # Class 3 for glyph 1: all glyphs are marks.
    definitions = long(0x10000) + words(12, 0, 0, 0) + words(1, 1, 1, 3)
    subtable = words(1, 12, 12, 1, 0, 0) + COVERAGE
    data = font(GDEF=definitions, GPOS=layout([lookup(4, subtable, count=20)] * 20, b"mark"))
    return text(data, content="<text>" + chr(FIRST) * 150_000 + "</text>")


@drawing("font-kerning")
def kerning_of_many_subtables():
    subtable = words(0, 14, 1) + words(0, 0, 0, 0)
    data = font(kern=words(0, 256) + subtable * 256)
    return text(data, content="<text>" + chr(FIRST) * 150_000 + "</text>")


@drawing("font-plans")
def kinds_of_runs():
    features = words(0xFFFF) + (b"zzzz" + words(8)) * 100
    script = words(1) + b"DFLT" + words(8) + words(4, 0) + words(0, 0xFFFF, 0xFFFF)
    table = long(0x10000) + words(10, 10 + len(script), 10 + len(script) + len(features)) + script + features + words(0)
    spans = "".join(f"<tspan style='font-feature-settings:\"x{index:03}\"'>{chr(FIRST)}</tspan>" for index in range(1_000))
    return text(font(GSUB=table, GPOS=table), content=f"<text>{spans}</text>" * 80)


@drawing("font-layout-tables")
def lookups_of_many_glyphs():
    coverage = words(2, 0xFFFF) + words(0, 0xFFFF, 0) * 2_000
    table = layout([lookup(1, words(1, 6, 0) + coverage, count=50)] * 50)
    fonts = [font(GSUB=table, GPOS=table, name=bytes(index)) for index in range(40)]
    return text(*fonts, content="".join(f"<text style='font-family:F{i}'>{chr(FIRST)}</text>" for i in range(40)))


# Outlines


def glyphs(parts):
    """`glyf` and `loca` of glyphs that may share their bytes: each is a name of the dictionary `parts`."""
    data, places = b"", {}
    known, names = parts
    for name, glyph in known.items():
        places[name] = (len(data), len(data) + len(glyph))
        data += glyph + bytes(-len(glyph) % 4)
    # Every other glyph starts where the one before ends, and is empty.
    locations = b"".join(long(place) for name in names for place in places[name])
    return {"glyf": data, "loca": locations + long(0)}


def composite(components):
    flags = 0x22
    body = b"".join(words(flags if index < len(components) - 1 else 2, glyph, 0) for index, glyph in enumerate(components))
    return words(-1, 0, 0, 0, 0) + body


def contour(count):
    """A glyph of points that are all the same."""
    flags = b"\x39\xff" * (count // 256) + b"\x31" * (count % 256)
    return words(1, 0, 0, 0, 0, count - 1, 0) + flags


def every_other(count, first=FIRST):
    """The characters of every other glyph, which are those that are not empty."""
    return mapping([(first + index, first + index, 2 * index) for index in range(count)])


@drawing("font-composites")
def glyphs_of_many_components():
    # Glyph 0 consists of 4,000 components, which are empty; the others of glyph 0.
    tables = glyphs(({"all": composite([3] * 4_000), "one": composite([0])}, ["all"] + ["one"] * 20_000))
    data = font(40_002, every_other(20_000), **tables)
    return text(data, content=f"<text>{letters(20_000)}</text>")


@drawing("font-points")
def glyphs_of_many_points():
    parts = {"points": contour(60_000), "four": composite([0] * 4)}
    data = font(40_002, every_other(20_000), **glyphs((parts, ["points"] + ["four"] * 20_000)))
    return text(data, content=f"<text>{letters(20_000)}</text>")


@drawing("font-bold")
def widened_glyphs():
    data = font(40_002, every_other(20_000), **glyphs(({"points": contour(20_000)}, ["points"] * 20_000)))
    return text(data, content=f"<text font-weight='900'>{letters(20_000)}</text>")


def index(items):
    if not items:
        return words(0)
    offsets, end = [1], 1
    for item in items:
        end += len(item)
        offsets.append(end)
    return words(len(items)) + b"\x04" + b"".join(map(long, offsets)) + b"".join(items)


def compact(charstrings, subroutines, top=lambda start: b"", after=lambda start: b""):
    """`CFF ` with charstrings and global subroutines. The bytes after them start at an offset that is passed to `top`, which
    returns further entries of the top dictionary, and to `after`, which returns the bytes."""
    header, names, strings, programs = b"\x01\x00\x04\x04", index([b"A"]), index([]), index(charstrings)

    def start(offset, end):
        tops = index([b"\x1d" + long(offset) + b"\x11" + top(end)])
        return header + names + tops + strings + index(subroutines)

    offset = len(start(0, 0))
    end = offset + len(programs)
    return start(offset, end) + programs + after(end)


def calls(levels, leaf):
    """Subroutines each of which calls the next one eight times, and the last of which is `leaf`."""
    return [bytes([139 - 107 + level + 1, 29]) * 8 + b"\x0b" for level in range(levels)] + [leaf + b"\x0b"]


@drawing("font-charstrings")
def subroutines_of_subroutines():
    data = font(5_002, CFF=compact([b"\x20\x1d\x0e"] * 5_002, calls(5, b"\x8b\x16" * 4)))
    return text(data, content=f"<text>{letters(5_000)}</text>")


@drawing("font-charstring-roll")
def charstrings_that_turn_their_stack():
    # The numbers, the count 500, a turn by 1, `roll`.
    roll = b"\x1c\x01\xf4\x8c\x0c\x1e"
    data = font(5_002, CFF=compact([b"\x8b" * 505 + b"\x20\x1d\x0e"] * 5_002, calls(4, roll * 8)))
    return text(data, content=f"<text>{letters(5_000)}</text>")


@drawing("font-dictionaries")
def dictionaries_that_share_their_bytes():
    # A private dictionary of 400,000 numbers, which belongs to 255 font dictionaries.
    size = 400_000

    def top(start):
        offset = start + size
        # The operators for the collection of characters and the font dictionaries.
        return b"\x8b" * 3 + b"\x0c\x1e" + b"\x1d" + long(offset) + b"\x0c\x24"

    def after(start):
        private = b"\x1d" + long(size) + b"\x1d" + long(start) + b"\x12"
        return b"\x8b" * size + index([private] * 255)

    fonts = [font(CFF=compact([b"\x0e"] * 2, [], top, after), name=bytes(number)) for number in range(4)]
    return text(*fonts, content="".join(f"<text style='font-family:F{i}'>{chr(FIRST)}</text>" for i in range(4)))


# Variations

AXIS = words(1, 0, 16, 2, 1, 20, 0, 0) + b"wght" + long(400 << 16) * 2 + long(900 << 16) + words(0, 256)
"""`fvar` with one axis."""


def varied(glyph_count, points, tuples):
    """`gvar` in which all even glyphs have the same tuples, which apply at the end of the axis. Each has deltas of the first
    and the last point, between which those of the others are interpolated."""
    deltas = b"\x02\x81" + words(0, points - 1) + b"\x81\x81"
    headers = words(len(deltas), 0xA000, 0x4000) * tuples
    data = words(tuples, 4 + len(headers)) + headers + deltas * tuples
    data += bytes(len(data) % 2)
    start = 20 + 4 * (glyph_count + 1)
    offsets = b"".join(long(0) + long(len(data)) for _ in range(glyph_count // 2)) + long(0)
    return words(1, 0, 1, 0) + long(start) + words(glyph_count, 1) + long(start) + offsets + data


@drawing("font-variations")
def glyphs_of_many_deltas():
    count, points = 2_000, 5_000
    tables = glyphs(({"points": contour(points)}, ["points"] * (count + 1)))
    data = font(2 * count + 2, every_other(count), fvar=AXIS, gvar=varied(2 * count + 2, points, 200), **tables)
    return text(data, content=f"<text font-weight='900'>{letters(count)}</text>", weights="400 900")


@drawing("font-variation-advances")
def advances_of_many_deltas():
    # Without `HVAR`, an advance depends on the deltas of the whole glyph.
    points = 5_000
    tables = glyphs(({"points": contour(points)}, ["points"] * 2))
    data = font(4, every_other(2), fvar=AXIS, gvar=varied(4, points, 200), **tables)
    return text(data, content="<text font-weight='900' opacity='0'>" + letters(1) * 100_000 + "</text>", weights="400 900")


@drawing("font-variation-units")
def units_of_many_fonts():
    points = 5_000
    tables = glyphs(({"points": contour(points)}, ["points"] * 2))
    characters = mapping([(0x20, 0x7E, 0)], shares_glyph=True)
    data = font(4, characters, fvar=AXIS, gvar=varied(4, points, 200), **tables)
    elements = "".join(
        f"<rect font-family='F0' font-weight='{401 + i % 499}' font-stretch='{50 + i // 499}%' width='1ch' height='1'/>"
        for i in range(40_000))
    return text(data, content=elements + "<text>a</text>", weights="400 900")


def regions(count):
    """An item variation store with one number that varies in many regions, all of which apply."""
    region = words(1, count) + words(0, 0x4000, 0x4000) * count
    item = words(1, 0, count, *range(count)) + b"\x01" * count
    return words(1) + long(12) + words(1) + long(12 + len(region)) + region + item


@drawing("font-regions")
def advances_of_many_regions():
    table = long(0x10000) + long(20) + bytes(12) + regions(4_000)
    data = font(4, mapping([(FIRST, FIRST, 0)]), fvar=AXIS, HVAR=table, **glyphs(({"x": contour(4)}, ["x"] * 2)))
    return text(data, content="<text font-weight='900'>" + letters(1) * 150_000 + "</text>", weights="400 900")


# Colours


def colors(glyph_count, paints):
    """`COLR` in which all glyphs have the paint at the start of `paints`; the layers are its parts, by their offsets."""
    base = long(glyph_count) + b"".join(words(glyph) + long(4 + 6 * glyph_count) for glyph in range(1, glyph_count + 1))
    paint, layers = paints
    layer_list = long(len(layers)) + b"".join(long(4 + 4 * len(layers) + offset) for offset in layers)
    base_offset = 34
    list_offset = base_offset + len(base) + len(paint)
    header = words(1, 0) + long(0) * 2 + words(0) + long(base_offset) + long(list_offset) + long(0) * 3
    return header + base + paint + layer_list + paint


SOLID = b"\x02" + words(0, 0x4000)
PALETTE = words(0, 1, 1, 1) + long(14) + words(0) + b"\x00\x00\xff\xff"


@drawing("font-color-layers")
def layers_of_layers():
    # A paint of 128 layers, each of which is a paint of 60 layers, which are shapes.
    outer, inner = b"\x01\x80" + long(60), b"\x01\x3c" + long(0)
    shape = b"\x0a\x00\x00\x06" + words(0) + SOLID
    paints = outer + inner + shape
    layers = [len(outer + inner)] * 60 + [len(outer)] * 128
    tables = glyphs(({"square": contour(4)}, ["square"]))
    data = font(5_002, COLR=colors(5_000, (paints, layers)), CPAL=PALETTE, **tables)
    return text(data, content=f"<text>{letters(5_000)}</text>")


@drawing("font-color-stops")
def gradients_of_many_stops():
    line = b"\x00" + words(10_000) + words(0, 0, 0x4000) * 10_000
    outer = b"\x01\x80" + long(0)
    gradient = b"\x04\x00\x00\x10" + words(0, 0, 100, 0, 0, 100)
    shape = b"\x0a\x00\x00\x06" + words(0) + gradient + line
    paints = outer + shape
    tables = glyphs(({"square": contour(4)}, ["square"]))
    data = font(5_002, COLR=colors(5_000, (paints, [len(outer)] * 128)), CPAL=PALETTE, **tables)
    return text(data, content=f"<text>{letters(5_000)}</text>")


@drawing("font-color-documents")
def glyphs_that_share_a_document():
    document = svg("<g id='glyph1'><rect width='9' height='9'/></g>" + "<!--" + "x" * 2_000_000 + "-->")
    records = b"".join(words(glyph, glyph) + long(2 + 12 * 5_000) + long(len(document)) for glyph in range(1, 5_001))
    data = font(5_002, **{"SVG": words(0) + long(10) + long(0) + words(5_000) + records + document})
    return text(data, content=f"<text>{letters(5_000)}</text>")


@drawing("font-color-pictures")
def glyphs_that_share_a_picture():
    # 200 sizes, each of which is larger than the one before, of one picture of a megabyte.
    count, size = 100, 1_000_000
    length = 4 + 4 * (count + 3)
    start = 8 + 4 * 200
    picture = start + 200 * length
    strikes = b""
    for number in range(200):
        place = picture - start - number * length
        strikes += words(number + 1, 72) + b"".join(
            long(place if glyph % 2 else place + size) for glyph in range(1, count + 4))
    offsets = b"".join(long(start + number * length) for number in range(200))
    data = font(
        count + 2, mapping([(FIRST + index, FIRST + index, 2 * index) for index in range(count // 2)]),
        sbix=words(1, 1) + long(200) + offsets + strikes + words(0, 0) + b"png " + bytes(size - 8))
    return text(data, content=f"<text>{letters(count // 2)}</text>")


# Tables


def names(count, length):
    records = b"".join(words(3, 1, 0x409, 4, length, 0) for _ in range(count))
    return words(0, count, 6 + len(records)) + records + b"\x00x" * (length // 2)


@drawing("font-names")
def names_that_share_their_bytes():
    fonts = [font(name=names(5_000, 65_534) + bytes(number)) for number in range(7)]
    return text(*fonts, content="".join(f"<text style='font-family:F{i}'>{chr(FIRST)}</text>" for i in range(7)))


@drawing("font-names-distinct")
def names_of_all_lengths():
    count = 20_000
    records = b"".join(words(3, 1, 0x409, 4, 2 * index, 0) for index in range(count))
    data = font(name=words(0, count, 6 + len(records)) + records + b"\x00x" * count)
    return text(data, content=f"<text>{chr(FIRST)}</text>")


@drawing("font-faces")
def faces_that_share_their_bytes():
    rules = "".join(
        f"@font-face{{font-family:{'a' * 60_000};font-weight:{index + 1};src:local(x)}}" for index in range(64))
    spans = "".join(f"<text font-family='{'a' * 2_000}b,F{index}'>x</text>" for index in range(1_000))
    return svg(f"<style>{rules}</style>{spans}")


# Text

ALL = mapping([(0x20, 0xFFFD, 1)], shares_glyph=True)


@drawing("text-thai")
def vowels_of_one_cluster():
    return text(font(characters=ALL), content="<text>\u0e01" + "\u0e33" * 190_000 + "</text>")


@drawing("text-thai-leftwards")
def vowels_of_one_cluster_from_right_to_left():
    content = "<text style='direction:rtl;unicode-bidi:bidi-override'>\u0e01" + "\u0e33" * 190_000 + "</text>"
    return text(font(characters=ALL), content=content)


@drawing("text-marks-cgj")
def marks_out_of_order():
    return text(font(characters=ALL), content="<text>a" + "\u034f\u0301\u0316" * 60_000 + "</text>")


@drawing("text-arabic-marks")
def arabic_marks_out_of_order():
    return text(font(characters=ALL), content="<text>\u0628" + "\u034f\u0301\u0654\u0316" * 45_000 + "</text>")


@drawing("text-joining")
def marks_in_runs_of_their_own():
    spans = "".join(f"<tspan style='font-feature-settings:\"x00{index % 2}\"'>\u064b</tspan>" for index in range(60_000))
    return text(font(characters=ALL), content=f"<text>\u0628{spans}</text>")


@drawing("text-kerned-marks")
def marks_between_kerned_letters():
    data = font(characters=ALL, kern=words(0, 1) + words(0, 14, 1) + words(0, 0, 0, 0))
    return text(data, content="<text>a" + "\u0301" * 190_000 + "</text>")
