// Rows on several threads yield what one thread does: planes, diagnostics, errors and costs.

import HEVCCodec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing

@Suite struct WavefrontTests {
  private static let pictures = ReferencePicture.all.filter { $0.name.contains("wpp=1") }

  private struct Outcome: Equatable {
    var planes: PlanarPicture?
    var diagnostics: [ImageDiagnostic] = []
    var error: CodecError.Kind?
    var work: Int64 = 0
  }

  private func outcome(
    _ stream: [UInt8], threads: Int, tolerance: DecodingOptions.Tolerance = .lenient,
    limits: DecodingLimits = .default, shouldCancel: (@Sendable () -> Bool)? = nil
  ) -> Outcome {
    do throws(CodecError) {
      let result = try decode(
        stream, tolerance: tolerance, limits: limits, threadCount: threads, shouldCancel: shouldCancel)
      return Outcome(planes: result.picture, diagnostics: result.diagnostics, work: result.work)
    } catch {
      return Outcome(error: error.kind)
    }
  }

  @Test(arguments: pictures) func rowsInParallelAreTheSame(_ picture: ReferencePicture) {
    let serial = outcome(picture.stream, threads: 1, tolerance: .strict)
    #expect(serial.planes.map { fnv1a($0.rawPlanes()) } == picture.hash)
    for threads in [2, 3, 16] {
      for _ in 0..<5 {
        let parallel = outcome(picture.stream, threads: threads, tolerance: .strict)
        #expect(parallel.planes == serial.planes && parallel.error == nil)
        // Finding the rows costs a unit for each byte.
        #expect(parallel.work - serial.work <= Int64(picture.stream.count))
      }
    }
  }

  @Test func thereArePicturesWithRows() {
    #expect(Self.pictures.count >= 4)
  }

  @Test func damagedRowsAreDecodedSerially() throws {
    let picture = try #require(Self.pictures.first)
    var noise = TestRandom(8)
    for round in 0..<200 {
      var stream = picture.stream
      if round % 2 == 0 {
        stream.removeLast(Int(noise.next() % UInt64(stream.count / 2)))
      } else {
        let start = stream.count / 4
        stream[start + Int(noise.next() % UInt64(stream.count - start))] ^= 1 << UInt8(noise.next() % 8)
      }
      let serial = outcome(stream, threads: 1)
      let parallel = outcome(stream, threads: 3)
      #expect(parallel.planes == serial.planes && parallel.diagnostics == serial.diagnostics)
      #expect(parallel.error == serial.error)
      #expect(
        outcome(stream, threads: 2, tolerance: .strict).error == outcome(stream, threads: 1, tolerance: .strict).error)
    }
  }

  @Test func limitsAndCancellationApply() throws {
    let picture = try #require(Self.pictures.first)
    #expect(outcome(picture.stream, threads: 2, shouldCancel: { true }).error == .cancelled)
    // With little memory, one thread does it; with less, none.
    for byteCount in stride(from: 10_000, through: 400_000, by: 10_000) {
      let limits = DecodingLimits(maximumByteCount: byteCount)
      #expect(
        outcome(picture.stream, threads: 8, limits: limits).planes
          == outcome(picture.stream, threads: 1, limits: limits).planes)
    }
    for work in stride(from: 50_000 as Int64, through: 1_000_000, by: 50_000) {
      let limits = DecodingLimits(maximumWork: work, maximumWorkPerPixel: 0)
      let (serial, parallel) = (
        outcome(picture.stream, threads: 1, limits: limits), outcome(picture.stream, threads: 4, limits: limits)
      )
      if serial.error == nil { #expect(parallel.planes == serial.planes || parallel.error == .limitExceeded) }
      if serial.error != nil { #expect(parallel.error == serial.error) }
    }
  }
}
