#!/usr/bin/env python3
"""Writes BrotliDictionaryWords.swift and BrotliTransforms.swift: the static dictionary and the transforms of RFC 7932.

    ./generate-dictionary.py        # requires the Python package `brotli`

The appendices A and B of RFC 7932 define both. The words are the answers of a Brotli decoder to streams that refer to
each word with the identity transform, and the transforms are inferred from the answers to streams that refer to a few
words with each transform. The checksums that RFC 7932 states for both verify the result.
"""
import base64
import os
import zlib

import brotli

HERE = os.path.dirname(os.path.abspath(__file__))
# The number of bits of the index of a word, by word length, from 4 on (RFC 7932, appendix A).
INDEX_BITS = [10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5]
DICTIONARY_CRC = 0x5136CB04
TRANSFORM_COUNT = 121
TRANSFORM_CRC = 0x3D965F81


class Bits:
    def __init__(self):
        self.value = 0
        self.count = 0

    def put(self, value, count):
        self.value |= value << self.count
        self.count += count

    def bytes(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")


def put_single_symbol(bits, symbol, alphabet_bits):
    bits.put(1, 2)  # a simple code
    bits.put(0, 2)  # of one symbol
    bits.put(symbol, alphabet_bits)


def put_reference(bits, length, distance, output_length):
    """Appends a meta-block that consists of one copy."""
    bits.put(0, 1)  # ISLAST
    bits.put(0, 2)  # four nibbles
    bits.put(output_length - 1, 16)
    bits.put(0, 1)  # ISUNCOMPRESSED
    bits.put(0, 3)  # one block type of each kind
    bits.put(0, 6)  # NPOSTFIX, NDIRECT
    bits.put(0, 2)  # the context mode
    bits.put(0, 2)  # one tree of literals and one of distances
    put_single_symbol(bits, 0, 8)
    # The copy lengths that have codes, with the bits that follow these.
    base, code, extra = next(
        (base, code, extra)
        for base, code, extra in reversed(
            [(2 + index, index, 0) for index in range(8)]
            + [(10, 8, 1), (12, 9, 1), (14, 10, 2), (18, 11, 2), (22, 12, 3)])
        if base <= length)
    put_single_symbol(bits, 128 + code if code < 8 else 192 + code - 8, 10)
    distance_code = 0
    while True:
        count = 1 + (distance_code >> 1)
        first = ((2 + (distance_code & 1)) << count) - 3
        if distance < first + (1 << count):
            break
        distance_code += 1
    put_single_symbol(bits, 16 + distance_code, 6)
    bits.put(length - base, extra)
    bits.put(distance - first, count)


def stream():
    bits = Bits()
    bits.put(0, 1)  # a window of 16 bits
    return bits


def words(length):
    """All words of a length."""
    result = b""
    count = 1 << INDEX_BITS[length - 4]
    for first in range(0, count, 64):
        bits = stream()
        for index in range(first, min(first + 64, count)):
            put_reference(bits, length, (index - first) * length + 1 + index, length)
        bits.put(3, 2)
        result += brotli.decompress(bits.bytes())
    return result


def transformed(length, index, transform):
    """The result of a transform, whose length is found by trial."""
    for output_length in range(1, 64):
        bits = stream()
        put_reference(bits, length, 1 + index + (transform << INDEX_BITS[length - 4]), output_length)
        bits.put(3, 2)
        try:
            return brotli.decompress(bits.bytes())
        except brotli.error:
            continue
    raise SystemExit(f"transform {transform} has no result")


def raised(word, first_only):
    """The fermentation of RFC 7932: changes the case of letters of ASCII and of some other characters."""
    word = bytearray(word)
    index = 0
    while index < len(word):
        if word[index] < 0xC0:
            if ord("a") <= word[index] <= ord("z"):
                word[index] ^= 32
            index += 1
        elif word[index] < 0xE0:
            if index + 1 < len(word):
                word[index + 1] ^= 32
            index += 2
        else:
            if index + 2 < len(word):
                word[index + 2] ^= 5
            index += 3
        if first_only:
            break
    return bytes(word)


KINDS = (
    [lambda word: word, lambda word: raised(word, True), lambda word: raised(word, False)]
    + [lambda word, count=count: word[count:] for count in range(1, 10)]
    + [lambda word, count=count: word[:len(word) - count] for count in range(1, 10)])


def transforms(dictionary):
    """Prefix, kind and suffix of each transform: the only ones that explain its effect on different words."""
    samples = [(10, index) for index in range(0, 1024, 29)] + [(12, index) for index in range(0, 1024, 53)]
    result = []
    for transform in range(TRANSFORM_COUNT):
        pairs = [
            (dictionary[length][index * length:(index + 1) * length], transformed(length, index, transform))
            for length, index in samples]
        candidates = set()
        for kind, change in enumerate(KINDS):
            word, answer = pairs[0]
            changed = change(word)
            for start in range(len(answer) - len(changed) + 1):
                if answer[start:].startswith(changed):
                    prefix, suffix = answer[:start], answer[start + len(changed):]
                    if all(answer == prefix + change(word) + suffix for word, answer in pairs):
                        candidates.add((prefix, kind, suffix))
        if len(candidates) != 1:
            raise SystemExit(f"transform {transform} is one of {candidates}")
        result.append(candidates.pop())
    return result


def escaped(content):
    """The source text of a literal. Bytes that are not ASCII are U+0080 to U+00FF, as in ISO 8859-1."""
    names = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
    return "".join(
        names.get(character) or (character if character.isascii() else "\\u{%X}" % ord(character))
        for character in content.decode("latin-1"))


def literal(content):
    """The lines of a base64 literal that is indented by four."""
    text = base64.b64encode(content).decode()
    return "\\\n".join("    " + text[start:start + 112] for start in range(0, len(text), 112))


def write(name, text):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write(text)


def main():
    dictionary = {length: words(length) for length in range(4, 25)}
    if zlib.crc32(b"".join(dictionary.values())) != DICTIONARY_CRC:
        raise SystemExit("the dictionary does not have the checksum that RFC 7932 states")
    table = transforms(dictionary)
    packed = b"".join(prefix + bytes([0, kind]) + suffix + b"\0" for prefix, kind, suffix in table)
    if zlib.crc32(packed) != TRANSFORM_CRC:
        raise SystemExit("the transforms do not have the checksum that RFC 7932 states")

    text = """// The words of Brotli's static dictionary (RFC 7932, appendix A), by length, in base64.
// Made by generate-dictionary.py.

extension BrotliDictionary {
  /// For each length from 4 to 24, all words in the order of their indices.
  static let encodedWords: [String] = [
"""
    for length, content in dictionary.items():
        text += f'    // {len(content) // length} words of {length} bytes.\n    """\n{literal(content)}\n    """,\n'
    write("BrotliDictionaryWords.swift", text + "  ]\n}\n")

    names = (
        ["identity", "raisedFirst", "raisedAll"] + [f"withoutFirst({count})" for count in range(1, 10)]
        + [f"withoutLast({count})" for count in range(1, 10)])
    text = """// The transforms of words of Brotli's static dictionary (RFC 7932, appendix B).
// Made by generate-dictionary.py.

extension BrotliTransform {
  /// All transforms, by number. Prefixes and suffixes are in ISO 8859-1.
  static let all: [BrotliTransform] = [
"""
    for prefix, kind, suffix in table:
        text += f'    BrotliTransform("{escaped(prefix)}", .{names[kind]}, "{escaped(suffix)}"),\n'
    write("BrotliTransforms.swift", text + "  ]\n}\n")


main()
