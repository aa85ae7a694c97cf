// Restart intervals: finds the next RSTn marker, and recovers if it is not the expected one. ITU-T T.81, sections
// B.2.4.4 and E.2.4. The recovery strategy is libjpeg's.

internal import ImageCoding

/// Counts restart intervals and finds the markers between them.
struct RestartSynchronizer {
  /// The result of looking for a restart marker.
  enum Outcome {
    /// The expected marker; decoding continues after it.
    case found
    /// Another marker: the interval expected next is missing.
    case missing
    /// The end of the input received so far.
    case needsInput
  }

  /// The number of MCUs between two markers (Ri); 0 if there are none.
  let interval: Int
  /// The number of MCUs until the next marker.
  var remaining: Int
  /// The number of the next marker, 0…7.
  var expected: UInt8 = 0
  /// Whether anything but the expected marker was found.
  var foundDamage = false

  init(interval: Int) {
    self.interval = interval
    remaining = interval
  }

  /// Whether a marker must be read before the next MCU.
  var isDue: Bool { interval > 0 && remaining == 0 }

  /// Reads the marker that is due and starts a new interval, unless more input is needed.
  mutating func synchronize(_ reader: inout EntropyReader, _ bytes: Span<UInt8>, isFinal: Bool) -> Outcome {
    // Not the end of the window: how far it is filled depends on how the input was divided.
    var position = reader.unreadPosition(bytes)
    while true {
      while position < bytes.count, bytes[position] != 0xFF {
        foundDamage = true
        position += 1
      }
      while position + 1 < bytes.count, bytes[position + 1] == 0xFF { position += 1 }
      guard position + 1 < bytes.count else {
        if !isFinal {
          // The search continues here, so that bytes that arrive in pieces are searched once.
          reader.discardBits()
          reader.position = position
          return .needsInput
        }
        position = bytes.count
        return startInterval(&reader, at: position, isMissing: true)
      }
      let code = bytes[position + 1]
      if code == 0 {
        foundDamage = true
        position += 2
        continue
      }
      switch action(for: Marker(rawValue: code)) {
      case .resume: return startInterval(&reader, at: position + 2, isMissing: false)
      case .skip: position += 2
      case .leave: return startInterval(&reader, at: position, isMissing: true)
      }
      foundDamage = true
    }
  }

  private mutating func startInterval(
    _ reader: inout EntropyReader, at position: Int, isMissing: Bool
  ) -> Outcome {
    reader.discardBits()
    reader.position = position
    remaining = interval
    expected = (expected + 1) & 7
    if isMissing { foundDamage = true }
    return isMissing ? .missing : .found
  }

  private enum Action {
    case resume, skip, leave
  }

  /// A marker up to two ahead is left for its own interval, one up to two behind is skipped, and any other restart
  /// marker is taken for the expected one.
  private func action(for marker: Marker) -> Action {
    if marker.rawValue < 0xC0 { return .skip }
    if !marker.isRestart { return .leave }
    let ahead = (marker.rawValue &- 0xD0 &- expected) & 7
    switch ahead {
    case 1, 2: return .leave
    case 6, 7: return .skip
    default: return .resume
    }
  }
}
