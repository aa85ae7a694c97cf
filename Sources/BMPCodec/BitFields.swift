// Samples selected by bit masks from pixels of 16, 24 or 32 bits.

internal import ImageCoding

/// The masks of an image, with what is needed to scale each sample to the full range.
struct BitFields: Sendable {
  /// One sample of a pixel.
  struct Field: Hashable, Sendable {
    let mask: UInt32
    let shift: UInt32
    /// The largest value of the field; 0 if the mask is empty.
    let maximum: UInt32

    init(mask: UInt32) {
      self.mask = mask
      shift = mask == 0 ? 0 : UInt32(mask.trailingZeroBitCount)
      maximum = mask >> shift
    }

    /// Whether the bits are contiguous.
    var isContiguous: Bool { maximum & (maximum &+ 1) == 0 }

    @inline(__always)
    func value(in pixel: UInt32) -> UInt32 { (pixel & mask) &>> shift }
  }

  /// Red, green, blue and, if present, alpha.
  let fields: [Field]
  /// For each field 256 scaled samples of 8 bits. Unused if a field has more than 8 bits.
  private let tables: [UInt8]

  init(masks: [UInt32]) {
    var fields = masks.prefix(4).map(Field.init)
    if fields.count == 4, fields[3].mask == 0 { fields.removeLast() }
    self.fields = fields
    tables = fields.flatMap { field in
      let maximum = Int64(field.maximum)
      return (0..<256).map { value in maximum == 0 ? 0 : UInt8(clamping: (value * 255 + maximum / 2) / maximum) }
    }
  }

  /// Whether samples are scaled to 16 bits, because a field has more than 8.
  var isDeep: Bool { fields.contains { $0.maximum > 255 } }
  /// Whether a mask selects alpha.
  var hasAlpha: Bool { fields.count == 4 }

  /// The description of the masks' defect; `nil` if they are contiguous and do not overlap.
  var defect: String? {
    if fields.contains(where: { !$0.isContiguous }) { return "a bit mask is not contiguous" }
    var used: UInt32 = 0
    for field in fields {
      if used & field.mask != 0 { return "bit masks overlap" }
      used |= field.mask
    }
    return used == 0 ? "all bit masks are empty" : nil
  }

  /// Expands a row to samples of 8 bits.
  ///
  /// - Parameters:
  ///   - row: `width` pixels of `pixelByteCount` bytes, little-endian.
  ///   - output: `width` pixels with a sample for each field.
  func expand(
    _ row: Span<UInt8>, pixelByteCount: Int, width: Int, into output: inout MutableSpan<UInt8>
  ) {
    let (red, green, blue) = (fields[0], fields[1], fields[2])
    let alpha = fields.count == 4 ? fields[3] : nil
    let tables = tables.span
    var position = 0
    var target = 0
    for _ in 0..<width {
      let pixel = Self.load(row, position, pixelByteCount)
      position &+= pixelByteCount
      // A masked value of at most 8 bits is below 256.
      output[target] = tables[Int(red.value(in: pixel))]
      output[target &+ 1] = tables[256 &+ Int(green.value(in: pixel))]
      output[target &+ 2] = tables[512 &+ Int(blue.value(in: pixel))]
      target &+= 3
      if let alpha {
        output[target] = tables[768 &+ Int(alpha.value(in: pixel))]
        target &+= 1
      }
    }
  }

  /// Expands a row to samples of 16 bits.
  func expandDeep(
    _ row: Span<UInt8>, pixelByteCount: Int, width: Int, into output: inout MutableSpan<UInt8>
  ) {
    let fields = fields.span
    var target = 0
    for x in 0..<width {
      let pixel = Self.load(row, x &* pixelByteCount, pixelByteCount)
      for index in fields.indices {
        let field = fields[index]
        let maximum = UInt64(max(1, field.maximum))
        let sample = (UInt64(field.value(in: pixel)) &* 65535 &+ maximum / 2) / maximum
        storeNativeUInt16(UInt16(truncatingIfNeeded: sample), into: &output, at: target)
        target &+= 2
      }
    }
  }

  @inline(__always)
  private static func load(_ row: Span<UInt8>, _ position: Int, _ byteCount: Int) -> UInt32 {
    let low = UInt32(row[position]) | UInt32(row[position &+ 1]) &<< 8
    if byteCount == 2 { return low }
    let middle = low | UInt32(row[position &+ 2]) &<< 16
    return byteCount == 3 ? middle : middle | UInt32(row[position &+ 3]) &<< 24
  }
}
