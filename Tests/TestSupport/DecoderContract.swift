// The properties that every decoder has, whatever its format.

package import ImageCoding

/// Tests one file of a decoder at all entry points.
package struct DecoderContract {
  private let decoder: any ImageFormatDecoder
  private let file: [UInt8]
  private let nestedTypes: Set<AssetType>
  private let codedPixelCount: Int?
  /// Limits that keep the time for zeroing memory small.
  private let limits = DecodingLimits(maximumPixelCount: 1 << 16, maximumByteCount: 4 << 20)

  /// - Parameters:
  ///   - nestedTypes: the formats of pictures inside the file.
  ///   - codedPixelCount: the number of pixels that must be decoded; `nil` if it is that of the image.
  package init(
    _ decoder: any ImageFormatDecoder, _ file: [UInt8], nestedTypes: Set<AssetType> = [], codedPixelCount: Int? = nil
  ) {
    self.decoder = decoder
    self.file = file
    self.nestedTypes = nestedTypes
    self.codedPixelCount = codedPixelCount
  }

  /// Returns the violations found, none if the decoder keeps its contract.
  package func violations() -> [String] {
    guard let image = try? decoder.decode(file.span, options: DecodingOptions(tolerance: .strict)), image.isComplete,
      image.diagnostics.isEmpty
    else { return ["the file does not decode strictly"] }
    return (1...128).flatMap { stride in
      checkParts(of: file, lenient: stride % 2 == 0, stride: stride).map { "parts of \(stride): \($0)" }
    } + checkPrefixes() + checkFlippedBits() + checkLimits(image.bitmap) + checkOptions(image.bitmap)
      + checkErrors() + checkEntryPoints(image)
  }

  // MARK: Parts

  /// Compares arrival in parts with decoding at once.
  private func checkParts(of bytes: [UInt8], lenient: Bool, stride: Int) -> [String] {
    let options = DecodingOptions(tolerance: lenient ? .lenient : .strict, limits: limits)
    let whole = Result { () throws(CodecError) in try decoder.decode(bytes.span, options: options) }
    let parts = Result { () throws(CodecError) in
      let session = decoder.makeSession(options: options)
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + stride)
        try session.append(bytes.span.extracting(start..<end))
        if start % 16 == 0 { _ = session.makePreview() }
        start = end
      }
      return try session.finish()
    }
    switch (whole, parts) {
    case (.success(let one), .success(let other)):
      if one.bitmap != other.bitmap { return ["the pixels differ in parts"] }
      return one.details == other.details ? [] : ["in parts: \(other.details), at once: \(one.details)"]
    case (.failure(let one), .failure(let other)):
      return one.kind == other.kind ? [] : ["in parts: \(other), at once: \(one)"]
    case (.success, .failure(let error)): return ["decodes at once, in parts: \(error)"]
    case (.failure(let error), .success): return ["decodes in parts, at once: \(error)"]
    }
  }

  // MARK: Damage

  private func checkPrefixes() -> [String] {
    var violations: [String] = []
    for count in 0..<file.count {
      let prefix = Array(file.prefix(count))
      _ = decoder.probe(prefix.span)
      do throws(CodecError) {
        _ = try decoder.info(prefix.span)
      } catch {
        if error.kind != .truncated && error.kind != .malformed {
          violations.append("info of \(count) bytes: \(error)")
        }
        if let needed = error.neededByteCount, needed <= count { violations.append("info needs \(needed) of \(count)") }
      }
      _ = try? decoder.metadata(prefix.span)
      violations += checkParts(of: prefix, lenient: count % 2 == 0, stride: 1 + count % 5)
    }
    return violations
  }

  private func checkFlippedBits() -> [String] {
    var violations: [String] = []
    for bit in 0..<file.count * 8 {
      var bytes = file
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = decoder.probe(bytes.span)
      _ = try? decoder.info(bytes.span, options: InfoOptions(limits: limits))
      violations += checkParts(of: bytes, lenient: bit % 3 != 0, stride: 1 + bit % 31).map { "bit \(bit): \($0)" }
    }
    return violations
  }

  // MARK: Limits

  private func checkLimits(_ bitmap: Bitmap) -> [String] {
    var violations: [String] = []
    func kind(_ limits: DecodingLimits) -> CodecError.Kind? {
      do throws(CodecError) {
        _ = try decoder.decode(file.span, options: DecodingOptions(limits: limits))
        return nil
      } catch { return error.kind }
    }
    let pixelCount = codedPixelCount ?? bitmap.width * bitmap.height
    if kind(DecodingLimits(maximumPixelCount: pixelCount)) != nil { violations.append("the pixel limit is too strict") }
    if kind(DecodingLimits(maximumPixelCount: pixelCount - 1)) != .limitExceeded {
      violations.append("the pixel limit is not observed")
    }
    if kind(DecodingLimits(maximumByteCount: bitmap.byteCount - 1)) != .limitExceeded {
      violations.append("the memory limit is not observed")
    }
    if kind(DecodingLimits(maximumWork: 1, maximumWorkPerPixel: 0)) != .limitExceeded {
      violations.append("the work limit is not observed")
    }
    var budget = ResourceBudget(.default)
    var result = Bitmap()
    let details = try? decoder.decode(file.span, into: &result, options: DecodingOptions(), budget: &budget)
    if budget.heldByteCount != result.byteCount + (details?.metadata.byteCount ?? 0) {
      violations.append("the budget holds \(budget.heldByteCount) bytes for \(result.byteCount)")
    }
    return violations
  }

  // MARK: Errors

  /// Errors of limits name the format, and leave the budget as it was.
  private func checkErrors() -> [String] {
    var violations: [String] = []
    let heldByteCount = 1000
    for limits in [
      DecodingLimits(maximumPixelCount: 0), DecodingLimits(maximumByteCount: heldByteCount + 1),
      DecodingLimits(maximumWork: 1, maximumWorkPerPixel: 0),
    ] {
      let options = DecodingOptions(limits: limits)
      for isStreamed in [false, true] {
        var budget = ResourceBudget(options)
        var bitmap = Bitmap()
        do throws(CodecError) {
          try budget.allocate(heldByteCount)
          if isStreamed {
            _ = try decoder.decode(file.span, to: CollectingSink(), options: options, budget: &budget)
          } else {
            _ = try decoder.decode(file.span, into: &bitmap, options: options, budget: &budget)
          }
          // A sink needs no pixels.
          if !isStreamed { violations.append("\(limits) is not observed") }
        } catch {
          let isNamed = error.format.map { namesOfErrors.contains($0) } ?? false
          if error.kind != .limitExceeded || !isNamed { violations.append("\(error) names no format, or another") }
          if budget.heldByteCount != heldByteCount || budget.format != nil {
            violations.append("the budget holds \(budget.heldByteCount) bytes after \(error)")
          }
        }
      }
    }
    return violations
  }

  /// All ways to read a file agree, and a sink is charged to the budget of the decode.
  private func checkEntryPoints(_ image: DecodedImage) -> [String] {
    var violations: [String] = []
    let limits = InfoOptions(indexesFrames: true)
    if (try? decoder.info(file.span, options: limits))?.size != image.info.size {
      violations.append("the info states another size than the image has")
    }
    if (try? decoder.metadata(file.span)) != image.metadata { violations.append("the metadata differs") }
    var budget = ResourceBudget(.default)
    let sink = CollectingSink(heldByteCount: 777)
    let details = try? decoder.decode(file.span, to: sink, options: DecodingOptions(), budget: &budget)
    if details?.info != image.info || details?.metadata != image.metadata {
      violations.append("the details of the streamed image differ")
    }
    if budget.heldByteCount != 777 + image.metadata.byteCount {
      violations.append("the budget holds \(budget.heldByteCount) bytes for a sink of 777")
    }
    // Memory that the sink takes counts towards the limit of the decode.
    var tight = ResourceBudget(DecodingLimits(maximumByteCount: budget.peakByteCount - 1))
    if (try? decoder.decode(file.span, to: sink, options: DecodingOptions(), budget: &tight)) != nil {
      violations.append("the sink is not charged while the image is decoded")
    }
    return violations
  }

  /// The formats that errors may refer to.
  private var namesOfErrors: Set<AssetType> { Set(decoder.types).union(nestedTypes) }

  // MARK: Options

  private func checkOptions(_ bitmap: Bitmap) -> [String] {
    var violations: [String] = []
    for format in PixelFormat.all {
      let converted = try? decoder.decode(file.span, options: DecodingOptions(pixelFormat: format)).bitmap
      if let expected = try? bitmap.converted(to: format), converted?.packedPixels != expected.packedPixels {
        violations.append("decoding to \(format) differs from converting to it")
      }
    }
    let region = PixelRegion(x: bitmap.width / 3, y: bitmap.height / 3, width: 1, height: max(1, bitmap.height / 2))
    let part = try? decoder.decode(file.span, options: DecodingOptions(region: region)).bitmap
    if let expected = try? bitmap.cropped(to: region), part != expected { violations.append("a region differs") }
    if (try? decoder.decode(file.span, options: DecodingOptions(imageIndex: 99))) != nil {
      violations.append("there is an image 99")
    }
    var reused = bitmap
    for y in 0..<reused.height {
      var row = reused.mutableRow(y)
      for index in row.indices { row[index] = 0xA5 }
    }
    _ = try? decoder.decode(file.span, into: &reused, options: DecodingOptions())
    if reused != bitmap { violations.append("the result contains the bitmap's previous content") }
    let sink = CollectingSink()
    _ = try? decoder.decode(file.span, to: sink)
    if sink.bytes != bitmap.packedPixels { violations.append("streamed rows differ") }
    return violations
  }
}
