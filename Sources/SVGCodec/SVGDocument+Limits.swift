// What is counted of a document besides the memory and the work that its budget is charged with.

public import ImageCore

extension SVGDocument {
  /// What a document may cost. All bounds hold for one parse or one drawing.
  ///
  /// Memory, work and time are those of ``decoding``. The counts bound what is cheap to write and dear to hold; their
  /// defaults go with the default memory of 512 MiB and are smaller or larger in proportion to
  /// ``DecodingLimits/maximumByteCount``.
  public struct Limits: Hashable, Sendable {
    /// Bounds of pixels, bytes, work and time.
    public var decoding: DecodingLimits
    /// The most bytes of text, after decompression. Default 128 MiB.
    public var maximumTextByteCount: Int
    /// The most elements. Default 1 million.
    public var maximumElementCount: Int
    /// The most attributes. Default 10 million.
    public var maximumAttributeCount: Int
    /// How deep elements may be nested. Default 1,024.
    public var maximumNestingDepth: Int
    /// The most entities that may be declared. Default 10,000.
    public var maximumEntityCount: Int
    /// How deep entities may refer to each other. Default 10.
    public var maximumEntityDepth: Int
    /// The most references to entities. Default 100,000.
    public var maximumEntityReferenceCount: Int
    /// The most bytes that entities may expand to. Default 1 MiB.
    public var maximumEntityByteCount: Int
    /// The most bytes that declarations with `var()` may be replaced by. Default 16 MiB.
    public var maximumSubstitutionByteCount: Int
    /// The most rules of all style sheets. Default 100,000.
    public var maximumStyleRuleCount: Int
    /// The most steps of matching selectors with elements. Default 20 million.
    public var maximumSelectorStepCount: Int
    /// The most references by `use`, `url()` and markers. Default 200,000.
    public var maximumReferenceCount: Int
    /// The most nodes to be drawn once all references are resolved. Default 1 million.
    public var maximumNodeCount: Int
    /// The most segments of all paths. Default 10 million.
    public var maximumPathSegmentCount: Int
    /// The most characters of all texts, those that `use` repeats counted again. Default 200,000.
    public var maximumCharacterCount: Int
    /// The most stops of a gradient; what follows is dropped. Default 10,000.
    public var maximumGradientStopCount: Int
    /// The most primitives of all filters. Default 10,000.
    public var maximumFilterPrimitiveCount: Int
    /// The most nodes that one drawing visits again, in patterns, masks and clips that are used more than once. Default
    /// 200,000.
    public var maximumRepeatedVisitCount: Int
    /// The most lines that one drawing makes of curves, strokes and dashes, in addition to two for each segment. Default
    /// 5 million.
    public var maximumLineCount: Int
    /// How many layers may be on top of each other. Default 50.
    public var maximumLayerDepth: Int

    /// The limits that go with those of a decode. With an unlimited number of bytes nothing is counted.
    public init(decoding: DecodingLimits = .default) {
      self.decoding = decoding
      let usual = DecodingLimits.default.maximumByteCount
      func proportional(_ count: Int) -> Int {
        if decoding.maximumByteCount == .max { return .max }
        let share = Double(decoding.maximumByteCount) / Double(usual)
        return share == 1 ? count : Int(min(max(1, Double(count) * share), Double(Int.max >> 2)))
      }
      func independent(_ count: Int) -> Int { decoding.maximumByteCount == .max ? .max : count }
      maximumTextByteCount = proportional(128 << 20)
      maximumElementCount = proportional(1_000_000)
      maximumAttributeCount = proportional(10_000_000)
      maximumNestingDepth = independent(1_024)
      maximumEntityCount = proportional(10_000)
      maximumEntityDepth = independent(10)
      maximumEntityReferenceCount = proportional(100_000)
      maximumEntityByteCount = proportional(1 << 20)
      maximumSubstitutionByteCount = proportional(16 << 20)
      maximumStyleRuleCount = proportional(100_000)
      maximumSelectorStepCount = proportional(20_000_000)
      maximumReferenceCount = proportional(200_000)
      maximumNodeCount = proportional(1_000_000)
      maximumPathSegmentCount = proportional(10_000_000)
      maximumCharacterCount = proportional(200_000)
      maximumGradientStopCount = independent(10_000)
      maximumFilterPrimitiveCount = proportional(10_000)
      maximumRepeatedVisitCount = proportional(200_000)
      maximumLineCount = proportional(5_000_000)
      maximumLayerDepth = independent(50)
    }
  }
}
