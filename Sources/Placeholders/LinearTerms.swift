// The cosine terms of a BlurHash: red, green and blue in linear light. Positions are measured from the corners of pixels.

internal import ImageCore

/// Terms of three channels, row by row; the first is the mean.
struct LinearTerms {
  private struct Term {
    var red = 0.0
    var green = 0.0
    var blue = 0.0

    var magnitude: Double { max(abs(red), abs(green), abs(blue)) }
  }

  private let columns: Int
  private let rows: Int
  private var terms: [Term] = []

  /// - Parameter picture: straight 8-bit RGBA.
  init(_ picture: Bitmap, columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
    let (width, height) = (picture.width, picture.height)
    let light = picture.packedPixels.map { Self.light[Int($0)] }
    let cosinesX = CosineTable(size: width, frequencyCount: columns, origin: 0)
    let cosinesY = CosineTable(size: height, frequencyCount: rows, origin: 0)
    for v in 0..<rows {
      for u in 0..<columns {
        var term = Term()
        for y in 0..<height {
          for x in 0..<width {
            let weight = cosinesX[u, x] * cosinesY[v, y]
            let index = (y * width + x) * 4
            term.red += weight * light[index]
            term.green += weight * light[index + 1]
            term.blue += weight * light[index + 2]
          }
        }
        let scale = (u == 0 && v == 0 ? 1.0 : 2.0) / Double(width * height)
        terms.append(Term(red: term.red * scale, green: term.green * scale, blue: term.blue * scale))
      }
    }
  }

  /// - Parameter digits: all digits of a hash with this number of terms.
  init(blurHashDigits digits: [Int], columns: Int, rows: Int, contrast: Double) {
    self.columns = columns
    self.rows = rows
    let average = Base83.number(digits[2..<6])
    terms.append(
      Term(red: Self.light[average >> 16 & 255], green: Self.light[average >> 8 & 255], blue: Self.light[average & 255])
    )
    let largest = Double(digits[1] + 1) / 166 * contrast
    for index in 1..<columns * rows {
      let value = Base83.number(digits[4 + index * 2..<6 + index * 2])
      func part(_ value: Int) -> Double {
        let root = (Double(value) - 9) / 9
        return (root < 0 ? -root * root : root * root) * largest
      }
      terms.append(Term(red: part(value / 361), green: part(value / 19 % 19), blue: part(value % 19)))
    }
  }

  var blurHashText: String {
    var text = Base83.text(columns - 1 + (rows - 1) * 9, digitCount: 1)
    var largest = 1.0
    if terms.count > 1 {
      let magnitude = terms.dropFirst().reduce(0) { max($0, $1.magnitude) }
      let quantised = min(max(Int((magnitude * 166 - 0.5).rounded(.down)), 0), 82)
      largest = Double(quantised + 1) / 166
      text += Base83.text(quantised, digitCount: 1)
    } else {
      text += Base83.text(0, digitCount: 1)
    }
    let mean = terms[0]
    let average = Self.sample(mean.red) << 16 | Self.sample(mean.green) << 8 | Self.sample(mean.blue)
    text += Base83.text(average, digitCount: 4)
    for term in terms.dropFirst() {
      func part(_ value: Double) -> Int {
        let ratio = value / largest
        let root = ratio < 0 ? -(-ratio).squareRoot() : ratio.squareRoot()
        return min(max(Int((root * 9 + 9.5).rounded(.down)), 0), 18)
      }
      text += Base83.text(part(term.red) * 361 + part(term.green) * 19 + part(term.blue), digitCount: 2)
    }
    return text
  }

  func makeBitmap(width: Int, height: Int, _ budget: inout ResourceBudget) throws(CodecError) -> Bitmap {
    var bitmap = try Bitmap(width: width, height: height, format: .rgb8, limits: budget.limits)
    try budget.allocate(count: width + height, bytesEach: 72)
    let cosinesX = CosineTable(size: width, frequencyCount: columns, origin: 0)
    let cosinesY = CosineTable(size: height, frequencyCount: rows, origin: 0)
    for y in 0..<height {
      try budget.chargeWork(count: width, unitsEach: 10 * terms.count)
      for x in 0..<width {
        var sum = Term()
        for (index, term) in terms.enumerated() {
          let weight = cosinesX[index % columns, x] * cosinesY[index / columns, y]
          sum.red += term.red * weight
          sum.green += term.green * weight
          sum.blue += term.blue * weight
        }
        bitmap[x, y] = RGBA8(
          red: UInt8(Self.sample(sum.red)), green: UInt8(Self.sample(sum.green)), blue: UInt8(Self.sample(sum.blue)))
      }
    }
    return bitmap
  }

  // MARK: sRGB

  /// The linear light of each 8-bit sample.
  private static let light: [Double] = (0...255).map { SRGBTransfer.linear(Double($0) / 255) }

  /// Returns the sample of a linear light, 0…255.
  private static func sample(_ light: Double) -> Int {
    Int(SRGBTransfer.encoded(min(max(light, 0), 1)) * 255 + 0.5)
  }
}
