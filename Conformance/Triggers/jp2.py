"""JPEG 2000: large pictures whose code-blocks take a few bytes each, and large numbers of tiles, components, precincts and
layers. Packet headers are written for precincts that contain one code-block.
"""

import struct

from trigger import table

TRIGGERS, trigger = table()


def segment(marker, content):
    return struct.pack(">HH", marker, len(content) + 2) + content


def headers(width, height, components=1, tile=None, layers=1, levels=0, block=6, style=0, precincts=b"", exponent=8):
    """SOC, SIZ, COD of the reversible transform and QCD. Code-blocks have 2 ** `block` columns and rows."""
    size = struct.pack(">H8IH", 0, width, height, 0, 0, *(tile or (width, height)), 0, 0, components)
    coding = struct.pack(">BBHBBBBBB", 1 if precincts else 0, 0, layers, 0, levels, block - 2, block - 2, style, 1)
    quantization = bytes([0x40]) + bytes([exponent << 3]) * (3 * levels + 1)
    return (
        b"\xff\x4f" + segment(0xFF51, size + b"\7\1\1" * components) + segment(0xFF52, coding + precincts)
        + segment(0xFF5C, quantization))


def tile_part(data, index=0):
    return b"\xff\x90" + struct.pack(">HHIBB", 10, index, len(data) + 14, 0, 1) + b"\xff\x93" + data


def bits(text):
    """Bits as bytes, with a zero after each byte of ones."""
    out = bytearray()
    while text or (out and out[-1] == 0xFF):
        count = 7 if out and out[-1] == 0xFF else 8
        out.append(int(text[:count].ljust(count, "0"), 2))
        text = text[count:]
    return bytes(out)


def packet(passes, data):
    """A packet of one code-block without missing bit-planes."""
    code = "0" if passes == 1 else "1111" + format(passes - 6, "05b") if passes < 37 else "1" * 9 + format(passes - 37, "07b")
    return bits("111" + code + "0" + format(len(data), f"0{3 + passes.bit_length() - 1}b")) + data


@trigger("jp2-plain.jp2")
def plain():
    """Nine megapixels of three components, transformed 32 times, without a packet."""
    return headers(3000, 3000, 3, levels=32) + tile_part(b"") + b"\xff\xd9"


@trigger("jp2-tiles.jp2")
def tiles():
    """65,535 tiles of one pixel."""
    return headers(255, 257, tile=(1, 1)) + b"".join(tile_part(b"", index) for index in range(65535)) + b"\xff\xd9"


@trigger("jp2-components.jp2")
def components():
    """16,384 components, in 16 tiles."""
    return headers(64, 64, 16384, tile=(16, 16)) + b"".join(tile_part(b"", index) for index in range(16)) + b"\xff\xd9"


@trigger("jp2-layers.jp2")
def layers():
    """Empty packets of 65,535 layers, one byte each."""
    return headers(512, 512, layers=65535, precincts=b"\x66", block=6) + tile_part(bytes(2 << 20)) + b"\xff\xd9"


@trigger("jp2-precincts.jp2")
def precincts():
    """Precincts of two samples in each direction, which have no packets."""
    return headers(2048, 2048, precincts=b"\x11" * 6, levels=5) + tile_part(b"") + b"\xff\xd9"


@trigger("jp2-passes.jp2")
def passes():
    """All passes of 30 bit-planes over 4,096 samples for six bytes."""
    data = packet(85, b"\xff") * 2000
    return headers(64 * 50, 64 * 40, precincts=b"\x66", exponent=28) + tile_part(data) + b"\xff\xd9"


@trigger("jp2-high-throughput.jp2")
def high_throughput():
    """High-throughput code-blocks whose codes take few bits."""
    data = packet(1, b"\x80\x00\x00\x20\x00") * 4000
    return headers(64 * 80, 64 * 50, precincts=b"\x66", style=0x40) + tile_part(data) + b"\xff\xd9"
