// Parsed values by their text, since many elements repeat the same declarations.

internal import ImageCoding
internal import XMLDocuments

/// A property that a shorthand sets, with its value.
typealias Longhand = (property: Property, value: DeclaredValue)

/// The values of declarations that have been parsed.
struct DeclaredValueCache: Sendable {
  private struct Entry: Sendable {
    var text: TextSlice
    /// `nil` if the text is not a valid value.
    var value: DeclaredValue?
  }

  /// The maximum number of bytes of a value that is stored, and of stored values.
  private static let maximumByteCount = 32
  private static let maximumCount = 1_024
  /// The bytes of a list, as declared and as computed, for each character of its text: an element has at least two
  /// characters, and takes 16 bytes.
  private static let bytesPerCharacter = 16
  /// The number of bytes of all stored values.
  static let byteCount = maximumCount * 160

  /// The maximum number of bytes of a shorthand that is stored: names of fonts make them long.
  private static let maximumShorthandByteCount = 256
  /// The work units and the bytes of a longhand to which a shorthand expands.
  private static let workPerLonghand = 4_000
  private static let bytesPerLonghand = 400

  private struct Shorthand: Sendable {
    var text: TextSlice
    /// `nil` if the text is not a valid value.
    var longhands: [Longhand]?
  }

  private var entries: [UInt64: Entry] = [:]
  private var shorthands: [UInt64: Shorthand] = [:]

  /// Returns the value of a longhand. It is parsed unless the same text has been parsed before. Long values, which may be
  /// lists, are charged.
  ///
  /// - Returns: `nil` if the text is not a valid value.
  mutating func value(
    of property: Property, _ slice: TextSlice, in text: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> DeclaredValue? {
    guard slice.count <= Self.maximumByteCount else {
      try budget.allocate(count: Int(slice.count), bytesEach: Self.bytesPerCharacter)
      return DeclarationParser.longhandValue(property, text.extracting(slice.range), slice)
    }
    let key = Self.key(property, slice, text)
    if let known = entries[key], Self.isEqual(known.text, slice, text) { return known.value }
    let value = DeclarationParser.longhandValue(property, text.extracting(slice.range), slice)
    if entries.count < Self.maximumCount { entries[key] = Entry(text: slice, value: value) }
    return value
  }

  /// Returns what a shorthand declares. Its value is parsed, and charged, unless the same text has been parsed before.
  ///
  /// - Returns: `nil` if the text is not a valid value.
  mutating func longhands(
    of property: Property, _ slice: TextSlice, in text: Span<UInt8>, budget: inout ResourceBudget
  ) throws(CodecError) -> [Longhand]? {
    let isStored = slice.count <= Self.maximumShorthandByteCount
    let key = isStored ? Self.key(property, slice, text) : 0
    if isStored, let known = shorthands[key], Self.isEqual(known.text, slice, text) { return known.longhands }
    try budget.chargeWork(count: property.row.longhands.count, unitsEach: Self.workPerLonghand)
    try budget.allocate(count: property.row.longhands.count, bytesEach: Self.bytesPerLonghand)
    let longhands = DeclarationParser.longhands(of: property, text.extracting(slice.range), slice)
    if isStored, shorthands.count < Self.maximumCount {
      shorthands[key] = Shorthand(text: slice, longhands: longhands)
    }
    return longhands
  }

  private static func key(_ property: Property, _ slice: TextSlice, _ text: Span<UInt8>) -> UInt64 {
    XMLDocument.hash(text.extracting(slice.range)) &+ UInt64(property.index) &* 0x9e37_79b9_7f4a_7c15
  }

  private static func isEqual(_ first: TextSlice, _ second: TextSlice, _ text: Span<UInt8>) -> Bool {
    guard first.count == second.count else { return false }
    for index in 0..<Int(first.count) where text[Int(first.start) + index] != text[Int(second.start) + index] {
      return false
    }
    return true
  }
}
