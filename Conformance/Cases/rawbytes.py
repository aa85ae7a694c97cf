"""The bytes of raw files: directories of TIFF, packed samples, lossless JPEG streams. `raw.py` and `rawmakers.py` use them."""

import struct

KINDS = {"B": 1, "A": 2, "H": 3, "I": 4, "R": 5, "U": 7, "r": 10, "d": 12}
SIZES = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 10: 8, 12: 8}


# Directories


class Structure:
    """A TIFF structure that grows at its end. Offsets are relative to `base`, the position of its first byte in the file.

    A directory is a list of fields (tag, kind, values). In addition to the kinds of TIFF there are "blobs", a list of bytes
    whose offsets are the values; "ifds", a list of directories; and "note", a function that returns the bytes of a value
    for the position at which they are.
    """

    def __init__(self, order="<", head=None, base=0):
        self.order, self.base = order, base
        self.out = bytearray(head if head is not None else {"<": b"II*\0", ">": b"MM\0*"}[order] + bytes(4))

    def finish(self, directories, link=4):
        """Appends a chain of directories and returns all bytes. `link` is the place of the first offset."""
        for directory in directories:
            self.align()
            self.out[link : link + 4] = struct.pack(self.order + "I", len(self.out) + self.base)
            link = self.append(directory)
        return bytes(self.out)

    def align(self):
        self.out += bytes(len(self.out) % 2)

    def append(self, fields):
        """Appends a directory and what it refers to. Returns the place of the link to the next one."""
        fields = sorted(fields, key=lambda field: field[0])
        start = len(self.out)
        self.out += struct.pack(self.order + "H", len(fields)) + bytes(12 * len(fields) + 4)
        for index, (tag, kind, values) in enumerate(fields):
            code, count, data = self.value(kind, values)
            if len(data) > 4:
                self.align()
                position = len(self.out) + self.base
                self.out += data
                data = struct.pack(self.order + "I", position)
            entry = struct.pack(self.order + "HHI", tag, code, count) + data.ljust(4, b"\0")
            self.out[start + 2 + 12 * index : start + 14 + 12 * index] = entry
        return start + 2 + 12 * len(fields)

    def value(self, kind, values):
        if kind == "note":
            self.align()
            data = values(len(self.out) + self.base)
            return 7, len(data), data
        if kind in ("blobs", "ifds"):
            offsets = []
            for part in values:
                self.align()
                offsets.append(len(self.out) + self.base)
                if kind == "blobs":
                    self.out += part
                else:
                    self.append(part)
            kind, values = "I", offsets
        code = KINDS[kind]
        if kind in "AU":
            data = values.encode() + b"\0" if kind == "A" else values
            return code, len(data), data
        if kind in "Rr":
            numbers = [number for pair in map(fraction, values) for number in pair]
            return code, len(values), struct.pack(self.order + ("i" if kind == "r" else "I") * len(numbers), *numbers)
        return code, len(values), struct.pack(self.order + kind * len(values), *values)


def fraction(value):
    return value if isinstance(value, tuple) else (round(value * 1_000_000), 1_000_000)


def blobs(offsets, counts, parts):
    """The fields of strips, tiles or streams, whose tags are `offsets` and `counts`."""
    return [(offsets, "blobs", parts), (counts, "I", [len(part) for part in parts])]


# Samples


def packed(rows, bits, order="<"):
    """Rows of samples as bytes: 8 and 16 bits as such, others from the most significant bit in any byte order."""
    if bits in (8, 16):
        return b"".join(struct.pack(order + {8: "B", 16: "H"}[bits] * len(row), *row) for row in rows)
    out = bytearray()
    for row in rows:
        text = "".join(format(sample, f"0{bits}b") for sample in row)
        text += "0" * (-len(text) % 8)
        out += int(text, 2).to_bytes(len(text) // 8, "big")
    return bytes(out)


def differences(rows, step, bits):
    """Rows as differences from the sample `step` places before (predictor 2 of TIFF)."""
    return [[(v - (row[i - step] if i >= step else 0)) % (1 << bits) for i, v in enumerate(row)] for row in rows]


# Lossless JPEG (ITU-T T.81, annex H)


def prediction(predictor, a, b, c):
    return (None, a, b, c, a + b - c, a + ((b - c) >> 1), b + ((a - c) >> 1), (a + b) >> 1)[predictor]


def category(difference):
    """The difference modulo 65,536 as -32,767…32,768, and the number of its bits."""
    difference = (difference + 32767) % 65536 - 32767
    return difference, abs(difference).bit_length()


def lossless_jpeg(rows, components, precision, predictor=1, restart=0, shift=0, sampling=0x11):
    """A stream of process 14. `rows` contain the samples of the components one after the other; `restart` is a number of
    rows, `shift` the point transform."""
    coded = []
    for y, row in enumerate(rows):
        row = [v >> shift for v in row]
        above = [v >> shift for v in rows[y - 1]] if y else None
        line, first = [], y == 0 or (restart and y % restart == 0)
        for i, value in enumerate(row):
            a = row[i - components] if i >= components else None
            if first:
                expected = 1 << (precision - shift - 1) if a is None else a
            else:
                expected = above[i] if a is None else prediction(predictor, a, above[i], above[i - components])
            line.append(category(value - expected))
        coded.append(line)
    counts = [0] * 17
    for line in coded:
        for _, size in line:
            counts[size] += 1
    # The lengths of the table of annex K, continued to 17 categories; the most frequent have the shortest codes.
    lengths = [2] + [3] * 5 + list(range(4, 15))
    symbols = sorted(range(17), key=lambda size: -counts[size])
    codes, code, previous = {}, 0, 2
    for symbol, length in zip(symbols, lengths):
        code <<= length - previous
        codes[symbol] = format(code, f"0{length}b")
        code, previous = code + 1, length
    body, text = b"", []
    for y, line in enumerate(coded):
        if restart and y and y % restart == 0:
            body += entropy("".join(text)) + bytes([0xFF, 0xD0 + (y // restart - 1) % 8])
            text = []
        for difference, size in line:
            text.append(codes[size])
            if 0 < size < 16:
                text.append(format(difference if difference > 0 else difference + (1 << size) - 1, f"0{size}b"))
    body += entropy("".join(text))
    width = len(rows[0]) // components
    frame = struct.pack(">BHHB", precision, len(rows), width, components)
    frame += b"".join(bytes([k + 1, sampling if k == 0 else 0x11, 0]) for k in range(components))
    table = b"\0" + bytes(lengths.count(length) for length in range(1, 17)) + bytes(symbols)
    scan = bytes([components]) + b"".join(bytes([k + 1, 0]) for k in range(components)) + bytes([predictor, 0, shift])
    intervals = segment(0xDD, struct.pack(">H", restart * width)) if restart else b""
    return (
        b"\xff\xd8" + segment(0xC4, table) + segment(0xC3, frame) + intervals + segment(0xDA, scan) + body + b"\xff\xd9")


def segment(marker, content):
    return struct.pack(">BBH", 0xFF, marker, len(content) + 2) + content


def entropy(text):
    text += "1" * (-len(text) % 8)
    data = int(text, 2).to_bytes(len(text) // 8, "big") if text else b""
    return data.replace(b"\xff", b"\xff\0")
