// Gain maps, decoded on request and written with the picture that they belong to.

public import ImageCoding
public import JPEGCodec
public import MetadataFormats

/// A gain map: a picture, mostly of reduced size, from which the high dynamic range of another one is computed.
public struct GainMap: Sendable {
  /// The samples of the map, gray or RGB.
  public var bitmap: Bitmap
  /// The parameters of the map; `nil` for Apple's maps in JPEG, whose parameters are in the notes of the maker.
  public var metadata: GainMapMetadata?

  /// Creates a map from its samples and parameters.
  public init(bitmap: Bitmap, metadata: GainMapMetadata?) {
    self.bitmap = bitmap
    self.metadata = metadata
  }
}

extension Bitmap {
  /// Encodes the image as JPEG together with its gain map, as in Ultra HDR files and ISO 21496-1.
  ///
  /// Both pictures must have the same orientation. To resize a picture with its map, resize both.
  /// - Throws: the errors of `JPEGEncoder`; `CodecError.Kind.invalidArgument` if the map has no parameters.
  public func encodedAsJPEG(
    with gainMap: GainMap, options: JPEGEncoder.Options = JPEGEncoder.Options(), metadata: ImageMetadata? = nil
  ) throws(CodecError) -> [UInt8] {
    guard let parameters = gainMap.metadata else {
      throw CodecError(.invalidArgument, "the gain map has no parameters", format: .jpeg)
    }
    var pictureMetadata = metadata ?? ImageMetadata()
    // It describes the file that it was read from, with its own map.
    if let xmp = pictureMetadata.xmp, let packet = try? XMPPacket(xmp), packet.value(of: "hdrgm:Version") != nil {
      pictureMetadata.xmp = nil
    }
    var mapMetadata = ImageMetadata()
    mapMetadata.xmp = parameters.xmpPacket
    var mapBitmap = gainMap.bitmap
    mapBitmap.orientation = .up
    let encoder = JPEGEncoder(options: options)
    let map = try encoder.encode(mapBitmap, metadata: mapMetadata)
    let picture = try encoder.encode(self, metadata: pictureMetadata)
    guard let file = JPEGEncoder.attach(gainMap: map, metadata: parameters, to: picture) else {
      throw CodecError(.encodingFailed, "the gain map cannot be attached", format: .jpeg)
    }
    return file
  }
}
