// Copies within the output of a decompressor, where source and target may overlap.

/// The number of bytes beyond the end of a copy that may be written.
let copyExcess = 32

/// Copies bytes to a place that is `distance` bytes after them. Writes up to ``copyExcess`` bytes beyond the copy.
@inline(__always)
func copyEarlierOutput(_ output: inout MutableSpan<UInt8>, to position: Int, distance: Int, count: Int) {
  precondition(
    distance > 0 && distance <= position && count > 0 && position <= output.count &- count &- copyExcess,
    "a copy is outside the output")
  // SAFETY: the source is in the output by the precondition, as is the target with what is written beyond it.
  unsafe output.withUnsafeMutableBytes { buffer in
    guard let start = buffer.baseAddress else { return }
    unsafe copyMatch(to: start + position, distance: distance, end: start + position + count)
  }
}

/// Copies an earlier part of the output. Writes up to 32 bytes beyond its end.
@inline(__always)
func copyMatch(to start: UnsafeMutableRawPointer, distance: Int, end: UnsafeMutableRawPointer) {
  var source = unsafe start - distance
  var target = unsafe start
  if distance >= 32 {
    unsafe copyPieces(to: target, from: UnsafeRawPointer(source), end: end)
  } else if distance == 1 {
    let chunk = unsafe SIMD16<UInt8>(repeating: source.load(as: UInt8.self))
    repeat {
      unsafe target.storeBytes(of: chunk, as: SIMD16<UInt8>.self)
      unsafe target += 16
    } while unsafe target < end
  } else {
    // A piece of eight bytes is right as far as the source was when it was read: up to the distance.
    let step = min(distance, 8)
    repeat {
      unsafe target.storeBytes(of: source.loadUnaligned(as: UInt64.self), as: UInt64.self)
      unsafe source += step
      unsafe target += step
    } while unsafe target < end
  }
}

/// Copies `count` bytes from elsewhere and then, if there is room, those that begin at `next`. Reads up to 32 bytes beyond
/// the source and writes as many beyond the end.
@inline(__always)
func copyMatch(
  to start: UnsafeMutableRawPointer, from source: UnsafeRawPointer, count: Int, then next: UnsafeMutableRawPointer,
  end: UnsafeMutableRawPointer
) {
  let firstEnd = unsafe min(end, start + count)
  unsafe copyPieces(to: start, from: source, end: firstEnd)
  if unsafe firstEnd < end { unsafe copyBytes(to: firstEnd, from: next, end: end) }
}

/// Copies pieces of 32 bytes, the last of which may exceed the end.
@inline(__always)
private func copyPieces(
  to start: UnsafeMutableRawPointer, from source: UnsafeRawPointer, end: UnsafeMutableRawPointer
) {
  var source = unsafe source
  var target = unsafe start
  repeat {
    // Most matches are short: the first two pieces need no question between them.
    let first = unsafe source.loadUnaligned(as: SIMD16<UInt8>.self)
    let second = unsafe source.loadUnaligned(fromByteOffset: 16, as: SIMD16<UInt8>.self)
    unsafe target.storeBytes(of: first, as: SIMD16<UInt8>.self)
    unsafe target.storeBytes(of: second, toByteOffset: 16, as: SIMD16<UInt8>.self)
    unsafe source += 32
    unsafe target += 32
  } while unsafe target < end
}

/// Copies bytes one by one, as source and target may overlap.
@inline(never)
private func copyBytes(
  to start: UnsafeMutableRawPointer, from source: UnsafeMutableRawPointer, end: UnsafeMutableRawPointer
) {
  var source = unsafe source
  var target = unsafe start
  while unsafe target < end {
    unsafe target.storeBytes(of: source.load(as: UInt8.self), as: UInt8.self)
    unsafe source += 1
    unsafe target += 1
  }
}
