import FluxJSON

/// The members of a step's line, in the order in which they are written.
///
/// This list alone says which members there are. ``LogStep`` reads each of them, ``LineBuffer`` writes each, and a
/// line that is written again keeps this order, with the members that it does not know. See docs/log-format.md, "Steps".
enum StepMember: UInt8, CaseIterable {
  case number, time, action, target, cause, effect, from, effects, source, took, reflected
  case states, patches, removed, unwritten, secrets, rejection, external

  var name: MemberName {
    switch self {
    case .number: "n"
    case .time: "t"
    case .action: "action"
    case .target: "target"
    case .cause: "cause"
    case .effect: "effect"
    case .from: "from"
    case .effects: "effects"
    case .source: "at"
    case .took: "took"
    case .reflected: "reflected"
    case .states: "states"
    case .patches: "patches"
    case .removed: "removed"
    case .unwritten: "unwritten"
    case .secrets: "secrets"
    case .rejection: "rejected"
    case .external: "x"
    }
  }

  /// The members that change the model, which a rejected step does not have.
  static let changes: [StepMember] = [.states, .patches, .removed, .unwritten]
}

extension LineBuffer {
  /// Appends the line of a step again; `write` writes the members to replace, in their order among the known ones.
  ///
  /// All other members are copied, also those of a newer version.
  mutating func step(
    _ step: JSON, replacing replaced: [StepMember], _ write: (StepMember, inout LineBuffer) -> Void
  ) {
    line { line in
      var rest = StepMember.allCases.filter(replaced.contains)[...]
      for member in step.members where member.name != "sum" {
        if let known = StepMember.allCases.first(where: { $0.name.description == member.name }) {
          while let next = rest.first, next.rawValue <= known.rawValue {
            write(next, &line)
            rest.removeFirst()
          }
          if replaced.contains(known) { continue }
        }
        line.member(named: member.name, member.value)
      }
      for member in rest { write(member, &line) }
    }
  }
}
