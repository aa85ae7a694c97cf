// Where the bytes of a font are: in memory, or in a file that is read when the font is used.

internal import ImageCore

/// A font file.
enum FontSource: Hashable, Sendable {
  case memory([UInt8])
  case file(path: String)

  /// All bytes; `nil` when the file cannot be read any more.
  func readAll() -> [UInt8]? {
    switch self {
    case .memory(let bytes): bytes
    case .file(let path): readFile(path, maximumByteCount: FontSource.maximumFileByteCount)
    }
  }

  /// Larger files are taken for something else than fonts.
  static let maximumFileByteCount = 256 << 20
}
