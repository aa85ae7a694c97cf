// Video usability information (annex E): the meaning of the samples, which precedes the timing.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// Range, siting and code points, as a sequence parameter set states them.
struct VideoUsability {
  var isFullRange = false
  var siting = ChromaSiting.left
  /// `nil` where no colour description is present.
  var codePoints: CodingIndependentCodePoints?

  /// The absence of all statements.
  init() {}

  /// Reads what is of interest to still pictures. Nothing follows it in the parameter set but timing and limits of the
  /// stream.
  ///
  /// - Throws: ``CodecError/Kind/malformed``.
  init(parsing reader: inout BitReader) throws(CodecError) {
    if reader.readFlag(), reader.read(8) == 255 { reader.skip(32) }
    if reader.readFlag() { reader.skip(1) }
    if reader.readFlag() { readVideoSignalType(&reader) }
    if reader.readFlag() {
      let siting = try reader.readUnsigned(in: 0...5, "chroma_sample_loc_type_top_field")
      self.siting = ChromaSiting(rawValue: UInt8(siting)) ?? .left
      _ = try reader.readUnsigned(in: 0...5, "chroma_sample_loc_type_bottom_field")
    }
  }

  private mutating func readVideoSignalType(_ reader: inout BitReader) {
    reader.skip(3)
    isFullRange = reader.readFlag()
    guard reader.readFlag() else { return }
    codePoints = CodingIndependentCodePoints(
      colorPrimaries: UInt8(reader.read(8)), transferFunction: UInt8(reader.read(8)),
      matrixCoefficients: UInt8(reader.read(8)), isFullRange: isFullRange)
  }
}
