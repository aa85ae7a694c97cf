// The variable of <unistd.h>, which the overlays of Apple's platforms and of Linux declare and that of Android does not.

public var environ: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> {
  unsafe UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: 1)
}
