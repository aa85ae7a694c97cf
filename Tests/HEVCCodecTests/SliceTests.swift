// Slices, dependent segments, tiles and wavefronts of pictures at random, whose samples are computed from the formulae
// of the specification.
//
// The streams were also decoded by libde265 and FFmpeg, which support no tiles together with wavefronts. Without
// filters, and with the same parameters of deblocking for all slices, FFmpeg yields the same samples; with different
// parameters libde265 yields those of 4:0:0 and 4:2:0. If all slices have the same
// slice_loop_filter_across_slices_enabled_flag, each sample after adaptive offset alone is that of one of them; if not,
// both deviate from section 8.7.3.2, and here the later one of two slices decides, as in the reference software.

import HEVCCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct SliceTests {
  private func check(_ picture: IntraPicture, seeds: Range<UInt64> = 0..<2) throws {
    for seed in seeds {
      let coder = IntraPictureCoder(picture, seed: seed)
      let expected = coder.filteredPlanes
      for threadCount in picture.isWavefront ? [1, 3] : [1] {
        let decoded = try decode(coder.stream, tolerance: .lenient, threadCount: threadCount)
        #expect(decoded.isComplete && decoded.diagnostics.isEmpty)
        let components: [PlanarPicture.Component] = [.luma, .cb, .cr]
        for (component, plane) in expected.enumerated() {
          let result = try #require(decoded.picture.plane(components[component]))
          try #require(result.width * result.height == plane.count)
          let mismatches = plane.indices.filter { plane[$0] != result[$0 % result.width, $0 / result.width] }
          let first = mismatches.first.map { "(\($0 % result.width), \($0 / result.width))" } ?? ""
          #expect(
            mismatches.isEmpty,
            "seed \(seed), component \(component): \(mismatches.count) samples from \(first) on, \(picture)")
        }
      }
    }
  }

  private static let divisions: [IntraPicture.Division] = [
    .none, .counts(slice: 1, segment: 1), .counts(slice: 7, segment: 3), .counts(slice: 100, segment: 2),
    .bytes(slice: 200, segment: 200), .bytes(slice: 900, segment: 300),
  ]

  /// The block below the last one of a slice has a neighbour at the top right and none above.
  @Test(arguments: [1, 2, 3, 4])
  func theTopRightIsAvailableWithoutTheTop(_ start: Int) throws {
    let picture = IntraPicture(
      width: 80, height: 32, hasDependentSegments: false, division: .places(slices: [start], dependent: []))
    try check(picture, seeds: 0..<12)
  }

  @Test(arguments: divisions, [0, 1, 2, 3])
  func slicesStartAnywhere(_ division: IntraPicture.Division, _ chromaType: Int) throws {
    try check(IntraPicture(chromaType: chromaType, division: division))
    try check(IntraPicture(log2TreeBlock: 5, chromaType: chromaType, isBypassEnabled: true, division: division))
  }

  @Test(arguments: [IntraPicture.Division.counts(slice: 3, segment: 2), .bytes(slice: 4000, segment: 2000)])
  func slicesHaveLargeTreeBlocks(_ division: IntraPicture.Division) throws {
    try check(IntraPicture(width: 200, height: 136, log2TreeBlock: 6, qpDeltaDepth: 2, division: division))
  }

  @Test(arguments: divisions, [false, true])
  func filtersStopAtSlices(_ division: IntraPicture.Division, _ filtersAcross: Bool) throws {
    try check(IntraPicture(filtersAcrossSlices: filtersAcross, isPCMFinal: true, division: division))
    try check(IntraPicture(filtersAcrossSlices: filtersAcross, hasSAO: false, division: division))
    try check(IntraPicture(bitDepth: 10, filtersAcrossSlices: filtersAcross, division: division))
  }

  @Test(arguments: divisions, [false, true])
  func slicesAreWithinTiles(_ division: IntraPicture.Division, _ filtersAcross: Bool) throws {
    var picture = IntraPicture(width: 104, filtersAcrossTiles: filtersAcross, division: division)
    picture.tileColumns = [3]
    try check(picture)
    (picture.tileColumns, picture.tileRows) = ([1, 5], [1, 4])
    try check(picture)
    picture.isWavefront = true
    picture.tileColumns = [2, 5]
    try check(picture)
  }

  @Test(arguments: [false, true]) func tilesAreWithinSlices(_ filtersAcross: Bool) throws {
    var picture = IntraPicture(width: 96, height: 64, filtersAcrossTiles: filtersAcross)
    (picture.tileColumns, picture.tileRows) = ([2, 4], [2])
    picture.division = .places(slices: [8, 16], dependent: [4, 20])
    try check(picture)
    picture.division = .places(slices: [12], dependent: [4, 6, 8])
    try check(picture)
  }

  @Test(arguments: divisions, [4, 5])
  func rowsAreSynchronized(_ division: IntraPicture.Division, _ log2TreeBlock: Int) throws {
    try check(IntraPicture(log2TreeBlock: log2TreeBlock, isWavefront: true, division: division))
    try check(IntraPicture(width: 24, log2TreeBlock: log2TreeBlock, isWavefront: true, division: division))
    try check(
      IntraPicture(log2TreeBlock: log2TreeBlock, isWavefront: true, filtersAcrossSlices: false, division: division))
  }

  /// Dependent segments and rows continue the offsets of their slice.
  @Test(arguments: divisions, [1, 2, 3])
  func quantizationGroupsChooseOffsetsOfChroma(_ division: IntraPicture.Division, _ chromaType: Int) throws {
    var picture = IntraPicture(log2TreeBlock: 5, chromaType: chromaType, isBypassEnabled: true, division: division)
    picture.chromaOffsets = [(6, -5), (-12, 12), (3, 4)]
    try check(picture, seeds: 0..<1)
    (picture.isWavefront, picture.chromaOffsets) = (true, [(-9, 7)])
    try check(picture, seeds: 0..<1)
  }

  /// A slice that overlaps the one before is not decoded, and dependent segments of it are not decoded with the
  /// parameters of another slice.
  @Test func segmentsDependOnTheSliceBefore() throws {
    let picture = IntraPicture(width: 96, height: 64, division: .counts(slice: 8, segment: 4))
    let coder = IntraPictureCoder(picture, seed: 1)
    let sets = picture.parameterSets
    let segments = coder.segments
    #expect(segments.count == 6)
    func decoded(_ order: [Int]) throws -> DecodedStream {
      try decode(sets + order.flatMap { segments[$0] }, tolerance: .lenient)
    }
    let overlapping = try decoded([0, 1, 4, 2, 3, 5])
    #expect(
      overlapping.diagnostics.map(\.reason) == [
        "a slice segment overlaps the one before", "a dependent slice segment follows no other",
        "a dependent slice segment follows no other", "12 of 24 coding tree blocks are missing",
      ])
    let repeated = try decoded([0, 1, 2, 2, 3, 3, 4, 5])
    #expect(repeated.isComplete && repeated.diagnostics.count == 2)
    #expect(repeated.picture == (try decoded([0, 1, 2, 3, 4, 5]).picture))
    #expect(repeated.picture.luma[0, 0] == coder.filteredPlanes[0][0])
  }

  @Test(arguments: divisions, [0, 2])
  func quantizationGroupsArePredictedWithinSlices(_ division: IntraPicture.Division, _ depth: Int) throws {
    try check(IntraPicture(log2TreeBlock: 5, chromaType: 3, qpDeltaDepth: depth, division: division))
    try check(IntraPicture(log2TreeBlock: 5, isWavefront: true, qpDeltaDepth: depth, division: division))
  }
}
