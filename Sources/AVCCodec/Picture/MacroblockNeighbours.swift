// The neighbours of a macroblock in its slice (sections 6.4.9 to 6.4.12).

/// The macroblocks around the current one that are available: decoded, and of the same slice.
struct MacroblockNeighbours {
  /// The index of the current macroblock in the map.
  private(set) var current = 0
  /// The macroblock at the left, or the first one of the pair at the left; −1 if there is none.
  private var leftPair = -1
  /// The macroblock with the row above; −1 if there is none.
  private(set) var above = -1
  /// Whether samples at the top left and at the top right are available.
  private(set) var hasAboveLeft = false
  private(set) var hasAboveRight = false
  private var leftRows = LeftRows.same

  init() {}

  /// - Parameters:
  ///   - address: in the picture.
  ///   - first: the index of the first macroblock of its plane in the map.
  ///   - isField: whether the macroblock belongs to a field of a pair.
  init(
    _ address: Int, first: Int, slice: Int32, isField: Bool, _ layout: PictureLayout, _ macroblocks: Span<Macroblock>
  ) {
    current = first + address
    let (column, row) = layout.place(address)
    let last = layout.columnCount - 1
    func find(_ column: Int, _ row: Int) -> Int {
      guard column >= 0, column <= last, row >= 0 else { return -1 }
      let index = first + layout.address(column: column, row: row)
      return macroblocks[index].slice == slice ? index : -1
    }
    leftPair = find(column - 1, row)
    guard layout.hasPairs else {
      above = find(column, row - 1)
      hasAboveLeft = find(column - 1, row - 1) >= 0
      hasAboveRight = find(column + 1, row - 1) >= 0
      return
    }
    let isBottom = address & 1 == 1
    if leftPair >= 0 {
      leftRows = LeftRows(isField: isField, isBottom: isBottom, isLeftField: macroblocks[leftPair].isField)
    }
    if isBottom, !isField {
      above = current - 1
      hasAboveLeft = leftPair >= 0
      return
    }
    let abovePair = find(column, row - 2)
    if abovePair >= 0 {
      let isTopField = isField && !isBottom && macroblocks[abovePair].isField
      above = isTopField ? abovePair : abovePair + 1
    }
    hasAboveLeft = find(column - 1, row - 2) >= 0
    hasAboveRight = find(column + 1, row - 2) >= 0
  }

  var hasLeft: Bool { leftPair >= 0 }
  var hasAbove: Bool { above >= 0 }
  /// The macroblock at the left of the first row; −1 if there is none.
  var left: Int { hasLeft ? left(ofRow: 0, height: 16).index : -1 }

  /// The macroblock at the left of a row, and its row there. There must be one.
  ///
  /// - Parameter height: rows of a macroblock in the plane.
  @inline(__always)
  func left(ofRow y: Int, height: Int) -> (index: Int, row: Int) {
    let (offset, row) = leftRows.place(ofRow: y, height: height)
    return (leftPair &+ offset, row)
  }
}

/// How rows of a macroblock correspond to those of the macroblocks at the left (table 6-4).
enum LeftRows {
  /// Macroblocks do not form pairs.
  case same
  /// A pair coded alike: the same macroblock of it.
  case samePair(isBottom: Bool)
  /// The macroblock belongs to a frame, those at the left to fields.
  case fieldsOfFrame(isBottom: Bool)
  /// The macroblock belongs to a field, those at the left to a frame.
  case framesOfField

  init(isField: Bool, isBottom: Bool, isLeftField: Bool) {
    if isField == isLeftField {
      self = .samePair(isBottom: isBottom)
    } else {
      self = isField ? .framesOfField : .fieldsOfFrame(isBottom: isBottom)
    }
  }

  /// The macroblock of the pair at the left of a row, and its row there.
  @inline(__always)
  func place(ofRow y: Int, height: Int) -> (macroblock: Int, row: Int) {
    switch self {
    case .same: (0, y)
    case .samePair(let isBottom): (isBottom ? 1 : 0, y)
    case .fieldsOfFrame(let isBottom): (y & 1, (isBottom ? y &+ height : y) &>> 1)
    case .framesOfField: y &* 2 < height ? (0, y &* 2) : (1, y &* 2 &- height)
    }
  }
}
