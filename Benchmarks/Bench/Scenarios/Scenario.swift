// Thumbnails as servers make them, from file to file.

import ImageCodecs

/// A thumbnail of a kind of file.
enum Scenario: String, CaseIterable {
  /// A photo of 12 megapixels to 320 pixels.
  case jpegTo320 = "a-320"
  /// A photo of 12 megapixels to 1600 pixels.
  case jpegTo1600 = "a-1600"
  /// A photo of 2725 × 2225 pixels to 720, which needs all of its pixels.
  case jpegTo720 = "b"
  /// A picture of 2048 × 1536 pixels with alpha to 720.
  case alphaTo720 = "c"
  /// A PNG of 12 megapixels to 320 pixels.
  case pngTo320 = "d"
  /// A progressive JPEG of 100 megapixels to 320 pixels.
  case progressiveTo320 = "e"
  /// A drawing to 256 pixels.
  case drawingTo256 = "f"
  /// A PNG of 100 megapixels to 320 pixels.
  case hugePNGTo320 = "g"

  /// The label in charts.
  var description: String {
    switch self {
    case .jpegTo320: "JPEG 12 Mpx → 320"
    case .jpegTo1600: "JPEG 12 Mpx → 1600"
    case .jpegTo720: "JPEG 6 Mpx → 720"
    case .alphaTo720: "PNG with alpha 3 Mpx → 720"
    case .pngTo320: "PNG 12 Mpx → 320"
    case .progressiveTo320: "progressive JPEG 100 Mpx → 320"
    case .drawingTo256: "SVG → 256"
    case .hugePNGTo320: "PNG 100 Mpx → 320"
    }
  }

  /// The name of the input.
  var fileName: String {
    switch self {
    case .jpegTo320, .jpegTo1600: "a.jpg"
    case .jpegTo720: "b.jpg"
    case .alphaTo720: "c.png"
    case .pngTo320: "d.png"
    case .progressiveTo320: "e.jpg"
    case .drawingTo256: "f.svg"
    case .hugePNGTo320: "g.png"
    }
  }

  /// The name of the small input.
  var smallFileName: String { "small-" + fileName }

  /// The longer side of the thumbnail.
  var side: Int {
    switch self {
    case .jpegTo320, .pngTo320, .progressiveTo320, .hugePNGTo320: 320
    case .jpegTo1600: 1600
    case .jpegTo720, .alphaTo720: 720
    case .drawingTo256: 256
    }
  }

  /// Whether the thumbnail is a PNG; otherwise it is a JPEG.
  var writesPNG: Bool { self == .alphaTo720 || self == .drawingTo256 }

  /// The encoder of the thumbnail: JPEG of quality 80, or PNG at zlib's level 6 without filters.
  var format: EncodingFormat {
    writesPNG
      ? .png(.init(compressionLevel: 6, filtering: .none, reducesColors: false)) : .jpeg(.init(quality: 80))
  }

  /// The operation of libvips that does the same, and its arguments.
  var saver: (name: String, arguments: [(name: String, value: String)]) {
    writesPNG
      ? ("pngsave", [("compression", "6"), ("filter", "none"), ("strip", "true")])
      : ("jpegsave", [("Q", "80"), ("strip", "true")])
  }

  /// The size and contents of the generated input.
  func generate() throws -> [UInt8] {
    switch self {
    case .jpegTo320, .jpegTo1600: try JPEGEncoder(options: .init(quality: 85)).encode(try photo(4000, 3000))
    case .jpegTo720: try JPEGEncoder(options: .init(quality: 85)).encode(try photo(2725, 2225))
    case .alphaTo720: try plainPNG(try photo(2048, 1536, .rgba8))
    case .pngTo320: try plainPNG(try photo(4000, 3000))
    case .progressiveTo320:
      try JPEGEncoder(options: .init(quality: 85, isProgressive: true)).encode(try hugePhoto())
    case .drawingTo256: Illustration.bytes
    case .hugePNGTo320: try PNGEncoder(options: .init(level: .fastest)).encode(try hugePhoto())
    }
  }

  /// A small input of the same format, whose thumbnail loads the same code.
  func generateSmall() throws -> [UInt8] {
    switch self {
    case .jpegTo320, .jpegTo1600, .jpegTo720: try JPEGEncoder().encode(try photo(16, 16))
    case .alphaTo720: try plainPNG(try photo(16, 16, .rgba8))
    case .pngTo320, .hugePNGTo320: try plainPNG(try photo(16, 16))
    case .progressiveTo320: try JPEGEncoder(options: .init(isProgressive: true)).encode(try photo(16, 16))
    case .drawingTo256: Array(#"<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"/>"#.utf8)
    }
  }

  private func plainPNG(_ bitmap: Bitmap) throws -> [UInt8] {
    try PNGEncoder(options: .init(compressionLevel: 6, reducesColors: false)).encode(bitmap)
  }

  /// As soft as photos of that size are.
  private func hugePhoto() throws -> Bitmap {
    try photo(3000, 2083).resized(toWidth: 12_000, height: 8_333, filter: .bilinear)
  }

  private func photo(_ width: Int, _ height: Int, _ format: PixelFormat = .rgb8) throws -> Bitmap {
    var scene = Scene(width: width, height: height)
    return try scene.photo(format: format)
  }
}
