// The values of EXIF tags as Swift values.

internal import ImageCore

/// A fraction, the form in which EXIF stores exposure times and coordinates.
public struct EXIFRational: Hashable, Sendable, CustomStringConvertible {
  /// The numerator; negative only in signed fractions.
  public let numerator: Int
  /// The denominator; 0 if the value is unknown or infinite.
  public let denominator: Int

  /// Creates a fraction, which is not reduced.
  public init(_ numerator: Int, _ denominator: Int) {
    self.numerator = numerator
    self.denominator = denominator
  }

  /// The quotient; `nil` if the denominator is 0.
  public var value: Double? {
    denominator == 0 ? nil : Double(numerator) / Double(denominator)
  }

  /// The fraction as text, such as `"1/250"`.
  public var description: String { "\(numerator)/\(denominator)" }
}

/// The values of a tag.
public enum EXIFValue: Hashable, Sendable {
  /// Integers.
  case integers([Int])
  /// Fractions.
  case rationals([EXIFRational])
  /// Floating-point numbers.
  case decimals([Double])
  /// Text without its final NUL.
  case text(String)
  /// Bytes whose meaning depends on the tag.
  case bytes([UInt8])
}

extension EXIFValue: CustomStringConvertible {
  /// The values separated by spaces; for bytes, their number.
  public var description: String {
    switch self {
    case .integers(let values): values.prefix(64).map(String.init).joined(separator: " ")
    case .rationals(let values): values.prefix(64).map { $0.description }.joined(separator: " ")
    case .decimals(let values): values.prefix(64).map { "\($0)" }.joined(separator: " ")
    case .text(let text): text
    case .bytes(let bytes): "\(bytes.count) bytes"
    }
  }
}

extension EXIFValue {
  /// Reads the values of a field; `nil` if they are outside the input.
  init?(_ field: TIFFField, in bytes: Span<UInt8>, header: TIFFHeader) {
    guard field.isContained(in: bytes) else { return nil }
    let raw = bytes.extracting(field.values)
    var reader = ByteReader(raw)
    switch field.type {
    case .ascii: self = .text(exifText(raw))
    case .undefined: self = .bytes(Array(copying: raw))
    case .rational, .signedRational:
      var values: [EXIFRational] = []
      for _ in 0..<field.count {
        guard let top = try? reader.readInteger(byteCount: 4, isBigEndian: header.isBigEndian),
          let bottom = try? reader.readInteger(byteCount: 4, isBigEndian: header.isBigEndian)
        else { return nil }
        let isSigned = field.type == .signedRational
        values.append(
          EXIFRational(
            isSigned ? Int(Int32(truncatingIfNeeded: top)) : Int(clamping: top),
            isSigned ? Int(Int32(truncatingIfNeeded: bottom)) : Int(clamping: bottom)))
      }
      self = .rationals(values)
    case .float, .double:
      var values: [Double] = []
      for _ in 0..<field.count {
        guard let bits = try? reader.readInteger(byteCount: field.type.byteCount, isBigEndian: header.isBigEndian)
        else { return nil }
        values.append(
          field.type == .double
            ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
      }
      self = .decimals(values)
    default:
      self = .integers(
        (0..<field.count).compactMap { [bytes = Array(copying: raw)] index in
          TIFFField(tag: field.tag, type: field.type, count: field.count, values: 0..<bytes.count)
            .integer(at: index, in: bytes.span, header: header)
        })
    }
  }
}
