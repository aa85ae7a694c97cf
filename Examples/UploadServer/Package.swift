// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "UploadServer",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "swift-image-codecs", path: "../.."),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.0.0"),
  ],
  targets: [
    .target(
      name: "UploadServer",
      dependencies: [
        .product(name: "ImageCodecs", package: "swift-image-codecs"),
        .product(name: "Hummingbird", package: "hummingbird"),
      ]),
    .executableTarget(name: "upload-server", dependencies: ["UploadServer"], path: "Sources/UploadServerTool"),
    .testTarget(
      name: "UploadServerTests",
      dependencies: ["UploadServer", .product(name: "HummingbirdTesting", package: "hummingbird")]),
  ]
)
