// SOS: which components a scan codes, with which tables, and which part of their coefficients. ITU-T T.81, section
// B.2.3 and, for what is allowed, G.1.1.1.

internal import ImageCore

/// The parsed header of a scan.
struct ScanHeader {
  /// A component of a scan.
  struct Component: Hashable {
    /// Its index in the frame.
    var index: Int
    /// Where its DC table is stored (Tdj); 0…3 are places, others are errors once the table is used.
    var dcTable: Int
    /// Where its AC table is stored (Taj), as for DC.
    var acTable: Int
  }

  /// The components in the order of the scan.
  var components: [Component]
  /// The first coefficient in zigzag order (Ss).
  var spectralSelectionStart: Int
  /// The last coefficient in zigzag order (Se).
  var spectralSelectionEnd: Int
  /// The bit position of the scan before this one for the same coefficients (Ah); 0 in a first scan.
  var approximationHigh: Int
  /// The bit position of this scan (Al).
  var approximationLow: Int

  /// Whether the scan refines coefficients that an earlier one began.
  var isRefinement: Bool { approximationHigh != 0 }
  /// Whether the scan codes DC coefficients.
  var codesDC: Bool { spectralSelectionStart == 0 }

  /// Parses the segment of an SOS marker.
  ///
  /// A component identifier that occurs twice in the frame stands for the components in their order, as libjpeg
  /// reads it.
  /// - Throws: ``DecodeError/Kind/malformed`` when the scan does not fit the frame.
  init(parsing reader: inout ByteReader, frame: FrameHeader) throws(DecodeError) {
    let count = Int(try reader.readUInt8())
    guard (1...4).contains(count), count <= frame.components.count else {
      throw reader.error(.malformed, "a scan of \(count) components")
    }
    components = []
    for _ in 0..<count {
      let identifier = try reader.readUInt8()
      let tables = Int(try reader.readUInt8())
      let taken = components.map(\.index)
      let index = frame.components.indices.first {
        frame.components[$0].identifier == identifier && !taken.contains($0)
      }
      guard let index else { throw reader.error(.malformed, "a scan names a component that the frame has not") }
      components.append(Component(index: index, dcTable: tables >> 4, acTable: tables & 15))
    }
    spectralSelectionStart = Int(try reader.readUInt8())
    spectralSelectionEnd = Int(try reader.readUInt8())
    let approximation = Int(try reader.readUInt8())
    approximationHigh = approximation >> 4
    approximationLow = approximation & 15
    if frame.process == .sequential {
      // Decoders ignore what a sequential scan says here; some encoders write zeros.
      (spectralSelectionStart, spectralSelectionEnd, approximationHigh, approximationLow) = (0, 63, 0, 0)
    } else if !hasValidProgression {
      throw reader.error(.malformed, "the scan's spectral selection or successive approximation is not allowed")
    }
    let blocks = components.reduce(0) {
      $0 + frame.components[$1.index].horizontalFactor * frame.components[$1.index].verticalFactor
    }
    guard count == 1 || blocks <= 10 else { throw reader.error(.malformed, "an MCU of more than ten blocks") }
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
