// The quantization parameters of chroma (section 8.5.8).

/// Derives those of chroma from those of luma.
enum ChromaQP {
  /// `QPC` by `qPI` from 30 on (table 8-15).
  private static let table: InlineArray<22, UInt8> = [
    29, 30, 31, 32, 32, 33, 34, 34, 35, 35, 36, 36, 37, 37, 37, 38, 38, 38, 39, 39, 39, 39,
  ]

  /// `QPC`.
  ///
  /// - Parameters:
  ///   - qp: `QPY`.
  ///   - offset: `chroma_qp_index_offset` or `second_chroma_qp_index_offset`.
  @inline(__always)
  static func value(_ qp: Int, offset: Int, depthOffset: Int) -> Int {
    let index = min(max(qp &+ offset, 0 &- depthOffset), 51)
    return index < 30 ? index : Int(table[index &- 30])
  }
}
