// Writes a file while it is made, and replaces an existing one only when it is complete.

package import ImageCodecs
internal import Platform

/// The destination of a command's output. A regular file is written next to its final place, part by part; standard
/// output, devices and pipes cannot be taken back, so that they receive the file when it is complete; until then it is
/// in memory.
package final class FileOutput {
  private let path: String
  private var draft: FileDraft?
  /// The first failure to write a part; later parts are dropped.
  private var failure: SystemError?

  /// - Parameter path: the file; `-` means standard output.
  package init(path: String) {
    self.path = path
  }

  /// Creates the output of an encoder, which is written to a draft of the file if possible and kept in memory
  /// otherwise.
  package func makeOutput() -> EncodedOutput {
    // An error is reported when the complete file is written.
    if path != "-", draft == nil { draft = try? FileReplacement.draft(ofFileAt: FileName.bytes(of: path)) }
    return EncodedOutput(to: draft == nil ? nil : self)
  }

  /// Completes the file. An existing one is unchanged if that fails.
  ///
  /// - Parameter rest: the file, unless an encoder has written it to ``makeOutput()``.
  package func finish(_ rest: [UInt8]) throws {
    guard let draft else { return try StandardStreams.write(rest, to: path) }
    do throws(SystemError) {
      if let failure { throw failure }
      if !rest.isEmpty { try draft.write(rest.span) }
      try draft.finish()
    } catch {
      throw ToolFailure(file: path, usage: "cannot be written: \(error.reason)")
    }
  }
}

extension FileOutput: EncodedOutputDestination {
  /// Writes a part of the file.
  package func append(_ part: [UInt8]) {
    write { (draft) throws(SystemError) in try draft.write(part.span) }
  }

  /// Replaces bytes that were written.
  package func replace(at offset: Int, with bytes: [UInt8]) {
    write { (draft) throws(SystemError) in try draft.replace(at: offset, with: bytes.span) }
  }

  /// Failures are reported by ``finish(_:)``, since they are no fault of the image.
  private func write(_ body: (FileDraft) throws(SystemError) -> Void) {
    guard failure == nil, let draft else { return }
    do throws(SystemError) {
      try body(draft)
    } catch {
      failure = error
    }
  }
}
