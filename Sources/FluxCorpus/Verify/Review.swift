import FluxLog
import FluxSystem

/// The decisions of a person about logs that diverged.
///
/// A person decides about each log of each group. A log is rewritten as a whole, because its later states follow from
/// the earlier ones. So it is accepted only if it was accepted in all its groups.
public struct Review: Sendable, Equatable {
  /// A decision about a log in a group.
  public enum Decision: String, Sendable, CaseIterable {
    case accepted, rejected, skipped
  }

  /// The directions to walk in.
  public enum Direction: Sendable {
    case next, previous
  }

  /// A log in a group.
  public struct Item: Sendable, Equatable {
    /// The index of the group.
    public let group: Int
    /// The index of the log in the group.
    public let member: Int
  }

  /// The groups.
  public let groups: [DivergenceGroup]
  /// Each log of each group, group by group.
  public let items: [Item]
  /// The decision about each item; nil if there is none yet.
  public private(set) var decisions: [Decision?]
  /// The index of the item that is shown; 0 if there are none.
  public private(set) var position = 0

  /// Begins a review without decisions.
  public init(_ groups: [DivergenceGroup]) {
    self.groups = groups
    items = groups.indices.flatMap { group in
      groups[group].members.indices.map { Item(group: group, member: $0) }
    }
    decisions = items.map { _ in nil }
  }

  /// The group of the current item.
  public var group: DivergenceGroup { groups[items[position].group] }

  /// The log of the current item.
  public var member: DivergenceGroup.Member { group.members[items[position].member] }

  /// `true` if there is a decision about every item.
  public var isComplete: Bool { !decisions.contains(nil) }

  // MARK: Deciding

  /// Decides about the current item, and goes to the next one without a decision.
  public mutating func decide(_ decision: Decision) {
    decisions[position] = decision
    advance()
  }

  /// Decides about all logs of the current group, and goes to the next item without a decision.
  public mutating func decideGroup(_ decision: Decision) {
    decide(decision, group: group.number)
    advance()
  }

  /// Decides about all logs of a group by its number, and stays.
  public mutating func decide(_ decision: Decision, group number: Int) {
    for index in items.indices where groups[items[index].group].number == number {
      decisions[index] = decision
    }
  }

  /// Goes to the next item without a decision, from the start again after the last one; stays if there is none.
  private mutating func advance() {
    let order = Array(items.indices[position...]) + items.indices[..<position]
    position = order.first { decisions[$0] == nil } ?? position
  }

  // MARK: Walking

  /// Goes to the next or previous item; returns `false` if there is none.
  public mutating func move(_ direction: Direction) -> Bool {
    let place = direction == .next ? position + 1 : position - 1
    guard items.indices.contains(place) else { return false }
    position = place
    return true
  }

  /// Goes to the first log of the next or previous group; returns `false` if there is none.
  public mutating func moveGroup(_ direction: Direction) -> Bool {
    let group = items[position].group + (direction == .next ? 1 : -1)
    guard let place = items.firstIndex(where: { $0.group == group }) else { return false }
    position = place
    return true
  }

  // MARK: Results

  /// The decision about a log: accepted or skipped if it is so in all its groups, and rejected if it is so in one.
  ///
  /// Nil if it is undecided in a group, or accepted in some and skipped in others.
  public func decision(about log: String) -> Decision? {
    let all = items.indices.filter { isItem($0, about: log) }.map { decisions[$0] }
    if all.contains(.rejected) { return .rejected }
    guard let first = all.first, all.allSatisfy({ $0 == first }) else { return nil }
    return first
  }

  /// The logs that diverged, in the order of their groups.
  public var logs: [String] {
    var seen: Set<BytewiseName> = []
    return groups.flatMap(\.logs).filter { seen.insert(BytewiseName($0)).inserted }
  }

  /// The numbers of the groups in which a log was not accepted.
  public func groupsHolding(_ log: String) -> [Int] {
    items.indices.filter { isItem($0, about: log) && decisions[$0] != .accepted }
      .map { groups[items[$0].group].number }
  }

  private func isItem(_ index: Int, about log: String) -> Bool {
    groups[items[index].group].members[items[index].member].log.hasSameBytes(as: log)
  }

  /// The decisions in a line: `2 logs: 1 accepted, 1 undecided`.
  public var summary: String {
    let found = logs.map { decision(about: $0) }
    let parts = (Decision.allCases.map(Optional.init) + [nil]).compactMap { decision in
      let count = found.count { $0 == decision }
      return count == 0 ? nil : "\(count) \(decision?.rawValue ?? "undecided")"
    }
    return "\(logs.count.counted("log")): \(parts.joined(separator: ", "))"
  }
}
