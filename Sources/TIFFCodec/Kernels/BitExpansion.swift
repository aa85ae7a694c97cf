// Expands packed bits to bytes, eight at a time.

/// Writes eight bytes for every byte of a row of bilevel samples.
///
/// - Parameter table: the eight bytes of each possible byte, the first one least significant.
package func expandBitsToBytes(_ row: Span<UInt8>, _ table: Span<UInt64>, into output: inout MutableSpan<UInt8>) {
  precondition(table.count == 256 && output.count == 8 * row.count, "the output does not match the row")
  let entries = table
  // SAFETY: the output has eight bytes for each byte of the row; UInt64 is trivial and the store needs no alignment.
  unsafe output.withUnsafeMutableBytes { bytes in
    for index in 0..<row.count {
      let entry = entries[Int(row[index])]
      unsafe bytes.storeBytes(of: entry.littleEndian, toByteOffset: 8 &* index, as: UInt64.self)
    }
  }
}
