// Lossless transforms: files are equal to jpegtran's, by hashes made by Fixtures/make-transform-references.py.

import ImageCoding
import JPEGCodec
import TestSupport
import Testing

/// A file, the arguments of jpegtran, and what it made of the file.
struct TransformReference: Sendable {
  var source: EncoderReference
  var hasEXIF: Bool
  var options: JPEGTransformer.Options
  var byteCount: Int
  var hash: UInt64
  var line: String

  init?(_ line: Substring) {
    let columns = line.split(separator: "\t")
    guard columns.count == 11,
      let source = EncoderReference((columns[..<7] + ["0", "0"]).joined(separator: "\t")[...]),
      let byteCount = Int(columns[9]), let hash = UInt64(columns[10], radix: 16)
    else { return nil }
    (self.source, hasEXIF, self.byteCount, self.hash) = (source, columns[7] == "1", byteCount, hash)
    self.line = String(line)
    options = JPEGTransformer.Options()
    var words = columns[8].split(separator: ",")[...]
    while let word = words.popFirst() {
      switch word {
      case "-copy": options.markers = words.popFirst() == "all" ? .all : .none
      case "-trim": options.edges = .trim
      case "-perfect": options.edges = .reject
      case "-optimize": options.optimizesHuffmanTables = true
      case "-progressive": options.isProgressive = true
      case "-restart": options.restartInterval = .rows(words.popFirst().flatMap { Int($0) } ?? 0)
      case "-crop":
        let numbers = words.popFirst()?.split { "x+".contains($0) }.compactMap { Int($0) } ?? []
        guard numbers.count == 4 else { return nil }
        options.crop = PixelRegion(x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1])
      case "-flip": options.operation = words.popFirst() == "horizontal" ? .flipHorizontal : .flipVertical
      case "-transpose": options.operation = .transpose
      case "-transverse": options.operation = .transverse
      case "-rotate":
        guard let operation = JPEGTransformer.Operation(rawValue: "rotate" + (words.popFirst() ?? "")) else {
          return nil
        }
        options.operation = operation
      default: return nil
      }
    }
  }

  static let all: [TransformReference] = {
    return Fixture("transform-references.tsv", beside: #filePath).text.split(separator: "\n").compactMap {
      TransformReference($0)
    }
  }()

  /// The file to be transformed.
  func file() throws -> [UInt8] {
    let file = try JPEGEncoder(options: source.options).encode(source.bitmap())
    return hasEXIF ? file[..<2] + exifSegment(width: source.width, height: source.height) + file[2...] : file
  }
}

/// An APP1 segment: IFD0 with an orientation of 6, and a directory with the dimensions as values of type SHORT.
private func exifSegment(width: Int, height: Int) -> [UInt8] {
  func halves(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
  func entry(_ tag: Int, _ type: UInt8, _ value: [UInt8]) -> [UInt8] { halves(tag) + [0, type, 0, 0, 0, 1] + value }
  var block: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 2]
  block += entry(0x112, 3, [0, 6, 0, 0]) + entry(0x8769, 4, [0, 0, 0, 38]) + [0, 0, 0, 0, 0, 2]
  block += entry(0xA002, 3, halves(width) + [0, 0]) + entry(0xA003, 3, halves(height) + [0, 0]) + [0, 0, 0, 0]
  let content = Array("Exif\0\0".utf8) + block
  return [0xFF, 0xE1] + halves(content.count + 2) + content
}

@Suite struct TransformTests {
  @Test func filesAreThoseOfJpegtran() throws {
    #expect(TransformReference.all.count == 304)
    for reference in TransformReference.all {
      let transformer = JPEGTransformer(options: reference.options)
      let file = try reference.file()
      if reference.byteCount == 0 {
        #expect(throws: CodecError.self, "\(reference.line)") { try transformer.transform(file.span) }
      } else {
        let result = try transformer.transform(file.span)
        #expect(result.count == reference.byteCount && fnv1a(result) == reference.hash, "\(reference.line)")
      }
    }
  }

  @Test func turningAWholePictureTurnsItsPixels() throws {
    let reference = try #require(EncoderReference.all.first { $0.width == 64 && $0.options.subsampling == .yuv444 })
    var bitmap = try reference.bitmap()
    bitmap = try bitmap.copy(of: PixelRegion(x: 0, y: 0, width: 64, height: bitmap.height / 8 * 8))
    let file = try JPEGEncoder(options: .init(quality: 90, subsampling: .gray)).encode(bitmap)
    let plain = try JPEGDecoder().decode(file.span, options: DecodingOptions()).bitmap
    for operation in JPEGTransformer.Operation.allCases {
      let turned = try JPEGTransformer(options: .init(operation: operation)).transform(file.span)
      let result = try JPEGDecoder().decode(turned.span, options: DecodingOptions()).bitmap
      let swaps = [.transpose, .transverse, .rotate90, .rotate270].contains(operation)
      #expect(result.width == (swaps ? plain.height : plain.width))
      var largest = 0
      for y in 0..<result.height {
        for x in 0..<result.width {
          let (right, down) = (result.width - 1 - x, result.height - 1 - y)
          let (sourceX, sourceY) =
            switch operation {
            case .none: (x, y)
            case .flipHorizontal: (right, y)
            case .flipVertical: (x, down)
            case .rotate180: (right, down)
            case .transpose: (y, x)
            case .transverse: (down, right)
            case .rotate90: (y, right)
            case .rotate270: (down, x)
            }
          largest = max(largest, abs(Int(result.row(y)[x]) - Int(plain.row(sourceY)[sourceX])))
        }
      }
      // The inverse DCT rounds rows and columns in turn.
      #expect(largest <= 1, "\(operation)")
    }
  }

  @Test func fourQuarterTurnsAreTheFile() throws {
    let reference = try #require(TransformReference.all.first { $0.source.width == 48 && !$0.hasEXIF })
    let file = try reference.file()
    let trimmed = try JPEGTransformer(options: .init(operation: .rotate180, edges: .trim)).transform(file.span)
    var turned = trimmed
    for _ in 0..<4 {
      turned = try JPEGTransformer(options: .init(operation: .rotate90, edges: .reject)).transform(turned.span)
    }
    #expect(turned == trimmed)
  }

  @Test(arguments: ImageOrientation.allCases)
  func orientationIsAppliedAndReset(_ orientation: ImageOrientation) throws {
    let pixels = (0..<512).map { (index: Int) -> UInt8 in index % 32 < 16 ? UInt8(index / 32 * 8) : 250 }
    var bitmap = try Bitmap(width: 32, height: 16, format: .gray8, pixels: pixels)
    bitmap.orientation = orientation
    let file = try JPEGEncoder(options: .init(quality: 95, subsampling: .gray)).encode(bitmap)
    let result = try JPEGTransformer(options: .init(appliesOrientation: true, edges: .reject)).transform(file.span)
    let info = try JPEGDecoder().info(result.span, options: InfoOptions())
    #expect(info.orientation == .up)
    let expected = try JPEGDecoder().decode(file.span, options: DecodingOptions(orientation: .apply)).bitmap
    let upright = try JPEGDecoder().decode(result.span, options: DecodingOptions(orientation: .report)).bitmap
    #expect(upright.width == expected.width && upright.height == expected.height)
    let largest = zip(upright.packedPixels, expected.packedPixels).map { abs(Int($0) - Int($1)) }.max() ?? 255
    #expect(largest <= 1)
  }

  @Test func thumbnailsOfTurnedPicturesAreRemoved() throws {
    let thumbnail: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]
    func entry(_ tag: [UInt8], _ type: UInt8, _ value: [UInt8]) -> [UInt8] { tag + [0, type, 0, 0, 0, 1] + value }
    var block: [UInt8] = Array("MM".utf8) + [0, 42, 0, 0, 0, 8, 0, 1] + entry([1, 0x12], 3, [0, 6, 0, 0])
    block += [0, 0, 0, 26, 0, 2] + entry([2, 1], 4, [0, 0, 0, 56]) + entry([2, 2], 4, [0, 0, 0, 4]) + [0, 0, 0, 0]
    block += thumbnail
    let bitmap = try Bitmap(width: 16, height: 8, format: .gray8, pixels: [UInt8](repeating: 7, count: 128))
    var metadata = ImageMetadata()
    metadata.exif = block
    let options = JPEGTransformer.Options(appliesOrientation: true)
    for (orientation, remains) in [(ImageOrientation.up, true), (.right, false)] {
      var turned = bitmap
      turned.orientation = orientation
      let file = try JPEGEncoder().encode(turned, metadata: metadata)
      let result = try JPEGTransformer(options: options).transform(file.span)
      let exif = try JPEGDecoder().metadata(result.span, options: InfoOptions()).exif ?? []
      #expect(exif.count == block.count && (exif.suffix(4) == thumbnail[...]) == remains)
    }
  }

  @Test func impossibleRequestsAreRejected() throws {
    let bitmap = try Bitmap(width: 20, height: 20, format: .gray8, pixels: [UInt8](repeating: 7, count: 400))
    let file = try JPEGEncoder().encode(bitmap)
    func kind(_ options: JPEGTransformer.Options) -> CodecError.Kind? {
      do {
        _ = try JPEGTransformer(options: options).transform(file.span)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind(.init(operation: .rotate90, edges: .reject)) == .unsupported)
    #expect(kind(.init(operation: .transpose, edges: .reject)) == nil)
    for region in [(0, 0, 21, 1), (20, 0, 1, 1), (-1, 0, 2, 2), (0, 0, 0, 4), (1, 1, Int.max, Int.max)] {
      let crop = PixelRegion(x: region.0, y: region.1, width: region.2, height: region.3)
      #expect(kind(.init(crop: crop)) == .invalidArgument)
    }
    #expect(kind(.init(restartInterval: .rows(0))) == .invalidArgument)
  }

  @Test func damageIsAnErrorAndNeverATrap() throws {
    let reference = try #require(TransformReference.all.first { $0.hasEXIF && $0.source.width == 31 })
    let file = try reference.file()
    let transformer = JPEGTransformer(
      options: .init(appliesOrientation: true, isProgressive: true))
    for count in 0..<file.count - 2 {
      #expect(throws: CodecError.self) { try transformer.transform(file.span.extracting(first: count)) }
    }
    var damaged = file
    for index in file.indices {
      for bit in [0, 3, 7] {
        damaged[index] ^= 1 << UInt8(bit)
        _ = try? transformer.transform(damaged.span)
        _ = try? JPEGTransformer(options: .init(operation: .rotate180)).transform(damaged.span)
        damaged[index] = file[index]
      }
    }
  }

  @Test func coefficientsAreChargedToTheBudget() throws {
    let bitmap = try Bitmap(width: 640, height: 640, format: .gray8, pixels: [UInt8](repeating: 7, count: 409_600))
    let file = try JPEGEncoder().encode(bitmap)
    var limits = DecodingLimits.default
    limits.maximumByteCount = 900_000
    var error: CodecError?
    do { _ = try JPEGTransformer().transform(file.span, limits: limits) } catch let thrown { error = thrown }
    #expect(error?.kind == .limitExceeded)
    var budget = ResourceBudget(.default, shouldCancel: { true })
    #expect(throws: CodecError.self) { try JPEGTransformer().transform(file.span, budget: &budget) }
    var limited = ResourceBudget(DecodingLimits(maximumPixelCount: 1_000))
    let tooLarge = #expect(throws: CodecError.self) { try JPEGTransformer().transform(file.span, budget: &limited) }
    #expect(tooLarge?.limit == .pixelCount)
  }
}
