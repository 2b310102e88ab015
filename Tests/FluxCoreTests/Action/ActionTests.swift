import FluxCore
import Foundation
import Testing

private struct HiddenAction: Action {}
struct URLAction: Action {}
struct Carrier<Value: Codable & Sendable>: Action { let value: Value }
struct Action2: Action {}
enum Outer {
  struct Inner { struct Action: FluxCore.Action {} }
  struct ConnectionStore { struct Action: FluxCore.Action {} }
  struct Store { struct Action: FluxCore.Action {} }
}
struct Store2 { struct Action: FluxCore.Action {} }

@Suite struct ActionTests {
  @Test(
    "a kind is the type's name without Action, or the name of the type around it",
    arguments: [
      (CounterAction.self, "counter"), (Door.Action.self, "door"), (HiddenAction.self, "hidden"),
      (URLAction.self, "url"), (Carrier<Int>.self, "carrier"), (Action2.self, "action2"),
      (Outer.Inner.Action.self, "inner"), (Batch.self, "batch"),
      (Outer.ConnectionStore.Action.self, "connection"), (Outer.Store.Action.self, "outer"),
      (Store2.Action.self, "store2"), (Tick.self, "tick"),
    ] as [(any Action.Type, String)])
  func kinds(_ type: any Action.Type, _ kind: String) {
    #expect(type.kind == kind)
  }

  @Test("a local type has a kind that is the same in every run")
  func localType() {
    struct LocalAction: Action {}
    #expect(LocalAction.kind == "local")
  }

  @Test("a tuple and a function have no name but their type")
  func typesWithoutNames() {
    #expect(typeName(of: (Int, String).self, droppingSuffix: "Action") == "(Int, String)")
    #expect(typeName(of: (() -> Void).self, droppingSuffix: "Action") == "() -> ()")
  }

  @Test("the identifier of a store is its type's name without Store")
  func storeIDs() {
    #expect(TallyStore().id == "tally")
    #expect(Chain().id == "chain")
  }

  @Test("the dispatcher knows the types of all actions by kind")
  func actionTypes() {
    let types = Dispatcher([TallyStore(), CounterStore(), Shelf(), Door()]).actionTypes
    #expect(
      types.keys.sorted() == ["batch", "counter", "door", "log", "shelfQueries", "tick"])
    #expect(types["counter"] == CounterAction.self)
  }
}

@Suite struct OutcomeTests {
  private struct Basket: Store {
    let id: StoreID = "basket"
    let initialState = 0

    func reduce(_ count: inout Int, _ action: CounterAction, _ step: inout Step) throws {
      guard count == 0 else { throw Rejection("the basket is full") }
      count += 1
      step.dispatch(CounterAction.add(1))
      step.effect("load") { _ in }
      step.cancel("save")
    }
  }

  @Test("an outcome says what became of the action, and what it asks for")
  func descriptions() {
    let dispatcher = Dispatcher([Basket()])
    #expect(
      "\(dispatcher.dispatch(CounterAction.add(1)))"
        == "step 1: changed; dispatches counter/add; starts load; cancels save")
    #expect(
      "\(dispatcher.dispatch(CounterAction.add(1)))"
        == "step 3: rejected: basket: the basket is full")
    #expect("\(Dispatcher([]).dispatch(Tick()))".hasPrefix("step 1: rejected: "))
  }
}

@Suite struct BatchTests {
  private let types = Dispatcher([CounterStore(), Chain()]).actionTypes

  @Test("a batch is written with its actions' kinds, and read back by them")
  func roundTrip() throws {
    let batch = Batch("two", [CounterAction.add(2), Batch(nil, [ChainAction.add(3)])])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(batch)
    #expect(
      String(decoding: data, as: UTF8.self) == """
        {"actions":[{"payload":{"add":{"_0":2}},"type":"counter"},\
        {"payload":{"actions":[{"payload":{"add":{"_0":3}},"type":"chain"}]},"type":"batch"}],\
        "label":"two"}
        """)
    let decoder = JSONDecoder()
    decoder.userInfo[.actionTypes] = types
    let dispatcher = Dispatcher([CounterStore(), Chain()])
    dispatcher.dispatch(try decoder.decode(Batch.self, from: data))
    #expect(dispatcher[CounterStore.self] == 2)
    #expect(dispatcher[Chain.self] == [3])
  }

  @Test("an unknown kind is an error that lists the known ones")
  func unknownKind() {
    let data = Data(#"{"actions":[{"type":"abacus","payload":{}}]}"#.utf8)
    let decoder = JSONDecoder()
    decoder.userInfo[.actionTypes] = types
    let error = #expect(throws: DecodingError.self) { try decoder.decode(Batch.self, from: data) }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["actions", "Index 0", "type"])
    #expect(
      context.debugDescription == """
        Unknown action type "abacus"; known types: batch, chain, counter. \
        Set the decoder's userInfo[.actionTypes] to the dispatcher's actionTypes.
        """)
  }
}
