// Files as input and output: read or mapped into memory, replaced atomically for writing.

internal import Platform

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads and writes whole files.
enum FileAccess {
  /// Maps a file of any size into memory, of which only the parts that are used take memory.
  ///
  /// - Throws: `CodecError.Kind.fileAccessFailed` if the URL is not that of a readable regular file.
  static func map(_ url: URL) throws(CodecError) -> Data {
    _ = try byteCount(of: url)
    return try data(of: url, .alwaysMapped)
  }

  /// - Throws: `CodecError.Kind.fileAccessFailed` if the URL is not that of a file.
  static func checkIsFile(_ url: URL) throws(CodecError) {
    guard url.isFileURL else { throw CodecError(.fileAccessFailed, "\(url) is not the URL of a file") }
  }

  /// Reads a file, or maps it into memory where the system can tell that this is safe.
  ///
  /// - Throws: `CodecError.Kind.fileAccessFailed` if the URL is not that of a readable regular file,
  ///   `CodecError.Kind.limitExceeded` if the file is larger than ``DecodingLimits/maximumByteCount``.
  static func read(_ url: URL, limits: DecodingLimits) throws(CodecError) -> Data {
    guard try byteCount(of: url) <= limits.maximumByteCount else {
      throw CodecError(
        .limitExceeded, "\(url.path) exceeds the limit of \(limits.maximumByteCount) bytes", limit: .memory)
    }
    return try data(of: url, .mappedIfSafe)
  }

  private static func data(of url: URL, _ options: Data.ReadingOptions) throws(CodecError) -> Data {
    do {
      return try Data(contentsOf: url.resolvingSymlinksInPath(), options: options)
    } catch {
      throw CodecError(.fileAccessFailed, "\(url.path) cannot be read: \(error)")
    }
  }

  /// Returns the size of a file.
  ///
  /// - Throws: `CodecError.Kind.fileAccessFailed` if the URL is not that of a regular file.
  static func byteCount(of url: URL) throws(CodecError) -> Int {
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)
    } catch {
      throw CodecError(.fileAccessFailed, "\(url.path) cannot be read: \(error)")
    }
    // Pipes and devices have no size.
    guard attributes[.type] as? FileAttributeType == .typeRegular else {
      throw CodecError(.fileAccessFailed, "\(url.path) is not a regular file")
    }
    // An unsigned integer of a type that depends on whether the program also uses the rest of Foundation.
    let size = attributes[.size] as? UInt64 ?? (attributes[.size] as? UInt).map { UInt64($0) }
    return size.map { Int(clamping: $0) } ?? .max
  }

  /// Replaces a file, or creates it. After an error the old file is unchanged. Symbolic links are followed, and the new
  /// file has the permissions of the old one.
  ///
  /// - Throws: `CodecError.Kind.fileAccessFailed`.
  static func write(_ bytes: [UInt8], to url: URL) throws(CodecError) {
    do {
      guard FileSystem.isSupported else { return try Data(bytes).write(to: url, options: .atomic) }
      try FileReplacement.write(bytes.span, toPath: Array(url.path.utf8))
    } catch {
      let reason = (error as? SystemError)?.reason ?? "\(error)"
      throw CodecError(.fileAccessFailed, "\(url.path) cannot be written: \(reason)")
    }
  }
}
