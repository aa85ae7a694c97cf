// The reference pixels for comparison, from the reference files of a folder.

import ConformanceKit
import ImageCoding

/// Reads reference files.
struct ReferenceReader {
  /// The folder that paths are relative to.
  var folder: String

  /// The reason for which there are no reference pixels.
  struct Failure: Error {
    var reason: String
  }

  /// Returns the pixels of a reference.
  ///
  /// A PNG is decoded by this package, so it is only valid if its pixels have the hash stated in the manifest.
  func read(_ path: String?, hash: String?, width: Int?, height: Int?, depth: Int) throws(Failure) -> NormalizedImage {
    guard let path else { throw Failure(reason: "only the hash of the reference is known") }
    guard let bytes = try? readFile(folder + "/" + path) else { throw Failure(reason: "\(path) cannot be read") }
    guard let image = pixels(of: bytes, path: path, width: width, height: height)?.converted(toDepth: depth) else {
      throw Failure(reason: "\(path) is not a supported reference")
    }
    if path.hasSuffix(".png"), image.hash != hash {
      throw Failure(reason: "\(path) does not have the hash that the manifest states")
    }
    return image
  }

  /// Returns the pixels of a drawing's reference. A PNG is accepted without a hash.
  func readDrawing(_ path: String?) throws(Failure) -> NormalizedImage {
    try readUnverified(path).converted(toDepth: 8)
  }

  /// Returns the pixels of a reference that is compared within limits. A PNG is accepted without a hash.
  func readUnverified(_ path: String?) throws(Failure) -> NormalizedImage {
    guard let path, let bytes = try? readFile(folder + "/" + path) else {
      throw Failure(reason: "the reference is missing")
    }
    guard let image = pixels(of: bytes, path: path, width: nil, height: nil) else {
      throw Failure(reason: "\(path) is not a supported reference")
    }
    return image
  }

  /// Returns the samples of a channel of a PNG; `nil` if it cannot be read.
  func samples(of path: String, channel: Int) -> [Int]? {
    guard path.hasSuffix(".png"), let bytes = try? readFile(folder + "/" + path), let decoder = Decoders.named("png"),
      let picture = try? decoder.decode(bytes.span, options: .asStored).bitmap
    else { return nil }
    let count = picture.format.samplesPerPixel
    guard channel < count else { return nil }
    let pixels = picture.packedPixels
    return (0..<picture.width * picture.height).map { index in
      let place = index * count + channel
      return picture.format.sampleType == .uint8
        ? Int(pixels[place]) : Int(nativeUInt16(pixels.span, at: place * 2))
    }
  }

  /// Returns whether a file exists.
  func exists(_ path: String) -> Bool { fileExists(folder + "/" + path) }

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
  /// Stored pixels: the orientation is not applied to references.
  static let asStored = DecodingOptions(orientation: .report)
  /// Stored pixels, with every error of the file thrown.
  static let asStoredStrict = DecodingOptions(orientation: .report, tolerance: .strict)
}
