// The names of formats in text, in HTTP headers and in file names.

internal import RawCodec

extension AssetType {
  /// The common name of the format, such as `"WebP"`; the identifier for unknown formats.
  public var formatName: String {
    FormatNames.of(self)?.name ?? rawValue
  }

  /// The preferred MIME type, such as `"image/png"`; `nil` for unknown formats.
  public var mimeType: String? {
    FormatNames.of(self)?.mimeTypes.first
  }

  /// The preferred file name extension, without the dot; `nil` for unknown formats.
  public var filenameExtension: String? {
    FormatNames.of(self)?.filenameExtensions.first
  }

  /// Creates the type of a MIME type's format. `nil` if it is unknown. Case and parameters such as `; charset=utf-8` are
  /// ignored.
  public init?(mimeType: String) {
    let essence = mimeType.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
    guard let known = FormatNames.all.first(where: { $0.mimeTypes.contains(essence) }) else { return nil }
    self = known.type
  }

  /// Creates the type of a file name extension's format. `nil` if it is unknown. The extension has no dot, and its case
  /// is ignored.
  public init?(filenameExtension: String) {
    let wanted = filenameExtension.lowercased()
    guard let known = FormatNames.all.first(where: { $0.filenameExtensions.contains(wanted) }) else { return nil }
    self = known.type
  }
}

/// The names of a format. The preferred MIME type and extension come first.
private struct FormatNames: Sendable {
  let type: AssetType
  let name: String
  let mimeTypes: [String]
  let filenameExtensions: [String]

  init(_ type: AssetType, _ name: String, _ mimeTypes: [String], _ filenameExtensions: [String]) {
    self.type = type
    self.name = name
    self.mimeTypes = mimeTypes
    self.filenameExtensions = filenameExtensions
  }

  static func of(_ type: AssetType) -> FormatNames? {
    all.first { $0.type == type }
  }

  static let all = ofImagesAndVideos + RawFormat.allCases.map { FormatNames($0) }

  private static let ofImagesAndVideos: [FormatNames] = [
    FormatNames(.png, "PNG", ["image/png", "image/apng", "image/x-png", "image/vnd.mozilla.apng"], ["png", "apng"]),
    FormatNames(.jpeg, "JPEG", ["image/jpeg", "image/jpg", "image/pjpeg"], ["jpg", "jpeg", "jpe", "jfif"]),
    FormatNames(.gif, "GIF", ["image/gif"], ["gif"]),
    FormatNames(.webp, "WebP", ["image/webp"], ["webp"]),
    FormatNames(.svg, "SVG", ["image/svg+xml"], ["svg", "svgz"]),
    FormatNames(.heic, "HEIC", ["image/heic", "image/heic-sequence"], ["heic", "heics"]),
    FormatNames(.heif, "HEIF", ["image/heif", "image/heif-sequence"], ["heif", "heifs", "hif"]),
    FormatNames(.avif, "AVIF", ["image/avif", "image/avif-sequence"], ["avif", "avifs"]),
    FormatNames(.tiff, "TIFF", ["image/tiff", "image/tiff-fx"], ["tiff", "tif"]),
    FormatNames(.bmp, "BMP", ["image/bmp", "image/x-ms-bmp", "image/x-bmp"], ["bmp", "dib"]),
    FormatNames(.ico, "ICO", ["image/vnd.microsoft.icon", "image/x-icon", "image/ico"], ["ico"]),
    FormatNames(.cur, "CUR", ["image/x-win-bitmap"], ["cur"]),
    FormatNames(.icns, "ICNS", ["image/x-icns", "image/icns"], ["icns"]),
    FormatNames(.xbm, "XBM", ["image/x-xbitmap", "image/x-xbm"], ["xbm"]),
    FormatNames(
      .pnm, "PNM",
      [
        "image/x-portable-anymap", "image/x-portable-bitmap", "image/x-portable-graymap", "image/x-portable-pixmap",
        "image/x-portable-arbitrarymap",
      ], ["pnm", "pbm", "pgm", "ppm", "pam", "pfm"]),
    FormatNames(.tga, "TGA", ["image/x-tga", "image/x-targa"], ["tga", "icb", "vda", "vst"]),
    FormatNames(.qoi, "QOI", ["image/qoi"], ["qoi"]),
    FormatNames(
      .jpeg2000, "JPEG 2000", ["image/jp2", "image/jpx", "image/j2c", "image/jph", "image/jphc", "image/jpeg2000"],
      ["jp2", "jpx", "j2k", "j2c", "jpf", "jpc", "jph", "jhc"]),
    FormatNames(.jxl, "JPEG XL", ["image/jxl"], ["jxl"]),
    FormatNames(.mp4, "MP4", ["video/mp4"], ["mp4", "mpg4"]),
    FormatNames(.m4v, "M4V", ["video/x-m4v"], ["m4v"]),
    FormatNames(.mov, "QuickTime", ["video/quicktime"], ["mov", "qt"]),
    FormatNames(.matroska, "Matroska", ["video/matroska", "video/x-matroska"], ["mkv", "mk3d"]),
    FormatNames(.webm, "WebM", ["video/webm"], ["webm"]),
    FormatNames(.mpegTransportStream, "MPEG transport stream", ["video/mp2t"], ["ts", "mts", "m2ts"]),
  ]

  /// The names of a camera raw format, which is called by the extension of its files. None of the MIME types is registered.
  private init(_ format: RawFormat) {
    let maker =
      switch format {
      case .dng: "adobe"
      case .cr3, .cr2, .crw: "canon"
      case .nef, .nrw: "nikon"
      case .arw, .sr2: "sony"
      case .pef: "pentax"
      case .srw: "samsung"
      case .orf: "olympus"
      case .rw2: "panasonic"
      case .raf: "fuji"
      case .mrw: "minolta"
      case .x3f: "sigma"
      case .threeFR: "hasselblad"
      case .iiq: "phaseone"
      case .erf: "epson"
      case .mef: "mamiya"
      case .dcr: "kodak"
      case .mos: "leaf"
      }
    let name = format.rawValue
    self.init(format.type, name.uppercased(), ["image/x-\(maker)-\(name)"], [name])
  }
}
