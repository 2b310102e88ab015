/// Several actions that run as one step: all of them commit or none does, and observers see one change.
///
/// The actions run in order, each on the states that the one before it produced. A nested batch is
/// flattened. Reducers and reactions see the actions, never the batch itself.
public struct Batch: Action {
  /// The purpose of the batch, shown in logs and messages.
  public let label: String?
  /// The actions, in the order in which they run.
  public let actions: [any Action]

  /// Creates a batch.
  public init(_ label: String?, _ actions: [any Action]) {
    self.label = label
    self.actions = actions
  }

  // A default label would not do: the first unlabelled argument is always the label.
  /// Creates a batch without a label.
  public init(_ actions: [any Action]) { self.init(nil, actions) }

  /// `batch`.
  public static var kind: String { "batch" }
}

extension Batch {
  private enum CodingKeys: String, CodingKey { case label, actions }
  private enum EntryKeys: String, CodingKey { case type, payload }

  /// Encodes the label and the actions, each with its kind as `type` and its value as `payload`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(label, forKey: .label)
    var entries = container.nestedUnkeyedContainer(forKey: .actions)
    for action in actions {
      var entry = entries.nestedContainer(keyedBy: EntryKeys.self)
      try entry.encode(type(of: action).kind, forKey: .type)
      try action.encode(to: entry.superEncoder(forKey: .payload))
    }
  }

  /// Decodes a batch, looking up the action types by their kinds in `Decoder.userInfo[.actionTypes]`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if a kind is not among the action types, and the errors of
  ///   decoding an action.
  public init(from decoder: any Decoder) throws {
    let types = decoder.userInfo[.actionTypes] as? [String: any Action.Type] ?? [:]
    let container = try decoder.container(keyedBy: CodingKeys.self)
    label = try container.decodeIfPresent(String.self, forKey: .label)
    var entries = try container.nestedUnkeyedContainer(forKey: .actions)
    var actions: [any Action] = []
    while !entries.isAtEnd {
      let entry = try entries.nestedContainer(keyedBy: EntryKeys.self)
      let kind = try entry.decode(String.self, forKey: .type)
      guard let type = types[kind] else {
        throw DecodingError.dataCorruptedError(
          forKey: .type, in: entry,
          debugDescription: """
            Unknown action type "\(kind)"; known types: \(types.keys.sorted().joined(separator: ", ")). \
            Set the decoder's userInfo[.actionTypes] to the dispatcher's actionTypes.
            """)
      }
      actions.append(try type.init(from: entry.superDecoder(forKey: .payload)))
    }
    self.actions = actions
  }
}

extension CodingUserInfoKey {
  /// The user info key under which a decoder finds `Dispatcher.actionTypes`, which decoding a `Batch` needs.
  public static let actionTypes = key("FluxCore.actionTypes")
}
