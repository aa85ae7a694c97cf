// Streaming DEFLATE decompression without the system's zlib: the same results, positions and reasons in half the time.

/// A DEFLATE stream being decompressed.
package final class SwiftInflateStream {
  package typealias Container = InflateContainer
  package typealias Status = InflateProgress.Status
  package typealias Progress = InflateProgress

  private enum Part {
    case header
    case data
    case trailer
    case ended(Status)
  }

  private let container: Container
  private var part: Part
  private var zlibHeader = ZlibHeader()
  private var gzipHeader = GzipHeader()
  private var decoder = InflateDecoder()
  /// The checksums of the output so far: of zlib and of gzip streams.
  private var adler = Adler32()
  private var crc = CRC32()
  /// The length of the output so far, modulo 2^32.
  private var outputCount: UInt32 = 0
  /// The bytes of the field of the trailer that is read, and their number.
  private var field: UInt32 = 0
  private var fieldByteCount = 0
  private var isChecksumRead = false

  /// Opens a stream. It needs up to 64 KiB.
  package init(_ container: Container) {
    self.container = container
    part = container == .raw ? .data : .header
  }

  /// Opens a stream in the state of another, which it does not share.
  package init(copying other: SwiftInflateStream) {
    container = other.container
    part = other.part
    (zlibHeader, gzipHeader) = (other.zlibHeader, other.gzipHeader)
    decoder = other.decoder
    (adler, crc, outputCount) = (other.adler, other.crc, other.outputCount)
    (field, fieldByteCount, isChecksumRead) = (other.field, other.fieldByteCount, other.isChecksumRead)
  }

  /// Decompresses until the input is consumed, the output is full, or the stream ends or is found to be damaged. The
  /// output beyond what is produced may change.
  package func inflate(_ input: Span<UInt8>, into output: inout MutableSpan<UInt8>) -> Progress {
    var progress = Progress(consumedCount: 0, producedCount: 0, status: .needsMore)
    while true {
      switch part {
      case .header:
        guard readHeader(input, from: &progress.consumedCount) else { return progress }
      case .data:
        guard readData(input, into: &output, &progress) else { return progress }
      case .trailer:
        guard readTrailer(input, from: &progress.consumedCount) else { return progress }
      case .ended(let status):
        progress.status = status
        return progress
      }
    }
  }

  /// Reads the header of the container. Returns `false` if the input ends before.
  private func readHeader(_ input: Span<UInt8>, from position: inout Int) -> Bool {
    while position < input.count {
      let byte = input[position]
      position += 1
      switch container == .gzip ? gzipHeader.append(byte) : zlibHeader.append(byte) {
      case .incomplete: continue
      case .complete: part = .data
      case .damaged(let status): part = .ended(status)
      }
      return true
    }
    return false
  }

  /// Decompresses data and includes it in the checksum. Returns `false` if more input or room is needed.
  private func readData(
    _ input: Span<UInt8>, into output: inout MutableSpan<UInt8>, _ progress: inout Progress
  ) -> Bool {
    let outcome = decoder.decode(input.extracting(droppingFirst: progress.consumedCount), into: &output)
    progress.consumedCount += decoder.state.position
    progress.producedCount = decoder.state.written
    let produced = output.span.extracting(first: progress.producedCount)
    switch container {
    case .zlib: adler.update(produced)
    case .raw: break
    case .gzip:
      crc.update(produced)
      outputCount &+= UInt32(truncatingIfNeeded: produced.count)
    }
    switch outcome {
    case .needsMore:
      decoder.keepWindow(produced)
      return false
    case .ended: part = container == .raw ? .ended(.finished) : .trailer
    case .damaged(let damage): part = .ended(.damaged(reason: damage.reason))
    }
    return true
  }

  /// Compares the checksum, and the length of a gzip stream. Returns `false` if the input ends before.
  private func readTrailer(_ input: Span<UInt8>, from position: inout Int) -> Bool {
    while fieldByteCount < 4 {
      guard position < input.count else { return false }
      field = field << 8 | UInt32(input[position])
      fieldByteCount += 1
      position += 1
    }
    if container == .zlib {
      part = .ended(field == adler.value ? .finished : .checksumMismatch)
    } else if isChecksumRead {
      part = .ended(field.byteSwapped == outputCount ? .finished : .damaged(reason: "incorrect length check"))
    } else if field.byteSwapped != crc.value {
      part = .ended(.checksumMismatch)
    }
    isChecksumRead = true
    (field, fieldByteCount) = (0, 0)
    return true
  }
}
