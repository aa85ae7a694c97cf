// Where an encoder puts its file: into an array, or to a destination that takes the parts as they are made.

/// The output of an encoder that writes its file from the first byte to the last.
package struct EncodedOutput {
  /// Takes a part of the file.
  package typealias Destination = (_ part: [UInt8]) throws(CodecError) -> Void

  /// The bytes that have not been passed to the destination; all of them if there is none.
  private var bytes: [UInt8] = []
  private let destination: Destination?
  /// The number of bytes of the file so far.
  package private(set) var byteCount = 0

  /// The size of the parts that the destination receives, except for the last one.
  private static let partByteCount = 256 << 10

  /// Creates an output.
  ///
  /// - Parameter destination: receives the parts in order; `nil` keeps the whole file in memory.
  package init(to destination: Destination? = nil) {
    self.destination = destination
  }

  /// The number of bytes that have been charged.
  private var chargedByteCount = 0

  /// Charges a file of known size, if it is kept, and allocates its memory, so that the array does not grow step by step.
  package mutating func reserve(_ count: Int, budget: inout ResourceBudget) throws(CodecError) {
    guard destination == nil else { return }
    try budget.allocate(count)
    chargedByteCount += count
    bytes.reserveCapacity(bytes.count + count)
  }

  /// Appends bytes, and charges them if they are kept.
  package mutating func append(_ part: [UInt8], budget: inout ResourceBudget) throws(CodecError) {
    byteCount += part.count
    if let destination {
      bytes += part
      guard bytes.count >= Self.partByteCount else { return }
      try destination(bytes)
      bytes.removeAll(keepingCapacity: true)
      return
    }
    if byteCount > chargedByteCount {
      try budget.allocate(byteCount - chargedByteCount)
      chargedByteCount = byteCount
    }
    bytes += part
  }

  /// Passes the remaining bytes to the destination. Returns the file if there is none, otherwise nothing.
  package consuming func finish() throws(CodecError) -> [UInt8] {
    guard let destination else { return bytes }
    if !bytes.isEmpty { try destination(bytes) }
    return []
  }
}

/// An encoder that can pass its file on while it is made.
package protocol StreamingImageEncoder: ImageFormatEncoder {
  /// Encodes a bitmap as ``ImageFormatEncoder/encode(_:metadata:budget:)`` does.
  func encode(
    _ bitmap: Bitmap, metadata: ImageMetadata?, to output: inout EncodedOutput, budget: inout ResourceBudget
  ) throws(CodecError)
}

extension StreamingImageEncoder {
  /// Encodes a bitmap to an array, within a budget that afterwards holds the file.
  package func encodedFile(
    _ bitmap: Bitmap, metadata: ImageMetadata?, budget: inout ResourceBudget
  ) throws(CodecError) -> [UInt8] {
    var output = EncodedOutput()
    try encode(bitmap, metadata: metadata, to: &output, budget: &budget)
    return try output.finish()
  }
}
