// Filters on another thread than decoding. Rows of superblocks are copied to it: prediction reads samples that are not
// filtered, and the threads share no memory.

internal import ImageCore
internal import PixelPlanes
internal import Threading

/// A row of superblocks, and what filters read of its blocks.
private struct SuperblockRow: Sendable {
  /// The first unit.
  private(set) var first = 0
  private var samples: SampleBuffer
  private var lumaTransforms: [UInt8]
  private var chromaTransforms: [UInt8]
  private var isSkipped: [Bool]
  private var levels: [SIMD4<UInt8>]
  /// Those of the whole frame.
  private var cdefIndices: [Int8] = []
  private var restorationUnits: [RestorationUnit] = []

  init(_ parameters: FrameParameters, _ map: borrowing BlockMap, _ budget: inout ResourceBudget) throws(CodecError) {
    let units = parameters.superblockUnits
    samples = try SampleBuffer(columns: parameters.columns * 4, rows: units * 4, parameters, &budget)
    let count = units * map.columns
    try budget.allocate(count: count, bytesEach: map.levels.isEmpty ? 3 : 7)
    lumaTransforms = [UInt8](repeating: 0, count: count)
    chromaTransforms = [UInt8](repeating: 0, count: map.chromaTransforms.isEmpty ? 0 : count)
    isSkipped = [Bool](repeating: false, count: count / 4)
    levels = map.levels.isEmpty ? [] : [SIMD4<UInt8>](repeating: SIMD4(), count: count)
  }

  /// Copies the superblocks that start with a unit from a picture.
  mutating func load(_ first: Int, _ parameters: FrameParameters, from picture: borrowing Picture) {
    self.first = first
    samples.start(atRow: first * 4, parameters)
    for plane in 0..<parameters.planeCount {
      samples.copyRows(rows(plane, parameters), of: plane, from: picture.buffer)
    }
    let ranges = MapRanges(first, parameters, picture.map)
    Self.copy(picture.map.lumaTransforms, ranges.luma, to: &lumaTransforms, at: 0)
    Self.copy(picture.map.chromaTransforms, ranges.chroma, to: &chromaTransforms, at: 0)
    Self.copy(picture.map.isSkipped, ranges.squares, to: &isSkipped, at: 0)
    if parameters.hasBlockLevels { Self.copy(picture.map.levels, ranges.luma, to: &levels, at: 0) }
    (cdefIndices, restorationUnits) = (picture.map.cdefIndices, picture.restoration.units)
  }

  /// Copies the superblocks to a picture.
  func store(_ parameters: FrameParameters, to picture: inout Picture) {
    for plane in 0..<parameters.planeCount {
      picture.buffer.copyRows(rows(plane, parameters), of: plane, from: samples)
    }
    let ranges = MapRanges(first, parameters, picture.map)
    Self.copy(lumaTransforms, 0..<ranges.luma.count, to: &picture.map.lumaTransforms, at: ranges.luma.lowerBound)
    Self.copy(
      chromaTransforms, 0..<ranges.chroma.count, to: &picture.map.chromaTransforms, at: ranges.chroma.lowerBound)
    Self.copy(isSkipped, 0..<ranges.squares.count, to: &picture.map.isSkipped, at: ranges.squares.lowerBound)
    if parameters.hasBlockLevels {
      Self.copy(levels, 0..<ranges.luma.count, to: &picture.map.levels, at: ranges.luma.lowerBound)
    }
    (picture.map.cdefIndices, picture.restoration.units) = (cdefIndices, restorationUnits)
  }

  private func rows(_ plane: Int, _ parameters: FrameParameters) -> Range<Int> {
    let shift = parameters.shifts(plane).y
    return first * 4 >> shift..<(first + parameters.superblockUnits) * 4 >> shift
  }

  private static func copy<Value>(
    _ source: borrowing [Value], _ range: Range<Int>, to target: inout [Value], at first: Int
  ) {
    let values = source.span.extracting(range)
    var copies = target.mutableSpan
    for index in 0..<values.count { copies[first &+ index] = values[index] }
  }

  /// The units of superblocks in a map.
  private struct MapRanges {
    let luma: Range<Int>
    let chroma: Range<Int>
    let squares: Range<Int>

    init(_ first: Int, _ parameters: FrameParameters, _ map: borrowing BlockMap) {
      let end = min(first + parameters.superblockUnits, map.rows)
      luma = first * map.columns..<end * map.columns
      let shift = parameters.subsamplingY
      chroma = (first >> shift) * map.chromaColumns..<(end >> shift) * map.chromaColumns
      squares = luma.lowerBound / 4..<luma.upperBound / 4
    }
  }
}

/// The state of the second thread.
private struct FinishingWork: Sendable {
  let parameters: FrameParameters
  var finisher: FrameFinisher
  var picture: Picture

  mutating func process(_ row: inout SuperblockRow) {
    finisher.moveWindow(toRow: row.first * 4, &picture)
    row.store(parameters, to: &picture)
    // Nothing interrupts this thread: the other one waits for it.
    try? finisher.finishRow(row.first, &picture, Interruption())
  }
}

/// Finishes rows of superblocks on a second thread, or on the caller's if the system has none to spare.
final class FinishingThread {
  private let parameters: FrameParameters
  private var pipeline: ProcessingPipeline<SuperblockRow, FinishingWork>?
  /// The work and a row, once the caller's thread does it.
  private var work: FinishingWork?
  private var row: SuperblockRow

  private static let queueLength = 3

  init(
    _ parameters: FrameParameters, _ color: ColorConfiguration, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    self.parameters = parameters
    let finisher = try FrameFinisher(parameters, color, &budget)
    let picture = try Picture(parameters, isWindow: true, &budget)
    var rows: [SuperblockRow] = []
    for _ in 0..<Self.queueLength { rows.append(try SuperblockRow(parameters, picture.map, &budget)) }
    row = try SuperblockRow(parameters, picture.map, &budget)
    let pipeline = ProcessingPipeline(
      FinishingWork(parameters: parameters, finisher: finisher, picture: picture), items: rows,
      process: { (work: inout FinishingWork, row: inout SuperblockRow) in work.process(&row) })
    self.pipeline = pipeline
    pipeline.start()
  }

  deinit {
    _ = pipeline?.takeBack()
  }

  /// Finishes the superblocks that start with a unit.
  func finishRow(_ first: Int, of picture: borrowing Picture) {
    if let pipeline {
      if var free = pipeline.takeFreeItem() {
        free.load(first, parameters, from: picture)
        pipeline.submit(free)
        return
      }
      takeBack()
    }
    row.load(first, parameters, from: picture)
    work?.process(&row)
  }

  /// Waits for all rows.
  ///
  /// - Returns: the frame.
  func finishFrame() throws(CodecError) -> PlanarPicture? {
    takeBack()
    guard var work = work.take() else { return nil }
    return try work.finisher.finishFrame(work.picture, Interruption())
  }

  private func takeBack() {
    guard let pipeline else { return }
    self.pipeline = nil
    work = pipeline.takeBack()
  }
}
