// The parameters of gain maps: ISO 21496-1, and the XMP properties of Adobe's and Google's format (Ultra HDR 1.0).

public import ImageCore

/// The parameters by which the samples of a gain map scale the light of the base picture.
///
/// For each component, with a sample `g` in 0…1: the alternate light is `(base + baseOffset) · 2^(w · (minimum +
/// (maximum - minimum) · g^(1/gamma))) - alternateOffset`, where the weight `w` rises from 0 to 1 as the headroom of
/// the display rises from ``baseHeadroom`` to ``alternateHeadroom``.
public struct GainMapMetadata: Hashable, Codable, Sendable {
  /// The parameters of one component.
  public struct Component: Hashable, Codable, Sendable {
    /// The binary logarithm of the gain for the sample 0.
    public var minimum: Double
    /// The binary logarithm of the gain for a full sample.
    public var maximum: Double
    /// The exponent with which samples are encoded; positive.
    public var gamma: Double
    /// Added to the light of the base picture.
    public var baseOffset: Double
    /// Subtracted from the light of the alternate picture.
    public var alternateOffset: Double

    /// Creates parameters; the defaults are those of the XMP properties.
    public init(
      minimum: Double = 0, maximum: Double = 1, gamma: Double = 1, baseOffset: Double = 1.0 / 64,
      alternateOffset: Double = 1.0 / 64
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.gamma = gamma
      self.baseOffset = baseOffset
      self.alternateOffset = alternateOffset
    }
  }

  /// One component for all colours, or three for red, green and blue.
  public var components: [Component]
  /// The binary logarithm of the headroom for which the base picture is made; 0 for an ordinary display.
  public var baseHeadroom: Double
  /// The binary logarithm of the headroom for which the alternate picture is made. If it is less than that of the base,
  /// the base picture has the high dynamic range.
  public var alternateHeadroom: Double
  /// Whether the map applies in the colour space of the base picture rather than in that of the map.
  public var usesBaseColorSpace: Bool

  /// Creates the parameters of a map.
  public init(
    components: [Component] = [Component()], baseHeadroom: Double = 0, alternateHeadroom: Double = 1,
    usesBaseColorSpace: Bool = true
  ) {
    self.components = components
    self.baseHeadroom = baseHeadroom
    self.alternateHeadroom = alternateHeadroom
    self.usesBaseColorSpace = usesBaseColorSpace
  }
}

// MARK: ISO 21496-1

extension GainMapMetadata {
  /// The name at the start of a JPEG segment with the parameters (ISO 21496-1, annex C).
  package static let segmentName = "urn:iso:std:iso:ts:21496:-1\0"

  /// Reads the binary format (ISO 21496-1, annex C), as in JPEG segments and HEIF's tone-map items.
  ///
  /// - Throws: `CodecError.Kind.malformed`, `CodecError.Kind.truncated`; `CodecError.Kind.unsupported` for a
  ///   later version.
  public init(iso21496 bytes: Span<UInt8>) throws(CodecError) {
    var reader = ByteReader(bytes)
    guard try reader.readUInt16BigEndian() == 0 else {
      throw reader.error(.unsupported, "the gain map has a later version")
    }
    try reader.skip(2)
    let flags = try reader.readUInt8()
    self.init(components: [], usesBaseColorSpace: flags & 0x40 != 0)
    // libultrahdr shares a denominator among all fractions on request.
    let denominator = flags & 8 != 0 ? try reader.readUInt32BigEndian() : nil
    baseHeadroom = try reader.readFraction(isSigned: false, over: denominator)
    alternateHeadroom = try reader.readFraction(isSigned: false, over: denominator)
    for _ in 0..<(flags & 0x80 != 0 ? 3 : 1) {
      var component = Component()
      component.minimum = try reader.readFraction(isSigned: true, over: denominator)
      component.maximum = try reader.readFraction(isSigned: true, over: denominator)
      component.gamma = try reader.readFraction(isSigned: false, over: denominator)
      component.baseOffset = try reader.readFraction(isSigned: true, over: denominator)
      component.alternateOffset = try reader.readFraction(isSigned: true, over: denominator)
      guard component.gamma > 0 else { throw reader.error(.malformed, "the exponent of the gain map is not positive") }
      components.append(component)
    }
  }

  /// Reads the contents of a HEIF item of the type `tmap`: a version, 0, and the binary format.
  ///
  /// - Throws: the errors of ``init(iso21496:)``.
  package init(toneMapItem bytes: [UInt8]) throws(CodecError) {
    var reader = ByteReader(bytes.span)
    guard try reader.readUInt8() == 0 else {
      throw reader.error(.unsupported, "the tone-map item has a later version")
    }
    try self.init(iso21496: bytes.span.extracting(1..<bytes.count))
  }

  /// The binary format, with fractions over 1,000,000, of three components or the first one. Headrooms are at least 0
  /// there, and exponents at least a millionth.
  public var iso21496Bytes: [UInt8] {
    var writer = ByteWriter(.bigEndian)
    writer.append(UInt32(0))
    let kept = components.count == 3 ? components : [components.first ?? Component()]
    var bytes = writer.bytes + [UInt8(kept.count == 3 ? 0x80 : 0) | (usesBaseColorSpace ? 0x40 : 0)]
    for value in [max(0, baseHeadroom), max(0, alternateHeadroom)] + kept.flatMap({ $0.values }) {
      var fraction = ByteWriter(.bigEndian)
      let scaled = value.isFinite ? min(max((value * 1_000_000).rounded(), -0x7FFF_FFFF), 0x7FFF_FFFF) : 0
      fraction.append(UInt32(bitPattern: Int32(scaled)))
      fraction.append(UInt32(1_000_000))
      bytes += fraction.bytes
    }
    return bytes
  }
}

extension GainMapMetadata.Component {
  /// The parameters in the order of the binary format. The exponent is positive there.
  fileprivate var values: [Double] { [minimum, maximum, max(gamma, 1e-6), baseOffset, alternateOffset] }
}

extension ByteReader {
  @_lifetime(self: copy self)
  fileprivate mutating func readFraction(isSigned: Bool, over shared: UInt32?) throws(CodecError) -> Double {
    let bits = try readUInt32BigEndian()
    let numerator = isSigned ? Double(Int32(bitPattern: bits)) : Double(bits)
    let denominator = if let shared { shared } else { try readUInt32BigEndian() }
    guard denominator != 0 else { throw error(.malformed, "a parameter of the gain map is divided by 0") }
    return numerator / Double(denominator)
  }
}

// MARK: XMP

extension GainMapMetadata {
  /// Reads the properties of the namespace `http://ns.adobe.com/hdr-gain-map/1.0/`; `nil` if they describe no map.
  public init?(_ packet: XMPPacket) {
    guard packet.value(of: "hdrgm:Version") != nil else { return nil }
    func values(_ name: String, _ fallback: Double?) -> [Double]? {
      let texts = packet.values(of: "hdrgm:" + name)
      if texts.isEmpty { return fallback.map { [$0] } }
      let numbers = texts.compactMap { Double($0) }.filter { $0.isFinite }
      return numbers.count == texts.count && (numbers.count == 1 || numbers.count == 3) ? numbers : nil
    }
    guard let maximum = values("GainMapMax", nil), let minimum = values("GainMapMin", 0),
      let gamma = values("Gamma", 1), gamma.allSatisfy({ $0 > 0 }), let base = values("OffsetSDR", 1.0 / 64),
      let alternate = values("OffsetHDR", 1.0 / 64), let lowest = values("HDRCapacityMin", 0)?.first,
      let highest = values("HDRCapacityMax", nil)?.first
    else { return nil }
    let isReversed = packet.value(of: "hdrgm:BaseRenditionIsHDR")?.lowercased() == "true"
    let count = [maximum, minimum, gamma, base, alternate].map { $0.count }.max() ?? 1
    func at(_ values: [Double], _ index: Int) -> Double { values[min(index, values.count - 1)] }
    self.init(
      components: (0..<count).map { index in
        Component(
          minimum: at(minimum, index), maximum: at(maximum, index), gamma: at(gamma, index),
          baseOffset: at(isReversed ? alternate : base, index),
          alternateOffset: at(isReversed ? base : alternate, index))
      },
      baseHeadroom: isReversed ? highest : lowest, alternateHeadroom: isReversed ? lowest : highest)
  }

  /// The properties as a packet, for the file of the map.
  public var xmpPacket: [UInt8] {
    let isReversed = alternateHeadroom < baseHeadroom
    func list(_ name: String, _ value: (Component) -> Double) -> String {
      let items = components.map { "<rdf:li>\(value($0))</rdf:li>" }.joined()
      return "<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
    }
    let lists =
      list("GainMapMin") { $0.minimum } + list("GainMapMax") { $0.maximum } + list("Gamma") { $0.gamma }
      + list("OffsetSDR") { isReversed ? $0.alternateOffset : $0.baseOffset }
      + list("OffsetHDR") { isReversed ? $0.baseOffset : $0.alternateOffset }
    return Self.packet(
      """
      <rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" \
      hdrgm:BaseRenditionIsHDR="\(isReversed ? "True" : "False")" \
      hdrgm:HDRCapacityMin="\(min(baseHeadroom, alternateHeadroom))" \
      hdrgm:HDRCapacityMax="\(max(baseHeadroom, alternateHeadroom))">\(lists)</rdf:Description>
      """)
  }

  /// The packet of a base picture that is followed by the file of its map.
  package static func basePacket(mapByteCount: Int) -> [UInt8] {
    func item(_ semantic: String, _ length: String) -> String {
      """
      <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="\(semantic)" Item:Mime="image/jpeg"\(length)/>\
      </rdf:li>
      """
    }
    return packet(
      """
      <rdf:Description rdf:about="" xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" \
      xmlns:Container="http://ns.google.com/photos/1.0/container/" \
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/" hdrgm:Version="1.0"><Container:Directory><rdf:Seq>\
      \(item("Primary", ""))\(item("GainMap", " Item:Length=\"\(mapByteCount)\""))\
      </rdf:Seq></Container:Directory></rdf:Description>
      """)
  }

  private static func packet(_ description: String) -> [UInt8] {
    Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
      \(description)</rdf:RDF></x:xmpmeta>
      """.utf8)
  }
}
