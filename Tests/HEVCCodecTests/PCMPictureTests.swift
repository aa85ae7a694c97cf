import HEVCCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

private func kind(_ picture: PCMPicture) -> CodedPictureError {
  var noise = TestRandom(1)
  let stream = picture.stream(picture.planes(&noise))
  do throws(CodecError) {
    _ = try decode(stream, tolerance: .lenient)
    return CodedPictureError(kind: nil, reason: "")
  } catch {
    return CodedPictureError(kind: error.kind, reason: error.reason)
  }
}

private struct CodedPictureError: Equatable {
  var kind: CodecError.Kind?
  var reason: String
}

@Suite struct PCMPictureTests {
  private func check(_ picture: PCMPicture, seed: UInt64 = 1) throws {
    var noise = TestRandom(seed)
    let planes = picture.planes(&noise)
    let decoded = try decode(picture.stream(planes))
    #expect(decoded.isComplete)
    let components: [PlanarPicture.Component] = [.luma, .cb, .cr]
    for (component, plane) in planes.enumerated() {
      let (width, height) = picture.size(component)
      let result = try #require(decoded.picture.plane(components[component]))
      let unit = component == 0 && picture.chromaType == 1 ? 2 : 1
      let unitX = component == 0 && picture.chromaType == 2 ? 2 : unit
      #expect(result.width == width - picture.crop.right * unitX)
      #expect(result.height == height - picture.crop.bottom * unit)
      var mismatches = 0
      for y in 0..<result.height {
        for x in 0..<result.width where result[x, y] != plane[y * width + x] { mismatches += 1 }
      }
      #expect(mismatches == 0)
    }
  }

  @Test(arguments: [0, 1, 2, 3], [(8, 8), (8, 5), (10, 10), (12, 7), (14, 9), (16, 16)])
  func samplesAreThoseThatWereWritten(_ chromaType: Int, _ depths: (Int, Int)) throws {
    try check(PCMPicture(chromaType: chromaType, bitDepth: depths.0, pcmBitDepth: depths.1))
  }

  @Test(arguments: [0, 1, 2, 3])
  func windowsAreCropped(_ chromaType: Int) throws {
    try check(PCMPicture(chromaType: chromaType, crop: (right: 5, bottom: 3)))
    try check(PCMPicture(columns: 1, rows: 1, chromaType: chromaType, crop: (right: 7, bottom: 7)))
  }

  @Test func slicesAndSegmentsContinueEachOther() throws {
    try check(PCMPicture(sliceStarts: [3, 7]))
    try check(PCMPicture(sliceStarts: [6], dependentStarts: [2, 8, 9]))
  }

  @Test func tilesAreDecodedOneAfterTheOther() throws {
    try check(PCMPicture(columns: 5, rows: 4, tileColumns: [2]))
    try check(PCMPicture(columns: 5, rows: 4, tileRows: [1, 3]))
    try check(PCMPicture(columns: 5, rows: 4, tileColumns: [1, 3], tileRows: [2]))
    try check(PCMPicture(columns: 4, rows: 4, tileColumns: [2], tileRows: [2], sliceStarts: [4, 12]))
    try check(PCMPicture(columns: 4, rows: 4, tileColumns: [2], sliceStarts: [8], dependentStarts: [3]))
  }

  @Test func rowsSynchronize() throws {
    try check(PCMPicture(columns: 6, rows: 5, isWavefront: true))
    try check(PCMPicture(columns: 2, rows: 5, isWavefront: true))
    try check(PCMPicture(columns: 1, rows: 5, isWavefront: true))
    try check(PCMPicture(columns: 1, rows: 5, isWavefront: true, sliceStarts: [2], dependentStarts: [1, 3, 4]))
    try check(PCMPicture(columns: 4, rows: 5, isWavefront: true, sliceStarts: [8], dependentStarts: [4, 12]))
    try check(PCMPicture(columns: 6, rows: 4, tileColumns: [3], isWavefront: true))
  }

  @Test func inputSplitsDoNotMatterToDamage() throws {
    var noise = TestRandom(4)
    let picture = PCMPicture(sliceStarts: [3, 7])
    let planes = picture.planes(&noise)
    let stream = picture.stream(planes)
    // Without its second slice, four blocks are missing.
    let starts = stream.indices.filter { $0 + 4 < stream.count && stream[$0...$0 + 3].elementsEqual([0, 0, 1, 38]) }
    #expect(starts.count == 3)
    let damaged = Array(stream[..<starts[1]] + stream[starts[2]...])
    #expect(throws: CodecError.self) { try decode(damaged) }
    let partial = try decode(damaged, tolerance: .lenient)
    #expect(!partial.isComplete && partial.diagnostics.count == 1)
    #expect(partial.picture.luma[0, 0] == planes[0][0] && partial.picture.luma[63, 47] == planes[0].last)
    #expect(partial.picture.luma[50, 0] == 0 && partial.picture.cb?[25, 0] == 128)
  }

  @Test func aPictureThatCannotStartHoldsNoMemory() throws {
    var noise = TestRandom(5)
    let invalid = PCMPicture(columns: 3, tileColumns: [1, 2, 3])
    let valid = PCMPicture()
    let planes = valid.planes(&noise)
    let stream = invalid.stream(invalid.planes(&noise)) + valid.stream(planes)
    #expect(throws: CodecError.self) { try decode(stream) }
    let decoded = try decode(stream, tolerance: .lenient)
    #expect(decoded.picture.width == 64 && decoded.diagnostics.count == 1 && decoded.isComplete)
    #expect(decoded.heldByteCount == decoded.picture.rawPlanesByteCount)
  }

  @Test func whatIsNotDecodedIsNamed() {
    #expect(
      kind(PCMPicture(sliceType: 1)) == CodedPictureError(kind: .unsupported, reason: "P slices are not supported"))
    #expect(
      kind(PCMPicture(sliceType: 0)) == CodedPictureError(kind: .unsupported, reason: "B slices are not supported"))
    #expect(
      kind(PCMPicture(rangeFlags: 0b0_0001_0000))
        == CodedPictureError(kind: .unsupported, reason: "extended_precision_processing_flag is not supported"))
    #expect(kind(PCMPicture(rangeFlags: 0b1_1100_0011)).kind == nil)
    #expect(kind(PCMPicture(chromaType: 3, hasSeparatePlanes: true)).kind == .unsupported)
    #expect(kind(PCMPicture(crop: (right: 40, bottom: 0))).kind == .malformed)
    #expect(kind(PCMPicture(columns: 3, tileColumns: [1, 2, 3])).kind == .malformed)
  }
}
