// The EXIF block of files that have none: a directory with the make, the model and the date.

internal import ImageCoding

extension CameraProperties {
  /// The block; `nil` if nothing is known.
  var exifBlock: [UInt8]? {
    let texts: [(tag: UInt16, text: String)] = [(271, make), (272, model), (306, date)].filter { !$0.1.isEmpty }
    guard !texts.isEmpty else { return nil }
    var block = ByteWriter(.littleEndian, after: Array("II".utf8))
    block.append(42 as UInt16)
    block.append(8 as UInt32)
    block.append(UInt16(texts.count))
    var values: [UInt8] = []
    let start = 8 + 2 + texts.count * 12 + 4
    for (tag, text) in texts {
      let bytes = Array(text.utf8) + [0]
      block.append(tag)
      block.append(2 as UInt16)
      block.append(UInt32(bytes.count))
      if bytes.count <= 4 {
        block.append(bytes + [UInt8](repeating: 0, count: 4 - bytes.count))
      } else {
        block.append(UInt32(start + values.count))
        values += bytes
      }
    }
    block.append(0 as UInt32)
    block.append(values)
    return block.bytes
  }
}

/// Returns a time as EXIF writes it, in the time zone in which it was counted: cameras count local time.
func exifDate(secondsSince1970 seconds: Int) -> String {
  let (day, second) = (seconds / 86_400, seconds % 86_400)
  // Years that start in March have their leap day at the end. Day 0 is the first of March of the year 0.
  let shifted = day + 719_468
  let era = shifted / 146_097
  let dayOfEra = shifted % 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let shiftedMonth = (5 * dayOfYear + 2) / 153
  let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
  let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  func digits(_ value: Int, _ count: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, count - text.count)) + text
  }
  let date = [digits(year, 4), digits(month, 2), digits(dayOfYear - (153 * shiftedMonth + 2) / 5 + 1, 2)]
  let time = [digits(second / 3_600, 2), digits(second / 60 % 60, 2), digits(second % 60, 2)]
  return date.joined(separator: ":") + " " + time.joined(separator: ":")
}
