import FluxRecorder
import Foundation
import Observation

/// Values that reflection reads: what app code declares, and what it can declare to do harm.
enum Reflected {
  struct Plain {
    var count = 1
    var title = "tea"
    var note: String?
    private var hidden = true

    init(count: Int = 1) { self.count = count }
  }

  class Base {
    var id = 1
    private var name = "base"
  }

  final class Derived: Base {
    private var name = "derived"
  }

  final class Node {
    var value: Int
    var next: Node?
    var parts: [Node] = []

    init(_ value: Int) { self.value = value }

    /// Appends nodes to this one, with the values from 1 on.
    func append(_ count: Int) {
      var last = self
      for value in 1...count {
        let node = Node(value)
        last.next = node
        last = node
      }
    }

    /// Releases the nodes after this one, one after the other: the release of a long list nests as deep.
    func takeApart() {
      var rest = next
      next = nil
      while let node = rest { (rest, node.next) = (node.next, nil) }
    }
  }

  @Observable final class Cart {
    var items: [String] = []
    var total = 0
    @ObservationIgnored var _note = "x"
  }

  @Observable final class Aliased {
    @ObservationIgnored var name = "x"
    @ObservationIgnored var _name = "y"
  }

  final class LazyHolder {
    lazy var text = "made"
    lazy var other = "not made"
    var _plain = 1
  }

  @propertyWrapper struct Clamped {
    var wrappedValue: Int
    var limit = 9
  }

  @propertyWrapper struct Debounced: RecordedWrapper {
    var wrappedValue: Int
    var recordedValue: Any { wrappedValue as Int? as Any }
  }

  @propertyWrapper struct Shown: @MainActor RecordedWrapper {
    var wrappedValue = 5
    var recordedValue: Any { wrappedValue }
  }

  struct Wrapped {
    @Clamped var clamped = 3
    @Debounced var debounced = 4
  }

  enum Screen { case home, detail(id: Int, String), sheet(Plain?), note(text: String) }

  enum Tab: String { case home, search = "find" }

  enum Level: Int { case low, high }

  enum Spoken: CustomStringConvertible {
    case loud, quiet(Int)

    var description: String { "spoken words" }
  }

  actor Counter { var count = 1 }

  struct Opaque {
    let counter = Counter()
    let callback: (Int) -> Void = { _ in }
    let task = Task<Int, Never> { 1 }
    let place: any AnyKeyPath & Sendable = \Plain.count
    let type: any Any.Type = Int.self
    let lock = NSLock()
  }

  struct Key: Hashable { let x: Int }

  struct Price: LosslessStringConvertible {
    let cents: Int

    init(cents: Int) { self.cents = cents }
    init?(_ text: String) { nil }

    var description: String { "\(cents) cents" }
  }

  /// Writes something, and then throws.
  struct Failing: Encodable {
    let value = 7

    func encode(to encoder: any Encoder) throws {
      var members = encoder.container(keyedBy: FailingKey.self)
      try members.encode(1, forKey: .written)
      var nested = members.nestedUnkeyedContainer(forKey: .nested)
      try nested.encode("half")
      throw CancellationError()
    }
  }

  enum FailingKey: CodingKey { case written, nested }

  /// Asks for two containers of its encoder, which is found after it has returned.
  struct Misusing: Encodable {
    let value = 8

    func encode(to encoder: any Encoder) {
      _ = encoder.unkeyedContainer()
      _ = encoder.container(keyedBy: FailingKey.self)
    }
  }

  /// Has more children than can be counted, each of which has them too.
  struct Endless: CustomReflectable {
    var customMirror: Mirror { Mirror(self, unlabeledChildren: EndlessChildren()) }
  }

  /// Has a mirror that depends on an object which the value does not hold.
  struct Mirrored: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["count": 1]) }
  }

  /// A chain of structs.
  struct Link {
    var inner: Any?
  }

  indirect enum Branch {
    case leaf, node(Branch)
    case fork(left: Branch, right: Int)
  }

  struct EndedEntries: CustomReflectable {
    var inner: Any?
    var customMirror: Mirror {
      Mirror(self, children: [(nil, (1, inner as Any))], displayStyle: .dictionary)
    }
  }

  struct EndlessMembers: CustomReflectable {
    var customMirror: Mirror {
      Mirror(
        self, children: EndlessChildren().lazy.map { (label: "same", value: $0) },
        displayStyle: .struct)
    }
  }

  struct EndlessChildren: Collection {
    var startIndex: Int { 0 }
    var endIndex: Int { .max }

    func index(after index: Int) -> Int { index + 1 }
    subscript(index: Int) -> Any { index }
  }

  /// Has children that are all absent.
  struct EndlessNothing: CustomReflectable {
    var style: Mirror.DisplayStyle

    var customMirror: Mirror {
      Mirror(
        self, unlabeledChildren: EndlessChildren().lazy.map { _ in Int?.none }, displayStyle: style)
    }
  }

  /// Is its own only child.
  struct Inside: CustomReflectable {
    var customMirror: Mirror { Mirror(self, children: ["me": self, "too": self]) }
  }

  /// Encodes itself, and has a mirror without an end.
  struct EndlessEncodable: Encodable, CustomReflectable {
    let count = 5

    var customMirror: Mirror { Mirror(self, unlabeledChildren: EndlessChildren()) }
  }

  @propertyWrapper struct Recursive: RecordedWrapper {
    var wrappedValue = 1
    var recordedValue: Any { self }
  }

  /// Encodes itself on the main actor only.
  struct OnMain: @MainActor Encodable {
    let count = 1

    @MainActor func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode("on main")
    }
  }
}
