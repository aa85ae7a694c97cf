// The filters of PNG section 9.2, sixteen bytes at a time, together with the measure by which they are chosen.

/// Filters a row.
///
/// - Parameters:
///   - code: the filter: 0 none, 1 sub, 2 up, 3 average, 4 Paeth.
///   - above: the row above, of the same length.
///   - distance: the distance in bytes to the sample on the left, 1…8.
///   - output: receives as many bytes.
/// - Returns: the sum of the absolute values of the filtered bytes as signed integers.
package func applyFilter(
  _ code: UInt8, to row: Span<UInt8>, above: Span<UInt8>, distance: Int, into output: inout MutableSpan<UInt8>
) -> Int {
  precondition(
    code <= 4 && distance >= 1 && distance <= 8 && above.count >= row.count && output.count >= row.count,
    "the rows do not match")
  let head = min(distance, row.count)
  var sum = 0
  for index in 0..<head {
    let value = row[index] &- prediction(code, left: 0, above: above[index], corner: 0)
    output[index] = value
    sum &+= magnitude(value)
  }
  let vectorCount = (row.count &- head) / 16
  unsafe row.withUnsafeBytes { source in
    unsafe above.withUnsafeBytes { upper in
      unsafe output.withUnsafeMutableBytes { target in
        // SAFETY: each vector is within the row by its count, and the one on the left starts at 0 or later.
        @inline(__always) func load(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> SIMD16<UInt8> {
          unsafe bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
        }
        @inline(__always) func run(_ predict: (_ offset: Int) -> SIMD16<UInt8>) {
          var partial = SIMD8<UInt16>()
          for index in 0..<vectorCount {
            let offset = head &+ index &* 16
            let value = unsafe load(source, offset) &- predict(offset)
            unsafe target.storeBytes(of: value, toByteOffset: offset, as: SIMD16<UInt8>.self)
            let negative = 0 &- value
            let magnitudes = unsafe unsafeBitCast(
              value.replacing(with: negative, where: negative .< value), to: SIMD8<UInt16>.self)
            partial &+= (magnitudes & 0xFF) &+ (magnitudes &>> 8)
            // A lane grows by at most 256.
            if index & 127 == 127 {
              sum &+= total(partial)
              partial = SIMD8()
            }
          }
          sum &+= total(partial)
        }
        switch code {
        case 0: run { _ in SIMD16() }
        case 1: run { unsafe load(source, $0 &- distance) }
        case 2: run { unsafe load(upper, $0) }
        case 3: run { unsafe average(load(source, $0 &- distance), load(upper, $0)) }
        default:
          run {
            unsafe paeth(load(source, $0 &- distance), load(upper, $0), load(upper, $0 &- distance))
          }
        }
      }
    }
  }
  for index in head &+ vectorCount &* 16..<row.count {
    let value =
      row[index]
      &- prediction(
        code, left: row[index &- distance], above: above[index], corner: above[index &- distance])
    output[index] = value
    sum &+= magnitude(value)
  }
  return sum
}

@inline(__always)
private func total(_ lanes: SIMD8<UInt16>) -> Int {
  let pairs = SIMD4<UInt32>(truncatingIfNeeded: lanes.lowHalf) &+ SIMD4<UInt32>(truncatingIfNeeded: lanes.highHalf)
  return Int(pairs[0] &+ pairs[1] &+ pairs[2] &+ pairs[3])
}

@inline(__always)
private func magnitude(_ value: UInt8) -> Int { Int(Int8(bitPattern: value).magnitude) }

/// The prediction of one byte.
private func prediction(_ code: UInt8, left: UInt8, above: UInt8, corner: UInt8) -> UInt8 {
  switch code {
  case 1: return left
  case 2: return above
  case 3: return UInt8(truncatingIfNeeded: (UInt16(left) &+ UInt16(above)) &>> 1)
  case 4:
    let (a, b, c) = (Int(left), Int(above), Int(corner))
    let (fromLeft, fromAbove, fromCorner) = (abs(b - c), abs(a - c), abs(a + b - c - c))
    if fromLeft <= fromAbove, fromLeft <= fromCorner { return left }
    return fromAbove <= fromCorner ? above : corner
  default: return 0
  }
}

/// The mean of each pair of bytes, rounded down.
@inline(__always)
private func average(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> {
  (a & b) &+ (((a ^ b) &>> 1) & 0x7F)
}

@inline(__always)
private func minimum(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> { a.replacing(with: b, where: b .< a) }

@inline(__always)
private func maximum(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>) -> SIMD16<UInt8> { a.replacing(with: b, where: a .< b) }

/// The Paeth predictor of each byte, without wider lanes.
///
/// The distance of a + b - c from c is the sum of the other two distances if a and b are on the same side of c, and
/// their difference otherwise. A sum that saturates is larger than both, which is all that matters.
@inline(__always)
private func paeth(_ a: SIMD16<UInt8>, _ b: SIMD16<UInt8>, _ c: SIMD16<UInt8>) -> SIMD16<UInt8> {
  let fromLeft = maximum(b, c) &- minimum(b, c)
  let fromAbove = maximum(a, c) &- minimum(a, c)
  let sum = fromLeft &+ minimum(fromAbove, ~fromLeft)
  let difference = maximum(fromLeft, fromAbove) &- minimum(fromLeft, fromAbove)
  let zero = SIMD16<UInt8>()
  let isLeftAbove = zero.replacing(with: 0xFF, where: a .>= c)
  let isUpperAbove = zero.replacing(with: 0xFF, where: b .>= c)
  let isOpposite = isLeftAbove ^ isUpperAbove
  let fromCorner = (difference & isOpposite) | (sum & ~isOpposite)
  let upper = c.replacing(with: b, where: fromAbove .<= fromCorner)
  return upper.replacing(with: a, where: fromLeft .<= minimum(fromAbove, fromCorner))
}
