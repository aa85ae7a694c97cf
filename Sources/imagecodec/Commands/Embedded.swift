// `imagecodec embedded`: writes the pictures that cameras embed in raw files.

internal import ArgumentParser
internal import ImageCodecs

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Writes the embedded pictures of a camera raw file.
struct Embedded: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write the pictures that a camera has embedded in a raw file to a directory.",
    discussion: """
      JPEG pictures are written byte for byte, as they are in the file: their own metadata may state another orientation \
      than the raw file. Uncompressed pictures are written as PPM. Prints a line for each picture: the file, the width, \
      the height and the kind (fullSize, preview or thumbnail), separated by tabs.
      """)

  @Argument(help: "The raw file; - means standard input.")
  var input: String

  @Argument(help: "The directory, which is created if necessary.")
  var directory: String

  @OptionGroup var limits: LimitArguments

  func run() throws {
    let data = try StandardStreams.map(input, limits: limits.value)
    let info = try naming(input) { () throws -> ImageInfo in
      let info = try ImageFile(data, options: DecodingOptions(limits: limits.value)).info()
      guard info.type.isCameraRaw else {
        throw CodecError(.unsupported, "the file is not a camera raw file", format: info.type)
      }
      return info
    }
    try StandardStreams.makeDirectory(directory)
    for (index, picture) in info.thumbnails.enumerated() {
      let file = "\(directory)/embedded-\(numbered(index)).\(picture.coding == .jpeg ? "jpg" : "ppm")"
      try StandardStreams.write(picture.file(in: data), to: file)
      let size = picture.size
      try StandardStreams.printLine(
        "\(FileName.display(file))\t\(size.width)\t\(size.height)\t\(picture.kind.rawValue)")
    }
  }
}

extension EmbeddedPicture {
  /// Returns the picture as a separate file.
  fileprivate func file(in data: Data) -> [UInt8] {
    let bytes = Array(data[data.startIndex + range.lowerBound..<data.startIndex + range.upperBound])
    let depth: Int
    switch coding {
    case .jpeg: return bytes
    case .rgb8: depth = 8
    case .rgb16: depth = 16
    }
    let header = Array("P6\n\(size.width) \(size.height)\n\((1 << depth) - 1)\n".utf8)
    // The samples of a PPM are big-endian.
    guard coding == .rgb16(isBigEndian: false) else { return header + bytes }
    return header + bytes.indices.map { bytes[$0 ^ 1] }
  }
}
