// SOS: the components of a scan, their tables, and the coefficients it contains. ITU-T T.81, section B.2.3; section
// G.1.1.1 for the permitted combinations.

internal import ImageCoding

/// The parsed header of a scan.
struct ScanHeader {
  /// A component of a scan.
  struct Component: Hashable {
    /// The index of the component in the frame.
    var index: Int
    /// The destination of the DC table (Tdj). Values other than 0…3 become errors when the table is used.
    var dcTable: Int
    /// The destination of the AC table (Taj), with the same range as for DC.
    var acTable: Int
  }

  /// The components, in scan order.
  var components: [Component]
  /// The first coefficient in zigzag order (Ss).
  var spectralSelectionStart: Int
  /// The last coefficient in zigzag order (Se).
  var spectralSelectionEnd: Int
  /// The bit position of the previous scan of the same coefficients (Ah); 0 in a first scan.
  var approximationHigh: Int
  /// The bit position of this scan (Al).
  var approximationLow: Int

  /// Whether the scan refines coefficients from an earlier scan.
  var isRefinement: Bool { approximationHigh != 0 }
  /// Whether the scan contains DC coefficients.
  var codesDC: Bool { spectralSelectionStart == 0 }
  /// Whether the scan may be the one whose lost units are those of the picture: it has the DC coefficients of the first
  /// component.
  var locatesLostUnits: Bool { codesDC && components.contains { $0.index == 0 } }

  /// Parses an SOS segment.
  ///
  /// If a component identifier occurs twice in the frame, it selects the components in order of appearance, as in
  /// libjpeg.
  /// - Throws: `CodecError.Kind.malformed` if the scan does not match the frame.
  init(parsing reader: inout ByteReader, frame: FrameHeader) throws(CodecError) {
    let count = Int(try reader.readUInt8())
    guard (1...4).contains(count), count <= frame.components.count else {
      throw reader.error(.malformed, "the scan has \(count) components")
    }
    components = []
    for _ in 0..<count {
      let identifier = try reader.readUInt8()
      let tables = Int(try reader.readUInt8())
      let taken = components.map { $0.index }
      let index = frame.components.indices.first {
        frame.components[$0].identifier == identifier && !taken.contains($0)
      }
      guard let index else { throw reader.error(.malformed, "the scan refers to a component that is not in the frame") }
      components.append(Component(index: index, dcTable: tables >> 4, acTable: tables & 15))
    }
    spectralSelectionStart = Int(try reader.readUInt8())
    spectralSelectionEnd = Int(try reader.readUInt8())
    let approximation = Int(try reader.readUInt8())
    approximationHigh = approximation >> 4
    approximationLow = approximation & 15
    if frame.process == .sequential {
      // Decoders ignore these fields in sequential scans; some encoders write zeros.
      (spectralSelectionStart, spectralSelectionEnd, approximationHigh, approximationLow) = (0, 63, 0, 0)
    } else if !hasValidProgression {
      throw reader.error(.malformed, "the scan's spectral selection or successive approximation is not permitted")
    }
    let blocks = components.reduce(0) {
      $0 + frame.components[$1.index].horizontalFactor * frame.components[$1.index].verticalFactor
    }
    guard count == 1 || blocks <= 10 else { throw reader.error(.malformed, "an MCU has more than ten blocks") }
  }

  private var hasValidProgression: Bool {
    let selectionIsValid =
      spectralSelectionStart == 0
      ? spectralSelectionEnd == 0
      : spectralSelectionStart <= spectralSelectionEnd && spectralSelectionEnd < 64 && components.count == 1
    let approximationIsValid =
      approximationHigh == 0 ? approximationLow <= 13 : approximationLow == approximationHigh - 1
    return selectionIsValid && approximationIsValid && approximationHigh <= 13
  }
}
