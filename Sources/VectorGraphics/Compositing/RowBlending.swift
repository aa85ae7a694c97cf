// Source-over compositing of a row, in the forms that matter for speed: one colour or a row of pixels, with uniform or
// individual coverage.

/// Sets all pixels to one value.
@inline(__always)
func fillRow(_ row: inout MutableSpan<UInt32>, from start: Int, count: Int, with pixel: UInt32) {
  var target = row._mutatingExtracting(start..<start &+ count)
  for index in target.indices { target[index] = pixel }
}

/// Composites one pixel value over all pixels.
@inline(__always)
func blendRow(_ row: inout MutableSpan<UInt32>, from start: Int, count: Int, with pixel: UInt32) {
  var target = row._mutatingExtracting(start..<start &+ count)
  for index in target.indices { target[index] = PixelWord.over(pixel, target[index]) }
}

/// Composites one pixel value over all pixels, with individual coverage.
@inline(__always)
func blendRow(
  _ row: inout MutableSpan<UInt32>, from start: Int, count: Int, with pixel: UInt32, coverage: Span<UInt8>
) {
  var target = row._mutatingExtracting(start..<start &+ count)
  let part = coverage.extracting(start..<start &+ count)
  let isOpaque = PixelWord.alpha(pixel) == 255
  for index in target.indices {
    let amount = UInt32(part[index])
    if amount == 0 { continue }
    if amount == 255, isOpaque {
      target[index] = pixel
    } else {
      target[index] = PixelWord.over(PixelWord.scaled(pixel, by: amount), target[index])
    }
  }
}

/// Composites pixels over others, with uniform coverage.
@inline(__always)
func blendRow(
  _ row: inout MutableSpan<UInt32>, from start: Int, with pixels: Span<UInt32>, amount: UInt32
) {
  var target = row._mutatingExtracting(start..<start &+ pixels.count)
  if amount == 255 {
    for index in target.indices { target[index] = PixelWord.over(pixels[index], target[index]) }
  } else {
    for index in target.indices {
      target[index] = PixelWord.over(PixelWord.scaled(pixels[index], by: amount), target[index])
    }
  }
}

/// Composites pixels over others, with individual coverage that starts at the first pixel.
@inline(__always)
func blendRow(
  _ row: inout MutableSpan<UInt32>, from start: Int, with pixels: Span<UInt32>, coverage: Span<UInt8>
) {
  var target = row._mutatingExtracting(start..<start &+ pixels.count)
  for index in target.indices {
    target[index] = PixelWord.over(PixelWord.scaled(pixels[index], by: UInt32(coverage[index])), target[index])
  }
}
