// The result of reading the containers of a file, before any pixel is decoded.

internal import ImageCoding
internal import MetadataFormats

/// The parts of a raw file.
struct RawFile {
  /// The source of the metadata.
  enum MetadataSource {
    /// The first directory of a TIFF structure.
    case directory(DirectoryTree)
    /// The EXIF block of an embedded JPEG stream; if that has none, the first directory of a TIFF structure.
    case jpeg(Range<Int>, fallback: DirectoryTree?)
    /// TIFF structures that hold one directory each.
    case boxes(image: Range<Int>, exif: Range<Int>, gps: Range<Int>)
    /// Values of other records.
    case properties(CameraProperties)
  }

  /// The data of the sensor.
  enum SensorData {
    /// The pixels of a DNG, described by one of its directories.
    case dng(DirectoryTree, sensor: TIFFDirectory)
    /// Data that are not decoded; the name of their coding.
    case unsupported(String)
  }

  let format: RawFormat
  /// The embedded pictures, in the order in which they were found.
  var pictures: [EmbeddedPicture]
  var orientation: ImageOrientation
  var metadata: MetadataSource
  var sensor: SensorData

  /// The picture with the most pixels; `nil` if there is none.
  var largestPicture: EmbeddedPicture? {
    pictures.max { $0.size.width * $0.size.height < $1.size.width * $1.size.height }
  }
}

/// The facts about the camera and the exposure in records that are neither TIFF nor EXIF.
struct CameraProperties: Hashable {
  var make = ""
  var model = ""
  /// As in EXIF: `YYYY:MM:DD HH:MM:SS`.
  var date = ""
}
