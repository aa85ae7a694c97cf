// Cropping, mirroring and rotation of bitmaps.

extension Bitmap {
  /// Returns the pixels of a region as a bitmap with the same tags.
  ///
  /// - Throws: ``CodecError/Kind/invalidArgument`` unless the region is inside the bitmap.
  public func cropped(to region: PixelRegion) throws(CodecError) -> Bitmap {
    guard region.fits(in: pixelSize) else {
      throw CodecError(
        .invalidArgument,
        "the region \(region.width) × \(region.height) at (\(region.x), \(region.y)) is not inside \(width) × \(height)"
      )
    }
    var result = try copy(of: region)
    result.copyTags(from: self)
    return result
  }

  /// Returns the bitmap with its stored pixels mirrored left to right. ``orientation`` is unchanged.
  public func flippedHorizontally() -> Bitmap { turned(as: .upMirrored) }

  /// Returns the bitmap with its stored pixels mirrored top to bottom. ``orientation`` is unchanged.
  public func flippedVertically() -> Bitmap { turned(as: .downMirrored) }

  /// Returns the bitmap with its stored pixels rotated clockwise by multiples of 90°; negative numbers rotate
  /// counter-clockwise. ``orientation`` is unchanged.
  public func rotated(byQuarterTurns turns: Int) -> Bitmap {
    switch turns & 3 {
    case 1: turned(as: .right)
    case 2: turned(as: .down)
    case 3: turned(as: .left)
    default: self
    }
  }

  /// Moves the pixels as for an orientation, and keeps the tags.
  private func turned(as orientation: ImageOrientation) -> Bitmap {
    var source = self
    source.orientation = orientation
    var result = source.orientedUp()
    result.orientation = self.orientation
    return result
  }
}
