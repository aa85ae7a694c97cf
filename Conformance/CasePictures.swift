// The decoded image of a case, its reference and their visible difference, as three PNG files.

import ConformanceKit
import ImageCoding
import PNGCodec

/// Writes the images of cases.
struct CasePictures {
  /// The factor by which differences are amplified.
  private static let amplification = 8

  private let folder: String
  private let target: String
  private let references: ReferenceReader

  /// - Parameters:
  ///   - folder: the folder that the paths of cases are relative to.
  ///   - target: the folder of the images, which must exist.
  init(folder: String, target: String) {
    self.folder = folder
    self.target = target
    references = ReferenceReader(folder: folder)
  }

  /// Returns the file name of an image.
  static func fileName(number: Int, _ role: Role) -> String { "\(number)-\(role.rawValue).png" }

  /// The content of an image.
  enum Role: String, CaseIterable {
    case ours
    case reference
    case difference
  }

  /// Writes the available images: the reference also if the case does not decode.
  func write(_ test: ConformanceCase, number: Int) -> CaseResult {
    do {
      let bytes = try readFile(folder + "/" + test.path)
      guard let pair = try pictures(of: test, bytes) else { return CaseResult(.skipped("no reference to show")) }
      try save(pair.ours, as: .ours, number)
      try save(pair.reference, as: .reference, number)
      if let difference = Self.difference(pair.ours, pair.reference) { try save(difference, as: .difference, number) }
      return CaseResult(.passed)
    } catch {
      return CaseResult(.failed("\(error)"))
    }
  }

  private func save(_ image: NormalizedImage, as role: Role, _ number: Int) throws {
    let samples = image.converted(toDepth: 8)
    let bitmap = try Bitmap(width: samples.width, height: samples.height, format: .rgba8, pixels: samples.bytes)
    let options = PNGEncoder.Options(compressionLevel: 1)
    try writeFile(
      try PNGEncoder(options: options).encode(bitmap), to: target + "/" + Self.fileName(number: number, role))
  }

  // MARK: Decoded image and reference

  private func pictures(
    of test: ConformanceCase, _ bytes: [UInt8]
  ) throws -> (ours: NormalizedImage, reference: NormalizedImage)? {
    if test.rule == .perceptual {
      let evaluator = DrawingEvaluator(
        folder: folder, references: references, fonts: DrawingFonts(folder: folder))
      let reference = try evaluator.reference(of: test)
      let drawing = try evaluator.draw(test, bytes, width: reference.width, height: reference.height)
      return (NormalizedImage(drawing.1), reference)
    }
    guard let decoder = Decoders.recognizing(bytes) else { return nil }
    if let animation = try decoder.animation(bytes, options: .asStored), !test.frames.isEmpty {
      return try frames(of: test, animation)
    }
    let ours = NormalizedImage(try decoder.decode(bytes.span, options: .asStored).bitmap)
    return (ours.converted(toDepth: test.referenceDepth), try reference(of: test, test.reference, test.hash))
  }

  /// Returns the first frame that differs from the reference.
  private func frames(
    of test: ConformanceCase, _ animation: any AnimatedImageSource
  ) throws -> (ours: NormalizedImage, reference: NormalizedImage)? {
    for frame in test.frames.sorted(by: { $0.index < $1.index }) where frame.index < animation.frameCount {
      let ours = NormalizedImage(try animation.frame(at: frame.index)).converted(toDepth: test.referenceDepth)
      if ours.hash == frame.hash { continue }
      return (ours, try reference(of: test, frame.reference, frame.hash))
    }
    return nil
  }

  private func reference(of test: ConformanceCase, _ path: String?, _ hash: String?) throws -> NormalizedImage {
    try references.read(path, hash: hash, width: test.width, height: test.height, depth: test.referenceDepth)
  }

  // MARK: The difference

  /// Returns the amplified difference of the premultiplied samples, with that of alpha as gray. `nil` if the sizes
  /// differ.
  private static func difference(_ ours: NormalizedImage, _ reference: NormalizedImage) -> NormalizedImage? {
    guard ours.width == reference.width, ours.height == reference.height else { return nil }
    let first = PerceptualDifference.premultiplied(ours)
    let second = PerceptualDifference.premultiplied(reference)
    var shown: [UInt8] = []
    shown.reserveCapacity(first.count)
    for start in stride(from: 0, to: first.count, by: 4) {
      let distances = (0..<4).map { abs(first[start + $0] - second[start + $0]) }
      for channel in 0..<3 { shown.append(UInt8(min(255, max(distances[channel], distances[3]) * amplification))) }
      shown.append(255)
    }
    return NormalizedImage(width: ours.width, height: ours.height, depth: 8, rgba: shown)
  }
}
