import AVCCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

/// The error of lenient decoding.
private func failure(_ picture: SyntheticPicture) -> CodecError? {
  do throws(CodecError) {
    _ = try decode(picture.coded().stream, tolerance: .lenient)
    return nil
  } catch {
    return error
  }
}

@Suite struct SyntheticPictureTests {
  private func check(_ picture: SyntheticPicture, seed: UInt64 = 1) throws {
    let (stream, planes) = picture.coded(seed: seed)
    let decoded = try decode(stream)
    #expect(decoded.isComplete && decoded.diagnostics.isEmpty)
    try compare(decoded.picture, planes, picture)
  }

  private func compare(_ result: PlanarPicture, _ planes: [[UInt16]], _ picture: SyntheticPicture) throws {
    let components: [PlanarPicture.Component] = [.luma, .cb, .cr]
    for (component, plane) in planes.enumerated() {
      let size = picture.macroblockSize(component)
      let width = size.width * picture.columns
      let decoded = try #require(result.plane(components[component]))
      // Cropping counts in units of chroma, or of two rows of it if there are fields.
      let chroma = picture.macroblockSize(1)
      let (unitX, unitY) = picture.chromaType == 0 ? (1, 1) : (size.width / chroma.width, size.height / chroma.height)
      let (left, top) = (picture.crop.left * unitX, picture.crop.top * unitY * (picture.structure == .frame ? 1 : 2))
      var mismatches = 0
      for y in 0..<decoded.height {
        for x in 0..<decoded.width where decoded[x, y] != plane[(y + top) * width + x + left] { mismatches += 1 }
      }
      #expect(mismatches == 0)
      if picture.crop == (0, 0, 0, 0) { #expect(decoded.width == width && decoded.height * width == plane.count) }
    }
  }

  @Test(arguments: [0, 1, 2, 3], [8, 9, 10, 12, 14])
  func samplesAreThoseThatWereWritten(_ chromaType: Int, _ bitDepth: Int) throws {
    for isCABAC in [false, true] {
      try check(SyntheticPicture(chromaType: chromaType, bitDepth: bitDepth, isCABAC: isCABAC))
      try check(SyntheticPicture(chromaType: chromaType, bitDepth: bitDepth, isCABAC: isCABAC), seed: 2)
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func fieldsAreInterleaved(_ chromaType: Int) throws {
    for isCABAC in [false, true] {
      try check(SyntheticPicture(chromaType: chromaType, isCABAC: isCABAC, structure: .fields))
      try check(
        SyntheticPicture(rows: 6, chromaType: chromaType, isCABAC: isCABAC, structure: .fields, sliceStarts: [2, 7]))
      // The second field of a picture that is not the first one of its sequence.
      try check(SyntheticPicture(chromaType: chromaType, isCABAC: isCABAC, structure: .fields, unitType: 1))
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func pairsAreFramesOrFields(_ chromaType: Int) throws {
    for isCABAC in [false, true] {
      for seed in 1...4 {
        try check(
          SyntheticPicture(rows: 6, chromaType: chromaType, isCABAC: isCABAC, structure: .pairs, sliceStarts: [4]),
          seed: UInt64(seed))
      }
    }
  }

  @Test(arguments: [8, 12])
  func separatePlanesAreDecodedAsLuma(_ bitDepth: Int) throws {
    for isCABAC in [false, true] {
      try check(
        SyntheticPicture(
          chromaType: 3, hasSeparatePlanes: true, bitDepth: bitDepth, isCABAC: isCABAC, sliceStarts: [5]))
      try check(
        SyntheticPicture(chromaType: 3, hasSeparatePlanes: true, isCABAC: isCABAC, structure: .fields))
    }
  }

  @Test func slicesAreIndependentInAnyOrder() throws {
    for isCABAC in [false, true] {
      try check(SyntheticPicture(isCABAC: isCABAC, sliceStarts: [1, 4, 5, 11]))
      try check(SyntheticPicture(isCABAC: isCABAC, sliceStarts: [4, 8], sliceOrder: [2, 0, 1]))
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func framesAreCropped(_ chromaType: Int) throws {
    try check(SyntheticPicture(chromaType: chromaType, crop: (left: 1, right: 3, top: 2, bottom: 5)))
    try check(
      SyntheticPicture(chromaType: chromaType, structure: .fields, crop: (left: 5, right: 0, top: 3, bottom: 1)))
  }

  @Test func aSingleFieldIsShownTwice() throws {
    for type in [0, 5, 1] {
      let picture = SyntheticPicture(structure: .fields, secondFieldType: type)
      let (stream, planes) = picture.coded()
      let error = #expect(throws: CodecError.self) { try decode(stream) }
      #expect(error?.kind == .unsupported)
      let decoded = try decode(stream, tolerance: .lenient)
      #expect(!decoded.isComplete && decoded.diagnostics.count == 1)
      for y in 0..<64 {
        for x in 0..<48 { #expect(decoded.picture.luma[x, y] == planes[0][(y & ~1) * 48 + x]) }
      }
    }
    let single = SyntheticPicture(structure: .fields, hasSecondField: false)
    #expect(throws: CodecError.self) { try decode(single.coded().stream) }
    #expect(
      try decode(single.coded().stream, tolerance: .lenient).diagnostics.map(\.reason) == [
        "the second field is missing"
      ])
  }

  @Test func aMissingSliceLeavesTheOthers() throws {
    let picture = SyntheticPicture(sliceStarts: [3, 6], sliceOrder: [0, 2])
    let (stream, planes) = picture.coded()
    #expect(throws: CodecError.self) { try decode(stream) }
    let partial = try decode(stream, tolerance: .lenient)
    #expect(!partial.isComplete && partial.diagnostics.count == 1)
    let luma = partial.picture.luma
    for x in 0..<48 {
      #expect(luma[x, 15] == planes[0][15 * 48 + x] && luma[x, 16] == 0 && luma[x, 32] == planes[0][32 * 48 + x])
    }
    #expect(partial.picture.cb?[20, 10] == 128)
  }

  @Test func aRepeatedSliceIsDamage() throws {
    let (stream, planes) = SyntheticPicture(sliceStarts: [3], sliceOrder: [0, 1, 0]).coded()
    #expect(throws: CodecError.self) { try decode(stream) }
    let decoded = try decode(stream, tolerance: .lenient)
    #expect(decoded.isComplete && decoded.diagnostics.count == 1)
    try compare(decoded.picture, planes, SyntheticPicture())
  }

  @Test func unsupportedFeaturesAreNamed() {
    for (type, name) in [(0, "P"), (1, "B"), (3, "SP"), (4, "SI"), (5, "P"), (8, "SP")] {
      let error = failure(SyntheticPicture(sliceType: type))
      #expect(error?.kind == .unsupported && error?.reason == "\(name) slices are not supported")
    }
    let groups = failure(SyntheticPicture(sliceGroupCount: 2))
    #expect(groups?.kind == .unsupported && groups?.reason.contains("flexible macroblock ordering") == true)
    let partition = failure(SyntheticPicture(unitType: 2))
    #expect(partition?.kind == .unsupported && partition?.reason == "data partitioning is not supported")
    #expect(failure(SyntheticPicture(crop: (left: 30, right: 30, top: 0, bottom: 0)))?.kind == .malformed)
  }

  @Test func prefixesAndFlippedBitsComeBack() throws {
    let pictures = [
      SyntheticPicture(structure: .fields), SyntheticPicture(isCABAC: true, structure: .pairs),
      SyntheticPicture(chromaType: 3, hasSeparatePlanes: true, isCABAC: true), SyntheticPicture(isCABAC: true),
    ]
    let limits = DecodingLimits(maximumPixelCount: 1 << 20, maximumByteCount: 16 << 20)
    for picture in pictures {
      let stream = picture.coded().stream
      for count in stride(from: 0, to: stream.count, by: max(1, stream.count / 100)) {
        _ = try? decode(Array(stream.prefix(count)), tolerance: .lenient, limits: limits)
      }
      // The headers bit by bit, then some of the rest.
      for bit in Array(0..<400) + Array(stride(from: 400, to: stream.count * 8, by: 997)) {
        var bytes = stream
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        _ = try? decode(bytes, tolerance: .lenient, limits: limits)
      }
    }
  }
}
