// The calls that the delegate of a loader receives for its downloads.

import Foundation
import ImageLoading
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct LoaderDelegateTests {
  /// Records the events of a session's tasks.
  private final class Listener: NSObject, URLSessionDataDelegate, Sendable {
    let events = Log<String>()

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      events.append("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      events.append("data")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      events.append("end")
    }
  }

  private func events(status: Int) async throws -> [String] {
    let server = try LoopbackServer { $0.respond(status, body: Array("body".utf8)) }
    let (listener, loader) = (Listener(), DataLoader(configuration: .ephemeral))
    loader.delegate = listener
    let ended = Gate()
    _ = loader.loadData(with: URLRequest(url: server.url)) { _, _ in
      listener.events.append("loaded data")
    } completion: { error in
      listener.events.append(error == nil ? "loaded" : "failed")
      ended.open()
    }
    await ended.wait()
    await settle { listener.events.values.contains("end") }
    return listener.events.values
  }

  @Test func theDelegateHearsBeforeTheLoader() async throws {
    #expect(try await events(status: 200) == ["response 200", "data", "loaded data", "end", "loaded"])
  }

  /// The body of a response that is not accepted is not of use to anyone.
  @Test func bodiesOfErrorsAreNotPassedOn() async throws {
    #expect(try await events(status: 500) == ["response 500", "failed", "end"])
  }
}
