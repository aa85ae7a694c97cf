// Memory after many thumbnails: a server must not grow.

import Foundation
import ImageCodecs

/// Makes thumbnails of many kinds and sizes of files, and reports the resident memory.
struct MemoryRun {
  /// The number of thumbnails.
  var count: Int
  /// Memory that is kept between thumbnails.
  var bufferPool: BufferPool?

  /// The permitted growth after the first hundred thumbnails, in bytes.
  private static let permittedGrowth = 20_000_000

  /// Makes the thumbnails. Fails if the resident memory after all of them exceeds that after 100 by 20 MB.
  func run() throws {
    let files = try Self.files()
    let options = DecodingOptions(bufferPool: bufferPool)
    var reference: Int?
    var made = 0
    var seed: UInt32 = 1
    func random(_ bound: Int) -> Int {
      seed = seed &* 1_664_525 &+ 1_013_904_223
      return Int(seed >> 8) % bound
    }
    while made < count {
      let request = Thumbnail(
        width: 40 + random(600), height: 40 + random(600), fit: random(2) == 0 ? .inside : .cover, frames: .all)
      let format: EncodingFormat = random(3) == 0 ? .png(.init(level: .fastest)) : .jpeg
      _ = try ImageFile(files[random(files.count)], options: options).encodedThumbnail(request, as: format)
      made += 1
      guard made == 100 || made % max(count / 10, 1) == 0, let resident = ProcessMemory.resident else { continue }
      if made == 100 { reference = resident }
      ResultTable.show("\(made) thumbnails: \(ResultTable.decimal(Double(resident) / 1e6, digits: 1)) MB resident")
    }
    guard let reference, let resident = ProcessMemory.resident else { return }
    guard resident - reference <= Self.permittedGrowth else {
      throw BenchError(description: "the resident memory has grown by \((resident - reference) / 1_000_000) MB")
    }
  }

  /// Photos, screenshots, animations and drawings from 0.1 to 6 megapixels.
  private static func files() throws -> [Data] {
    var files: [[UInt8]] = [Illustration.bytes]
    for (width, height) in [(400, 300), (640, 480), (1280, 960), (2000, 1333), (3000, 2000)] {
      var scene = Scene(width: width, height: height)
      let photo = try scene.photo(format: .rgb8)
      let alpha = try scene.photo(format: .rgba8)
      files += [
        try JPEGEncoder().encode(photo), try JPEGEncoder(options: .init(isProgressive: true)).encode(photo),
        try PNGEncoder(options: .init(level: .fastest)).encode(alpha),
        try PNGEncoder(options: .init(compressionLevel: 1, isInterlaced: true)).encode(photo),
      ]
      guard width < 1000 else { continue }
      files.append(try GIFEncoder().encode(photo))
      let frames = [photo, try photo.converted(to: .gray8).converted(to: .rgb8), photo]
      files.append(
        try GIFEncoder().encode(
          animation: frames.map { AnimationFrame(bitmap: $0, delay: .milliseconds(40)) }, loopCount: .infinite))
    }
    return files.map { Data($0) }
  }
}
