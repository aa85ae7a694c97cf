// NumPy's file format (NEP 1), in which references of high depth are stored.

/// An array of numbers.
package struct NumPyArray: Sendable {
  /// The length of each dimension, the outermost first.
  package let shape: [Int]
  /// The elements in row-major order.
  package let elements: [Double]

  /// Reads a file of integers, floating-point numbers or booleans in row-major order. `nil` if it is damaged or has
  /// another type.
  package init?(_ file: [UInt8]) {
    guard file.count > 10, file.starts(with: [0x93] + Array("NUMPY".utf8)) else { return nil }
    let isLong = file[6] > 1
    let lengthByteCount = isLong ? 4 : 2
    let start = 8 + lengthByteCount
    guard file.count >= start else { return nil }
    let length = (0..<lengthByteCount).reduce(0) { $0 | Int(file[8 + $1]) << (8 * $1) }
    guard length <= file.count - start else { return nil }
    let header = String(decoding: file[start..<start + length], as: UTF8.self)
    guard let type = Self.text(after: "'descr':", in: header), !header.contains("'fortran_order': True"),
      let open = header.firstIndex(of: "("), let close = header[open...].firstIndex(of: ")")
    else { return nil }
    let lengths = header[header.index(after: open)..<close].split(whereSeparator: { ", ".contains($0) })
    shape = lengths.compactMap { Int($0) }
    guard shape.count == lengths.count, let read = Self.reader(of: type) else { return nil }
    let count = shape.reduce(1, *)
    let data = file[(start + length)...]
    guard data.count == count * read.byteCount else { return nil }
    elements = (0..<count).map { index in
      let first = data.startIndex + index * read.byteCount
      return read.value(data[first..<first + read.byteCount])
    }
  }

  /// Returns the quoted text that follows a key.
  private static func text(after key: String, in header: String) -> String? {
    let parts = header.split(separator: "'")
    let name = key.dropFirst().dropLast(2)
    guard let index = parts.firstIndex(of: name), index + 2 < parts.count else { return nil }
    return String(parts[index + 2])
  }

  /// Returns the size of an element and how it is read.
  private static func reader(of type: String) -> (byteCount: Int, value: (ArraySlice<UInt8>) -> Double)? {
    guard let order = type.first, let kind = type.dropFirst().first, let byteCount = Int(type.dropFirst(2)),
      byteCount <= 8
    else { return nil }
    func bits(_ bytes: ArraySlice<UInt8>) -> UInt64 {
      let ordered = order == ">" ? Array(bytes) : bytes.reversed()
      return ordered.reduce(0) { $0 << 8 | UInt64($1) }
    }
    switch (kind, byteCount) {
    case ("b", 1), ("u", _): return (byteCount, { Double(bits($0)) })
    case ("i", _):
      let shift = UInt64(64 - 8 * byteCount)
      return (byteCount, { Double(Int64(bitPattern: bits($0) << shift) >> Int64(shift)) })
    case ("f", 2): return (byteCount, { Double(half: UInt16(truncatingIfNeeded: bits($0))) })
    case ("f", 4): return (byteCount, { Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits($0)))) })
    case ("f", 8): return (byteCount, { Double(bitPattern: bits($0)) })
    default: return nil
    }
  }
}

extension Double {
  /// Converts a half-precision number.
  fileprivate init(half bits: UInt16) {
    let sign: Double = bits >> 15 == 1 ? -1 : 1
    let exponent = Int(bits >> 10 & 31)
    let fraction = Double(bits & 0x3FF) / 1024
    switch exponent {
    case 0: self = sign * fraction * 0x1p-14
    case 31: self = fraction == 0 ? sign * .infinity : .nan
    default: self = sign * (1 + fraction) * Double(sign: .plus, exponent: exponent - 15, significand: 1)
    }
  }
}
