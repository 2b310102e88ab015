import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Synchronization
import TestFixtures
import Testing

/// Apps whose elements are encoded differently although their bits are the same.
@Suite(.serialized) struct RememberedElementsTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private struct List<Item: StateValue>: StateValue {
    var items: [Item]
    var edits = 0
    /// Long enough that a state is written as a patch, unless it has to be whole.
    var note = String(repeating: "note ", count: 400)
  }

  private enum ListAction: Action, Equatable { case edit(Int) }

  /// A store with a list; `edit` changes the items, or something that they refer to.
  private struct ListStore<Item: StateValue>: Store {
    var id: StoreID { "list" }
    let initialState: List<Item>
    let edit: @Sendable (inout [Item], Int) -> Void

    func reduce(_ list: inout List<Item>, _ action: ListAction, _ step: inout Step) {
      guard case .edit(let number) = action else { return }
      list.edits += 1
      edit(&list.items, number)
    }
  }

  /// The parts of a recording that the tests compare.
  private struct Outcome: Equatable {
    /// The items after each step, as the log has them.
    var items: [String]
    /// The numbers of the steps whose state is whole.
    var whole: [UInt64]
    var messages: [String]
    var verdict: ReplayReport.Verdict
  }

  /// Records some steps of an app, and replays them in a new run of it.
  private func outcome<Item: StateValue>(
    _ steps: Int, remembersElements: Bool = true, _ make: @escaping @Sendable () -> ListStore<Item>
  ) async throws -> Outcome {
    let url = folder.url("list.jsonl")
    let messages = LogMessages()
    var options = Recorder.Options()
    options.remembersElements = remembersElements
    let recorder = Recorder(to: url, options: options, logger: messages.logger)
    let dispatcher = Dispatcher([make()])
    dispatcher.use(recorder)
    for number in 1...steps {
      dispatcher.dispatch(ListAction.edit(number))
      // An object must not change before the writer has encoded it.
      try recorder.flush()
    }
    try recorder.close()
    #expect(recorder.failure == nil)
    let log = try LogFile.open(url.path)
    try log.waitForIndex()
    #expect(log.end == LogEnd(steps: UInt64(steps), isComplete: true))
    let timeline = Timeline(log)
    let report = try await AppDefinition { [make()] }.verify(log)
    return Outcome(
      items: try (0..<steps).map {
        try #require(timeline.state(of: "list", at: $0)?["items"]).text
      },
      whole: try (0..<steps).filter { try log.step(at: $0).states != nil }
        .map { UInt64($0 + 1) },
      messages: messages.texts.map { $0.replacing(url.path, with: "LOG") },
      verdict: report.verdict)
  }

  private func notice(_ type: Any.Type) -> String {
    """
    notice: LOG: store list: an unchanged \(String(reflecting: type)) has another text than before, \
    because its encode(to:) reads something that is not part of the value. Earlier states in the \
    log may be out of date. This state is written whole, and elements of this type are encoded in \
    full from now on. Set remembersElements to false to encode all elements in full.
    """
  }

  // MARK: Exact

  /// An item that shows its place in the list.
  private struct Place: StateValue {
    var name: String
    var index = 0

    private enum Keys: CodingKey { case name, index }

    init(name: String) { self.name = name }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      name = try container.decode(String.self, forKey: .name)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(name, forKey: .name)
      try container.encode(encoder.codingPath.last?.intValue ?? -1, forKey: .index)
    }
  }

  @Test("Elements that read their coding path are right at every step")
  func codingPath() async throws {
    let found = try await outcome(3) {
      ListStore(initialState: List(items: [Place(name: "a"), Place(name: "b")])) { items, number in
        if number == 2 { items.removeFirst() } else { items.insert(Place(name: "n"), at: 0) }
      }
    }
    let ab = #"{"index":1,"name":"a"},{"index":2,"name":"b"}]"#
    #expect(
      found
        == Outcome(
          items: [
            #"[{"index":0,"name":"n"},"# + ab,
            #"[{"index":0,"name":"a"},{"index":1,"name":"b"}]"#,
            #"[{"index":0,"name":"n"},"# + ab,
          ], whole: [], messages: [], verdict: .passed))
  }

  /// An object that is changed in place.
  private final class Box: Codable, Equatable, @unchecked Sendable {
    // Sendable: only reducers change it, and the writer has encoded the step before.
    var value: Int

    init(_ value: Int) { self.value = value }

    static func == (left: Box, right: Box) -> Bool { left === right }
  }

  private struct Boxed: StateValue { let box: Box }
  private struct MaybeBoxed: StateValue { var box: Box? }

  @Test("Objects that change in place, in structs and optionals, are right at every step")
  func objects() async throws {
    let expected = Outcome(
      items: [
        #"[{"box":{"value":1}},{"box":{"value":20}}]"#,
        #"[{"box":{"value":1}},{"box":{"value":2}}]"#,
        #"[{"box":{"value":3}},{"box":{"value":2}}]"#,
      ], whole: [], messages: [], verdict: .passed)
    let inStructs = try await outcome(3) {
      ListStore(
        initialState: List(items: [Boxed(box: Box(10)), Boxed(box: Box(20))])
      ) { items, number in items[(number + 1) % 2].box.value = number }
    }
    #expect(inStructs == expected)
    let inOptionals = try await outcome(3) {
      ListStore(
        initialState: List(items: [MaybeBoxed(box: Box(10)), MaybeBoxed(box: Box(20))])
      ) { items, number in items[(number + 1) % 2].box?.value = number }
    }
    #expect(inOptionals == expected)
  }

  // MARK: Audited

  /// Something that all items read when they are encoded, such as a global variable.
  private static let unit = Mutex("m")

  private struct Length: StateValue {
    var value: Int

    init(_ value: Int) { self.value = value }

    init(from decoder: any Decoder) throws {
      let text = try decoder.singleValueContainer().decode(String.self)
      value = Int(text.prefix { $0.isNumber }) ?? 0
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("\(value) \(RememberedElementsTests.unit.withLock { $0 })")
    }
  }

  private static func lengths() -> ListStore<Length> {
    unit.withLock { $0 = "m" }
    return ListStore(initialState: List(items: [Length(1), Length(2)])) { items, number in
      if number == 2 { unit.withLock { $0 = "km" } }
      if number == 4 { unit.withLock { $0 = "mm" } }
    }
  }

  @Test("A global variable that elements read is found at the next step, and the app is told once")
  func global() async throws {
    let found = try await outcome(5) { Self.lengths() }
    #expect(
      found
        == Outcome(
          items: [
            #"["1 m","2 m"]"#, #"["1 km","2 km"]"#, #"["1 km","2 km"]"#, #"["1 mm","2 mm"]"#,
            #"["1 mm","2 mm"]"#,
          ], whole: [2], messages: [notice(Length.self)], verdict: .passed))
  }

  @Test("A recorder that does not remember elements has nothing to find")
  func switchedOff() async throws {
    let found = try await outcome(5, remembersElements: false) { Self.lengths() }
    #expect(
      found
        == Outcome(
          items: [
            #"["1 m","2 m"]"#, #"["1 km","2 km"]"#, #"["1 km","2 km"]"#, #"["1 mm","2 mm"]"#,
            #"["1 mm","2 mm"]"#,
          ], whole: [], messages: [], verdict: .passed))
  }

  /// An item that encodes the name of an object that somebody else may release.
  private struct Follower: StateValue {
    var id: Int
    weak var leader: Leader?

    private enum Keys: CodingKey { case id, leader }

    init(id: Int, leader: Leader?) {
      self.id = id
      self.leader = leader
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      id = try container.decode(Int.self, forKey: .id)
      let name = try container.decode(String?.self, forKey: .leader)
      leader = RememberedElementsTests.leaders.withLock { $0.first { $0.name == name } }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Keys.self)
      try container.encode(id, forKey: .id)
      try container.encode(leader?.name, forKey: .leader)
    }

    static func == (left: Follower, right: Follower) -> Bool { left.id == right.id }
  }

  private final class Leader: Sendable {
    let name: String

    init(name: String) { self.name = name }
  }

  /// The only owner of the leaders.
  private static let leaders = Mutex<[Leader]>([])

  private static func followers(
    _ change: @escaping @Sendable (inout [Leader], Int) -> Void
  ) -> ListStore<Follower> {
    let all = ["a", "b", "c"].map { Leader(name: $0) }
    leaders.withLock { $0 = all }
    let items = all.enumerated().map { Follower(id: $0.offset, leader: $0.element) }
    return ListStore(initialState: List(items: items)) { _, number in
      leaders.withLock { change(&$0, number) }
    }
  }

  @Test("A weak reference that became nil is found when the turn comes to its element")
  func weakReference() async throws {
    let found = try await outcome(5) {
      Self.followers { leaders, number in
        // The audits of the steps 2, 3, 4 encode the elements 0, 1, 2.
        if number == 2 { leaders.removeLast() }
      }
    }
    let ab = #"[{"id":0,"leader":"a"},{"id":1,"leader":"b"},"#
    let (stale, right) = (ab + #"{"id":2,"leader":"c"}]"#, ab + #"{"id":2,"leader":null}]"#)
    #expect(found.items == [stale, stale, stale, right, right])
    #expect(found.whole == [4])
    #expect(found.messages == [notice(Follower.self)])
    // The log of steps 2 and 3 is wrong, as the notice says.
    #expect(found.verdict == .diverged)
  }

  @Test("A weak reference of every element that became nil is found at once")
  func weakReferences() async throws {
    let found = try await outcome(4) {
      Self.followers { leaders, number in if number == 3 { leaders = [] } }
    }
    #expect(
      found.items.last
        == #"[{"id":0,"leader":null},{"id":1,"leader":null},{"id":2,"leader":null}]"#)
    #expect(found.items[2] == found.items[3])
    #expect(found.whole == [3])
    #expect(found.messages == [notice(Follower.self)])
    #expect(found.verdict == .passed)
  }

  @Test("A flight recorder tells once, although it begins new files")
  func segments() throws {
    Self.unit.withLock { $0 = "m" }
    let messages = LogMessages()
    var options = Recorder.Options()
    options.log.retention = .steps(8)
    let recorder = Recorder(
      to: folder.url("flight.jsonl"), options: options, logger: messages.logger)
    let dispatcher = Dispatcher([Self.lengths()])
    dispatcher.use(recorder)
    for number in 1...40 {
      dispatcher.dispatch(ListAction.edit(number == 30 ? 2 : number == 35 ? 4 : 1))
      try recorder.flush()
    }
    try recorder.close()
    #expect(messages.texts.count == 1)
    let log = try LogFile.open(recorder.url.path)
    try log.waitForIndex()
    #expect(
      try Timeline(log).state(of: "list", at: log.count - 1)?["items"]?.text
        == #"["1 mm","2 mm"]"#)
  }
}
