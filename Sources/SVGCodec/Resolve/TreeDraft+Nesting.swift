// Images and documents in a document: they are charged to its budget.

internal import ImageCoding
internal import VectorGraphics

extension TreeDraft {
  /// Returns an image, decoded within the remainder of the budget.
  mutating func decoded(
    _ bytes: [UInt8], by decode: ([UInt8], inout ResourceBudget) throws(CodecError) -> Bitmap
  ) throws(CodecError) -> RenderTree.Picture {
    let held = account.budget.heldByteCount
    try account.budget.descend()
    defer { account.budget.ascend() }
    let bitmap = try decode(bytes, &account.budget)
    // The pixels of the layer exist in addition to those of the bitmap during the conversion.
    account.budget.settle(heldByteCount: held)
    let byteCount = try account.budget.allocatePixels(width: bitmap.width, height: bitmap.height, bytesPerPixel: 8)
    account.budget.release(byteCount)
    try account.hold(byteCount / 2)
    tree.pictureCount += 1
    return RenderTree.Picture(id: tree.pictureCount, layer: try Layer(bitmap))
  }

  /// Rethrows errors that end the whole decode, since a nested image is charged to the budget of the document.
  func rethrowLimits(_ error: CodecError) throws(CodecError) {
    switch error.kind {
    case .limitExceeded, .cancelled, .deadlineExceeded: throw error
    default: break
    }
  }

  /// Returns a nested document, read within the remainder of the budget.
  mutating func nested(
    _ bytes: [UInt8], options: SVGDocument.Options, elementID: String? = nil
  ) throws(CodecError) -> SVGDocument {
    let held = account.budget.heldByteCount
    try account.budget.descend()
    defer { account.budget.ascend() }
    let document = try SVGDocument(
      parsing: bytes.span, limits: account.limits, options: options, budget: &account.budget, isNested: true,
      elementID: elementID)
    account.treeByteCount += account.budget.heldByteCount - held
    return document
  }
}
