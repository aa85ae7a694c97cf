// PackBits compression (TIFF 6.0, section 9).

/// Compresses a row. Runs of at least three equal bytes become runs.
func appendPackBits(_ row: Span<UInt8>, to output: inout [UInt8]) {
  var start = 0
  var index = 0
  while index < row.count {
    var end = index + 1
    while end < row.count, end - index < 128, row[end] == row[index] { end += 1 }
    if end - index >= 3 {
      appendLiterals(row, start..<index, to: &output)
      output.append(UInt8(truncatingIfNeeded: 1 - (end - index)))
      output.append(row[index])
      start = end
    }
    index = end
  }
  appendLiterals(row, start..<row.count, to: &output)
}

private func appendLiterals(_ row: Span<UInt8>, _ range: Range<Int>, to output: inout [UInt8]) {
  var start = range.lowerBound
  while start < range.upperBound {
    let end = min(range.upperBound, start + 128)
    output.append(UInt8(end - start - 1))
    for index in start..<end { output.append(row[index]) }
    start = end
  }
}
