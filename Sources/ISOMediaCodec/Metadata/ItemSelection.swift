// Which items of a file stay when its metadata is replaced, and which are added.

internal import ImageCoding

/// The items of the rewritten file.
struct ItemSelection {
  /// An item that is added.
  struct Addition {
    let id: UInt32
    let type: FourCharacterCode
    let contentType: String
    let data: [UInt8]
  }

  let table: ItemTable
  /// The items that stay, ordered by identifier.
  private(set) var kept: [UInt32]
  private(set) var additions: [Addition] = []
  /// New data of items that stay.
  var replacements: [UInt32: [UInt8]] = [:]
  private var keptSet: Set<UInt32>

  /// - Parameter keepsUnknown: whether items that are neither images nor known metadata stay.
  init(_ table: ItemTable, keepsUnknown: Bool) {
    self.table = table
    kept = table.items.keys.sorted().filter { id in
      guard let item = table.items[id] else { return false }
      switch item.type {
      case "Exif": return false
      case "mime" where item.contentType == "application/rdf+xml": return false
      case _ where keepsUnknown: return true
      case "grid", "iovl", "iden", "tmap": return true
      case "hvc1", "hev1", "lhv1", "av01", "avc1", "vvc1", "evc1", "jpeg", "j2k1", "unci": return true
      case "mime" where item.contentType != "image/jpeg", "uri ": return false
      default:
        return id == table.primaryItemID || table.properties(of: id).contains { $0.type == "ispe" }
      }
    }
    keptSet = Set(kept)
  }

  func isKept(_ id: UInt32) -> Bool { keptSet.contains(id) }

  mutating func remove(_ id: UInt32) {
    kept.removeAll { $0 == id }
    keptSet.remove(id)
  }

  /// Whether an item is a thumbnail and nothing else.
  func isThumbnail(_ id: UInt32) -> Bool {
    id != table.primaryItemID && table.references.contains { $0.type == "thmb" && $0.from == id }
      && !table.references.contains { $0.type != "thmb" && $0.type != "cdsc" && $0.to.contains(id) }
  }

  /// Adds an item that describes the primary image.
  ///
  /// - Throws: `CodecError.Kind.encodingFailed` if there is no identifier left.
  mutating func add(_ type: FourCharacterCode, contentType: String = "", _ data: [UInt8]) throws(CodecError) {
    let used = Set(table.items.keys).union(additions.map { $0.id })
    // Items share their identifiers with tracks and entity groups, which are numbered from 1 and are few.
    var id = max(used.max() ?? 0, 1000)
    while used.contains(id) || id == 0 {
      guard id < .max else {
        throw CodecError(.encodingFailed, "there are no more item identifiers", format: ISOMediaDecoder.heif)
      }
      id += 1
    }
    additions.append(Addition(id: id, type: type, contentType: contentType, data: data))
  }

  /// Whether identifiers need 32 bits.
  var isWide: Bool { (kept.last ?? 0) > 0xFFFF || additions.contains { $0.id > 0xFFFF } }
  /// The number of bytes of an identifier.
  var idByteCount: Int { isWide ? 4 : 2 }
}
