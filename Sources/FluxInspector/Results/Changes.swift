public import FluxJSON
package import FluxLog

/// A value that differs between two models: `{"path","op","old"?,"new"?}`.
public struct StateChange: Sendable, Equatable, Encodable {
  /// The ways in which a value can differ.
  public typealias Operation = ValueChange.Kind

  private enum CodingKeys: String, CodingKey { case path, operation = "op", old, new }

  /// The store that holds the value; not encoded.
  public let store: String
  /// A JSON Pointer from the model `{store: state}`.
  public let path: String
  /// The way in which it differs.
  public let operation: Operation
  /// The value just before this change; nil if it is added.
  public let old: JSON?
  /// The value after this change; nil if it is removed.
  public let new: JSON?

  /// Takes a change with a pointer that starts at the model, or at the state of a store.
  package init(_ change: ValueChange, in store: String? = nil) {
    self.store = store ?? change.path.tokens.first ?? ""
    path = (store.map { Pointer(tokens: [$0]).description } ?? "") + change.path.description
    (operation, old, new) = (change.kind, change.old, change.new)
  }
}

/// An element of an array that differs, found by its identity: `{"path","key","kind","from"?,"to"?,"changes"}`.
public struct ElementChange: Sendable, Encodable {
  private enum CodingKeys: CodingKey { case path, key, kind, from, to, changes }

  /// A JSON Pointer from the model to the array.
  public let path: String
  /// The identity: a string or a number.
  public let key: JSON
  /// `added`, `removed`, `moved` or `changed`; one that is moved may have changes too.
  public let kind: String
  /// The index before; nil if it was added.
  public let from: Int?
  /// The index after; nil if it was removed.
  public let to: Int?
  /// The values in it that differ, with their places after the change, or before it if they were removed.
  public let changes: [StateChange]
  /// The element that was added or removed; not encoded.
  public let whole: JSON?

  init(_ element: ReadableDifference.Element) {
    (path, key, kind) = (element.array.description, element.key, element.kind.rawValue)
    (from, to, whole) = (element.from, element.to, element.whole)
    changes = element.changes.map { StateChange($0) }
  }
}

/// The known states of a store that a difference is between.
package struct StatePair: Sendable {
  let store: String
  let old: StoreState
  let new: StoreState

  package init(_ store: String, from old: StoreState, to new: StoreState) {
    (self.store, self.old, self.new) = (store, old, new)
  }

  /// The changes that turn one state into the other, in the order in which they apply.
  var changes: [StateChange] {
    guard let old = old.json, let new = new.json else {
      let whole = ValueChange(Pointer(tokens: []), old: old.json, new: new.json)
      return whole.old == whole.new ? [] : [StateChange(whole, in: store)]
    }
    return old.changes(to: new).map { StateChange($0, in: store) }
  }
}

/// The differences between the models after two steps:
/// `{"from","to","afterGap"?,"restored"?,"rebuilt"?,"unwritten"?,"notRecorded"?,"changes"}`.
///
/// Applied one after the other, the changes turn the first model into the second. If the app went back to a model of no step
/// in between, that one is the first.
public struct Difference: CommandResult {
  /// The forms of the differences in JSON.
  public enum Form: Sendable {
    /// `"changes"`: each value with what it was before.
    case changes
    /// `"patch"`: a JSON Patch (RFC 6902) from the first model.
    case patch
    /// `"stores"`: the number of changes of each store.
    case counts
    /// `"changes"`, and `"elements"`: the elements of arrays that differ, by their identity.
    case elements
  }

  /// An operation of a JSON Patch.
  public struct PatchOperation: Sendable, Encodable {
    /// The name of the operation.
    public let op: StateChange.Operation
    /// The place that it changes.
    public let path: String
    /// The new value; nil for `remove`.
    public let value: JSON?
  }

  /// The number of changes of one store.
  public struct Counts: Sendable, Encodable {
    /// The store.
    public let store: String
    /// The number of added values.
    public var added = 0
    /// The number of removed values.
    public var removed = 0
    /// The number of replaced values.
    public var replaced = 0
  }

  private enum CodingKeys: CodingKey {
    case from, to, afterGap, restored, rebuilt, unwritten, notRecorded
    case changes, elements, patch, stores
  }

  /// The step after which the first model is.
  public let from: StepNumber
  /// The step after which the second model is.
  public let to: StepNumber
  /// `true` if missing steps between the two may have made some of the changes, otherwise nil.
  public let afterGap: Bool?
  /// `true` if the first model is not that after step `from`, but the one that the app went back to after it, otherwise nil.
  public var restored: Bool?
  /// The origin of the states in the first and the second model that the log lacks, otherwise nil.
  public var rebuilt: [RebuiltStates]?
  /// The stores that the step changed and whose new states are not in the log, otherwise nil.
  public var unwritten: [String]?
  /// The stores that the step may have changed as well, because the log was imported without their states, otherwise nil.
  public var notRecorded: [String]?
  /// The changes, in the order in which they apply.
  public let changes: [StateChange]
  /// The form of the changes in JSON.
  public var form = Form.changes
  /// Remarks about the positions.
  public var notes: [Note] = []
  private let states: [StatePair]
  private let identities: [Pointer: String]

  /// Compares states of stores after two steps.
  ///
  /// `afterGap` is `true` if missing steps between the two may have made some of the changes. `identities` has the members that
  /// identify elements, by the place of their array; `id` for all other arrays. `check` is called before each store.
  package init(
    from: StepNumber, to: StepNumber, afterGap: Bool = false, states: [StatePair],
    identities: [Pointer: String] = [:], check: () throws -> Void
  ) rethrows {
    (self.from, self.to, self.states, self.identities) = (from, to, states, identities)
    self.afterGap = afterGap ? true : nil
    changes = try states.flatMap { pair in
      try check()
      return pair.changes
    }
  }

  /// Compares two models, or the states of one store in them.
  package init(
    from: StepNumber, _ old: JSON, to: StepNumber, _ new: JSON, in store: String? = nil,
    identities: [Pointer: String] = [:]
  ) {
    (self.from, self.to, self.identities, afterGap) = (from, to, identities, nil)
    func isAsked(_ name: String) -> Bool { store.map { name.hasSameBytes(as: $0) } ?? true }
    changes = old.changes(to: new).map { StateChange($0) }.filter { isAsked($0.store) }
    func state(_ json: JSON?) -> StoreState { json.map { .present($0) } ?? .absent }
    states = Set((old.members.map(\.name) + new.members.map(\.name)).map(BytewiseName.init))
      .sorted().map(\.text).filter(isAsked)
      .map { StatePair($0, from: state(old[$0]), to: state(new[$0])) }
  }

  /// Makes the empty difference of a place that is no step.
  package init(at step: StepNumber) { self.init(from: step, to: step, states: [], check: {}) }

  /// Notes the origin of states that the log lacks.
  mutating func note(rebuilt origins: [RebuiltStates?]) {
    let origins = origins.compactMap(\.self)
    guard !origins.isEmpty else { return }
    rebuilt = origins
    for sentence in origins.map({ Note($0.sentence) }) where !notes.contains(sentence) {
      notes.append(sentence)
    }
  }

  /// The same as a JSON Patch (RFC 6902) from the first model.
  public var patch: [PatchOperation] {
    changes.map { PatchOperation(op: $0.operation, path: $0.path, value: $0.new) }
  }

  /// The differences as people read them, with elements of arrays by their identity.
  package var readable: [ReadableDifference.Entry] {
    states.flatMap { pair -> [ReadableDifference.Entry] in
      let path = Pointer(tokens: [pair.store])
      guard let old = pair.old.json, let new = pair.new.json else {
        return pair.old.json == pair.new.json
          ? [] : [.value(ValueChange(path, old: pair.old.json, new: pair.new.json))]
      }
      return ReadableDifference(from: old, to: new, at: path, keys: identities).entries
    }
  }

  /// The same, line by line.
  package var lines: [ReadableDifference.Line] { ReadableDifference.lines(of: readable) }

  /// The elements of arrays that differ, by their identity.
  public var elements: [ElementChange] {
    readable.compactMap {
      if case .element(let element) = $0 { ElementChange(element) } else { nil }
    }
  }

  /// The number of changes of each store that differs, in the order of the changes.
  public var counts: [Counts] {
    // The changes of a store follow each other.
    changes.reduce(into: []) { stores, change in
      if stores.last?.store.hasSameBytes(as: change.store) != true {
        stores.append(Counts(store: change.store))
      }
      switch change.operation {
      case .add: stores[stores.count - 1].added += 1
      case .remove: stores[stores.count - 1].removed += 1
      case .replace: stores[stores.count - 1].replaced += 1
      }
    }
  }

  /// Encodes the differences in their form.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(from, forKey: .from)
    try members.encode(to, forKey: .to)
    try members.encodeIfPresent(afterGap, forKey: .afterGap)
    try members.encodeIfPresent(restored, forKey: .restored)
    try members.encodeIfPresent(rebuilt, forKey: .rebuilt)
    try members.encodeIfPresent(unwritten, forKey: .unwritten)
    try members.encodeIfPresent(notRecorded, forKey: .notRecorded)
    switch form {
    case .changes: try members.encode(changes, forKey: .changes)
    case .patch: try members.encode(patch, forKey: .patch)
    case .counts: try members.encode(counts, forKey: .stores)
    case .elements:
      try members.encode(changes, forKey: .changes)
      try members.encode(elements, forKey: .elements)
    }
  }
}

/// A step that wrote a value, and the value: `{"n","type"?,"restored"?,"to"?,"value"?,"afterGap"?}`.
///
/// If the app went back to another model, and that wrote the value, the number is that of the next step.
public struct Write: Sendable, Encodable {
  private enum CodingKeys: String, CodingKey {
    case number = "n", type, isRestored = "restored", restoredStep = "to", value, afterGap
  }

  /// The number of the step; of the initial value, the number before the first step.
  public let number: StepNumber
  /// The type of the step's action; nil for the initial value, and if the app went back to another model.
  public let type: String?
  /// `true` if the app went back to another model right before the step, and that wrote the value; otherwise nil.
  public let isRestored: Bool?
  /// The step after which the app had this model before; nil if the log lists the states.
  public let restoredStep: UInt64?
  /// The value after the step; nil if the step removed it.
  public let value: JSON?
  /// `true` if a missing or damaged step before this one may have written the value, otherwise nil.
  public let afterGap: Bool?

  /// The position of the step; not encoded.
  package let position: Int

  /// Describes a write of a step that is no recorded one.
  init(number: StepNumber, position: Int, type: String?, value: JSON?) {
    (self.number, self.position, self.type, self.value) = (number, position, type, value)
    (isRestored, restoredStep, afterGap) = (nil, nil, nil)
  }

  init(_ write: PathWrite, number: StepNumber) {
    (self.number, position) = (number, write.position)
    (type, value) = (write.type, write.value)
    isRestored = write.restored == nil ? nil : true
    restoredStep = if case .step(let step)? = write.restored { step } else { nil }
    afterGap = write.afterGap ? true : nil
  }
}

/// The subject of a list of writes: `{"path"}` or `{"expression"}`.
public struct WritesHeader: Sendable, Encodable {
  /// The path: a JSON Pointer from the model if it selects one place, otherwise as it was written.
  public let path: String?
  /// The expression, as it was written.
  public let expression: String?

  init(_ query: ValueQuery) {
    switch query {
    case .path(let path):
      (self.path, expression) = (path.placeInModel?.description ?? path.text, nil)
    case .expression(let expression): (path, self.expression) = (nil, expression.text)
    }
  }
}

extension Path {
  /// The place that the path points at from the model; nil if it can select several.
  fileprivate var placeInModel: Pointer? {
    guard let tokens = place?.tokens, tokens.first == "state" else { return nil }
    return Pointer(tokens: tokens.dropFirst())
  }
}

/// The steps that wrote a value: `{"path","writes"}` or `{"expression","writes"}`.
public typealias Writes = Rows<WritesHeader, Write, NoMembers>
