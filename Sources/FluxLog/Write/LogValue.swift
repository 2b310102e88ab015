/// A value of the app on its way into a log: an action, or the state of a store.
///
/// Encoded by the thread that writes the log, not by the one that hands it over, wherever the
/// durability allows it.
public struct LogValue: Sendable {
  private let make: @Sendable () throws -> JSON
  /// Whether members may stand in another order than that of their names.
  private let isUnsorted: Bool

  /// Takes a value that is JSON already; a state is written without blanks, its members sorted.
  public init(json: JSON) {
    make = { json }
    isUnsorted = true
  }

  /// Takes a value that is encoded when it is needed, on any thread.
  ///
  /// What `make` returns is written as it is: its members should be sorted by code point.
  public init(encoding make: @escaping @Sendable () throws -> JSON) {
    self.make = make
    isUnsorted = false
  }

  /// Takes a value of the app; it is encoded by ``LogEncoder`` when it is needed, on any thread.
  public init(_ value: some Encodable & Sendable) {
    self.init(encoding: { try LogEncoder().encode(value) })
  }

  private func json(of store: String?) throws(EncodingFailure) -> JSON {
    do {
      return try make()
    } catch {
      throw EncodingFailure(store: store, why: EncodingFailure.reason(error))
    }
  }

  /// The value as a store's state.
  func state(of store: String) throws(EncodingFailure) -> JSON {
    let json = try json(of: store)
    // Between values JSON may break lines, and a line of a log may not.
    return isUnsorted || json.hasLineBreaks ? json.canonical() : json
  }

  /// The value as an action: an object that begins with its type.
  func action() throws(EncodingFailure) -> JSON {
    let json = try json(of: nil)
    guard json["type"]?.kind == .string else {
      throw EncodingFailure(store: nil, why: "an action has to be an object with a \"type\"")
    }
    return json.beginsWithType && !json.hasLineBreaks ? json : json.withTypeFirst
  }

  /// The value as another one that is made of it.
  func rewritten(by rewriter: ValueRewriter, _ role: ValueRewriter.Role) -> LogValue {
    let make = make
    // Nobody knows in which order the members stand then.
    return LogValue(isUnsorted: true, make: { try rewriter.rewrite(try make(), role) })
  }

  private init(isUnsorted: Bool, make: @escaping @Sendable () throws -> JSON) {
    self.make = make
    self.isUnsorted = isUnsorted
  }
}

/// A value that could not be encoded.
package struct EncodingFailure: Error, Equatable {
  /// The store whose state it is; nil for an action.
  let store: String?
  let why: String

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

  /// The same object without blanks, its members as LOG-FORMAT orders those of an action.
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
