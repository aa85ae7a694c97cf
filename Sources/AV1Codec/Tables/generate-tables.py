#!/usr/bin/env python3
"""Writes the tables of the AV1 bitstream specification: CDFIndex.swift, DefaultCDFs.swift, QuantizerMatrixData.swift,
QuantizerSteps.swift and GaussianSequence.swift.

    ./generate-tables.py SPECIFICATION

SPECIFICATION is the directory of https://github.com/AOMediaCodec/av1-spec that contains 08.decoding.process.md and
10.additional.tables.md. The tables are facts of the format; the specification is published under the licence of the
Alliance for Open Media, http://aomedia.org/license/.
"""
import base64
import os
import re
import struct
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LINE = 116


def load(directory):
    tables = {}
    for name in ("08.decoding.process.md", "10.additional.tables.md"):
        with open(os.path.join(directory, name), encoding="utf-8") as file:
            text = re.sub(r"//[^\n]*|/\*.*?\*/", "", file.read(), flags=re.S)
        for match in re.finditer(r"(?m)^\s*([A-Z]\w*)\s*(?:\[[^\]\n]*\]\s*)+=\s*\{", text):
            start = end = match.end() - 1
            depth = 0
            while True:
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                if depth == 0:
                    break
                end += 1
            body = text[start:end + 1]
            if re.fullmatch(r"[\s\d\-,{}*]*", body):
                body = re.sub(r"\}\s*\{", "},{", body).replace("{", "[").replace("}", "]")
                tables[match.group(1)] = eval(body)
    return tables


def rows(table):
    """The innermost lists of a table, in order."""
    return [table] if isinstance(table[0], int) else [row for part in table for row in rows(part)]


def write(name, text):
    with open(os.path.join(HERE, name), "w", encoding="utf-8") as file:
        file.write(text)


def encoded(data, indent):
    text = base64.b64encode(data).decode()
    lines = [text[start:start + LINE - indent] for start in range(0, len(text), LINE - indent)]
    return "\\\n".join(" " * indent + line for line in lines)


def numbers(values, indent):
    lines, line = [], ""
    for value in values:
        item = f"{value}, "
        if len(line) + len(item) > LINE - indent:
            lines.append(line.rstrip())
            line = ""
        line += item
    return "\n".join(" " * indent + line for line in lines + [line.rstrip()])


# Name, tables, groups of four values of each distribution, comment. Tables with the same name follow one another.
PLAIN = [
    ("intraFrameYMode", ["Intra_Frame_Y_Mode"], 4, "`intra_frame_y_mode`, by the contexts of the modes above and left"),
    ("uvMode", ["Uv_Mode_Cfl_Not_Allowed"], 4, "`uv_mode` without chroma from luma, by luma mode"),
    ("uvModeCfL", ["Uv_Mode_Cfl_Allowed"], 4, "`uv_mode` with chroma from luma, by luma mode"),
    ("angleDelta", ["Angle_Delta"], 2, "`angle_delta_y` and `angle_delta_uv`, by directional mode"),
    ("intraBlockCopy", ["Intrabc"], 1, "`use_intrabc`"),
    ("partition", ["Partition_W8", "Partition_W16", "Partition_W32", "Partition_W64", "Partition_W128"], 4,
     "`partition`, by block size from 8 on and context"),
    ("transformDepth", ["Tx_8x8", "Tx_16x16", "Tx_32x32", "Tx_64x64"], 1, "`tx_depth`, by largest size and context"),
    ("transformSplit", ["Txfm_Split"], 1, "`txfm_split`"),
    ("filterIntraMode", ["Filter_Intra_Mode"], 2, "`filter_intra_mode`"),
    ("filterIntra", ["Filter_Intra"], 1, "`use_filter_intra`, by block size"),
    ("segmentID", ["Segment_Id"], 2, "`segment_id`"),
    ("skip", ["Skip"], 1, "`skip`"),
    ("vectorJoint", ["Mv_Joint"], 1, "`mv_joint`"),
    ("vectorSign", ["Mv_Sign", "Mv_Sign"], 1, "`mv_sign`, by component"),
    ("vectorClass", ["Mv_Class"], 4, "`mv_class`, by component"),
    ("vectorClass0Bit", ["Mv_Class0_Bit", "Mv_Class0_Bit"], 1, "`mv_class0_bit`, by component"),
    ("vectorBit", ["Mv_Bit", "Mv_Bit"], 1, "`mv_bit`, by component and bit"),
    ("paletteYSize", ["Palette_Y_Size"], 2, "`palette_size_y_minus_2`, by block size"),
    ("paletteUVSize", ["Palette_Uv_Size"], 2, "`palette_size_uv_minus_2`, by block size"),
    ("paletteColor", [f"Palette_Size_{n}_{p}_Color" for p in ("Y", "Uv") for n in range(2, 9)], 2,
     "`palette_color_idx_y` and `palette_color_idx_uv`, by number of colours and context"),
    ("hasPaletteY", ["Palette_Y_Mode"], 1, "`has_palette_y`, by block size and context"),
    ("hasPaletteUV", ["Palette_Uv_Mode"], 1, "`has_palette_uv`"),
    ("deltaQ", ["Delta_Q"], 1, "`delta_q_abs`"),
    ("deltaLF", ["Delta_Lf"] * 5, 1, "`delta_lf_abs`: for all filters, then for each"),
    ("intraTransformSet1", ["Intra_Tx_Type_Set1"], 2, "`intra_tx_type` of set 1, by size and direction"),
    ("intraTransformSet2", ["Intra_Tx_Type_Set2"], 2, "`intra_tx_type` of set 2, by size and direction"),
    ("interTransformSet1", ["Inter_Tx_Type_Set1"], 4, "`inter_tx_type` of set 1, by size"),
    ("interTransformSet2", ["Inter_Tx_Type_Set2"], 4, "`inter_tx_type` of set 2"),
    ("interTransformSet3", ["Inter_Tx_Type_Set3"], 1, "`inter_tx_type` of set 3, by size"),
    ("cflSign", ["Cfl_Sign"], 2, "`cfl_alpha_signs`"),
    ("cflAlpha", ["Cfl_Alpha"], 4, "`cfl_alpha_u` and `cfl_alpha_v`"),
    ("useWiener", ["Use_Wiener"], 1, "`use_wiener`"),
    ("useSelfGuided", ["Use_Sgrproj"], 1, "`use_sgrproj`"),
    ("restorationType", ["Restoration_Type"], 1, "`restoration_type`"),
]
COEFFICIENTS = [
    ("allZero", ["Txb_Skip"], 1, "`all_zero`, by size and context"),
    ("endOfBlock", ["Eob_Pt_16", "Eob_Pt_32", "Eob_Pt_64", "Eob_Pt_128", "Eob_Pt_256"], 4,
     "`eob_pt_16` to `eob_pt_256`, by kind of plane and context"),
    ("endOfLargeBlock", ["Eob_Pt_512", "Eob_Pt_1024"], 4, "`eob_pt_512` and `eob_pt_1024`, by kind of plane"),
    ("endOfBlockExtra", ["Eob_Extra"], 1, "`eob_extra`, by size, kind of plane and context"),
    ("dcSign", ["Dc_Sign"], 1, "`dc_sign`, by kind of plane and context"),
    ("baseEnd", ["Coeff_Base_Eob"], 1, "`coeff_base_eob`, by size, kind of plane and context"),
    ("base", ["Coeff_Base"], 1, "`coeff_base`, by size, kind of plane and context"),
    ("baseRange", ["Coeff_Br"], 1, "`coeff_br`, by size, kind of plane and context"),
]


def packed(row, groups):
    """The values of a distribution as stored: 32768 minus each but the last, zeros, a counter."""
    values = [32768 - value for value in row[:-2]]
    assert len(values) < groups * 4 and row[-2:] == [32768, 0]
    return struct.pack(f"<{groups * 4}H", *values, *[0] * (groups * 4 - len(values)))


def write_distributions(tables):
    lines, offset, plain = [], 0, b""
    coefficients = [b""] * 4
    for name, sources, groups, comment in PLAIN:
        lines += [f"  /// {comment}.", f"  static let {name} = {offset}"]
        for source in sources:
            for row in rows(tables[f"Default_{source}_Cdf"]):
                plain += packed(row, groups)
        offset = len(plain) // 8
    lines += ["  /// The first of the distributions of coefficients, of which there are four sets.",
              f"  static let coefficients = {offset}"]
    for name, sources, groups, comment in COEFFICIENTS:
        lines += [f"  /// {comment}.", f"  static let {name} = {offset + len(coefficients[0]) // 8}"]
        for source in sources:
            for index, part in enumerate(tables[f"Default_{source}_Cdf"]):
                for row in rows(part):
                    coefficients[index] += packed(row, groups)
    count = offset + len(coefficients[0]) // 8
    body = "\n".join(lines)
    write("CDFIndex.swift", f"""\
// Where the cumulative distribution functions of each syntax element start, in groups of four values.
// Made by generate-tables.py.

enum CDFIndex {{
{body}
  /// The number of all groups.
  static let count = {count}
}}
""")
    sets = ",\n".join(f'    """\n{encoded(data, 4)}\n    """' for data in coefficients)
    write("DefaultCDFs.swift", f"""\
// The default cumulative distribution functions of the AV1 specification (section 9.4), in base64. Each value is 32768
// minus that of the specification, a little-endian 16-bit word. Made by generate-tables.py.

enum DefaultCDFs {{
  /// The distributions that do not depend on the quantizer.
  static let encodedPlain = \"\"\"
{encoded(plain, 4)}
    \"\"\"

  /// The distributions of coefficients, by range of the quantizer index.
  static let encodedCoefficients = [
{sets},
  ]
}}
""")


def write_matrices(tables):
    sizes = {(32, 32): 336, (32, 16): 2192, (32, 8): 3088, (16, 4): 2768}
    data = b""
    for level in tables["Quantizer_Matrix"]:
        for matrix in level:
            assert len(matrix) == 3344
            start = sizes[32, 32]
            for row in range(32):
                data += bytes(matrix[start + row * 32:start + row * 32 + row + 1])
            for width, height in ((32, 16), (32, 8), (16, 4)):
                start = sizes[width, height]
                data += bytes(matrix[start:start + width * height])
    write("QuantizerMatrixData.swift", f"""\
// The quantizer matrices of the AV1 specification (section 9.5.2), in base64. Made by generate-tables.py.

enum QuantizerMatrixData {{
  /// For each of 15 levels, for luma and for chroma: the lower triangle of the symmetric matrix of 32 × 32, row by row,
  /// and the matrices of 32 × 16, 32 × 8 and 16 × 4 (width × height). All others consist of every second or fourth
  /// element of these, or are their transposes.
  static let encoded = \"\"\"
{encoded(data, 4)}
    \"\"\"
}}
""")


def write_steps(tables):
    parts = []
    for name, source, comment in (("dc", "Dc_Qlookup", "`Dc_Qlookup`"), ("ac", "Ac_Qlookup", "`Ac_Qlookup`")):
        values = [value for row in tables[source] for value in row]
        assert len(values) == 768
        parts.append(f"""\
  /// {comment}: 256 steps for each of 8, 10 and 12 bits.
  static let {name}: [UInt16] = [
{numbers(values, 4)}
  ]
""")
    body = "\n".join(parts)
    write("QuantizerSteps.swift", f"""\
// The steps of the quantizers of the AV1 specification (section 7.12.2). Made by generate-tables.py.

enum QuantizerSteps {{
{body}}}
""")


def write_gaussian(tables):
    values = tables["Gaussian_Sequence"]
    assert len(values) == 2048
    data = struct.pack("<2048h", *values)
    write("GaussianSequence.swift", f"""\
// `Gaussian_Sequence` of the AV1 specification (section 9.6): noise of film grain, in base64. Each value is a
// little-endian 16-bit word. Made by generate-tables.py.

enum GaussianSequence {{
  /// The 2048 values.
  static let encoded = \"\"\"
{encoded(data, 4)}
    \"\"\"
}}
""")


if __name__ == "__main__":
    specification = load(sys.argv[1])
    write_distributions(specification)
    write_matrices(specification)
    write_steps(specification)
    write_gaussian(specification)
