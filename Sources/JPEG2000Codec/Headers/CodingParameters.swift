// The parameters of a header: those of the main header, or of a tile (ITU-T T.800, A.3).

internal import ImageCoding

/// The segments of a header that say how components are coded.
struct CodingParameters: Sendable {
  private(set) var style: TileCodingStyle?
  private(set) var defaultStyle: ComponentCodingStyle?
  private(set) var componentStyles: [Int: ComponentCodingStyle] = [:]
  private(set) var defaultQuantization: Quantization?
  private(set) var componentQuantizations: [Int: Quantization] = [:]
  private(set) var regionShifts: [Int: Int] = [:]
  var progressionChanges: [ProgressionChange] = []

  /// Reads a segment. Those of other markers are ignored.
  mutating func read(
    _ segment: MarkerSegment, _ file: Span<UInt8>, componentCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) {
    // The tables of a component, at most.
    try budget.allocate(64)
    try budget.chargeWork(200, byteOffset: segment.offset)
    var reader = segment.reader(file)
    switch segment.marker {
    case .codingStyleDefault:
      let flags = try reader.readUInt8()
      style = try TileCodingStyle(style: flags, parsing: &reader)
      defaultStyle = try ComponentCodingStyle(hasPrecincts: flags & 1 != 0, parsing: &reader)
    case .codingStyleComponent:
      let component = try Self.component(componentCount, &reader)
      let flags = try reader.readUInt8()
      let style = try ComponentCodingStyle(hasPrecincts: flags & 1 != 0, parsing: &reader)
      if component < componentCount { componentStyles[component] = style }
    case .quantizationDefault:
      try budget.allocate(reader.remaining * MemoryLayout<Quantization.Step>.stride)
      defaultQuantization = try Quantization(parsing: &reader)
    case .quantizationComponent:
      let component = try Self.component(componentCount, &reader)
      try budget.allocate(reader.remaining * MemoryLayout<Quantization.Step>.stride)
      let quantization = try Quantization(parsing: &reader)
      if component < componentCount { componentQuantizations[component] = quantization }
    case .regionOfInterest:
      let component = try Self.component(componentCount, &reader)
      let style = try reader.readUInt8()
      guard style == 0 else {
        throw reader.error(.unsupported, "the style \(style) of regions of interest (Part 2) is not supported")
      }
      let shift = Int(try reader.readUInt8())
      if component < componentCount { regionShifts[component] = shift }
    case .progressionOrderChange:
      progressionChanges += try ProgressionChange.changes(
        componentCount: componentCount, parsing: &reader, budget: &budget)
    default: break
    }
  }

  private static func component(_ componentCount: Int, _ reader: inout ByteReader) throws(CodecError) -> Int {
    componentCount >= 257 ? Int(try reader.readUInt16BigEndian()) : Int(try reader.readUInt8())
  }

  /// The coding style of a component: the own header precedes the main one, and a component precedes the default.
  func style(ofComponent index: Int, main: CodingParameters) -> ComponentCodingStyle? {
    componentStyles[index] ?? defaultStyle ?? main.componentStyles[index] ?? main.defaultStyle
  }

  /// The quantisation of a component, with the same precedence.
  func quantization(ofComponent index: Int, main: CodingParameters) -> Quantization? {
    componentQuantizations[index] ?? defaultQuantization ?? main.componentQuantizations[index]
      ?? main.defaultQuantization
  }

  /// The shift of the region of interest of a component; 0 if there is none.
  func regionShift(ofComponent index: Int, main: CodingParameters) -> Int {
    regionShifts[index] ?? main.regionShifts[index] ?? 0
  }
}
