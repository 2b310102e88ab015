import FluxCore
import Foundation
import Testing

@Suite struct KeyedTests {
  struct Item: StateValue, Identifiable {
    var id: Int
    var text = ""

    init(_ id: Int, _ text: String = "") {
      self.id = id
      self.text = text
    }
  }

  /// A list as `id text` pairs, after a check that every element is found where it is.
  private func contents(_ list: Keyed<Item>) -> String {
    for (place, item) in list.enumerated() {
      #expect(list.index(id: item.id) == place)
      #expect(list[id: item.id] == item)
    }
    #expect(list.ids == list.map(\.id))
    return list.map { "\($0.id)\($0.text)" }.joined(separator: " ")
  }

  private var abc: Keyed<Item> { [Item(1, "a"), Item(2, "b"), Item(3, "c")] }

  @Test("elements are added once, in order, and replaced in place")
  func adding() {
    var list = abc
    let added = [
      list.append(Item(4, "d")), list.append(Item(1, "x")), list.insert(Item(5, "e"), at: 1),
      list.insert(Item(5, "x"), at: 0), list.insert(Item(6, "f"), at: 99),
    ]
    #expect(added == [true, false, true, false, true])
    let replaced = [list.updateOrAppend(Item(2, "B")), list.updateOrAppend(Item(7, "g"))]
    #expect(replaced == [Item(2, "b"), nil])
    #expect(contents(list) == "1a 5e 2B 3c 4d 6f 7g")
    #expect(contents(Keyed([Item(1, "a"), Item(2, "b"), Item(1, "x")])) == "1x 2b")
  }

  @Test("an identifier reads, writes, adds and removes")
  func subscripts() {
    var list = abc
    list[id: 2]?.text = "B"
    list[id: 9]?.text = "nobody"
    list[id: 3] = nil
    list[id: 3] = nil
    list[id: 4] = Item(4, "d")
    #expect(list[id: 9] == nil && !list.contains(id: 9) && list.contains(id: 4))
    #expect(contents(list) == "1a 2B 4d")
    #expect(list[1] == Item(2, "B"))
  }

  @Test("an element that takes another identifier replaces the one that had it")
  func identities() {
    var list = abc
    list.update(id: 1) { $0.id = 3 }
    #expect(contents(list) == "3a 2b")
    list[id: 2] = Item(8, "h")
    #expect(contents(list) == "3a 8h")
    do throws(CounterFailure) {
      try list.update(id: 3) { item throws(CounterFailure) in
        item.id = 9
        throw CounterFailure()
      }
      Issue.record("the error of the body is lost")
    } catch {
      #expect(contents(list) == "9a 8h")
    }
    let texts = [list.update(id: 3) { $0.text }, list.update(id: 8) { $0.text }]
    #expect(texts == [nil, "h"])
  }

  @Test("elements are removed and moved, and the others close ranks")
  func removing() {
    var list = abc
    let removed = [list.remove(id: 1), list.remove(id: 1)]
    #expect(removed == [Item(1, "a"), nil])
    #expect(contents(list) == "2b 3c")
    list = Keyed((1...6).map { Item($0) })
    list.move(id: 2, to: 4)
    #expect(contents(list) == "1 3 4 5 2 6")
    list.move(id: 6, to: -1)
    #expect(contents(list) == "6 1 3 4 5 2")
    let moved = [list.move(id: 6, to: 99), list.move(id: 9, to: 0)]
    #expect(moved == [true, false])
    #expect(contents(list) == "1 3 4 5 2 6")
    list.removeAll { $0.id.isMultiple(of: 3) }
    #expect(contents(list) == "1 4 5 2")
    list.sort { $0.id < $1.id }
    #expect(contents(list) == "1 2 4 5")
    list.removeAll()
    #expect(list.isEmpty && list == [])
  }

  @Test("thousands of random changes leave what the same changes leave in an array")
  func random() {
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: .min ... .max, using: &random)
    var numbers = SplitMix64(state: seed)
    var list = Keyed<Item>()
    var model: [Item] = []
    for _ in 0..<3_000 {
      let id = Int.random(in: 0..<40, using: &numbers)
      let place = Int.random(in: 0...model.count, using: &numbers)
      let index = model.firstIndex { $0.id == id }
      switch Int.random(in: 0..<5, using: &numbers) {
      case 0:
        list.insert(Item(id), at: place)
        if index == nil { model.insert(Item(id), at: place) }
      case 1:
        list.remove(id: id)
        if let index { model.remove(at: index) }
      case 2:
        list[id: id]?.text = "\(place)"
        if let index { model[index].text = "\(place)" }
      case 3:
        list.move(id: id, to: place)
        if let index {
          let item = model.remove(at: index)
          model.insert(item, at: min(place, model.count))
        }
      default:
        list.updateOrAppend(Item(id, "new"))
        if let index { model[index] = Item(id, "new") } else { model.append(Item(id, "new")) }
      }
      #expect(list.elements == model, "seed \(seed)")
    }
    _ = contents(list)
  }

  @Test("a list is encoded as its array; duplicate identifiers fail decoding")
  func coding() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let text = String(decoding: try encoder.encode(["items": abc]), as: UTF8.self)
    #expect(
      text
        == #"{"items":[{"id":1,"text":"a"},{"id":2,"text":"b"},{"id":3,"text":"c"}]}"#)
    let list = try JSONDecoder().decode([String: Keyed<Item>].self, from: Data(text.utf8))
    #expect(list == ["items": abc])
    #expect(contents(list["items"] ?? []) == "1a 2b 3c")
    let twins = #"{"items":[{"id":1,"text":"a"},{"id":2,"text":"b"},{"id":1,"text":"c"}]}"#
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([String: Keyed<Item>].self, from: Data(twins.utf8))
    }
    guard case .dataCorrupted(let context)? = error else {
      Issue.record("another error: \(String(describing: error))")
      return
    }
    #expect(context.debugDescription == "elements 0 and 2 have the same id")
    #expect(context.codingPath.map(\.stringValue) == ["items"])
  }

  @Test("a list describes and reflects itself as an array does")
  func description() {
    #expect("\(abc.map(\.id))" == "[1, 2, 3]")
    #expect("\(abc)" == "\(abc.elements)")
    #expect(Mirror(reflecting: abc).displayStyle == .collection)
    #expect(abc.hashValue == abc.hashValue)
  }
}

extension KeyedTests.Item: Hashable {}
