// A marker and its parameters.

internal import ImageCoding

/// The location of a marker segment.
struct MarkerSegment: Sendable {
  let marker: Marker
  /// The offset of the marker in the file.
  let offset: Int
  /// The parameters, without the marker and the length.
  let parameters: Range<Int>

  /// The offset of the next marker.
  var end: Int { parameters.upperBound }

  /// Reads the segment at an offset of the file.
  ///
  /// - Parameter end: the end of the codestream.
  /// - Throws: `CodecError.Kind.truncated` or `CodecError.Kind.malformed`.
  init(_ file: Span<UInt8>, at offset: Int, end: Int) throws(CodecError) {
    let bytes = file.extracting(0..<end)
    guard let marker = Marker(bytes, at: offset) else {
      throw .jpeg2000(.truncated, "the codestream ends in its headers", at: offset)
    }
    guard marker.code >= 0xFF00 else {
      throw .jpeg2000(.malformed, "there is no marker where one is expected", at: offset)
    }
    self.marker = marker
    self.offset = offset
    guard marker.hasSegment else {
      parameters = offset + 2..<offset + 2
      return
    }
    guard let length = Marker(bytes, at: offset + 2).map({ Int($0.code) }) else {
      throw .jpeg2000(.truncated, "the codestream ends in its headers", at: offset)
    }
    guard length >= 2 else {
      throw .jpeg2000(.malformed, "the length of a marker segment is \(length)", at: offset)
    }
    guard end - offset - 2 >= length else {
      throw .jpeg2000(.truncated, "the codestream ends in a marker segment", at: offset)
    }
    parameters = offset + 4..<offset + 2 + length
  }

  /// A reader of the parameters.
  @_lifetime(copy file)
  func reader(_ file: Span<UInt8>) -> ByteReader {
    ByteReader(file.extracting(parameters), baseOffset: parameters.lowerBound, format: JPEG2000Decoder.type)
  }
}
