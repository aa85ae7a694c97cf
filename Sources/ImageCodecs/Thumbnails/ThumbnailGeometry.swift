// Sizes: to what an image is resized, and which part of it remains.

internal import ImageCoding
internal import Resampling

/// The part of an image that is kept, and the size to which it is resized.
struct ThumbnailGeometry: Hashable {
  /// The size to which the whole image would be resized, in whole pixels.
  var scaled: PixelSize
  /// The size of the result.
  var size: PixelSize
  /// The part of the image that is kept.
  var part = ImagePart()

  /// Returns the geometry of the stored image, whose upright version this is the geometry of.
  func stored(as orientation: ImageOrientation) -> ThumbnailGeometry {
    var stored = self
    if orientation.swapsAxes {
      stored.scaled = scaled.transposed
      stored.size = size.transposed
      stored.part = ImagePart(columns: part.rows, rows: part.columns)
    }
    switch orientation {
    case .up, .leftMirrored: break
    case .upMirrored, .left: stored.part.columns = stored.part.columns.mirrored
    case .downMirrored, .right: stored.part.rows = stored.part.rows.mirrored
    case .down, .rightMirrored:
      stored.part.columns = stored.part.columns.mirrored
      stored.part.rows = stored.part.rows.mirrored
    }
    return stored
  }
}

/// A part of an image in fractions of its width and height.
struct ImagePart: Hashable {
  /// A part of one side, within 0…1.
  struct Side: Hashable {
    var start = 0.0
    var length = 1.0

    /// The same part of the reversed side.
    var mirrored: Side { Side(start: max(0, 1 - start - length), length: length) }

    /// Returns the part of a side of `count` pixels. Ends that differ from whole pixels by rounding errors only are whole.
    fileprivate func pixels(of count: Int) -> ClosedRange<Double> {
      func snapped(_ fraction: Double) -> Double {
        let position = fraction * Double(count)
        let whole = position.rounded()
        return min(Double(count), abs(position - whole) < 1e-6 ? whole : position)
      }
      let lower = max(0, snapped(start))
      return lower...max(lower, snapped(start + length))
    }
  }

  var columns = Side()
  var rows = Side()

  /// Whether nothing is cropped.
  var isWhole: Bool { self == ImagePart() }

  /// The part of an image of this size in pixels; `nil` if nothing is cropped.
  func pixels(of size: PixelSize) -> SourcePart? {
    isWhole ? nil : SourcePart(columns: columns.pixels(of: size.width), rows: rows.pixels(of: size.height))
  }
}

extension Thumbnail {
  /// Returns the geometry of an upright image.
  ///
  /// - Parameter isDrawing: whether the image has no resolution, and can be enlarged without loss.
  func geometry(of image: PixelSize, isDrawing: Bool) -> ThumbnailGeometry {
    guard image.width > 0, image.height > 0 else { return ThumbnailGeometry(scaled: image, size: image) }
    let scaled = scaledSize(of: image, canGrow: enlarges || isDrawing)
    guard case .cover(let gravity) = fit else { return ThumbnailGeometry(scaled: scaled, size: scaled) }
    let kept = PixelSize(
      width: min(scaled.width, width ?? .max), height: min(scaled.height, height ?? .max))
    let factor = factor(of: image, canGrow: enlarges || isDrawing)
    let (across, down) = gravity.position
    func side(_ count: Int, _ kept: Int, _ limit: Int?, _ position: Int) -> ImagePart.Side {
      // Whole pixels of an image that keeps its size.
      if factor == 1 {
        let start = (count - kept) * position / 2
        return ImagePart.Side(start: Double(start) / Double(count), length: Double(kept) / Double(count))
      }
      let length = Double(kept) / (Double(count) * factor)
      // A side that decides on the factor differs from its limit by rounding errors only.
      guard limit != nil, length < 1 - 1e-9 else { return ImagePart.Side() }
      return ImagePart.Side(start: (1 - length) * Double(position) / 2, length: length)
    }
    return ThumbnailGeometry(
      scaled: scaled, size: kept,
      part: ImagePart(
        columns: side(image.width, kept.width, width, across), rows: side(image.height, kept.height, height, down)))
  }

  /// The factor by which an image is scaled that covers the size.
  private func factor(of image: PixelSize, canGrow: Bool) -> Double {
    let ratios = [
      width.map { Double($0) / Double(image.width) }, height.map { Double($0) / Double(image.height) },
    ].compactMap(\.self)
    let greatest = ratios.max() ?? 1
    return canGrow ? greatest : min(greatest, 1)
  }

  private func scaledSize(of image: PixelSize, canGrow: Bool) -> PixelSize {
    let ratios = [
      width.map { Double($0) / Double(image.width) },
      height.map { Double($0) / Double(image.height) },
    ].compactMap(\.self)
    let (least, greatest) = (ratios.min() ?? 1, ratios.max() ?? 1)
    var across: Double
    var down: Double
    switch fit {
    case .inside, .padded: (across, down) = (least, least)
    case .outside, .cover: (across, down) = (greatest, greatest)
    case .exact: (across, down) = (ratios.first ?? 1, ratios.last ?? 1)
    }
    if !canGrow { (across, down) = (min(across, 1), min(down, 1)) }
    return image.scaled(across: across, down: down)
  }
}

extension Thumbnail.Gravity {
  /// The column and row of the kept part: 0 for the start, 1 for the middle, 2 for the end.
  var position: (across: Int, down: Int) {
    switch self {
    case .topLeft: (0, 0)
    case .top: (1, 0)
    case .topRight: (2, 0)
    case .left: (0, 1)
    case .center: (1, 1)
    case .right: (2, 1)
    case .bottomLeft: (0, 2)
    case .bottom: (1, 2)
    case .bottomRight: (2, 2)
    }
  }
}
