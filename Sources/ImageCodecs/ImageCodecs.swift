// The umbrella: everything a user of images needs with one import. The vocabulary and the codecs' own options come
// along; sniffing, dispatch and the decoder registry live here.

@_exported public import BMPCodec
@_exported public import GIFCodec
@_exported public import ISOMediaCodec
@_exported public import ImageCore
@_exported public import JPEGCodec
@_exported public import MetadataFormats
@_exported public import PNGCodec
@_exported public import PixelPlanes
@_exported public import SVGCodec
@_exported public import TIFFCodec
@_exported public import WebPCodec
