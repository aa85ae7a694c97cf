// Everything that is compared of one file.

internal import ImageCodecs
internal import ImageCoding
internal import PixelPlanes

/// The results for one file, each as a name and a hash or an error.
struct FileDigests {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Pictures of more pixels are not encoded, because emulated processors are slow.
  private static let maximumEncodedPixelCount = 1 << 16

  var results: [String] {
    do throws(CodecError) {
      return results(of: try ImageFile(bytes))
    } catch {
      return ["file \(error)"]
    }
  }

  private func results(of file: ImageFile) -> [String] {
    var results = [
      result("info") { hash("\(try file.info(indexesFrames: true))") },
      result("metadata") { hash("\(try file.metadata())") },
      result("strict") {
        var strict = file
        strict.options.tolerance = .strict
        return describe(try strict.decode())
      },
      result("planes") { try planes(of: file) },
      result("thumbnail") { describe(try file.thumbnail(width: 37)) },
    ]
    do throws(CodecError) {
      let image = try file.decode()
      results.append("picture \(describe(image))")
      results += encodings(of: image.bitmap)
    } catch {
      results.append("picture \(error)")
    }
    return results + frames(of: file)
  }

  private func result(_ name: String, _ compute: () throws -> String) -> String {
    do {
      return "\(name) \(try compute())"
    } catch {
      return "\(name) \(error)"
    }
  }

  private func planes(of file: ImageFile) throws(CodecError) -> String {
    guard let decoder = try ImageFormatRegistry.shared.decoder(for: bytes.span) as? any PlanarImageDecoder else {
      return "-"
    }
    let planes = try decoder.planes(bytes.span, options: file.options).rawPlanes()
    return SHA256.hexDigest(of: planes.span)
  }

  private func frames(of file: ImageFile) -> [String] {
    do throws(CodecError) {
      return try file.animation().map { frames(of: $0) } ?? []
    } catch {
      return ["frames \(error)"]
    }
  }

  private func frames(of animation: any AnimatedImageSource) -> [String] {
    (0..<animation.frameCount).map { index in
      "frame \(index) \(animation.frameInfo(at: index).storedDelay) \(frame(of: animation, at: index))"
    }
  }

  private func frame(of animation: any AnimatedImageSource, at index: Int) -> String {
    do throws(CodecError) {
      let picture = describe(try animation.frame(at: index))
      return picture + (try animation.diagnostics(ofFrameAt: index)).map { "; \($0)" }.joined()
    } catch {
      return "\(error)"
    }
  }

  private func encodings(of bitmap: Bitmap) -> [String] {
    guard bitmap.width * bitmap.height <= Self.maximumEncodedPixelCount else { return [] }
    let formats: [(String, EncodingFormat)] = [
      ("jpeg", .jpeg), ("png", .png), ("gif", .gif), ("webp", .webp), ("lossless webp", .webp(.lossless)),
      ("tiff", .tiff),
    ]
    return formats.map { name, format in "\(name) \(encoding(of: bitmap, as: format))" }
  }

  private func encoding(of bitmap: Bitmap, as format: EncodingFormat) -> String {
    do throws(CodecError) {
      let file = try bitmap.encoded(as: format)
      return SHA256.hexDigest(of: file.span)
    } catch {
      return "\(error)"
    }
  }

  private func hash(_ text: String) -> String { SHA256.hexDigest(of: Array(text.utf8).span) }

  private func describe(_ image: DecodedImage) -> String {
    let diagnostics = image.diagnostics.map { "; \($0)" }.joined()
    return describe(image.bitmap) + (image.isComplete ? "" : " incomplete") + diagnostics
  }

  private func describe(_ bitmap: Bitmap) -> String {
    var samples: [UInt8] = []
    for row in 0..<bitmap.height { samples += Array(copying: bitmap.row(row)) }
    return "\(bitmap.width) × \(bitmap.height) \(bitmap.format) \(SHA256.hexDigest(of: samples.span))"
  }
}
