// Quantization parameters (QP, section 8.6.1) and the offsets of blocks (sections 7.3.8.14 and 7.3.8.15).

/// The QP of the current blocks.
struct QuantizationState {
  /// `QpY` of the current coding unit.
  var qp = 26
  /// `QpY` of the coding unit before the current one.
  var previous = 26
  /// `qPY_PRED` of the current group.
  var predicted = 26
  var isDeltaCoded = false
  var isChromaOffsetCoded = false
  /// `CuQpOffsetCb` and `CuQpOffsetCr`.
  var cbOffset = 0
  var crOffset = 0
}

/// `QpC` for 4:2:0 chroma (table 8-10), from 30 on.
private let chromaParameters: InlineArray<16, Int8> = [29, 30, 31, 32, 33, 33, 34, 34, 35, 35, 36, 36, 37, 37, 0, 0]
/// `levelScale`.
private let levelScales: InlineArray<6, Int64> = [40, 45, 51, 57, 64, 72]

extension CodingParameters {
  /// `QpC` of `qPi`.
  func chromaParameter(_ index: Int) -> Int {
    if chromaType != 1 { return min(index, 51) }
    if index < 30 { return index }
    return index >= 43 ? index - 6 : Int(chromaParameters[index - 30])
  }
}

extension SliceDecoder {
  /// Predicts the QP of a quantization group.
  mutating func startQuantizationGroup(x: Int, y: Int, _ picture: borrowing DecodedPicture) {
    quantization.isDeltaCoded = false
    let previous = quantization.previous
    let index = picture.blocks.index(x: x, y: y)
    // Neighbours count only if they are in the same CTB.
    let left = x > position.x ? Int(picture.blocks.qp[index &- 1]) : previous
    let above = y > position.y ? Int(picture.blocks.qp[index &- picture.blocks.columns]) : previous
    quantization.predicted = (left &+ above &+ 1) &>> 1
    quantization.qp = quantization.predicted
  }

  mutating func readQPDelta(_ bytes: Span<UInt8>) {
    quantization.isDeltaCoded = true
    var magnitude = 0
    while magnitude < 5,
      cabac.decode(ContextIndex.qpDelta &+ (magnitude == 0 ? 0 : 1), &models, bytes) == 1
    { magnitude += 1 }
    if magnitude == 5 { magnitude += cabac.decodeExpGolomb(bytes) }
    guard magnitude > 0 else { return }
    let delta = cabac.decodeBypass(bytes) == 1 ? -magnitude : magnitude
    let offset = parameters.qpDepthOffset
    guard delta >= -(26 + offset / 2), delta <= 25 + offset / 2 else {
      damage = "cu_qp_delta_abs is out of range"
      return
    }
    quantization.qp = (quantization.predicted + delta + 52 + 2 * offset) % (52 + offset) - offset
  }

  mutating func readChromaOffsets(_ offsets: [(cb: Int, cr: Int)], _ bytes: Span<UInt8>) {
    quantization.isChromaOffsetCoded = true
    guard cabac.decode(ContextIndex.chromaOffsetFlag, &models, bytes) == 1 else {
      (quantization.cbOffset, quantization.crOffset) = (0, 0)
      return
    }
    var index = 0
    while index < offsets.count - 1,
      cabac.decode(ContextIndex.chromaOffsetIndex, &models, bytes) == 1
    { index += 1 }
    guard index < offsets.count else { return }
    (quantization.cbOffset, quantization.crOffset) = offsets[index]
  }

  /// The scale and shift of a block's coefficients (section 8.6.4.2).
  @inline(__always)
  func scaling(_ component: Int, log2Size: Int) -> (scale: Int64, shift: Int64) {
    var qp = quantization.qp
    if component > 0 {
      let offset =
        component == 1
        ? parameters.cbOffset &+ slice.cbOffset &+ quantization.cbOffset
        : parameters.crOffset &+ slice.crOffset &+ quantization.crOffset
      qp = parameters.chromaParameter(min(max(qp &+ offset, 0 &- parameters.qpDepthOffset), 57))
    }
    qp = max(0, qp &+ parameters.qpDepthOffset)
    let scale = levelScales[qp % 6] &<< Int64(truncatingIfNeeded: qp / 6)
    return (scale, Int64(truncatingIfNeeded: parameters.bitDepth &+ log2Size &- 5))
  }
}
