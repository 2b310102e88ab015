import FluxJSON

/// A member that lines have: an element of a list with all members of a kind of line, in the order in which they are
/// written.
///
/// The list alone says which members there are: reading and writing go through it, and a line that is written again keeps
/// its order, with the members that it does not know. See docs/log-format.md.
protocol LineMember {
  var name: LiteralName { get }
}

/// The members of a step's line, over which ``LogStep`` and ``LineBuffer`` switch: each step of an app writes them.
enum StepMember: LiteralName, LineMember, CaseIterable {
  case number = "n"
  case time = "t"
  case action = "action"
  case target = "target"
  case cause = "cause"
  case effect = "effect"
  case from = "from"
  case effects = "effects"
  case source = "at"
  case took = "took"
  case randomStep = "random"
  case reflected = "reflected"
  case states = "states"
  case patches = "patches"
  case removed = "removed"
  case unwritten = "unwritten"
  case secrets = "secrets"
  case rejection = "rejected"
  case external = "x"

  var name: LiteralName { rawValue }

  /// The members that change the model, which a rejected step does not have.
  static let changes: [StepMember] = [.states, .patches, .removed, .unwritten]
}

extension LineBuffer {
  /// Appends the members of an object, in their order; `write` writes one of them.
  ///
  /// - Parameters:
  ///   - all: All members that the object may have.
  ///   - old: The members that the object had before. Those that are not replaced are copied, also those of a newer version.
  ///   - replaces: Returns `false` for a member to copy.
  ///   - write: Appends a member; gets its old value.
  mutating func members<Member: LineMember>(
    _ all: [Member], over old: [JSON.Member] = [], replaces: (Member) -> Bool = { _ in true },
    _ write: (Member, _ old: JSON?, inout LineBuffer) -> Void
  ) {
    func value(_ name: LiteralName) -> JSON? {
      old.first { $0.name == name.description }?.value
    }
    var rest = all.indices.filter { replaces(all[$0]) }[...]
    for member in old {
      if let known = all.firstIndex(where: { $0.name.description == member.name }) {
        while let next = rest.first, next <= known {
          write(all[next], value(all[next].name), &self)
          rest.removeFirst()
        }
        if replaces(all[known]) { continue }
      }
      self.member(named: member.name, member.value)
    }
    for next in rest { write(all[next], value(all[next].name), &self) }
  }
}

extension JSON {
  /// The members of a line but its sum, which belongs to the bytes.
  var lineMembers: [Member] { members.filter { $0.name != "sum" } }
}
