// Everything that precedes the first frame, and its meaning for callers.

internal import ImageCoding

/// The headers of a file.
struct JXLHeaders: Sendable {
  let image: ImageHeader
  let iccProfile: [UInt8]?
  /// The location of the codestream.
  let codestream: Codestream
  /// The offset in the codestream of the first frame.
  let firstFrameOffset: Int

  init(
    parsing file: Span<UInt8>, _ container: inout JXLContainer, budget: inout ResourceBudget
  ) throws(CodecError) {
    guard !container.codestreamParts.isEmpty else {
      throw CodecError(
        .truncated, "there is no codestream", format: JXLDecoder.type, byteOffset: file.count)
    }
    codestream = try Codestream(container, file, budget: &budget)
    (image, iccProfile, firstFrameOffset) = try codestream.withBytes(of: file) { (bytes) throws(CodecError) in
      try budget.chargeWork(2000)
      var bits = BitReader(bytes, baseOffset: 0)
      var image = try ImageHeader(parsing: &bits)
      let profile = image.colorEncoding.hasICCProfile ? try ICCProfileDecoder.read(&bits, budget: &budget) : nil
      if let profile { image.apply(profile.span) }
      try bits.align()
      return (image, profile, bits.bytePosition)
    }
  }

  /// The colour space of the decoded pixels.
  var colorSpace: ColorSpace {
    if let iccProfile, !image.isXYB { return .icc(iccProfile) }
    return image.outputEncoding.colorSpace
  }

  var info: ImageInfo {
    ImageInfo(
      type: JXLDecoder.type, width: image.size.width, height: image.size.height, bitDepth: image.bitDepth.bitCount,
      colorModel: image.colorEncoding.model == .gray ? .gray : image.blackIndex == nil ? .rgb : .cmyk,
      hasAlpha: image.alphaIndex != nil,
      orientation: image.orientation, colorSpace: colorSpace, frameCount: image.animation == nil ? 1 : nil,
      loopCount: image.animation.map { LoopCount(rawCount: Int(min($0.loopCount, 0x7FFF_FFFF))) })
  }
}
