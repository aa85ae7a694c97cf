// The coefficients and bits contained in each scan of a file.

/// One scan. ITU-T T.81, section B.2.3.
struct ScanDescription: Hashable {
  /// The indices of the components.
  var components: [Int]
  /// The start of spectral selection (Ss).
  var start = 0
  /// The end of spectral selection (Se).
  var end = 63
  /// Successive approximation, high (Ah): the bit position of the previous scan; 0 in a first scan.
  var high = 0
  /// Successive approximation, low (Al).
  var low = 0

  /// The single scan of a sequential file.
  static func sequential(_ frame: EncodingFrame) -> ScanDescription {
    ScanDescription(components: Array(frame.components.indices))
  }

  /// libjpeg's progressive script (`jpeg_simple_progression`).
  static func progressive(_ frame: EncodingFrame) -> [ScanDescription] {
    let all = Array(frame.components.indices)
    func dc(_ high: Int, _ low: Int) -> ScanDescription {
      ScanDescription(components: all, start: 0, end: 0, high: high, low: low)
    }
    func ac(_ component: Int, _ range: ClosedRange<Int>, _ high: Int, _ low: Int) -> ScanDescription {
      ScanDescription(
        components: [component], start: range.lowerBound, end: range.upperBound, high: high, low: low)
    }
    if frame.transform == .yCbCr {
      return [
        dc(0, 1), ac(0, 1...5, 0, 2), ac(2, 1...63, 0, 1), ac(1, 1...63, 0, 1), ac(0, 6...63, 0, 2),
        ac(0, 1...63, 2, 1), dc(1, 0), ac(2, 1...63, 1, 0), ac(1, 1...63, 1, 0), ac(0, 1...63, 1, 0),
      ]
    }
    return [dc(0, 1)] + all.map { ac($0, 1...5, 0, 2) } + all.map { ac($0, 6...63, 0, 2) }
      + all.map { ac($0, 1...63, 2, 1) } + [dc(1, 0)] + all.map { ac($0, 1...63, 1, 0) }
  }
}
