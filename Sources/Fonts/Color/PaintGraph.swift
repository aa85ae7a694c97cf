// Flattens the paint graph of a colour glyph to a list of operations (OpenType, `COLR` version 1). Graphs can share
// nodes and, in damaged fonts, contain cycles, so the depth and the number of visits are limited.

internal import ImageCore
internal import VectorGraphics

/// The traversal of one glyph's graph.
struct PaintGraph {
  private static let maximumDepth = 64
  private static let maximumVisitCount = 1 << 14
  /// The maximum number of points of all shapes together.
  private static let maximumPointCount = 1 << 20
  /// The work units for visiting a node, and for transforming a point.
  private static let workPerVisit = 300
  private static let workPerPoint = 12
  /// The bytes of the operations of a node, in an array that grows by doubling.
  private static let bytesPerVisit = 4 * MemoryLayout<GlyphPainting.Operation>.stride

  let colors: ColorGlyphTable
  let palette: ColorPalette
  let face: FontFace
  private var operations: [GlyphPainting.Operation] = []
  private var pending: [Step] = []
  private var visitCount = 0
  private var pointCount = 0

  init(colors: ColorGlyphTable, palette: ColorPalette, face: FontFace) {
    self.colors = colors
    self.palette = palette
    self.face = face
  }

  /// A pending step; the stack runs from last to first.
  private enum Step {
    case paint(Int, AffineTransform, depth: Int)
    case operation(GlyphPainting.Operation)
  }

  private var table: TableBytes { colors.table }

  /// Returns the operations of a graph; `nil` if it is too deep or too large.
  ///
  /// - Parameter budget: charged for each node and shape, and for the memory of the operations, which stays charged.
  mutating func flatten(
    from root: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [GlyphPainting.Operation]? {
    operations = []
    pending = [.paint(root, .identity, depth: 0)]
    while let step = pending.popLast() {
      switch step {
      case .operation(let operation): append(operation)
      case .paint(let offset, let transform, let depth):
        visitCount += 1
        guard visitCount <= PaintGraph.maximumVisitCount, depth < PaintGraph.maximumDepth,
          pointCount <= PaintGraph.maximumPointCount
        else { return nil }
        try budget.chargeWork(Self.workPerVisit)
        try budget.allocate(Self.bytesPerVisit)
        try visit(offset, transform, depth, &budget)
      }
    }
    return operations
  }

  /// Appends an operation. A clip that contains a single fill becomes a filled shape.
  private mutating func append(_ operation: GlyphPainting.Operation) {
    if case .popClip = operation, operations.count >= 2,
      case .fillAll(let paint) = operations[operations.count - 1],
      case .pushClip(let path) = operations[operations.count - 2]
    {
      operations.removeLast(2)
      operations.append(.fill(path, paint))
    } else {
      operations.append(operation)
    }
  }

  private mutating func visit(
    _ offset: Int, _ transform: AffineTransform, _ depth: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    switch table.uint8(at: offset) {
    case 1:
      // The list is painted from its start, so the last entry is pushed first.
      let count = table.uint8(at: offset + 1)
      let first = table.uint32(at: offset + 2)
      for index in (first..<first + count).reversed() {
        if let paint = colors.layerPaint(index) { pending.append(.paint(paint, transform, depth: depth + 1)) }
      }
    case 2...9:
      var reader = PaintReader(colors: colors, palette: palette, coordinates: face.coordinates)
      let paint = try reader.fill(at: offset, transform, budget: &budget)
      try budget.chargeWork(reader.work)
      if let paint { append(.fillAll(paint)) }
    case 10:
      let glyph = GlyphID(UInt16(table.uint16(at: offset + 4)))
      let outline = try face.validPlainOutline(of: glyph, budget: &budget)
      if let outline {
        try budget.chargeWork(count: outline.points.count, unitsEach: Self.workPerPoint)
        try budget.allocate(outline.byteCount)
      }
      let path = outline?.transformed(by: transform) ?? Path()
      pointCount += path.points.count
      append(.pushClip(path))
      pending.append(.operation(.popClip))
      pending.append(.paint(offset + table.uint24(at: offset + 1), transform, depth: depth + 1))
    case 11:
      let glyph = GlyphID(UInt16(table.uint16(at: offset + 1)))
      guard let root = colors.rootPaint(of: glyph) else { return }
      var work = 0
      let box = colors.clipBox(of: glyph, coordinates: face.coordinates, work: &work)
      try budget.chargeWork(work)
      if let box {
        append(.pushClip(Path(box).transformed(by: transform)))
        pending.append(.operation(.popClip))
      }
      pending.append(.paint(root, transform, depth: depth + 1))
    case 12...31:
      var reader = PaintReader(colors: colors, palette: palette, coordinates: face.coordinates)
      let inner = transform * reader.transform(at: offset)
      try budget.chargeWork(reader.work)
      guard inner.isFinite else { return }
      pending.append(.paint(offset + table.uint24(at: offset + 1), inner, depth: depth + 1))
    case 32:
      let mode = GlyphCompositeMode(rawValue: UInt8(table.uint8(at: offset + 4))) ?? .sourceOver
      // Plain source-over compositing is associative, so it needs no layers.
      let isLayered = mode != .sourceOver
      if isLayered {
        append(.pushLayer(.sourceOver))
        pending.append(.operation(.popLayer))
        pending.append(.operation(.popLayer))
      }
      pending.append(.paint(offset + table.uint24(at: offset + 1), transform, depth: depth + 1))
      if isLayered { pending.append(.operation(.pushLayer(mode))) }
      pending.append(.paint(offset + table.uint24(at: offset + 5), transform, depth: depth + 1))
    default: break
    }
  }
}
