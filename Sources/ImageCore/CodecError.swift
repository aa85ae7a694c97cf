// The error type shared by all codecs: the kind of failure, the reason in the format's terms, the format and the
// offset.

/// The reason why an image could not be read, written or converted.
///
/// Functions that work on images throw this type, with typed throws.
public struct CodecError: Error, Hashable, Codable, Sendable {
  /// The class of a failure, for callers that decide how to proceed.
  public enum Kind: String, Hashable, Codable, Sendable, CaseIterable {
    /// The bytes match no known format.
    case unrecognizedFormat
    /// The bytes violate their format.
    case malformed
    /// The bytes are valid but use an unsupported feature, which the reason names.
    case unsupported
    /// The input ends before the image is complete.
    case truncated
    /// A limit of ``DecodingLimits`` was exceeded; the reason names it.
    case limitExceeded
    /// The decode took longer than ``DecodingLimits/deadline``.
    case deadlineExceeded
    /// An argument is invalid, or contradicts another argument or the image.
    case invalidArgument
    /// The image cannot be represented in the requested output format.
    case encodingFailed
    /// A file could not be read or written; the reason names it.
    case fileAccessFailed
    /// The cancellation check in ``DecodingOptions`` returned `true`.
    case cancelled
  }

  /// A limit of ``DecodingLimits`` that was exceeded.
  public enum Limit: String, Hashable, Codable, Sendable, CaseIterable {
    /// The number of pixels, in the file or in memory.
    case pixelCount
    /// The memory of a call, or the size of a file that is held in it.
    case memory
    /// The work of a call: the time that it takes, in units that are the same on every machine.
    case work
    /// The number of frames, pages or scans.
    case count
    /// The size of the metadata.
    case metadata
    /// The depth of nested pictures or elements.
    case depth
  }

  /// The cause of a failure, which tells who can correct it.
  public enum Fault: String, Hashable, Codable, Sendable, CaseIterable {
    /// The file: it is damaged, of a format or a feature that is not supported, or too large.
    case input
    /// The program: an argument is invalid.
    case program
    /// The circumstances: the deadline, a cancellation, the file system. Another attempt may succeed.
    case environment
  }

  /// The class of the failure.
  public let kind: Kind
  /// The description of the defect or the failure, in the terms of the format's specification.
  public let reason: String
  /// The format being decoded or encoded, if known.
  public let format: AssetType?
  /// The offset from the start of the input, in bytes, at which the failure was detected.
  public let byteOffset: Int?
  /// The number of bytes, counted from the start of the input, needed to continue; set for ``Kind/truncated`` and
  /// ``Kind/unrecognizedFormat`` if known.
  /// Never more than is actually needed.
  public let neededByteCount: Int?
  /// The limit that was exceeded; set for ``Kind/limitExceeded`` if it is one of ``DecodingLimits``.
  public let limit: Limit?

  /// Creates an error; only the kind and the reason are required.
  public init(
    _ kind: Kind, _ reason: String, format: AssetType? = nil, byteOffset: Int? = nil, neededByteCount: Int? = nil,
    limit: Limit? = nil
  ) {
    self.kind = kind
    self.reason = reason
    self.format = format
    self.byteOffset = byteOffset
    self.neededByteCount = neededByteCount
    self.limit = limit
  }
}

extension CodecError {
  /// Returns the error of a part of the input with its place in the whole. The limit that was exceeded remains; the
  /// number of bytes that the part needs means nothing there.
  package func located(at byteOffset: Int?, in format: AssetType?) -> CodecError {
    CodecError(kind, reason, format: format, byteOffset: byteOffset, limit: limit)
  }

  /// The cause of the failure, which tells who can correct it.
  public var fault: Fault {
    switch kind {
    case .unrecognizedFormat, .malformed, .unsupported, .truncated, .limitExceeded, .encodingFailed: .input
    case .invalidArgument: .program
    case .deadlineExceeded, .fileAccessFailed, .cancelled: .environment
    }
  }

  /// The status (RFC 9110) with which a server may answer an upload that failed in this way: 415 for formats and
  /// features that are not supported; 422 for damaged files, for those that take too much work or have too much
  /// metadata or depth, and for those that the format to encode to cannot represent; 413 for those that are too large;
  /// 503 for a missed deadline and a cancellation; otherwise 500.
  public var suggestedHTTPStatus: Int {
    switch kind {
    case .unrecognizedFormat, .unsupported: 415
    case .malformed, .truncated, .encodingFailed: 422
    case .limitExceeded: limit == .pixelCount || limit == .memory || limit == .count ? 413 : 422
    case .deadlineExceeded, .cancelled: 503
    case .invalidArgument, .fileAccessFailed: 500
    }
  }
}

extension CodecError {
  /// Whether the caller or the deadline stopped the decode. Even lenient decoders never continue after such an error.
  package var isInterruption: Bool { kind == .cancelled || kind == .deadlineExceeded }

  /// Whether the file is damaged: what is intact may still be decoded.
  package var isDamage: Bool { kind == .malformed || kind == .truncated }
}

extension CodecError: CustomStringConvertible {
  /// One line: kind, reason, format and byte offset.
  public var description: String {
    var text = "\(kind.rawValue): \(reason)"
    if let format { text += " [\(format.rawValue)]" }
    if let byteOffset { text += " at byte \(byteOffset)" }
    return text
  }
}
