// The four-letter chunk codes of PNG, section 5.4, and the properties encoded in the case of their letters.

/// A chunk's type: four ASCII letters as a big-endian number.
struct ChunkType: Hashable, Sendable, CustomStringConvertible {
  let code: UInt32

  init(code: UInt32) {
    self.code = code
  }

  /// Creates a chunk type of the specification from its four letters.
  private init(_ letters: StaticString) {
    code = letters.description.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  static let imageHeader = ChunkType("IHDR")
  static let palette = ChunkType("PLTE")
  static let imageData = ChunkType("IDAT")
  static let imageEnd = ChunkType("IEND")
  static let transparency = ChunkType("tRNS")
  static let gamma = ChunkType("gAMA")
  static let chromaticities = ChunkType("cHRM")
  static let standardRGB = ChunkType("sRGB")
  static let iccProfile = ChunkType("iCCP")
  static let codePoints = ChunkType("cICP")
  static let masteringDisplay = ChunkType("mDCV")
  static let contentLightLevel = ChunkType("cLLI")
  static let significantBits = ChunkType("sBIT")
  static let background = ChunkType("bKGD")
  static let physicalPixelDimensions = ChunkType("pHYs")
  static let exif = ChunkType("eXIf")
  static let text = ChunkType("tEXt")
  static let compressedText = ChunkType("zTXt")
  static let internationalText = ChunkType("iTXt")
  static let time = ChunkType("tIME")
  static let animationControl = ChunkType("acTL")
  static let frameControl = ChunkType("fcTL")
  static let frameData = ChunkType("fdAT")
  /// Apple's chunk for files that are PNG only in their framing.
  static let appleOptimized = ChunkType("CgBI")

  /// Whether all four bytes are letters.
  var isValid: Bool {
    (0..<4).allSatisfy { index in
      let folded = (code >> (index * 8)) & 0xDF
      return folded >= 0x41 && folded <= 0x5A
    }
  }

  /// Whether decoding must stop if the type is unknown: the first letter is upper case.
  var isCritical: Bool { code & 0x2000_0000 == 0 }

  /// The four letters; if they are not letters, the code as a number.
  var description: String {
    guard isValid else { return "0x" + String(code, radix: 16) }
    return String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> $0) }, as: UTF8.self)
  }
}
