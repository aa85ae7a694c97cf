// The operations of opcode lists on rows of samples.

internal import ImageCoding

extension OpcodeList {
  /// Applies the list to a row of values of 0…1, interleaved by plane.
  ///
  /// - Parameter y: the index of the row in the picture to which the list applies.
  func apply(to values: inout MutableSpan<Float>, y: Int, planeCount: Int) {
    for opcode in opcodes where opcode.area.contains(row: y) {
      for plane in opcode.area.planes { opcode.apply(to: &values, y: y, plane: plane, planeCount: planeCount) }
    }
  }

  /// Applies the list to a row of stored samples.
  func apply(to samples: inout [UInt16], y: Int, samplesPerPixel: Int) {
    guard !isEmpty else { return }
    var values = samples.map { Float($0) / 65_535 }
    var span = values.mutableSpan
    apply(to: &span, y: y, planeCount: samplesPerPixel)
    for index in samples.indices { samples[index] = UInt16(values[index].limited(to: 1) * 65_535 + 0.5) }
  }
}

extension OpcodeList.Opcode {
  fileprivate func apply(to values: inout MutableSpan<Float>, y: Int, plane: Int, planeCount: Int) {
    let (start, end) = (area.columns.lowerBound, min(area.columns.upperBound, values.count / planeCount))
    switch operation {
    case .table(let table):
      let last = table.count - 1
      for x in stride(from: start, to: end, by: area.columnPitch) {
        let index = x * planeCount + plane
        values[index] = Float(table[min(Int(values[index].limited(to: 1) * 65_535 + 0.5), last)]) / 65_535
      }
    case .polynomial(let coefficients):
      for x in stride(from: start, to: end, by: area.columnPitch) {
        let index = x * planeCount + plane
        let value = values[index]
        var result: Float = 0
        for coefficient in coefficients.reversed() { result = result * value + coefficient }
        values[index] = result.limited(to: 1)
      }
    case .gains(let map):
      let row = map.row(y, plane: plane - area.planes.lowerBound)
      for x in stride(from: start, to: end, by: area.columnPitch) {
        let index = x * planeCount + plane
        values[index] = min(values[index] * map.gain(row.span, x: x), 1)
      }
    }
  }
}
