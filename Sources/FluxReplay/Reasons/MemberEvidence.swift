import FluxJSON
import FluxLog

extension Divergence {
  /// A reason that the two values of a divergence suggest, and that has to be tested before a report gives it.
  enum Hint: Sendable, Equatable {
    /// A reducer may depend on something outside the log.
    case hiddenInput(HiddenInput)
    /// Another machine may round numbers in another way.
    case rounding
    /// One of two objects, which are equal in their other names, has one more member.
    case member(name: String, isAdded: Bool, others: Set<String>)

    /// Finds the hint of a place in two states of a store; nil if there is none.
    init?(
      _ place: StateComparison.Pair, in states: (recorded: JSON?, replayed: JSON?), now: LogInstant
    ) {
      let place = place.withoutStore
      let input = HiddenInput(of: place, in: states, now: now, areReplays: false)
      if input != .other {
        self = .hiddenInput(input)
        return
      }
      if LikelyReason.isRounding(place) {
        self = .rounding
        return
      }
      guard let name = place.tokens.last, (place.recorded == nil) != (place.replayed == nil) else {
        return nil
      }
      var (left, right) = states
      for token in place.tokens.dropLast() {
        (left, right) = (left?.child(token), right?.child(token))
      }
      guard let left, let right, left.kind == .object, right.kind == .object else { return nil }
      let isAdded = place.recorded == nil
      let others = (isAdded ? left : right).memberNames
      guard !others.isEmpty, others.union([name]) == (isAdded ? right : left).memberNames else {
        return nil
      }
      self = .member(name: name, isAdded: isAdded, others: others)
    }
  }
}

extension Timeline {
  /// The number of steps to look at, spread over the log.
  private static let samples = 64
  /// The fewest different values that show a structure.
  private static let fewestValues = 3

  /// Tells a member of a structure from an enum's case and a dictionary's key, by the values that the log has at its place.
  ///
  /// A structure has the same names in all of its values.
  ///
  /// - Returns: `true` if the log has enough values at the place around a member, and all of them have these names.
  func hasStructure(around path: Pointer, of store: String, names: Set<String>) throws -> Bool {
    let parent = Pointer(tokens: Array(path.tokens.dropFirst().dropLast()))
    var seen: [JSON] = []
    for sample in 0...Self.samples {
      let position = Self.start + (log.count - Self.start) * sample / (Self.samples + 1)
      guard case .present(let value) = try value(parent, of: store, at: position),
        !seen.contains(value)
      else { continue }
      guard value.kind == .object, value.memberNames == names else { return false }
      seen.append(value)
    }
    return seen.count >= Self.fewestValues
  }
}

extension JSON {
  fileprivate var memberNames: Set<String> { Set(members.map(\.name)) }
}
