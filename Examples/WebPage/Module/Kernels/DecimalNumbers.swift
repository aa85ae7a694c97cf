// The function of the standard library's runtime that reads decimal numbers, which Embedded Swift lacks.

/// Of the C library.
@_extern(c) func strtod(
  _ text: UnsafePointer<CChar>, _ end: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Double

/// Reads a number. Returns the end of its text, or `nil` if there is no number.
@_cdecl("_swift_stdlib_strtod_clocale")
public func readDecimalNumber(
  _ text: UnsafePointer<CChar>, _ result: UnsafeMutablePointer<Double>
) -> UnsafePointer<CChar>? {
  var end: UnsafeMutablePointer<CChar>?
  // SAFETY: the text ends with a zero, and the locale of the module is that of C.
  unsafe result.pointee = unsafe strtod(text, &end)
  guard let end = unsafe end, unsafe UnsafePointer(end) != text else { return nil }
  return unsafe UnsafePointer(end)
}
