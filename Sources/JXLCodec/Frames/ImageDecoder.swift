// The pixels of the still image: the first picture of an animation.

internal import ImageCoding

/// Decodes the first picture.
struct ImageDecoder {
  private let headers: JXLHeaders
  /// Whether what is missing or damaged is left out without a diagnostic, for a preview.
  private let isPreview: Bool

  init(_ headers: JXLHeaders, isPreview: Bool = false) {
    self.headers = headers
    self.isPreview = isPreview
  }

  func decode(
    _ codestream: Span<UInt8>, into bitmap: inout Bitmap, _ context: inout DecodingContext
  ) throws(CodecError) {
    let size = headers.image.size
    var window = PixelRegion(x: 0, y: 0, width: size.width, height: size.height)
    if !isPreview, context.options.region != nil {
      try context.budget.checkSourceSize(width: size.width, height: size.height)
      window = try context.options.storedRegion(
        of: size, orientation: headers.image.orientation, format: JXLDecoder.type)
    }
    try context.checkSize(width: window.width, height: window.height, format: .gray8, byteOffset: 0)
    context.budget.allowWork(forPixelCount: size.width * size.height)
    var frames = FrameSequence(headers)
    frames.toleratesDamage = isPreview || !context.isStrict
    if !isPreview, context.options.region != nil { frames.region = window }
    frames.reductionFactor = reductionFactor(context.options)
    frames.maximumLevel = maximumLevel(context.options)
    let parallelism = context.options.parallelism
    var picture = FrameSequence.Picture.none
    if let reducedSize = reducedSize(context.options) {
      var reduced = frames
      if let frame = try reduced.nextReducedPicture(codestream, parallelism: parallelism, budget: &context.budget) {
        (picture, frames) = (.rendered(frame), reduced)
        window = PixelRegion(x: 0, y: 0, width: reducedSize.width, height: reducedSize.height)
      }
    }
    if case .none = picture {
      picture = try frames.nextPicture(codestream, parallelism: parallelism, budget: &context.budget)
      if frames.level > 0 {
        let reduced = size.reduced(byLevel: frames.level)
        window = PixelRegion(x: 0, y: 0, width: reduced.width, height: reduced.height)
      }
    }
    let output = PictureOutput(headers.image)
    var rows = try RowOutput(
      output.natural, size: PixelSize(width: window.width, height: window.height), colorSpace: headers.colorSpace,
      byteOffset: 0, into: &bitmap, &context)
    let columns = window.x..<window.x + window.width
    for y in window.y..<window.y + window.height {
      try output.prepare(
        &picture, row: y, width: window.width, codestream, parallelism: parallelism, budget: &context.budget)
      try rows.write(into: &bitmap, &context) { pixels in
        output.write(picture, row: y, columns: columns, into: &pixels)
      }
    }
    if !isPreview, let damage = frames.damage ?? picture.damage {
      let offset = damage.byteOffset.map(headers.codestream.fileOffset)
      try context.tolerate(CodecError(damage.kind, damage.reason, byteOffset: offset), as: .damage)
    }
    bitmap.orientation = headers.image.orientation
  }

  /// The greatest factor by which a whole picture can be reduced to the size that is wanted, or a larger one.
  private func reductionFactor(_ options: DecodingOptions) -> Int {
    guard var target = options.targetSize, options.region == nil else { return 1 }
    if headers.image.orientation.swapsAxes { target = target.transposed }
    let size = headers.image.size
    return max(1, min(size.width / max(1, target.width), size.height / max(1, target.height)))
  }

  /// The size of a picture reduced to an eighth, if it suffices.
  private func reducedSize(_ options: DecodingOptions) -> PixelSize? {
    suffices(level: 3, options) ? headers.image.size.reduced(byLevel: 3) : nil
  }

  /// The greatest binary logarithm of a factor by which a whole picture can be reduced so that it suffices.
  private func maximumLevel(_ options: DecodingOptions) -> Int {
    let size = headers.image.size
    var level = 0
    while max(size.width, size.height) > 1 << level, suffices(level: level + 1, options) { level += 1 }
    return level
  }

  /// Whether the size that is wanted is at most that of the picture reduced by 2 to the power of a level.
  private func suffices(level: Int, _ options: DecodingOptions) -> Bool {
    guard var target = options.targetSize, options.region == nil else { return false }
    if headers.image.orientation.swapsAxes { target = target.transposed }
    let size = headers.image.size.reduced(byLevel: level)
    return size.width >= target.width && size.height >= target.height
  }
}

extension PixelSize {
  /// The size reduced by 2 to the power of a level, rounded up.
  func reduced(byLevel level: Int) -> PixelSize {
    PixelSize(width: (width - 1) >> level + 1, height: (height - 1) >> level + 1)
  }
}
