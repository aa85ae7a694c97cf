// Evaluation of a colour-managed reference: decodes a file, converts its colours and compares the pixels.

import ConformanceKit
import ImageCodecs
import ImageCoding

/// Evaluates the rows of a folder's tables of colour-managed references.
struct ColorEvaluator {
  /// A row: a file, how its colours are converted to sRGB, and the result.
  struct Case: Sendable {
    var path: String
    var intent: RenderingIntent
    var compensatesBlackPoint: Bool
    /// 8 or 16.
    var depth: Int
    /// The hash of the normalised pixels.
    var hash: String
    /// The path of the reference, if there is one in addition to the hash.
    var reference: String?
  }

  /// The kind of a picture's profile, which decides what distance is allowed.
  enum Kind: String, CaseIterable {
    case matrix, gray, table, ink

    /// The allowed distance in 8-bit levels.
    var limit: Double { self == .matrix || self == .gray ? 1 : 2 }
  }

  /// The names of the tables.
  static let tables = ["ICC.tsv", "ICC-existing.tsv"]

  /// Reads the rows of all tables of a folder that exist.
  static func cases(in folder: String) -> [Case] {
    tables.flatMap { name in
      TabSeparatedTable((try? readFile(folder + "/" + name)) ?? []).rows.compactMap { row -> Case? in
        guard let path = row.path("path"), let depth = row.integer("depth"), let hash = row.text("rgba_sha256"),
          let intent = row.text("intent").flatMap(Self.intent)
        else { return nil }
        return Case(
          path: path, intent: intent.0, compensatesBlackPoint: intent.1, depth: depth, hash: hash,
          reference: row.path("reference"))
      }
    }
  }

  private static func intent(_ name: String) -> (RenderingIntent, Bool)? {
    switch name {
    case "perceptual": (.perceptual, false)
    case "relative": (.relativeColorimetric, false)
    case "relative+bpc": (.relativeColorimetric, true)
    case "saturation": (.saturation, false)
    case "absolute": (.absoluteColorimetric, false)
    default: nil
    }
  }

  let folder: String

  /// Returns the outcome of a case. The remark is the kind of the profile and the distance in 8-bit levels.
  func evaluate(_ test: Case) -> CaseResult {
    do throws(CodecError) {
      guard let bytes = try? readFile(folder + "/" + test.path) else {
        return CaseResult(.failed("the file cannot be read"))
      }
      var bitmap = try Decoders.decoder(for: bytes).decode(bytes.span, options: .asStored).bitmap
      if test.depth == 16 { bitmap = try bitmap.converted(to: bitmap.format.with(.uint16)) }
      let kind = Self.kind(of: bitmap)
      var budget = ResourceBudget(.default)
      let transform = try ColorTransform.ignoringBrokenProfile(
        from: bitmap.colorSpace, format: bitmap.format, to: .sRGB, intent: test.intent,
        blackPointCompensation: test.compensatesBlackPoint, budget: &budget
      ).transform
      let converted = try bitmap.converted(by: transform, budget: &budget)
      let ours = NormalizedImage(converted).converted(toDepth: test.depth)
      if ours.hash == test.hash { return CaseResult(.passed, remark: "\(kind.rawValue) 0") }
      let expected: NormalizedImage
      do throws(ReferenceReader.Failure) {
        expected = try ReferenceReader(folder: folder).read(
          test.reference, hash: test.hash, width: nil, height: nil, depth: test.depth)
      } catch {
        return CaseResult(.skipped("the hash of the pixels differs, and \(error.reason)"), remark: kind.rawValue)
      }
      guard let distance = Self.distance(ours, expected) else { return CaseResult(.failed("the sizes differ")) }
      let remark = "\(kind.rawValue) \(distance)"
      return distance <= kind.limit
        ? CaseResult(.passed, remark: remark) : CaseResult(.failed("\(distance) levels"), remark: remark)
    } catch {
      return CaseResult(error.kind == .unsupported ? .unsupported(error.reason) : .failed("\(error)"))
    }
  }

  private static func kind(of bitmap: Bitmap) -> Kind {
    switch bitmap.format.colorModel {
    case .cmyk: return .ink
    case .gray: return .gray
    case .rgb, .bgr:
      let tag = Array("A2B0".utf8)
      let table = bitmap.colorSpace.iccProfile?.dropFirst(128).prefix(4 + 12 * 100) ?? []
      let tags = stride(from: table.startIndex + 4, to: table.endIndex - 3, by: 12)
      return tags.contains { Array(table[$0..<$0 + 4]) == tag } ? .table : .matrix
    }
  }

  /// The largest difference of two samples in 8-bit levels; `nil` if the sizes differ.
  private static func distance(_ a: NormalizedImage, _ b: NormalizedImage) -> Double? {
    guard a.width == b.width, a.height == b.height, a.depth == b.depth else { return nil }
    var largest = 0
    for index in 0..<a.width * a.height {
      for (left, right) in zip(a.pixel(at: index), b.pixel(at: index)) { largest = max(largest, abs(left - right)) }
    }
    return a.depth == 8 ? Double(largest) : (Double(largest) / 257 * 1000).rounded() / 1000
  }
}
