// Channels in addition to the colours are described, and decoded on request.

import ImageCoding
import JXLCodec
import TestSupport
import Testing

@Suite struct ExtraChannelTests {
  private let decoder = JXLDecoder()

  private func file(_ channelCount: Int, bitCount: Int = 8) -> ModularFile {
    let channels = (0..<channelCount).map { channel in
      (0..<20).map { ($0 * 37 + channel * 11) % (1 << min(bitCount, 8)) << max(0, bitCount - 8) }
    }
    return ModularFile(width: 5, height: 4, channels: channels, bitCount: bitCount)
  }

  @Test(arguments: [2, 4]) func alphaIsThatOfThePixels(channelCount: Int) throws {
    let file = file(channelCount)
    let channels = try decoder.extraChannels(file.codestream.span)
    #expect(channels.map(\.kind) == [.alpha(isAssociated: false)] && channels[0].bitDepth == 8)
    #expect(channels[0].name.isEmpty && channels[0].reductionFactor == 1)
    let alpha = try decoder.extraChannel(0, of: file.codestream.span)
    #expect(alpha.format == .gray8 && alpha.packedPixels.map(Int.init) == file.channels[channelCount - 1])
  }

  @Test func depthIsNoPartOfThePixels() throws {
    var file = file(2)
    file.extraType = 1
    let image = try decoder.decode(file.codestream)
    #expect(image.bitmap.format == .gray8 && image.bitmap.packedPixels.map(Int.init) == file.channels[0])
    #expect(try decoder.extraChannels(file.codestream.span).map(\.kind) == [.depth])
    let depth = try decoder.extraChannel(0, of: file.codestream.span)
    #expect(depth.packedPixels.map(Int.init) == file.channels[1])
    // Rotated to the right: the first row of the upright channel is its first column, from below.
    file.orientation = 6
    let upright = try decoder.extraChannel(0, of: file.codestream.span)
    #expect(upright.width == 4 && upright.height == 5)
    #expect(upright.packedPixels.prefix(4).map(Int.init) == [15, 10, 5, 0].map { file.channels[1][$0] })
    let stored = try decoder.extraChannel(0, of: file.codestream.span, options: DecodingOptions(orientation: .report))
    #expect(stored.packedPixels == depth.packedPixels && stored.orientation == .right)
  }

  /// The samples of the first channels, pixel by pixel.
  private func pixels(_ file: ModularFile, _ channelCount: Int) -> [Int] {
    (0..<20).flatMap { place in file.channels.prefix(channelCount).map { $0[place] } }
  }

  /// A profile that is only a header, for a colour space.
  private func encodedProfile(_ colorSpace: String) -> [UInt8] {
    var differences = [UInt8](repeating: 0, count: 128)
    for (index, (letter, predicted)) in zip(colorSpace.utf8, "RGB ".utf8).enumerated() {
      differences[16 + index] = letter &- predicted
    }
    // 128 bytes by one command: there are no tags.
    return [128, 1, 1, 0] + differences
  }

  @Test func blackIsTheFourthInk() throws {
    var file = file(4)
    file.extraType = 4
    file.encodedProfile = encodedProfile("CMYK")
    let image = try decoder.decode(file.codestream)
    // Full ink is 0 in the file.
    let inks: [UInt8] = pixels(file, 4).map { UInt8(255 - $0) }
    #expect(image.bitmap.format == .cmyk8 && image.bitmap.packedPixels == inks)
    #expect(try decoder.info(file.codestream.span).colorModel == .cmyk)
    let colors = try decoder.decode(file.codestream, options: DecodingOptions(pixelFormat: .rgb8))
    var expected: [UInt8] = []
    for place in 0..<20 {
      let light = file.channels[3][place]
      for channel in file.channels.prefix(3) { expected.append(UInt8((channel[place] * light + 127) / 255)) }
    }
    #expect(colors.bitmap.packedPixels == expected)
    #expect(DecoderContract(decoder, file.codestream).violations().prefix(8) == [])
  }

  @Test(arguments: [16, 24]) func inksOfOtherDepths(bitCount: Int) throws {
    var file = file(4, bitCount: bitCount)
    file.extraType = 4
    file.encodedProfile = encodedProfile("CMYK")
    let bitmap = try decoder.decode(file.codestream).bitmap
    #expect(bitmap.format == PixelFormat(.cmyk, sampleType: bitCount == 16 ? .uint16 : .float32))
    let bytes = bitmap.packedPixels
    let full = Double((1 << bitCount) - 1)
    for (place, stored) in pixels(file, 4).enumerated() {
      let sample: Double =
        bitCount == 16
        ? Double(nativeUInt16(bytes.span, at: 2 * place)) / full
        : Double(Float(bitPattern: nativeUInt32(bytes.span, at: 4 * place)))
      let ink: Double = 1 - Double(stored) / full
      #expect(abs(sample - ink) < 1e-6)
    }
  }

  @Test func blackWithoutProfileOfInksIsNoPartOfThePixels() throws {
    var file = file(4)
    file.extraType = 4
    for profile in [[], encodedProfile("RGB ")] {
      file.encodedProfile = profile
      let image = try decoder.decode(file.codestream)
      let colors: [UInt8] = pixels(file, 3).map { UInt8($0) }
      #expect(image.bitmap.format == .rgb8 && image.bitmap.packedPixels == colors)
      #expect(try decoder.extraChannels(file.codestream.span).map(\.kind) == [.black])
    }
  }

  @Test func deepSamplesAreKept() throws {
    let file = file(2, bitCount: 16)
    let alpha = try decoder.extraChannel(0, of: file.codestream.span)
    #expect(alpha.format == .gray16)
    let bytes = alpha.packedPixels
    let samples = stride(from: 0, to: bytes.count, by: 2).map { place in
      Int(UInt16(littleEndian: UInt16(bytes[place]) | UInt16(bytes[place + 1]) << 8))
    }
    #expect(samples == file.channels[1])
  }

  @Test func otherChannelsDoNotExist() throws {
    for index in [-1, 1, .max] {
      let error = #expect(throws: CodecError.self) { try decoder.extraChannel(index, of: file(2).codestream.span) }
      #expect(error?.kind == .invalidArgument && error?.reason.contains("the image has 1") == true)
    }
    #expect(try decoder.extraChannels(file(3).codestream.span).isEmpty)
  }

  @Test func everyPrefixIsAnErrorOrAPart() throws {
    let bytes = file(4).codestream
    for count in bytes.indices {
      let error = #expect(throws: CodecError.self) {
        try decoder.extraChannel(0, of: bytes.span.extracting(0..<count), options: DecodingOptions(tolerance: .strict))
      }
      #expect(error?.isDamage == true)
      _ = try? decoder.extraChannel(0, of: bytes.span.extracting(0..<count))
    }
    for limits in [DecodingLimits(maximumByteCount: 10), DecodingLimits(maximumPixelCount: 19)] {
      let error = #expect(throws: CodecError.self) {
        try decoder.extraChannel(0, of: bytes.span, options: DecodingOptions(limits: limits))
      }
      #expect(error?.kind == .limitExceeded)
    }
  }
}
