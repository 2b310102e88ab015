import FluxInspector
import FluxJSON
import FluxLog
public import FluxReplay

/// The logs that diverge in the same way: in one store, at one place, at one type of action, in one kind.
///
/// `{"group","kind","store"?,"path"?,"action"?,"count","logs":[…],"example":{"log","step","recorded"?,"replayed"?}}`
public struct DivergenceGroup: Sendable, Equatable {
  /// A log of the group.
  public struct Member: Sendable, Equatable {
    /// The path of the log.
    public let log: String
    /// The divergences of the log that are in the group.
    public internal(set) var divergences: [Divergence]
  }

  /// The number of the group, from 1.
  public let number: Int
  /// The way in which the logs diverge.
  public let kind: Divergence.Kind
  /// The store; nil if the divergence is not in a store.
  public let store: String?
  /// The place in the model, with `*` for each index; nil if the divergence has no place.
  public let path: String?
  /// The type of the action; nil for initial states.
  public let action: String?
  /// The logs, in the order in which they were verified.
  public let members: [Member]

  /// The paths of the logs.
  public var logs: [String] { members.map(\.log) }

  /// `true` if the app dispatches other follow-ups than the recordings have, so that an accepted log is recorded again.
  public var changesActions: Bool { members.contains { $0.divergences[0].changesActions } }

  /// The difference in words: `/todos/items/*/title differs after todo/add`.
  public var sentence: String {
    let action = action ?? "the action"
    let place = path ?? store.map { "the store \($0)" } ?? "the app"
    return switch kind {
    case .initial: "\(place) differs at the start"
    case .different: "\(place) differs after \(action)"
    case .rejected: "\(action) is now rejected"
    case .accepted: "\(action) is now accepted"
    case .reason: "\(action) is rejected for a different reason"
    case .message: "\(action) is refused with a different message"
    case .undecodable: "\(action) can no longer be decoded"
    case .missing: "\(action) is no longer dispatched as a follow-up"
    case .extra: "\(action) dispatches a new follow-up"
    case .followUp: "a different follow-up replaces \(action)"
    case .effectMissing: "\(action) no longer asks for an effect"
    case .effectExtra: "\(action) asks for a new effect"
    }
  }
}

extension DivergenceGroup: Encodable {
  private enum CodingKeys: String, CodingKey {
    case number = "group", kind, store, path, action, count, logs, example
  }

  private struct Example: Encodable {
    let log: String
    let step: UInt64
    let recorded: JSON?
    let replayed: JSON?
  }

  /// Encodes the group with the first divergence of its first log.
  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(number, forKey: .number)
    try members.encode(kind.rawValue, forKey: .kind)
    try members.encodeIfPresent(store, forKey: .store)
    try members.encodeIfPresent(path, forKey: .path)
    try members.encodeIfPresent(action, forKey: .action)
    try members.encode(logs.count, forKey: .count)
    try members.encode(logs, forKey: .logs)
    guard let first = self.members.first, let divergence = first.divergences.first else { return }
    try members.encode(
      Example(
        log: first.log, step: divergence.step,
        recorded: divergence.recorded.map(Excerpt.shallow),
        replayed: divergence.replayed.map(Excerpt.shallow)), forKey: .example)
  }
}

extension VerifiedSuite {
  /// The divergences of all logs in groups; those with the most logs come first.
  ///
  /// A log with several divergences can be in several groups. One that follows from an earlier one is in the group of that.
  public var divergenceGroups: [DivergenceGroup] {
    var order: [GroupKey] = []
    var members: [GroupKey: [DivergenceGroup.Member]] = [:]
    for log in logs {
      guard case .report(let report) = log.outcome else { continue }
      var origins: [UInt64: GroupKey] = [:]
      for divergence in report.divergences {
        let key = divergence.follows.flatMap { origins[$0] } ?? GroupKey(divergence)
        if origins[divergence.step] == nil { origins[divergence.step] = key }
        if members[key] == nil { order.append(key) }
        var found = members[key, default: []]
        if let last = found.indices.last, found[last].log.hasSameBytes(as: log.log) {
          found[last].divergences.append(divergence)
        } else {
          found.append(.init(log: log.log, divergences: [divergence]))
        }
        members[key] = found
      }
    }
    let groups = order.map { (key: $0, members: members[$0] ?? []) }
    let sorted = groups.enumerated().sorted { one, other in
      (other.element.members.count, one.offset) < (one.element.members.count, other.offset)
    }
    return zip(1..., sorted).map { number, group in
      let key = group.element.key
      return DivergenceGroup(
        number: number, kind: key.kind, store: key.store?.text, path: key.path?.text,
        action: key.action?.text, members: group.element.members)
    }
  }
}

/// Everything in which the divergences of a group agree.
private struct GroupKey: Hashable {
  let kind: Divergence.Kind
  let store: BytewiseName?
  let path: BytewiseName?
  let action: BytewiseName?

  init(_ divergence: Divergence) {
    kind = divergence.kind
    store = divergence.store.map(BytewiseName.init)
    path = divergence.path.map { path in
      let tokens = path.tokens.map { Position.digits($0) == nil ? $0 : "*" }
      return BytewiseName(Pointer(tokens: tokens).description)
    }
    let type = divergence.kind == .initial ? nil : divergence.action["type"]?.string
    action = type.map(BytewiseName.init)
  }
}
