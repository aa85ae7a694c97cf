// Small documents and their pixels.

import SVGCodec
import TestSupport

/// A document of 20 × 20 user units around some markup.
func markup(_ body: String, _ attributes: String = "width='20' height='20'") -> [UInt8] {
  Array(
    """
    <svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(attributes)>\(body)</svg>
    """.utf8)
}

/// The drawing of some markup in 20 × 20 user units at one pixel each.
func draw(_ body: String, options: SVGDocument.Options = SVGDocument.Options()) throws -> Bitmap {
  try SVGDocument(parsing: markup(body), options: options).render()
}

/// The colour of a pixel as eight hexadecimal digits, straight alpha.
func pixel(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> String {
  let color = bitmap[x, y]
  return [color.red, color.green, color.blue, color.alpha].map { sample in
    let digits = String(sample, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
  }.joined()
}

/// The colour of the middle of a square filled with a paint.
func fillColor(_ paint: String) throws -> String {
  pixel(try draw("<rect width='20' height='20' fill='\(paint)'/>"), 10, 10)
}

/// The pixels that are not transparent.
func coveredCount(_ bitmap: Bitmap) -> Int {
  var count = 0
  for y in 0..<bitmap.height {
    for x in 0..<bitmap.width where bitmap[x, y].alpha != 0 { count += 1 }
  }
  return count
}

/// The columns and rows that are not transparent, as `minX minY maxX maxY`, the last ones included.
func coveredBox(_ bitmap: Bitmap) -> [Int] {
  var box = [Int.max, Int.max, Int.min, Int.min]
  for y in 0..<bitmap.height {
    for x in 0..<bitmap.width where bitmap[x, y].alpha != 0 {
      box = [min(box[0], x), min(box[1], y), max(box[2], x), max(box[3], y)]
    }
  }
  return box
}

/// Options with fonts; the first one is that of text without a family.
func options(fonts: RectangleFont...) -> SVGDocument.Options {
  var provider = FontProvider(data: fonts.map(\.bytes))
  provider.defaultFamily = fonts.first?.family ?? ""
  return SVGDocument.Options(fonts: provider)
}
