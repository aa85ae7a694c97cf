// Decodes one file several times, with the library or with another one, so that instructions per decode can be counted.
//
//     decode-repeatedly ours|peer FORMAT FILE COUNT

import AV1Codec
import CodecPeers
import Glibc
import HEVCCodec
import ISOMediaCodec
import ImageCoding
import JPEGCodec
import PNGCodec
import PixelPlanes
import Platform
import WebPCodec

struct Failure: Error {}

func decodeWithPeer(_ format: String, _ bytes: [UInt8], _ count: Int) throws {
  if let peer = planePeer(format) {
    let pictures = try HEIFContainer(parsing: bytes.span, limits: .unlimited).codedPictures(in: bytes.span)
    for _ in 0..<count {
      for picture in pictures {
        peer.decode(PeerCodedPicture(configuration: picture.configuration, payload: picture.payload))
      }
    }
    return
  }
  guard case .found(let peer)? = Peers.find(formats: [format]).first else { throw Failure() }
  var picture = PeerPicture()
  for _ in 0..<count { try peer.decode(bytes, as: format == "jpg" ? .natural : .rgba8, into: &picture) }
}

func pictureDecoder(_ format: String) -> (any CodedPictureDecoder)? {
  switch format {
  case "heic": HEVCDecoder()
  case "avif": AV1Decoder()
  default: nil
  }
}

func planePeer(_ format: String) -> (any PlanePeer)? {
  switch format {
  case "heic": LibDE265()
  case "avif": LibDAV1D()
  default: nil
  }
}

func decode(_ format: String, _ bytes: [UInt8], _ count: Int) throws {
  let options = DecodingOptions(limits: .unlimited)
  if let decoder = pictureDecoder(format) {
    let pictures = try HEIFContainer(parsing: bytes.span, limits: .unlimited).codedPictures(in: bytes.span)
    for _ in 0..<count {
      for picture in pictures {
        var context = DecodingContext(options, format: ISOMediaDecoder.heic)
        _ = try decoder.decode(
          CodedPicture(configuration: picture.configuration.span, payload: picture.payload.span), context: &context)
      }
    }
    return
  }
  let decoder: any ImageFormatDecoder =
    switch format {
    case "jpg": JPEGDecoder()
    case "png": PNGDecoder()
    default: WebPDecoder()
    }
  var bitmap = Bitmap()
  var bitmapOptions = options
  if format != "jpg" { bitmapOptions.pixelFormat = .rgba8 }
  for _ in 0..<count { _ = try decoder.decode(bytes.span, into: &bitmap, options: bitmapOptions) }
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[4]) else { throw Failure() }
let file = try FileDescriptor(reading: Array(arguments[3].utf8))
guard let bytes = try file.readToEnd(maximumByteCount: 1 << 26) else { throw Failure() }
if arguments[1] == "peer" {
  try decodeWithPeer(arguments[2], bytes, count)
} else {
  try decode(arguments[2], bytes, count)
}
