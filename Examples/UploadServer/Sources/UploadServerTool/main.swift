import Foundation
import UploadServer

let folder = URL(filePath: CommandLine.arguments.count > 1 ? CommandLine.arguments[1] : "pictures")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
try await UploadServer(folder: folder).application().runService()
