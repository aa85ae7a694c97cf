// What one row of coding tree blocks passes on to the next one while both are decoded on different threads.

internal import ImageCore
internal import Threading

/// The state of a row's blocks that the row below needs.
struct WavefrontRowState: Sendable {
  /// The number of blocks that are decoded.
  var publishedCount = 0
  /// Whether decoding stopped, because something is invalid or the caller cancelled.
  var isAbandoned = false
  /// The last line of samples of each component, one after the other.
  var line: [UInt16]
  var blocks: [TreeBlock]
  /// The depths of the coding blocks at the bottom, for each eight columns.
  var depths: [UInt8]
  /// The context models after the second block.
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
        blocks: [TreeBlock](repeating: TreeBlock(), count: parameters.treeBlockColumns),
        depths: [UInt8](repeating: 0, count: (parameters.width + 7) / 8)))
  }

  /// The memory that a row takes.
  static func byteCount(_ parameters: CodingParameters) -> Int {
    parameters.width * 7 + parameters.treeBlockColumns * MemoryLayout<TreeBlock>.stride + 1024
  }

  /// Wakes the thread that reads the row.
  func signal() { progress.signal() }

  /// Waits until blocks are published or decoding is abandoned.
  ///
  /// - Returns: the number of published blocks; `nil` if decoding is abandoned.
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

extension PictureDecoder {
  /// Passes on a block of the current row.
  func publish(_ column: Int, to row: WavefrontRow) {
    let size = parameters.treeBlockSize
    let left = column * size
    let right = min(left + size, parameters.width)
    let bottom = min(tree.y + size, parameters.height) - 1
    row.state.withLock { state in
      var start = 0
      for component in 0..<parameters.componentCount {
        let shifts = parameters.shifts(component)
        let source = buffer.index(component, x: 0, y: bottom >> shifts.y)
        for x in left >> shifts.x..<right >> shifts.x { state.line[start + x] = buffer.samples[source + x] }
        start += parameters.width >> shifts.x
      }
      state.blocks[column] = treeBlocks[tree.address]
      for index in left / 8..<(right + 7) / 8 { state.depths[index] = neighbours.depthsAbove[index] }
      if column == 1 { state.models = wavefrontModels }
      state.publishedCount = column + 1
    }
    row.signal()
  }

  /// Takes over blocks of the row above.
  ///
  /// - Parameter top: the first luma row of the current row.
  mutating func take(_ columns: Range<Int>, from row: WavefrontRow, top: Int) {
    let size = parameters.treeBlockSize
    let left = columns.lowerBound * size
    let right = min(columns.upperBound * size, parameters.width)
    let above = (top / size - 1) * layout.columnCount
    row.state.withLock { state in
      var start = 0
      for component in 0..<parameters.componentCount {
        let shifts = parameters.shifts(component)
        let target = buffer.index(component, x: 0, y: top >> shifts.y - 1)
        for x in left >> shifts.x..<right >> shifts.x { buffer.samples[target + x] = state.line[start + x] }
        start += parameters.width >> shifts.x
      }
      for column in columns { treeBlocks[above + column] = state.blocks[column] }
      for index in left / 8..<(right + 7) / 8 { neighbours.depthsAbove[index] = state.depths[index] }
      if let models = state.models, columns.contains(1) { wavefrontModels = models }
    }
  }
}
