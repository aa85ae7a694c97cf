// One upload: the body streams into a session that decodes it as it arrives.

import Hummingbird
import ImageCodecs

/// What an upload became.
struct Upload {
  var type: AssetType
  var size: PixelSize
  var placeholder: ThumbHash
  /// The files, by name: thumbnails as JPEG, and the original without its metadata.
  var files: [(name: String, bytes: [UInt8])]

  /// Receives a body.
  ///
  /// - Throws: `CodecError` if it is not an acceptable picture, `HTTPError` if it is too long.
  init(receiving body: RequestBody, policy: UploadPolicy) async throws {
    let session = try ThumbnailSession(policy.thumbnails, accepting: policy.types, options: policy.options)
    var original: [UInt8] = []
    for try await buffer in body {
      guard buffer.readableBytes <= policy.maximumByteCount - original.count else {
        throw HTTPError(.contentTooLarge, message: "the picture has more than \(policy.maximumByteCount) bytes")
      }
      let chunk = Array(buffer.readableBytesView)
      original += chunk
      try session.append(chunk.span)
    }
    let pictures = try session.finish()
    guard let type = session.type, let info = session.info, let smallest = pictures.last else {
      throw HTTPError(.unprocessableContent, message: "the picture is empty")
    }
    self.type = type
    size = info.orientedSize
    placeholder = try ThumbHash(smallest.bitmap)
    files = []
    for (side, picture) in zip(policy.thumbnailSides, pictures) {
      files.append(("\(side).jpg", try await picture.bitmap.encoded(as: .jpeg(quality: 0.8))))
    }
    let file = try ImageFile(original, accepting: policy.types, options: policy.options)
    files.append(("original.\(type.filenameExtension ?? "bin")", try await file.stripped()))
  }
}
