import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// Lists and dictionaries that the log has as tokens only, which are empty wherever a replay begins.
@Suite struct RedactedCollectionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  enum CartAction: Action {
    case add(String)
    case checkOut
    case count
  }

  struct CartStore: Store {
    struct Line: StateValue {
      let product: String
      let amount: Int
    }

    struct State: StateValue {
      var lines: [Line] = []
      var amounts: [String: Int] = [:]
      var count = 0
      var isPaid = false
    }

    let id: StoreID = "cart"
    let initialState = State()
    var increment = 0

    func reduce(_ cart: inout State, _ action: CartAction, _ step: inout Step) throws {
      switch action {
      case .add(let product):
        cart.lines.append(Line(product: product, amount: 1))
        cart.amounts[product, default: 0] += 1
        cart.isPaid = false
      case .checkOut:
        if cart.lines.isEmpty { throw Rejection("the cart is empty") }
        cart.isPaid = true
      case .count: cart.count = cart.lines.count + cart.amounts.count + increment
      }
    }
  }

  private func record(pausing: Bool) throws -> LogFile {
    let url = folder.url("cart.jsonl")
    let dispatcher = Dispatcher([CartStore()], seed: 7)
    var options = Recorder.Options()
    options.redaction = Redaction(
      states: ["/cart/lines", "/cart/amounts"], actions: ["cart/add": ["/_0"]])
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    dispatcher.dispatch(CartAction.add("tea"))
    if pausing { recorder.pause() }
    dispatcher.dispatch(CartAction.add("mug"))
    if pausing { recorder.resume() }
    dispatcher.dispatch(CartAction.count)
    dispatcher.dispatch(CartAction.checkOut)
    dispatcher.dispatch(CartAction.count)
    try recorder.close()
    return try LogFile.open(url.path)
  }

  private func verify(_ log: LogFile, increment: Int = 0) async throws -> ReplayReport {
    try await AppDefinition { [CartStore(increment: increment)] }.verify(log)
  }

  @Test("after a gap, a step that looks at a hidden list is not compared")
  func gap() async throws {
    let report = try await verify(record(pausing: true))
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(
      report.notes.contains(
        "2 steps not compared (redacted value): their outcomes depend on a value that the log does not have: "
          + "/cart/lines at step 4, /cart/amounts at step 5"), "\(report.text)")
  }

  @Test("a list that the replay has filled itself is complete, and a difference is reported")
  func whole() async throws {
    let log = try record(pausing: false)
    let report = try await verify(log)
    #expect(report.verdict == .passed, "\(report.text)")
    #expect(try await verify(log, increment: 1).divergences.map(\.step) == [3])
  }

  enum ShelfAction: Action { case read(id: Int) }

  struct ShelfStore: Store {
    struct Book: StateValue {
      let id: Int
      var isRead = false
    }

    struct State: StateValue {
      var books = (101...160).map { Book(id: $0) }
    }

    let id: StoreID = "shelf"
    let initialState = State()
    var reads = true

    func reduce(_ shelf: inout State, _ action: ShelfAction, _ step: inout Step) {
      guard case .read(let id) = action, reads else { return }
      for index in shelf.books.indices where shelf.books[index].id == id {
        shelf.books[index].isRead = true
      }
    }
  }

  @Test("a hidden identifier is found in the element that differs, after many other elements")
  func manyElements() async throws {
    let log = try FluxRecorderTests.record(
      [ShelfStore()], to: folder.url("shelf.jsonl"),
      { $0.redaction = Redaction(actions: ["shelf/read": [""]]) }
    ) { $0.dispatch(ShelfAction.read(id: 155)) }
    let report = try await AppDefinition { [ShelfStore()] }.verify(log)
    #expect(
      report.notes.contains(
        "1 step not compared (redacted value): its outcome depends on a value that the log does not have: "
          + "/id at step 1"), "\(report.text)")
    let broken = try await AppDefinition { [ShelfStore(reads: false)] }.verify(log)
    #expect(broken.divergences.map(\.step) == [1], "\(broken.text)")
  }
}
