import FluxCore
import TestFixtures
import Testing

/// The code of the page "Element lists".
@Suite("The page about lists", .hangLimit) struct ListsPageTests {
  struct Download: StateValue, Identifiable {
    let id: Int
    let url: String
    var size = 0
  }

  enum DownloadsAction: Action {
    case add(Download)
    case remove(id: Int)
    case download(id: Int, DownloadAction)
  }

  enum DownloadAction: Action { case start, finished(Int) }

  struct DownloadsStore: Store {
    let client: @Sendable (_ url: String) async throws -> Int
    let initialState: Keyed<Download> = []

    func reduce(_ list: inout Keyed<Download>, _ action: DownloadsAction, _ step: inout Step) throws
    {
      switch action {
      case .add(let download): list.append(download)
      case .remove(let id): list.remove(id: id)
      case .download(let id, let action):
        try step.forEach(\.self, of: &list, id, action, as: DownloadsAction.download) {
          download, action, step in
          switch action {
          case .start:
            step.effect("load", then: DownloadAction.finished, catch: { _ in .finished(0) }) {
              [client, url = download.url] in try await client(url)
            }
          case .finished(let size): download.size = size
          }
        }
      }
    }
  }

  let shown = Recorded<Int?>()
  let downloads = Dispatcher([DownloadsStore { $0.count }]).store(DownloadsStore.self)

  @Sendable func show(_ size: Int?) { shown.append(size) }

  @Test("its list, and its view of an element")
  func page() async {
    let download = downloads.child(\.self, id: 7)
    let receipt = download.observe(\.?.size) { size in show(size) }
    downloads.dispatch(.add(Download(id: 6, url: "")))
    downloads.dispatch(.add(Download(id: 7, url: "https")))
    await downloads.run(.download(id: 7, .start))
    downloads.dispatch(.remove(id: 6))
    #expect(download.size == 5)
    downloads.dispatch(.remove(id: 7))
    #expect(shown.all == [nil, 0, 5, nil])
    withExtendedLifetime(receipt) {}
  }
}
