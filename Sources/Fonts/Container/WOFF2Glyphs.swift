// Reconstruction of the tables `glyf` and `loca`, whose glyphs WOFF 2 divides into streams of similar data (WOFF 2.0,
// section 5.1).

internal import ImageCore

/// Reconstructs outlines.
struct WOFF2Glyphs {
  /// The reconstructed tables. Locations are 32 bits wide.
  struct Tables {
    var glyphs: TableBytes
    var locations: TableBytes
  }

  private var contours: WOFF2Cursor
  private var pointCounts: WOFF2Cursor
  private var flags: WOFF2Cursor
  private var coordinates: WOFF2Cursor
  private var components: WOFF2Cursor
  private let boxBitmapStart: Int
  private var boxes: WOFF2Cursor
  private var instructions: WOFF2Cursor
  /// The start of a bitmap of the simple glyphs whose contours overlap, if there is one.
  private let overlapStart: Int?

  private let glyphCount: Int
  private var output: [UInt8] = []
  private var locations: [UInt8] = []
  /// The points of one glyph, relative to each other.
  private var points: [(dx: Int, dy: Int, isOnCurve: Bool)] = []

  /// Undoes the transform.
  ///
  /// The work and the size of the result are proportional to the size of the transformed table.
  static func tables(_ table: TableBytes, budget: inout ResourceBudget) throws(CodecError) -> Tables {
    let bytes = table.bytes(at: 0, count: table.count)
    let data = bytes.span
    var glyphs = try WOFF2Glyphs(data)
    try budget.chargeWork(count: data.count, unitsEach: 20)
    // A point takes at most five bytes, and a glyph's header, padding and location at most nineteen.
    let bound = try budget.allocate(count: data.count + 4 * glyphs.glyphCount, bytesEach: 5)
    do throws(CodecError) {
      for glyph in 0..<glyphs.glyphCount { try glyphs.append(glyph, data) }
    } catch {
      budget.release(bound)
      throw error
    }
    glyphs.appendLocation()
    budget.release(bound - glyphs.output.count - glyphs.locations.count)
    return Tables(glyphs: TableBytes(glyphs.output), locations: TableBytes(glyphs.locations))
  }

  /// A copy of the table `head` that says that locations have 32 bits.
  static func withLongLocations(_ head: TableBytes) -> TableBytes {
    var bytes = head.bytes(at: 0, count: head.count)
    if bytes.count >= 52 { (bytes[50], bytes[51]) = (0, 1) }
    return TableBytes(bytes)
  }

  /// Reads the header: the sizes of the streams, which follow each other.
  private init(_ data: Span<UInt8>) throws(CodecError) {
    var header = WOFF2Cursor(position: 0, end: data.count)
    _ = try header.skip(2)
    let options = try header.uint16(data)
    glyphCount = try header.uint16(data)
    // The format of `loca` before compression.
    _ = try header.skip(2)
    var sizes: [Int] = []
    for _ in 0..<7 { sizes.append(try header.uint32(data)) }
    var streams: [WOFF2Cursor] = []
    for size in sizes {
      let start = try header.skip(size)
      streams.append(WOFF2Cursor(position: start, end: header.position))
    }
    (contours, pointCounts, flags, coordinates) = (streams[0], streams[1], streams[2], streams[3])
    (components, boxes, instructions) = (streams[4], streams[5], streams[6])
    boxBitmapStart = try boxes.skip(((glyphCount + 31) >> 5) << 2)
    overlapStart = options & 1 == 0 ? nil : try header.skip((glyphCount + 7) >> 3)
  }

  private func bit(_ index: Int, _ start: Int, _ data: Span<UInt8>) -> Bool {
    data[start + index >> 3] & (0x80 >> UInt8(index & 7)) != 0
  }

  private mutating func appendLocation() {
    append32(output.count)
  }

  private mutating func append32(_ value: Int) {
    for shift in [24, 16, 8, 0] { locations.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  private mutating func append16(_ value: Int) {
    output.append(UInt8(truncatingIfNeeded: value >> 8))
    output.append(UInt8(truncatingIfNeeded: value))
  }

  private mutating func append(_ glyph: Int, _ data: Span<UInt8>) throws(CodecError) {
    appendLocation()
    let count = try contours.int16(data)
    let hasBox = bit(glyph, boxBitmapStart, data)
    switch count {
    case 0:
      guard !hasBox else { throw malformed("an empty glyph has a bounding box") }
    case -1:
      guard hasBox else { throw malformed("a composite glyph has no bounding box") }
      try appendComposite(data)
    case 1...:
      let overlaps = overlapStart.map { bit(glyph, $0, data) } ?? false
      try appendSimple(contourCount: count, hasBox: hasBox, overlaps: overlaps, data)
    default: throw malformed("the number of contours is negative")
    }
    while output.count & 3 != 0 { output.append(0) }
  }

  private func malformed(_ reason: String) -> CodecError {
    CodecError(.malformed, "\(reason), in the transformed table glyf", format: .font)
  }

  /// Appends bytes of a stream, which has been advanced over them.
  private mutating func copy(_ count: Int, at start: Int, _ data: Span<UInt8>) {
    for index in start..<start + count { output.append(data[index]) }
  }

  private mutating func appendComposite(_ data: Span<UInt8>) throws(CodecError) {
    append16(-1)
    copy(8, at: try boxes.skip(8), data)
    var hasInstructions = false
    var flags = 0x20
    while flags & 0x20 != 0 {
      flags = try components.uint16(data)
      append16(flags)
      var count = 2 + (flags & 0x01 != 0 ? 4 : 2)
      if flags & 0x08 != 0 {
        count += 2
      } else if flags & 0x40 != 0 {
        count += 4
      } else if flags & 0x80 != 0 {
        count += 8
      }
      copy(count, at: try components.skip(count), data)
      if flags & 0x100 != 0 { hasInstructions = true }
    }
    if hasInstructions { try appendInstructions(data) }
  }

  private mutating func appendInstructions(_ data: Span<UInt8>) throws(CodecError) {
    let count = try coordinates.short(data)
    append16(count)
    copy(count, at: try instructions.skip(count), data)
  }

  private mutating func appendSimple(
    contourCount: Int, hasBox: Bool, overlaps: Bool, _ data: Span<UInt8>
  ) throws(CodecError) {
    append16(contourCount)
    let boxStart = output.count
    if hasBox { copy(8, at: try boxes.skip(8), data) } else { output.append(contentsOf: repeatElement(0, count: 8)) }
    var pointCount = 0
    for _ in 0..<contourCount {
      pointCount += try pointCounts.short(data)
      guard 1...0x1_0000 ~= pointCount else { throw malformed("a glyph has too many points") }
      append16(pointCount - 1)
    }
    try readPoints(pointCount, data)
    try appendInstructions(data)
    appendPoints(overlaps: overlaps)
    if !hasBox { setBox(at: boxStart) }
  }

  /// Reads points: a byte with flags and up to four bytes with coordinates for each.
  private mutating func readPoints(_ count: Int, _ data: Span<UInt8>) throws(CodecError) {
    points.removeAll(keepingCapacity: true)
    for _ in 0..<count {
      let byte = try flags.uint8(data)
      let kind = byte & 127
      func signed(_ shift: Int, _ magnitude: Int) -> Int { kind >> shift & 1 == 0 ? -magnitude : magnitude }
      let first = try coordinates.uint8(data)
      let (dx, dy): (Int, Int)
      switch kind {
      case 0..<10: (dx, dy) = (0, signed(0, (kind & 14) << 7 + first))
      case 10..<20: (dx, dy) = (signed(0, ((kind - 10) & 14) << 7 + first), 0)
      case 20..<84:
        let high = kind - 20
        dx = signed(0, 1 + high & 0x30 + first >> 4)
        dy = signed(1, 1 + (high & 0x0C) << 2 + first & 15)
      case 84..<120:
        let high = kind - 84
        dx = signed(0, 1 + (high / 12) << 8 + first)
        dy = signed(1, 1 + ((high % 12) >> 2) << 8 + (try coordinates.uint8(data)))
      case 120..<124:
        let second = try coordinates.uint8(data)
        dx = signed(0, first << 4 + second >> 4)
        dy = signed(1, (second & 15) << 8 + (try coordinates.uint8(data)))
      default:
        dx = signed(0, first << 8 + (try coordinates.uint8(data)))
        dy = signed(1, try coordinates.uint16(data))
      }
      points.append((dx, dy, byte & 0x80 == 0))
    }
  }

  /// Writes the points in the format of `glyf`.
  private mutating func appendPoints(overlaps: Bool) {
    for (index, point) in points.enumerated() {
      var flag: UInt8 = point.isOnCurve ? 0x01 : 0
      if index == 0, overlaps { flag |= 0x40 }
      flag |= WOFF2Glyphs.flag(point.dx, short: 0x02, sameOrPositive: 0x10)
      flag |= WOFF2Glyphs.flag(point.dy, short: 0x04, sameOrPositive: 0x20)
      output.append(flag)
    }
    for point in points { appendCoordinate(point.dx) }
    for point in points { appendCoordinate(point.dy) }
  }

  private static func flag(_ distance: Int, short: UInt8, sameOrPositive: UInt8) -> UInt8 {
    switch distance {
    case 0: sameOrPositive
    case 1...255: short | sameOrPositive
    case -255 ... -1: short
    default: 0
    }
  }

  private mutating func appendCoordinate(_ distance: Int) {
    if -255...255 ~= distance {
      if distance != 0 { output.append(UInt8(truncatingIfNeeded: abs(distance))) }
    } else {
      append16(distance)
    }
  }

  private mutating func setBox(at start: Int) {
    var (x, y) = (0, 0)
    var (minX, minY, maxX, maxY) = (Int.max, Int.max, Int.min, Int.min)
    for point in points {
      x += point.dx
      y += point.dy
      (minX, maxX) = (min(minX, x), max(maxX, x))
      (minY, maxY) = (min(minY, y), max(maxY, y))
    }
    for (index, value) in [minX, minY, maxX, maxY].enumerated() {
      output[start + index * 2] = UInt8(truncatingIfNeeded: value >> 8)
      output[start + index * 2 + 1] = UInt8(truncatingIfNeeded: value)
    }
  }
}
