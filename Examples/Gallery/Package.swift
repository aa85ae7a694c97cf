// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Gallery",
  platforms: [.macOS(.v26)],
  dependencies: [.package(name: "swift-image-codecs", path: "../..")],
  targets: [
    .target(name: "Gallery", dependencies: [.product(name: "ImageCodecs", package: "swift-image-codecs")]),
    .executableTarget(name: "make-gallery", dependencies: ["Gallery"], path: "Sources/GalleryTool"),
    .testTarget(name: "GalleryTests", dependencies: ["Gallery"]),
  ]
)
