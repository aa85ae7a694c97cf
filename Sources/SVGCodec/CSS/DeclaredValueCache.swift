// Parsed values by their text, since many elements repeat the same declarations.

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
  /// The number of bytes of all stored values.
  static let byteCount = maximumCount * 160

  private struct Shorthand: Sendable {
    var text: TextSlice
    var declarations: [Declaration]
  }

  private var entries: [UInt64: Entry] = [:]
  private var shorthands: [UInt64: Shorthand] = [:]

  /// Returns the value of a longhand. It is parsed unless the same text has been parsed before.
  ///
  /// - Returns: `nil` if the text is not a valid value.
  mutating func value(of property: Property, _ slice: TextSlice, in text: Span<UInt8>) -> DeclaredValue? {
    guard slice.count <= Self.maximumByteCount else {
      return DeclarationParser.longhandValue(property, text.extracting(slice.range), slice)
    }
    let key = Self.key(property, slice, text)
    if let known = entries[key], Self.isEqual(known.text, slice, text) { return known.value }
    let value = DeclarationParser.longhandValue(property, text.extracting(slice.range), slice)
    if entries.count < Self.maximumCount { entries[key] = Entry(text: slice, value: value) }
    return value
  }

  /// Returns the declarations of a shorthand that has been stored; `nil` if the same text has not.
  func declarations(of property: Property, _ slice: TextSlice, in text: Span<UInt8>) -> [Declaration]? {
    guard slice.count <= Self.maximumByteCount, let known = shorthands[Self.key(property, slice, text)],
      Self.isEqual(known.text, slice, text)
    else { return nil }
    return known.declarations
  }

  /// Stores the declarations of a valid shorthand.
  mutating func store(
    _ declarations: [Declaration], of property: Property, _ slice: TextSlice, in text: Span<UInt8>
  ) {
    guard slice.count <= Self.maximumByteCount, shorthands.count < Self.maximumCount else { return }
    shorthands[Self.key(property, slice, text)] = Shorthand(text: slice, declarations: declarations)
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
