// Bytes that outlive the span that they were seen through.

extension Array where Element == UInt8 {
  /// The bytes of a span.
  package init(copying span: Span<UInt8>) {
    self.init(capacity: span.count) { output in
      for index in span.indices { output.append(span[index]) }
    }
  }
}
