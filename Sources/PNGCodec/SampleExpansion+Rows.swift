// The loops of sample expansion, one row each.

internal import ImageCore

/// Looks 8-bit indices up in a table of pixels.
@inline(__always)
func expandIndices(
  _ row: Span<UInt8>, pixelCount: Int, table: Span<UInt8>, bytesPerPixel: Int, into output: inout MutableSpan<UInt8>
) {
  precondition(table.count >= 256 * bytesPerPixel && row.count >= pixelCount)
  precondition(output.count >= pixelCount * bytesPerPixel)
  var pixel = 0
  var to = 0
  while pixel < pixelCount {
    let from = Int(row[pixel]) &* bytesPerPixel
    var byte = 0
    while byte < bytesPerPixel {
      output[to &+ byte] = table[from &+ byte]
      byte &+= 1
    }
    to &+= bytesPerPixel
    pixel &+= 1
  }
}

/// Looks indices of 1, 2 or 4 bits, the first one in the highest bits, up in a table of pixels.
func expandPackedIndices(
  _ row: Span<UInt8>, pixelCount: Int, bitDepth: Int, table: Span<UInt8>, bytesPerPixel: Int,
  into output: inout MutableSpan<UInt8>
) {
  let mask = (1 << bitDepth) - 1
  var to = 0
  for pixel in 0..<pixelCount {
    let bit = pixel &* bitDepth
    let shift = 8 &- bitDepth &- (bit & 7)
    let from = (Int(row[bit &>> 3]) &>> shift & mask) &* bytesPerPixel
    for byte in 0..<bytesPerPixel { output[to &+ byte] = table[from &+ byte] }
    to &+= bytesPerPixel
  }
}

/// The highest palette index of a row.
func highestIndex(_ row: Span<UInt8>, pixelCount: Int, bitDepth: Int) -> Int {
  if bitDepth == 8 {
    var highest: UInt8 = 0
    var index = 0
    while index < pixelCount {
      highest = max(highest, row[index])
      index &+= 1
    }
    return Int(highest)
  }
  let mask = (1 << bitDepth) - 1
  var highest = 0
  for pixel in 0..<pixelCount {
    let bit = pixel &* bitDepth
    highest = max(highest, Int(row[bit &>> 3]) &>> (8 &- bitDepth &- (bit & 7)) & mask)
  }
  return highest
}

/// Big-endian samples to native ones.
func storeNativeSamples(_ row: Span<UInt8>, into pixels: inout MutableSpan<UInt8>) {
  var index = 0
  while index &+ 1 < row.count {
    let value = UInt16(row[index]) &<< 8 | UInt16(row[index &+ 1])
    storeNativeUInt16(value, into: &pixels, at: index)
    index &+= 2
  }
}

/// 8-bit RGB to RGBA; one colour is transparent.
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

/// 16-bit big-endian gray or RGB to native samples with alpha; one colour is transparent.
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

/// BGR to RGB.
func exchangeBlueAndRed(_ row: Span<UInt8>, pixelCount: Int, into pixels: inout MutableSpan<UInt8>) {
  for pixel in 0..<pixelCount {
    let index = pixel &* 3
    pixels[index] = row[index &+ 2]
    pixels[index &+ 1] = row[index &+ 1]
    pixels[index &+ 2] = row[index]
  }
}
