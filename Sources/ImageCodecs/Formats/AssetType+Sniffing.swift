// From the first bytes of a file to its format. Binary formats are told by the signatures below, in this order; files
// of the ISO base media family by their brands; SVG and XBM by their text.

internal import ISOMediaCodec

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension AssetType {
  /// The format that bytes start like; `nil` when they are too few or of no known format.
  public init?(_ data: Data) {
    self.init(data.span)
  }

  /// The format that bytes start like; `nil` when they are too few or of no known format.
  public init?(_ bytes: [UInt8]) {
    self.init(bytes.span)
  }

  /// The format that bytes start like; `nil` when they are too few or of no known format.
  public init?(_ bytes: Span<UInt8>) {
    guard case .yes(let type) = Self.sniff(bytes, isComplete: true) else { return nil }
    self = type
  }

  /// The format that a prefix of a file starts like, or how many bytes would tell.
  public static func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    sniff(prefix, isComplete: false)
  }

  /// - Parameter isComplete: whether `bytes` is all there will be, so that what is undecided is settled without more.
  static func sniff(_ bytes: Span<UInt8>, isComplete: Bool) -> ProbeResult {
    let start = Signature.Start(bytes)
    for signature in Signature.all {
      switch signature.match(start) {
      case .no: continue
      case .yes(let type):
        if type != .isoBaseMedia { return .yes(type) }
        return sniffISOBrands(bytes, isComplete: isComplete)
      case .needs(let byteCount):
        if !isComplete { return .needs(byteCount: byteCount) }
      }
    }
    return sniffText(bytes, isComplete: isComplete)
  }

  /// Stands in the table for the file type box, whose brands say more.
  static let isoBaseMedia: AssetType = "public.iso-base-media"
}

/// Fixed bytes among the first twelve of a file.
private struct Signature: Sendable {
  /// The first twelve bytes of a file as big-endian integers; zero where the file is shorter.
  struct Start {
    var head: UInt64 = 0
    var tail: UInt64 = 0
    var byteCount: Int

    init(_ bytes: Span<UInt8>) {
      byteCount = min(bytes.count, 12)
      for index in 0..<byteCount {
        if index < 8 {
          head |= UInt64(bytes[index]) << UInt64(56 - 8 * index)
        } else {
          tail |= UInt64(bytes[index]) << UInt64(56 - 8 * (index - 8))
        }
      }
    }
  }

  let type: AssetType
  let byteCount: Int
  var head: UInt64 = 0
  var headMask: UInt64 = 0
  var tail: UInt64 = 0
  var tailMask: UInt64 = 0

  /// - Parameter pattern: the bytes from the start of the file; `nil` stands for any.
  init(_ type: AssetType, _ pattern: [UInt8?]) {
    self.type = type
    byteCount = pattern.count
    for (index, byte) in pattern.enumerated() {
      guard let byte else { continue }
      let shift = UInt64(56 - 8 * (index % 8))
      if index < 8 {
        head |= UInt64(byte) << shift
        headMask |= 0xFF << shift
      } else {
        tail |= UInt64(byte) << shift
        tailMask |= 0xFF << shift
      }
    }
  }

  func match(_ start: Start) -> ProbeResult {
    // Of a mask only the bytes that are there; shifts by 64 give zero.
    let headAvailable = ~(UInt64.max >> UInt64(8 * min(start.byteCount, 8)))
    let tailAvailable = ~(UInt64.max >> UInt64(8 * max(start.byteCount - 8, 0)))
    let difference =
      ((start.head ^ head) & headMask & headAvailable) | ((start.tail ^ tail) & tailMask & tailAvailable)
    if difference != 0 { return .no }
    return start.byteCount >= byteCount ? .yes(type) : .needs(byteCount: byteCount)
  }

  /// The order matters: JPEG stands before JPEG XL's two bytes, the file type box before icons (a box of 256 bytes
  /// starts like one), the two letters of BMP last.
  static let all: [Signature] = [
    Signature(.jpeg, [0xFF, 0xD8, 0xFF]),
    Signature(.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
    Signature(.gif, Array("GIF87a".utf8)),
    Signature(.gif, Array("GIF89a".utf8)),
    Signature(.webp, Array("RIFF".utf8) + [nil, nil, nil, nil] + Array("WEBP".utf8)),
    Signature(.isoBaseMedia, [nil, nil, nil, nil] + Array("ftyp".utf8) + [nil, nil, nil, nil]),
    Signature(.ico, [0, 0, 1, 0]),
    Signature(.cur, [0, 0, 2, 0]),
    Signature(.jpeg2000, [0, 0, 0, 0x0C, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
    Signature(.jpeg2000, [0xFF, 0x4F, 0xFF, 0x51]),
    Signature(.jxl, [0, 0, 0, 0x0C, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A]),
    Signature(.jxl, [0xFF, 0x0A]),
    Signature(.tiff, [0x49, 0x49, 0x2A, 0]),
    Signature(.tiff, [0x4D, 0x4D, 0, 0x2A]),
    Signature(.tiff, [0x49, 0x49, 0x2B, 0]),
    Signature(.tiff, [0x4D, 0x4D, 0, 0x2B]),
    Signature(.bmp, [0x42, 0x4D]),
  ]
}
