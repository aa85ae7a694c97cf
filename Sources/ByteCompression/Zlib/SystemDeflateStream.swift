// DEFLATE compression with the system's zlib.

#if SystemZlib

  internal import CZlib

  /// A DEFLATE stream being compressed.
  @safe package final class SystemDeflateStream {
    package typealias Strategy = DeflateStrategy

    // The stream must not move; see SystemInflateStream.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    private var output: [UInt8] = []
    /// The number of compressed bytes not taken yet.
    package var outputByteCount: Int { output.count }

    /// Opens a stream at the given compression level.
    ///
    /// - Parameters:
    ///   - level: 0 (stored) … 9 (smallest).
    ///   - isRaw: whether to leave out the zlib header and checksum.
    package init(level: Int, strategy: Strategy = .standard, isRaw: Bool = false) {
      let zlibStrategy: Int32 =
        switch strategy {
        case .standard: Z_DEFAULT_STRATEGY
        case .filtered: Z_FILTERED
        case .runLength: Z_RLE
        case .huffmanOnly: Z_HUFFMAN_ONLY
        }
      // SAFETY: the memory is initialised before its first use and released by deinit alone.
      unsafe stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      unsafe stream.initialize(to: z_stream())
      let status = unsafe deflateInit2_(
        stream, Int32(min(max(level, 0), 9)), Z_DEFLATED, isRaw ? -15 : 15, 8, zlibStrategy, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size))
      isReady = status == Z_OK
    }

    deinit {
      // SAFETY: deflateEnd frees what deflateInit2_ allocated; nothing else holds the pointer.
      if isReady { unsafe _ = deflateEnd(stream) }
      unsafe stream.deinitialize(count: 1)
      unsafe stream.deallocate()
    }

    /// Compresses bytes. Returns `false` if zlib fails to allocate memory.
    package func append(_ bytes: Span<UInt8>) -> Bool {
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + 1 << 30)
        guard run(bytes.extracting(start..<end), flush: Z_NO_FLUSH) else { return false }
        start = end
      }
      return isReady
    }

    /// Sets the bytes that matches may refer to before the first byte, at most 32 KiB. Only for raw streams, before any
    /// byte is appended. Returns `false` if zlib rejects them.
    package func setDictionary(_ bytes: Span<UInt8>) -> Bool {
      guard isReady, bytes.count <= 32 << 10 else { return false }
      // SAFETY: zlib copies the bytes during the call.
      return unsafe bytes.withUnsafeBufferPointer {
        unsafe deflateSetDictionary(stream, $0.baseAddress, UInt32($0.count)) == Z_OK
      }
    }

    /// Ends the current block on a byte boundary, so that another stream can follow. Returns everything compressed since
    /// the last ``takeOutput()``, or `nil` if zlib failed.
    package func flush() -> [UInt8]? {
      let nothing: [UInt8] = []
      guard run(nothing.span, flush: Z_SYNC_FLUSH) else { return nil }
      return takeOutput()
    }

    /// Ends the stream. Returns everything compressed since the last ``takeOutput()``, or `nil` if zlib failed.
    package func finish() -> [UInt8]? {
      let nothing: [UInt8] = []
      guard run(nothing.span, flush: Z_FINISH) else { return nil }
      return takeOutput()
    }

    /// Returns the bytes compressed since the last call.
    package func takeOutput() -> [UInt8] {
      defer { output = [] }
      return output
    }

    private func run(_ bytes: Span<UInt8>, flush: Int32) -> Bool {
      guard isReady else { return false }
      var chunk = [UInt8](repeating: 0, count: 64 << 10)
      var code: Int32 = Z_OK
      // SAFETY: both buffers outlive the call, zlib stays within avail_in and avail_out, and the pointers are cleared
      // before they end.
      unsafe bytes.withUnsafeBufferPointer { source in
        unsafe stream.pointee.next_in = UnsafeMutablePointer(mutating: source.baseAddress)
        unsafe stream.pointee.avail_in = UInt32(source.count)
        repeat {
          unsafe chunk.withUnsafeMutableBufferPointer { target in
            unsafe stream.pointee.next_out = target.baseAddress
            unsafe stream.pointee.avail_out = UInt32(target.count)
            code = unsafe deflate(stream, flush)
            unsafe stream.pointee.next_out = nil
          }
          let produced = unsafe chunk.count - Int(stream.pointee.avail_out)
          output.append(contentsOf: chunk[..<produced])
        } while unsafe stream.pointee.avail_out == 0 && code == Z_OK
        unsafe stream.pointee.next_in = nil
      }
      return code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR
    }
  }

#endif
