// Conversion of files to UTF-8: byte order marks, UTF-16, the encodings that an XML declaration names, gzip (SVGZ).

internal import ByteCompression
package import ImageCoding

/// Converts the bytes of a file to UTF-8.
package enum TextEncoding {
  /// Returns the text of a file, decompressed if it is gzip data.
  ///
  /// - Throws: `limitExceeded` if the text exceeds `maximumByteCount` bytes or the budget, `malformed` if gzip data is
  ///   damaged.
  package static func utf8(
    _ bytes: Span<UInt8>, maximumByteCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    if bytes.count >= 2, bytes[0] == 0x1f, bytes[1] == 0x8b {
      let unpacked = try gunzip(bytes, maximumByteCount: maximumByteCount, budget: &budget)
      return try decode(unpacked.span, maximumByteCount: maximumByteCount, budget: &budget)
    }
    return try decode(bytes, maximumByteCount: maximumByteCount, budget: &budget)
  }

  private static func decode(
    _ bytes: Span<UInt8>, maximumByteCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    guard bytes.count <= maximumByteCount else {
      throw CodecError(.limitExceeded, "more than \(maximumByteCount) bytes of XML", format: .svgDocument)
    }
    try budget.allocate(bytes.count)
    if bytes.count >= 3, bytes[0] == 0xef, bytes[1] == 0xbb, bytes[2] == 0xbf {
      return Array(copying: bytes.extracting(3...))
    }
    if bytes.count >= 4 {
      switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
      case (0xfe, 0xff, _, _), (0xff, 0xfe, _, _), (0, 0x3c, 0, _), (0x3c, 0, _, 0):
        // The UTF-16 units, and up to three bytes of UTF-8 for each.
        try budget.allocate(count: bytes.count, bytesEach: 3)
      default: break
      }
      switch (bytes[0], bytes[1], bytes[2], bytes[3]) {
      case (0xfe, 0xff, _, _): return utf16(bytes.extracting(2...), isBigEndian: true)
      case (0xff, 0xfe, _, _): return utf16(bytes.extracting(2...), isBigEndian: false)
      case (0, 0x3c, 0, _): return utf16(bytes, isBigEndian: true)
      case (0x3c, 0, _, 0): return utf16(bytes, isBigEndian: false)
      default: break
      }
    }
    return declaresLatin1(bytes) ? latin1(bytes) : Array(copying: bytes)
  }

  /// Returns whether the XML declaration names a single-byte Western European encoding.
  private static func declaresLatin1(_ bytes: Span<UInt8>) -> Bool {
    let head = bytes.extracting(first: min(bytes.count, 200))
    guard head.count >= 5 else { return false }
    for (index, byte) in "<?xml".utf8.enumerated() where head[index] != byte { return false }
    var lowercase: [UInt8] = []
    for index in 0..<head.count {
      if head[index] == UInt8(ascii: ">") { break }
      lowercase.append(lowercased(head[index]))
    }
    return ["iso-8859-1", "iso-8859-15", "windows-1252", "latin1"].contains { name in
      [Array("\"\(name)\"".utf8), Array("'\(name)'".utf8)].contains { value in
        lowercase.indices.contains { lowercase[$0...].starts(with: value) }
      }
    }
  }

  private static func latin1(_ bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + bytes.count / 8)
    for index in 0..<bytes.count {
      let byte = bytes[index]
      if byte < 0x80 {
        result.append(byte)
      } else {
        result.append(0xc0 | byte >> 6)
        result.append(0x80 | byte & 0x3f)
      }
    }
    return result
  }

  private static func utf16(_ bytes: Span<UInt8>, isBigEndian: Bool) -> [UInt8] {
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var index = 0
    while index + 1 < bytes.count {
      let first = UInt16(bytes[index])
      let second = UInt16(bytes[index + 1])
      units.append(isBigEndian ? first << 8 | second : second << 8 | first)
      index += 2
    }
    return Array(String(decoding: units, as: UTF16.self).utf8)
  }

  /// Returns the first decompressed bytes of a gzip stream; `nil` if it is damaged before that.
  package static func unpackedPrefix(_ bytes: Span<UInt8>, count: Int) -> [UInt8]? {
    let stream = InflateStream(.gzip)
    var block = [UInt8](repeating: 0, count: count)
    var output = block.mutableSpan
    let progress = stream.inflate(bytes, into: &output)
    if case .damaged = progress.status { return nil }
    return Array(block[..<progress.producedCount])
  }

  private static func gunzip(
    _ bytes: Span<UInt8>, maximumByteCount: Int, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let stream = InflateStream(.gzip)
    var result: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var consumed = 0
    while true {
      var output = block.mutableSpan
      let progress = stream.inflate(bytes.extracting(consumed...), into: &output)
      consumed += progress.consumedCount
      guard result.count + progress.producedCount <= maximumByteCount else {
        throw CodecError(.limitExceeded, "more than \(maximumByteCount) bytes of XML", format: .svgDocument)
      }
      // Arrays grow by doubling.
      try budget.allocate(count: progress.producedCount, bytesEach: 2)
      try budget.chargeWork(count: progress.producedCount, unitsEach: 2)
      result.append(contentsOf: block[..<progress.producedCount])
      switch progress.status {
      case .finished: return result
      case .damaged(let reason):
        throw CodecError(.malformed, reason, format: .svgDocument, byteOffset: consumed)
      case .needsMore:
        if progress.producedCount == 0 {
          throw CodecError(.truncated, "the gzip data ends too early", format: .svgDocument, byteOffset: consumed)
        }
      }
    }
  }
}
