// The choice between the data of the sensor and an embedded picture, and the facts about the picture.

internal import ImageCoding
internal import MetadataFormats

extension RawFile {
  /// The source of the pixels.
  enum Source {
    case sensor(SensorLayout, DirectoryTree, sensor: TIFFDirectory)
    /// An embedded picture, because the data of the sensor are not decoded.
    case picture(EmbeddedPicture, reason: CodecError)
  }

  /// Returns the source of the pixels.
  ///
  /// - Throws: `CodecError.Kind.unsupported` or `CodecError.Kind.malformed` if the data of the sensor are not
  ///   decoded, and an embedded picture is not wanted or absent.
  func source(
    _ bytes: Span<UInt8>, requiresSensor: Bool = false, budget: inout ResourceBudget
  ) throws(CodecError) -> Source {
    let reason: CodecError
    switch sensor {
    case .unsupported(let name):
      reason = CodecError(.unsupported, "\(name) are not supported", format: format.type)
    case .dng(let tree, let directory):
      do throws(CodecError) {
        let layout = try SensorLayout(tree.fields(directory, in: bytes), budget: &budget)
        return .sensor(layout, tree, sensor: directory)
      } catch {
        if error.isInterruption || error.kind == .limitExceeded { throw error }
        reason = error
      }
    }
    guard !requiresSensor, let largestPicture else { throw reason }
    return .picture(largestPicture, reason: reason)
  }

  /// Returns the properties of the picture that is decoded.
  func info(_ bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) -> ImageInfo {
    info(of: try source(bytes, budget: &budget))
  }

  /// Returns the properties of the picture of a source.
  func info(of source: Source) -> ImageInfo {
    var info = properties(of: source)
    info.thumbnails = pictures
    return info
  }

  private func properties(of source: Source) -> ImageInfo {
    switch source {
    case .sensor(let layout, _, _):
      return ImageInfo(
        type: format.type, width: layout.crop.width, height: layout.crop.height, bitDepth: layout.bits,
        colorModel: layout.planeCount == 1 ? .gray : .rgb, orientation: orientation, colorSpace: .sRGB,
        coding: layout.codingName)
    case .picture(let picture, _):
      return ImageInfo(
        type: format.type, width: picture.size.width, height: picture.size.height,
        bitDepth: picture.coding.bytesPerPixel == 6 ? 16 : 8, colorModel: picture.coding == .jpeg ? .yCbCr : .rgb,
        orientation: orientation, coding: "preview")
    }
  }
}
