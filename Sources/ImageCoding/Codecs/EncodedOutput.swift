// Where an encoder puts its file: into an array, or to a destination that takes the parts as they are made.

package import ImageCore

/// Receives a file while it is made.
package protocol EncodedOutputDestination: AnyObject {
  /// Takes the next part of the file.
  func append(_ part: [UInt8]) throws(CodecError)

  /// Replaces bytes of parts that have been appended.
  func replace(at offset: Int, with bytes: [UInt8]) throws(CodecError)
}

/// The output of an encoder that writes its file from the first byte to the last. Afterwards it may replace fields that
/// depend on what follows them, such as the size of the file.
package struct EncodedOutput {
  /// The bytes that have not been passed to the destination; all of them if there is none.
  private var bytes: [UInt8] = []
  private let destination: (any EncodedOutputDestination)?
  /// The number of bytes of the file so far.
  package private(set) var byteCount = 0
  /// The number of bytes that have been charged: all of the file if it is kept.
  package private(set) var chargedByteCount = 0

  /// The size of the parts that the destination receives, except for the last one and for larger ones that are appended
  /// as a whole.
  package static let partByteCount = 256 << 10

  /// Creates an output.
  ///
  /// - Parameter destination: receives the parts in order; `nil` keeps the whole file in memory.
  package init(to destination: (any EncodedOutputDestination)? = nil) {
    self.destination = destination
  }

  /// Charges a file of known size, if it is kept, and allocates its memory, so that the array does not grow step by step.
  package mutating func reserve(_ count: Int, budget: inout ResourceBudget) throws(CodecError) {
    guard destination == nil else { return }
    try budget.allocate(count)
    chargedByteCount += count
    bytes.reserveCapacity(bytes.count + count)
  }

  /// Appends bytes, and charges them if they are kept.
  package mutating func append(_ part: [UInt8], budget: inout ResourceBudget) throws(CodecError) {
    if let destination, part.count >= Self.partByteCount {
      // Large parts are not copied.
      if !bytes.isEmpty { try passOn(to: destination) }
      try destination.append(part)
      byteCount += part.count
      return
    }
    try charge(part.count, &budget)
    bytes += part
    byteCount += part.count
    if let destination, bytes.count >= Self.partByteCount { try passOn(to: destination) }
  }

  /// Appends the bytes of a span, and charges them if they are kept.
  package mutating func append(_ part: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    try charge(part.count, &budget)
    bytes.append(copying: part)
    byteCount += part.count
    if let destination, bytes.count >= Self.partByteCount { try passOn(to: destination) }
  }

  /// Charges bytes that are about to be appended, if they are kept.
  private mutating func charge(_ count: Int, _ budget: inout ResourceBudget) throws(CodecError) {
    let needed = byteCount + count
    guard destination == nil, needed > chargedByteCount else { return }
    try budget.allocate(needed - chargedByteCount)
    chargedByteCount = needed
    guard needed > bytes.capacity else { return }
    // While an array grows, its bytes are held twice.
    try budget.allocate(bytes.count)
    budget.release(bytes.count)
  }

  /// Replaces bytes that have been appended.
  package mutating func replace(at offset: Int, with replacement: [UInt8]) throws(CodecError) {
    precondition(offset >= 0 && offset <= byteCount - replacement.count, "the bytes have not been appended")
    let passedByteCount = byteCount - bytes.count
    if let destination, offset < passedByteCount {
      if offset + replacement.count > passedByteCount { try passOn(to: destination) }
      try destination.replace(at: offset, with: replacement)
      return
    }
    for (index, byte) in replacement.enumerated() { bytes[offset - passedByteCount + index] = byte }
  }

  private mutating func passOn(to destination: any EncodedOutputDestination) throws(CodecError) {
    try destination.append(bytes)
    bytes.removeAll(keepingCapacity: true)
  }

  /// Passes the remaining bytes to the destination. Returns the file if there is none, otherwise nothing.
  package consuming func finish() throws(CodecError) -> [UInt8] {
    guard let destination else { return bytes }
    if !bytes.isEmpty { try destination.append(bytes) }
    return []
  }
}

/// An encoder that can pass its file on while it is made.
package protocol StreamingImageEncoder: ImageFormatEncoder {
  /// Encodes a bitmap as ``ImageFormatEncoder/encode(_:metadata:budget:)`` does. The file is the same. On return the budget
  /// holds of it what the output holds.
  func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError)
}

extension StreamingImageEncoder {
  /// Encodes a bitmap to an array, within a budget that afterwards holds the file.
  package func encodedFile(
    _ bitmap: Bitmap, metadata: ImageMetadata?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    let heldByteCount = budget.heldByteCount
    var output = EncodedOutput()
    try encode(bitmap, metadata: metadata, to: &output, budget: &budget)
    let file = try output.finish()
    budget.settle(heldByteCount: heldByteCount + file.count)
    return file
  }
}
