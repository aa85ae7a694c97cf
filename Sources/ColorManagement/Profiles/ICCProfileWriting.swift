// ICC profiles for colour spaces that are described otherwise, for formats that store nothing else.

public import ImageCore

extension ColorSpace {
  /// Returns a display profile of version 4 for sRGB, code points or a calibration; `nil` if the colour space is described
  /// by a profile, is of high dynamic range, or is not valid.
  public func makeICCProfile() -> [UInt8]? {
    if case .icc = definition { return nil }
    guard let matrix = try? MatrixProfile(self), case .parametric(let curve) = matrix.curves[0] else { return nil }
    var writer = ICCProfileWriter()
    writer.add("desc", ICCProfileWriter.text(name))
    writer.add("cprt", ICCProfileWriter.text("CC0"))
    writer.add("wtpt", ICCProfileWriter.xyz(Colorimetry.d50))
    let columns = matrix.toXYZ.transposed.rows
    writer.add("rXYZ", ICCProfileWriter.xyz(columns.0))
    writer.add("gXYZ", ICCProfileWriter.xyz(columns.1))
    writer.add("bXYZ", ICCProfileWriter.xyz(columns.2))
    for tag in ["rTRC", "gTRC", "bTRC"] { writer.add(tag, ICCProfileWriter.curve(curve)) }
    return writer.profile
  }

  private var name: String {
    switch self.definition {
    case .unspecified, .sRGB: "sRGB"
    case .codePoints(let points) where points.colorPrimaries == 12 && points.transferFunction == 13: "Display P3"
    case .codePoints(let points): "H.273 \(points.colorPrimaries)/\(points.transferFunction)"
    case .calibrated, .icc: "Calibrated RGB"
    }
  }
}

/// Writes profiles (ICC.1:2022).
private struct ICCProfileWriter {
  private var tags: [(signature: String, element: [UInt8])] = []

  mutating func add(_ signature: String, _ element: [UInt8]) { tags.append((signature, element)) }

  /// The profile. Equal elements are stored once.
  var profile: [UInt8] {
    var table = Self.word(UInt32(tags.count))
    var data: [UInt8] = []
    let start = 128 + 4 + 12 * tags.count
    var offsets: [[UInt8]: Int] = [:]
    for (signature, element) in tags {
      let offset = offsets[element] ?? start + data.count
      if offsets[element] == nil {
        offsets[element] = offset
        data += element + [UInt8](repeating: 0, count: -element.count & 3)
      }
      table += Array(signature.utf8) + Self.word(UInt32(offset)) + Self.word(UInt32(element.count))
    }
    return header(byteCount: start + data.count) + table + data
  }

  private func header(byteCount: Int) -> [UInt8] {
    var header = Self.word(UInt32(byteCount)) + Self.word(0) + Self.word(0x0440_0000) + Array("mntrRGB XYZ ".utf8)
    // 1 January 2000, for the same bytes on every run.
    header += [0x07, 0xD0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0] + Array("acsp".utf8)
    header += [UInt8](repeating: 0, count: 28)
    header += [Colorimetry.d50.x, Colorimetry.d50.y, Colorimetry.d50.z].flatMap(Self.fixed)
    return header + [UInt8](repeating: 0, count: 128 - header.count)
  }

  static func word(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  /// An s15Fixed16Number.
  static func fixed(_ value: Double) -> [UInt8] {
    word(UInt32(bitPattern: Int32(min(max((value * 65536).rounded(), -0x1p31), 0x1p31 - 1))))
  }

  static func xyz(_ color: SIMD3<Double>) -> [UInt8] {
    Array("XYZ ".utf8) + word(0) + fixed(color.x) + fixed(color.y) + fixed(color.z)
  }

  static func text(_ text: String) -> [UInt8] {
    let units = text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0 >> 8), UInt8(truncatingIfNeeded: $0)] }
    return Array("mluc".utf8) + word(0) + word(1) + word(12) + Array("enUS".utf8) + word(UInt32(units.count)) + word(28)
      + units
  }

  /// A parametric curve of type 4, which has all parameters.
  static func curve(_ curve: ParametricCurve) -> [UInt8] {
    let parameters = [curve.gamma, curve.a, curve.b, curve.c, curve.threshold, curve.e, curve.f]
    return Array("para".utf8) + word(0) + [0, 4, 0, 0] + parameters.flatMap(fixed)
  }
}
