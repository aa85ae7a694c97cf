// ICC profiles made byte by byte (ICC.1:2022, and ICC.1:2001 for version 2).

/// Builds an ICC profile from elements.
package struct ICCProfileBytes {
  package var majorVersion: UInt8 = 4
  /// Four characters, such as `"mntr"`.
  package var profileClass = "mntr"
  package var colorSpace = "RGB "
  package var connectionSpace = "XYZ "
  package var tags: [(signature: String, element: [UInt8])] = []

  package init(
    majorVersion: UInt8 = 4, profileClass: String = "mntr", colorSpace: String = "RGB ",
    connectionSpace: String = "XYZ ", tags: [(signature: String, element: [UInt8])] = []
  ) {
    self.majorVersion = majorVersion
    self.profileClass = profileClass
    self.colorSpace = colorSpace
    self.connectionSpace = connectionSpace
    self.tags = tags
  }

  /// The profile.
  package var bytes: [UInt8] {
    var table = Self.big32(tags.count)
    var data: [UInt8] = []
    let start = 132 + 12 * tags.count
    for (signature, element) in tags {
      table += Array(signature.utf8) + Self.big32(start + data.count) + Self.big32(element.count)
      data += element + [UInt8](repeating: 0, count: -element.count & 3)
    }
    var header = Self.big32(start + data.count) + Self.big32(0) + [majorVersion, 0, 0, 0]
    header += Array((profileClass + colorSpace + connectionSpace).utf8)
    header += [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    header += [0.9642, 1, 0.8249].flatMap(Self.fixed) + [UInt8](repeating: 0, count: 48)
    return header + table + data
  }

  package static func big16(_ value: Int) -> [UInt8] {
    [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
  }

  package static func big32(_ value: Int) -> [UInt8] { big16(value >> 16) + big16(value) }

  /// An s15Fixed16Number.
  package static func fixed(_ value: Double) -> [UInt8] { big32(Int((value * 65536).rounded())) }

  package static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
    Array("XYZ ".utf8) + big32(0) + [x, y, z].flatMap(fixed)
  }

  /// A curve of samples; none is the identity, and a single one is a power as an u8Fixed8Number.
  package static func curve(_ samples: [Int]) -> [UInt8] {
    Array("curv".utf8) + big32(0) + big32(samples.count) + samples.flatMap(big16)
  }

  package static func parametric(_ type: Int, _ parameters: [Double]) -> [UInt8] {
    Array("para".utf8) + big32(0) + big16(type) + big16(0) + parameters.flatMap(fixed)
  }

  /// A table of the type `mft2`. Its matrix is the identity.
  package static func lut16(
    inputs: [[Int]], points: Int, grid: [Int], outputs: [[Int]]
  ) -> [UInt8] {
    lut("mft2", inputs.count, outputs.count, points) + big16(inputs[0].count) + big16(outputs[0].count)
      + inputs.flatMap { $0.flatMap(big16) } + grid.flatMap(big16) + outputs.flatMap { $0.flatMap(big16) }
  }

  /// A table of the type `mft1`, whose curves have 256 samples. Its matrix is the identity.
  package static func lut8(inputs: [[UInt8]], points: Int, grid: [UInt8], outputs: [[UInt8]]) -> [UInt8] {
    lut("mft1", inputs.count, outputs.count, points) + inputs.flatMap { $0 } + grid + outputs.flatMap { $0 }
  }

  private static func lut(_ type: String, _ inputs: Int, _ outputs: Int, _ points: Int) -> [UInt8] {
    Array(type.utf8) + big32(0) + [UInt8(inputs), UInt8(outputs), UInt8(points), 0]
      + [1, 0, 0, 0, 1, 0, 0, 0, 1].flatMap(fixed)
  }

  /// A table of the type `mAB `. Elements that are `nil` are absent.
  ///
  /// - Parameters:
  ///   - matrix: nine coefficients by rows and three offsets.
  ///   - grid: the number of points for each input and the samples of `precision` bytes.
  package static func lutAToB(
    inputCount: Int, a: [[UInt8]]?, grid: (points: [UInt8], precision: Int, samples: [Int])?, m: [[UInt8]]?,
    matrix: [Double]?, b: [[UInt8]]
  ) -> [UInt8] {
    var data: [UInt8] = []
    func offset() -> Int { 32 + data.count }
    func padded(_ curves: [[UInt8]]) -> [UInt8] {
      curves.flatMap { $0 + [UInt8](repeating: 0, count: -$0.count & 3) }
    }
    let bOffset = offset()
    data += padded(b)
    let matrixOffset = matrix == nil ? 0 : offset()
    data += (matrix ?? []).flatMap(fixed)
    let mOffset = m == nil ? 0 : offset()
    data += padded(m ?? [])
    let gridOffset = grid == nil ? 0 : offset()
    if let grid {
      data += grid.points + [UInt8](repeating: 0, count: 16 - grid.points.count) + [UInt8(grid.precision), 0, 0, 0]
      data += grid.precision == 2 ? grid.samples.flatMap(big16) : grid.samples.map { UInt8($0) }
      data += [UInt8](repeating: 0, count: -data.count & 3)
    }
    let aOffset = a == nil ? 0 : offset()
    data += padded(a ?? [])
    return Array("mAB ".utf8) + big32(0) + [UInt8(inputCount), 3, 0, 0]
      + [bOffset, matrixOffset, mOffset, gridOffset, aOffset].flatMap(big32) + data
  }
}
