// The rest of the video usability information of H.265 (annex E): it is read to find what follows it.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

extension VideoUsability {
  /// - Throws: `CodecError.Kind.malformed`.
  init(parsing reader: inout BitReader, subLayerCount: Int) throws(CodecError) {
    try self.init(parsing: &reader)
    reader.skip(3)
    // The default display window is a hint for displays, not a crop.
    if reader.readFlag() { for _ in 0..<4 { _ = reader.readUnsigned() } }
    if reader.readFlag() { try Self.skipTiming(&reader, subLayerCount: subLayerCount) }
    if reader.readFlag() {
      reader.skip(3)
      for _ in 0..<5 { _ = reader.readUnsigned() }
    }
  }

  private static func skipTiming(_ reader: inout BitReader, subLayerCount: Int) throws(CodecError) {
    reader.skip(64)
    if reader.readFlag() { _ = reader.readUnsigned() }
    if reader.readFlag() { try skipReferenceDecoderParameters(&reader, subLayerCount: subLayerCount) }
  }

  /// `hrd_parameters(1, maxNumSubLayersMinus1)`, section E.2.2.
  private static func skipReferenceDecoderParameters(
    _ reader: inout BitReader, subLayerCount: Int
  ) throws(CodecError) {
    let hasNALParameters = reader.readFlag()
    let hasVCLParameters = reader.readFlag()
    var hasSubPictureParameters = false
    if hasNALParameters || hasVCLParameters {
      hasSubPictureParameters = reader.readFlag()
      if hasSubPictureParameters { reader.skip(19) }
      reader.skip(8)
      if hasSubPictureParameters { reader.skip(4) }
      reader.skip(15)
    }
    for _ in 0..<subLayerCount {
      let isFixedGenerally = reader.readFlag()
      let isFixed = isFixedGenerally || reader.readFlag()
      var isLowDelay = false
      if isFixed { _ = reader.readUnsigned() } else { isLowDelay = reader.readFlag() }
      let bufferCount = isLowDelay ? 1 : try reader.readUnsigned(in: 0...31, "cpb_cnt_minus1") + 1
      for _ in 0..<(hasNALParameters ? bufferCount : 0) + (hasVCLParameters ? bufferCount : 0) {
        for _ in 0..<(hasSubPictureParameters ? 4 : 2) { _ = reader.readUnsigned() }
        reader.skip(1)
      }
    }
  }
}
