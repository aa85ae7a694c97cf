// Pictures of macroblocks whose samples are known: PCM, and 16 × 16 blocks of mode DC without residual, in both entropy
// codings, in frames, fields and pairs, with the division into slices that a test asks for.

import TestSupport

/// Writes parameter sets, slices and macroblocks.
struct SyntheticPicture: Sendable {
  enum Structure: Sendable {
    case frame
    case fields
    /// Pairs of macroblocks of frames and of fields in turn; all macroblocks are PCM.
    case pairs
  }

  var columns = 3
  /// Rows of macroblocks of the frame.
  var rows = 4
  /// 0 for monochrome, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4.
  var chromaType = 1
  var hasSeparatePlanes = false
  var bitDepth = 8
  var isCABAC = false
  var structure = Structure.frame
  /// The addresses of macroblocks, or of pairs, in a picture at which slices after the first one start.
  var sliceStarts: [Int] = []
  var sliceOrder: [Int]?
  /// `slice_type` of the first picture, and of the second field.
  var sliceType = 7
  var secondFieldType = 7
  var hasSecondField = true
  var sliceGroupCount = 1
  var unitType = 5
  var crop = (left: 0, right: 0, top: 0, bottom: 0)
  /// The range and the code points of primaries, transfer function and matrix, and the siting of chroma.
  var usability: (isFullRange: Bool, codePoints: [Int], siting: Int)?
  /// Whether all macroblocks are PCM.
  var isPCMOnly = false

  /// Columns and rows of a macroblock in a plane.
  func macroblockSize(_ plane: Int) -> (width: Int, height: Int) {
    plane == 0 ? (16, 16) : (chromaType == 3 ? 16 : 8, chromaType == 1 ? 8 : 16)
  }

  var planeCount: Int { chromaType == 0 ? 1 : 3 }

  // MARK: Parameter sets

  var parameterSets: [UInt8] { nalUnit(7, sequenceParameterSet) + nalUnit(8, pictureParameterSet) }

  private var sequenceParameterSet: [UInt8] {
    var bits = BitWriter()
    bits.write(244, 8)
    bits.write(0, 8)
    bits.write(51, 8)
    bits.unsigned(0)
    bits.unsigned(chromaType)
    if chromaType == 3 { bits.write(hasSeparatePlanes ? 1 : 0, 1) }
    bits.unsigned(bitDepth - 8)
    bits.unsigned(bitDepth - 8)
    bits.write(0, 2)
    bits.unsigned(0)
    bits.unsigned(2)
    bits.unsigned(1)
    bits.write(0, 1)
    bits.unsigned(columns - 1)
    bits.unsigned((structure == .frame ? rows : rows / 2) - 1)
    bits.write(structure == .frame ? 1 : 0, 1)
    if structure != .frame { bits.write(structure == .pairs ? 1 : 0, 1) }
    bits.write(1, 1)
    bits.write(1, 1)
    for offset in [crop.left, crop.right, crop.top, crop.bottom] { bits.unsigned(offset) }
    bits.write(usability == nil ? 0 : 1, 1)
    if let usability {
      // A sample aspect ratio of 12:11 in extended form, overscan, a video signal type with a colour description.
      bits.write(0b1_1111_1111, 9)
      for value in [12, 11] { bits.write(value, 16) }
      bits.write(0b11_1101, 6)
      bits.write(usability.isFullRange ? 1 : 0, 1)
      bits.write(1, 1)
      for value in usability.codePoints { bits.write(value, 8) }
      bits.write(1, 1)
      for _ in 0..<2 { bits.unsigned(usability.siting) }
      bits.write(0, 5)
    }
    return bits.finished
  }

  private var pictureParameterSet: [UInt8] {
    var bits = BitWriter()
    bits.unsigned(0)
    bits.unsigned(0)
    bits.write(isCABAC ? 1 : 0, 1)
    bits.write(0, 1)
    bits.unsigned(sliceGroupCount - 1)
    if sliceGroupCount > 1 { return bits.finished }
    bits.unsigned(0)
    bits.unsigned(0)
    bits.write(0, 3)
    bits.signed(0)
    bits.signed(0)
    bits.signed(0)
    bits.write(1, 1)
    bits.write(0, 2)
    return bits.finished
  }

  // MARK: Slices

  /// The stream and the planes of its frame.
  func coded(seed: UInt64 = 1) -> (stream: [UInt8], planes: [[UInt16]]) {
    var noise = TestRandom(seed)
    var frame = KnownFrame(self)
    var stream = parameterSets
    for field in 0..<(structure == .fields && hasSecondField ? 2 : 1) {
      for plane in 0..<(hasSeparatePlanes ? 3 : 1) { stream += slices(field, plane, &frame, &noise) }
    }
    return (stream, frame.planes)
  }

  private func slices(
    _ field: Int, _ plane: Int, _ frame: inout KnownFrame, _ noise: inout TestRandom
  ) -> [UInt8] {
    let count = columns * (structure == .frame ? rows : rows / 2)
    let starts = [0] + sliceStarts
    var units: [[UInt8]] = []
    for (index, start) in starts.enumerated() {
      let end = index + 1 < starts.count ? starts[index + 1] : count
      var bits = header(start, field, plane)
      let scale = structure == .pairs ? 2 : 1
      var slice = SliceWriter(
        self, field: field, plane: plane, addresses: start * scale..<end * scale, bits)
      slice.write(&frame, &noise)
      bits = slice.bits
      units.append(nalUnit(field == 1 && unitType == 5 ? 1 : unitType, bits.bytes))
    }
    return (sliceOrder ?? Array(units.indices)).flatMap { units[$0] }
  }

  private func header(_ start: Int, _ field: Int, _ plane: Int) -> BitWriter {
    var bits = BitWriter()
    bits.unsigned(start)
    bits.unsigned(field == 0 ? sliceType : secondFieldType)
    bits.unsigned(0)
    if hasSeparatePlanes { bits.write(plane, 2) }
    bits.write(0, 4)
    if structure != .frame {
      bits.write(structure == .fields ? 1 : 0, 1)
      if structure == .fields { bits.write(field, 1) }
    }
    let isRefresh = field == 0 && unitType == 5
    if isRefresh { bits.unsigned(0) }
    // No reference marking, quantization parameter 26, no deblocking.
    bits.write(0, isRefresh ? 2 : 1)
    bits.signed(0)
    bits.unsigned(1)
    return bits
  }
}
