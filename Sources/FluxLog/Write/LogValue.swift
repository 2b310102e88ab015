public import FluxJSON

/// A value of the app on its way into a log: an action, or the state of a store.
///
/// The writing thread encodes it if the durability allows that, and otherwise the app's thread.
public struct LogValue: Sendable {
  private enum Content: Sendable {
    /// With its members in any order.
    case json(JSON)
    case making(@Sendable () throws -> JSON)
    case rewritten(@Sendable () throws -> JSON)
    case value(any Encodable & Sendable)
    case snapshot(any Snapshot)
    case action(any ActionSource)
    case text([UInt8])
    /// The text of an action that was logged, and rewritten before, or the failure to encode it.
    case noted(Result<[UInt8], EncodingFailure>)
  }

  private let content: Content

  /// Takes a value that is JSON already; a state is written without blanks and with sorted members.
  public init(json: JSON) {
    content = .json(json)
  }

  /// Takes a value that `make` encodes when it is needed, on any thread.
  ///
  /// The result is written as it is, so its members should be sorted by code point.
  public init(encoding make: @escaping @Sendable () throws -> JSON) {
    content = .making(make)
  }

  /// An object with a state; all objects that the state refers to never change.
  ///
  /// An object because copying a value of unknown type takes ten times as long as a retain.
  package typealias Snapshot = AnyObject & Encodable & Sendable

  /// Takes a value of the app that `LogEncoder` encodes when it is needed, on any thread.
  public init(_ value: some Encodable & Sendable) {
    content = .value(value)
  }

  /// Takes a state that is encoded when it is needed, on any thread.
  ///
  /// Arrays that it shares with the store's last state are not encoded again.
  package init(snapshot state: some Snapshot) {
    content = .snapshot(state)
  }

  /// Takes an action that is encoded when it is needed.
  ///
  /// Its text is written without parsing it, which took a quarter of the time of a small step.
  package init(action source: some ActionSource) {
    content = .action(source)
  }

  /// Takes the text of a state or an action as a log has it: on one line, with sorted members, the type of an action first.
  package init(text: [UInt8]) {
    content = .text(text)
  }

  /// Takes an action that was logged before its reducers ran.
  init(noted text: Result<[UInt8], EncodingFailure>) {
    content = .noted(text)
  }

  private init(_ content: Content) {
    self.content = content
  }

  /// The object of a state that shares arrays with the store's last state; `nil` for other values.
  var snapshot: (any Snapshot)? {
    if case .snapshot(let state) = content { state } else { nil }
  }

  /// `true` for an action that was logged before its reducers ran.
  var isNoted: Bool {
    if case .noted = content { true } else { false }
  }

  private func make() throws -> JSON {
    switch content {
    case .json(let json): json
    case .making(let make), .rewritten(let make): try make()
    case .value(let value): try LogEncoder().encode(value)
    case .snapshot(let state): try LogEncoder().encode(state)
    case .action(let source): try JSON.parse(try source.actionText())
    case .text(let text): try JSON.parse(text)
    case .noted(let text): try JSON.parse(try text.get())
    }
  }

  /// Encodes the value; an error names no store.
  func json() throws(EncodingFailure) -> JSON {
    try EncodingFailure.wrapping(nil) { try make() }
  }

  /// Encodes a store's state as text, without line breaks and with sorted members.
  ///
  /// `memory` has parts of the last encoding; `nil` to encode everything.
  func stateText(
    of store: String, remembering memory: StateMemory? = nil
  ) throws(EncodingFailure) -> [UInt8] {
    try EncodingFailure.wrapping(store) {
      switch content {
      case .snapshot(let state): return try LogEncoder().bytes(of: state, remembering: memory)
      case .value(let value): return try LogEncoder().bytes(of: value)
      case .text(let text): return text
      case .json, .rewritten: return try make().canonicalText
      case .making, .action, .noted:
        // Between values JSON may break lines, and a line of a log may not.
        return unsafe try make().onOneLine.withBytes { unsafe Array($0) }
      }
    }
  }

  /// Encodes a store's state, without line breaks and with sorted members.
  func state(of store: String) throws(EncodingFailure) -> JSON {
    let text = try stateText(of: store)
    let state = try EncodingFailure.wrapping(store) { try JSON.parse(text) }
    guard state.fitsIntoLine else { throw EncodingFailure.tooDeep(store) }
    return state
  }

  /// Encodes an action: an object that begins with its type, on one line.
  func action() throws(EncodingFailure) -> [UInt8] {
    if case .text(let text) = content { return text }
    if case .noted(let text) = content { return try text.get() }
    let text = try newAction()
    try EncodingFailure.checkDepth(ofAction: text)
    return text
  }

  private func newAction() throws(EncodingFailure) -> [UInt8] {
    if case .action(let source) = content {
      do { return try source.actionText() } catch {
        let why = "\(source.actionType): \(EncodingFailure.reason(error))"
        throw EncodingFailure(store: nil, why: why)
      }
    }
    let json = try json()
    guard json["type"]?.kind == .string else {
      throw EncodingFailure(store: nil, why: "an action must be an object with a \"type\"")
    }
    let ordered = json.beginsWithType && !json.hasLineBreaks ? json : json.withTypeFirst
    return unsafe ordered.withBytes { unsafe Array($0) }
  }

  /// Returns a value that `rewriter` changes when it is encoded, unless it has done that before.
  func rewritten(
    by rewriter: any ValueRewriter, _ role: ValueRole, drawnIn step: UInt64? = nil
  ) -> LogValue {
    // The rewriter may return the members in any order.
    isNoted ? self : LogValue(.rewritten({ try rewriter.rewrite(role, try make(), drawnIn: step) }))
  }
}

/// An object with an action, such as a step on its way into the log.
///
/// An object, so the action is not copied before it is encoded.
package protocol ActionSource: AnyObject, Sendable {
  /// Encodes the action: an object that begins with its type, on one line.
  func actionText() throws -> [UInt8]
  /// The action's type, for a failure to encode it.
  var actionType: String { get }
}

extension JSON {
  fileprivate var beginsWithType: Bool {
    unsafe withBytes { bytes in unsafe bytes.starts(with: #"{"type":"#.utf8) }
  }

  /// The object without blanks, its type first and the other members sorted.
  fileprivate var withTypeFirst: JSON {
    let members = canonical().members
    let isType: (Member) -> Bool = { $0.name == "type" }
    let ordered = members.filter(isType) + members.filter { !isType($0) }
    return JSON(object: ordered.map { ($0.name, $0.value) })
  }
}
