// Brotli, and fonts in WOFF and WOFF 2 files, whose headers are corrected so that their tables are reached.

import ByteCompression
import ImageCoding

/// Decompresses a stream twice: to any size, and to exactly the size of the result.
func fuzzBrotli(_ bytes: [UInt8]) {
  var budget = ResourceBudget(.default)
  guard let output = try? BrotliStream.decompress(bytes.span, maximumByteCount: 16 << 20, budget: &budget) else {
    precondition(budget.heldByteCount == 0)
    return
  }
  let again = try? BrotliStream.decompress(bytes.span, maximumByteCount: output.count, budget: &budget)
  precondition(again == output)
}

/// Files from the bytes of the fuzzer.
enum CompressedFont {
  /// A file with the signature and the size of a WOFF file.
  static func woff(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 44 else { return bytes }
    var file = bytes
    file.replaceSubrange(0..<4, with: Array("wOFF".utf8))
    file.replaceSubrange(8..<12, with: big32(bytes.count))
    return file
  }

  /// A file whose data is stored without compression: the input is the header, the directory and the data.
  static func woff2(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count >= 48, !bytes.starts(with: Array("wOF2".utf8)) else { return bytes }
    let directoryCount = 48 + Int(bytes[0]) % (bytes.count - 47)
    var file = Array(bytes[..<directoryCount])
    var data = Array(bytes[directoryCount...].prefix(65_536))
    if data.isEmpty { data = [0] }
    // A window of 16 bits, a stored meta-block with a length of four nibbles, and the empty last one.
    let header = (data.count - 1) << 4 | 1 << 20
    let stream = [header, header >> 8, header >> 16].map { UInt8(truncatingIfNeeded: $0) } + data + [3]
    file.replaceSubrange(0..<4, with: Array("wOF2".utf8))
    file.replaceSubrange(20..<24, with: big32(stream.count))
    file.replaceSubrange(28..<48, with: [UInt8](repeating: 0, count: 20))
    file += stream
    file.replaceSubrange(8..<12, with: big32(file.count))
    return file
  }

  private static func big32(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }
}
