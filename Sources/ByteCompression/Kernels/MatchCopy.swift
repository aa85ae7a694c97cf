// Copies within the output of a decompressor, where source and target may overlap.

/// The number of bytes beyond the end of a copy that may be written.
let copyExcess = 16

/// Copies bytes to a place that is `distance` bytes after them. Writes up to ``copyExcess`` bytes beyond the copy.
@inline(__always)
func copyEarlierOutput(_ output: inout MutableSpan<UInt8>, to position: Int, distance: Int, count: Int) {
  precondition(
    distance > 0 && distance <= position && count > 0 && position <= output.count &- count &- copyExcess,
    "a copy is outside the output")
  // SAFETY: the source is in the output by the precondition, as is the target with what is written beyond it.
  unsafe output.withUnsafeMutableBytes { buffer in
    guard let start = buffer.baseAddress else { return }
    unsafe copyMatch(start, to: position, distance: distance, length: count)
  }
}

/// Copies an earlier part of the output. Writes up to sixteen bytes beyond it.
@inline(__always)
func copyMatch(_ output: UnsafeMutableRawPointer, to: Int, distance: Int, length: Int) {
  var source = to &- distance
  var target = to
  let end = to &+ length
  if distance >= 16 {
    repeat {
      let chunk = unsafe output.loadUnaligned(fromByteOffset: source, as: SIMD16<UInt8>.self)
      unsafe output.storeBytes(of: chunk, toByteOffset: target, as: SIMD16<UInt8>.self)
      source &+= 16
      target &+= 16
    } while target < end
  } else if distance >= 8 {
    repeat {
      let chunk = unsafe output.loadUnaligned(fromByteOffset: source, as: UInt64.self)
      unsafe output.storeBytes(of: chunk, toByteOffset: target, as: UInt64.self)
      source &+= 8
      target &+= 8
    } while target < end
  } else if distance == 1 {
    let byte = unsafe output.load(fromByteOffset: source, as: UInt8.self)
    let chunk = SIMD16<UInt8>(repeating: byte)
    repeat {
      unsafe output.storeBytes(of: chunk, toByteOffset: target, as: SIMD16<UInt8>.self)
      target &+= 16
    } while target < end
  } else {
    repeat {
      let byte = unsafe output.load(fromByteOffset: source, as: UInt8.self)
      unsafe output.storeBytes(of: byte, toByteOffset: target, as: UInt8.self)
      source &+= 1
      target &+= 1
    } while target < end
  }
}
