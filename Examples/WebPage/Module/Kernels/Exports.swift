// The functions that the module exports. Each returns 0, or 1 after an error. Bytes and text of the answer are fetched
// afterwards, and are valid until the next call.

import ImageCoding

nonisolated(unsafe) private var answer = Answer(JSONText())

private func call(_ body: () throws(CodecError) -> Answer) -> Int32 {
  unsafe answer = Answer(JSONText())
  do throws(CodecError) {
    unsafe answer = try body()
    return 0
  } catch {
    unsafe answer = Answer(error)
    return 1
  }
}

/// Calls a function with bytes of the caller.
private func call(
  _ start: UnsafePointer<UInt8>?, _ count: Int32, _ body: (Span<UInt8>) throws(CodecError) -> Answer
) -> Int32 {
  call { () throws(CodecError) in
    // SAFETY: the caller states a part of memory that it has allocated, and that no call changes.
    try body(unsafe UnsafeBufferPointer(start: start, count: start == nil ? 0 : max(0, Int(count))).span)
  }
}

// MARK: Memory

/// Allocates memory for what the caller passes; `nil` for no bytes.
@_expose(wasm, "allocate") @_cdecl("module_allocate")
public func allocate(_ byteCount: Int32) -> UnsafeMutablePointer<UInt8>? {
  byteCount > 0 ? UnsafeMutablePointer<UInt8>.allocate(capacity: Int(byteCount)) : nil
}

/// Frees memory that ``allocate(_:)`` has returned.
@_expose(wasm, "deallocate") @_cdecl("module_deallocate")
public func deallocate(_ start: UnsafeMutablePointer<UInt8>?) { unsafe start?.deallocate() }

/// The address of the answer's bytes: pixels or a file.
@_expose(wasm, "answer_bytes") @_cdecl("module_answer_bytes")
public func answerBytes() -> UnsafePointer<UInt8>? {
  // SAFETY: the answer owns the memory and does not change before the next call.
  unsafe answer.picture.isEmpty
    ? answer.bytes.span.withUnsafeBufferPointer { $0.baseAddress }
    : answer.picture.pixels.withUnsafeBufferPointer { $0.baseAddress }
}

/// The number of the answer's bytes.
@_expose(wasm, "answer_byte_count") @_cdecl("module_answer_byte_count")
public func answerByteCount() -> Int32 {
  unsafe Int32(answer.picture.isEmpty ? answer.bytes.count : answer.picture.pixels.count)
}

/// The address of the answer's text: JSON in UTF-8.
@_expose(wasm, "answer_text") @_cdecl("module_answer_text")
public func answerText() -> UnsafePointer<UInt8>? {
  // SAFETY: as for the bytes.
  unsafe answer.text.span.withUnsafeBufferPointer { $0.baseAddress }
}

/// The number of bytes of the answer's text.
@_expose(wasm, "answer_text_byte_count") @_cdecl("module_answer_text_byte_count")
public func answerTextByteCount() -> Int32 { unsafe Int32(answer.text.count) }

/// Frees the answer.
@_expose(wasm, "release_answer") @_cdecl("module_release_answer")
public func releaseAnswer() { unsafe answer = Answer(JSONText()) }

// MARK: Options

/// Makes all calls that follow use the default options of the library: stored pixel formats, default limits.
@_expose(wasm, "use_default_options") @_cdecl("module_use_default_options")
public func useDefaultOptions() { Pictures.useDefaultOptions() }

// MARK: Files

/// Reads the headers and the metadata of a file, and counts its frames.
@_expose(wasm, "info") @_cdecl("module_info")
public func info(_ file: UnsafePointer<UInt8>?, _ count: Int32) -> Int32 {
  unsafe call(file, count) { (file) throws(CodecError) in try Pictures.info(file) }
}

/// Decodes a file to straight RGBA, upright.
@_expose(wasm, "decode") @_cdecl("module_decode")
public func decode(_ file: UnsafePointer<UInt8>?, _ count: Int32) -> Int32 {
  unsafe call(file, count) { (file) throws(CodecError) in try Pictures.decode(file) }
}

/// Decodes a file to a picture with sides of at most `side` pixels.
@_expose(wasm, "thumbnail") @_cdecl("module_thumbnail")
public func thumbnail(_ file: UnsafePointer<UInt8>?, _ count: Int32, _ side: Int32) -> Int32 {
  unsafe call(file, count) { (file) throws(CodecError) in Answer(try Pictures.thumbnail(file, side: Int(side))) }
}

/// Removes the metadata of a file.
@_expose(wasm, "strip") @_cdecl("module_strip")
public func strip(_ file: UnsafePointer<UInt8>?, _ count: Int32) -> Int32 {
  unsafe call(file, count) { (file) throws(CodecError) in try Outputs.strip(file) }
}

/// Hashes the picture of a file.
@_expose(wasm, "thumb_hash") @_cdecl("module_thumb_hash")
public func thumbHash(_ file: UnsafePointer<UInt8>?, _ count: Int32) -> Int32 {
  unsafe call(file, count) { (file) throws(CodecError) in try Outputs.thumbHash(file) }
}

/// Draws the blurred picture of a ThumbHash.
@_expose(wasm, "thumb_hash_picture") @_cdecl("module_thumb_hash_picture")
public func thumbHashPicture(_ hash: UnsafePointer<UInt8>?, _ count: Int32) -> Int32 {
  unsafe call(hash, count) { (hash) throws(CodecError) in try Outputs.picture(ofThumbHash: hash) }
}

/// Encodes straight RGBA. The formats are those of ``OutputFormat``, qualities are 1…100.
@_expose(wasm, "encode") @_cdecl("module_encode")
public func encode(
  _ pixels: UnsafePointer<UInt8>?, _ count: Int32, _ width: Int32, _ height: Int32, _ format: Int32,
  _ quality: Int32
) -> Int32 {
  unsafe call(pixels, count) { (pixels) throws(CodecError) in
    try Outputs.encode(pixels, width: Int(width), height: Int(height), format: format, quality: Int(quality))
  }
}

/// Decodes a file and encodes its picture.
@_expose(wasm, "convert") @_cdecl("module_convert")
public func convert(_ file: UnsafePointer<UInt8>?, _ count: Int32, _ format: Int32, _ quality: Int32) -> Int32 {
  unsafe call(file, count) { (file) throws(CodecError) in
    try Outputs.convert(file, format: format, quality: Int(quality))
  }
}

// MARK: Animations

/// Opens the frames of a file, in place of those that are open. Their number is 0 for a still picture.
@_expose(wasm, "animation_open") @_cdecl("module_animation_open")
public func animationOpen(_ file: UnsafePointer<UInt8>?, _ count: Int32) -> Int32 {
  unsafe call(file, count) { (file) throws(CodecError) in try Frames.open(file) }
}

/// Decodes a frame of the animation that is open.
@_expose(wasm, "animation_frame") @_cdecl("module_animation_frame")
public func animationFrame(_ index: Int32) -> Int32 {
  call { () throws(CodecError) in try Frames.frame(at: Int(index)) }
}

/// Closes the animation that is open.
@_expose(wasm, "animation_close") @_cdecl("module_animation_close")
public func animationClose() { Frames.close() }

// MARK: Files in parts

/// Begins a file that arrives in parts, in place of the one that arrives.
@_expose(wasm, "session_begin") @_cdecl("module_session_begin")
public func sessionBegin() { unsafe ArrivingFile.current = ArrivingFile() }

/// Decodes the next part of the file.
@_expose(wasm, "session_append") @_cdecl("module_session_append")
public func sessionAppend(_ part: UnsafePointer<UInt8>?, _ count: Int32) -> Int32 {
  unsafe call(part, count) { (part) throws(CodecError) in try unsafe ArrivingFile.current.append(part) }
}

/// Returns what can be shown of the file; a picture without pixels if that is nothing.
@_expose(wasm, "session_preview") @_cdecl("module_session_preview")
public func sessionPreview() -> Int32 {
  call { () throws(CodecError) in try unsafe ArrivingFile.current.preview() }
}

/// Ends the file and returns its picture.
@_expose(wasm, "session_finish") @_cdecl("module_session_finish")
public func sessionFinish() -> Int32 {
  call { () throws(CodecError) in try unsafe ArrivingFile.current.finish() }
}
