// One block of a sequential scan: a DC difference, followed by runs and values of AC coefficients. ITU-T T.81, section
// F.2.2.

internal import ImageCoding

extension EntropyReader {
  /// Reads a DC difference.
  @inline(__always)
  package mutating func readDifference(_ bytes: Span<UInt8>, _ tables: Span<Int32>, table start: Int) -> Int32 {
    let table = tables.extracting(start..<start &+ HuffmanLookup.wordCount)
    refill(bytes)
    let entry = table[peek(HuffmanLookup.bitCount)]
    if entry & 0xFC00 != 0 {
      skipCode(of: entry)
      return entry &>> 16
    }
    let size: Int
    if entry != 0 {
      skipCode(of: entry)
      size = Int((entry &>> 6) & 15)
    } else {
      size = readLongSymbol(table) & 15
    }
    return size == 0 ? 0 : readExtended(size)
  }

  /// Reads the AC coefficients of a block and stores them, multiplied by their steps, at their positions.
  ///
  /// - Parameters:
  ///   - places: as in ``ScanTables``, starting at `placesStart`.
  ///   - block: 64 zeros, except for the first.
  /// - Returns: the zigzag index of the last coefficient, or 0 if there is none.
  @inline(__always)
  package mutating func readACCoefficients(
    _ bytes: Span<UInt8>, _ tables: Span<Int32>, table start: Int, _ places: Span<UInt32>, placesStart: Int,
    into block: inout MutableSpan<Int16>
  ) -> Int {
    readACCoefficients(
      PlacedCoefficients.self, bytes, tables, table: start, places, placesStart: placesStart, into: &block
    ).last
  }

  /// Reads the AC coefficients of a block, multiplied by their steps, in one of the forms in which they are stored.
  ///
  /// - Returns: the zigzag index of the last coefficient, or 0 if there is none, and the number of coefficients.
  @inline(__always)
  mutating func readACCoefficients<Form: CoefficientForm>(
    _ form: Form.Type, _ bytes: Span<UInt8>, _ tables: Span<Int32>, table start: Int, _ allPlaces: Span<UInt32>,
    placesStart: Int, into block: inout MutableSpan<Form.Element>
  ) -> (last: Int, count: Int) {
    // With spans of known length, the look-up index is in range without a check.
    let table = tables.extracting(start..<start &+ HuffmanLookup.wordCount)
    let places = allPlaces.extracting(placesStart..<placesStart &+ ScanTables.placesPerComponent)
    var index = 1
    var (last, count) = (0, 0)
    while index < 64 {
      refill(bytes)
      let entry = table[peek(HuffmanLookup.bitCount)]
      var value = entry &>> 16
      if value != 0 {
        skipCode(of: entry)
        index &+= Int((entry &>> 10) & 63)
      } else {
        let run: Int
        let size: Int
        if entry != 0 {
          skipCode(of: entry)
          run = Int((entry &>> 10) & 63)
          size = Int((entry &>> 6) & 15)
        } else {
          let symbol = readLongSymbol(table)
          run = symbol &>> 4
          size = symbol & 15
        }
        if size == 0 {
          if run != 15 { break }
          index &+= 16
          continue
        }
        index &+= run
        value = readExtended(size)
      }
      let place = places[index]
      form.store(
        Int16(truncatingIfNeeded: value &* Int32(truncatingIfNeeded: place &>> 8)), place: Int(place & 63),
        number: count, in: &block)
      last = index
      count &+= 1
      index &+= 1
    }
    return (last, count)
  }
}

/// A form in which the coefficients of a block are stored. Each is a type, so that reading is specialised for it.
protocol CoefficientForm {
  associatedtype Element: BitwiseCopyable

  /// Stores a coefficient.
  ///
  /// - Parameters:
  ///   - place: its position in the block.
  ///   - number: the number of AC coefficients before it.
  static func store(_ value: Int16, place: Int, number: Int, in block: inout MutableSpan<Element>)
}

/// Coefficients at their positions in a block.
enum PlacedCoefficients: CoefficientForm {
  @inline(__always)
  static func store(_ value: Int16, place: Int, number: Int, in block: inout MutableSpan<Int16>) {
    block[place] = value
  }
}
