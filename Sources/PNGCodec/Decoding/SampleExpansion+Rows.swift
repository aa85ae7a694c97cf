// The row loops of sample expansion.

internal import ImageCoding

/// Maps 8-bit indices to pixels of any size through a table.
func expandIndicesSlowly(
  _ row: Span<UInt8>, pixelCount: Int, table: Span<UInt8>, entryByteCount: Int, bytesPerPixel: Int,
  into output: inout MutableSpan<UInt8>
) {
  for pixel in 0..<pixelCount {
    let from = Int(row[pixel]) * entryByteCount
    for byte in 0..<bytesPerPixel { output[pixel * bytesPerPixel + byte] = table[from + byte] }
  }
}

/// Unpacks indices of 1, 2 or 4 bits, the first one in the highest bits, to bytes.
func unpackIndices(_ row: Span<UInt8>, pixelCount: Int, bitDepth: Int, into indices: inout MutableSpan<UInt8>) {
  switch bitDepth {
  case 1: unpackIndices(row, pixelCount: pixelCount, constantDepth: 1, into: &indices)
  case 2: unpackIndices(row, pixelCount: pixelCount, constantDepth: 2, into: &indices)
  default: unpackIndices(row, pixelCount: pixelCount, constantDepth: 4, into: &indices)
  }
}

@inline(__always)
private func unpackIndices(
  _ row: Span<UInt8>, pixelCount: Int, constantDepth bitDepth: Int, into indices: inout MutableSpan<UInt8>
) {
  let perByte = 8 / bitDepth
  let mask = UInt8(1 << bitDepth - 1)
  let wholeByteCount = pixelCount / perByte
  precondition(row.count * perByte >= pixelCount && indices.count >= pixelCount)
  var byte = 0
  while byte < wholeByteCount {
    let packed = row[byte]
    for index in 0..<perByte {
      let shift = UInt8(truncatingIfNeeded: 8 &- bitDepth &* (index &+ 1))
      indices[byte &* perByte &+ index] = (packed &>> shift) & mask
    }
    byte &+= 1
  }
  for pixel in wholeByteCount * perByte..<pixelCount {
    let shift = UInt8(truncatingIfNeeded: 8 &- bitDepth &* (pixel % perByte &+ 1))
    indices[pixel] = (row[byte] &>> shift) & mask
  }
}

/// The highest index in a row.
func highestIndex(_ indices: Span<UInt8>, pixelCount: Int) -> Int {
  var highest: UInt8 = 0
  var index = 0
  while index < pixelCount {
    highest = max(highest, indices[index])
    index &+= 1
  }
  return Int(highest)
}

/// Converts big-endian samples to native byte order.
func storeNativeSamples(_ row: Span<UInt8>, into pixels: inout MutableSpan<UInt8>) {
  var index = 0
  while index &+ 1 < row.count {
    let value = UInt16(row[index]) &<< 8 | UInt16(row[index &+ 1])
    storeNativeUInt16(value, into: &pixels, at: index)
    index &+= 2
  }
}

/// Converts 8-bit RGB to RGBA, with one transparent colour.
func appendAlpha(
  _ row: Span<UInt8>, transparent key: (UInt8, UInt8, UInt8), pixelCount: Int, into pixels: inout MutableSpan<UInt8>
) {
  for pixel in 0..<pixelCount {
    let from = pixel &* 3
    let to = pixel &* 4
    let isTransparent = row[from] == key.0 && row[from &+ 1] == key.1 && row[from &+ 2] == key.2
    for sample in 0..<3 { pixels[to &+ sample] = row[from &+ sample] }
    pixels[to &+ 3] = isTransparent ? 0 : 255
  }
}

/// Converts 16-bit big-endian gray or RGB to native samples with alpha, with one transparent colour.
func appendAlpha16(
  _ row: Span<UInt8>, transparent key: [UInt16], pixelCount: Int, into pixels: inout MutableSpan<UInt8>
) {
  let sampleCount = key.count
  for pixel in 0..<pixelCount {
    let from = pixel &* sampleCount &* 2
    let to = pixel &* (sampleCount &+ 1) &* 2
    var isTransparent = true
    for sample in 0..<sampleCount {
      let value = UInt16(row[from &+ sample &* 2]) &<< 8 | UInt16(row[from &+ sample &* 2 &+ 1])
      isTransparent = isTransparent && value == key[sample]
      storeNativeUInt16(value, into: &pixels, at: to &+ sample &* 2)
    }
    storeNativeUInt16(isTransparent ? 0 : 65535, into: &pixels, at: to &+ sampleCount &* 2)
  }
}

/// Converts BGR to RGB.
func exchangeBlueAndRed(_ row: Span<UInt8>, pixelCount: Int, into pixels: inout MutableSpan<UInt8>) {
  for pixel in 0..<pixelCount {
    let index = pixel &* 3
    pixels[index] = row[index &+ 2]
    pixels[index &+ 1] = row[index &+ 1]
    pixels[index &+ 2] = row[index]
  }
}
