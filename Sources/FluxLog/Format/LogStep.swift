public import FluxJSON

/// A step of a log: an action and what it changed.
///
/// Holds the members of the line; their values are not interpreted. See docs/log-format.md,
/// "Steps".
public struct LogStep: Sendable, Equatable {
  /// The step's number, consecutive from the header's `first`.
  public var number: UInt64
  /// When the action was dispatched.
  public var time: LogTime
  /// The action: an object with a `type` and usually a `payload`.
  public var action: JSON
  /// The type of the action, such as `todo/toggle`.
  public var type: String
  /// The store that the action was addressed to; `nil` if it was not addressed to one.
  public var target: String?
  /// The earlier step that led to this one.
  public var cause: UInt64?
  /// The name of the effect that dispatched the action.
  public var effect: String?
  /// The dispatcher of the action, if it was neither a follow-up nor an effect of the cause:
  /// ``observer``.
  ///
  /// Replay treats a step with this member as dispatched from outside.
  public var from: String?
  /// The effects that the step asked for, by store, in the order of the line.
  ///
  /// Empty if there are none, or if the log does not record them; see
  /// ``LogHeader/recordsEffects``.
  public var effects: [StoreEffects] = []
  /// The place of the dispatch in the app: `File.swift:line`.
  public var source: String?
  /// Microseconds spent in reducers.
  public var took: UInt64?
  /// The number of the step whose random numbers this one draws, if it is not its own: it repeats a step on a fork that has
  /// left out others.
  public var randomStep: UInt64?
  /// `true` if the action comes from reflection, so it cannot be decoded.
  public var isReflected = false
  /// An object with the states of the stores that are written whole.
  public var states: JSON?
  /// An object with a patch, an array of operations, for each store that is written as a patch.
  public var patches: JSON?
  /// The features that the step removed.
  public var removed: [String] = []
  /// The stores whose new states were left out, because the writer was behind.
  ///
  /// Each is unknown until its next state, patch or removal. A patch applies to its last written state.
  public var unwritten: [String] = []
  /// The tokens of the secrets that the step drew from the system, in order.
  public var secrets: [String] = []
  /// The reason why the step did not commit; `nil` if it committed.
  public var rejection: LogRejection?
  /// Circumstances from elsewhere: an object, such as the ids that an importer found.
  public var external: JSON?

  /// The value of ``from`` for an action that an observer or a middleware dispatched during a step.
  public static let observer = "observer"

  /// The payload of the action; `nil` if it has none.
  ///
  /// An action with members other than its type and its payload has all of them here, as one object.
  public var payload: JSON? { action.actionContent }

  /// The cause, if it is earlier; any other is damage, and could form a cycle.
  package var earlierCause: UInt64? { cause.flatMap { $0 < number ? $0 : nil } }

  /// The cause of a follow-up, which is the step whose reducers asked for this action; nil for any other action.
  package var followUpCause: UInt64? { effect == nil && from == nil ? cause : nil }

  /// The stores that the step changes, in the order of the line.
  public var changed: [String] {
    (states?.members.map(\.name) ?? []) + (patches?.members.map(\.name) ?? []) + removed
      + unwritten
  }
}

extension LogStep {
  /// Makes an accepted step that changes nothing.
  package init(number: UInt64, time: LogTime, action: JSON, type: String) {
    (self.number, self.time, self.action, self.type) = (number, time, action, type)
  }
}

/// The reason why a step did not commit.
public struct LogRejection: Sendable, Hashable, Encodable {
  /// The kind of reason, in one word.
  public var reason: String
  /// The reason, for people.
  public var message: String
  /// The store that rejected the action; `nil` if no store did.
  public var store: String?

  /// Makes a rejection.
  public init(reason: String, message: String, store: String? = nil) {
    self.reason = reason
    self.message = message
    self.store = store
  }
}

// MARK: Reading

extension LogStep {
  /// Parses a step line without its newline, and checks its sum.
  init(line bytes: [UInt8]) throws(LineFault) {
    guard case .step(let step) = try LogLine(bytes) else { throw .notAStep }
    self = step
  }

  /// Reads a step line; the contents of its states and patches are not checked.
  init(_ line: JSON) throws(LineFault) {
    try self.init(LineMembers(line))
  }

  init(_ members: LineMembers, limit: MemoryLimit = .standard) throws(LineFault) {
    self.init(number: 0, time: LogTime(microseconds: 0), action: members.object, type: "")
    for member in StepMember.allCases { try read(member, of: members) }
    try checkPatches(members)
    try checkStores(members, limit: limit.storeCount)
  }

  @inline(__always)
  private mutating func read(
    _ member: StepMember, of line: LineMembers
  ) throws(LineFault) {
    let name = member.name
    switch member {
    case .number: number = try line.required(name)
    case .time: time = try line.required(name)
    case .action:
      guard let members = try line.object(name) else { throw line.missing(name) }
      action = members.object
      type = try members.required("type")
    case .target: target = try line.optional(name)
    case .cause: cause = try line.optional(name)
    case .effect: effect = try line.optional(name)
    case .from: from = try line.optional(name)
    case .effects: effects = try [StoreEffects](line)
    case .source: source = try line.optional(name)
    case .took: took = try line.optional(name)
    case .randomStep: randomStep = try line.optional(name)
    case .reflected: isReflected = try line.optional(name) ?? false
    case .states: states = try line.optional(name)
    case .patches: patches = try line.optional(name)
    case .removed: removed = try line.optional(name) ?? []
    case .unwritten: unwritten = try line.optional(name) ?? []
    case .secrets: secrets = try line.optional(name) ?? []
    case .rejection: rejection = try LogRejection(line)
    case .external: external = try line.optional(name)
    }
  }

  private func checkPatches(_ members: borrowing LineMembers) throws(LineFault) {
    guard let patches else { return }
    for patch in patches.members where patch.value.kind != .array {
      throw LineMembers(patches, prefix: "patches").wrongType(patch.name, "an array of operations")
    }
  }

  /// Checks that a rejected step writes no store, and that no step writes a store twice or too many.
  private func checkStores(_ members: borrowing LineMembers, limit: Int) throws(LineFault) {
    if rejection != nil {
      for change in StepMember.changes {
        guard let member = members[change.name] else { continue }
        throw LineFault(
          problem: .changeInRejectedStep(member: change.name.description), byte: member.byteOffset)
      }
    }
    // Most steps write one store, which cannot be written twice.
    let listed = removed.count + unwritten.count
    let count = (states?.count ?? 0) + (patches?.count ?? 0) + listed
    guard count > 1 else { return }
    guard count <= limit else {
      throw LineFault(
        problem: .tooManyStoresInStep(found: count, limit: limit), byte: members.byteOffset)
    }
    var written: Set<BytewiseName> = []
    for store in changed where !written.insert(BytewiseName(store)).inserted {
      let member = members["unwritten"] ?? members["removed"] ?? members["patches"]
      throw LineFault(problem: .storeWrittenTwice(store), byte: member?.byteOffset ?? 0)
    }
  }
}

extension LogRejection {
  fileprivate init?(_ line: LineMembers) throws(LineFault) {
    guard let members = try line.object(StepMember.rejection.name) else { return nil }
    reason = try members.required("reason")
    message = try members.optional("message") ?? ""
    store = try members.optional("store")
  }
}

extension LogStep {
  /// Moves the cause into ``external``, where readers do not look for its step, because that is not in an export.
  package mutating func moveCause() {
    external = Self.external(external, with: cause, effect, from)
    (cause, effect, from) = (nil, nil, nil)
  }

  /// Returns circumstances with the cause that is moved into them.
  static func external(
    _ other: JSON?, with cause: UInt64?, _ effect: String?, _ from: String?
  ) -> JSON {
    JSON(writing: { writer in
      writer.beginObject()
      for member in other?.members.map({ $0 }) ?? [] { writer.member(member.name, member.value) }
      writer.member("cause", cause)
      writer.member("effect", effect)
      writer.member("from", from)
      writer.endObject()
    })
  }
}

// MARK: Writing

extension LogRejection {
  /// The rejection as in a log line: `{"reason","message","store"?}`.
  package var json: JSON {
    JSON(writing: { writer in
      writer.beginObject()
      writer.member("reason", reason)
      writer.member("message", message)
      writer.member("store", store)
      writer.endObject()
    })
  }

  func write(to line: inout LineBuffer) { line.member(StepMember.rejection.name, json) }
}

// MARK: Actions

extension JSON {
  /// An action without its type: the payload, or an object of all other members if it has more than a payload.
  package var actionContent: JSON? {
    let payload = self["payload"]
    guard count > (payload == nil ? 1 : 2) else { return payload }
    return JSON(object: members.filter { $0.name != "type" }.map { ($0.name, $0.value) })
  }
}
