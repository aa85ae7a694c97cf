// The recognition of raw files that are TIFF files, from a prefix.

internal import ImageCoding
internal import MetadataFormats

extension TIFFRawContainer {
  /// The work of a probe is that of reading one directory.
  private static let probeLimits = DecodingLimits(maximumWork: 10_000_000)
  /// The most bytes that a probe requests: those of the first directory and of the values of its texts.
  private static let maximumProbeByteCount = 131_072

  /// Examines the first directory. Values that it refers to may be after the prefix, in which case they count as absent
  /// once the directory itself is complete.
  static func probe(_ prefix: Span<UInt8>) -> ProbeResult {
    if let format = signature(prefix) { return .yes(format.type) }
    guard let header = header(prefix), header.firstDirectoryOffset <= maximumFirstOffset else { return .no }
    var budget = ResourceBudget(probeLimits)
    do throws(CodecError) {
      let directory = try TIFFDirectory(
        prefix, at: header.firstDirectoryOffset, header: header, budget: &budget)
      if let format = format(directory, header, prefix) { return .yes(format.type) }
      let make = directory[RawTag.make.rawValue]
      guard let make, !make.isContained(in: prefix), make.values.upperBound <= maximumProbeByteCount else { return .no }
      return .needs(byteCount: make.values.upperBound)
    } catch {
      guard let needed = error.neededByteCount, needed <= maximumProbeByteCount, needed > prefix.count else {
        return .no
      }
      return .needs(byteCount: needed)
    }
  }
}
