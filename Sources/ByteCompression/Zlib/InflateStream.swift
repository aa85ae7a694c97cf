// DEFLATE decompression by the system's zlib, in streaming form: bytes in as they come, bytes out where the caller
// wants them.

internal import CZlib

/// A DEFLATE stream being decompressed.
@safe package final class InflateStream {
  /// What wraps the DEFLATE data.
  package enum Container: Sendable {
    /// RFC 1950: two header bytes and an Adler-32.
    case zlib
    /// RFC 1951 alone.
    case raw
    /// RFC 1952.
    case gzip
  }

  /// Where a call to ``inflate(_:into:)`` left the stream.
  package enum Status: Hashable, Sendable {
    /// All input was consumed or all of the output is full.
    case needsMore
    /// The stream's end was reached and its checksum is right.
    case finished
    /// The data breaks the format; the output holds what came before.
    case damaged(reason: String)
  }

  /// What a call to ``inflate(_:into:)`` did.
  package struct Progress: Sendable {
    /// Input bytes that are used up.
    package var consumedCount: Int
    /// Output bytes that were written.
    package var producedCount: Int
    /// Where the stream is now.
    package var status: Status
  }

  // zlib keeps a pointer to the stream inside of its state, so the stream must not move: it lives on the heap.
  private let stream: UnsafeMutablePointer<z_stream>
  private let isReady: Bool
  private let container: Container
  /// The checksum of the output so far, for zlib streams; zlib's own would take twice as long.
  private var checksum = Adler32()
  /// The last four bytes of input: the checksum, at a zlib stream's end.
  private var trailer: UInt32 = 0

  /// Opens a stream; zlib allocates its window of 32 KiB.
  package init(_ container: Container) {
    self.container = container
    let windowBits: Int32 =
      switch container {
      case .zlib: 15
      case .raw: -15
      case .gzip: 31
      }
    // SAFETY: the memory is initialised before its first use and released by deinit alone.
    unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let status = unsafe inflateInit2_(stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    isReady = status == Z_OK
    if isReady, container == .zlib { unsafe _ = inflateValidate(stream, 0) }
  }

  deinit {
    // SAFETY: inflateEnd frees what inflateInit2_ allocated; nobody else holds the pointer.
    if isReady { unsafe _ = inflateEnd(stream) }
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  /// Decompresses until the input is used up, the output is full, the stream ends or is found damaged.
  package func inflate(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Progress {
    guard isReady else {
      return Progress(consumedCount: 0, producedCount: 0, status: .damaged(reason: "zlib cannot allocate its window"))
    }
    // One call takes at most 1 GiB of each side: zlib counts in 32 bits.
    let inputCount = min(input.count, 1 << 30)
    let outputCount = min(output.count, 1 << 30)
    var code: Int32 = Z_OK
    // SAFETY: both buffers outlive the call, zlib stays within avail_in and avail_out, and the pointers are cleared
    // before they end.
    unsafe input.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(inputCount)
        unsafe stream.pointee.next_out = target.baseAddress
        unsafe stream.pointee.avail_out = UInt32(outputCount)
        code = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
        unsafe stream.pointee.next_in = nil
        unsafe stream.pointee.next_out = nil
      }
    }
    let consumed = unsafe inputCount - Int(stream.pointee.avail_in)
    let produced = unsafe outputCount - Int(stream.pointee.avail_out)
    var status = status(of: code)
    if container == .zlib {
      checksum.update(output.span.extracting(0..<produced))
      for index in max(0, consumed - 4)..<consumed { trailer = trailer << 8 | UInt32(input[index]) }
      if status == .finished, trailer != checksum.value { status = .damaged(reason: "incorrect data check") }
    }
    return Progress(consumedCount: consumed, producedCount: produced, status: status)
  }

  private func status(of code: Int32) -> Status {
    switch code {
    case Z_OK, Z_BUF_ERROR: return .needsMore
    case Z_STREAM_END: return .finished
    case Z_NEED_DICT: return .damaged(reason: "the compressed data wants a preset dictionary")
    case Z_MEM_ERROR: return .damaged(reason: "zlib is out of memory")
    default:
      // SAFETY: zlib's messages are static C strings.
      guard let message = unsafe stream.pointee.msg else { return .damaged(reason: "the compressed data is damaged") }
      return .damaged(reason: unsafe String(cString: message))
    }
  }
}
