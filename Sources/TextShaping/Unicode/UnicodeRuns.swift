// Code point properties as sorted runs.

/// Looks up code point properties.
enum UnicodeRuns {
  /// Returns the value of the run that contains a code point. Each entry is the run's first code point · 256 + its
  /// value. The first run starts at 0.
  static func value(of scalar: Unicode.Scalar, in runs: [UInt32]) -> UInt8 {
    let key = scalar.value << 8 | 0xff
    var low = 0
    var high = runs.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if runs[middle] <= key { low = middle } else { high = middle }
    }
    return low < runs.count ? UInt8(truncatingIfNeeded: runs[low]) : 0
  }
}
