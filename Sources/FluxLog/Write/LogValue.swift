public import FluxJSON

/// A value of the app on its way into a log: an action, or the state of a store.
///
/// Encoded by the thread that writes the log, not by the one that hands it over, wherever the
/// durability allows it.
public struct LogValue: Sendable {
  private enum Content: Sendable {
    /// Members may stand in any order.
    case json(JSON)
    case making(@Sendable () throws -> JSON)
    case rewritten(@Sendable () throws -> JSON)
    case value(any Encodable & Sendable)
    case snapshot(any Snapshot)
    case action(any ActionSource)
  }

  private let content: Content

  /// Takes a value that is JSON already; a state is written without blanks, its members sorted.
  public init(json: JSON) {
    content = .json(json)
  }

  /// Takes a value that is encoded when it is needed, on any thread.
  ///
  /// What `make` returns is written as it is: its members should be sorted by code point.
  public init(encoding make: @escaping @Sendable () throws -> JSON) {
    content = .making(make)
  }

  /// What has a state that is a value all through: where it refers to objects, they never change.
  ///
  /// An object: to copy a value of an unknown type takes ten times as long as to count a reference.
  package typealias Snapshot = AnyObject & Encodable & Sendable

  /// Takes a value of the app; it is encoded by `LogEncoder` when it is needed, on any thread.
  public init(_ value: some Encodable & Sendable) {
    content = .value(value)
  }

  /// Takes a state; it is encoded when it is needed, on any thread.
  ///
  /// Arrays that it has in common with the store's last state are not encoded again.
  package init(snapshot state: some Snapshot) {
    content = .snapshot(state)
  }

  /// Takes an action whose text is made when it is needed.
  ///
  /// It is written as it is, and not parsed: that took a quarter of the time of a small step.
  package init(action source: some ActionSource) {
    content = .action(source)
  }

  private init(_ content: Content) {
    self.content = content
  }

  private func make() throws -> JSON {
    switch content {
    case .json(let json): json
    case .making(let make), .rewritten(let make): try make()
    case .value(let value): try LogEncoder().encode(value)
    case .snapshot(let state): try LogEncoder().encode(state)
    case .action(let source): try JSON.parse(try source.actionText())
    }
  }

  /// The value; `store` is whose state it is, in the error where it cannot be encoded.
  func json(of store: String?) throws(EncodingFailure) -> JSON {
    do {
      return try make()
    } catch {
      throw EncodingFailure(store: store, why: EncodingFailure.reason(error))
    }
  }

  /// The value as the state that a store has after another one.
  ///
  /// - Parameters:
  ///   - store: The name of the store.
  ///   - previous: The state that the log has last.
  ///   - memory: What is remembered of the last state.
  /// - Returns: The state without line breaks, its members sorted.
  /// - Throws: ``EncodingFailure`` where it cannot be encoded.
  func state(
    of store: String, after previous: JSON, _ memory: StateMemory
  ) throws(EncodingFailure) -> RevisedState {
    do {
      switch content {
      case .snapshot(let state):
        let bytes = try LogEncoder().bytes(of: state, remembering: memory)
        return try RevisedState(parsing: bytes, after: previous)
      case .value(let value):
        return try RevisedState(parsing: LogEncoder().bytes(of: value), after: previous)
      case .json, .making, .rewritten, .action: break
      }
    } catch {
      throw EncodingFailure(store: store, why: EncodingFailure.reason(error))
    }
    return RevisedState(try state(of: store))
  }

  /// The value as a store's state.
  ///
  /// - Parameter store: The name of the store.
  /// - Returns: The state without line breaks, its members sorted.
  /// - Throws: ``EncodingFailure`` where it cannot be encoded.
  func state(of store: String) throws(EncodingFailure) -> JSON {
    let json = try json(of: store)
    switch content {
    // The encoder sorts, and breaks no lines.
    case .value, .snapshot: return json
    // Between values JSON may break lines, and a line of a log may not.
    case .making, .action: return json.hasLineBreaks ? json.canonical() : json
    case .json, .rewritten: return json.canonical()
    }
  }

  /// The text of the value as an action: an object that begins with its type.
  func action() throws(EncodingFailure) -> [UInt8] {
    if case .action(let source) = content {
      do { return try source.actionText() } catch {
        throw EncodingFailure(store: nil, why: EncodingFailure.reason(error))
      }
    }
    let json = try json(of: nil)
    guard json["type"]?.kind == .string else {
      throw EncodingFailure(store: nil, why: "an action must be an object with a \"type\"")
    }
    let ordered = json.beginsWithType && !json.hasLineBreaks ? json : json.withTypeFirst
    return unsafe ordered.withBytes { unsafe Array($0) }
  }

  /// The value as another one that is made of it.
  func rewritten(by rewriter: ValueRewriter, _ role: ValueRewriter.Role) -> LogValue {
    // Nobody knows in which order the members stand then.
    LogValue(.rewritten({ try rewriter.rewrite(try make(), role) }))
  }
}

/// Something that has an action, such as a step on its way into the log.
///
/// An object, so that nobody has to copy the action until its text is made.
package protocol ActionSource: AnyObject, Sendable {
  /// The text of the action: an object that begins with its type, on one line.
  func actionText() throws -> [UInt8]
}

/// A value that could not be encoded.
package struct EncodingFailure: Error, Equatable {
  /// The store whose state it is; `nil` for an action.
  package let store: String?
  package let why: String

  package init(store: String?, why: String) {
    self.store = store
    self.why = why
  }

  /// What an error says, without the value that could not be encoded: it may be secret, and is often large.
  package static func reason(_ error: any Error) -> String {
    guard case EncodingError.invalidValue(let value, let context) = error else {
      return String(describing: error)
    }
    let path = context.codingPath.map { "/" + ($0.intValue.map(String.init) ?? $0.stringValue) }
    return "\(type(of: value)) at \"\(path.joined())\": \(context.debugDescription)"
  }
}

extension JSON {
  fileprivate var hasLineBreaks: Bool {
    unsafe withBytes { bytes in unsafe bytes.contains(0x0A) || bytes.contains(0x0D) }
  }

  fileprivate var beginsWithType: Bool {
    unsafe withBytes { bytes in unsafe bytes.starts(with: #"{"type":"#.utf8) }
  }

  /// The same object without blanks, its members as docs/log-format.md orders those of an action.
  fileprivate var withTypeFirst: JSON {
    let members = canonical().members
    let isType: (Member) -> Bool = { $0.name == "type" }
    return JSON(writing: { writer in
      writer.beginObject()
      for member in members.filter(isType) + members.filter({ !isType($0) }) {
        writer.name(member.name)
        writer.raw(member.value)
      }
      writer.endObject()
    })
  }
}
