// The protocol of peers: codecs of system libraries that this package is compared with.

/// The pixel layout of a decode.
package enum PixelLayout: String, Sendable {
  /// Straight 8-bit RGBA for all files.
  case rgba8
  /// The samples of the file: palettes and transparent colours expanded, less than 8 bits widened to 8, 16 bits
  /// native-endian.
  case natural
}

/// An image in memory, without padding.
package struct PeerPicture: Sendable {
  /// The width in pixels.
  package var width: Int
  /// The height in pixels.
  package var height: Int
  /// The number of samples of a pixel: 1 for gray, 2 for gray and alpha, 3 for RGB, 4 for RGBA.
  package var samplesPerPixel: Int
  /// The bits per sample: 8, or 16 in native byte order.
  package var bitsPerSample: Int
  /// The samples. A decode reuses the allocation if it is large enough.
  package var pixels: [UInt8]

  /// Creates a picture from samples without padding between rows.
  package init(width: Int, height: Int, samplesPerPixel: Int, bitsPerSample: Int, pixels: [UInt8]) {
    self.width = width
    self.height = height
    self.samplesPerPixel = samplesPerPixel
    self.bitsPerSample = bitsPerSample
    self.pixels = pixels
  }

  /// Creates an empty picture, to decode into.
  package init() {
    self.init(width: 0, height: 0, samplesPerPixel: 0, bitsPerSample: 0, pixels: [])
  }

  /// The number of bytes in a row.
  package var bytesPerRow: Int { width * samplesPerPixel * bitsPerSample / 8 }

  /// Allocates memory for the current size if necessary, without initialising it: peers receive memory as from malloc.
  mutating func allocatePixels() {
    let byteCount = bytesPerRow * height
    if pixels.count == byteCount { return }
    // SAFETY: all values of a byte are valid, and the peer writes all bytes.
    pixels = unsafe [UInt8](unsafeUninitializedCapacity: byteCount) { _, count in count = byteCount }
  }
}

/// The settings of a peer's encoder.
package struct PeerSettings: Sendable {
  /// The zlib level of lossless formats, 0…9.
  package var effort: Int
  /// The quality of lossy formats, 1…100.
  package var quality: Int
  /// Whether JPEG is progressive.
  package var isProgressive: Bool
  /// Whether WebP is lossless.
  package var isLossless = false

  /// Creates the settings of an encoder.
  package init(effort: Int, quality: Int, isProgressive: Bool) {
    self.effort = effort
    self.quality = quality
    self.isProgressive = isProgressive
  }
}

/// A valid file that a peer does not decode, or not in the layout that is asked for.
package struct PeerRejection: Error, CustomStringConvertible {
  /// The reason, with the peer's name.
  package var description: String
}

/// A codec of another library. Inputs must be valid files.
package protocol Peer {
  /// The library's name and version.
  var name: String { get }
  /// The short name of the format, such as `png`.
  var format: String { get }

  /// Decodes a file into a picture whose allocation is reused.
  func decode(_ bytes: [UInt8], as layout: PixelLayout, into picture: inout PeerPicture) throws(PeerRejection)

  /// Encodes a picture, as JPEG with 4:2:0 subsampling. Returns `nil` if the peer does not encode it.
  func encode(_ picture: PeerPicture, as settings: PeerSettings) -> [UInt8]?
}

/// A decoder of another library that decodes animations to palette indices.
package protocol FramePeer {
  /// The library's name.
  var name: String { get }

  /// Decodes all frames and discards them.
  func decodeIndices(_ bytes: [UInt8])

  /// Decodes all frames and copies their indices, rows from top to bottom, into memory that is reused.
  func decodeIndices(_ bytes: [UInt8], into frames: inout [[UInt8]])
}

/// The peers installed on this system.
package enum Peers {
  /// The result of looking for a peer: the peer, or the name of the missing library and that of Debian's package.
  package enum Finding {
    case found(any Peer)
    case missing(String, package: String)
  }

  /// Looks for all peers of the given formats.
  package static func find(formats: [String]) -> [Finding] {
    var findings: [Finding] = []
    func add(_ format: String, _ peer: @autoclosure () -> (any Peer)?, _ library: String, _ package: String) {
      guard formats.contains(format) else { return }
      findings.append(peer().map { .found($0) } ?? .missing(library, package: package))
    }
    add("jpg", TurboJPEG(), "turbojpeg", "libturbojpeg0")
    add("webp", LibWebP(), "webp", "libwebp7")
    add("jp2", LibOpenJPEG(), "openjp2", "libopenjp2-7")
    add("jxl", LibJXL(), "jxl", "libjxl0.7")
    add("tiff", LibTIFF(), "tiff", "libtiff6")
    add("png", LibPNG(), "libpng16", "libpng16-16")
    return findings
  }
}
