// A property and the row of the property table that describes it.

package import XMLDocuments

extension Property {
  /// The row of the property, whose index in ``PropertyTable/rows`` is its number.
  package var row: PropertyRow { PropertyTable.rows[Int(index)] }
}

/// A parsed value, which sets a field of a style.
package struct StyleValue: Sendable {
  package let apply: @Sendable (inout ComputedStyle, StyleContext) -> Void
}

/// The context of computed values: the styles of the parent and of the root element, and the metrics of fonts.
@usableFromInline
package struct StyleContext: Sendable {
  /// The style of the parent element.
  @usableFromInline package let parent: ComputedStyle
  /// The font size of the root element, in user units.
  @usableFromInline let rootFontSize: Double
  /// The style of the root element, unless this is the root element.
  @usableFromInline var root: ComputedStyle?
  /// The metrics of fonts.
  @usableFromInline var units: FontUnits?

  @inlinable
  package init(parent: ComputedStyle, rootFontSize: Double, root: ComputedStyle? = nil, units: FontUnits? = nil) {
    self.parent = parent
    self.rootFontSize = rootFontSize
    self.root = root
    self.units = units
  }

  /// Returns the context of lengths that refer to the font of a style.
  func lengths(_ style: ComputedStyle, percentBase: Double = 0) -> LengthContext {
    LengthContext(
      fontSize: style.fontSize, rootFontSize: rootFontSize, viewportWidth: percentBase, viewportHeight: percentBase,
      font: units.map { FontReference(units: $0, style: style, root: root) })
  }
}

/// The value of a declaration.
package enum DeclaredValue: Sendable {
  case inherit
  case initial
  /// `unset`, and `revert` for lack of other origins: inherited properties are inherited, others are initial.
  case unset
  /// The value of the declarations with the next lower precedence outside the layer of this one.
  case revertLayer
  case value(StyleValue)
  /// A value with var(), parsed after the substitution. The property is the one that was declared, which is a shorthand
  /// of the property to be set or that property itself.
  case text(TextSlice, of: Property)
}

/// A property with its value.
struct Declaration: Sendable {
  var property: Property
  var value: DeclaredValue
  var isImportant = false
  /// The number of bytes of the value's text, which bounds the work of computing it for an element.
  var byteCount: Int32 = 0
}

/// The description of a property.
package final class PropertyRow: Sendable {
  /// The longhands that a shorthand sets, with their values.
  typealias Expansion = [(name: String, value: DeclaredValue)]
  typealias Parser = @Sendable (Span<UInt8>) -> StyleValue?
  package typealias Copier = @Sendable (inout ComputedStyle, ComputedStyle) -> Void
  typealias Limitation = @Sendable (Span<UInt8>) -> String?

  package let name: String
  /// Whether children inherit the value.
  package let isInherited: Bool
  /// Whether an attribute of the same name sets the property.
  package let isAttribute: Bool
  /// Whether other properties of the same element depend on this one, which is therefore computed first.
  let isFirst: Bool
  /// Parses a value; `nil` if it is invalid.
  let parse: Parser
  /// Copies the value from another style.
  package let copy: Copier
  /// The longhands of a shorthand; empty for others.
  let longhands: [String]
  /// Divides the value of a shorthand; `nil` if it is invalid.
  let expand: (@Sendable (Span<UInt8>) -> Expansion?)?
  /// The diagnostic for a value that is parsed but not drawn as specified; `nil` for others.
  let limitation: Limitation?

  init(
    name: String, isInherited: Bool, isAttribute: Bool, isFirst: Bool = false, parse: @escaping Parser,
    copy: @escaping Copier, longhands: [String] = [], expand: (@Sendable (Span<UInt8>) -> Expansion?)? = nil,
    limitation: Limitation? = nil
  ) {
    self.name = name
    self.isInherited = isInherited
    self.isAttribute = isAttribute
    self.isFirst = isFirst
    self.parse = parse
    self.copy = copy
    self.longhands = longhands
    self.expand = expand
    self.limitation = limitation
  }
}

extension PropertyRow {
  /// An inherited property.
  static func inherited<Value: Sendable>(
    _ name: String, _ path: any WritableKeyPath<InheritedStyle, Value> & Sendable, isAttribute: Bool = true,
    isFirst: Bool = false, limitation: Limitation? = nil,
    _ parse: @escaping @Sendable (Span<UInt8>) -> Value?
  ) -> PropertyRow {
    PropertyRow(
      name: name, isInherited: true, isAttribute: isAttribute, isFirst: isFirst,
      parse: { bytes in
        guard let value = parse(bytes) else { return nil }
        return StyleValue { style, _ in style.inherited[keyPath: path] = value }
      },
      copy: { style, other in style.inherited[keyPath: path] = other.inherited[keyPath: path] },
      limitation: limitation)
  }

  /// An inherited property whose computed value depends on other properties or on the parent.
  static func inherited<Parsed: Sendable, Value: Sendable>(
    _ name: String, _ path: any WritableKeyPath<InheritedStyle, Value> & Sendable, isAttribute: Bool = true,
    isFirst: Bool = false, limitation: Limitation? = nil,
    _ parse: @escaping @Sendable (Span<UInt8>) -> Parsed?,
    computed: @escaping @Sendable (Parsed, ComputedStyle, StyleContext) -> Value
  ) -> PropertyRow {
    PropertyRow(
      name: name, isInherited: true, isAttribute: isAttribute, isFirst: isFirst,
      parse: { bytes in
        guard let parsed = parse(bytes) else { return nil }
        return StyleValue { style, context in
          let value = computed(parsed, style, context)
          style.inherited[keyPath: path] = value
        }
      },
      copy: { style, other in style.inherited[keyPath: path] = other.inherited[keyPath: path] },
      limitation: limitation)
  }

  /// A property that is not inherited.
  static func own<Value: Sendable>(
    _ name: String, _ path: any WritableKeyPath<OwnStyle, Value> & Sendable, isAttribute: Bool = true,
    limitation: Limitation? = nil, _ parse: @escaping @Sendable (Span<UInt8>) -> Value?
  ) -> PropertyRow {
    PropertyRow(
      name: name, isInherited: false, isAttribute: isAttribute,
      parse: { bytes in
        guard let value = parse(bytes) else { return nil }
        return StyleValue { style, _ in style.own[keyPath: path] = value }
      },
      copy: { style, other in style.own[keyPath: path] = other.own[keyPath: path] }, limitation: limitation)
  }

  /// A property that is not inherited, whose computed value depends on other properties.
  static func own<Parsed: Sendable, Value: Sendable>(
    _ name: String, _ path: any WritableKeyPath<OwnStyle, Value> & Sendable, isAttribute: Bool = true,
    limitation: Limitation? = nil, _ parse: @escaping @Sendable (Span<UInt8>) -> Parsed?,
    computed: @escaping @Sendable (Parsed, ComputedStyle, StyleContext) -> Value
  ) -> PropertyRow {
    PropertyRow(
      name: name, isInherited: false, isAttribute: isAttribute,
      parse: { bytes in
        guard let parsed = parse(bytes) else { return nil }
        return StyleValue { style, context in
          let value = computed(parsed, style, context)
          style.own[keyPath: path] = value
        }
      },
      copy: { style, other in style.own[keyPath: path] = other.own[keyPath: path] }, limitation: limitation)
  }

  /// A shorthand.
  static func shorthand(
    _ name: String, of longhands: [String], isAttribute: Bool = false,
    limitation: Limitation? = nil, _ expand: @escaping @Sendable (Span<UInt8>) -> Expansion?
  ) -> PropertyRow {
    PropertyRow(
      name: name, isInherited: false, isAttribute: isAttribute, parse: { _ in nil }, copy: { _, _ in },
      longhands: longhands, expand: expand, limitation: limitation)
  }

  /// A property that affects nothing in a static drawing; every value is accepted.
  static func ignored(_ name: String, isAttribute: Bool = true) -> PropertyRow {
    PropertyRow(
      name: name, isInherited: false, isAttribute: isAttribute, parse: { _ in StyleValue { _, _ in } },
      copy: { _, _ in }, limitation: { _ in nil })
  }

  /// A property that is not supported; values other than some keywords yield a diagnostic.
  static func unsupported(_ name: String, isAttribute: Bool = false, except initial: String...) -> PropertyRow {
    PropertyRow(
      name: name, isInherited: false, isAttribute: isAttribute, parse: { _ in StyleValue { _, _ in } },
      copy: { _, _ in },
      limitation: { bytes in
        initial.contains { isWord(bytes, $0) } ? nil : "the property \(name) has no effect"
      })
  }
}

/// Returns whether a value is a keyword in lower case, ignoring the ASCII case and surrounding white space.
func isWord(_ bytes: Span<UInt8>, _ word: String) -> Bool {
  let range = StyleSheet.trimmed(0..<bytes.count, of: bytes)
  guard range.count == word.utf8.count else { return false }
  var index = range.lowerBound
  for byte in word.utf8 {
    if lowercased(bytes[index]) != byte { return false }
    index += 1
  }
  return true
}
