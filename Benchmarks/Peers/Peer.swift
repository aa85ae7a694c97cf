// What a peer is: a codec in a library of the system that this package is timed against.

/// The pixels that a contender is asked for.
package enum PixelLayout: String, Sendable {
  /// Straight RGBA of 8 bits, whatever the file holds.
  case rgba8
  /// The samples of the file: palettes and transparent colours expanded, less than 8 bits widened to 8, 16 bits
  /// native-endian.
  case natural
}

/// A packed picture in memory.
package struct PeerPicture: Sendable {
  /// Columns.
  package var width: Int
  /// Rows.
  package var height: Int
  /// Samples of a pixel: gray, gray and alpha, RGB or RGBA.
  package var samplesPerPixel: Int
  /// 8, or 16 in the machine's byte order.
  package var bitsPerSample: Int
  /// The samples. A decode keeps the allocation where it is large enough.
  package var pixels: [UInt8]

  /// Creates a picture.
  package init(width: Int, height: Int, samplesPerPixel: Int, bitsPerSample: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.samplesPerPixel = samplesPerPixel
    self.bitsPerSample = bitsPerSample
    self.pixels = pixels
  }

  /// A picture of nothing, to be decoded into.
  package init() {
    self.init(width: 0, height: 0, samplesPerPixel: 0, bitsPerSample: 0, pixels: [])
  }

  /// The bytes of a row.
  package var bytesPerRow: Int { width * samplesPerPixel * bitsPerSample / 8 }

  /// Takes memory for the size that is set, unless it is there. Nothing is written to it: peers get what malloc gives.
  mutating func allocatePixels() {
    let byteCount = bytesPerRow * height
    if pixels.count == byteCount { return }
    // SAFETY: a byte has no invalid value, and the peer writes all of them.
    pixels = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { _, count in count = byteCount }
  }
}

/// How a peer encodes.
package struct PeerSettings: Sendable {
  /// The effort of lossless formats, 0…9 as zlib counts it.
  package var effort: Int
  /// The quality of JPEG, 1…100.
  package var quality: Int
  /// Whether JPEG is progressive.
  package var isProgressive: Bool

  /// Creates settings.
  package init(effort: Int, quality: Int, isProgressive: Bool) {
    self.effort = effort
    self.quality = quality
    self.isProgressive = isProgressive
  }
}

/// A codec of another library. Inputs are valid files: an error ends the program.
package protocol Peer {
  /// The library's name and version.
  var name: String { get }
  /// The short name of the format, such as `png`.
  var format: String { get }

  /// Decodes a file into a picture whose allocation is used again.
  func decode(_ bytes: [UInt8], as layout: PixelLayout, into picture: inout PeerPicture)

  /// Encodes a picture, JPEG with chroma of half the columns and rows; `nil` if the peer does not encode it.
  func encode(_ picture: PeerPicture, as settings: PeerSettings) -> [UInt8]?
}

/// A decoder of another library that gives an animation as palette indices.
package protocol FramePeer {
  /// The library's name.
  var name: String { get }

  /// Decodes all frames and throws them away.
  func decodeIndices(_ bytes: [UInt8])

  /// Decodes all frames and copies their indices, rows from top to bottom, into memory that is used again.
  func decodeIndices(_ bytes: [UInt8], into frames: inout [[UInt8]])
}

/// The peers that this system has.
package enum Peers {
  /// What was looked for: the peer, or the name of the library that is not there.
  package enum Finding {
    case found(any Peer)
    case missing(String)
  }

  /// Looks for every peer of some formats.
  package static func find(formats: [String]) -> [Finding] {
    var findings: [Finding] = []
    if formats.contains("jpg") { findings.append(TurboJPEG().map { .found($0) } ?? .missing("turbojpeg")) }
    if formats.contains("webp") { findings.append(LibWebP().map { .found($0) } ?? .missing("webp")) }
    if formats.contains("png") { findings.append(LibPNG().map { .found($0) } ?? .missing("libpng16")) }
    return findings
  }
}
