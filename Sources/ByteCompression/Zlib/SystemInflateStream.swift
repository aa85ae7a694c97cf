// Streaming DEFLATE decompression with the system's zlib, from incremental input into the caller's buffer.

#if SystemZlib

  internal import CZlib

  /// A DEFLATE stream being decompressed.
  @safe package final class SystemInflateStream {
    package typealias Container = InflateContainer
    package typealias Status = InflateProgress.Status
    package typealias Progress = InflateProgress

    // zlib's state points back to the stream, so the stream must not move. It is allocated on the heap.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    private let container: Container
    /// The checksum of the output so far, for zlib streams; twice as fast as zlib's own.
    private var checksum = Adler32()
    /// The last four bytes of input, which hold the checksum at the end of a zlib stream.
    private var trailer: UInt32 = 0

    /// Opens a stream. zlib allocates its 32 KiB window.
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

    /// Opens a stream in the state of another, which it does not share. zlib allocates another window.
    package init(copying other: SystemInflateStream) {
      container = other.container
      (checksum, trailer) = (other.checksum, other.trailer)
      // SAFETY: as above. inflateCopy initialises the stream from one that was initialised, if that is ready; its other
      // pointers were cleared after the last call.
      unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      unsafe stream.initialize(to: z_stream())
      isReady = other.isReady && (unsafe inflateCopy(stream, other.stream)) == Z_OK
    }

    deinit {
      // SAFETY: inflateEnd frees what inflateInit2_ or inflateCopy allocated; nothing else holds the pointer.
      if isReady { unsafe _ = inflateEnd(stream) }
      unsafe stream.deinitialize(count: 1)
      unsafe stream.deallocate()
    }

    /// Decompresses until the input is consumed, the output is full, or the stream ends or is found to be damaged.
    package func inflate(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Progress {
      guard isReady else {
        return Progress(consumedCount: 0, producedCount: 0, status: .damaged(reason: "zlib cannot allocate its window"))
      }
      // At most 1 GiB of input and output per call, because zlib counts in 32 bits.
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
        if status == .finished, trailer != checksum.value { status = .checksumMismatch }
      }
      return Progress(consumedCount: consumed, producedCount: produced, status: status)
    }

    private func status(of code: Int32) -> Status {
      switch code {
      case Z_OK, Z_BUF_ERROR: return .needsMore
      case Z_STREAM_END: return .finished
      case Z_NEED_DICT: return .needsDictionary
      case Z_MEM_ERROR: return .damaged(reason: "zlib is out of memory")
      default:
        // SAFETY: zlib's messages are static C strings.
        guard let message = unsafe stream.pointee.msg else { return .damaged(reason: "the compressed data is damaged") }
        return .damaged(reason: unsafe String(cString: message))
      }
    }
  }

#endif
