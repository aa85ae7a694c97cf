// Copies bytes out of a span so that they can outlive it.

extension Array where Element == UInt8 {
  /// Creates an array with the bytes of a span.
  package init(copying span: Span<UInt8>) {
    self.init(capacity: span.count) { output in
      for index in span.indices { output.append(span[index]) }
    }
  }

  /// Appends the bytes of a span. The capacity grows geometrically, so repeated appending takes linear time.
  package mutating func append(copying span: Span<UInt8>) {
    append(addingCapacity: span.count) { output in
      for index in span.indices { output.append(span[index]) }
    }
  }
}
