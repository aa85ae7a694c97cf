// The part of a file that is visible to a decoder.

internal import ImageCore

/// A contiguous part of a file that starts at an offset and extends to the bytes received so far.
package struct InputWindow: ~Escapable {
  /// The bytes.
  package let bytes: Span<UInt8>
  /// The offset of the first byte from the start of the file.
  package let baseOffset: Int
  /// Whether the file ends with these bytes.
  package let isFinal: Bool

  @_lifetime(copy bytes)
  package init(_ bytes: Span<UInt8>, baseOffset: Int = 0, isFinal: Bool = true) {
    self.bytes = bytes
    self.baseOffset = baseOffset
    self.isFinal = isFinal
  }

  /// The offset of the end of the bytes from the start of the file.
  package var endOffset: Int { baseOffset + bytes.count }
}
