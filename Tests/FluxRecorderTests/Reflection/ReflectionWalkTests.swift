import FluxJSON
import Foundation
import TestFixtures
import Testing

@testable import FluxRecorder

#if canImport(Distributed)
  import Distributed

  private distributed actor Worker {
    typealias ActorSystem = LocalTestingDistributedActorSystem
    var count = 1
  }
#endif

extension Reflected {
  @Suite struct ReflectionWalkTests {
    private func text(_ value: Any, limit: Int = 20_000) throws -> String {
      let text = try ReflectionWalk.text(of: value, limit: limit)
      return String(decoding: text.bytes, as: UTF8.self)
    }

    private static var values: [(value: Any, text: String)] {
      [
        (Plain(), #"{"count":1,"hidden":true,"title":"tea"}"#),
        (Derived(), #"{"id":1,"name":"base","name_2":"derived"}"#),
        ((items: ["tea"], total: 2.5), #"{"items":["tea"],"total":2.5}"#),
        ((1, "x"), #"{"_0":1,"_1":"x"}"#),
        (Screen.home, #"{"home":{}}"#),
        (Screen.detail(id: 3, "x"), #"{"detail":{"_1":"x","id":3}}"#),
        (Screen.sheet(nil), #"{"sheet":{}}"#),
        (Screen.sheet(Plain()), #"{"sheet":{"_0":{"count":1,"hidden":true,"title":"tea"}}}"#),
        (Screen.note(text: "x"), #"{"note":{"text":"x"}}"#),
        ([Tab.home, .search], #"["home","find"]"#),
        (Level.high, "1"),
        (Spoken.loud, #"{"$case":"spoken words"}"#),
        (Spoken.quiet(1), #"{"quiet":{"_0":1}}"#),
        ([1, nil, 3] as [Int?], "[1,null,3]"),
        (Optional(Optional(Plain?.none)) as Any, "null"),
        (["b": 1, "a": nil] as [String: Any?], #"{"a":null,"b":1}"#),
        ([2: Plain?.none, 10: nil], #"{"10":null,"2":null}"#),
        ([Key(x: 2): "b", Key(x: 1): "a"], #"[{"x":1},"a",{"x":2},"b"]"#),
        (["a": 1, "b": Key(x: 1)] as [AnyHashable: Any], #"{"a":1,"b":{"x":1}}"#),
        (Set([Key(x: 3), Key(x: 1), Key(x: 2)]), #"[{"x":1},{"x":2},{"x":3}]"#),
        (AnyHashable(Key(x: 1)), #"{"x":1}"#),
        ("abc".dropFirst(), #""bc""#),
        (Character("ä"), #""ä""#),
        (AttributedString("bold"), #""bold""#),
        (["n": "name" as StaticString], #"{"n":"name"}"#),
        (Price(cents: 5), #""5 cents""#),
        (["x": [Date(timeIntervalSinceReferenceDate: 0)]], #"{"x":["2001-01-01T00:00:00Z"]}"#),
        (Wrapped(), #"{"_clamped":{"limit":9,"wrappedValue":3},"_debounced":4}"#),
        ([Failing(), Failing()], #"[{"value":7},{"value":7}]"#),
        ((Misusing(), 1), #"{"_0":{"value":8},"_1":1}"#),
        (EndlessEncodable(), #"{"count":5}"#),
        (NSError(domain: "Shop", code: 7), #"{"code":7,"domain":"Shop"}"#),
        (\Plain.title.count, #"{"$opaque":"KeyPath<Plain, Int>"}"#),
        (
          Opaque(),
          #"""
          {"callback":{"$opaque":"(Int) -> ()"},"counter":{"$opaque":"Counter"},"lock":{"$opaque":"NSLock"},\#
          "place":{"$keyPath":"\\Plain.count"},"task":{"$opaque":"Task<Int, Never>"},\#
          "type":{"$opaque":"Int.Type"}}
          """#
        ),
      ]
    }

    @Test("A value has the text that its parts have")
    func values() throws {
      for (value, expected) in Self.values { #expect(try text(value) == expected, "\(value)") }
    }

    @Test("An inline array has its elements, in an object, in an array and in another one")
    func inlineArrays() throws {
      guard #available(macOS 26, *) else { return }
      let pair: InlineArray<2, Plain?> = [Plain(), nil]
      let plain = #"{"count":1,"hidden":true,"title":"tea"}"#
      #expect(
        try text((pair: pair, none: InlineArray<0, Int>(repeating: 0)))
          == #"{"none":[],"pair":[\#(plain),null]}"#)
      #expect(try text([pair]) == "[[\(plain),null]]")
      let rows: InlineArray<2, InlineArray<1, Int>> = [[1], [2]]
      #expect(try text(rows) == "[[1],[2]]")
      let cut =
        #"{"count":{"$opaque":"Int"},"hidden":{"$opaque":"Bool"},"title":{"$opaque":"String"}}"#
      #expect(try text(pair, limit: 2) == "[\(cut),null]")
    }

    @Test("Pointers and unmanaged references are not followed")
    func pointers() throws {
      let node = Node(1)
      let value = unsafe (Unmanaged.passUnretained(node), UnsafeRawPointer(bitPattern: 8))
      let text = unsafe try text(value)
      #expect(
        text == #"{"_0":{"$opaque":"Unmanaged<Node>"},"_1":{"$opaque":"UnsafeRawPointer"}}"#)
    }

    @Test("An observable object loses its registrar and its underscores, a lazy member its prefix")
    func storage() throws {
      let holder = LazyHolder()
      _ = holder.text
      #expect(try text(Cart()) == #"{"items":[],"note":"x","total":0}"#)
      #expect(try text(Aliased()) == #"{"name":"x","name_2":"y"}"#)
      #expect(try text(holder) == #"{"_plain":1,"text":"made"}"#)
    }

    @Test("A wrapper whose conformance is isolated to another actor shows its members")
    func isolatedWrappers() async throws {
      #expect(try text(Shown()) == #"{"wrappedValue":5}"#)
      let shown = try await MainActor.run { try text(Shown()) }
      #expect(shown == "5")
    }

    @Test("An object inside itself is a pointer to it, and elsewhere it is written again")
    func cycles() throws {
      let (first, second) = (Node(1), Node(2))
      first.next = second
      first.parts = [second]
      second.next = first
      defer { (first.next, second.next, first.parts) = (nil, nil, []) }
      #expect(
        try text(["list": first]) == #"""
          {"list":{"next":{"next":{"$cycle":"/list"},"parts":[],"value":2},\#
          "parts":[{"next":{"$cycle":"/list"},"parts":[],"value":2}],"value":1}}
          """#)
      second.next = second
      #expect(
        try text(Set([ObjectIdentifier(first)]).count == 1 ? second : first)
          == #"{"next":{"$cycle":""},"parts":[],"value":2}"#)
    }

    @Test("Mirrors without an end stop at the limit, and so do values without one")
    func limits() throws {
      let cases: [(value: Any, limit: Int, text: String)] = [
        (Endless(), 4, #"{"_0":0,"_1":1,"_2":2,"_3":{"$opaque":"Int"}}"#),
        (
          EndlessMembers(), 4,
          #"{"same":0,"same_2":1,"same_3":2,"same_4":{"$opaque":"Int"}}"#
        ),
        (EndlessNothing(style: .struct), 3, "{}"),
        (EndlessNothing(style: .collection), 3, "[null,null,null]"),
        (EndlessNothing(style: .dictionary), 3, "[]"),
        (Array(repeating: 1, count: 9), 3, #"[1,1,{"$opaque":"Int"}]"#),
        (Plain(), 2, #"{"count":1,"hidden":{"$opaque":"Bool"},"title":{"$opaque":"String"}}"#),
        (
          Inside(), 3,
          #"{"me":{"me":{"me":{"$opaque":"Inside"}},"too":{"$opaque":"Inside"}},"too":{"$opaque":"Inside"}}"#
        ),
      ]
      for (value, limit, expected) in cases {
        let found = try ReflectionWalk.text(of: value, limit: limit)
        #expect(String(decoding: found.bytes, as: UTF8.self) == expected)
        #expect(found.isCut)
      }
    }

    @Test("Values are read at most 128 inside each other", .hangLimit)
    func depth() throws {
      let list = Node(0)
      list.append(300)
      defer { list.takeApart() }
      let walks = Walks([list, Inside()])
      walks.run(stackSize: 8 << 20)
      let (chain, tree) = (try walks.texts[0].get(), try walks.texts[1].get())
      let json = try JSON.parse(chain.bytes)
      #expect(chain.isCut && json.text.contains(#"{"$opaque":"Node"}"#))
      #expect(json.text.split(separator: #""value":"#).count == 129)
      #expect(tree.bytes.count < 1 << 21)
      #expect(try text(Recursive()) == "null")
    }

    @Test(
      "Chains of objects, structs, enums and collections are cut where a stack gets short",
      .hangLimit, arguments: [192, 256, 448])
    func stack(kilobytes: Int) throws {
      let list = Node(0)
      list.append(200)
      defer { list.takeApart() }
      var (link, branch, fork) = (Link(), Branch.leaf, Branch.leaf)
      var (array, entries, pairs): ([Any], [String: Any], [AnyHashable: Any]) = ([], [:], [:])
      var mirrored = EndedEntries(inner: nil)
      for value in 1...200 {
        (link, branch, fork) = (Link(inner: link), .node(branch), .fork(left: fork, right: value))
        (array, entries, pairs) = ([array], ["inner": entries], [value: pairs])
        mirrored = EndedEntries(inner: mirrored)
      }
      let walks = Walks([list, link, branch, fork, array, entries, pairs, mirrored])
      walks.run(stackSize: kilobytes << 10)
      #expect(try walks.texts.map { try $0.get().isCut } == Array(repeating: true, count: 8))
    }

    /// Walks that another thread runs.
    private final class Walks: @unchecked Sendable {
      // Sendable: one thread at a time uses it, and a semaphore orders them.
      private let values: [Any]
      private(set) var texts: [Result<ReflectedText, any Error>] = []

      init(_ values: [Any]) { self.values = values }

      /// Walks over the values on a thread whose stack has `stackSize` bytes.
      func run(stackSize: Int) {
        let isDone = DispatchSemaphore(value: 0)
        let thread = Thread { [self] in
          texts = values.map { value in Result { try ReflectionWalk.text(of: value, limit: 20_000) }
          }
          isDone.signal()
        }
        thread.stackSize = stackSize
        thread.start()
        isDone.wait()
      }
    }

    @Test("A conformance counts on the actor that it is isolated to")
    func isolated() async throws {
      #expect(try text(OnMain()) == #"{"count":1}"#)
      let onMain = try await MainActor.run { try text(OnMain()) }
      #expect(onMain == #""on main""#)
    }

    #if canImport(Distributed)
      @Test("A distributed actor is opaque, as any actor")
      func distributed() throws {
        let actor = Worker(actorSystem: LocalTestingDistributedActorSystem())
        #expect(try text([actor]) == #"[{"$opaque":"Worker"}]"#)
      }
    #endif

    @Test("An object of Foundation is the value that Swift has for it")
    func bridged() throws {
      let json = #"{"a":[1,-2,1.5,12345678901234567890,true,false,null,"x",{"b":[]}]}"#
      let values = try JSONSerialization.jsonObject(with: Data(json.utf8))
      #expect(try text(values) == json)
      let objects: [Any] = [
        NSNumber(value: 3), NSNumber(value: true), NSDecimalNumber(string: "1.1"), NSString("x"),
        NSDate(timeIntervalSinceReferenceDate: 0), NSArray(array: [1, NSNull()]),
        NSDictionary(dictionary: ["a": 1]), NSLock(),
      ]
      #expect(
        try text(objects)
          == #"[3,true,1.1,"x","2001-01-01T00:00:00Z",[1,null],{"a":1},{"$opaque":"NSLock"}]"#)
    }

    @Test("Only values without objects are pure")
    func purity() throws {
      let values: [(Any, Bool)] = [
        (Plain(), true), (["a": [Plain()]], true), (Screen.sheet(nil), true), (Node(1), false),
        ([Node(1)], false), ((1, Counter()), false), (Failing(), true), (Wrapped(), false),
        (Price(cents: 5), false), (Spoken.loud, false), (Spoken.quiet(1), true),
        (Mirrored(), false), (Array(repeating: 1, count: 200), false),
        (Dictionary(uniqueKeysWithValues: (0..<200).map { ($0, Int?.none) }), false),
      ]
      for (value, isPure) in values {
        #expect(try ReflectionWalk.text(of: value, limit: 100).isPure == isPure, "\(value)")
      }
    }

    @Test("Equal bits are found, also in the elements of arrays that do not share storage")
    func bits() {
      let plain = [Plain(), Plain()]
      #expect(hasSameBits(plain, as: plain))
      #expect(hasSameBits(plain, as: plain.map { $0 }))
      #expect(!hasSameBits(plain, as: [Plain()]))
      #expect(!hasSameBits(1, as: 1.0))
      #expect(!hasSameBits(Plain(), as: Plain(count: 2)))
    }
  }
}
