import FluxCore
import FluxRecorder
import Foundation
import TestFixtures
import Testing

@Suite struct KeyedStateTests {
  struct Row: StateValue, Identifiable {
    let id: Int
    var title = "a title that does not fit into a small string"
    var isDone = false
  }

  enum RowsAction: Action { case toggle(Int), remove(Int), add(Int) }

  struct ArrayStore: Store {
    let id: StoreID = "rows"
    let initialState = (0..<100).map { Row(id: $0) }

    func reduce(_ rows: inout [Row], _ action: RowsAction, _ step: inout Step) {
      switch action {
      case .toggle(let id): rows[id].isDone.toggle()
      case .remove(let id): rows.removeAll { $0.id == id }
      case .add(let id): rows.append(Row(id: id))
      }
    }
  }

  struct KeyedStore: Store {
    let id: StoreID = "rows"
    let initialState = Keyed((0..<100).map { Row(id: $0) })

    func reduce(_ rows: inout Keyed<Row>, _ action: RowsAction, _ step: inout Step) {
      switch action {
      case .toggle(let id): rows[id: id]?.isDone.toggle()
      case .remove(let id): rows.remove(id: id)
      case .add(let id): rows.append(Row(id: id))
      }
    }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The lines of a recording between its header and its end.
  private func lines(_ store: any Store) throws -> [String] {
    let url = folder.url("\(type(of: store)).jsonl")
    let noon = Date(timeIntervalSinceReferenceDate: 43_200)
    let dispatcher = Dispatcher([store], seed: 1, now: { noon })
    var options = Recorder.Options()
    options.recordsSource = false
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    for action in [RowsAction.toggle(50), .toggle(7), .add(200), .toggle(50), .remove(20)] {
      dispatcher.dispatch(action)
    }
    try recorder.close()
    let lines = try String(contentsOf: url, encoding: .utf8).split(separator: "\n")
    return lines.dropFirst().dropLast().map(String.init)
  }

  @Test("a list of elements is recorded as an array is: the same states, and the same patches")
  func sameLog() throws {
    let (keyed, array) = try (lines(KeyedStore()), lines(ArrayStore()))
    #expect(keyed == array)
    #expect(keyed.count == 5)
    #expect(keyed.allSatisfy { $0.utf8.count < 250 })
  }
}
