#!/usr/bin/env python3
"""Writes the *Table.swift files of this folder from the Unicode Character Database.

    ./generate-tables.py /usr/share/unicode        # Debian: package unicode-data
"""
import os
import re
import sys

UCD = sys.argv[1]
HERE = os.path.dirname(os.path.abspath(__file__))


def rows(name):
    with open(os.path.join(UCD, name), encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line:
                yield [field.strip() for field in line.split(";")]


def span(field):
    first, _, last = field.partition("..")
    return int(first, 16), int(last or first, 16)


def version():
    with open(os.path.join(UCD, "Scripts.txt"), encoding="utf-8") as file:
        return re.search(r"Scripts-([0-9.]+)\.txt", file.readline()).group(1)


def write(name, what, source, words):
    lines, line = [], ""
    for word in words:
        if len(line) + 1 + len(word) > 112:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    lines.append(line)
    body = " \\\n".join("    " + line for line in lines)
    text = f"""// {what}
// Made by generate-tables.py from {source} of Unicode {version()}.

/// {what}
enum {name} {{
  static let words: StaticString = \"\"\"
{body}
    \"\"\"
}}
"""
    with open(os.path.join(HERE, name + ".swift"), "w", encoding="utf-8") as file:
        file.write(text)


def script_codes():
    codes = {}
    for fields in rows("PropertyValueAliases.txt"):
        if fields[0] == "sc":
            codes[fields[2]] = fields[1]
    return codes


def scripts():
    codes, ranges = script_codes(), []
    for fields in rows("Scripts.txt"):
        ranges.append((*span(fields[0]), codes[fields[1]]))
    ranges.sort()
    merged = []
    # Characters that are not assigned go with those before them.
    for first, _, code in ranges:
        if not merged or merged[-1][1] != code:
            merged.append((first, code))
    return [f"{first:X} {code}" for first, code in merged]


def joining():
    ranges = []
    for fields in rows("ArabicShaping.txt"):
        value = fields[2]
        if fields[3] == "ALAPH":
            value = "A"
        elif fields[3] == "DALATH RISH":
            value = "S"
        ranges.append((int(fields[0], 16), value))
    ranges.sort()
    merged = []
    for code, value in ranges:
        if merged and merged[-1][1] + 1 == code and merged[-1][2] == value:
            merged[-1][1] = code
        else:
            merged.append([code, code, value])
    return [f"{first:X} {last:X} {value}" for first, last, value in merged]


def mirroring():
    return [f"{int(a, 16):X} {int(b, 16):X}" for a, b in rows("BidiMirroring.txt")]


def decompositions():
    excluded = set()
    for fields in rows("DerivedNormalizationProps.txt"):
        if fields[1] == "Full_Composition_Exclusion":
            first, last = span(fields[0])
            excluded.update(range(first, last + 1))
    words = []
    for fields in rows("UnicodeData.txt"):
        if not fields[5] or fields[5].startswith("<"):
            continue
        code = int(fields[0], 16)
        parts = [f"{int(part, 16):X}" for part in fields[5].split()]
        words.append(" ".join([("!" if code in excluded else "") + f"{code:X}"] + parts + ["0"] * (2 - len(parts))))
    return words


# The raw values of BidiClass.
BIDI_CLASSES = "L R AL EN ES ET AN CS NSM BN B S WS ON LRE LRO RLE RLO PDF LRI RLI FSI PDI".split()


def write_runs(owner, property, what, source, values):
    """Writes an array of integers as an extension of a type."""
    lines, line = [], ""
    for value in values:
        word = f"0x{value:x},"
        if len(line) + 1 + len(word) > 115:
            lines.append(line)
            line = ""
        line = f"{line} {word}" if line else word
    lines.append(line)
    body = "\n".join("    " + line for line in lines)
    text = f"""// {what}
// Made by generate-tables.py from {source} of Unicode {version()}.

extension {owner} {{
  /// {what}
  static let {property}: [UInt32] = [
{body}
  ]
}}
"""
    with open(os.path.join(HERE, owner + "Table.swift"), "w", encoding="utf-8") as file:
        file.write(text)


def run_starts(values):
    """The starts of runs of equal values: code point * 256 + value."""
    return [code << 8 | value for code, value in enumerate(values) if code == 0 or value != values[code - 1]]


def bidi_classes():
    # Unassigned characters: the @missing lines, of which later ones override earlier ones.
    codes, names = [0] * 0x110000, {}
    for fields in rows("PropertyValueAliases.txt"):
        if fields[0] == "bc":
            names[fields[1]] = names[fields[2]] = BIDI_CLASSES.index(fields[1])
    path = "extracted/DerivedBidiClass.txt"
    with open(os.path.join(UCD, path), encoding="utf-8") as file:
        missing = re.findall(r"# @missing: (\S+); (\S+)", file.read())
    for field, name in [*missing, *rows(path)]:
        first, last = span(field)
        codes[first : last + 1] = [names[name]] * (last + 1 - first)
    return run_starts(codes)


def upright():
    codes = [0] * 0x110000
    path = "VerticalOrientation.txt"
    with open(os.path.join(UCD, path), encoding="utf-8") as file:
        missing = re.findall(r"# @missing: (\S+); (\S+)", file.read())
    for field, value in [*missing, *rows(path)]:
        first, last = span(field)
        codes[first : last + 1] = [int(value in ("U", "Tu"))] * (last + 1 - first)
    return run_starts(codes)


def brackets():
    pairs = [(int(a, 16), int(b, 16)) for a, b, kind in rows("BidiBrackets.txt") if kind == "o"]
    # 2329 and 232A are canonically equivalent to 3008 and 3009.
    return sorted(a for a, b in pairs if b == a + 1 and a != 0x2329)


write("ScriptTable", "The first character of each run of one script, and the script.", "Scripts.txt", scripts())
write("JoiningTable", "The first and last character of each run of one joining type.", "ArabicShaping.txt", joining())
write("MirroringTable", "Characters and those that mirror them.", "BidiMirroring.txt", mirroring())
write(
    "DecompositionTable",
    "Characters and the two that they decompose to; \"!\" marks those that are never composed.",
    "UnicodeData.txt and DerivedNormalizationProps.txt", decompositions())
write_runs(
    "BidiClass", "runStarts",
    "The starts of runs of one Bidi_Class: code point · 256 + class, in ascending order.",
    "DerivedBidiClass.txt", bidi_classes())
write_runs(
    "BidiBracket", "openings", "The opening brackets whose counterpart is the next code point.",
    "BidiBrackets.txt", brackets())
write_runs(
    "VerticalOrientation", "runStarts",
    "The starts of runs: code point · 256, plus 1 if upright, in ascending order.",
    "VerticalOrientation.txt", upright())
