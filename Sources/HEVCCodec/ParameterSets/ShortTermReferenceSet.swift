// Short-term reference picture sets (section 7.3.7). Still pictures refer to no others; the sets are read to find what
// follows them.

internal import ImageCoding
internal import NALBitstreams
internal import PixelPlanes

/// A set of reference pictures, of which only the size matters here.
struct ShortTermReferenceSet {
  /// `NumDeltaPocs`.
  let pictureCount: Int

  /// - Parameters:
  ///   - index: `stRpsIdx`; the number of `sets` in a slice header.
  ///   - sets: those of the sequence parameter set before this one.
  /// - Throws: `CodecError.Kind.malformed`.
  init(
    parsing reader: inout BitReader, index: Int, isInSliceHeader: Bool, _ sets: [ShortTermReferenceSet]
  ) throws(CodecError) {
    if index > 0, reader.readFlag() {
      var distance = 1
      if isInSliceHeader { distance += try reader.readUnsigned(in: 0...index - 1, "delta_idx_minus1") }
      reader.skip(1)
      _ = reader.readUnsigned()
      var count = 0
      for _ in 0...sets[index - distance].pictureCount {
        let isUsed = reader.readFlag()
        if isUsed || reader.readFlag() { count += 1 }
      }
      guard count <= 16 else { throw CodecError(.malformed, "a reference picture set has \(count) pictures") }
      pictureCount = count
    } else {
      let negativeCount = try reader.readUnsigned(in: 0...16, "num_negative_pics")
      let positiveCount = try reader.readUnsigned(in: 0...16, "num_positive_pics")
      for _ in 0..<negativeCount + positiveCount {
        _ = reader.readUnsigned()
        reader.skip(1)
      }
      pictureCount = negativeCount + positiveCount
    }
  }
}
