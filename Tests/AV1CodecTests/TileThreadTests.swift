// Tiles on several threads: planes, work, memory and errors are those of one thread.

import AV1Codec
import ImageCoding
import PixelPlanes
import TestSupport
import Testing
import Threading

@Suite struct TileThreadTests {
  static let pictures = ReferencePicture.all.filter { $0.name.hasPrefix("tiles/") }
  static let threadCounts = [2, 3, 8]
  /// Several rows and columns of tiles, one column of them, several tile groups, and partitions without a chroma size.
  static let damaged = [
    "tiles/300x140-444", "tiles/140x300-420", "tiles/300x200-420-8-photo-q=55", "tiles/260x140-422",
  ]

  /// The outcome of decoding and the resources that it took.
  private struct Run {
    var result: Result<PlanarPicture, CodecError>
    var diagnostics: [ImageDiagnostic]
    var work: Int64
    var peakByteCount: Int

    var error: CodecError? {
      guard case .failure(let error) = result else { return nil }
      return error
    }

    init(_ stream: [UInt8], _ options: DecodingOptions) {
      var context = DecodingContext(options, format: "public.avif")
      let configuration: [UInt8] = []
      let coded = CodedPicture(configuration: configuration.span, payload: stream.span)
      do throws(CodecError) {
        result = .success(try AV1Decoder().decode(coded, context: &context).picture)
      } catch {
        result = .failure(error)
      }
      diagnostics = context.diagnostics
      (work, peakByteCount) = (context.budget.work, context.budget.peakByteCount)
    }
  }

  @Test func picturesHaveTiles() {
    #expect(Self.pictures.count >= 11)
  }

  @Test(arguments: pictures) func planesAndWorkDoNotDependOnThreads(_ reference: ReferencePicture) throws {
    let serial = Run(reference.stream, DecodingOptions(tolerance: .strict))
    for count in [1] + Self.threadCounts {
      let run = Run(reference.stream, DecodingOptions(tolerance: .strict, parallelism: count))
      #expect(fnv1a(try run.result.get().rawPlanes()) == reference.hash)
      #expect(run.work == serial.work)
    }
  }

  /// Noise in the last tiles: damage of the first of them, in the order of tiles, is reported.
  @Test(arguments: damaged) func damageDoesNotDependOnThreads(_ name: String) throws {
    var damageCount = 0
    for seed in [3, 6, 9, 11] {
      var noise = TestRandom(UInt64(seed))
      var damaged = ReferencePicture.named(name).stream
      let first = damaged.count * seed / 12
      damaged.replaceSubrange(first..., with: noise.bytes(damaged.count - first))
      for tolerance in [DecodingOptions.Tolerance.strict, .lenient] {
        let serial = Run(damaged, DecodingOptions(tolerance: tolerance))
        if serial.error != nil || !serial.diagnostics.isEmpty { damageCount += 1 }
        for count in Self.threadCounts {
          let run = Run(damaged, DecodingOptions(tolerance: tolerance, parallelism: count))
          #expect(run.result == serial.result)
          #expect(run.diagnostics == serial.diagnostics)
          #expect(run.work == serial.work)
        }
      }
    }
    #expect(damageCount > 0)
  }

  /// Without memory for several threads, one decodes.
  @Test(arguments: pictures) func memoryForOneThreadIsEnough(_ reference: ReferencePicture) throws {
    let least = Run(reference.stream, DecodingOptions(tolerance: .strict)).peakByteCount
    for byteCount in [least, least + 100_000] {
      let limits = DecodingLimits(maximumByteCount: byteCount)
      for count in [2, 8] {
        let run = Run(reference.stream, DecodingOptions(tolerance: .strict, limits: limits, parallelism: count))
        #expect(fnv1a(try run.result.get().rawPlanes()) == reference.hash)
        #expect(run.peakByteCount <= byteCount)
      }
    }
  }

  @Test(arguments: pictures) func theLimitOfWorkDoesNotDependOnThreads(_ reference: ReferencePicture) throws {
    let needed = Run(reference.stream, DecodingOptions(tolerance: .strict)).work
    for (work, isEnough) in [(needed, true), (needed - 1, false)] {
      let limits = DecodingLimits(maximumWork: work, maximumWorkPerPixel: 0)
      for count in [1, 2] {
        let run = Run(reference.stream, DecodingOptions(tolerance: .strict, limits: limits, parallelism: count))
        #expect((run.error == nil) == isEnough)
        if !isEnough { #expect(run.error?.kind == .limitExceeded && run.error?.limit == .work) }
      }
    }
  }

  @Test(arguments: pictures) func threadsAreCancelled(_ reference: ReferencePicture) {
    for allowed in [0, 3, 6, 12] {
      let calls = Mutex(0)
      let options = DecodingOptions(
        tolerance: .strict, parallelism: 2,
        shouldCancel: {
          calls.withLock {
            $0 += 1
            return $0 > allowed
          }
        })
      let run = Run(reference.stream, options)
      #expect(run.error?.kind == .cancelled || calls.withLock { $0 } <= allowed)
    }
  }
}
