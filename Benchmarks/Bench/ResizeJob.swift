// The reduction of a picture by Lanczos's filter, compared with Pillow in a separate process.

import CodecPeers
import Foundation
import ImageCodecs

/// Resizes the decoded pixels of one file to a third of its size.
struct ResizeJob {
  private let job: Job
  private let bitmap: Bitmap
  private let size: PixelSize

  /// Decodes a file to samples of 8 bits.
  init(job: Job) throws {
    self.job = job
    let decoder = try ImageFormatRegistry.shared.decoder(for: job.input.bytes.span)
    let decoded = try decoder.decode(job.input.bytes.span, options: DecodingOptions(limits: .unlimited)).bitmap
    bitmap = try decoded.converted(
      to: decoded.format.hasAlpha ? .rgba8 : decoded.format.colorModel == .gray ? .gray8 : .rgb8)
    size = PixelSize(width: max(1, bitmap.width / 3), height: max(1, bitmap.height / 3))
  }

  /// Compares the pixels, then measures.
  func run() throws -> JobResult? {
    let resized = try bitmap.resized(toWidth: size.width, height: size.height)
    let times = try job.measurement.time([
      Contender(name: "ours") { _ = try bitmap.resized(toWidth: size.width, height: size.height) }
    ])
    let peer = try job.python.flatMap { try pillow($0, expected: resized.packedPixels) }
    return JobResult(
      input: job.input.name, operation: job.operation, pixelCount: bitmap.width * bitmap.height, ours: times[0],
      peer: peer.map { ($0.name, $0.times, nil) })
  }

  /// Returns Pillow's times; `nil` if it is not installed.
  private func pillow(_ python: String, expected: [UInt8]) throws -> (name: String, times: Times)? {
    let folder = NSTemporaryDirectory() + "/bench-resize-\(ProcessInfo.processInfo.processIdentifier)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data(bitmap.packedPixels).write(to: URL(fileURLWithPath: folder + "/in"))
    let mode = bitmap.format.hasAlpha ? "RGBA" : bitmap.format == .gray8 ? "L" : "RGB"
    let arguments = [
      "-c", Self.program, folder, mode, "\(bitmap.width)", "\(bitmap.height)", "\(size.width)", "\(size.height)",
      "\(job.measurement.rounds)",
    ]
    guard let text = try? ProgramOutput.text(of: python, arguments) else { return nil }
    let lines = text.split(separator: "\n")
    guard lines.count > 1, let theirs = FileManager.default.contents(atPath: folder + "/out") else { return nil }
    guard Array(theirs) == expected else {
      throw BenchError(description: "\(lines[0]) resizes \(job.input.name) to different pixels")
    }
    return (String(lines[0]), Times(samples: lines.dropFirst().compactMap { Double($0) }))
  }

  private static let program = """
    import sys, time
    import PIL
    from PIL import Image
    folder, mode = sys.argv[1], sys.argv[2]
    width, height, to_width, to_height, rounds = map(int, sys.argv[3:8])
    image = Image.frombytes(mode, (width, height), open(folder + "/in", "rb").read())
    def run():
        return image.resize((to_width, to_height), Image.LANCZOS)
    open(folder + "/out", "wb").write(run().tobytes())
    print("Pillow", PIL.__version__)
    for _ in range(rounds):
        start = time.process_time()
        run()
        print(time.process_time() - start)
    """
}
