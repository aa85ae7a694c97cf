// The limits of a document in addition to the memory and work charged to its budget. Grammars of CSS have fixed depths:
// the constants `maximumDepth` of CSSStyles, and `maximumLayerDepth` of the layers of colour glyphs.

internal import CSSStyles
public import ImageCoding
internal import XMLDocuments

extension SVGDocument {
  /// The limits of one parse or one drawing.
  ///
  /// Memory, work and time are limited by ``decoding``. The counts limit elements that take few bytes in the document
  /// but much memory. Their defaults apply to the default memory of 512 MiB and scale with
  /// `DecodingLimits.maximumByteCount`.
  public struct Limits: Hashable, Sendable {
    /// The limits of pixels, bytes, work and time.
    public var decoding: DecodingLimits
    /// The maximum number of bytes of text, after decompression. Default 128 MiB.
    public var maximumTextByteCount: Int
    /// The maximum number of elements. Default 1 million.
    public var maximumElementCount: Int
    /// The maximum number of attributes. Default 10 million.
    public var maximumAttributeCount: Int
    /// The maximum nesting depth of elements. Default 1,024.
    public var maximumNestingDepth: Int
    /// The maximum number of declared entities. Default 10,000.
    public var maximumEntityCount: Int
    /// The maximum depth of references between entities. Default 10.
    public var maximumEntityDepth: Int
    /// The maximum number of entity references. Default 100,000.
    public var maximumEntityReferenceCount: Int
    /// The maximum number of bytes to which entities expand. Default 1 MiB.
    public var maximumEntityByteCount: Int
    /// The maximum number of bytes of declarations after the substitution of `var()`. Default 16 MiB.
    public var maximumSubstitutionByteCount: Int
    /// The maximum number of rules in all style sheets. Default 100,000.
    public var maximumStyleRuleCount: Int
    /// The maximum number of steps of selector matching. Default 20 million.
    public var maximumSelectorStepCount: Int
    /// The maximum number of references by `use`, `url()` and markers. Default 200,000.
    public var maximumReferenceCount: Int
    /// The maximum number of nodes after all references are resolved. Default 1 million.
    public var maximumNodeCount: Int
    /// The maximum number of segments of all paths. Default 10 million.
    public var maximumPathSegmentCount: Int
    /// The maximum number of characters of all texts, including repetitions by `use`. Default 200,000.
    public var maximumCharacterCount: Int
    /// The maximum number of stops per gradient; further stops are dropped. Default 10,000.
    public var maximumGradientStopCount: Int
    /// The maximum number of primitives of all filters. Default 10,000.
    public var maximumFilterPrimitiveCount: Int
    /// The maximum number of repeated node visits in one drawing, caused by patterns, masks and clips that are used
    /// more than once. Default 200,000.
    public var maximumRepeatedVisitCount: Int
    /// The maximum number of lines into which one drawing flattens curves, strokes and dashes, in addition to two per
    /// segment. Default 5 million.
    public var maximumLineCount: Int
    /// The maximum number of nested layers. Default 50.
    public var maximumLayerDepth: Int

    /// Creates limits that match those of a decode. If its number of bytes is unlimited, so are all counts.
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

extension SVGDocument.Limits {
  /// The limits of reading the XML.
  var xml: XMLLimits {
    XMLLimits(
      maximumElementCount: maximumElementCount, maximumAttributeCount: maximumAttributeCount,
      maximumNestingDepth: maximumNestingDepth, maximumEntityCount: maximumEntityCount,
      maximumEntityDepth: maximumEntityDepth, maximumEntityReferenceCount: maximumEntityReferenceCount,
      maximumEntityByteCount: maximumEntityByteCount)
  }

  /// The limits of the style sheets.
  var styles: StyleLimits {
    StyleLimits(
      maximumTextByteCount: maximumTextByteCount, maximumStyleRuleCount: maximumStyleRuleCount,
      maximumSelectorStepCount: maximumSelectorStepCount)
  }
}
