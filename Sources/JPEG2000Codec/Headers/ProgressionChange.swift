// POC: changes of the progression order (ITU-T T.800, A.6.6).

internal import ImageCoding

/// A progression over some of the resolutions, components and layers of a tile.
struct ProgressionChange: Sendable {
  let progression: Progression
  let resolutions: Range<Int>
  let components: Range<Int>
  let layerEnd: Int

  /// The progression of a tile without changes.
  init(_ style: TileCodingStyle, componentCount: Int) {
    progression = style.progression
    resolutions = 0..<33
    components = 0..<componentCount
    layerEnd = style.layerCount
  }

  init(componentCount: Int, parsing reader: inout ByteReader) throws(CodecError) {
    let isWide = componentCount >= 257
    let firstResolution = Int(try reader.readUInt8())
    let firstComponent = Int(isWide ? try reader.readUInt16BigEndian() : UInt16(try reader.readUInt8()))
    layerEnd = Int(try reader.readUInt16BigEndian())
    let resolutionEnd = Int(try reader.readUInt8())
    var componentEnd = Int(isWide ? try reader.readUInt16BigEndian() : UInt16(try reader.readUInt8()))
    if componentEnd == 0 { componentEnd = isWide ? 16384 : 256 }
    let order = try reader.readUInt8()
    guard let progression = Progression(rawValue: order) else {
      throw reader.error(.malformed, "the progression order is \(order)")
    }
    self.progression = progression
    resolutions = firstResolution..<max(firstResolution, min(33, resolutionEnd))
    components = firstComponent..<max(firstComponent, min(componentCount, componentEnd))
  }

  /// Reads the changes of a segment.
  static func changes(
    componentCount: Int, parsing reader: inout ByteReader, budget: inout ResourceBudget
  ) throws(CodecError) -> [ProgressionChange] {
    let byteCount = componentCount >= 257 ? 9 : 7
    var changes: [ProgressionChange] = []
    while reader.remaining >= byteCount {
      try budget.allocate(MemoryLayout<ProgressionChange>.stride)
      changes.append(try ProgressionChange(componentCount: componentCount, parsing: &reader))
    }
    return changes
  }
}
