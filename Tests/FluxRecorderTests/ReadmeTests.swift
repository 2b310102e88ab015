import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Testing

@Suite struct ReadmeTests {
  enum TodoAction: Action { case add(title: String), toggle(id: Int) }

  struct TodoStore: Store {
    struct Item: StateValue {
      let id: Int
      let title: String
      var done = false
    }

    let initialState: [Item] = []

    func reduce(_ items: inout [Item], _ action: TodoAction, _ step: inout Step) throws {
      switch action {
      case .add(let title): items.append(Item(id: items.count + 1, title: title))
      case .toggle(let id):
        guard let index = items.firstIndex(where: { $0.id == id }) else {
          throw Rejection("there is no item \(id)")
        }
        items[index].done.toggle()
      }
    }
  }

  @Test("the README's app is recorded, and its log verified, as the README says")
  func app() async throws {
    let app = AppDefinition(name: "Todo", version: "1.0") { [TodoStore()] }
    ReplayHost.runIfRequested(app)

    let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).jsonl")
    defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: url) } }
    let dispatcher = Dispatcher([TodoStore()])
    let recorder = Recorder(to: url)
    dispatcher.use(recorder)
    let todos = dispatcher.store(TodoStore.self)
    let receipt = todos.observe(\.count) { count in print("\(count) items") }
    todos.dispatch(.add(title: "milk"))
    receipt.cancel()
    todos.dispatch(.toggle(id: 7))
    try recorder.close()

    let report = try await app.verify(LogFile.open(url.path))
    #expect(report.verdict == .passed)
    #expect(report.steps == 2)
  }
}
