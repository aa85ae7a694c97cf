// The edit list of a track: which part of its media is shown when (ISO/IEC 14496-12, 8.6.6).

internal import ImageCoding

/// The edits of a track. They are read in place.
struct EditList: Hashable, Sendable {
  /// A part of the track's time.
  struct Edit: Hashable {
    /// The duration in time units of the movie; 0 up to the end of the media.
    let duration: Int
    /// The time of the media that is shown first, in time units of the track; `nil` if nothing is shown.
    let mediaTime: Int?
  }

  private var position = 0
  private var isWide = false
  /// The number of edits.
  private(set) var count = 0
  /// Whether the edits repeat indefinitely.
  private(set) var repeats = false
  /// The time of the media at which the first edit that is not empty starts; 0 if there is none.
  private(set) var start = 0

  /// The work units for reading an edit.
  static let workPerEdit = 20

  private var editByteCount: Int { isWide ? 20 : 12 }

  /// Creates a list without edits: the media is shown from its start.
  init() {}

  /// Reads the payload of an edit list box; a damaged one has no edits. The time is linear in its length.
  init(_ bytes: Span<UInt8>, in payload: Range<Int>) {
    var reader = ByteReader(bytes.extracting(payload), baseOffset: payload.lowerBound)
    guard let flags = try? reader.readUInt32BigEndian() else { return }
    // Flag 1: repeat indefinitely (ISO/IEC 23008-12, 7.2.6).
    repeats = flags & 1 == 1
    isWide = flags >> 24 == 1
    guard let stated = try? reader.readUInt32BigEndian() else { return }
    position = reader.byteOffset
    count = min(Int(clamping: stated), reader.remaining / editByteCount)
    for index in 0..<count {
      guard let time = edit(at: index, bytes).mediaTime else { continue }
      start = time
      return
    }
  }

  /// Returns an edit.
  func edit(at index: Int, _ bytes: Span<UInt8>) -> Edit {
    let start = position + index * editByteCount
    func word(_ offset: Int) -> UInt32 { FourCharacterCode(bytes, at: start + offset)?.rawValue ?? 0 }
    let (duration, time): (UInt64, Int64)
    if isWide {
      duration = UInt64(word(0)) << 32 | UInt64(word(4))
      time = Int64(bitPattern: UInt64(word(8)) << 32 | UInt64(word(12)))
    } else {
      duration = UInt64(word(0))
      time = Int64(Int32(bitPattern: word(4)))
    }
    return Edit(duration: Int(clamping: duration), mediaTime: time < 0 ? nil : Int(clamping: time))
  }
}
