// The filter that copies the source pixel at the centre of each new pixel.

internal import ImageCore

/// Copies pixels. Positions are accumulated in double precision, as Pillow does.
struct NearestResampler {
  private let bytesPerPixel: Int
  private let columns: [Int]
  private let rows: [Int]
  private var receivedRowCount = 0
  private var emittedRowCount = 0
  private var output: [UInt8]

  init(
    from source: StreamedImage, part: SourcePart? = nil, to target: PixelSize, budget: inout ResourceBudget
  ) throws(CodecError) {
    bytesPerPixel = source.format.bytesPerPixel
    try budget.allocate(count: target.width, bytesEach: MemoryLayout<Int>.stride + bytesPerPixel)
    try budget.allocate(count: target.height, bytesEach: MemoryLayout<Int>.stride)
    try budget.chargeWork(target.width)
    try budget.chargeWork(target.height)
    columns = Self.positions(from: source.width, part: part?.columns, to: target.width)
    rows = Self.positions(from: source.height, part: part?.rows, to: target.height)
    output = [UInt8](repeating: 0, count: target.width * bytesPerPixel)
  }

  private static func positions(
    from sourceCount: Int, part: ClosedRange<Double>?, to targetCount: Int
  ) -> [Int] {
    let part = part ?? 0...Double(sourceCount)
    let scale = (part.upperBound - part.lowerBound) / Double(targetCount)
    var position = part.lowerBound + scale * 0.5
    return (0..<targetCount).map { _ in
      defer { position += scale }
      return min(sourceCount - 1, Int(position))
    }
  }

  /// Receives the next source row, and passes on the target rows that it completes.
  mutating func append(
    _ row: Span<UInt8>, budget: inout ResourceBudget,
    emit: (Span<UInt8>, inout ResourceBudget) throws(CodecError) -> Void
  ) throws(CodecError) {
    defer { receivedRowCount += 1 }
    guard emittedRowCount < rows.count, rows[emittedRowCount] == receivedRowCount else { return }
    try budget.chargeWork(output.count)
    Self.copyPixels(row, at: columns, bytesPerPixel: bytesPerPixel, into: &output)
    while emittedRowCount < rows.count, rows[emittedRowCount] == receivedRowCount {
      try budget.chargeWork(output.count / 8)
      try emit(output.span, &budget)
      emittedRowCount += 1
    }
  }

  private static func copyPixels(
    _ row: Span<UInt8>, at columns: [Int], bytesPerPixel: Int, into output: inout [UInt8]
  ) {
    var target = output.mutableSpan
    var index = 0
    let columns = columns.span
    for x in columns.indices {
      let from = columns[x] &* bytesPerPixel
      for byte in 0..<bytesPerPixel { target[index &+ byte] = row[from &+ byte] }
      index &+= bytesPerPixel
    }
  }
}
