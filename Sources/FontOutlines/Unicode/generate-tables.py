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


write("ScriptTable", "The first character of each run of one script, and the script.", "Scripts.txt", scripts())
write("JoiningTable", "The first and last character of each run of one joining type.", "ArabicShaping.txt", joining())
write("MirroringTable", "Characters and those that mirror them.", "BidiMirroring.txt", mirroring())
write(
    "DecompositionTable",
    "Characters and the two that they decompose to; \"!\" marks those that are never composed.",
    "UnicodeData.txt and DerivedNormalizationProps.txt", decompositions())
