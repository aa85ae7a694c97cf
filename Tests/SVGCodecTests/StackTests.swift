#if canImport(Foundation) && !os(WASI)
  import Foundation
  import ImageCoding
  import SVGCodec
  import Testing

  /// Drawings nested as deeply as they may be, on the stack of a small thread.
  @Suite struct StackTests {
    /// Without optimisation, frames are about twice as large.
    private static var stackSize: Int {
      #if DEBUG
        512 << 10
      #else
        256 << 10
      #endif
    }

    private static let chain: String =
      (0..<200).map { index in
        "<filter id='f\(index)'><feImage href='#e\(index + 1)'/></filter>"
          + "<rect id='e\(index)' width='9' height='9' filter='url(#f\(index))'/>"
      }.joined() + "<rect id='e200' width='9' height='9'/>"

    private static func masks(_ count: Int) -> String {
      let masks = (0..<count).map { index in
        "<mask id='m\(index)'><g opacity='.9'><rect width='9' height='9' fill='white' mask='url(#m\(index + 1))'/></g></mask>"
      }
      return masks.joined() + "<mask id='m\(count)'><rect width='9' height='9' fill='white'/></mask>"
        + "<rect width='9' height='9' mask='url(#m0)'/>"
    }

    private static func filters(_ count: Int) -> String {
      let filters = (0..<count).map { index in
        "<filter id='f\(index)'><feImage href='#e\(index + 1)'/><feMerge><feMergeNode/><feMergeNode/></feMerge></filter>"
          + "<g id='e\(index)' filter='url(#f\(index))'><g opacity='.5'><rect width='9' height='9'/></g></g>"
      }
      return filters.joined() + "<rect id='e\(count)' width='9' height='9'/>"
    }

    private static func patterns(_ count: Int) -> String {
      let patterns = (0..<count).map { index in
        "<pattern id='p\(index)' width='9' height='9' patternUnits='userSpaceOnUse'>"
          + "<g opacity='.9'><rect width='9' height='9' fill='url(#p\(index + 1))'/></g></pattern>"
      }
      return patterns.joined() + "<rect width='9' height='9' fill='url(#p0)'/>"
    }

    private static func clips(_ count: Int) -> String {
      let clips = (0..<count).map { index in
        "<clipPath id='c\(index)' clip-path='url(#c\(index + 1))'><g><rect width='9' height='9' clip-path='url(#c\(index + 1))'/>"
          + "</g></clipPath>"
      }
      return clips.joined() + "<rect width='9' height='9' clip-path='url(#c0)'/>"
    }

    @Test(arguments: [
      ("chain", chain), ("masks", masks(24)), ("masks within the limit", masks(5)), ("filters", filters(24)),
      ("filters within the limit", filters(5)), ("patterns", patterns(40)), ("patterns within the limit", patterns(11)),
      ("clips", clips(12)),
    ])
    func nestedDrawingsFitIntoASmallStack(name: String, body: String) async {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        let thread = Thread {
          // A picture or an error: only the stack matters.
          _ = try? draw(body)
          continuation.resume()
        }
        thread.stackSize = Self.stackSize
        thread.start()
      }
    }

    @Test func reasonableNestingIsDrawn() throws {
      for body in [Self.masks(5), Self.filters(5), Self.patterns(11)] { _ = try draw(body) }
    }
  }
#endif
