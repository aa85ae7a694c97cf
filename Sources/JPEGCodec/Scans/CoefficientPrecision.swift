// The precision to which the scans so far define each coefficient: the lowest bit position received. ITU-T T.81,
// section G.1.1.1.2.

/// The bit positions of a progressive image's coefficients.
struct CoefficientPrecision {
  /// 64 entries per component, in zigzag order: the bit position of the last scan, or -1 before the first.
  private var bitPositions: [Int8]

  init(componentCount: Int) {
    bitPositions = [Int8](repeating: -1, count: componentCount * 64)
  }

  /// Records the precision of a scan.
  mutating func note(_ scan: ScanHeader) {
    for component in scan.components {
      for index in scan.spectralSelectionStart...scan.spectralSelectionEnd {
        bitPositions[component.index * 64 + index] = Int8(truncatingIfNeeded: scan.approximationLow)
      }
    }
  }

  /// The bit position of a coefficient.
  subscript(component: Int, index: Int) -> Int { Int(bitPositions[component * 64 + index]) }
}
