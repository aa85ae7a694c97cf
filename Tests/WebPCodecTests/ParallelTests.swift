import TestSupport
import Testing
import Threading
import WebPCodec

/// The result or the error of one decode, and the resources that it spends.
private struct Outcome: Equatable {
  var bitmap: Bitmap?
  var diagnostics: [ImageDiagnostic] = []
  var error: CodecError?

  init(_ file: [UInt8], parallelism: Int, tolerance: DecodingOptions.Tolerance, limits: DecodingLimits = .default) {
    let options = DecodingOptions(tolerance: tolerance, limits: limits, parallelism: parallelism)
    do throws(CodecError) {
      let image = try WebPDecoder().decode(file.span, options: options)
      (bitmap, diagnostics) = (image.bitmap, image.diagnostics)
    } catch {
      self.error = error
    }
  }
}

@Suite struct ParallelTests {
  static let names = ["large/lossy", "large/small-alpha", "large/noisy-alpha"]

  @Test(arguments: names, [2, 3, 8]) func threadsDecodeThePixelsOfLibwebp(_ name: String, _ parallelism: Int) throws {
    let picture = try #require(ReferencePicture.all.first { $0.name == name })
    for format in [nil, PixelFormat.bgra8, .rgb8] {
      let options = DecodingOptions(pixelFormat: format, tolerance: .strict, parallelism: parallelism)
      let image = try WebPDecoder().decode(picture.file.span, options: options)
      #expect(image.isComplete && image.diagnostics.isEmpty)
      if format == nil { #expect(fnv1a(image.bitmap.normalizedPixels) == picture.hashes[0]) }
      let serial = try WebPDecoder().decode(
        picture.file.span, options: DecodingOptions(pixelFormat: format, tolerance: .strict))
      #expect(image.bitmap == serial.bitmap)
    }
  }

  @Test(arguments: names) func damageHasTheSameOutcome(_ name: String) {
    let file = ReferencePicture.named(name)
    var random = TestRandom(5)
    for number in 0..<40 {
      var bytes = file
      if number % 2 == 0 {
        bytes.removeLast(Int.random(in: 0..<file.count - 60, using: &random))
      } else {
        let index = Int.random(in: 30..<(number % 4 == 1 ? 90 : file.count), using: &random)
        bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      for tolerance in [DecodingOptions.Tolerance.lenient, .strict] {
        let serial = Outcome(bytes, parallelism: 1, tolerance: tolerance)
        for parallelism in [2, 3] {
          #expect(Outcome(bytes, parallelism: parallelism, tolerance: tolerance) == serial, "\(number) \(parallelism)")
        }
      }
    }
  }

  @Test(arguments: names) func workIsTheSame(_ name: String) throws {
    let file = ReferencePicture.named(name)
    let work = try [1, 2, 3].map { parallelism in
      var budget = ResourceBudget(.default)
      var bitmap = Bitmap()
      _ = try WebPDecoder().decode(
        file.span, into: &bitmap, options: DecodingOptions(parallelism: parallelism), budget: &budget)
      return budget.availableWork
    }
    #expect(Set(work).count == 1)
  }

  @Test(arguments: names, [2, 3]) func cancellationEndsAllThreads(_ name: String, _ parallelism: Int) {
    let file = ReferencePicture.named(name)
    let calls = Mutex(0)
    let isCancelled: @Sendable () -> Bool = {
      calls.withLock { count in
        count += 1
        return count > 3
      }
    }
    let options = DecodingOptions(parallelism: parallelism, shouldCancel: isCancelled)
    do throws(CodecError) {
      _ = try WebPDecoder().decode(file.span, options: options)
      Issue.record("not cancelled")
    } catch {
      #expect(error.kind == .cancelled)
    }
  }
}
