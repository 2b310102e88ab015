import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

/// The log of a document with undo in its state grows with what changes, not with what is kept.
@Suite struct HistorySizeTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  fileprivate struct Document<Value: Codable & Equatable & Sendable>: StateValue {
    var history: History<Value>
    var title = "notes"
  }

  fileprivate enum EditAction: Action, Equatable { case type(String), undo, redo }

  /// A value that a key press changes.
  fileprivate protocol Typed: Codable, Equatable, Sendable {
    static var long: Self { get }
    mutating func type(_ text: String)
  }

  private struct DocumentStore<Value: Typed>: Store {
    var id: StoreID { "document" }
    let initialState = Document(history: History(Value.long, limit: 50))

    func reduce(_ state: inout Document<Value>, _ action: EditAction, _ step: inout Step) {
      switch action {
      case .type(let text): state.history.change { $0.type(text) }
      case .undo: state.history.undo()
      case .redo: state.history.redo()
      }
    }
  }

  private struct Page: Typed {
    var id = 1
    var lines = (0..<200).map { "line \($0) of a longer text" }
    static var long: Page { Page() }
    mutating func type(_ text: String) { lines[100] += text }
  }

  @Test("of a text") func text() throws { try check(String.self) }

  @Test("of a structure with an id") func structure() throws { try check(Page.self) }

  /// The most bytes of a line, other than of the few that write the state whole.
  private static let limit = 400

  private func check<Value: Typed>(_ type: Value.Type) throws {
    let url = folder.url("history.jsonl")
    let recorder = Recorder(to: url)
    let store = DocumentStore<Value>()
    let dispatcher = Dispatcher([store])
    dispatcher.use(recorder)
    var actions = (0..<120).map { EditAction.type("\($0 % 10)") }
    actions += Array(repeating: .undo, count: 30) + Array(repeating: .redo, count: 10)
    actions += [.type("x"), .undo]
    for action in actions { dispatcher.dispatch(action) }
    try recorder.close()

    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    let steps = lines.dropFirst().dropLast().map { line in
      (whole: line.contains(#""states""#), line.utf8.count)
    }
    #expect(steps.count == actions.count)
    #expect(steps.filter { !$0.whole && $0.1 > Self.limit }.map(\.1) == [])
    #expect(steps.count { $0.whole } <= 2)

    let log = try LogFile.open(url.path)
    try log.waitForIndex()
    let last = try Timeline(log).state(of: "document", at: log.count - 1)
    let document = try last.map { try LogDecoder().decode(Document<Value>.self, from: $0) }
    #expect(document == dispatcher[DocumentStore<Value>.self])
  }
}

extension String: HistorySizeTests.Typed {
  fileprivate static var long: String { String(repeating: "a text of some length. ", count: 250) }
  fileprivate mutating func type(_ text: String) { self += text }
}
