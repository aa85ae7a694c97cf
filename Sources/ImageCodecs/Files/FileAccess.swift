// Files as input and output: mapped into memory for reading, replaced atomically for writing.

internal import Platform

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Reads and writes whole files.
enum FileAccess {
  /// Maps a file into memory.
  ///
  /// - Throws: ``CodecError/Kind/fileAccessFailed`` if the URL is not that of a readable regular file,
  ///   ``CodecError/Kind/limitExceeded`` if the file is larger than ``DecodingLimits/maximumByteCount``.
  static func read(_ url: URL, limits: DecodingLimits) throws(CodecError) -> Data {
    guard try byteCount(of: url) <= limits.maximumByteCount else {
      throw CodecError(
        .limitExceeded, "\(url.path) exceeds the limit of \(limits.maximumByteCount) bytes", limit: .memory)
    }
    do {
      return try Data(contentsOf: url.resolvingSymlinksInPath(), options: .mappedIfSafe)
    } catch {
      throw CodecError(.fileAccessFailed, "\(url.path) cannot be read: \(error)")
    }
  }

  /// Returns the size of a file.
  ///
  /// - Throws: ``CodecError/Kind/fileAccessFailed`` if the URL is not that of a regular file.
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
    return (attributes[.size] as? UInt64).map { Int(clamping: $0) } ?? attributes[.size] as? Int ?? .max
  }

  /// Replaces a file, or creates it. After an error the old file is unchanged. Symbolic links are followed, and the new
  /// file has the permissions of the old one.
  ///
  /// - Throws: ``CodecError/Kind/fileAccessFailed``.
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
