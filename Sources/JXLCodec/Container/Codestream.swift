// The codestream as contiguous bytes, wherever its parts are in the file.

internal import ImageCoding

/// The bytes of a codestream, which are those of the file unless the codestream is divided.
struct Codestream: Sendable {
  private let parts: [Range<Int>]
  /// A copy of all parts, if there are several.
  private let copy: [UInt8]?

  init(_ container: JXLContainer, _ file: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    parts = container.codestreamParts
    guard parts.count > 1 else {
      copy = nil
      return
    }
    let byteCount = parts.reduce(0) { $0 + $1.count }
    try budget.allocate(byteCount)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount)
    for part in parts {
      try budget.chargeWork(part.count / 4 + 1)
      bytes.append(copying: file.extracting(part))
    }
    copy = bytes
  }

  /// Calls a closure with the bytes. Offsets of its errors are translated to those of the file.
  func withBytes<Result>(
    of file: Span<UInt8>, _ body: (Span<UInt8>) throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    do throws(CodecError) {
      if let copy { return try body(copy.span) }
      return try body(file.extracting(parts.first ?? 0..<0))
    } catch {
      throw error.located(at: error.byteOffset.map(fileOffset), in: error.format ?? JXLDecoder.type)
    }
  }

  /// The offset in the file of a byte of the codestream.
  func fileOffset(_ offset: Int) -> Int {
    var remaining = offset
    for part in parts {
      if remaining < part.count { return part.lowerBound + remaining }
      remaining -= part.count
    }
    return parts.last?.upperBound ?? 0
  }
}
