// Decoding of text in the encodings that metadata uses.

internal import ImageCore

/// Decodes UTF-16 up to the first NUL.
func utf16Text(_ bytes: [UInt8], isBigEndian: Bool) -> String {
  var units: [UInt16] = []
  var index = 0
  while index + 1 < bytes.count {
    let first = UInt16(bytes[index])
    let second = UInt16(bytes[index + 1])
    let unit: UInt16 = isBigEndian ? first << 8 | second : second << 8 | first
    if unit == 0 { break }
    units.append(unit)
    index += 2
  }
  return String(decoding: units, as: UTF16.self)
}

/// Decodes text up to the first NUL: UTF-8, or ISO 8859-1 if it is not valid UTF-8. Trailing spaces are padding and
/// dropped.
func exifText(_ bytes: Span<UInt8>) -> String {
  var text = bytes.upToNUL()
  while text.count > 0, text[text.count - 1] == 0x20 { text = text.extracting(0..<text.count - 1) }
  return String(utf8OrLatin1: text)
}
