package import FluxJSON

/// The effects that a step asked for in one store: the starts and cancellations, in order.
///
/// An entry says what the reducers asked for. The policy of an effect may delay or drop it, and a
/// cancellation may find nothing to cancel.
///
/// See docs/log-format.md, "Effects".
public struct StoreEffects: Sendable {
  /// The store; a child store's effects belong to its parent.
  public var store: String
  /// The names in the form of the log: `save` starts an effect, `-search` cancels the effects of
  /// that name.
  ///
  /// A started name that begins with `-` or `+` has another `+` before it. ``start(_:)`` and
  /// ``cancel(_:)`` add names in this form.
  public var names: [String]

  /// Makes the effects of a store from names in the form of the log.
  public init(store: String, names: [String] = []) {
    self.store = store
    self.names = names
  }

  /// Adds the start of an effect.
  public mutating func start(_ name: String) {
    let isMarked = name.utf8.first.map { $0 == Self.cancellation || $0 == Self.escape } ?? false
    names.append(isMarked ? "+" + name : name)
  }

  /// Adds the cancellation of the effects of a name.
  public mutating func cancel(_ name: String) {
    names.append("-" + name)
  }

  /// The names of the started effects, in order.
  public var started: [String] {
    names.compactMap { name in
      switch name.utf8.first {
      case Self.cancellation: nil
      case Self.escape: Self.withoutMark(name)
      default: name
      }
    }
  }

  /// The names of the cancelled effects, in order.
  public var cancelled: [String] {
    names.compactMap { $0.utf8.first == Self.cancellation ? Self.withoutMark($0) : nil }
  }

  // The marks are bytes: a `-` and a combining accent after it are one character.
  private static let cancellation = UInt8(ascii: "-")
  private static let escape = UInt8(ascii: "+")

  private static func withoutMark(_ name: String) -> String {
    String(Substring(name.utf8.dropFirst()))
  }
}

extension StoreEffects: Equatable {
  /// Compares the names byte by byte.
  public static func == (left: StoreEffects, right: StoreEffects) -> Bool {
    left.store.hasSameBytes(as: right.store)
      && left.names.elementsEqual(right.names) { $0.hasSameBytes(as: $1) }
  }
}

extension [StoreEffects] {
  /// Returns `true` if an effect with this name is started in any store.
  package func hasStart(of name: String) -> Bool {
    contains { effects in effects.started.contains { $0.hasSameBytes(as: name) } }
  }

  /// The member `effects` of a line, `{store: [name]}`; `nil` if the list is empty.
  package var json: JSON? {
    // A bare `nil` would be the JSON value null.
    guard !isEmpty else { return JSON?.none }
    return JSON(writing: { writer in
      writer.beginObject()
      for effects in self {
        writer.name(effects.store)
        writer.strings(effects.names)
      }
      writer.endObject()
    })
  }

  /// Reads the member `effects` of a line; returns an empty list if it is absent.
  init(_ line: LineMembers) throws(LineFault) {
    self = []
    guard let members = try line.object(StepMember.effects.name) else { return }
    for member in members.object.members {
      append(StoreEffects(store: member.name, names: try members.value(of: member)))
    }
  }

  /// Appends the member `effects` unless the list is empty.
  func write(to line: inout LineBuffer) {
    guard !isEmpty else { return }
    line.object(StepMember.effects.name) { object in
      for effects in self { object.member(named: effects.store, effects.names) }
    }
  }
}
