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
