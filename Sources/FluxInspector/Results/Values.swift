public import FluxJSON
package import FluxLog

/// A state, the model of all stores, or the value of an expression: `{"value","rebuilt"?}`.
public struct StateResult: CommandResult {
  /// The value.
  public let value: JSON
  /// The origin of states that it has, or that the expression may read, and the log lacks; otherwise nil.
  public internal(set) var rebuilt: RebuiltStates?

  /// The origin of states that the log lacks.
  public var notes: [Note] { rebuilt.map { [Note($0.sentence)] } ?? [] }
}

/// A value that a path selects: `{"path","value"}`.
public struct SelectedValue: Sendable, Encodable {
  private enum CodingKeys: CodingKey { case path, value }

  /// The place of the value: a JSON Pointer from the model, or a normalized path outside it.
  public let path: String
  /// The value.
  public let value: JSON
  /// The place in the short form that people write; not encoded.
  public let shorthand: String
  /// The place in the document of the step; not encoded, and nil for the value of an expression.
  public let location: Location?

  init(_ node: QueryNode) {
    path = node.location.modelPointer?.description ?? node.location.normalizedPath
    value = node.value
    shorthand = node.location.shorthand
    location = node.location
  }

  init(value: JSON, of expression: QueryExpression) {
    (path, shorthand, self.value) = (expression.text, expression.text, value)
    location = nil
  }
}

/// The values that a path selects: `{"nodes","rebuilt"?}`.
public struct Selection: CommandResult {
  private enum CodingKeys: String, CodingKey { case values = "nodes", rebuilt }

  /// The values, in the order of the query.
  public let values: [SelectedValue]
  /// `true` if the path can select only one value; not encoded.
  public let isSingular: Bool
  /// The origin of states that the path may read and the log lacks, otherwise nil.
  public let rebuilt: RebuiltStates?

  /// The origin of states that the log lacks.
  public var notes: [Note] { rebuilt.map { [Note($0.sentence)] } ?? [] }
}

/// The value of a display: `{"number","path","nodes","message"?}`, or `{"number","expression","value"?,"message"?}`.
public struct DisplayedValue: CommandResult {
  private enum CodingKeys: String, CodingKey {
    case number, path, values = "nodes", expression, value, failure = "message"
  }

  /// The number of the display.
  public let number: Int
  /// The path or the expression.
  public let query: ValueQuery
  /// The values that the path selects here; the one of the expression, if it has one.
  public let values: [SelectedValue]
  /// The reason why the value cannot be shown here.
  public let failure: String?
  /// A remark on a path that selects nothing.
  public var notes: [Note] = []

  /// Encodes the display by its kind.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(number, forKey: .number)
    switch query {
    case .path(let path):
      try members.encode(path.text, forKey: .path)
      try members.encode(values, forKey: .values)
    case .expression(let expression):
      try members.encode(expression.text, forKey: .expression)
      try members.encodeIfPresent(values.first?.value, forKey: .value)
    }
    try members.encodeIfPresent(failure, forKey: .failure)
  }
}

extension ValueQuery {
  /// `true` if there can be only one value.
  package var isSingular: Bool {
    switch self {
    case .path(let path): path.isSingular
    case .expression: true
    }
  }
}

/// All displays and their values: `{"displays"}`.
public struct DisplayList: CommandResult {
  /// The displays, oldest first.
  public let displays: [DisplayedValue]
}

/// A name for a position: `{"name","step"}`.
public struct BookmarkEntry: CommandResult {
  private enum CodingKeys: CodingKey { case name, step }

  /// The name, without `$`.
  public let name: String
  /// The number of the step.
  public let step: StepNumber
  /// The type of its action, not encoded; nil before the first step.
  public let type: String?
  /// A remark on a bookmark that was moved.
  public var notes: [Note] = []
}

/// All bookmarks: `{"bookmarks"}`.
public struct BookmarkList: CommandResult {
  /// The bookmarks, oldest first.
  public let bookmarks: [BookmarkEntry]
}

/// A store and its state here: `{"name","type"?,"feature","reflected"?,"state","bytes"?}`.
public struct StoreEntry: Sendable, Encodable {
  private enum CodingKeys: String, CodingKey {
    case name, type, isFeature = "feature", isReflected = "reflected", state, byteCount = "bytes"
  }

  /// The knowledge about a state.
  public enum Presence: String, Sendable, Encodable {
    /// The store has a state.
    case present
    /// The store is a feature that is not there, or was not registered yet.
    case absent
    /// Damage or a gap hides the state.
    case unknown
    /// The recorder left out the state because it was behind.
    case unwritten
    /// The recorder left out the state, and the app has rebuilt it.
    case rebuilt
  }

  /// The name of the store.
  public let name: String
  /// The type of its state, if the log names it.
  public let type: String?
  /// `true` if the store may be absent.
  public let isFeature: Bool
  /// `true` if its states were recorded by reflection and cannot be replayed, otherwise nil.
  public let isReflected: Bool?
  /// The knowledge about its state.
  public let state: Presence
  /// The size of its state as JSON.
  public let byteCount: Int?

  /// Describes a store; `isUnwritten` says that its state here is not in the log although no step is missing, and
  /// `isImported` that a file that was imported lacks it.
  init(
    _ name: String, _ declared: LogHeader.Store?, state: StoreState, isUnwritten: Bool,
    isImported: Bool
  ) {
    (self.name, type, isFeature) = (name, declared?.type, declared?.isFeature ?? false)
    isReflected = declared?.isReflected == true ? true : nil
    switch state {
    case .present(let json):
      (self.state, byteCount) = (isUnwritten ? .rebuilt : .present, json.text.utf8.count)
    case .absent: (self.state, byteCount) = (.absent, nil)
    case .unknown:
      (self.state, byteCount) = (isUnwritten && !isImported ? .unwritten : .unknown, nil)
    }
  }
}

/// The stores: `{"stores"}`.
public struct StoreList: CommandResult {
  /// The stores, in the order of the log.
  public let stores: [StoreEntry]
}

/// A type of action and the number of its steps: `{"type","count"}`.
public struct TypeCount: Sendable, Equatable, Encodable {
  /// The type.
  public let type: String
  /// The number of steps with such an action, rejected ones included.
  public let count: Int

  package static func all(in log: LogFile) -> [TypeCount] {
    log.typeCounts().map { TypeCount(type: $0.type, count: $0.count) }
      .sorted { ($1.count, BytewiseName($0.type)) < ($0.count, BytewiseName($1.type)) }
  }
}

/// The types of actions: `{"types"}`.
public struct TypeList: CommandResult {
  /// The types, the most frequent first.
  public let types: [TypeCount]
}
