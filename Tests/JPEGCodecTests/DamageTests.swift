import JPEGCodec
import TestSupport
import Testing

@Suite struct DamageTests {
  /// Every outcome is an image or a typed error; a trap would end the test run.
  private func decodes(_ file: [UInt8], _ options: DecodingOptions = DecodingOptions()) -> DecodedImage? {
    try? JPEGDecoder().decode(file.span, options: options)
  }

  @Test func everyBitFlipOfSmallFilesEndsInAnImageOrAnError() {
    let names = [
      "2x2/9x13", "2x1/13x7/progressive", "1x1/5x2/restart", "gray/9x13/progressive", "arithmetic-gray-progressive",
    ]
    for name in names {
      let file = ReferencePicture.named(name)
      #expect(!file.isEmpty, "\(name)")
      // Arithmetic files are slower and larger; a part of them will do.
      for index in stride(from: 0, to: file.count, by: name.hasPrefix("arithmetic") ? 11 : 1) {
        for bit in 0..<8 {
          var damaged = file
          damaged[index] ^= 1 << UInt8(bit)
          // A flipped size makes a large picture; its pixels are not what this is about.
          _ = decodes(damaged, DecodingOptions(limits: DecodingLimits(maximumPixelCount: 100_000)))
        }
      }
    }
  }

  @Test func splicedFilesEndInAnImageOrAnError() {
    var noise = TestRandom(10)
    for _ in 0..<3000 {
      var file = ReferencePicture.all[Int(noise.next() % UInt64(ReferencePicture.all.count))].file
      for _ in 0..<Int.random(in: 1...6, using: &noise) {
        let at = Int.random(in: 2..<file.count, using: &noise)
        switch noise.next() % 3 {
        case 0: file[at] = UInt8(truncatingIfNeeded: noise.next())
        case 1: file.remove(at: at)
        default: file.insert(UInt8(truncatingIfNeeded: noise.next()), at: at)
        }
      }
      let limits = DecodingLimits(maximumPixelCount: 100_000)
      let lenient = decodes(file, DecodingOptions(limits: limits))
      if let strict = decodes(file, DecodingOptions(tolerance: .strict, limits: limits)) {
        #expect(lenient?.bitmap == strict.bitmap)
      }
    }
  }

  @Test func aTruncatedFileKeepsItsRowsAndZeroesTheRest() throws {
    let file = ReferencePicture.named("standard-tables")
    let whole = try JPEGDecoder().decode(file.span).bitmap
    let cut = Array(file.prefix(file.count - 500))
    let image = try JPEGDecoder().decode(cut.span)
    #expect(!image.isComplete)
    #expect(image.diagnostics.contains { $0.severity == .damage })
    #expect(Array(image.bitmap.packedPixels.prefix(67 * 3 * 10)) == Array(whole.packedPixels.prefix(67 * 3 * 10)))
    #expect(image.bitmap.packedPixels.suffix(67 * 3 * 4).allSatisfy { $0 == 0 })
    #expect(throws: CodecError.self) {
      try JPEGDecoder().decode(cut.span, options: DecodingOptions(tolerance: .strict))
    }
  }

  /// The marker after the interval is the right one, so that nothing else is amiss.
  @Test(arguments: [false, true]) func anIntervalThatEndsEarlyIsReported(isProgressive: Bool) throws {
    var noise = TestRandom(5)
    let picture = try Bitmap(width: 64, height: 64, format: .rgb8, pixels: noise.bytes(64 * 64 * 3))
    var options = JPEGEncoder.Options(quality: 90, isProgressive: isProgressive)
    options.restartInterval = .mcus(2)
    var file = try JPEGEncoder(options: options).encode(picture)
    let markers = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] & 0xF8 == 0xD0 }
    try #require(markers.count > 2)
    file.removeSubrange(markers[0] + 3..<markers[1])
    let image = try JPEGDecoder().decode(file.span)
    #expect(!image.isComplete)
    #expect(image.diagnostics.map(\.reason) == ["the data of a restart interval ends early"])
    let error = #expect(throws: CodecError.self) {
      try JPEGDecoder().decode(file.span, options: DecodingOptions(tolerance: .strict))
    }
    #expect(error?.kind == .malformed)
  }

  @Test func aLostRestartIntervalIsZeroAndTheNextOneIsRight() throws {
    let file = ReferencePicture.named("restart-3")
    let whole = try JPEGDecoder().decode(file.span).bitmap
    // Without RST2 and the data before it.
    let first = try #require(index(of: 0xD1, in: file))
    let second = try #require(index(of: 0xD2, in: file))
    let damaged = Array(file[..<first] + file[second...])
    let image = try JPEGDecoder().decode(damaged.span)
    #expect(!image.isComplete)
    let lastRow = Array(whole.packedPixels.suffix(67 * 3))
    #expect(Array(image.bitmap.packedPixels.suffix(67 * 3)) == lastRow)
    #expect(image.bitmap != whole)
  }

  @Test func limitsAreCheckedBeforeTheAllocationTheyGuard() throws {
    let file = ReferencePicture.named("preview-2x2/whole")
    func decode(_ limits: DecodingLimits) throws {
      _ = try JPEGDecoder().decode(file.span, options: .init(limits: limits))
    }
    try decode(DecodingLimits(maximumPixelCount: 67 * 53))
    #expect(limited { try decode(DecodingLimits(maximumPixelCount: 67 * 53 - 1)) })
    try decode(DecodingLimits(maximumScanCount: 10))
    #expect(limited { try decode(DecodingLimits(maximumScanCount: 9)) })
    #expect(limited { try decode(DecodingLimits(maximumByteCount: 67 * 53 * 3)) })
  }

  @Test func unsupportedProcessesAreNamed() throws {
    let file = ReferencePicture.named("2x2/9x13")
    let frame = try #require(index(of: 0xC0, in: file) ?? index(of: 0xC1, in: file))
    for (code, word) in [(0xC3, "lossless"), (0xC5, "hierarchical"), (0xCB, "lossless")] as [(UInt8, String)] {
      var other = file
      other[frame + 1] = code
      let error = #expect(throws: CodecError.self) { try JPEGDecoder().decode(other.span) }
      #expect(error?.kind == .unsupported && error?.reason.contains(word) == true)
    }
  }

  @Test func aDecodeCanBeCancelled() {
    let file = ReferencePicture.named("standard-tables")
    let error = #expect(throws: CodecError.self) {
      try JPEGDecoder().decode(file.span, options: DecodingOptions(shouldCancel: { true }))
    }
    #expect(error?.kind == .cancelled)
  }

  private func limited(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch {
      return (error as? CodecError)?.kind == .limitExceeded
    }
  }
}

/// The index of the first marker with this code.
func index(of code: UInt8, in file: [UInt8]) -> Int? {
  file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == code }
}
