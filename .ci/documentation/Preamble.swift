// What the code blocks of the documentation use without declaring it.

import Foundation
import ImageCodecs

let bytes: [UInt8] = []
let prefix: [UInt8] = []
let edited: [UInt8] = []
let data = Data()
let url = URL(filePath: "/picture.jpg")

let image = Bitmap()
let photo = Bitmap()
let bitmap = Bitmap()
let logo = Bitmap()
let pictures: [Bitmap] = []
let small = DecodedImage(bitmap: bitmap, details: DecodingDetails(info: ImageInfo(type: .png, width: 1, height: 1)))
let files: [String: [UInt8]] = [:]
let options = DecodingOptions()
let style = TextStyle(families: [], size: 12)
nonisolated(unsafe) var picture = Bitmap()

var file: ImageFile { get throws { try ImageFile(bytes) } }
var upload: ImageFile { get throws { try ImageFile(bytes) } }

/// The chunks of the body of a request.
let body = AsyncThrowingStream<[UInt8], any Error> { $0.finish() }

func show(_ picture: Bitmap) {}
func show(_ frame: Bitmap, for duration: Duration) {}
func layout(_ size: PixelSize) {}
func process(_ row: Span<UInt8>) {}
func write(_ bytes: [UInt8], type: String?) throws {}
