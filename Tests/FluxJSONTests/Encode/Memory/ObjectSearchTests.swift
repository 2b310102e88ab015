import Foundation
import Testing

@testable import FluxJSON

@Suite struct ObjectSearchTests {
  /// An object that is changed in place.
  private final class Box: Codable {
    var value = 1
  }

  /// A storage that is no part of what is encoded.
  private final class Storage {}

  private struct Direct: Encodable {
    var name = "direct"
    let box: Box
    func encode(to encoder: any Encoder) throws { try box.encode(to: encoder) }
  }

  private struct Maybe: Encodable {
    var box: Box?
    func encode(to encoder: any Encoder) throws { try (box ?? Box()).encode(to: encoder) }
  }

  private struct Erased: Encodable {
    let value: any Encodable
    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }

  private enum Choice: Encodable {
    case text(String)
    case box(Box, Int)
    func encode(to encoder: any Encoder) throws {
      switch self {
      case .text(let text): try text.encode(to: encoder)
      case .box(let box, _): try box.encode(to: encoder)
      }
    }
  }

  private struct Outer<Inner: Encodable>: Encodable {
    let inner: Inner
    func encode(to encoder: any Encoder) throws { try inner.encode(to: encoder) }
  }

  private struct Hidden: Encodable, CustomReflectable {
    let box: Box
    var customMirror: Mirror { Mirror(self, children: []) }
    func encode(to encoder: any Encoder) throws { try box.encode(to: encoder) }
  }

  private func text(_ value: some Encodable, _ memory: StateMemory?) throws -> String {
    String(decoding: try LogEncoder().bytes(of: value, remembering: memory), as: UTF8.self)
  }

  /// Checks each text of an array whose element has the box in it, and which is appended to.
  private func check<Element: Encodable>(_ first: Element, _ box: Box, _ more: Element) throws {
    var mismatches = 0
    let memory = StateMemory { _ in Issue.record("found by an audit only") }
    var elements = [more, first, more]
    for value in 1...12 {
      box.value = value
      if value.isMultiple(of: 3) { elements.append(more) }
      if try text(elements, memory) != text(elements, nil) { mismatches += 1 }
    }
    #expect(mismatches == 0, "\(Element.self)")
  }

  @Test("An element that hands its encoder to an object is right in every text")
  func handedOn() throws {
    let (box, other) = (Box(), Box())
    try check(Direct(box: box), box, Direct(box: other))
    try check(Maybe(box: box), box, Maybe(box: nil))
    try check(Erased(value: box), box, Erased(value: 1))
    try check(Choice.box(box, 1), box, .text("a"))
    try check(Outer(inner: Outer(inner: [Direct(box: box)])), box, Outer(inner: Outer(inner: [])))
    try check(Outer(inner: ["a": Maybe(box: box)]), box, Outer(inner: [:]))
    try check(Hidden(box: box), box, Hidden(box: other))
  }

  @Test("An element that gets an object later is right from then on")
  func later() throws {
    let box = Box()
    let memory = StateMemory { _ in Issue.record("found by an audit only") }
    var elements = (1...4).map { Erased(value: "text \($0)") }
    for value in 1...8 {
      box.value = value
      if value == 4 { elements[2] = Erased(value: Direct(box: box)) }
      #expect(try text(elements, memory) == text(elements, nil))
    }
  }

  private struct Leaf: Encodable {
    var title = "leaf"
    var done = false
    var id = UUID()
    var dates: [Date?] = []
  }

  private struct Branch: Encodable {
    var flag = true
    var leaf = Leaf()
    var leaves: [Leaf?] = []
    var ranges: [String: Range<Int>] = [:]
  }

  private struct Tree: Encodable {
    var leaf = Leaf()
    var children: [Tree] = []
  }

  private struct Stored: Encodable {
    var id = 1
    let storage = Storage()
    func encode(to encoder: any Encoder) throws { try id.encode(to: encoder) }
  }

  /// A search that expectations can ask.
  private final class Search {
    private var search = ObjectSearch()
    func finds(in value: Any) -> Bool { search.finds(in: value) }
    func isPlain(_ type: Any.Type) -> Bool { search.isPlain(type) }
  }

  @Test("Types without objects are looked at once, unless they contain themselves")
  func plain() {
    let search = Search()
    #expect(!search.isPlain(Branch.self))
    #expect(!search.finds(in: Branch()))
    #expect(search.isPlain(Branch.self) && search.isPlain([Leaf?].self))
    #expect(!search.finds(in: Tree(children: [Tree()])) && !search.isPlain(Tree.self))
    #expect(search.isPlain(Int.self) && search.isPlain([String: [Double]].self))
  }

  private indirect enum Chain {
    case end, link(Chain)
  }

  @Test("A value with too many parts, or with too deep ones, hides what it holds")
  func budget() {
    let search = Search()
    var (short, long) = (Chain.end, Chain.end)
    for _ in 0..<20 { short = .link(short) }
    for _ in 0..<1_000 { long = .link(long) }
    #expect(!search.finds(in: short) && search.finds(in: long))
    #expect(!search.finds(in: Array(repeating: Chain.end, count: 9_000)))
    #expect(search.finds(in: Array(repeating: Chain.end, count: 10_000)))
  }

  @Test("Types that may hold an object are looked at each time")
  func open() {
    let search = Search()
    for value: any Encodable in [1, "a", Leaf(), [1.0, 2.0, 3.0, 4.0]] {
      #expect(!search.finds(in: Erased(value: value)))
      #expect(!search.isPlain(Erased.self))
    }
    #expect(search.finds(in: Erased(value: Box())))
    #expect(!search.finds(in: Maybe(box: nil)) && !search.isPlain(Maybe.self))
    #expect(!search.finds(in: Choice.text("a")) && !search.isPlain(Choice.self))
    // Other objects are left to the audit: they may be the storage of a value.
    #expect(!search.finds(in: Stored()) && !search.isPlain(Stored.self))
  }
}
