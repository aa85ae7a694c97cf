// The formats that the tool writes.

internal import ArgumentParser
package import ImageCodecs

/// A format to write, named by its file name extension.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
  /// PNG.
  case png
  /// Netpbm's PAM: red, green, blue and straight alpha.
  case pam
  /// Netpbm's PPM: red, green, blue.
  case ppm

  /// The format that a file's extension names.
  package init?(fileName: String) {
    guard let dot = fileName.lastIndex(of: ".") else { return nil }
    self.init(rawValue: fileName[fileName.index(after: dot)...].lowercased())
  }

  /// Encodes a bitmap. Netpbm's formats carry no metadata.
  package func encode(_ bitmap: Bitmap, metadata: ImageMetadata?) throws(DecodeError) -> [UInt8] {
    switch self {
    case .png: try bitmap.encoded(as: .png, metadata: metadata)
    case .pam: NetpbmWriter.pam(bitmap)
    case .ppm: NetpbmWriter.ppm(bitmap)
    }
  }
}
