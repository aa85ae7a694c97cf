// Icon files for tests, and a slow computation of the pixels that they describe.

import ImageCoding
import PNGCodec
import TestSupport

/// An icon file that a test composes.
enum FamilyBytes {
  static func entry(_ type: String, _ data: [UInt8], length: Int? = nil) -> [UInt8] {
    Array(type.utf8) + big32(length ?? data.count + 8) + data
  }

  static func file(_ entries: [UInt8]...) -> [UInt8] {
    let content = entries.flatMap { $0 }
    return Array("icns".utf8) + big32(content.count + 8) + content
  }

  /// A file that starts with a table of contents.
  static func fileWithContents(_ entries: [UInt8]..., extra: [UInt8] = []) -> [UInt8] {
    let contents = entry("TOC ", entries.flatMap { $0.prefix(8) } + extra)
    return file(contents, entries.flatMap { $0 })
  }

  static func big32(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func png(_ side: Int) throws -> [UInt8] {
    try PNGEncoder().encode(Bitmap(width: side, height: side, format: .rgba8, pixels: noise(side * side * 4, seed: 3)))
  }

  /// Bytes with runs of up to five.
  static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = TestRandom(seed)
    var bytes: [UInt8] = []
    while bytes.count < count {
      bytes += [UInt8](
        repeating: UInt8.random(in: 0...255, using: &random), count: Int.random(in: 1...5, using: &random))
    }
    return Array(bytes.prefix(count))
  }

  /// Compresses a plane: three equal bytes or more as a run.
  static func packed(_ plane: [UInt8]) -> [UInt8] {
    var (packed, literals): ([UInt8], [UInt8]) = ([], [])
    func flush() {
      if !literals.isEmpty { packed += [UInt8(literals.count - 1)] + literals }
      literals = []
    }
    var index = 0
    while index < plane.count {
      let run = plane[index...].prefix { $0 == plane[index] }.prefix(130).count
      if run >= 3 {
        flush()
        packed += [UInt8(run + 125), plane[index]]
      } else {
        literals += plane[index..<index + run]
        if literals.count > 120 { flush() }
      }
      index += run
    }
    flush()
    return packed
  }

  /// Three compressed planes of 16 × 16 equal bytes.
  static func solid(_ value: UInt8) -> [UInt8] {
    (0..<3).flatMap { _ in packed([UInt8](repeating: value, count: 256)) }
  }

  /// The bits of bytes, the highest first.
  static func bits(_ bytes: [UInt8]) -> [Bool] {
    bytes.flatMap { byte in (0..<8).map { byte << UInt8($0) & 0x80 != 0 } }
  }

  /// Pixels of planes.
  static func pixels(_ red: [UInt8], _ green: [UInt8], _ blue: [UInt8], _ alpha: [UInt8]) -> [UInt8] {
    red.indices.flatMap { [red[$0], green[$0], blue[$0], alpha[$0]] }
  }

  /// 16 × 16 pixels of red, green and blue in a JPEG 2000 file by OpenJPEG: column × 16, row × 16, and squares of four
  /// pixels that are 0 or 200.
  static let jpeg2000 = """
    AAAADGpQICANCocKAAAAFGZ0eXBqcDIgAAAAAGpwMiAAAAAtanAyaAAAABZpaGRyAAAAEAAAABAAAwcHAAAAAAAPY29scgEAAAAAABAAAAHtan\
    AyY/9P/1EALwAAAAAAEAAAABAAAAAAAAAAAAAAABAAAAAQAAAAAAAAAAAAAwcBAQcBAQcBAf9SAAwAAAABAQEEBAAB/1wAB0BASEhQ/2QAJQAB\
    Q3JlYXRlZCBieSBPcGVuSlBFRyB2ZXJzaW9uIDIuNS4w/5AACgAAAAABcgAB/5PfgggSLD5NAtZGWZHFEnBWOWBuAHYOdE3HvTGh8xtL3xzDig\
    a0QUndjfefleZftT2UDeb58ryskTjYgdKXnlNG2zZAL9+CWATFKrE+lNUsudqosPAwvNnmRmE4fyDxkbtBpadRB0Iu4nQxck4eMu9yyvLSVXX7\
    KqBqCs4B8Tx4roGBK/oxmyWdmz+WFfwYOpdqf9+BMCd1ZoqfHKW9uo86r1sz/JdCkHT3om9RLmHe9kjLuFHDWHbsB/9/wfOXg+czA+ccFxe7Wm\
    6/t4jHZJPpejNPNKmIZhN16vEMGhw5h9G3ojkh11pOHZ5WrL13TzqsigkfFdipPVTktneq+UdyfAPH2jUfaQQ+0QAXF7tabr+3iMdkk+l6N3Df\
    basKV20BMgsrcAwaHDmH0beiOSH3XtN2jpralX+iXFwpScakvbDze6efFdipPVTktneq+UdyfASAD8HzhIPnCjahmc8+YqKwP//Z
    """
}
