// Pictures reduced by powers of two, which squeezed channels contain (ISO/IEC 18181-1, H.6.2).

internal import ImageCoding

extension SqueezeTransform {
  /// Marks the channels that are not needed for a picture reduced by 2 to the power of a level. Returns `false` if the
  /// steps do not produce this picture, as they leave channels of other shapes.
  ///
  /// Chroma may be reduced more than luma before the other steps. Then the channels of chroma that are needed are those
  /// of one more level.
  func omitLevels(
    finerThan level: Int, _ image: inout ModularImage, budget: inout ResourceBudget
  ) throws(CodecError) -> Bool {
    guard image.metaChannelCount == 0 else { return false }
    try budget.chargeWorkInParts(count: 1 + steps.count, unitsEach: 10 + 4 * image.channels.count)
    // The list while the steps are undone: each channel and its index in the list of coded channels.
    var list = image.channels
    var indices = Array(list.indices)
    // Whether the channel is final, although steps remain.
    var isFinal = [Bool](repeating: false, count: list.count)
    var isOmitted = isFinal
    for step in steps.reversed() {
      let end = step.first + step.count
      let firstDifference = step.isInPlace ? end : list.count - step.count
      guard firstDifference >= end, firstDifference + step.count <= list.count else { return false }
      for index in 0..<step.count {
        let (place, other) = (step.first + index, firstDifference + index)
        let shift = step.isHorizontal ? list[place].horizontalShift : list[place].verticalShift
        guard shift > level else {
          isOmitted[indices[other]] = true
          isFinal[place] = true
          continue
        }
        guard !isFinal[place], !isFinal[other] else { return false }
        if step.isHorizontal {
          list[place].width += list[other].width
          list[place].horizontalShift -= 1
        } else {
          list[place].height += list[other].height
          list[place].verticalShift -= 1
        }
      }
      list.removeSubrange(firstDifference..<firstDifference + step.count)
      indices.removeSubrange(firstDifference..<firstDifference + step.count)
      isFinal.removeSubrange(firstDifference..<firstDifference + step.count)
    }
    guard let first = list.first,
      list.allSatisfy({ $0.hasSameShape(as: first) && $0.horizontalShift == level && $0.verticalShift == level })
    else { return false }
    for index in image.channels.indices { image.channels[index].isNeeded = !isOmitted[index] }
    return true
  }
}
