#!/usr/bin/env python3
"""Makes the fonts of this folder, and what fontTools and HarfBuzz say of them.

    pip install fonttools uharfbuzz && ./generate.py

Every glyph is drawn here from squares, slopes and rounds of its own size, so that no two are alike.
"""
import os
import subprocess
import struct

import uharfbuzz as hb
from fontTools.colorLib.builder import buildCOLR, buildCPAL
from fontTools.designspaceLib import AxisDescriptor, DesignSpaceDocument, SourceDescriptor
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.basePen import BasePen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib.woff2 import WOFF2FlavorData
from fontTools.ttLib import TTCollection, TTFont, newTable
from fontTools.varLib import build as build_variable

HERE = os.path.dirname(os.path.abspath(__file__))
os.environ["SOURCE_DATE_EPOCH"] = "0"

GLYPHS = """.notdef space A B V T o f i l x one two slash fraction one.numr two.dnom f_i f_f_i A.sc x.alt1 x.alt2
    Aacute acute grave dotbelow hyphen parenleft parenright beh beh.init beh.medi beh.fina alef alef.fina lam lam.init
    lam_alef fatha shadda hah hah.fina U V.vert double part1 part2 zwj zwnj circle turned""".split()
CHARACTERS = {
    0x20: "space", 0x41: "A", 0x42: "B", 0x56: "V", 0x54: "T", 0x6F: "o", 0x66: "f", 0x69: "i", 0x6C: "l", 0x78: "x",
    0x31: "one", 0x32: "two", 0x2F: "slash", 0x2044: "fraction", 0xC1: "Aacute", 0x301: "acute", 0x300: "grave",
    0x323: "dotbelow", 0x2010: "hyphen", 0x28: "parenleft", 0x29: "parenright", 0x628: "beh", 0x627: "alef",
    0x644: "lam", 0x64E: "fatha", 0x651: "shadda", 0x62D: "hah", 0x55: "U", 0x64: "double", 0x200D: "zwj",
    0x200C: "zwnj", 0x1F600: "circle", 0x1F601: "turned",
}
FEATURES = """
languagesystem DFLT dflt;
languagesystem latn dflt;
languagesystem latn TRK;
languagesystem arab dflt;
@marks = [acute grave dotbelow fatha shadda];
feature ccmp { sub double by part1 part2; } ccmp;
feature liga {
  lookupflag IgnoreMarks;
  sub f i by f_i; sub f f i by f_f_i;
  language TRK exclude_dflt; sub f f i by f_f_i;
} liga;
feature smcp { sub A by A.sc; } smcp;
feature salt { sub x from [x.alt1 x.alt2]; } salt;
feature numr { sub one by one.numr; } numr;
feature dnom { sub two by two.dnom; } dnom;
feature frac { lookup slash { sub slash by fraction; } slash; } frac;
lookup swap { sub x by x.alt1; sub o by x.alt2; } swap;
feature calt {
  sub A x' lookup swap V;
  sub [B T] o' lookup swap x' lookup swap;
  ignore sub V l';
  sub l' by one;
} calt;
feature ss01 { rsub [A B] i' [V T] by l; } ss01;
feature init { sub beh by beh.init; sub lam by lam.init; } init;
feature medi { sub beh by beh.medi; } medi;
feature fina { sub beh by beh.fina; sub alef by alef.fina; sub hah by hah.fina; } fina;
feature rlig { lookupflag IgnoreMarks; sub lam.init alef.fina by lam_alef; } rlig;
feature vert { sub V by V.vert; } vert;
feature kern {
  pos A V -80; pos V A -70;
  enum pos [T V] o <-30 0 -60 0>;
  pos [A B] [T U] -25;
  pos x <0 0 15 0> x <5 10 20 0>;
} kern;
markClass acute <anchor 10 700> @top;
markClass grave <anchor -10 690> @top;
markClass fatha <anchor 0 650> @top;
markClass shadda <anchor 5 640> @top;
markClass dotbelow <anchor 0 -20> @bottom;
feature mark {
  pos base A <anchor 300 720> mark @top <anchor 300 0> mark @bottom;
  pos base [x o beh beh.init beh.medi beh.fina] <anchor 200 520> mark @top <anchor 210 -5> mark @bottom;
  pos ligature f_i <anchor 120 750> mark @top ligComponent <anchor 420 730> mark @top;
  pos ligature lam_alef <anchor 130 800> mark @top ligComponent <anchor 480 780> mark @top;
} mark;
feature mkmk {
  pos mark [acute grave] <anchor 0 900> mark @top;
  lookup shaddas { pos mark shadda <anchor 10 880> mark @top; } shaddas;
} mkmk;
feature curs {
  lookupflag RightToLeft;
  pos cursive hah <anchor 500 100> <anchor 20 60>;
  pos cursive hah.fina <anchor 510 140> <anchor NULL>;
  pos cursive beh.init <anchor NULL> <anchor 0 30>;
} curs;
feature ss02 { pos A' 40 B' <0 30 0 0>; } ss02;
table GDEF {
  GlyphClassDef [A B V T o f i l x one two A.sc x.alt1 x.alt2 Aacute beh beh.init beh.medi beh.fina alef alef.fina
      lam lam.init hah hah.fina U part1 part2 double circle], [f_i f_f_i lam_alef], @marks, ;
} GDEF;
"""


def draw(name, pen, weight=0, is_quadratic=False):
    """A shape that depends on the glyph's number; weight moves some of its points."""
    number = GLYPHS.index(name)
    if name in ("space", "zwj", "zwnj"):
        return
    w, h = 300 + 13 * number + weight, 500 + 7 * number + weight // 2
    pen.moveTo((20, 0))
    pen.lineTo((20 + number, h))
    pen.lineTo((w, h - 30))
    pen.lineTo((w - 10, 5))
    pen.closePath()
    if number % 3 == 0:
        return
    # A round hole, the other way.
    x, y, r = w // 2, h // 2, 60 + number + weight // 3
    k = 0.5523 * r
    pen.moveTo((x + r, y))
    for (ax, ay), (bx, by) in (((1, 0), (0, -1)), ((0, -1), (-1, 0)), ((-1, 0), (0, 1)), ((0, 1), (1, 0))):
        if is_quadratic:
            pen.qCurveTo((x + (ax + bx) * r, y + (ay + by) * r), (x + bx * r, y + by * r))
            continue
        pen.curveTo((x + ax * r + bx * k, y + ay * r + by * k), (x + bx * r + ax * k, y + by * r + ay * k),
                    (x + bx * r, y + by * r))
    pen.closePath()


def advance(name, weight=0):
    if name in ("acute", "grave", "dotbelow", "fatha", "shadda", "zwj", "zwnj"):
        return 0 if name != "grave" else 40
    return 330 + 13 * GLYPHS.index(name) + weight


def true_type_glyph(name, glyphs, weight=0):
    pen = TTGlyphPen(glyphs)
    if name == "Aacute":
        pen.addComponent("A", (1, 0, 0, 1, 0, 0))
        pen.addComponent("acute", (0.5, 0, 0, 0.5, 150, 300 + weight))
    elif name == "turned":
        pen.addComponent("circle", (0, 0.75, -0.75, 0, 400, 20))
        pen.addComponent("Aacute", (1, 0.25, 0.125, 0.5, -30 - weight, 600))
    else:
        draw(name, pen, weight, is_quadratic=True)
    return pen.glyph()


def metrics(builder, names, weight=0):
    builder.setupHorizontalMetrics({name: (advance(name, weight), 20 if name != "space" else 0) for name in names})


def finish(builder, family, style="Regular"):
    builder.setupNameTable({
        "familyName": family, "styleName": style, "psName": f"{family.replace(' ', '')}-{style}",
        "typographicFamily": family, "typographicSubfamily": style})
    builder.setupHorizontalHeader(ascent=810, descent=-210, lineGap=35)
    builder.setupOS2(
        version=4, sTypoAscender=790, sTypoDescender=-190, sTypoLineGap=55, usWinAscent=900, usWinDescent=250,
        sxHeight=480, sCapHeight=690, usWeightClass=700 if style == "Bold" else 400, usWidthClass=5,
        fsSelection=0x20 if style == "Bold" else 0x40, yStrikeoutPosition=260, yStrikeoutSize=48, ySubscriptYSize=600,
        ySubscriptXSize=610, ySubscriptXOffset=3, ySubscriptYOffset=140, ySuperscriptXSize=620, ySuperscriptYSize=630,
        ySuperscriptXOffset=4, ySuperscriptYOffset=350)
    builder.font["head"].macStyle = 1 if style == "Bold" else 0
    builder.setupPost(underlinePosition=-90, underlineThickness=45)


def true_type(family="Sample Sans", style="Regular", weight=0, features=True, order=None):
    builder = FontBuilder(1000, isTTF=True)
    names = order or GLYPHS
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(
        {code: name for code, name in CHARACTERS.items() if name in names},
        uvs=[(0x41, 0xFE00, "A.sc"), (0x42, 0xFE01, None)] if features else None)
    glyphs = {}
    # Components before what is made of them.
    for name in sorted(names, key=lambda name: ("Aacute", "turned").index(name) + 1 if name in ("Aacute", "turned") else 0):
        glyphs[name] = true_type_glyph(name, glyphs, weight)
    builder.setupGlyf(glyphs)
    metrics(builder, names, weight)
    for name in names:
        # Composite glyphs start where their parts do.
        glyph = builder.font["glyf"][name]
        glyph.recalcBounds(builder.font["glyf"])
        builder.font["hmtx"][name] = (advance(name, weight), getattr(glyph, "xMin", 0))
    finish(builder, family, style)
    if features:
        addOpenTypeFeaturesFromString(builder.font, FEATURES)
    return builder.font


def compact(is_cff2=False, weight=0, family="Sample Serif", names=None):
    builder = FontBuilder(1000, isTTF=False)
    names = names or [name for name in GLYPHS if name not in ("Aacute", "turned")]
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({code: name for code, name in CHARACTERS.items() if name in names})
    programs = {}
    for name in names:
        pen = T2CharStringPen(None if is_cff2 else advance(name), None, CFF2=is_cff2)
        draw(name, pen, weight)
        programs[name] = pen.getCharString()
    if is_cff2:
        builder.setupCFF2(programs)
    else:
        if "B" in names:
            programs["B"].program = flex_program(advance("B"))
        builder.setupCFF("SampleSerif", {}, programs, {})
    metrics(builder, names, weight)
    finish(builder, family)
    return builder.font


def flex_program(width):
    """Hints and flexes, which the pen never writes."""
    return [
        width, 0, 20, "hstemhm", 10, 20, "vstemhm", "hintmask", b"\xc0", 100, 50, "rmoveto",
        10, 5, 20, 10, 30, 2, 25, -4, 15, -8, 10, -5, 50, "flex",
        10, 20, 30, 40, 12, 14, 16, "hflex", 11, 22, 33, 44, 5, 6, 7, 8, 9, "hflex1",
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 31, "flex1",
8, 6, "hlineto", "endchar"]


def variable():
    names = [".notdef", "space", "A", "B", "o", "x", "Aacute", "acute", "circle"]
    document = DesignSpaceDocument()
    for tag, name, low, middle, high in (("wght", "Weight", 100, 400, 900), ("wdth", "Width", 75, 100, 125)):
        axis = AxisDescriptor()
        axis.tag, axis.name, axis.minimum, axis.default, axis.maximum = tag, name, low, middle, high
        if tag == "wght":
            axis.map = [(100, 100), (400, 400), (700, 600), (900, 900)]
        document.addAxis(axis)
    places = [(400, 100, 0), (100, 100, -60), (900, 100, 150), (400, 75, -30), (400, 125, 45), (900, 125, 260)]
    for weight, width, change in places:
        font = true_type("Sample Flex", weight=change, features=False, order=names)
        addOpenTypeFeaturesFromString(font, f"""
            markClass acute <anchor 10 {700 + change}> @top;
            feature mark {{ pos base [A x] <anchor {300 + change} {720 + change}> mark @top; }} mark;
            feature kern {{ pos A B {-40 + change // 5}; }} kern;
        """)
        font["OS/2"].sxHeight = 480 + change // 10
        font["post"].underlinePosition = -90 - change // 5
        source = SourceDescriptor()
        source.font, source.location = font, {"Weight": weight, "Width": width}
        document.addSource(source)
    return build_variable(document)[0]


def variable_compact():
    names = [".notdef", "space", "A", "o", "x"]
    document = DesignSpaceDocument()
    axis = AxisDescriptor()
    axis.tag, axis.name, axis.minimum, axis.default, axis.maximum = "wght", "Weight", 100, 400, 900
    document.addAxis(axis)
    for weight, change in ((400, 0), (100, -60), (650, 100), (900, 150)):
        source = SourceDescriptor()
        source.font = compact(weight=change, family="Sample Serif Flex", names=names)
        source.location = {"Weight": weight}
        document.addSource(source)
    return build_variable(document)[0]


def color():
    names = [".notdef", "space", "A", "B", "V", "o", "circle", "x"]
    font = true_type("Sample Color", features=False, order=names)
    stops = [(0.25, 1, 1.0), (0.5, 0xFFFF, 0.5), (1.0, 2, 1.0)]
    line = {"Extend": "reflect", "ColorStop": [
        {"StopOffset": offset, "PaletteIndex": entry, "Alpha": alpha} for offset, entry, alpha in stops]}
    linear = {"Format": 4, "ColorLine": line, "x0": 0, "y0": 0, "x1": 400, "y1": 100, "x2": -50, "y2": 300}
    radial = {"Format": 6, "ColorLine": line, "x0": 10, "y0": 20, "r0": 30, "x1": 100, "y1": 120, "r1": 300}
    sweep = {"Format": 8, "ColorLine": line, "centerX": 50, "centerY": 60, "startAngle": 90, "endAngle": 270}
    glyph = lambda name, paint: {"Format": 10, "Glyph": name, "Paint": paint}
    font["COLR"] = buildCOLR({
        "A": {"Format": 1, "Layers": [
            glyph("B", {"Format": 2, "PaletteIndex": 0, "Alpha": 0.5}),
            glyph("o", linear), {"Format": 14, "dx": 30, "dy": -40, "Paint": glyph("V", radial)}]},
        "V": {"Format": 32, "CompositeMode": "multiply", "SourcePaint": glyph("o", sweep),
              "BackdropPaint": {"Format": 11, "Glyph": "A"}},
        "B": {"Format": 26, "angle": 90, "centerX": 100, "centerY": 50, "Paint": {
            "Format": 28, "xSkewAngle": 45, "ySkewAngle": 0, "Paint": {
                "Format": 18, "scaleX": 0.5, "scaleY": 1.5, "centerX": 10, "centerY": 20,
                "Paint": glyph("x", {"Format": 2, "PaletteIndex": 2, "Alpha": 1.0})}}},
    }, version=1, clipBoxes={"A": (0, -100, 600, 800)}, glyphMap=font.getReverseGlyphMap())
    font["CPAL"] = buildCPAL([[(1, 0, 0, 1), (0, 1, 0, 0.5), (0, 0, 1, 1)]])
    return font


def layered():
    font = true_type("Sample Layers", features=False, order=[".notdef", "space", "A", "B", "o"])
    font["COLR"] = buildCOLR({"A": [("B", 0), ("o", 0xFFFF)]}, version=0)
    font["CPAL"] = buildCPAL([[(1, 0, 0, 1)], [(0, 0, 1, 1)]])
    return font


def kerned():
    """A `kern` table and no layout tables: marks are placed by boxes."""
    font = true_type("Sample Old", features=False, order=[".notdef", "space", "A", "V", "o", "acute", "dotbelow"])
    kern = newTable("kern")
    kern.version = 0
    from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0
    table = KernTable_format_0()
    table.coverage, table.tupleIndex, table.apple, table.version = 1, None, False, 0
    table.kernTable = {("A", "V"): -101, ("V", "A"): -90, ("V", "o"): -55}
    kern.kernTables = [table]
    font["kern"] = kern
    return font


# The blocks of scripts whose syllables are reordered.
SYLLABLE_BLOCKS = [
    (0x900, 0x97F), (0x980, 0x9FE), (0xA01, 0xA76), (0xA81, 0xAFF), (0xB01, 0xB77), (0xB82, 0xBFA), (0xC00, 0xC7F),
    (0xC80, 0xCF2), (0xD00, 0xD7F), (0xD81, 0xDF4), (0xF00, 0xFBC), (0x1000, 0x109F), (0x1780, 0x17DD),
    (0xA980, 0xA9DF), (0x1B00, 0x1B7C), (0x7C0, 0x7FF), (0x200C, 0x200D), (0x25CC, 0x25CC), (0x20, 0x20)]
# In each Indic script, the letters ka, ya and ra and the virama.
SYLLABLE_LETTERS = {
    "dev2": (0x915, 0x92F, 0x930, 0x94D), "bng2": (0x995, 0x9AF, 0x9B0, 0x9CD), "gur2": (0xA15, 0xA2F, 0xA30, 0xA4D),
    "gjr2": (0xA95, 0xAAF, 0xAB0, 0xACD), "ory2": (0xB15, 0xB2F, 0xB30, 0xB4D), "tml2": (0xB95, 0xBAF, 0xBB0, 0xBCD),
    "tel2": (0xC15, 0xC2F, 0xC30, 0xC4D), "knd2": (0xC95, 0xCAF, 0xCB0, 0xCCD), "mlm2": (0xD15, 0xD2F, 0xD30, 0xD4D),
}


def syllables():
    """A font without outlines for the scripts with syllables; the advance of each glyph tells which it is."""
    codes = [c for a, b in SYLLABLE_BLOCKS for c in range(a, b + 1)]
    names = {c: f"u{c:04X}" for c in codes}
    extra = [f"{tag}.{form}" for tag in SYLLABLE_LETTERS for form in ("reph", "half", "below", "post", "pre", "conjunct")]
    extra += ["java.ra", "java.reph", "bali.reph", "khmr.ro", "mymr.kinzi", "mymr.below"]
    order = [".notdef", *names.values(), *extra]
    code = ["languagesystem DFLT dflt;"]
    for tag, (ka, ya, ra, virama) in SYLLABLE_LETTERS.items():
        ka, ya, ra, virama = (names[c] for c in (ka, ya, ra, virama))
        rules = {
            "rphf": f"sub {ra} {virama} by {tag}.reph;", "half": f"sub {ka} {virama} by {tag}.half;",
            "pstf": f"sub {virama} {ya} by {tag}.post;", "akhn": f"sub {ka} {virama} {ka} by {tag}.conjunct;",
        }
        if tag == "mlm2":
            rules["pref"] = f"sub {virama} {ra} by {tag}.pre;"
        else:
            rules["blwf"] = f"sub {virama} {ra} by {tag}.below;"
        for feature, rule in rules.items():
            code.append(f"feature {feature} {{ script {tag}; {rule} }} {feature};")
    code.append(f"feature pref {{ script java; sub {names[0xA9BF]} by java.ra; }} pref;")
    code.append(f"feature rphf {{ script java; sub {names[0xA9AB]} {names[0xA9C0]} by java.reph;"
                f" script bali; sub {names[0x1B2D]} {names[0x1B44]} by bali.reph; }} rphf;")
    code.append(f"feature pref {{ script khmr; sub {names[0x17D2]} {names[0x179A]} by khmr.ro; }} pref;")
    code.append(f"feature rphf {{ script mym2; sub {names[0x1004]} {names[0x103A]} {names[0x1039]} by mymr.kinzi; }} rphf;")
    code.append(f"feature blwf {{ script mym2; sub {names[0x1039]} {names[0x1010]} by mymr.below; }} blwf;")
    for tag in ("sinh", "tibt", "nko "):
        code.append(f"feature ccmp {{ script {tag}; sub space by space; }} ccmp;".replace("space", names[0x20]))
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder(order)
    builder.setupCharacterMap(names)
    empty = TTGlyphPen(None).glyph()
    builder.setupGlyf({name: empty for name in order})
    builder.setupHorizontalMetrics({name: (100 + index, 0) for index, name in enumerate(order)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Sample Syllables", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost(keepGlyphNames=False)
    addOpenTypeFeaturesFromString(builder.font, "\n".join(code))
    builder.font["head"].created = builder.font["head"].modified = 0
    return builder.font


SYLLABLES = {
    ("Deva", "ltr"): "नमस्ते हिन्दी कर्म र्क र्‍क क्र क्य क्क कि र्कि र्की क्षि क्‍कि कि्‍ त्र्क अेकि ड़ ज़ दुःख ि ॐ कॅ अॅ क॒॑",
    ("Beng", "ltr"): "বাংলা কর্ম র্য র‍্যা ক্র কৌশল কো কে র্কে ক্যি য় ড় কি র্কি ঽ কৃ দুঃখ কঁ অা",
    ("Guru", "ltr"): "ਪੰਜਾਬੀ ਸਿੱਖ ਕ੍ਰ ਕਿ ਕੀਂ ਕ੍ਯ ਖ਼ ਕੑ ਅੈ ੳੁ ਕੌਂ ਕ੍ਕ",
    ("Gujr", "ltr"): "ગુજરાતી કર્મ ક્ર ક્ય કિ ર્કિ કો કૌ અૅ ક઼ ક્ષ",
    ("Orya", "ltr"): "ଓଡ଼ିଆ କର୍ମ କ୍ର କ୍ୟ କେ କୈ କୋ କୌ ର୍କି କୖ",
    ("Taml", "ltr"): "தமிழ் கொ கோ கௌ கெ கை க்ஷி ஸ்ரீ ஔ கூ க்ர",
    ("Telu", "ltr"): "తెలుగు కర్మ ర్‍క క్ర కై కొ క్క్ కృ స్త్రీ కౌ",
    ("Knda", "ltr"): "ಕನ್ನಡ ಕರ್ಮ ರ್‍ಯ ರ‍್ಯ ಕ್ರಿ ಕೊ ಕೋ ಕೀ ಕೈ ರ್ಕೃ",
    ("Mlym", "ltr"): "മലയാളം കർമ്മം ക്ര ക്യ കൊ കോ കൌ കൈ ന്റെ ൎക ക്രി ക്‍",
    ("Sinh", "ltr"): "සිංහල ශ්‍රී ක්‍ෂ ර්‍ක කෙ කො කෝ කෞ අා ක්",
    ("Tibt", "ltr"): "བོད་སྐད བཀྲ་ཤིས རྒྱལ ཧཱུྃ ཀྵ ཀྀ ཨོཾ ྐ",
    ("Mymr", "ltr"): "မြန်မာ မင်္ဂလာ ကျေး သတ္တဝါ ကြောင်း ေက ဖြစ် ကွို ၠ ကံု့",
    ("Khmr", "ltr"): "ខ្មែរ កម្ពុជា ព្រះ ស្ត្រី ខ្ញុំ គ្រូ ើ កោះ ម៉ូ ង្រ្គ ្ក",
    ("Java", "ltr"): "ꦲꦏ꧀ꦱꦫ ꦏꦿ ꦏꦽ ꦏꦺꦴ ꦫ꧀ꦏ ꦏꦂ ꦺ ꦏ꧀ꦏꦺ",
    ("Bali", "ltr"): "ᬅᬓ᭄ᬱᬭ ᬓ᭄ᬭ ᬓᬾ ᬓᭀ ᬭ᭄ᬓ ᬓᬃ ᬾ ᬓ᭄ᬓᬾ",
    ("Nkoo", "rtl"): "ߒߞߏ ߊ߬ ߞߊ߲ ߛߓߍ߫ ߘߎ߰",
}


def path(font, location=None):
    glyphs = font.getGlyphSet(location=location) if location else font.getGlyphSet()
    lines = []
    for name in font.getGlyphOrder():
        pen = DecomposingRecordingPen(glyphs)
        glyphs[name].draw(pen)
        words = []

        class Flat(BasePen):
            def _moveTo(self, p): words.append(("M", p))
            def _lineTo(self, p): words.append(("L", p))
            def _curveToOne(self, a, b, c): words.append(("C", a + b + c))
            def _qCurveToOne(self, a, b): words.append(("Q", a + b))
            def _closePath(self): words.append(("Z", ()))
            def _endPath(self): words.append(("Z", ()))
        pen.replay(Flat(glyphs))
        text = " ".join(word + "".join(f" {round(v, 4):.10g}" for v in values) for word, values in words)
        lines.append(f"{glyphs[name].width:g}\t{text}")
    return lines


RUNS = [
    ("Latn", "ltr", "-", "-", s) for s in (
        "AV VA To Vo TA BU", "fi ffi f\u200ci f\u200di", "A\u0301 A\u0301\u0300 A\u0323\u0301 x\u0301\u0323",
        "f\u0301i f\u0301i\u0300 fi\u0301", "AxV Bxx Box Tox", "xl Vl", "xx xxx", "d dd", "\u00C1", "A\uFE00 B\uFE01",
        "(A)", "1\u20442 1/2", "\u0301A", "l\u2011l", "A\u00adB", "o\u2003o", "AiV BiT", "AB")
] + [
    ("Latn", "ltr", "-", f, s) for f, s in (
        ("smcp=1", "AVA"), ("salt=1", "xx"), ("salt=2", "xx"), ("salt=3", "x"), ("kern=0", "AV"), ("liga=0", "fi ffi"),
        ("ss01=1", "AiV BiT iV"), ("ss02=1", "ABA"), ("frac=1", "1/2"), ("calt=0", "AxV"), ("mark=0", "A\u0301"))
] + [
    ("Latn", "ltr", "tr", "-", "fi ffi"), ("Latn", "rtl", "-", "-", "(AV)"), ("Latn", "ttb", "-", "-", "AVo"),
] + [
    ("Arab", "rtl", "-", "-", s) for s in (
        "\u0628\u0628\u0628", "\u0628 \u0628\u0628", "\u0644\u0627", "\u0644\u064e\u0627\u064e", "\u0628\u064e\u0651",
        "\u0628\u0627\u0628", "\u0628\u062d", "\u062d\u062d\u062d", "(\u0628)", "\u0628\u200d", "\u0628\u200c\u0628",
        "\u0628\u0651\u064e\u0628", "\u0644\u0651\u0627\u064e\u0651")
] + [("Arab", "ltr", "-", "-", "\u0628\u0628"), ("Arab", "ltr", "-", "-", "12")]


def shape(file, variations, run):
    script, direction, language, features, text = run
    font = hb.Font(hb.Face(hb.Blob.from_file_path(os.path.join(HERE, file))))
    if variations:
        font.set_variations(variations)
    buffer = hb.Buffer()
    buffer.add_codepoints([ord(c) for c in text])
    buffer.script, buffer.direction = script, direction
    if language != "-":
        buffer.language = language
    hb.shape(font, buffer, dict([(f.split("=")[0], int(f.split("=")[1])) for f in features.split(",")])
             if features != "-" else None)
    return " ".join(
        f"{i.codepoint}:{i.cluster}:{p.x_advance}:{p.y_advance}:{p.x_offset}:{p.y_offset}"
        for i, p in zip(buffer.glyph_infos, buffer.glyph_positions))


def woff(font, file):
    font.flavor = "woff"
    font.save(os.path.join(HERE, file))
    font.flavor = None


def woff2():
    """Compressed copies of the fonts, by two programs; with transformed metrics, which only fontTools writes."""
    for source in ("sample.ttf", "sample.otf", "variable.ttf", "color.ttf"):
        font = TTFont(os.path.join(HERE, source), recalcTimestamp=False, recalcBBoxes=False)
        font.flavor = "woff2"
        font.flavorData = WOFF2FlavorData(transformedTables={"glyf", "loca", "hmtx"} if "glyf" in font else set())
        font.save(os.path.join(HERE, source.replace(".", "-") + ".woff2"))
    # Debian: package woff2
    subprocess.run(["woff2_compress", os.path.join(HERE, "collection.ttc")], check=True, stderr=subprocess.DEVNULL)


def main():
    fonts = {
        "sample.ttf": true_type(), "sample-bold.ttf": true_type(style="Bold", weight=60, features=False),
        "sample.otf": compact(), "sample-cff2.otf": compact(True), "variable.ttf": variable(),
        "variable-cff2.otf": variable_compact(), "color.ttf": color(),
        "layers.ttf": layered(), "kern.ttf": kerned(), "syllables.ttf": syllables(),
    }
    for file, font in fonts.items():
        font.save(os.path.join(HERE, file))
    woff(TTFont(os.path.join(HERE, "sample.ttf")), "sample.woff")
    collection = TTCollection()
    collection.fonts = [TTFont(os.path.join(HERE, "sample.ttf")), TTFont(os.path.join(HERE, "sample-bold.ttf"))]
    collection.save(os.path.join(HERE, "collection.ttc"))
    woff2()

    with open(os.path.join(HERE, "outlines.tsv"), "w") as out:
        places = [{"wght": 250, "wdth": 100}, {"wght": 100, "wdth": 75}, {"wght": 900, "wdth": 125},
                  {"wght": 250, "wdth": 112.5}]
        heavy = [{"wght": 900}, {"wght": 525}, {"wght": 775}, {"wght": 250}]
        for file in ("sample.ttf", "sample.otf", "sample-cff2.otf", "variable.ttf", "variable-cff2.otf"):
            font = TTFont(os.path.join(HERE, file))
            for place in [None] + (places if file == "variable.ttf" else heavy if "variable" in file else []):
                label = ",".join(f"{k}={v}" for k, v in place.items()) if place else "-"
                for glyph, line in enumerate(path(font, place)):
                    out.write(f"{file}\t{label}\t{glyph}\t{line}\n")
    with open(os.path.join(HERE, "shaping.tsv"), "w") as out:
        def write(file, variations, run):
            label = ",".join(f"{k}={v}" for k, v in variations.items()) if variations else "-"
            text = " ".join(f"{ord(c):X}" for c in run[4])
            out.write("\t".join([file, label, *run[:4], text, shape(file, variations, run)]) + "\n")
        for run in RUNS:
            write("sample.ttf", None, run)
        for text in ("AVA", "Vo", "A\u0301", "A\u0323\u0301 o\u0301\u0301", "o\u0323"):
            write("kern.ttf", None, ("Latn", "ltr", "-", "-", text))
        for (script, direction), text in SYLLABLES.items():
            for word in text.split():
                write("syllables.ttf", None, (script, direction, "-", "-", word))
        for place in ({"wght": 650}, {"wght": 900, "wdth": 125}, {"wdth": 80}):
            for text in ("AB", "A\u0301x\u0301"):
                write("variable.ttf", place, ("Latn", "ltr", "-", "-", text))


main()
