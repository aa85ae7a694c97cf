import AVCCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct ParameterSetTests {
  @Test func theMeaningOfSamplesIsThatOfTheUsabilityInformation() throws {
    for isFullRange in [false, true] {
      let picture = SyntheticPicture(
        bitDepth: 10, usability: (isFullRange: isFullRange, codePoints: [9, 16, 9], siting: 2))
      let (stream, _) = picture.coded()
      let expected = CodingIndependentCodePoints(
        colorPrimaries: 9, transferFunction: 16, matrixCoefficients: 9, isFullRange: isFullRange)
      let description = try describe(stream)
      #expect(description.codePoints == expected)
      #expect(description.coding.range == (isFullRange ? .full : .limited))
      #expect(description.coding.matrix == .bt2020 && description.coding.siting == .topLeft)
      #expect(try decode(stream).picture.coding == description.coding)
    }
    let unspecified = try describe(SyntheticPicture().coded().stream)
    #expect(unspecified.codePoints == nil && unspecified.coding == PlanarPicture.Coding())
  }

  @Test func theLastSetOfAnIdentifierCounts() throws {
    let small = SyntheticPicture(columns: 2, rows: 2)
    let stream = SyntheticPicture(columns: 9).parameterSets + small.coded().stream
    #expect(try decode(stream).picture.width == 32)
  }

  @Test func slicesWithoutSetsAreDamage() {
    let stream = SyntheticPicture().coded().stream
    let sets = SyntheticPicture().parameterSets
    #expect(throws: CodecError.self) { try decode(Array(stream.dropFirst(sets.count)), tolerance: .lenient) }
    #expect(throws: CodecError.self) { try decode(sets, tolerance: .lenient) }
    #expect(throws: CodecError.self) { try decode([], tolerance: .lenient) }
    #expect(throws: CodecError.self) { try describe(sets) }
  }

  @Test func manySetsAreChargedOnce() throws {
    let sets = SyntheticPicture().parameterSets
    let stream = SyntheticPicture().coded().stream
    let once = try decode(stream)
    let often = try decode((0..<200).reduce(into: [UInt8]()) { bytes, _ in bytes += sets } + stream)
    #expect(often.heldByteCount == once.heldByteCount && often.peakByteCount == once.peakByteCount)
    #expect(often.work > once.work)
  }

  @Test func errorsStateWhereTheSliceIs() {
    let (stream, _) = SyntheticPicture(sliceStarts: [6]).coded()
    // The second slice of the picture, whose first macroblock is invalid.
    let start = (0..<stream.count - 4).last { stream[$0...$0 + 3].elementsEqual([0, 0, 1, 0x65]) } ?? 0
    var damaged = Array(stream.prefix(start + 8))
    damaged += [0, 0]
    let error = #expect(throws: CodecError.self) { try decode(damaged) }
    #expect(error?.byteOffset == start + 3 && error?.kind == .malformed && error?.format == "public.mpeg-4")
  }
}
