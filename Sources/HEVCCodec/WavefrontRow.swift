// The state of one row of coding tree blocks (CTBs) that decoding of the next one on another thread needs.

internal import ImageCoding
internal import Threading

/// The state of a row's CTBs that the row below needs.
struct WavefrontRowState: Sendable {
  /// The number of CTBs that are decoded.
  var publishedCount = 0
  /// Whether decoding stopped, because something is invalid or the caller cancelled.
  var isAbandoned = false
  /// The last line of samples of each component, one after the other.
  var line: [UInt16]
  var codingTreeBlocks: [CodingTreeBlock]
  /// The depths of the coding blocks at the bottom, for each eight columns.
  var depths: [UInt8]
  /// The context models after the second CTB.
  var models: ContextModels?
}

/// A row that is decoded by one thread and read by another.
final class WavefrontRow: Sendable {
  let state: Mutex<WavefrontRowState>
  private let progress = CountingSemaphore()

  init(_ parameters: CodingParameters) {
    var lineCount = 0
    for component in 0..<parameters.componentCount { lineCount += parameters.width >> parameters.shifts(component).x }
    state = Mutex(
      WavefrontRowState(
        line: [UInt16](repeating: 0, count: lineCount),
        codingTreeBlocks: [CodingTreeBlock](repeating: CodingTreeBlock(), count: Self.columnCount(parameters)),
        depths: [UInt8](repeating: 0, count: (parameters.width + 7) / 8)))
  }

  /// The memory that a row takes.
  static func byteCount(_ parameters: CodingParameters) -> Int {
    parameters.width * 7 + columnCount(parameters) * MemoryLayout<CodingTreeBlock>.stride + 1024
  }

  private static func columnCount(_ parameters: CodingParameters) -> Int {
    (parameters.width - 1) >> parameters.log2CodingTreeBlock + 1
  }

  /// Wakes the thread that reads the row.
  func signal() { progress.signal() }

  /// Waits until CTBs are published or decoding is abandoned.
  ///
  /// - Returns: the number of published CTBs; `nil` if decoding is abandoned.
  func wait(forCount count: Int) -> Int? {
    while true {
      let published: Int? = state.withLock { $0.isAbandoned ? nil : $0.publishedCount }
      guard let published else { return nil }
      if published >= count { return published }
      progress.wait()
    }
  }

  func abandon() {
    state.withLock { $0.isAbandoned = true }
    signal()
  }
}

extension RowDecoder {
  /// Passes on the current CTB.
  func publish(_ column: Int, to row: WavefrontRow) {
    let parameters = picture.parameters
    let size = parameters.codingTreeBlockSize
    let left = column * size
    let right = min(left + size, parameters.width)
    let bottom = min(slices.position.y + size, parameters.height) - 1
    row.state.withLock { state in
      var start = 0
      for component in 0..<parameters.componentCount {
        let shifts = parameters.shifts(component)
        let source = picture.samples.index(component, x: 0, y: bottom >> shifts.y)
        for x in left >> shifts.x..<right >> shifts.x { state.line[start + x] = picture.samples.values[source + x] }
        start += parameters.width >> shifts.x
      }
      state.codingTreeBlocks[column] = picture[slices.position.address]
      for index in left / 8..<(right + 7) / 8 { state.depths[index] = slices.neighbours.depthsAbove[index] }
      if column == 1 { state.models = slices.wavefrontModels }
      state.publishedCount = column + 1
    }
    row.signal()
  }

  /// Copies CTBs of the row above the current one.
  mutating func take(_ columns: Range<Int>, from row: WavefrontRow, aboveRow current: Int) {
    let parameters = picture.parameters
    let size = parameters.codingTreeBlockSize
    let left = columns.lowerBound * size
    let right = min(columns.upperBound * size, parameters.width)
    row.state.withLock { state in
      var start = 0
      for component in 0..<parameters.componentCount {
        let shifts = parameters.shifts(component)
        let target = picture.samples.index(component, x: 0, y: (current * size) >> shifts.y - 1)
        for x in left >> shifts.x..<right >> shifts.x { picture.samples.values[target + x] = state.line[start + x] }
        start += parameters.width >> shifts.x
      }
      let above = (current - 1) * picture.layout.columnCount
      for column in columns { picture[above + column] = state.codingTreeBlocks[column] }
      for index in left / 8..<(right + 7) / 8 { slices.neighbours.depthsAbove[index] = state.depths[index] }
      if let models = state.models, columns.contains(1) { slices.wavefrontModels = models }
    }
  }
}
