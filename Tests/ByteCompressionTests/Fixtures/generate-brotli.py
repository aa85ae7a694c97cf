#!/usr/bin/env python3
"""Writes brotli.tsv: streams of an independent encoder, with the sizes and checksums of what they contain.

    ./generate-brotli.py        # requires the Python package `brotli`
"""
import base64
import os
import random
import zlib

import brotli

HERE = os.path.dirname(os.path.abspath(__file__))
random.seed(7932)


class Bits:
    """Writes streams by hand, for what encoders do not use."""

    def __init__(self):
        self.value = 0
        self.count = 0

    def put(self, value, count):
        self.value |= value << self.count
        self.count += count

    def symbol(self, symbol, bits):
        """A prefix code of one symbol."""
        self.put(1, 4)
        self.put(symbol, bits)

    def bytes(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")


def header(bits, length, is_last=0):
    bits.put(is_last, 1)
    if is_last:
        bits.put(0, 1)
    bits.put(0, 2)
    bits.put(length - 1, 16)
    if not is_last:
        bits.put(0, 1)
    bits.put(0, 9)


def transformed_words():
    """A word of ten bytes with each transform."""
    bits = Bits()
    bits.put(0, 1)
    written = 0
    for transform in range(121):
        for length in range(1, 40):
            attempt = Bits()
            attempt.value, attempt.count = bits.value, bits.count
            header(attempt, length)
            attempt.put(0, 4)
            attempt.symbol(0, 8)
            attempt.symbol(192, 10)
            distance = written + 1 + 37 * transform % 1024 + (transform << 10)
            code = 0
            while distance >= ((2 + (code & 1)) << (1 + (code >> 1))) - 3 + (1 << (1 + (code >> 1))):
                code += 1
            attempt.symbol(16 + code, 6)
            attempt.put(0, 1)
            attempt.put(distance - (((2 + (code & 1)) << (1 + (code >> 1))) - 3), 1 + (code >> 1))
            end = attempt.count
            attempt.put(3, 2)
            try:
                written = len(brotli.decompress(attempt.bytes()))
            except brotli.error:
                continue
            attempt.value &= (1 << end) - 1
            attempt.count = end
            bits = attempt
            break
    bits.put(3, 2)
    return bits.bytes()


def contexts(mode):
    """All pairs of some bytes, each followed by a literal that tells its context in the given mode."""
    pairs = [(a, b) for a in range(0, 256, 9) for b in (0, 13, 32, 40, 46, 65, 66, 97, 98, 127, 128, 195, 224, 255)]
    bits = Bits()
    bits.put(0, 1)
    for earlier, last in pairs:
        bits.put(0, 3)
        bits.put(1, 16)
        bits.put(1, 1)
        bits.put(0, -bits.count % 8)
        bits.put(earlier, 8)
        bits.put(last, 8)
        header(bits, 1)
        bits.put(mode, 2)
        # 64 codes, one for each context, and a map that refers to them in order.
        bits.put(1, 1)
        bits.put(5, 3)
        bits.put(31, 5)
        bits.put(0, 1)
        # The map's code has 64 symbols with codes of six bits: lengths 6 and repetitions.
        bits.put(0, 2)
        # Code lengths in the order 1, 2, 3, 4, 0, 5, 17, 6: only the length 6 occurs.
        for _ in range(7):
            bits.put(0, 2)
        bits.put(7, 4)
        bits.put(0, 20)
        # No bits follow: all 64 lengths are 6.
        for context in range(64):
            bits.put(int(f"{context:06b}"[::-1], 2), 6)
        bits.put(0, 1)
        bits.put(0, 1)
        for context in range(64):
            bits.symbol(48 + context, 8)
        bits.symbol(128 + (1 << 3), 10)
        bits.symbol(0, 6)
    bits.put(3, 2)
    return bits.bytes()


def metadata():
    """Four bytes that are not part of the data, before a meta-block."""
    bits = Bits()
    bits.put(0, 1)
    bits.put(0, 1)
    bits.put(3, 2)
    bits.put(0, 1)
    bits.put(1, 2)
    bits.put(3, 8)
    bits.put(0, -bits.count % 8)
    bits.put(0x01020304, 32)
    header(bits, 4, is_last=1)
    bits.put(0, 4)
    bits.symbol(65, 8)
    bits.symbol(128 + (4 << 3), 10)
    bits.symbol(0, 6)
    return bits.bytes()


def text(count):
    words = "time of the bounded decoder, which reads 17 tables and <b>writes</b> \u043d\u0430\u0434 them; Prefix codes".split(" ")
    return " ".join(random.choice(words) for _ in range(count)).encode()


def main():
    samples = []
    for quality in range(12):
        samples.append((f"text, quality {quality}", brotli.compress(text(60 + quality), quality=quality)))
    for window in (10, 12, 16, 17, 18, 24):
        samples.append((f"window {window}", brotli.compress(text(90) * 3, quality=9, lgwin=window)))
    for mode in (brotli.MODE_GENERIC, brotli.MODE_TEXT, brotli.MODE_FONT):
        data = bytes(random.randrange(256) & 31 * random.randrange(8) for _ in range(400)) + text(20)
        samples.append((f"mode {mode}", brotli.compress(data, mode=mode, quality=11)))
    samples.append(("random bytes", brotli.compress(random.randbytes(300), quality=5)))
    samples.append(("empty", brotli.compress(b"")))
    samples.append(("runs", brotli.compress(b"a" * 70000 + b"bc" * 40000, quality=11)))
    samples.append(("blocks", brotli.compress(b"".join(
        bytes(random.choice(b"abcdefgh" if block & 1 else b"012345 .") for _ in range(900)) for block in range(4)),
        quality=11)))
    samples.append(("words with all transforms", transformed_words()))
    samples.append(("metadata", metadata()))
    for mode in range(4):
        samples.append((f"contexts of mode {mode}", contexts(mode)))
    with open(os.path.join(HERE, "brotli.tsv"), "w", encoding="utf-8") as file:
        for name, stream in samples:
            data = brotli.decompress(stream)
            if name.startswith("contexts"):
                stream = b"z" + zlib.compress(stream, 9)
            else:
                stream = b"b" + stream
            file.write(f"{name}\t{len(data)}\t{zlib.crc32(data)}\t{chr(stream[0])}\t")
            file.write(base64.b64encode(stream[1:]).decode() + "\n")


main()
