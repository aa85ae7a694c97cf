import Foundation
import Gallery

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 2, let source = arguments.first, let target = arguments.last else {
  print("usage: make-gallery PHOTOS FOLDER")
  exit(64)
}
let gallery = Gallery(title: URL(filePath: source).lastPathComponent)
let summary = try await gallery.make(from: URL(filePath: source), into: URL(filePath: target))
for file in summary.refused { print("\(file.path): \(file.reason)") }
print("\(summary.photoCount) photos: \(target)/index.html")
