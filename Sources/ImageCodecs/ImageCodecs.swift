// The umbrella module: re-exports the common types and the options of the codecs, and adds format detection, decoding
// of any format and the registries.

@_exported public import BMPCodec
@_exported public import ColorManagement
@_exported public import GIFCodec
@_exported public import ICNSCodec
@_exported public import ICOCodec
@_exported public import ISOMediaCodec
@_exported public import ImageCoding
@_exported public import JPEGCodec
@_exported public import MetadataFormats
@_exported public import PNGCodec
@_exported public import PNMCodec
@_exported public import PixelPlanes
@_exported public import Placeholders
@_exported public import QOICodec
@_exported public import Resampling
@_exported public import SVGCodec
@_exported public import TGACodec
@_exported public import TIFFCodec
@_exported public import TextDrawing
@_exported public import WebPCodec
@_exported public import XBMCodec
