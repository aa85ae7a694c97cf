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


def wide_forms():
    """Characters and their wide counterparts: narrow forms, and those that have a wide form."""
    pairs = {0x20: 0x3000}
    for fields in rows("UnicodeData.txt"):
        code, kind = int(fields[0], 16), fields[5].split()
        if kind[:1] == ["<wide>"]:
            pairs[int(kind[1], 16)] = code
        elif kind[:1] == ["<narrow>"]:
            pairs[code] = int(kind[1], 16)
    return [f"{a:X} {b:X}" for a, b in sorted(pairs.items())]


def full_size_kana():
    """Small Kana and the letters of full size."""
    names = {fields[1]: int(fields[0], 16) for fields in rows("UnicodeData.txt") if "A LETTER" in fields[1]}
    pairs = {
        code: names[name.replace("SMALL ", "")] for name, code in names.items()
        if "SMALL " in name and name.replace("SMALL ", "") in names
        and name.startswith(("HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA"))}
    return [f"{a:X} {b:X}" for a, b in sorted(pairs.items())]


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


def property_values(name, default):
    """The values of a property file as an array over all code points."""
    values = [default] * 0x110000
    for fields in rows(name):
        first, last = span(fields[0])
        values[first : last + 1] = [fields[1]] * (last + 1 - first)
    return values


def override(values, changes):
    for value, fields in changes.items():
        for field in fields.split():
            first, last = span(field)
            values[first : last + 1] = [value] * (last + 1 - first)


# The raw values of LineBreakClass.
LINE_BREAKS = (
    "XX BK CR LF NL SP ZW WJ ZWJ GL CM BA HY BB B2 CB CL CP EX IN NS OP QU IS NU PO PR SY AL HL ID EB EM H2 H3 JL JV JT "
    "RI WideOP WideCP Unassigned").split()


def line_break_classes():
    path = "LineBreak.txt"
    values = ["XX"] * 0x110000
    with open(os.path.join(UCD, path), encoding="utf-8") as file:
        missing = re.findall(r"# @missing: (\S+); (\S+)", file.read())
    names = {}
    for fields in rows("PropertyValueAliases.txt"):
        if fields[0] == "lb":
            names[fields[2]] = names[fields[1]] = fields[1]
    for field, name in [*missing, *rows(path)]:
        first, last = span(field)
        values[first : last + 1] = [names[name]] * (last + 1 - first)
    general = property_values("extracted/DerivedGeneralCategory.txt", "Cn")
    width = property_values("EastAsianWidth.txt", "N")
    pictographic = set()
    for fields in rows("emoji/emoji-data.txt"):
        if fields[1] == "Extended_Pictographic":
            first, last = span(fields[0])
            pictographic.update(range(first, last + 1))
    result = []
    for code, name in enumerate(values):
        # Rule LB1.
        if name == "SA" and general[code] in ("Mn", "Mc"):
            name = "CM"
        name = {"AI": "AL", "SG": "AL", "XX": "AL", "SA": "AL", "CJ": "NS"}.get(name, name)
        if name in ("OP", "CP") and width[code] in "FWH":
            name = "Wide" + name
        if code in pictographic and general[code] == "Cn":
            name = "Unassigned"
        result.append(LINE_BREAKS.index(name))
    return run_starts(result)


# The raw values of GraphemeClass.
GRAPHEMES = (
    "Other CR LF Control Extend Joined Linker ZWJ Regional_Indicator Prepend SpacingMark L V T LV LVT Consonant "
    "Pictograph Emoji").split()
# The scripts in which conjuncts are one cluster (Indic_Conjunct_Break, Unicode 15.1 and later).
CONJUNCT_SCRIPTS = {"Bengali", "Devanagari", "Gujarati", "Malayalam", "Oriya", "Telugu"}


def grapheme_classes():
    values = property_values("auxiliary/GraphemeBreakProperty.txt", "Other")
    syllabic = property_values("IndicSyllabicCategory.txt", "Other")
    script = property_values("Scripts.txt", "Unknown")
    emoji = {"Extended_Pictographic": set(), "Emoji_Presentation": set()}
    for fields in rows("emoji/emoji-data.txt"):
        if fields[1] in emoji:
            first, last = span(fields[0])
            emoji[fields[1]].update(range(first, last + 1))
    result = []
    for code, name in enumerate(values):
        if code in emoji["Extended_Pictographic"]:
            assert name == "Other"
            name = "Emoji" if code in emoji["Emoji_Presentation"] else "Pictograph"
        elif script[code] in CONJUNCT_SCRIPTS and syllabic[code] == "Consonant":
            assert name == "Other"
            name = "Consonant"
        elif script[code] in CONJUNCT_SCRIPTS and syllabic[code] == "Virama":
            assert name == "Extend"
            name = "Linker"
        elif name == "Extend" and code != 0x200C:
            name = "Joined"
        result.append(GRAPHEMES.index(name))
    return run_starts(result)


def default_ignorable():
    result = set()
    for fields in rows("DerivedCoreProperties.txt"):
        if fields[1] == "Default_Ignorable_Code_Point":
            first, last = span(fields[0])
            result.update(range(first, last + 1))
    return result


# The raw values of UniversalCategory.
UNIVERSAL = (
    "O B N GB CGJ SUB H HN ZWNJ WJ R CS IS Sk G J SB SE HVM FAbv FBlw FPst MAbv MBlw MPst MPre CMAbv CMBlw "
    "VAbv VBlw VPst VPre VMAbv VMBlw VMPst VMPre SMAbv SMBlw FMAbv FMBlw FMPst").split()

# Deviations from the database that the Universal Shaping Engine's specification lists.
UNIVERSAL_SYLLABIC = {
    "Bindu": "193A AA29 10A0D 1172B",
    "Consonant": "0840..0858 0F00..0F01 0F04..0F06 19C1..19C7 25CC 0800..0815 1800 1807 180A 1820..1878 2D30..2D67 "
    "2D6F 10570..10595 10AC0..10AC7 10AC9..10AE4 10D00..10D23 10E80..10EA9 10EB0..10EB1 10F30..10F45 10F70..10F81 "
    "111DA 16B00..16B2F 16F00..16F4A 16FE4 18B00..18CD5 1BC00..1BC99 1E100..1E12C 1E137..1E13D 1E14E 1E14F "
    "1E290..1E2AD 1E2C0..1E2EB 1E4D0..1E4EB 1E900..1E921 1E922..1E943 1E94B",
    "Consonant_Dead": "0F7F",
    "Consonant_Final": "0F35 0F37 0FC6",
    "Consonant_Placeholder": "1880..1884",
    "Gemination_Mark": "11134 10D27",
    "Hieroglyph": "13000..1342F",
    "Hieroglyph_Joiner": "13430..13436",
    "Hieroglyph_Segment_Begin": "13437",
    "Hieroglyph_Segment_End": "13438",
    "Modifying_Letter": "16F50",
    "Nukta": "0F71 10A38..10A3A 0859..085B 0F39 1885..1886 18A9 1B6B..1B73 10AE5..10AE6 16F4F 1BC9D..1BC9E "
    "1E944..1E94A 1BF2..1BF3 10F82..10F85 1133B..1133C",
    "Number": "10D30..10D39 10F51..10F54 1E140..1E149 1E2F0..1E2F9 1E4F0..1E4F9 1E950..1E959",
    "Syllable_Modifier": "1C36",
    "Tone_Mark": "1A7B..1A7C 1A7F 07EB..07F3 07FD 0F86..0F87 17CF 10D24..10D26 10F46..10F50 16B30..16B36 "
    "16F8F..16F92 1CED 1E130..1E136 1E2AE 1E2EC..1E2EF 1E4EC..1E4EF",
    "Virama": "2D7F",
    "Vowel_Dependent": "0B55 0F18..0F19 0F3E..0F3F 10EAB..10EAC 16F51..16F87",
    "Vowel_Independent": "AAB1 AABA AABD",
    "Cantillation_Mark": "1CE2..1CE8",
}
UNIVERSAL_POSITIONAL = {
    "Bottom": "0F72 0F7A..0F7D 0F80 A9BF 10A38 11127..11129 1112D 11130 1BF2..1BF3 0859..085B 18A9 10AE5..10AE6 "
    "10F46..10F50 10F82..10F85 16F4F 16F51..16F87 16F8F..16F92",
    "Left": "1C29 103C",
    "Right": "A9BE 10A0C 11942",
    "Top": "0F74 1A18 AA35 1112A..1112B 11131..11132 07EB..07F3 07FD 1885..1886 1B6C 1CF8..1CF9 10D24..10D27 "
    "10EAB..10EAC 16B30..16B36 1E130..1E136 1E2AE 1E2EC..1E2EF 1E4EC..1E4EF 1E944..1E94A 11302..11303 114C1",
    "Overstruck": "1BC9D..1BC9E",
    "Not_Applicable": "180B..180D 180F 2D7F",
}

# The suffix of a category by position. A vowel sign on several sides is filed under the part that is moved.
POSITION_SUFFIXES = {
    "F": {"Top": "Abv", "Bottom": "Blw", "Right": "Pst"},
    "M": {"Top": "Abv", "Bottom": "Blw", "Bottom_And_Left": "Blw", "Bottom_And_Right": "Blw", "Right": "Pst",
          "Left": "Pre", "Top_And_Bottom_And_Left": "Pre"},
    "CM": {"Top": "Abv", "Bottom": "Blw", "Overstruck": "Blw"},
    "V": {"Top": "Abv", "Top_And_Bottom": "Abv", "Top_And_Bottom_And_Right": "Abv", "Top_And_Right": "Abv",
          "Bottom": "Blw", "Overstruck": "Blw", "Bottom_And_Right": "Blw", "Right": "Pst", "Left": "Pre",
          "Top_And_Left": "Pre", "Top_And_Left_And_Right": "Pre", "Left_And_Right": "Pre"},
    "VM": {"Top": "Abv", "Bottom": "Blw", "Overstruck": "Blw", "Right": "Pst", "Left": "Pre"},
    "SM": {"Top": "Abv", "Bottom": "Blw"},
    "FM": {"Top": "Abv", "Bottom": "Blw", "Not_Applicable": "Pst"},
}


def universal_category(code, syllabic, general, joins, ignorable):
    letter = general == "Lo"
    if 0x1B6B <= code <= 0x1B73:
        return "SM"
    if code == 0x0DCA:
        return "HVM"
    if code == 0x1A60:
        return "Sk"
    if syllabic == "Joiner" or (ignorable and general in ("Mc", "Me", "Mn")):
        return "CGJ"
    if syllabic == "Consonant_Placeholder" or code in (0x2015, 0x2022, 0x25FB, 0x25FC, 0x25FD, 0x25FE):
        return "GB"
    if letter and syllabic in (
            "Avagraha", "Bindu", "Consonant_Final", "Consonant_Medial", "Consonant_Subjoined", "Vowel",
            "Vowel_Dependent"):
        return "B"
    direct = {
        "Number": "B", "Consonant": "B", "Consonant_Head_Letter": "B", "Tone_Letter": "B", "Vowel_Independent": "B",
        "Brahmi_Joining_Number": "N", "Consonant_Final": "F", "Consonant_Succeeding_Repha": "F",
        "Syllable_Modifier": "FM", "Consonant_Medial": "M", "Consonant_Initial_Postfixed": "M", "Nukta": "CM",
        "Gemination_Mark": "CM", "Consonant_Killer": "CM", "Consonant_Subjoined": "SUB",
        "Consonant_With_Stacker": "CS", "Virama": "H", "Number_Joiner": "HN", "Invisible_Stacker": "IS",
        "Hieroglyph": "G", "Hieroglyph_Joiner": "J", "Hieroglyph_Segment_Begin": "SB",
        "Hieroglyph_Segment_End": "SE", "Non_Joiner": "ZWNJ", "Consonant_Preceding_Repha": "R",
        "Consonant_Prefixed": "R", "Pure_Killer": "V", "Vowel": "V", "Vowel_Dependent": "V", "Tone_Mark": "VM",
        "Cantillation_Mark": "VM", "Register_Shifter": "VM", "Visarga": "VM", "Bindu": "VM",
    }
    if syllabic in direct:
        return direct[syllabic]
    if joins:
        return "B"
    return "WJ" if ignorable and syllabic == "Other" else "O"


def universal_categories():
    syllabic = property_values("IndicSyllabicCategory.txt", "Other")
    positional = property_values("IndicPositionalCategory.txt", "Not_Applicable")
    general = property_values("extracted/DerivedGeneralCategory.txt", "Cn")
    override(syllabic, UNIVERSAL_SYLLABIC)
    override(positional, UNIVERSAL_POSITIONAL)
    ignorable = default_ignorable()
    joining = {int(f[0], 16) for f in rows("ArabicShaping.txt") if f[2] in "CDLR"}
    values = []
    for code in range(0x110000):
        name = universal_category(code, syllabic[code], general[code], code in joining, code in ignorable)
        if name in POSITION_SUFFIXES:
            name += POSITION_SUFFIXES[name].get(positional[code], "Abv")
        values.append(UNIVERSAL.index(name))
    return run_starts(values)


# The raw values of IndicCategory; also those of Khmer and Myanmar.
INDIC = (
    "X C V N H ZWNJ ZWJ M SM A VS PLACEHOLDER DOTTEDCIRCLE RS MPst Repha Ra CM Symbol CS VAbv VBlw VPre VPst "
    "Robatic Xgroup Ygroup IV As MH MR MW MY PT ML").split()

INDIC_SYLLABIC = {
    "Avagraha": "Symbol", "Bindu": "SM", "Brahmi_Joining_Number": "PLACEHOLDER", "Cantillation_Mark": "A",
    "Consonant": "C", "Consonant_Dead": "C", "Consonant_Final": "CM", "Consonant_Head_Letter": "C",
    "Consonant_Initial_Postfixed": "C", "Consonant_Killer": "M", "Consonant_Medial": "CM",
    "Consonant_Placeholder": "PLACEHOLDER", "Consonant_Preceding_Repha": "Repha", "Consonant_Subjoined": "CM",
    "Consonant_Succeeding_Repha": "CM", "Consonant_With_Stacker": "CS", "Gemination_Mark": "SM",
    "Invisible_Stacker": "H", "Joiner": "ZWJ", "Non_Joiner": "ZWNJ", "Nukta": "N", "Number": "PLACEHOLDER",
    "Number_Joiner": "PLACEHOLDER", "Pure_Killer": "M", "Register_Shifter": "RS", "Syllable_Modifier": "SM",
    "Tone_Mark": "N", "Virama": "H", "Visarga": "SM", "Vowel": "V", "Vowel_Dependent": "M",
    "Vowel_Independent": "V",
}
# Characters that the script specifications treat differently from their property.
INDIC_OVERRIDES = {
    "VS": "FE00..FE0F",
    "PLACEHOLDER": "2015 2022 25FB..25FE 09FC 0C80 0D04 17D9 104A",
    "Ra": "0930 09B0 09F0 0A30 0AB0 0B30 0BB0 0C30 0CB0 0D30 179A 1004 101B 105A",
    "SM": "0953..0954 11300..11303 1038 1087..108D 108F 109A..109C",
    "MPst": "0A40",
    "C": "0A72..0A73 1CF5..1CF6 104E",
    "A": "1CE2..1CE8 1CED 1032 1036",
    "Symbol": "A8F2..A8F7 1CE9..1CEC 1CEE..1CF1",
    "M": "0A51",
    "N": "1133B..1133C 0AFB 0B55",
    "DOTTEDCIRCLE": "25CC",
    "Robatic": "17C9..17CA 17CC",
    "Xgroup": "17C6 17CB 17CD..17D1",
    "Ygroup": "17C7..17C8 17D3 17DD",
    "As": "103A",
    "MH": "103E", "ML": "1060", "MR": "103C", "MW": "103D 1082", "MY": "103B 105E..105F",
    "PT": "1063..1064 1069..106D AA7B",
}
# The raw values of IndicPlace.
PLACES = (
    "start reph preMatra preBase base afterMain aboveBase beforeSub belowBase afterSub beforePost postBase "
    "afterPost modifiers end").split()
SIDES = {
    "Left": "Left", "Top": "Top", "Bottom": "Bottom", "Right": "Right", "Bottom_And_Right": "Right",
    "Left_And_Right": "Right", "Top_And_Bottom": "Bottom", "Top_And_Bottom_And_Left": "Bottom",
    "Top_And_Bottom_And_Right": "Right", "Top_And_Left": "Top", "Top_And_Left_And_Right": "Right",
    "Top_And_Right": "Right",
}
INDIC_BLOCKS = [
    "Devanagari", "Bengali", "Gurmukhi", "Gujarati", "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam"]
# The reordering class of the vowel signs of each block on the right of, above and below the base.
MATRA_PLACES = {
    "Devanagari": "afterSub afterSub afterSub", "Bengali": "afterPost afterSub afterSub",
    "Gurmukhi": "afterPost afterPost afterPost", "Gujarati": "afterPost afterSub afterPost",
    "Oriya": "afterPost afterMain afterSub", "Tamil": "afterPost afterSub afterPost",
    "Telugu": "beforeSub beforeSub beforeSub", "Kannada": "beforeSub beforeSub beforeSub",
    "Malayalam": "afterPost afterSub afterPost",
}


def matra_place(code, side):
    if side == "Left":
        return "preMatra"
    block = INDIC_BLOCKS[(code - 0x900) // 0x80]
    place = MATRA_PLACES[block].split()[["Right", "Top", "Bottom"].index(side)]
    if side == "Right" and (block == "Telugu" and code > 0x0C42 or block == "Kannada" and 0x0CC3 <= code <= 0x0CD6):
        return "afterSub"
    return place


def indic_categories():
    syllabic = property_values("IndicSyllabicCategory.txt", "Other")
    positional = property_values("IndicPositionalCategory.txt", "Not_Applicable")
    names = [INDIC_SYLLABIC.get(value, "X") for value in syllabic]
    override(names, INDIC_OVERRIDES)
    override(positional, {"Bottom": "0A51"})
    # Only these blocks and common characters are shaped with the table.
    used = [(0x900, 0xD7F), (0x1000, 0x109F), (0x1780, 0x17FF), (0x1CD0, 0x1CFF), (0x2000, 0x2FFF), (0xA8E0, 0xA8FF),
            (0xA9E0, 0xA9FF), (0xAA60, 0xAA7F), (0xFE00, 0xFE0F), (0x11300, 0x1133F), (0xA0, 0xD7)]
    categories, places = [], []
    for code in range(0x110000):
        name = names[code] if any(a <= code <= b for a, b in used) else "X"
        place = "end"
        side = SIDES.get(positional[code])
        if name in ("C", "CS", "Ra", "CM", "V", "PLACEHOLDER", "DOTTEDCIRCLE"):
            place = "base"
        elif name in ("SM", "A", "Symbol"):
            place = "modifiers"
        elif name in ("M", "MPst") and 0x900 <= code <= 0xD7F and side:
            place = matra_place(code, side)
        elif name == "M" and side:
            name = {"Left": "VPre", "Top": "VAbv", "Bottom": "VBlw", "Right": "VPst"}[side]
        place = {0x0B01: "beforeSub", 0x0A51: "belowBase"}.get(code, place)
        categories.append(INDIC.index(name))
        places.append(PLACES.index(place))
    return run_starts(categories), run_starts(places)


write("ScriptTable", "The first character of each run of one script, and the script.", "Scripts.txt", scripts())
write("JoiningTable", "The first and last character of each run of one joining type.", "ArabicShaping.txt", joining())
write("MirroringTable", "Characters and those that mirror them.", "BidiMirroring.txt", mirroring())
write(
    "WideFormTable", "Characters and their wide counterparts.", "UnicodeData.txt", wide_forms())
write("FullSizeKanaTable", "Small Kana and the letters of full size.", "UnicodeData.txt", full_size_kana())
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
write_runs(
    "UniversalCategory", "runStarts",
    "The starts of runs of one category: code point · 256 + category, in ascending order.",
    "IndicSyllabicCategory.txt and IndicPositionalCategory.txt", universal_categories())
categories, places = indic_categories()
write_runs(
    "IndicCategory", "runStarts",
    "The starts of runs of one category: code point · 256 + category, in ascending order.",
    "IndicSyllabicCategory.txt", categories)
write_runs(
    "IndicPlace", "runStarts",
    "The starts of runs of one reordering class: code point · 256 + class, in ascending order.",
    "IndicPositionalCategory.txt", places)
write_runs(
    "LineBreakClass", "runStarts",
    "The starts of runs of one resolved Line_Break class: code point · 256 + class, in ascending order.",
    "LineBreak.txt, EastAsianWidth.txt and emoji-data.txt", line_break_classes())
write_runs(
    "GraphemeClass", "runStarts",
    "The starts of runs of one class of grapheme clusters: code point · 256 + class, in ascending order.",
    "GraphemeBreakProperty.txt, IndicSyllabicCategory.txt and emoji-data.txt", grapheme_classes())
