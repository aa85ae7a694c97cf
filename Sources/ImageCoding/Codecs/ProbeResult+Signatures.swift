// Recognises formats by fixed bytes at the start.

package import ImageCore

extension ProbeResult {
  /// Compares the start of a file with signatures.
  ///
  /// - Parameter signatures: the bytes at the start of the file; `nil` matches any byte.
  package init(_ prefix: Span<UInt8>, signatures: [[UInt8?]], type: AssetType) {
    self = .no
    for signature in signatures {
      let isMatch = signature.indices.allSatisfy { index in
        guard let byte = signature[index], index < prefix.count else { return true }
        return prefix[index] == byte
      }
      guard isMatch else { continue }
      if prefix.count >= signature.count {
        self = .yes(type)
        return
      }
      self = .needs(byteCount: signature.count)
    }
  }
}
