// Bytes that hold text in the encodings that metadata uses.

/// UTF-16 up to its first NUL.
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

/// Text up to its first NUL: UTF-8, or where that fails Latin-1. Spaces at the end are padding.
func exifText(_ bytes: Span<UInt8>) -> String {
  var text: [UInt8] = []
  for index in bytes.indices {
    if bytes[index] == 0 { break }
    text.append(bytes[index])
  }
  while text.last == 0x20 { text.removeLast() }
  if let string = String(validating: text, as: UTF8.self) { return string }
  var scalars = String.UnicodeScalarView()
  for byte in text { scalars.append(Unicode.Scalar(byte)) }
  return String(scalars)
}
