import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import GroceriesExample
import Testing

/// Tests like those of an app for iOS: its stores are in a package, so these run on Linux too.
@Suite struct GroceryTests {
  let dispatcher = Dispatcher([GroceryStore()])
  var list: StoreHandle<GroceryStore> { dispatcher.store(GroceryStore.self) }

  @Test("what is in the basket leaves the list at the checkout")
  func checkOut() {
    list.dispatch(.add(name: "Milk"))
    list.dispatch(.add(name: "Bread"))
    list.dispatch(.toggle(id: 1))
    #expect(list.missing == 1)
    list.dispatch(.checkOut)
    #expect(list.items.map(\.name) == ["Bread"])
    list.dispatch(.remove(id: 2))
    #expect(list.items.isEmpty)
  }

  @Test(
    "an action that makes no sense is rejected and changes nothing",
    arguments: [
      (GroceryAction.add(name: " \n"), "grocery: an entry needs a name"),
      (.toggle(id: 7), "grocery: there is no entry 7"),
      (.remove(id: 7), "grocery: there is no entry 7"),
    ])
  func rejections(action: GroceryAction, reason: String) {
    let outcome = list.dispatch(action)
    #expect(outcome.rejection?.description == reason)
    #expect(list.items.isEmpty)
  }

  @Test("a recording has each entry")
  func recording() throws {
    let recorder = Recorder(inMemory: 1 << 20)
    dispatcher.use(recorder)
    list.dispatch(.add(name: "Milk"))
    let timeline = try recorder.timeline()
    let state = try timeline.state(of: "grocery", at: timeline.end)
    #expect(state == ["items": [["id": 1, "isInBasket": false, "name": "Milk"]], "nextID": 2])
  }
}
