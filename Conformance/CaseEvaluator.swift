// Evaluation of a manifest's case: decodes the file and compares the pixels with the reference.

import ConformanceKit
import ImageCodecs
import ImageCoding
import PixelPlanes
import RawCodec

/// Evaluates the cases of one folder.
struct CaseEvaluator {
  private let folder: String
  private let references: ReferenceReader
  private let fonts: DrawingFonts
  /// The PNG files that decode to a reference, by file name: the originals of Apple's variants.
  private let originals: [String: String]

  /// Creates an evaluator of cases whose paths are relative to `folder`.
  ///
  /// - Parameter cases: all cases of the folder.
  init(folder: String, cases: [ConformanceCase]) {
    self.folder = folder
    references = ReferenceReader(folder: folder)
    fonts = DrawingFonts(folder: folder)
    let sources = cases.filter { $0.format == "png" && $0.expectation == .decode }
    originals = Dictionary(
      sources.map { (fileName(of: $0.path), $0.path) },
      uniquingKeysWith: { $1.hasPrefix("pngsuite/") ? $1 : $0 })
  }

  /// Returns the outcome of a case.
  func evaluate(_ test: ConformanceCase) -> CaseResult {
    guard let bytes = try? readFile(folder + "/" + test.path) else {
      return CaseResult(.failed("the file cannot be read"))
    }
    switch test.expectation {
    case .decode where test.rule == .perceptual:
      return DrawingEvaluator(folder: folder, references: references, fonts: fonts).outcome(of: test, bytes)
    case .decode: return CaseResult(decodeOutcome(of: test, bytes))
    case .reject: return rejection(of: bytes)
    case .any: return observation(of: test, bytes)
    }
  }

  /// Returns the difference between the JPEG file that a file was made from and its reconstruction. `nil` if there is none.
  private func originalDifference(_ bytes: [UInt8], from test: ConformanceCase) throws(CodecError) -> String? {
    guard let hash = test.originalHash else { return nil }
    let original = try ImageFile(bytes).reconstructedJPEG()
    return SHA256.hexDigest(of: original.span) == hash ? nil : "the hash of the JPEG file differs"
  }

  /// Returns the difference of the contents of a camera raw file from the references. `nil` if there is none, or if the
  /// file is none.
  private func rawDifference(
    _ bytes: [UInt8], from test: ConformanceCase, _ decoder: any ImageFormatDecoder
  ) throws(CodecError) -> String? {
    guard let decoder = decoder as? RawDecoder else {
      return test.previews.isEmpty && test.camera == nil ? nil : "the file is not recognised as a camera raw file"
    }
    return try RawEvaluator(decoder, bytes).difference(from: test)
  }

  // MARK: Files that decode

  private func decodeOutcome(of test: ConformanceCase, _ bytes: [UInt8]) -> Outcome {
    if test.rule == .renderingTwin { return .skipped("comparing two renderings is not supported") }
    do throws(CodecError) {
      let decoder = try Decoders.decoder(for: bytes)
      // The components of codestreams are also decoded if their colours are not supported.
      let components = decoder.types == [.jpeg2000] ? ComponentEvaluator(bytes, references) : nil
      if let reason = try components?.difference(from: test) { return .failed(reason) }
      if let reason = try rawDifference(bytes, from: test, decoder) { return .failed(reason) }
      let image = try decoder.decode(bytes.span, options: test.decodingOptions)
      if !test.frames.isEmpty, let animation = try decoder.animation(bytes, options: .asStored) {
        if let hash = test.stillHash, NormalizedImage(image.bitmap).converted(toDepth: test.referenceDepth).hash != hash
        {
          return .failed("the hash of the still image differs")
        }
        return try framesOutcome(of: test, animation)
      }
      if test.frames.count > 1 { return .failed("a still image, reference \(test.frames.count) frames") }
      if let reason = try planesDifference(bytes, from: test, decoder) { return .failed(reason) }
      if let reason = difference(of: image.bitmap, from: test) { return .failed(reason) }
      if let components {
        if let reason = try components.regionDifference(from: image.bitmap) { return .failed(reason) }
      }
      if let reason = try entriesDifference(bytes, from: test, decoder) { return .failed(reason) }
      if let reason = try originalDifference(bytes, from: test) { return .failed(reason) }
      let hasReference =
        test.hash != nil || test.reference != nil || !test.components.isEmpty || !test.previews.isEmpty
        || test.camera != nil
      return hasReference ? .passed : .skipped("no reference")
    } catch {
      return error.kind == .unsupported ? .unsupported(error.reason) : .failed("\(error)")
    }
  }

  /// Returns the difference between the images of an icon and their references. `nil` if they are equal or there are no
  /// references.
  private func entriesDifference(
    _ bytes: [UInt8], from test: ConformanceCase, _ decoder: any ImageFormatDecoder
  ) throws(CodecError) -> String? {
    for entry in test.entries {
      var options = DecodingOptions.asStored
      options.imageIndex = entry.index
      let picture = try decoder.decode(bytes.span, options: options).bitmap
      let reason = difference(
        NormalizedImage(picture), hash: entry.hash, reference: nil, rule: .exact, of: test)
      if let reason { return "entry \(entry.index): \(reason)" }
    }
    return nil
  }

  /// Returns the difference between the planes before conversion and the reference. `nil` if they are equal or there is
  /// no reference.
  private func planesDifference(
    _ bytes: [UInt8], from test: ConformanceCase, _ decoder: any ImageFormatDecoder
  ) throws(CodecError) -> String? {
    guard !test.planeHashes.isEmpty, let decoder = decoder as? any PlanarImageDecoder else { return nil }
    var picture = try decoder.planes(bytes.span, options: .asStored)
    if let expected = test.planeHashes["alpha"] {
      guard let alpha = picture.alpha else { return "the alpha plane is missing" }
      let plane = try PlanarPicture(chromaFormat: .monochrome, coding: picture.coding, luma: alpha)
      if SHA256.hexDigest(of: plane.rawPlanes().span) != expected { return "the hash of the alpha plane differs" }
    }
    try picture.setAlpha(nil)
    guard let expected = test.planeHashes["yuv"] else { return nil }
    return SHA256.hexDigest(of: picture.rawPlanes().span) == expected ? nil : "the hash of the planes differs"
  }

  /// Returns the difference between the pixels and the reference. `nil` if they are equal or there is no reference.
  private func difference(of bitmap: Bitmap, from test: ConformanceCase) -> String? {
    // Of lossy codestreams without a picture to compare with, only the components are compared.
    if test.reference == nil, test.rule != .exact, !test.components.isEmpty { return nil }
    if let path = test.reference, path.hasSuffix(".npy"), let stored = test.storedSamples, !stored.isPalette {
      guard let bytes = try? readFile(folder + "/" + path), let array = NumPyArray(bytes) else {
        return "\(path) is not a supported reference"
      }
      return array.difference(from: bitmap, stored)
    }
    let bitmap = test.isTIFF ? bitmap.asStored : bitmap
    return difference(
      NormalizedImage(bitmap), hash: test.hash, reference: test.reference, rule: test.rule ?? .exact, of: test)
  }

  private func difference(
    _ image: NormalizedImage, hash: String?, reference: String?, rule: ComparisonRule, of test: ConformanceCase
  ) -> String? {
    if rule == .preview {
      guard let width = test.width, let height = test.height, (image.width, image.height) != (width, height) else {
        return nil
      }
      return "\(image.width) × \(image.height), reference \(width) × \(height)"
    }
    guard hash != nil || reference != nil, rule != .components else { return nil }
    if case .limits(let limits) = rule { return excess(of: image, over: limits, reference) }
    if case .developed(let limits) = rule { return excess(of: image, over: limits, reference) }
    let ours = image.converted(toDepth: test.referenceDepth)
    if let hash, ours.hash == hash { return nil }
    do throws(ReferenceReader.Failure) {
      let expected = try references.read(
        reference, hash: hash, width: test.width, height: test.height, depth: test.referenceDepth)
      guard let difference = PixelDifference(ours, expected) else {
        return "\(ours.width) × \(ours.height), reference \(expected.width) × \(expected.height)"
      }
      return difference.satisfies(rule) == true ? nil : difference.summary
    } catch {
      return "the hash of the pixels differs, and \(error.reason)"
    }
  }

  /// Returns the errors of an image that exceed limits. The reference may consist of rows; the means of tiles are then in
  /// another file.
  private func excess(of image: NormalizedImage, over limits: ErrorLimits, _ reference: String?) -> String? {
    guard let reference else { return "there is no reference to compare with" }
    var paths = [reference]
    if case .rows(let step) = SampleErrors.Part(fileName: reference) {
      let tiles = String(reference.dropLast("rows\(step).png".count)) + "tiles32.png"
      if references.exists(tiles) { paths.append(tiles) }
    }
    for path in paths {
      do throws(ReferenceReader.Failure) {
        let expected = try references.readUnverified(path)
        guard let errors = SampleErrors(image, expected, SampleErrors.Part(fileName: path)) else {
          return "\(image.width) × \(image.height), \(path) \(expected.width) × \(expected.height)"
        }
        if !errors.satisfy(limits) { return "\(errors.summary), in \(path)" }
      } catch {
        return error.reason
      }
    }
    return nil
  }

  /// Returns the errors of a developed picture that exceed limits.
  private func excess(of image: NormalizedImage, over limits: DevelopmentLimits, _ reference: String?) -> String? {
    do throws(ReferenceReader.Failure) {
      let expected = try references.readUnverified(reference)
      guard let errors = DevelopmentErrors(image, expected) else {
        return "\(image.width) × \(image.height), reference \(expected.width) × \(expected.height)"
      }
      return errors.satisfy(limits) ? nil : errors.summary
    } catch {
      return error.reason
    }
  }

  // MARK: Frames

  private func framesOutcome(
    of test: ConformanceCase, _ animation: any AnimatedImageSource
  ) throws(CodecError) -> Outcome {
    let frameCount = max(test.frames.count, test.frameCount ?? 0)
    guard animation.frameCount == frameCount else {
      return .failed("\(animation.frameCount) frames, reference \(frameCount)")
    }
    var unsupported: String?
    for (index, frame) in test.frames.sorted(by: { $0.index < $1.index }).enumerated() {
      let stored = animation.frameInfo(at: index).storedDelay
      if let expected = frame.delayInMilliseconds, abs(stored / .milliseconds(1) - expected) > 0.5 {
        return .failed("frame \(index): shown for \(stored), reference \(expected) ms")
      }
      let picture: Bitmap
      do throws(CodecError) { picture = try animation.frame(at: index) } catch {
        guard error.kind == .unsupported else { throw error }
        unsupported = unsupported ?? error.reason
        continue
      }
      let reason =
        difference(of: picture, from: frame, in: test) ?? (index == 0 ? difference(of: picture, from: test) : nil)
      if let reason { return .failed("frame \(index): \(reason)") }
    }
    return unsupported.map { .unsupported($0) } ?? .passed
  }

  /// Returns a frame; `nil` if it is not supported.
  private func supportedFrame(
    at index: Int, of animation: any AnimatedImageSource
  ) throws(CodecError) -> Bitmap? {
    do throws(CodecError) {
      return try animation.frame(at: index)
    } catch {
      guard error.kind == .unsupported else { throw error }
      return nil
    }
  }

  private func difference(of bitmap: Bitmap, from frame: ConformanceFrame, in test: ConformanceCase) -> String? {
    difference(
      NormalizedImage(bitmap), hash: frame.hash, reference: frame.reference, rule: test.rule ?? .exact, of: test)
  }

  // MARK: Files that must or may fail

  private func rejection(of bytes: [UInt8]) -> CaseResult {
    do throws(CodecError) {
      let decoder = try Decoders.decoder(for: bytes)
      _ = try decoder.decode(bytes.span, options: .asStoredStrict)
      if let animation = try decoder.animation(bytes, options: .asStoredStrict) {
        for index in 0..<animation.frameCount { _ = try supportedFrame(at: index, of: animation) }
      }
      return CaseResult(.failed("strict decoding succeeds"))
    } catch {
      return CaseResult(.passed, remark: "\(error)")
    }
  }

  private func observation(of test: ConformanceCase, _ bytes: [UInt8]) -> CaseResult {
    do throws(CodecError) {
      if let reason = try originalDifference(bytes, from: test) { return CaseResult(.failed(reason)) }
      let decoder = try Decoders.decoder(for: bytes)
      if let reason = try rawDifference(bytes, from: test, decoder) { return CaseResult(.failed(reason)) }
      var picture = try decoder.decode(bytes.span, options: test.decodingOptions).bitmap
      if let animation = try decoder.animation(bytes, options: .asStored) {
        for index in (0..<min(animation.frameCount, 100)).reversed() {
          picture = try supportedFrame(at: index, of: animation) ?? picture
        }
      }
      if test.suite == "pngsuite-cgbi" { return comparisonWithOriginal(of: test, picture) }
      guard test.hash != nil || test.reference?.hasSuffix(".npy") == true else {
        return CaseResult(.passed, remark: "decodes")
      }
      let reason = difference(of: picture, from: test)
      return CaseResult(.passed, remark: reason.map { "differs: \($0)" } ?? "matches")
    } catch {
      if test.suite == "pngsuite-cgbi" { return CaseResult(.failed("\(error)")) }
      return CaseResult(.passed, remark: "\(error)")
    }
  }

  /// Compares with the original. Apple's premultiplied variants have no reference except the PngSuite file that each
  /// was made from.
  private func comparisonWithOriginal(of test: ConformanceCase, _ bitmap: Bitmap) -> CaseResult {
    guard let original = originals[fileName(of: test.path)] else {
      return CaseResult(.skipped("the original file is missing"))
    }
    guard let bytes = try? readFile(folder + "/" + original), let decoder = Decoders.recognizing(bytes),
      let image = try? decoder.decode(bytes.span, options: .asStored)
    else { return CaseResult(.skipped("\(original) does not decode")) }
    let matches = NormalizedImage(bitmap).isWithinPremultiplication(of: NormalizedImage(image.bitmap))
    return matches
      ? CaseResult(.passed, remark: "matches \(original)") : CaseResult(.failed("the pixels differ from \(original)"))
  }
}

/// Returns the last component of a path.
private func fileName(of path: String) -> String {
  path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
}

extension ConformanceCase {
  /// The options with which the file is decoded.
  fileprivate var decodingOptions: DecodingOptions { hasOrientationApplied ? DecodingOptions() : .asStored }
}

extension Bitmap {
  /// The same samples with associated alpha declared unassociated, as references of TIFF are stored.
  fileprivate var asStored: Bitmap {
    guard format.alpha == .premultiplied else { return self }
    return (try? Bitmap(width: width, height: height, format: format.straight, pixels: packedPixels)) ?? self
  }
}
