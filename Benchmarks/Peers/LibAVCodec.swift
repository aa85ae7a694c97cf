// libavcodec's decoder of H.264, without worker threads. Declarations follow the headers of versions 59 to 61, whose
// structures begin alike.

private typealias AVPointer = UnsafeMutableRawPointer
private typealias AVFindFunction = @convention(c) (UnsafePointer<CChar>?) -> AVPointer?
private typealias AVCreateFunction = @convention(c) (AVPointer?) -> AVPointer?
private typealias AVAllocateFunction = @convention(c) () -> AVPointer?
private typealias AVOpenFunction = @convention(c) (AVPointer?, AVPointer?, AVPointer?) -> CInt
private typealias AVSetFunction =
  @convention(c) (AVPointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, CInt) -> CInt
private typealias AVExchangeFunction = @convention(c) (AVPointer?, AVPointer?) -> CInt
private typealias AVNewPacketFunction = @convention(c) (AVPointer?, CInt) -> CInt
private typealias AVReleaseFunction = @convention(c) (AVPointer?) -> Void
private typealias AVFormatNameFunction = @convention(c) (CInt) -> UnsafePointer<CChar>?
private typealias AVLogFunction = @convention(c) (CInt) -> Void
private typealias AVVersionFunction = @convention(c) () -> CUnsignedInt

extension PeerCodedPicture {
  /// The NAL units of an `avcC` record and of the payload, with start codes.
  fileprivate var byteStream: [UInt8] {
    var stream: [UInt8] = []
    func append(_ bytes: [UInt8], _ position: inout Int, lengthByteCount: Int) {
      let byteCount = bytes[position..<position + lengthByteCount].reduce(0) { $0 << 8 | Int($1) }
      position += lengthByteCount + byteCount
      stream += [0, 0, 0, 1] + bytes[position - byteCount..<position]
    }
    var position = 6
    for _ in 0..<configuration[5] & 31 { append(configuration, &position, lengthByteCount: 2) }
    position += 1
    for _ in 0..<configuration[position - 1] { append(configuration, &position, lengthByteCount: 2) }
    position = 0
    while position + 4 <= payload.count { append(payload, &position, lengthByteCount: 4) }
    return stream
  }
}

/// The system's libavcodec, with one context for all pictures.
@safe package final class LibAVCodec: PlanePeer {
  package let name: String
  private let context: AVPointer
  private let packet: AVPointer
  private let frame: AVPointer
  private let newPacket: AVNewPacketFunction
  private let unreference: AVReleaseFunction
  private let send: AVExchangeFunction
  private let receive: AVExchangeFunction
  private let flush: AVReleaseFunction
  private let formatName: AVFormatNameFunction

  /// Opens the library. `nil` if libavcodec is not installed, or a version whose structures are not known.
  package init?() {
    guard let codecs = DynamicLibrary(["libavcodec.so.61", "libavcodec.so.60", "libavcodec.so.59"]),
      let utilities = DynamicLibrary(["libavutil.so.59", "libavutil.so.58", "libavutil.so.57"]),
      let find: AVFindFunction = unsafe try? codecs.function("avcodec_find_decoder_by_name"),
      let create: AVCreateFunction = unsafe try? codecs.function("avcodec_alloc_context3"),
      let open: AVOpenFunction = unsafe try? codecs.function("avcodec_open2"),
      let createPacket: AVAllocateFunction = unsafe try? codecs.function("av_packet_alloc"),
      let newPacket: AVNewPacketFunction = unsafe try? codecs.function("av_new_packet"),
      let unreference: AVReleaseFunction = unsafe try? codecs.function("av_packet_unref"),
      let send: AVExchangeFunction = unsafe try? codecs.function("avcodec_send_packet"),
      let receive: AVExchangeFunction = unsafe try? codecs.function("avcodec_receive_frame"),
      let flush: AVReleaseFunction = unsafe try? codecs.function("avcodec_flush_buffers"),
      let version: AVVersionFunction = unsafe try? codecs.function("avcodec_version"),
      let createFrame: AVAllocateFunction = unsafe try? utilities.function("av_frame_alloc"),
      let set: AVSetFunction = unsafe try? utilities.function("av_opt_set"),
      let setLogLevel: AVLogFunction = unsafe try? utilities.function("av_log_set_level"),
      let formatName: AVFormatNameFunction = unsafe try? utilities.function("av_get_pix_fmt_name"),
      let codec = unsafe find("h264"), let context = unsafe create(codec),
      let packet = unsafe createPacket(), let frame = unsafe createFrame()
    else { return nil }
    // Only errors, which end the program anyway.
    setLogLevel(16)
    guard unsafe set(context, "threads", "1", 0) == 0, unsafe open(context, codec, nil) == 0 else { return nil }
    unsafe (self.context, self.packet, self.frame) = (context, packet, frame)
    unsafe (self.newPacket, self.unreference, self.send) = (newPacket, unreference, send)
    unsafe (self.receive, self.flush, self.formatName) = (receive, flush, formatName)
    let number = version()
    name = "libavcodec \(number >> 16).\(number >> 8 & 255)"
  }

  package func decode(_ picture: PeerCodedPicture) {
    withDecoded(picture) {}
  }

  package func planes(_ picture: PeerCodedPicture) -> [UInt8] {
    var result: [UInt8] = []
    withDecoded(picture) {
      // SAFETY: a frame begins with eight pointers to planes and eight distances between rows, a pointer, width,
      // height, a number of samples and the pixel format. A plane has the rows and samples that its format implies.
      let planes = unsafe frame.assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
      let strides = unsafe (frame + 64).assumingMemoryBound(to: CInt.self)
      let values = unsafe (frame + 104).assumingMemoryBound(to: CInt.self)
      let (width, height) = unsafe (Int(values[0]), Int(values[1]))
      let format = unsafe formatName(values[3]).map { unsafe String(cString: $0) } ?? ""
      let isSubsampledInX = format.contains("420") || format.contains("422")
      for plane in 0..<(format.hasPrefix("gray") ? 1 : 3) {
        let columnCount = plane > 0 && isSubsampledInX ? (width + 1) / 2 : width
        let rowCount = plane > 0 && format.contains("420") ? (height + 1) / 2 : height
        guard let samples = unsafe planes[plane] else { continue }
        for row in 0..<rowCount {
          let start = unsafe samples + row * Int(strides[plane])
          let byteCount = format.hasSuffix("le") ? columnCount * 2 : columnCount
          unsafe result.append(contentsOf: UnsafeBufferPointer(start: start, count: byteCount))
        }
      }
    }
    return result
  }

  /// Calls a closure while `frame` is the decoded picture.
  private func withDecoded(_ coded: PeerCodedPicture, _ body: () -> Void) {
    let stream = coded.byteStream
    // SAFETY: a packet has memory for all bytes, whose address follows its buffer and two times. The frame is valid
    // until the next one is received.
    guard unsafe newPacket(packet, CInt(stream.count)) == 0,
      let memory = unsafe (packet + 24).load(as: UnsafeMutablePointer<UInt8>?.self)
    else { abandon("libavcodec has no memory") }
    for (index, byte) in stream.enumerated() { unsafe memory[index] = byte }
    // Without a packet, the decoder returns the pictures that it holds back to order them.
    guard unsafe send(context, packet) == 0, unsafe send(context, nil) == 0, unsafe receive(context, frame) == 0 else {
      abandon("libavcodec does not decode the picture")
    }
    body()
    unsafe unreference(packet)
    unsafe flush(context)
  }
}
