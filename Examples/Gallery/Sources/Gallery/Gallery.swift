// A folder of photos as a static page.

import Foundation
import ImageCodecs

/// Makes galleries.
public struct Gallery: Sendable {
  /// The title of the page.
  public var title: String

  /// - Parameter title: the title of the page.
  public init(title: String) { self.title = title }

  /// What became of a folder.
  public struct Summary: Sendable {
    /// The number of photos on the page.
    public var photoCount: Int
    /// The files that are not shown, with the reasons.
    public var refused: [(path: String, reason: String)]
  }

  /// Writes index.html and the versions of all photos of a folder.
  ///
  /// - Throws: errors of the file system. Files that are not pictures are left out and returned.
  public func make(from source: URL, into target: URL) async throws -> Summary {
    let names = try FileManager.default.contentsOfDirectory(atPath: source.path).sorted()
    try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
    // Pictures are made side by side: the library lets as many run at once as there are processors.
    let outcomes = await withTaskGroup(of: (Int, Result<Photo, any Error>).self) { group in
      for (number, name) in names.enumerated() where !name.hasPrefix(".") {
        group.addTask {
          do {
            let file = source.appendingPathComponent(name)
            return (number, .success(try await Photo(file, number: number, into: target)))
          } catch {
            return (number, .failure(error))
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }
    }
    var photos: [Photo] = []
    var summary = Summary(photoCount: 0, refused: [])
    for (number, outcome) in outcomes {
      switch outcome {
      case .success(let photo): photos.append(photo)
      case .failure(let error): summary.refused.append((names[number], "\(error)"))
      }
    }
    summary.photoCount = photos.count
    try Data(Page(title: title, photos: photos).html.utf8).write(to: target.appendingPathComponent("index.html"))
    return summary
  }
}
