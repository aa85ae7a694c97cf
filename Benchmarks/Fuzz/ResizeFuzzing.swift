// Resizing of images that the input describes, and thumbnails of inputs as files.

import ImageCodecs
import ImageCoding
import Resampling

/// Resizes an image whose size, layout, pixels and filter the input determines. Traps if rows that are streamed differ
/// from those of the bitmap.
func fuzzResizing(_ bytes: [UInt8]) {
  var bytes = bytes[...]
  func next() -> Int { Int(bytes.popFirst() ?? 0) }
  let format = PixelFormat.all[next() % PixelFormat.all.count]
  let (width, height) = (1 + next() % 70, 1 + next() % 70)
  let target = PixelSize(width: 1 + next() % 90, height: 1 + next() % 90)
  let filter = ResamplingFilter.allCases[next() % ResamplingFilter.allCases.count]
  let light = ResamplingLight.allCases[next() % 2]
  var rest = Array(bytes)
  let count = width * height * format.bytesPerPixel
  let seed = rest.last ?? 7
  while rest.count < count { rest.append(UInt8(truncatingIfNeeded: rest.count &* 31) ^ seed) }
  guard
    let bitmap = try? Bitmap(width: width, height: height, format: format, pixels: Array(rest.prefix(count))),
    let resized = try? bitmap.resized(toWidth: target.width, height: target.height, filter: filter, light: light)
  else { preconditionFailure("the bitmap cannot be resized") }
  var budget = ResourceBudget(.default)
  let sink = ResizingSink(toWidth: target.width, height: target.height, filter: filter, light: light)
  guard
    (try? sink.begin(
      StreamedImage(width: width, height: height, format: format, colorSpace: bitmap.colorSpace), budget: &budget))
      != nil
  else { preconditionFailure("the rows cannot be resized") }
  for y in 0..<height {
    guard (try? sink.append(bitmap.row(y), budget: &budget)) != nil else {
      preconditionFailure("a row cannot be resized")
    }
  }
  guard let streamed = try? sink.finish(budget: &budget) else { preconditionFailure("the rows are incomplete") }
  precondition(streamed.packedPixels == resized.packedPixels, "the streamed rows differ from those of the bitmap")
}

/// Makes thumbnails of an input.
func fuzzThumbnails(_ bytes: [UInt8]) {
  let options = DecodingOptions(limits: .fuzzing(bytes))
  for request in [
    Thumbnail(width: 17, height: 11), Thumbnail(width: 9, height: 23, fit: .cover(.topRight), light: .linear),
    Thumbnail(
      width: 40, height: 40, fit: .exact, enlarges: true, filter: .bicubic,
      background: RGBA8(red: 1, green: 2, blue: 3), sharpening: 1),
  ] {
    guard let made = try? ImageFile(bytes, options: options).thumbnail(request) else { continue }
    let size = made.bitmap.pixelSize
    precondition(
      (1...40).contains(size.width) && (1...40).contains(size.height) || request.fit == .inside,
      "the thumbnail has the wrong size")
  }
  _ = try? ImageFile(bytes, options: options).encodedThumbnail(Thumbnail(width: 12, frames: .all), as: .gif)
}
