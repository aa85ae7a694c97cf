// Limits on the cost of a rendering. Costs are charged before the work is done, so hostile input produces an error
// rather than a long wait.

package import ImageCore

/// The resources of a rendering: the budget of the decode it belongs to, and additional limits.
package struct RasterBudget: ~Copyable, Sendable {
  /// Charged with the bytes of layers, masks and edges, and with all work. A pixel of a single colour is one unit of
  /// work; gradients, images and blend modes cost more.
  package var resources: ResourceBudget
  /// The number of lines after flattening, stroking and dashing.
  package var segmentCount: Int
  /// The nesting depth of layers.
  package var layerDepth: Int
  /// The number of lines whose memory is charged: those of the largest path so far.
  private var chargedLineCount = 0
  /// The number of pieces of edges whose memory is charged: those of the most crowded band so far.
  private var chargedPieceCount = 0

  /// The maximum width and height of a layer; beyond it, coordinates on the rasteriser's grid would overflow.
  package static let maximumSide = 1 << 20
  /// The work of flattening or outlining a line.
  private static let workPerLine = 20
  /// The work of a layer besides that of its pixels.
  private static let workPerLayer = 800
  /// The work of a pixel of a new layer, faulting in its memory included.
  private static let workPerLayerPixel = 3
  /// The bytes of a line, as a point of an outline and as an edge, in arrays that grow by doubling.
  private static let bytesPerLine = 72

  /// Creates a budget. By default it has the limits of a decode, 16 million lines and 1,000 nested layers.
  package init(
    resources: consuming ResourceBudget = ResourceBudget(.default), segmentCount: Int = 16_000_000,
    layerDepth: Int = 1000
  ) {
    self.resources = resources
    self.segmentCount = segmentCount
    self.layerDepth = layerDepth
  }

  /// Ends the rendering and returns the budget of the decode.
  package consuming func takeResources() -> ResourceBudget { resources }

  /// Charges the lines of a path.
  ///
  /// - Parameter total: the number of lines of the path so far, including these; `nil` if these are all.
  package mutating func spendSegments(_ count: Int, of total: Int? = nil) throws(CodecError) {
    guard count <= segmentCount else { throw CodecError(.limitExceeded, "the paths have too many segments") }
    segmentCount -= count
    // The lines exist already, or are added few at a time.
    try resources.chargeWorkInParts(count: count, unitsEach: Self.workPerLine)
    let held = total ?? count
    if held > chargedLineCount {
      try resources.allocate(count: held - chargedLineCount, bytesEach: Self.bytesPerLine)
      chargedLineCount = held
    }
  }

  /// Charges the pieces of edges that are collected for a band of rows, with checkpoints.
  mutating func spendPieces(_ count: Int, unitsEach: Int) throws(CodecError) {
    try resources.chargeWorkInParts(count: count, unitsEach: unitsEach)
    if count > chargedPieceCount {
      try resources.allocate(count: count - chargedPieceCount, bytesEach: MemoryLayout<RowPiece>.stride)
      chargedPieceCount = count
    }
  }

  /// Charges pixels of work.
  @inline(__always)
  package mutating func spendPixels(_ count: Int) throws(CodecError) {
    try resources.chargeWork(count)
  }

  /// Charges pixels of work that is done row by row, with a checkpoint for each band of them.
  package mutating func spendPixelsInParts(_ count: Int) throws(CodecError) {
    try resources.chargeWorkInParts(count: count, unitsEach: 1)
  }

  /// Charges a layer and the work of clearing it.
  package mutating func reserveLayer(_ bounds: PixelRect) throws(CodecError) {
    // First, because a caller who can release memory tries a second time.
    try resources.allocate(count: bounds.pixelCount, bytesEach: 4)
    do throws(CodecError) {
      try spendLayer(bounds)
    } catch {
      releaseLayer(bounds)
      throw error
    }
  }

  /// Checks the size of a layer and charges the work of clearing it, but not its bytes.
  mutating func spendLayer(_ bounds: PixelRect) throws(CodecError) {
    guard max(bounds.width, bounds.height) <= RasterBudget.maximumSide else {
      throw CodecError(.limitExceeded, "a layer exceeds \(RasterBudget.maximumSide) columns or rows")
    }
    try resources.chargeWork(Self.workPerLayer)
    // Rows are cleared when they are drawn into.
    try resources.chargeWorkInParts(count: bounds.pixelCount, unitsEach: Self.workPerLayerPixel)
  }

  /// Credits the bytes of a layer.
  package mutating func releaseLayer(_ bounds: PixelRect) {
    resources.release(bounds.pixelCount &* 4)
  }

  /// Checks that a mask is within the budget, and charges the work of clearing it. Masks that outlive the shape they
  /// are made for are charged by ``reserveMask(_:)``.
  package mutating func spendMask(_ bounds: PixelRect) throws(CodecError) {
    try resources.allocate(bounds.pixelCount)
    resources.release(bounds.pixelCount)
    try resources.chargeWork(bounds.pixelCount)
  }

  /// Charges the bytes of a mask that is kept.
  package mutating func reserveMask(_ bounds: PixelRect) throws(CodecError) {
    try resources.allocate(bounds.pixelCount)
  }

  /// Credits the bytes of a mask.
  package mutating func releaseMask(_ bounds: PixelRect) {
    resources.release(bounds.pixelCount)
  }
}
