import ImageCore
import MetadataFormats
import Testing

@Suite struct EXIFOrientationTests {
  /// A block with the tags given, in one byte order.
  private func block(_ entries: [(tag: Int, type: Int, value: Int)], isBigEndian: Bool) -> [UInt8] {
    func integer(_ value: Int, _ count: Int) -> [UInt8] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      return isBigEndian ? bytes.reversed() : bytes
    }
    var bytes: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
    bytes += integer(42, 2) + integer(8, 4) + integer(entries.count, 2)
    for entry in entries {
      bytes += integer(entry.tag, 2) + integer(entry.type, 2) + integer(1, 4)
      bytes += entry.type == 3 ? integer(entry.value, 2) + [0, 0] : integer(entry.value, 4)
    }
    return bytes + integer(0, 4)
  }

  private func orientation(_ bytes: [UInt8]) -> ImageOrientation? { ImageOrientation(exif: bytes.span) }

  @Test(arguments: ImageOrientation.allCases, [false, true])
  func bothByteOrdersAndTypes(orientation expected: ImageOrientation, isBigEndian: Bool) {
    for type in [3, 4] {
      let value = Int(expected.rawValue)
      let bytes = block([(0x0100, 4, 99), (0x0112, type, value), (0x0128, 3, 2)], isBigEndian: isBigEndian)
      #expect(orientation(bytes) == expected)
    }
  }

  @Test func damageSaysNothing() {
    let sound = block([(0x0112, 3, 6)], isBigEndian: true)
    for count in 0..<20 { #expect(orientation(Array(sound[..<count])) == nil) }
    for value in [0, 9, 65535] { #expect(orientation(block([(0x0112, 3, value)], isBigEndian: false)) == nil) }
    #expect(orientation(block([], isBigEndian: false)) == nil)
    #expect(orientation([0x4D, 0x4D, 0, 42, 0xFF, 0xFF, 0xFF, 0xFF]) == nil)
    for bit in 0..<sound.count * 8 {
      var flipped = sound
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = orientation(flipped)
      _ = exifBlock(flipped, settingOrientation: .left)
    }
  }

  @Test(arguments: ImageOrientation.allCases, [false, true])
  func theTagIsSetInPlaceOrAdded(target: ImageOrientation, isBigEndian: Bool) {
    let present = block([(0x0100, 4, 99), (0x0112, 4, 3), (0x0128, 3, 2)], isBigEndian: isBigEndian)
    let changed = exifBlock(present, settingOrientation: target)
    #expect(changed.count == present.count)
    #expect(orientation(changed) == target)
    let missing = block([(0x0100, 4, 99), (0x0128, 3, 2)], isBigEndian: isBigEndian)
    let added = exifBlock(missing, settingOrientation: target)
    #expect(orientation(added) == (target == .up ? nil : target))
    if target != .up {
      // The other tags are before and after it, in order, as in a block with all of them.
      let directory = Array(added[(missing.count + missing.count % 2)...])
      let expected = block(
        [(0x0100, 4, 99), (0x0112, 3, Int(target.rawValue)), (0x0128, 3, 2)], isBigEndian: isBigEndian)
      #expect(directory == Array(expected[8...]))
    }
    #expect(orientation(exifBlock(orientation: target)) == target)
  }
}

@Suite struct ICCProfileHeaderTests {
  private func profile(_ tag: [UInt8]) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes.replaceSubrange(12..<16, with: Array("mntr".utf8))
    bytes.replaceSubrange(16..<20, with: Array("RGB ".utf8))
    bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
    return bytes + [0, 0, 0, 1] + Array("desc".utf8) + [0, 0, 0, 144, 0, 0, 0, UInt8(tag.count)] + tag
  }

  private func header(_ bytes: [UInt8]) throws -> ICCProfileHeader { try ICCProfileHeader(parsing: bytes.span) }

  @Test func descriptionsOfBothVersions() throws {
    let old = Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 5] + Array("sRGB\0".utf8)
    #expect(try header(profile(old)).profileDescription == "sRGB")
    // Some writers end the text with NUL.
    for text in ["P3 ☺", "P3 ☺\0"] {
      let name = Array(text.utf16).flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
      let new =
        Array("mluc".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 12] + Array("enUS".utf8)
        + [0, 0, 0, UInt8(name.count), 0, 0, 0, 28] + name
      let parsed = try header(profile(new))
      #expect(parsed.profileDescription == "P3 ☺")
      #expect(parsed.dataColorSpace == "RGB ")
      #expect(parsed.profileClass == "mntr")
    }
  }

  @Test func damageIsNoTrap() throws {
    let sound = profile(Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 5] + Array("sRGB\0".utf8))
    for count in 0..<128 { #expect((try? header(Array(sound[..<count]))) == nil || count >= 40) }
    for bit in 0..<sound.count * 8 {
      var flipped = sound
      flipped[bit / 8] ^= 1 << UInt8(bit % 8)
      _ = try? header(flipped)
    }
  }
}
