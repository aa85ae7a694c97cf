// The chunks of one picture: a still image or a frame of an animation.

internal import ImageCoding

/// The encoded data of a picture.
struct EncodedPicture: Sendable {
  var chunks = RIFFWriter()
  /// Whether some pixel may be transparent.
  var hasAlpha = false
  /// Whether alpha is a separate chunk.
  var hasAlphaPlane = false
}

/// Encodes pictures by the coding of the options.
struct PictureEncoder: Sendable {
  let options: WebPEncoder.Options

  /// Returns an encoded picture, which the budget then holds in addition to the pixels.
  ///
  /// - Parameters:
  ///   - picture: its memory is used, and its pixels are lost.
  ///   - overhead: the number of bytes of the file besides the picture, which count towards its maximum size.
  func encode(
    _ picture: inout EncodablePicture, overhead: Int = 0, _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedPicture {
    switch options.coding {
    case .lossless: return try encodeLossless(&picture, &budget)
    case .lossy: return try encodeLossy(picture, overhead: overhead, &budget)
    case .mixed:
      let picture = picture
      let results = try parallelResults(count: 2, parallelism: options.parallelism, &budget) {
        index, budget throws(CodecError) in
        if index == 0 { return try encodeLossy(picture, overhead: overhead, &budget) }
        var copy = picture
        let copyByteCount = try budget.allocate(
          count: picture.pixels.count, bytesEach: EncodablePicture.bytesPerPixel)
        defer { budget.release(copyByteCount) }
        return try encodeLossless(&copy, &budget)
      }
      let byteCounts = results.map { $0.chunks.byteCount }
      budget.release(max(byteCounts[0], byteCounts[1]))
      return byteCounts[0] < byteCounts[1] ? results[0] : results[1]
    }
  }

  private func encodeLossless(
    _ picture: inout EncodablePicture, _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedPicture {
    if !options.keepsInvisibleColors { picture.clearInvisiblePixels() }
    if options.nearLossless < 100 {
      let copyByteCount = try budget.allocate(
        count: picture.pixels.count, bytesEach: 2 * EncodablePicture.bytesPerPixel)
      defer { budget.release(copyByteCount) }
      try roundBusyPixels(
        &picture.pixels, width: picture.size.width, height: picture.size.height, quality: options.nearLossless,
        &budget)
      // Rounding may change alpha.
      picture = EncodablePicture(size: picture.size, pixels: picture.pixels)
    }
    let encoder = LosslessEncoder(
      effort: LosslessEffort(level: options.effort),
      freesInvisibleColors: picture.hasAlpha && !options.keepsInvisibleColors, parallelism: options.parallelism)
    let data = try encoder.encode(
      &picture.pixels, width: picture.size.width, height: picture.size.height, hasAlpha: picture.hasAlpha, &budget)
    var result = EncodedPicture(hasAlpha: picture.hasAlpha)
    result.chunks.append("VP8L", data)
    return result
  }

  private func encodeLossy(
    _ picture: EncodablePicture, overhead: Int, _ budget: inout ResourceBudget
  ) throws(CodecError) -> EncodedPicture {
    var picture = picture
    var result = EncodedPicture(hasAlpha: picture.hasAlpha, hasAlphaPlane: picture.hasAlpha)
    var overhead = overhead + Self.containerByteCount
    if picture.hasAlpha {
      let encoder = AlphaEncoder(
        quality: options.alphaQuality, effort: options.effort, parallelism: options.parallelism)
      result.chunks.append("ALPH", try encoder.encode(picture, &budget))
      overhead += result.chunks.byteCount
      if !options.keepsInvisibleColors { picture.flattenInvisiblePixels() }
    }
    let source = try LossySource(picture, usesSharpChroma: options.usesSharpChroma, &budget)
    defer { budget.release(source.byteCount) }
    let frame = try LossyEncoder(options: options).encode(source, overhead: overhead, &budget)
    result.chunks.append("VP8 ", frame.bytes)
    return result
  }

  /// The header of the file, VP8X, and the header and padding of a chunk.
  private static let containerByteCount = 12 + 18 + 9
}
