// Which properties of items stay when metadata is stripped, and which of their bytes have a meaning (ISO/IEC 23008-12,
// 6.5; ISO/IEC 14496-12, 12.1.4).

internal import ImageCoding

/// The treatment of a property.
enum PropertyContent {
  /// The properties that determine how an image is decoded and shown. Others, such as descriptions and times, are
  /// metadata.
  private static let imageProperties: Set<FourCharacterCode> = [
    "ispe", "pixi", "irot", "imir", "clap", "pasp", "colr", "auxC", "rloc", "lsel", "a1op", "a1lx", "oinf", "tols",
    "hvcC", "lhvC", "av1C", "avcC", "vvcC", "evcC", "jpgC", "j2kH", "uncC", "cmpd", "rref", "iscl", "mdcv", "clli",
    "cclv", "amve", "reve", "ndwt", "cmin", "cmex",
  ]

  /// Descriptions, which decoders need not understand, whatever their associations say.
  private static let descriptions: Set<FourCharacterCode> = [
    "udes", "uuid", "altt", "cdtm", "crtt", "mdft", "itai", "free", "skip",
  ]

  /// Returns whether a property stays.
  ///
  /// - Parameter isEssential: whether an item must not be decoded by readers that do not understand the property.
  static func stays(_ type: FourCharacterCode, isEssential: Bool) -> Bool {
    imageProperties.contains(type) || (isEssential && !descriptions.contains(type))
  }

  /// Returns the bytes of a property that have a meaning. Of properties of unknown kinds, which stay because they are
  /// essential, these are none.
  static func meaningfulPart(of type: FourCharacterCode, _ payload: Span<UInt8>) -> [UInt8] {
    guard imageProperties.contains(type) else { return [] }
    if type == "hvcC", let configuration = HEVCContent.configuration(payload) { return configuration }
    if type == "avcC", let configuration = AVCContent.configuration(payload) { return configuration }
    return Array(copying: payload.extracting(0..<min(payload.count, byteCount(of: type, payload))))
  }

  /// Returns the number of bytes that a property of a kind has.
  private static func byteCount(of type: FourCharacterCode, _ payload: Span<UInt8>) -> Int {
    switch type {
    case "irot", "imir", "a1op": 1
    case "lsel": 2
    case "clli": 4
    case "pasp": 8
    case "ispe", "rloc": 12
    case "mdcv": 24
    case "clap": 32
    case "pixi": payload.count > 4 ? 5 + Int(payload[4]) : .max
    case "colr" where FourCharacterCode(payload, at: 0) == "nclx": 11
    default: .max
    }
  }
}
