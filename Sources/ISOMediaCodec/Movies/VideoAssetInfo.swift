// The movie box of MP4, M4V, MOV and of image sequences: tracks, durations, cover art (ISO/IEC 14496-12, 8.2–8.5).

public import ImageCoding

/// The properties that a video file states.
public struct VideoAssetInfo: Hashable, Sendable {
  /// A track of video, audio or other samples.
  public struct Track: Hashable, Sendable {
    /// The track identifier.
    public internal(set) var id: UInt32 = 0
    /// The handler: `"vide"`, `"soun"`, `"pict"` for image sequences, and others.
    public internal(set) var handler = ""
    /// The type of the sample entry, such as `"avc1"`; empty if there is none. If there are several, this and what
    /// follows from it are those of the first sample.
    public var coding: String { description.coding }
    /// The coded size in pixels; `nil` for sound.
    public var codedSize: PixelSize? { description.codedSize }
    /// The presentation size in pixels, before ``orientation`` is applied; `nil` for sound.
    public internal(set) var displaySize: PixelSize?
    /// The orientation of the frames if the track's matrix is a rotation by a multiple of 90°, otherwise `up`.
    public internal(set) var orientation = ImageOrientation.up
    /// The duration of the track's samples; `nil` if not stated.
    public internal(set) var duration: Duration?
    /// The number of samples; in a video track, the number of frames.
    public internal(set) var sampleCount = 0
    /// Whether the edit list repeats indefinitely.
    public var repeats: Bool { edits.repeats }
    /// The range of the first sample in the file; `nil` if not stated.
    public internal(set) var firstSampleRange: Range<Int>?
    /// The type of samples that are images of another format, such as JPEG.
    public var imageType: AssetType? { description.imageType }
    /// The type of an auxiliary track, such as `"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"`.
    public var auxiliaryType: String? { description.auxiliaryType }
    /// The width and the height of a pixel in the same unit (`pasp`); `nil` if not stated, in which case pixels are
    /// square.
    public var pixelShape: PixelSize? { description.pixelShape }
    /// The colour code points (`colr` of type `nclx` or `nclc`).
    public var codePoints: CodingIndependentCodePoints? { description.codePoints }
    /// How samples are coded: the entry of ``descriptions`` that the first sample refers to, or another one.
    var description = SampleDescription()
    /// The position of the sample entries.
    var descriptions = 0..<0
    /// The number of time units per second.
    var timescale: UInt32 = 0
    /// When the track's media is shown.
    var edits = EditList()
    var samples = SampleTable()
  }

  /// The brands; `nil` for files without a file type box.
  public let brands: ISOBrands?
  /// The duration of the movie; `nil` if not stated.
  public internal(set) var duration: Duration?
  /// The number of time units per second of the movie; `nil` if not stated.
  private(set) var timescale: UInt32?
  /// The tracks in file order.
  public internal(set) var tracks: [Track] = []
  /// The range of the cover art in the file.
  public internal(set) var coverArtRange: Range<Int>?

  /// The defaults of tracks in movie fragments.
  private(set) var fragmentDefaults: [FragmentDefaults] = []

  /// The maximum work units for reading and storing a track.
  private static let workPerTrack = 1_000
  private static let byteCountPerTrack = 1_024

  /// Reads the movie box.
  ///
  /// - Parameters:
  ///   - bytes: the file, or a prefix that contains the whole movie box, which may be located after all media data.
  ///   - limits: what reading may cost.
  /// - Throws: `CodecError.Kind.malformed`; `CodecError.Kind.truncated` with the needed byte count;
  ///   `CodecError.Kind.limitExceeded`.
  public init(parsing bytes: Span<UInt8>, limits: DecodingLimits = .default) throws(CodecError) {
    var budget = ResourceBudget(limits)
    try self.init(parsing: bytes, budget: &budget)
  }

  init(parsing bytes: Span<UInt8>, budget: inout ResourceBudget) throws(CodecError) {
    brands = try? ISOBrands(parsing: bytes)
    let type: AssetType
    if case .yes(let sniffed) = sniffISOBrands(bytes, isComplete: true) {
      type = sniffed
    } else {
      type = ISOMediaDecoder.mp4
    }
    let movie = try topLevelBox("moov", of: bytes, type: type, budget: &budget)
    var boxes = ISOBoxIterator(bytes, in: movie.payload)
    while let box = boxes.next() {
      try budget.chargeWork(ISOBoxIterator.workPerBox, byteOffset: box.payload.lowerBound)
      switch box.type {
      case "mvhd":
        var reader = ByteReader(bytes.extracting(box.payload), baseOffset: box.payload.lowerBound)
        guard let header = try? MediaHeader(parsing: &reader) else { continue }
        timescale = timescale ?? header.timescale
        duration = duration ?? header.duration
      case "trak":
        try budget.chargeWork(Self.workPerTrack, byteOffset: box.payload.lowerBound)
        // The boxes in it have at least eight bytes each.
        try budget.chargeWork(count: box.payload.count / 8, unitsEach: ISOBoxIterator.workPerBox)
        try budget.allocate(Self.byteCountPerTrack, byteOffset: box.payload.lowerBound)
        tracks.append(TrackReader(bytes).read(box))
      case "udta": coverArtRange = coverArtRange ?? coverArt(bytes, in: box.payload)
      case "meta": coverArtRange = coverArtRange ?? coverArt(bytes, inMeta: box)
      case "mvex":
        readFragmentDuration(bytes, in: box.payload, timescale: timescale)
        try readFragmentDefaults(bytes, in: box.payload, &budget)
      default: break
      }
    }
  }

  /// The track to show: the first video track or image sequence.
  public var primaryTrack: Track? { shownTracks.first }

  /// The video tracks and image sequences that are not auxiliary.
  var shownTracks: [Track] {
    tracks.filter { ($0.handler == "vide" || $0.handler == "pict") && $0.auxiliaryType == nil && $0.codedSize != nil }
  }

  /// Returns the track with the alpha planes of another one.
  func alphaTrack(of track: Track) -> Track? {
    tracks.first {
      $0.auxiliaryType == "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha" && $0.sampleCount == track.sampleCount
    }
  }

  /// Returns the properties that are common to all formats.
  ///
  /// - Throws: `CodecError.Kind.malformed` if no track has a size.
  func info(type: AssetType) throws(CodecError) -> ImageInfo {
    guard let track = primaryTrack else {
      throw CodecError(.malformed, "there is no track of video or pictures", format: type)
    }
    return try info(of: track, type: type)
  }

  func info(of track: Track, type: AssetType) throws(CodecError) -> ImageInfo {
    guard let size = track.shownSize else {
      throw CodecError(.malformed, "the track has no size", format: type)
    }
    // In fragmented files, the tracks have no samples.
    return ImageInfo(
      type: type, width: size.width, height: size.height, bitDepth: track.description.bitDepth,
      orientation: track.orientation,
      frameCount: track.sampleCount > 0 ? track.sampleCount : nil, loopCount: track.repeats ? .infinite : .finite(1),
      duration: [track.duration, duration].compactMap { $0 }.first { $0 > .zero }, coding: track.coding)
  }

  // MARK: Parts of the movie box

  /// Reads the duration of a fragmented movie if the movie header lacks it.
  private mutating func readFragmentDuration(_ bytes: Span<UInt8>, in range: Range<Int>, timescale: UInt32?) {
    var boxes = ISOBoxIterator(bytes, in: range)
    guard duration == nil || duration == .zero, let timescale, let header = boxes.first("mehd") else { return }
    var reader = ByteReader(bytes.extracting(header.payload))
    guard let version = try? reader.readUInt8(), (try? reader.skip(3)) != nil,
      let units = try? reader.readInteger(byteCount: version == 1 ? 8 : 4, isBigEndian: true)
    else { return }
    duration = mediaDuration(units, timescale: timescale)
  }

  private mutating func readFragmentDefaults(
    _ bytes: Span<UInt8>, in range: Range<Int>, _ budget: inout ResourceBudget
  ) throws(CodecError) {
    var boxes = ISOBoxIterator(bytes, in: range)
    while let box = boxes.next() {
      try budget.chargeWork(ISOBoxIterator.workPerBox)
      guard box.type == "trex", let defaults = FragmentDefaults(bytes.extracting(box.payload)) else { continue }
      try budget.allocate(MemoryLayout<FragmentDefaults>.stride)
      fragmentDefaults.append(defaults)
    }
  }

  /// The cover art is in moov/udta/meta/ilst/covr/data, as written by iTunes and MP4 tools.
  private func coverArt(_ bytes: Span<UInt8>, in userData: Range<Int>) -> Range<Int>? {
    var boxes = ISOBoxIterator(bytes, in: userData)
    return boxes.first("meta").flatMap { coverArt(bytes, inMeta: $0) }
  }

  private func coverArt(_ bytes: Span<UInt8>, inMeta meta: ISOBox) -> Range<Int>? {
    // QuickTime's meta box has no version and flags.
    for range in [meta.fullPayload, meta.payload] {
      var boxes = ISOBoxIterator(bytes, in: range)
      guard let list = boxes.first("ilst") else { continue }
      var items = ISOBoxIterator(bytes, in: list.payload)
      guard let cover = items.first("covr") else { continue }
      var values = ISOBoxIterator(bytes, in: cover.payload)
      // The type and the locale of the data come first.
      if let data = values.first("data"), data.payload.count > 8 {
        return data.payload.lowerBound + 8..<data.payload.upperBound
      }
    }
    return nil
  }
}

/// The common part of movie header and media header boxes.
struct MediaHeader {
  /// The number of time units per second.
  let timescale: UInt32
  /// `nil` if not stated.
  let duration: Duration?

  init(parsing reader: inout ByteReader) throws(CodecError) {
    let version = try reader.readUInt8()
    try reader.skip(version == 1 ? 19 : 11)
    timescale = try reader.readUInt32BigEndian()
    let units = try reader.readInteger(byteCount: version == 1 ? 8 : 4, isBigEndian: true)
    let isUnknown = units == (version == 1 ? UInt64.max : UInt64(UInt32.max))
    duration = isUnknown ? nil : mediaDuration(units, timescale: timescale)
  }
}

extension VideoAssetInfo.Track {
  /// Converts time units of the track to a duration; zero if that is not possible.
  func duration(ofUnits units: Int) -> Duration {
    mediaDuration(UInt64(max(0, units)), timescale: timescale) ?? .zero
  }

  /// Whether the samples are pictures.
  var isVisual: Bool { handler == "vide" || handler == "pict" || handler == "auxv" }

  /// The size of the decoded pictures: that of the clean aperture, or the coded size.
  var shownSize: PixelSize? {
    description.cleanAperture.map { PixelSize(width: $0.width, height: $0.height) } ?? codedSize
  }

  /// Returns the track with the description of some of its samples.
  ///
  /// - Parameter index: the index of the sample entry, counted from 0.
  /// - Throws: `CodecError.Kind.malformed` if there is no such entry; errors of `budget`.
  func describing(
    _ index: Int, _ bytes: Span<UInt8>, type: AssetType, budget: inout ResourceBudget
  ) throws(CodecError) -> Self {
    var entries = ISOBoxIterator(bytes, in: descriptions)
    var count = 0
    while let entry = entries.next() {
      try budget.chargeWork(ISOBoxIterator.workPerBox)
      if count == index {
        // The boxes in the entry have at least eight bytes each.
        try budget.chargeWork(count: entry.payload.count / 8, unitsEach: ISOBoxIterator.workPerBox)
        var track = self
        track.description = SampleDescription(entry, isVisual: isVisual, bytes)
        return track
      }
      count += 1
    }
    throw CodecError(
      .malformed, "a sample refers to description \(index + 1) of \(count)", format: type,
      byteOffset: descriptions.lowerBound)
  }
}

/// Converts time units to a duration; `nil` if the scale is 0 or the time exceeds 30,000 years.
func mediaDuration(_ units: UInt64, timescale: UInt32) -> Duration? {
  guard timescale > 0, units / UInt64(timescale) < 1_000_000_000_000 else { return nil }
  let seconds = units / UInt64(timescale)
  let rest = units % UInt64(timescale)
  return .seconds(Int64(seconds)) + .nanoseconds(Int64(rest * 1_000_000_000 / UInt64(timescale)))
}
