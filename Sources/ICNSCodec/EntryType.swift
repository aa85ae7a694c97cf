// The types of entries: the four letters that name them, and the pictures that they hold.

internal import ImageCoding

/// The type of an entry that is a picture or a mask. All other entries are unknown or describe the file.
struct EntryType: Hashable, Sendable {
  /// The data of an entry.
  enum Content: Hashable, Sendable {
    /// One bit per pixel, black if it is set, perhaps followed by a mask of the same size.
    case bits(hasMask: Bool)
    /// Indices of 4 or 8 bits into the palettes of the system.
    case indices(bits: Int)
    /// Red, green and blue, in planes that are compressed one by one, or pixel by pixel.
    case planes
    /// A picture file, planes of red, green and blue, or of alpha too.
    case file(allowsPlanes: Bool)
    /// Alpha, eight bits per pixel.
    case mask
  }

  /// The four letters.
  let code: FourCharacterCode
  let content: Content
  /// The size in pixels. A picture file may have another one.
  let size: PixelSize
  /// The number of pixels per point: 2 for the pictures of displays with high resolution.
  let scale: Int
  /// Another size that some programs give to pictures of this type.
  let alternativeSize: PixelSize?

  private init(
    _ code: FourCharacterCode, _ content: Content, _ width: Int, _ height: Int? = nil, scale: Int = 1,
    alternative: Int? = nil
  ) {
    self.code = code
    self.content = content
    size = PixelSize(width: width, height: height ?? width)
    self.scale = scale
    alternativeSize = alternative.map { PixelSize(width: $0, height: $0) }
  }

  /// Returns the type with these letters; `nil` if it is neither a picture nor a mask.
  static func of(_ code: FourCharacterCode) -> EntryType? { all[code] }

  /// Whether an entry is known, but neither a picture nor a mask: the table of contents, the version of the program
  /// that wrote the file, a name, properties, and families of icons for templates, selections and dark backgrounds.
  static func isKnownWithoutPicture(_ code: FourCharacterCode) -> Bool { withoutPicture.contains(code) }

  /// Whether an entry is or ends with a mask.
  var hasMask: Bool { content == .mask || content == .bits(hasMask: true) }

  /// The types of the masks for pictures of this type, the preferred one first. One of a picture of one bit per pixel
  /// follows that picture in its entry.
  var maskCodes: [FourCharacterCode] {
    switch content {
    case .bits, .mask: []
    case .indices: Self.maskCodes(of: size)
    case .planes, .file: Self.maskCodes(of: size).reversed()
    }
  }

  /// The types of the masks of one bit and of eight bits for pictures of a size.
  private static func maskCodes(of size: PixelSize) -> [FourCharacterCode] {
    switch (size.width, size.height) {
    case (16, 12): ["icm#"]
    case (16, 16): ["ics#", "s8mk"]
    case (32, 32): ["ICN#", "l8mk"]
    case (48, 48): ["ich#", "h8mk"]
    case (128, 128): ["t8mk"]
    default: []
    }
  }

  private static let withoutPicture: Set<FourCharacterCode> = [
    .tableOfContents, "icnV", "name", "info", "sbtp", "slct", FourCharacterCode(rawValue: 0xFDD9_2FA8),
  ]

  private static let all = list.reduce(into: [FourCharacterCode: EntryType]()) { types, type in
    if types[type.code] == nil { types[type.code] = type }
  }

  private static let list: [EntryType] = [
    EntryType("ICON", .bits(hasMask: false), 32),
    EntryType("icm#", .bits(hasMask: true), 16, 12),
    EntryType("icm4", .indices(bits: 4), 16, 12),
    EntryType("icm8", .indices(bits: 8), 16, 12),
    EntryType("ics#", .bits(hasMask: true), 16),
    EntryType("ics4", .indices(bits: 4), 16),
    EntryType("ics8", .indices(bits: 8), 16),
    EntryType("is32", .planes, 16),
    EntryType("s8mk", .mask, 16),
    EntryType("ICN#", .bits(hasMask: true), 32),
    EntryType("icl4", .indices(bits: 4), 32),
    EntryType("icl8", .indices(bits: 8), 32),
    EntryType("il32", .planes, 32),
    EntryType("l8mk", .mask, 32),
    EntryType("ich#", .bits(hasMask: true), 48),
    EntryType("ich4", .indices(bits: 4), 48),
    EntryType("ich8", .indices(bits: 8), 48),
    EntryType("ih32", .planes, 48),
    EntryType("h8mk", .mask, 48),
    EntryType("it32", .planes, 128),
    EntryType("t8mk", .mask, 128),
    EntryType("icp4", .file(allowsPlanes: true), 16),
    EntryType("icp5", .file(allowsPlanes: true), 32),
    EntryType("icp6", .file(allowsPlanes: false), 64, alternative: 48),
    EntryType("ic04", .file(allowsPlanes: false), 16),
    EntryType("ic05", .file(allowsPlanes: false), 32),
    EntryType("ic07", .file(allowsPlanes: false), 128),
    EntryType("ic08", .file(allowsPlanes: false), 256),
    EntryType("ic09", .file(allowsPlanes: false), 512),
    EntryType("ic10", .file(allowsPlanes: false), 1024, scale: 2),
    EntryType("ic11", .file(allowsPlanes: false), 32, scale: 2),
    EntryType("ic12", .file(allowsPlanes: false), 64, scale: 2),
    EntryType("ic13", .file(allowsPlanes: false), 256, scale: 2),
    EntryType("ic14", .file(allowsPlanes: false), 512, scale: 2),
    EntryType("icsb", .file(allowsPlanes: false), 18),
    EntryType("icsB", .file(allowsPlanes: false), 36, scale: 2),
    EntryType("sb24", .file(allowsPlanes: false), 24),
    EntryType("SB24", .file(allowsPlanes: false), 48, scale: 2),
  ]
}

extension FourCharacterCode {
  /// The types and lengths of all entries that follow.
  static let tableOfContents: FourCharacterCode = "TOC "
  /// The signature of the file.
  static let family: FourCharacterCode = "icns"
}
