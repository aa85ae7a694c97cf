// The overhead of a pipeline over decoding, and the time until a cancelled decode ends.

import Dispatch
import Foundation
import ImageLoading
import Synchronization

/// Measures image pipelines.
struct PipelineRun: Sendable {
  /// The number of images of each measurement.
  var count: Int

  /// Prints the overhead for each image and the latency of cancellation. Fails if one is above its limit.
  func run() throws {
    let result = Mutex<Result<Void, any Error>>(.success(()))
    let end = DispatchSemaphore(value: 0)
    Task {
      defer { end.signal() }
      do {
        try await measureOverhead()
        try await measureCancellation()
      } catch {
        result.withLock { $0 = .failure(error) }
      }
    }
    end.wait()
    try result.withLock { $0 }.get()
  }

  /// The permitted overhead, in seconds.
  private static let permittedOverhead = 0.001

  /// Compares loading from memory with the decoder alone, in alternation. Of all times the shortest are compared,
  /// because two threads of a busy machine wait for different lengths of time.
  private func measureOverhead() async throws {
    var scene = Scene(width: 1024, height: 1024)
    let photo = try scene.photo(format: .rgb8)
    let files = [
      ("icon.png", Data(try PNGEncoder().encode(try Scene.icon()))),
      ("photo.jpg", Data(try JPEGEncoder().encode(photo))),
    ]
    let pipeline = ImagePipeline {
      $0.imageCache = nil
      $0.isRateLimiterEnabled = false
    }
    for (name, data) in files {
      var bare: [Double] = []
      var loaded: [Double] = []
      for index in 0..<count {
        bare.append(try await seconds { _ = try ImageDecoders.Default().decode(data) })
        let request = ImageRequest(data: data, id: "\(name) \(index)")
        loaded.append(try await seconds { _ = try await pipeline.image(for: request) })
      }
      let (least, leastLoaded) = (bare.min() ?? 0, loaded.min() ?? 0)
      let overhead = max(leastLoaded - least, 0)
      ResultTable.show(
        "\(name): decoder \(milliseconds(least)), pipeline \(milliseconds(leastLoaded)), "
          + "overhead \(milliseconds(overhead))")
      guard overhead < Self.permittedOverhead else {
        throw BenchError(description: "the pipeline adds \(milliseconds(overhead)) to \(name)")
      }
    }
  }

  private func seconds(_ body: () async throws -> Void) async throws -> Double {
    let start = ContinuousClock.now
    try await body()
    return (ContinuousClock.now - start) / .seconds(1)
  }

  private func milliseconds(_ seconds: Double) -> String {
    ResultTable.decimal(seconds * 1000, digits: 3) + " ms"
  }

  /// A file and the permitted 95th percentile of the time until its decoder ends, in seconds.
  private struct Subject {
    let name: String
    let data: Data
    var permittedLatency = 0.01
  }

  private static func subjects() throws -> [Subject] {
    var scene = Scene(width: 3000, height: 2000)
    let photo = try scene.photo(format: .rgb8)
    let filter = """
      <svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1600"><filter id="f">
      <feTurbulence baseFrequency="0.02" numOctaves="6"/><feGaussianBlur stdDeviation="12"/>
      <feSpecularLighting surfaceScale="4"><fePointLight x="100" y="100" z="200"/></feSpecularLighting>
      </filter><rect width="1600" height="1600" filter="url(#f)"/></svg>
      """
    return [
      Subject(name: "baseline.jpg", data: Data(try JPEGEncoder().encode(photo))),
      Subject(
        name: "progressive.jpg", data: Data(try JPEGEncoder(options: .init(isProgressive: true)).encode(photo))),
      Subject(name: "photo.png", data: Data(try PNGEncoder(options: .init(level: .fastest)).encode(photo))),
      Subject(
        name: "interlaced.png",
        data: Data(try PNGEncoder(options: .init(compressionLevel: 1, isInterlaced: true)).encode(photo))),
      Subject(name: "photo.gif", data: Data(try GIFEncoder().encode(photo))),
      Subject(name: "photo.tiff", data: Data(try TIFFEncoder().encode(photo))),
      Subject(name: "illustration.svg", data: Data(Illustration.bytes)),
      Subject(name: "filter.svg", data: Data(filter.utf8), permittedLatency: 0.05),
    ]
  }

  /// Cancels tasks at different moments of their decoding.
  private func measureCancellation() async throws {
    var late: [String] = []
    for subject in try Self.subjects() {
      let whole = try await seconds { _ = try ImageDecoders.Default().decode(subject.data) }
      var latencies: [Double] = []
      for index in 0..<count {
        // From a twentieth to nineteen twentieths of the decoding.
        let moment = whole * (0.05 + 0.9 * Double(index) / Double(count))
        if let latency = await latency(of: subject.data, after: moment) { latencies.append(latency) }
      }
      guard !latencies.isEmpty else {
        ResultTable.show("\(subject.name): decoded in \(milliseconds(whole)), too fast to be cancelled")
        continue
      }
      let percentile = latencies.sorted()[min(latencies.count - 1, latencies.count * 95 / 100)]
      ResultTable.show(
        "\(subject.name): decoded in \(milliseconds(whole)), cancelled \(latencies.count) times, "
          + "ended after \(milliseconds(latencies.median)) (median), \(milliseconds(percentile)) (95th percentile)")
      if percentile > subject.permittedLatency { late.append(subject.name) }
    }
    guard late.isEmpty else {
      throw BenchError(description: "cancelled decoders end too late: \(late.joined(separator: ", "))")
    }
  }

  /// Returns the time from the cancellation of a task to the end of its decoder; `nil` if the decoder ended before.
  private func latency(of data: Data, after seconds: Double) async -> Double? {
    let (events, continuation) = AsyncStream.makeStream(of: ContinuousClock.Instant.self)
    let pipeline = ImagePipeline {
      $0.imageCache = nil
      $0.makeImageDecoder = { context in ObservedDecoder(context: context) { continuation.yield(.now) } }
    }
    let task = pipeline.imageTask(with: ImageRequest(data: data, id: "image"))
    var iterator = events.makeAsyncIterator()
    _ = await iterator.next()
    try? await Task.sleep(for: .seconds(seconds))
    let cancellation = ContinuousClock.now
    task.cancel()
    guard let end = await iterator.next(), end > cancellation else { return nil }
    return (end - cancellation) / .seconds(1)
  }
}

/// Reports when decoding starts and ends.
private struct ObservedDecoder: ImageDecoding {
  private let base: any ImageDecoding
  private let report: @Sendable () -> Void

  init?(context: ImageDecodingContext, report: @escaping @Sendable () -> Void) {
    let drawing: (any ImageDecoding)? = ImageDecoders.VectorImage(context: context)
    guard let base = drawing ?? ImageDecoders.Default(context: context) else { return nil }
    self.base = base
    self.report = report
  }

  func decode(_ data: Data) throws -> ImageContainer {
    report()
    defer { report() }
    return try base.decode(data)
  }
}
