// Decoding on several threads, compared with one.

import ImageCoding

extension Job {
  /// Decodes on one thread and on as many as the settings state, alternately. Times are wall times. Returns `nil` for
  /// formats that are decoded on one thread.
  func decodeOnThreads(_ decoder: any ImageFormatDecoder) throws -> JobResult? {
    guard Codecs.formatsUsingThreads.contains(input.format), threadCount > 1 else { return nil }
    func options(_ parallelism: Int) -> DecodingOptions {
      DecodingOptions(orientation: .report, limits: .unlimited, parallelism: parallelism)
    }
    let bytes = input.bytes
    var (parallel, serial) = (Bitmap(), Bitmap())
    _ = try decoder.decode(bytes.span, into: &serial, options: options(1))
    _ = try decoder.decode(bytes.span, into: &parallel, options: options(threadCount))
    guard parallel == serial else {
      throw BenchError(description: "\(threadCount) threads decode \(input.name) to different pixels")
    }
    return try compareThreads(pixelCount: serial.width * serial.height) {
      _ = try decoder.decode(bytes.span, into: &parallel, options: options(threadCount))
    } serial: {
      _ = try decoder.decode(bytes.span, into: &serial, options: options(1))
    }
  }

  /// Measures the wall times of an operation on as many threads as the settings state and on one, alternately.
  func compareThreads(
    pixelCount: Int, parallel: @escaping () throws -> Void, serial: @escaping () throws -> Void
  ) throws -> JobResult {
    var measurement = measurement
    measurement.clock = .wall
    let times = try measurement.time([
      Contender(name: "\(threadCount) threads", run: parallel), Contender(name: "1 thread", run: serial),
    ])
    return JobResult(
      input: input.name, operation: operation, pixelCount: pixelCount, ours: times[0],
      peer: ("ours, 1 thread", times[1], nil))
  }
}
