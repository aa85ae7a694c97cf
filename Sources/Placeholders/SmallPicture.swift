// The input of all placeholders: a small copy of a picture in straight 8-bit RGBA.

internal import ImageCore
internal import Resampling

extension Bitmap {
  /// Returns the picture as straight RGBA, shrunk with the box filter to fit a square if it is larger.
  ///
  /// - Parameter side: the side of the square in pixels.
  func shrunk(toFit side: Int, _ budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    guard !isEmpty else { throw CodecError(.invalidArgument, "the picture has no pixels") }
    var picture = self
    let longest = max(width, height)
    if longest > side {
      func reduced(_ count: Int) -> Int { max(1, Int(Int64(count) * Int64(side) / Int64(longest))) }
      picture = try resized(toWidth: reduced(width), height: reduced(height), filter: .box, budget: &budget)
    }
    try budget.allocatePixels(width: picture.width, height: picture.height, bytesPerPixel: 4)
    try budget.chargeWork(count: picture.width * picture.height, unitsEach: 4)
    return try picture.converted(to: .rgba8)
  }
}
