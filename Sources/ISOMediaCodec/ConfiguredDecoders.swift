// The decoders of the configuration records of a file. Tiles, auxiliary images and frames share few records, each of
// which may have megabytes.

internal import ImageCoding
internal import PixelPlanes
internal import Threading

/// Reads each configuration record once, however many pictures refer to it.
final class ConfiguredDecoders: Sendable {
  /// A record: its position in the file, and the coding of the pictures that refer to it.
  private struct Record: Hashable {
    let coding: String
    let range: Range<Int>
  }

  private struct Entry: Sendable {
    let decoder: AnyConfiguredPictureDecoder
    /// The memory charged for it.
    let heldByteCount: Int
  }

  /// The number of records that are kept. A file has one for colour and one for alpha, and further ones for a gain map
  /// and a thumbnail.
  private static let maximumCount = 8

  private let decoders: [AnyCodedPictureDecoder]
  private let entries = Mutex<[Record: Entry]>([:])

  init(_ decoders: [AnyCodedPictureDecoder]) {
    self.decoders = decoders
  }

  /// Returns whether there is a decoder of a coding.
  func canDecode(_ coding: String) -> Bool { decoder(of: coding) != nil }

  private func decoder(of coding: String) -> AnyCodedPictureDecoder? {
    decoders.first { $0.sampleEntryTypes.contains(coding) }
  }

  /// Returns the decoder of the pictures of a coding that share a record; `nil` if the coding is not supported. Its
  /// memory remains charged.
  ///
  /// The charge depends on earlier calls. Parallel stages call this before they start.
  ///
  /// - Parameter range: the position of the record in `bytes`; empty if there is none.
  func decoder(
    of coding: String, configuredBy range: Range<Int>, in bytes: Span<UInt8>, _ budget: inout ResourceBudget
  ) throws(CodecError) -> AnyConfiguredPictureDecoder? {
    guard let decoder = decoder(of: coding) else { return nil }
    let record = Record(coding: coding, range: range)
    if let entry = entries.withLock({ $0[record] }) { return entry.decoder }
    let heldBefore = budget.heldByteCount
    let configured = try decoder.configured(by: bytes.extracting(range), budget: &budget)
    let entry = Entry(decoder: configured, heldByteCount: budget.heldByteCount - heldBefore)
    let released = entries.withLock { entries in
      var released = 0
      if entries.count >= Self.maximumCount {
        released = entries.values.reduce(0) { $0 + $1.heldByteCount }
        entries = [:]
      }
      entries[record] = entry
      return released
    }
    budget.release(released)
    return configured
  }
}
