import FluxCore
import FluxJSON
import FluxLog
import Foundation
import Testing

/// Dispatch's features for states and their parts: scenarios D3 to D5, D9 and D10.
@Suite struct DispatchStateScenarioTests {
  struct Page: StateValue {
    var label = "old"
    var nullableLabel: String? = "something"
    var nested = Nested()
    var array = ["A", "B", "C"]
  }

  struct Nested: StateValue {
    var label = "old"
  }

  enum PageAction: Action {
    case setLabel(String)
    case setArray(Int, String)
  }

  struct PageStore: Store {
    let initialState = Page()

    func reduce(_ page: inout Page, _ action: PageAction, _ step: inout Step) throws {
      switch action {
      case .setLabel(let label):
        page.label = label
        page.nested.label = label
        page.nullableLabel = nil
      case .setArray(let index, let value):
        guard page.array.indices.contains(index) else { throw Rejection("no element \(index)") }
        page.array[index] = value
      }
    }
  }

  let page = Dispatcher([PageStore()]).store(PageStore.self)

  @Test("D3: a label that is updated synchronously is visible on return")
  func synchronous() {
    page.dispatch(.setLabel("new"))
    #expect(page.label == "new")
  }

  @Test("D4: setArray(1, Foo) sets the second element, and no element that is not there")
  func array() {
    page.dispatch(.setArray(1, "Foo"))
    #expect(page.array == ["A", "Foo", "C"])
    #expect(page.dispatch(.setArray(3, "Foo")).rejection?.message == "no element 3")
    #expect(page.array == ["A", "Foo", "C"])
  }

  @Test("D5: after a label update two labels differ, and the nullable one is removed")
  func difference() throws {
    let before = try json(page.state)
    page.dispatch(.setLabel("new"))
    let changes = before.changes(to: try json(page.state))
    let lines = changes.map { "\($0.kind) \($0.path)" }.sorted()
    #expect(lines == ["remove /nullableLabel", "replace /label", "replace /nested/label"])
  }

  private func json(_ state: some Encodable) throws -> JSON {
    try JSON.parse(Array(try JSONEncoder().encode(state)))
  }
}
