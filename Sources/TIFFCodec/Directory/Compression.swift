// The schemes by which strips and tiles are compressed.

/// The compression of an image.
enum Compression: Hashable {
  case stored
  /// CCITT modified Huffman: 1-D coding, rows aligned to bytes.
  case modifiedHuffman
  /// CCITT Group 3 (ITU-T T.4), in one or two dimensions.
  case group3
  /// CCITT Group 4 (ITU-T T.6).
  case group4
  case lzw
  case jpeg
  case deflate
  case packBits
  /// Runs of bytes of LogL and LogLuv.
  case sgiLog
  /// LogLuv in 24 bits.
  case sgiLog24
  case webP
  /// Codestreams whose colours are those of the directory.
  case jpeg2000
  /// Codestreams with luma and chroma, whatever the directory says, as in slides of Aperio's scanners.
  case jpeg2000YCbCr
  case jpegXL

  /// The scheme of a code; `nil` if it is not decoded.
  init?(code: Int) {
    switch code {
    case 1: self = .stored
    case 2, 32771: self = .modifiedHuffman
    case 3: self = .group3
    case 4: self = .group4
    case 5: self = .lzw
    case 7: self = .jpeg
    case 8, 32946: self = .deflate
    case 32773: self = .packBits
    case 34676: self = .sgiLog
    case 34677: self = .sgiLog24
    case 34712, 33005: self = .jpeg2000
    case 33003: self = .jpeg2000YCbCr
    case 50001: self = .webP
    case 50002, 52546: self = .jpegXL
    default: return nil
    }
  }

  /// Whether the scheme is one of the CCITT facsimile codes, for bilevel images.
  var isFax: Bool { self == .modifiedHuffman || self == .group3 || self == .group4 }
  /// Whether a block is a whole image file or stream of another format.
  var isEmbeddedImage: Bool { self == .jpeg || self == .webP || self == .jpegXL || isJPEG2000 }
  var isJPEG2000: Bool { self == .jpeg2000 || self == .jpeg2000YCbCr }
  /// Whether blocks may have samples of 16 bits although they are files of their own format.
  var embedsDeepSamples: Bool { isJPEG2000 || self == .jpegXL }
  /// Whether a predictor applies. Other schemes ignore the tag, as in libtiff.
  var usesPredictor: Bool { self == .lzw || self == .deflate }
}

extension TIFFContainer {
  /// The name of the compression; its code if the name is unknown.
  public var compressionName: String {
    switch compression {
    case 1: "uncompressed"
    case 2: "CCITT modified Huffman"
    case 3: "CCITT Group 3"
    case 4: "CCITT Group 4"
    case 5: "LZW"
    case 6: "old-style JPEG"
    case 7: "JPEG"
    case 8, 32946: "Deflate"
    case 32773: "PackBits"
    case 32809: "ThunderScan"
    case 34661: "JBIG"
    case 34676, 34677: "SGI LogLuv"
    case 34712, 33003, 33005: "JPEG 2000"
    case 34887: "LERC"
    case 34925: "LZMA"
    case 50000: "Zstandard"
    case 50001: "WebP"
    case 50002, 52546: "JPEG XL"
    default: "compression \(compression)"
    }
  }
}
