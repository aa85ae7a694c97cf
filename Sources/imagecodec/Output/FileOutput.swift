// Writes a file while it is made, and replaces an existing one only when it is complete.

package import ImageCodecs
internal import Platform

/// The destination of a command's output. A regular file is written next to its final place, part by part; standard
/// output, devices and pipes cannot be taken back, so that they receive the file when it is complete.
package final class FileOutput {
  private let path: String
  private var draft: FileDraft?
  /// The first failure to write a part; later parts are dropped.
  private var failure: SystemError?

  /// - Parameter path: the file; `-` means standard output.
  package init(path: String) {
    self.path = path
  }

  /// What an encoder writes to.
  package func makeOutput() -> EncodedOutput {
    // An error is reported when the complete file is written.
    if path != "-", draft == nil { draft = try? FileReplacement.draft(ofFileAt: FileName.bytes(of: path)) }
    guard let draft else { return EncodedOutput() }
    return EncodedOutput { [self] (part) throws(CodecError) in
      // Reported by ``finish(_:)``, since it is no fault of the image.
      guard failure == nil else { return }
      do throws(SystemError) {
        try draft.write(part.span)
      } catch {
        failure = error
      }
    }
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
