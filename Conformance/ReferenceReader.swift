// The pixels that a decode is held against, out of the reference files of a folder.

import ConformanceKit
import ImageCore

/// Reads reference files.
struct ReferenceReader {
  /// The folder that paths are relative to.
  var folder: String

  /// Why there are no pixels to compare with.
  struct Failure: Error {
    var reason: String
  }

  /// The pixels of a reference.
  ///
  /// A PNG is decoded by this package itself, so it counts only when its pixels have the hash that the manifest states.
  func read(_ path: String?, hash: String?, width: Int?, height: Int?, depth: Int) throws(Failure) -> NormalizedImage {
    guard let path else { throw Failure(reason: "there is no reference but its hash") }
    guard let bytes = try? readFile(folder + "/" + path) else { throw Failure(reason: "\(path) cannot be read") }
    guard let image = pixels(of: bytes, path: path, width: width, height: height)?.converted(toDepth: depth) else {
      throw Failure(reason: "\(path) is not a reference that is read here")
    }
    if path.hasSuffix(".png"), image.hash != hash {
      throw Failure(reason: "\(path) does not have the hash that the manifest states")
    }
    return image
  }

  /// The pixels of a drawing's reference. There is no hash to hold a PNG against.
  func readDrawing(_ path: String?) throws(Failure) -> NormalizedImage {
    guard let path, let bytes = try? readFile(folder + "/" + path) else {
      throw Failure(reason: "there is no reference")
    }
    guard let image = pixels(of: bytes, path: path, width: nil, height: nil)?.converted(toDepth: 8) else {
      throw Failure(reason: "\(path) is not a reference that is read here")
    }
    return image
  }

  private func pixels(of bytes: [UInt8], path: String, width: Int?, height: Int?) -> NormalizedImage? {
    if path.hasSuffix(".pam") { return PortableArbitraryMap.read(bytes) }
    if path.hasSuffix(".rgba"), let width, let height {
      return NormalizedImage(width: width, height: height, depth: 8, rgba: bytes)
    }
    guard path.hasSuffix(".png"), let decoder = Decoders.named("png") else { return nil }
    return (try? decoder.decode(bytes.span, options: .asStored)).map { NormalizedImage($0.bitmap) }
  }
}

extension DecodingOptions {
  /// Pixels as they lie in the file: references are not turned upright.
  static let asStored = DecodingOptions(orientation: .report)
  /// The same, and every error of the file is thrown.
  static let asStoredStrict = DecodingOptions(orientation: .report, tolerance: .strict)
}
