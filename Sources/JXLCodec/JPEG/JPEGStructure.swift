// The structure of a JPEG file: everything but its coefficients (ISO/IEC 18181-2).

internal import ImageCoding

/// The first part of a `jbrd` box, up to the compressed bytes.
struct JPEGStructure: Sendable {
  /// The source of the content of an application segment.
  enum SegmentSource: Int, Sendable {
    case stored
    case colorProfile
    case exif
    case xmp
  }

  /// A segment whose size includes the second byte of the marker, and the two bytes of the length.
  struct Segment: Sendable {
    var source = SegmentSource.stored
    var byteCount: Int
  }

  /// A quantisation table, whose values are those of a component.
  struct QuantizationTable: Sendable {
    let is16Bit: Bool
    let destination: Int
    /// Whether the table is the last one of its segment.
    let isLast: Bool
  }

  /// A component of the frame.
  struct Component: Sendable {
    let identifier: UInt8
    /// The index of the quantisation table in the order of the file.
    let table: Int
  }

  /// The second bytes of the markers in the order of the file; 0xFF for bytes between segments.
  private(set) var markers: [UInt8] = []
  private(set) var applications: [Segment] = []
  private(set) var comments: [Segment] = []
  private(set) var quantizationTables: [QuantizationTable] = []
  private(set) var components: [Component] = []
  private(set) var huffmanTables: [JPEGHuffmanTable] = []
  private(set) var scans: [JPEGScan] = []
  private(set) var restartInterval = 0
  /// The numbers of bytes between segments.
  private(set) var gapByteCounts: [Int] = []
  /// The number of bytes that follow the image.
  private(set) var tailByteCount = 0
  /// The bits that fill bytes at the end of scans and before restart markers; `nil` if all of them are set.
  private(set) var padding: JPEGPadding?

  private static let maximumMarkerCount = 16384

  /// Reads all fields, which end at any bit.
  init(parsing bits: inout BitReader, budget: inout ResourceBudget) throws(CodecError) {
    // Whether there is one component, which the components state too.
    _ = try bits.readFlag()
    try readMarkers(&bits, &budget)
    for index in applications.indices {
      let source = try bits.readInt(.value(0), .value(1), .bits(1, offset: 2), .bits(2, offset: 4))
      applications[index] = try Self.readSegment(&bits, SegmentSource(rawValue: source))
    }
    for index in comments.indices { comments[index] = try Self.readSegment(&bits, .stored) }
    for _ in 0...(try bits.readInt(2)) { quantizationTables.append(try QuantizationTable(parsing: &bits)) }
    try readComponents(&bits)
    for _ in 0..<(try bits.readInt(.value(4), .bits(3, offset: 2), .bits(4, offset: 10), .bits(6, offset: 26))) {
      try budget.allocate(512)
      try budget.chargeWork(10_000, byteOffset: bits.byteOffset)
      huffmanTables.append(try JPEGHuffmanTable(parsing: &bits))
    }
    let scanCount = markers.count { $0 == JPEGMarker.scan }
    guard scanCount <= budget.limits.maximumScanCount else {
      throw CodecError(
        .limitExceeded, "the JPEG file has more than \(budget.limits.maximumScanCount) scans", format: JXLDecoder.type,
        byteOffset: bits.byteOffset, limit: .count)
    }
    try budget.allocate(count: scanCount, bytesEach: 200)
    for _ in 0..<scanCount { scans.append(try JPEGScan(parsing: &bits, componentCount: components.count)) }
    if markers.contains(JPEGMarker.restartInterval) { restartInterval = try bits.readInt(16) }
    for index in scans.indices { try scans[index].readChoices(&bits, budget: &budget) }
    for marker in markers where marker == JPEGMarker.gap { gapByteCounts.append(try bits.readInt(16)) }
    tailByteCount = try bits.readInt(
      .value(0), .bits(8, offset: 1), .bits(16, offset: 257), .bits(22, offset: 65793))
    if try bits.readFlag() { padding = try JPEGPadding(parsing: &bits, budget: &budget) }
  }

  private mutating func readMarkers(_ bits: inout BitReader, _ budget: inout ResourceBudget) throws(CodecError) {
    repeat {
      guard markers.count < Self.maximumMarkerCount else {
        throw bits.error(.malformed, "the JPEG file has more than \(Self.maximumMarkerCount) markers")
      }
      let marker = UInt8(truncatingIfNeeded: 0xC0 + (try bits.readInt(6)))
      switch marker {
      case JPEGMarker.application: applications.append(Segment(byteCount: 0))
      case JPEGMarker.comment: comments.append(Segment(byteCount: 0))
      case JPEGMarker.arithmeticFrames:
        throw bits.error(.unsupported, "the reconstruction of JPEG files with arithmetic coding is not supported")
      case JPEGMarker.frames, JPEGMarker.huffmanTables, JPEGMarker.restarts, JPEGMarker.end, JPEGMarker.scan,
        JPEGMarker.quantizationTables, JPEGMarker.restartInterval, JPEGMarker.gap:
        break
      default: throw bits.error(.malformed, "the marker FF\(String(marker, radix: 16, uppercase: true)) is unknown")
      }
      try budget.allocate(32)
      try budget.chargeWork(100, byteOffset: bits.byteOffset)
      markers.append(marker)
    } while markers.last != JPEGMarker.end
  }

  private static func readSegment(_ bits: inout BitReader, _ source: SegmentSource?) throws(CodecError) -> Segment {
    let byteCount = 1 + (try bits.readInt(16))
    guard let source, byteCount >= 3 else { throw bits.error(.malformed, "a segment of the JPEG file is invalid") }
    return Segment(source: source, byteCount: byteCount)
  }

  private mutating func readComponents(_ bits: inout BitReader) throws(CodecError) {
    let identifiers: [UInt8]
    switch try bits.readInt(2) {
    case 0: identifiers = [1]
    case 1: identifiers = [1, 2, 3]
    case 2: identifiers = Array("RGB".utf8)
    default:
      let count = 1 + (try bits.readInt(2))
      guard count == 1 || count == 3 else { throw bits.error(.malformed, "the JPEG file has \(count) components") }
      var custom: [UInt8] = []
      for _ in 0..<count { custom.append(UInt8(truncatingIfNeeded: try bits.readInt(8))) }
      identifiers = custom
    }
    for identifier in identifiers {
      let table = try bits.readInt(2)
      guard table < quantizationTables.count else {
        throw bits.error(.malformed, "the quantisation table of a component does not exist")
      }
      components.append(Component(identifier: identifier, table: table))
    }
    guard components.contains(where: { $0.table == 0 }) else {
      throw bits.error(.malformed, "no component uses the first quantisation table")
    }
  }
}

extension JPEGStructure.QuantizationTable {
  init(parsing bits: inout BitReader) throws(CodecError) {
    is16Bit = try bits.readFlag()
    destination = try bits.readInt(2)
    isLast = try bits.readFlag()
  }
}

/// The second bytes of markers (ITU-T T.81, B.1.1.3).
enum JPEGMarker {
  static let frames: ClosedRange<UInt8> = 0xC0...0xC2
  static let progressiveFrame: UInt8 = 0xC2
  static let huffmanTables: UInt8 = 0xC4
  static let arithmeticFrames: ClosedRange<UInt8> = 0xC9...0xCA
  static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
  static let start: UInt8 = 0xD8
  static let end: UInt8 = 0xD9
  static let scan: UInt8 = 0xDA
  static let quantizationTables: UInt8 = 0xDB
  static let restartInterval: UInt8 = 0xDD
  static let application: ClosedRange<UInt8> = 0xE0...0xEF
  static let comment: UInt8 = 0xFE
  /// No marker: bytes that are between segments.
  static let gap: UInt8 = 0xFF
}
