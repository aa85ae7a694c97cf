// The identifiers of the formats that are recognised by their bytes, and their categories.

internal import RawCodec

extension AssetType {
  /// PNG and APNG.
  public static let png: AssetType = "public.png"
  /// JPEG.
  public static let jpeg: AssetType = "public.jpeg"
  /// GIF.
  public static let gif: AssetType = "com.compuserve.gif"
  /// HEIF with HEVC-coded images.
  public static let heic: AssetType = "public.heic"
  /// HEIF with any coding.
  public static let heif: AssetType = "public.heif"
  /// HEIF with AV1-coded images.
  public static let avif: AssetType = "public.avif"
  /// WebP.
  public static let webp: AssetType = "org.webmproject.webp"
  /// SVG.
  public static let svg: AssetType = "public.svg-image"
  /// TIFF and BigTIFF.
  public static let tiff: AssetType = "public.tiff"
  /// Windows bitmap.
  public static let bmp: AssetType = "com.microsoft.bmp"
  /// Windows icon.
  public static let ico: AssetType = "com.microsoft.ico"
  /// Windows cursor.
  public static let cur: AssetType = "com.microsoft.cur"
  /// Apple icon.
  public static let icns: AssetType = "com.apple.icns"
  /// X bitmap.
  public static let xbm: AssetType = "public.xbitmap-image"
  /// Netpbm's PBM, PGM, PPM and PAM, and PFM.
  public static let pnm: AssetType = "public.pbm"
  /// Truevision TGA.
  public static let tga: AssetType = "com.truevision.tga-image"
  /// QOI, the Quite OK Image Format.
  public static let qoi: AssetType = "org.qoiformat.qoi"
  /// JPEG 2000, in a file or as a bare codestream.
  public static let jpeg2000: AssetType = "public.jpeg-2000"
  /// JPEG XL, in a container or as a bare codestream.
  public static let jxl: AssetType = "public.jpeg-xl"
  /// Adobe's Digital Negative, a camera raw format. Those of single makers are created by their file name extensions.
  public static let dng: AssetType = "com.adobe.raw-image"
  /// MPEG-4 video.
  public static let mp4: AssetType = "public.mpeg-4"
  /// Apple's variant of MPEG-4 video.
  public static let m4v: AssetType = "com.apple.m4v-video"
  /// QuickTime video.
  public static let mov: AssetType = "com.apple.quicktime-movie"
  /// Matroska video, which is identified only.
  public static let matroska: AssetType = "org.matroska.mkv"
  /// WebM video, which is identified only.
  public static let webm: AssetType = "org.webmproject.webm"
  /// MPEG transport streams, which are identified only.
  public static let mpegTransportStream: AssetType = "public.mpeg-2-transport-stream"

  /// Whether files of this type contain video.
  public var isVideo: Bool {
    isMovie || self == .matroska || self == .webm || self == .mpegTransportStream
  }

  /// Whether this is one of the types of video whose key frames are decoded: MP4, M4V and QuickTime.
  package var isMovie: Bool { self == .mp4 || self == .m4v || self == .mov }

  /// Whether this is a camera raw format, such as DNG or CR2.
  public var isCameraRaw: Bool { RawFormat(self) != nil }

  /// Whether files of this type may contain several frames for timed display.
  public var isAnimatable: Bool {
    switch self {
    case .gif, .png, .webp, .avif, .heic, .heif, .jxl: true
    default: isVideo
    }
  }

  /// Checks that files of this type are accepted.
  ///
  /// - Parameter types: the types to accept; `nil` for all.
  /// - Throws: `CodecError.Kind.unsupported`.
  func check(isIn types: Set<AssetType>?) throws(CodecError) {
    guard types?.contains(self) != false else {
      throw CodecError(.unsupported, "\(formatName) files are not accepted", format: self)
    }
  }
}
