// The OpenType tags of scripts and languages (OpenType, script and language system tags).

internal import Fonts
internal import ImageCore

/// Conversion to layout table tags.
enum OpenTypeTags {
  /// The tags of a script, in order of preference.
  static func scripts(for script: Script) -> [Tag] {
    let code = script.code
    if script.isIndefinite || script == "Zzzz" { return [] }
    if let newer = newerTags[code] { return newer + [lowercased(code)] }
    return [irregularTags[code] ?? lowercased(code)]
  }

  private static func lowercased(_ tag: Tag) -> Tag {
    // The first letter of a script code is upper case.
    Tag(rawValue: tag.rawValue | 0x2000_0000)
  }

  private static let irregularTags: [Tag: Tag] = [
    "Hira": "kana", "Laoo": "lao ", "Yiii": "yi  ", "Nkoo": "nko ", "Vaii": "vai ", "Qaai": "zinh", "Zmth": "math",
  ]

  /// Scripts with newer shaping models.
  private static let newerTags: [Tag: [Tag]] = [
    "Beng": ["bng3", "bng2"], "Deva": ["dev3", "dev2"], "Gujr": ["gjr3", "gjr2"], "Guru": ["gur3", "gur2"],
    "Knda": ["knd3", "knd2"], "Mlym": ["mlm3", "mlm2"], "Orya": ["ory3", "ory2"], "Taml": ["tml3", "tml2"],
    "Telu": ["tel3", "tel2"], "Mymr": ["mym2"],
  ]

  /// The tags of a BCP 47 language; empty if the language is unknown and has no three-letter code.
  static func languages(for language: String?) -> [Tag] {
    guard let language else { return [] }
    let parts = language.lowercased().split { $0 == "-" || $0 == "_" }
    guard let primary = parts.first else { return [] }
    if primary == "zh" {
      if parts.contains("hk") { return ["ZHH ", "ZHT "] }
      return parts.contains("hant") || parts.contains("tw") || parts.contains("mo") ? ["ZHT "] : ["ZHS "]
    }
    if let tags = languageTags[String(primary)] { return tags }
    // Most tags are the ISO 639-3 code in upper case.
    guard primary.utf8.count == 3, primary.utf8.allSatisfy({ (0x61...0x7A).contains($0) }) else { return [] }
    return [Tag(stringLiteral: primary.uppercased() + " ")]
  }

  private static let languageTags: [String: [Tag]] = [
    "af": ["AFK "], "am": ["AMH "], "ar": ["ARA "], "as": ["ASM "], "az": ["AZE "], "be": ["BEL "], "bg": ["BGR "],
    "bn": ["BEN "], "bo": ["TIB "], "br": ["BRE "], "bs": ["BOS "], "ca": ["CAT "], "crh": ["CRT "], "cs": ["CSY "],
    "cy": ["WEL "], "da": ["DAN "], "de": ["DEU "], "el": ["ELL "], "en": ["ENG "], "eo": ["NTO "], "es": ["ESP "],
    "et": ["ETI "], "eu": ["EUQ "], "fa": ["FAR "], "fi": ["FIN "], "fo": ["FOS "], "fr": ["FRA "], "fy": ["FRI "],
    "ga": ["IRI "], "gd": ["GAE "], "gl": ["GAL "], "gu": ["GUJ "], "ha": ["HAU "], "he": ["IWR "], "hi": ["HIN "],
    "hr": ["HRV "], "hu": ["HUN "], "hy": ["HYE0", "HYE "], "id": ["IND "], "ig": ["IBO "], "is": ["ISL "],
    "it": ["ITA "], "ja": ["JAN "], "ka": ["KAT "], "kk": ["KAZ "], "kl": ["GRN "], "km": ["KHM "], "kn": ["KAN "],
    "ko": ["KOR "], "ku": ["KUR "], "ky": ["KIR "], "la": ["LAT "], "lb": ["LTZ "], "lo": ["LAO "], "lt": ["LTH "],
    "lv": ["LVI "], "mi": ["MRI "], "mk": ["MKD "], "ml": ["MAL "], "mn": ["MNG "], "mo": ["MOL ", "ROM "],
    "mr": ["MAR "], "ms": ["MLY "], "mt": ["MTS "], "my": ["BRM "], "nb": ["NOR "], "ne": ["NEP "], "nl": ["NLD "],
    "nn": ["NYN "], "no": ["NOR "], "oc": ["OCI "], "or": ["ORI "], "pa": ["PAN "], "pl": ["PLK "], "ps": ["PAS "],
    "pt": ["PTG "], "rm": ["RMS "], "ro": ["ROM "], "ru": ["RUS "], "sa": ["SAN "], "sd": ["SND "], "se": ["NSM "],
    "si": ["SNH "], "sk": ["SKY "], "sl": ["SLV "], "so": ["SML "], "sq": ["SQI "], "sr": ["SRB "], "sv": ["SVE "],
    "sw": ["SWK "], "ta": ["TAM "], "te": ["TEL "], "tg": ["TAJ "], "th": ["THA "], "tk": ["TKM "], "tr": ["TRK "],
    "tt": ["TAT "], "ug": ["UYG "], "uk": ["UKR "], "ur": ["URD "], "uz": ["UZB "], "vi": ["VIT "], "wo": ["WLF "],
    "xh": ["XHS "], "yi": ["JII "], "yo": ["YBA "], "zu": ["ZUL "],
  ]
}
