// The declarations of Foundation that ImageCodecs uses, for processors for which the compiler has the language's modules
// but not Foundation's. Files are read by name through the module Platform instead.

public struct Data: Sendable {
  public struct ReadingOptions: Sendable {
    public static let mappedIfSafe = ReadingOptions()
    public static let alwaysMapped = ReadingOptions()
  }
  public struct WritingOptions: Sendable { public static let atomic = WritingOptions() }

  private let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }
  public init(contentsOf url: URL, options: ReadingOptions) throws { throw Unavailable() }

  public var count: Int { bytes.count }
  public var span: Span<UInt8> { @_lifetime(borrow self) get { bytes.span } }
  public func write(to url: URL, options: WritingOptions) throws { throw Unavailable() }
}

public struct URL: Sendable {
  public let path: String

  public init(fileURLWithPath path: String) { self.path = path }

  public var pathExtension: String { path.split(separator: ".").last.map { String($0) } ?? "" }
  public func resolvingSymlinksInPath() -> URL { self }
}

public struct ProcessInfo: Sendable {
  public static var processInfo: ProcessInfo { ProcessInfo() }

  public var activeProcessorCount: Int { 2 }
}

public enum FileAttributeKey: Hashable { case type, size }

public enum FileAttributeType { case typeRegular }

public struct FileManager {
  public static var `default`: FileManager { FileManager() }

  public func attributesOfItem(atPath path: String) throws -> [FileAttributeKey: Any] { throw Unavailable() }
}

public protocol LocalizedError: Error { var errorDescription: String? { get } }

struct Unavailable: Error {}
