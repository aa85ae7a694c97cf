// Video usability information (annex E of H.264 and of H.265): the meaning of the samples.

package import ImageCoding
package import PixelPlanes

/// Range, siting and code points, as a sequence parameter set states them.
package struct VideoUsability: Sendable {
  package private(set) var isFullRange = false
  package private(set) var siting = ChromaSiting.left
  /// `nil` where no colour description is present.
  package private(set) var codePoints: CodingIndependentCodePoints?

  /// The absence of all statements.
  package init() {}

  /// Reads the part that the two codings have in common, up to the siting of chroma. Timing and limits of the stream
  /// follow.
  ///
  /// - Throws: `CodecError.Kind.malformed`.
  package init(parsing reader: inout BitReader) throws(CodecError) {
    // The shape of pixels, of which 255 is followed by two numbers; whether overscan is appropriate.
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
