// Comparison of the components of JPEG 2000 codestreams with references, and of regions with parts of whole pictures.

import ConformanceKit
import ImageCodecs
import ImageCoding
import JPEG2000Codec

/// Evaluates the components of one file.
struct ComponentEvaluator {
  private let references: ReferenceReader
  private let bytes: [UInt8]

  init(_ bytes: [UInt8], _ references: ReferenceReader) {
    self.bytes = bytes
    self.references = references
  }

  /// Returns the first difference of the components from the references of a case, at all reductions; `nil` if there is
  /// none.
  func difference(from test: ConformanceCase) throws(CodecError) -> String? {
    for reduction in Set(test.components.map(\.reduction)).sorted() {
      let planes = try JPEG2000Decoder().components(bytes.span, discarded: reduction)
      for expected in test.components where expected.reduction == reduction {
        guard planes.indices.contains(expected.index) else { return "component \(expected.index) is missing" }
        let plane = planes[expected.index]
        let offset = plane.isSigned ? 1 << (plane.depth - 1) : 0
        let ours = ComponentSamples(
          width: plane.width, height: plane.height, depth: plane.depth, isSigned: plane.isSigned,
          values: plane.samples.map { Int($0) - offset })
        let reason = ours.difference(
          from: expected, hash: SHA256.hexDigest(of: ours.bytes.span),
          reference: { references.samples(of: $0, channel: $1) })
        if let reason { return reason }
      }
    }
    return nil
  }

  /// Returns the first region that differs from the same part of the whole picture; `nil` if there is none. Regions are
  /// decoded on two threads.
  func regionDifference(from whole: Bitmap) throws(CodecError) -> String? {
    try RegionComparison(with: whole).difference { (region) throws(CodecError) in
      var options = DecodingOptions.asStored
      options.region = region
      options.parallelism = 2
      return try JPEG2000Decoder().decode(bytes.span, options: options).bitmap
    }
  }
}
