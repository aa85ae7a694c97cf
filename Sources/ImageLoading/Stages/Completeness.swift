// Signs that the end of a file is missing, although its image was decoded.

internal import Foundation

extension ImageContainer {
  /// The number of bytes at the end of a drawing in which the end tag of its root element is looked for.
  private static let maximumTrailerByteCount = 4096

  /// Whether the data that the image was decoded from is damaged, or ends early: decoders tolerate both, and do not read
  /// what follows the first frame of an animation.
  func isIncomplete(in data: Data) -> Bool {
    let diagnostics = userInfo[.diagnosticsKey] as? [ImageDiagnostic] ?? []
    let isDamaged = diagnostics.contains { $0.severity == .damage }
    switch type {
    // A drawing is also damaged if it refers to missing fonts or files. Compressed ones that are cut are not decoded.
    case .svg?: return isDamaged && !data.starts(with: [0x1F, 0x8B]) && !Self.hasRootEndTag(data)
    case .png?: return isDamaged || data.range(of: Data("IEND".utf8), options: .backwards) == nil
    case .gif?: return isDamaged || Self.isCutAnimation(data)
    case .webp?: return isDamaged || !Self.hasStatedLength(data)
    default: return isDamaged
    }
  }

  private static func hasRootEndTag(_ data: Data) -> Bool {
    let text = String(decoding: data.suffix(maximumTrailerByteCount), as: UTF8.self)
    guard let start = text.range(of: "</", options: .backwards)?.upperBound,
      let end = text[start...].firstIndex(of: ">")
    else { return false }
    let name = text[start..<end].split(whereSeparator: \.isWhitespace).first ?? ""
    return name == "svg" || name.hasSuffix(":svg")
  }

  /// Lists the frames without decoding them.
  private static func isCutAnimation(_ data: Data) -> Bool {
    var options = DecodingOptions()
    options.tolerance = .strict
    do throws(CodecError) {
      _ = try ImageFormatRegistry.shared.decoder(for: data.span).animation(data.span, options: options)
      return false
    } catch {
      return error.kind == .truncated
    }
  }

  /// Whether a RIFF file has at least the length in its header.
  private static func hasStatedLength(_ data: Data) -> Bool {
    let length = data.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    return UInt64(data.count) >= length + 8
  }
}
