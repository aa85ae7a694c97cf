// Drawings with a filter, one pixel a user unit.

import SVGCodec

/// A rectangle of a 20 × 20 drawing, filtered by some primitives that work on sRGB.
func filtered(
  _ primitives: String, region: String = "x='0' y='0' width='20' height='20' filterUnits='userSpaceOnUse'",
  content: String = "<rect x='5' y='5' width='10' height='10' fill='#ff8000'/>",
  group: String = ""
) throws -> Bitmap {
  try draw(
    """
    <filter id='f' \(region) color-interpolation-filters='sRGB'>\(primitives)</filter>
    <g filter='url(#f)' \(group)>\(content)</g>
    """)
}

/// The rectangle above under the `filter` property.
func filtered(by value: String) throws -> Bitmap {
  try draw("<rect x='5' y='5' width='10' height='10' fill='#ff8000' style='filter: \(value)'/>")
}
