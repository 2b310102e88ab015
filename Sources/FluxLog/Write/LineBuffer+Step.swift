import FluxJSON

extension LineBuffer {
  @inline(__always)
  mutating func step(
    _ step: StepRecord, action: [UInt8], _ changes: StepChanges,
    secrets: [String], _ rejection: LogRejection?
  ) {
    line { line in
      for member in StepMember.allCases {
        let name = member.name
        switch member {
        case .number: line.member(name, step.number)
        case .time: line.member(name, step.time)
        case .action: line.member(name, text: action)
        case .target: line.member(name, ifPresent: step.target)
        case .cause: line.member(name, ifPresent: step.cause)
        case .effect: line.member(name, ifPresent: step.effect)
        case .from: line.member(name, ifPresent: step.from)
        case .effects: step.effects.write(to: &line)
        case .source: line.member(name, ifPresent: step.source)
        case .took: line.member(name, ifPresent: step.took)
        case .randomStep: line.member(name, ifPresent: step.randomStep)
        case .reflected: if step.isReflected { line.member(name, true) }
        case .states, .patches, .removed, .unwritten: changes.write(member, to: &line)
        case .secrets: line.member(name, unlessEmpty: secrets)
        case .rejection: rejection?.write(to: &line)
        case .external: line.member(name, ifPresent: step.external?.onOneLine)
        }
      }
    }
  }
}

extension LogStep {
  func write(to lines: inout LineBuffer) {
    let changes = StepChanges(
      whole: states?.members.map { ($0.name, $0.value) } ?? [],
      patches: patches?.members.map { ($0.name, Array($0.value.text.utf8)) } ?? [],
      removed: removed, unwritten: unwritten)
    lines.step(
      StepRecord(self), action: Array(action.text.utf8), changes, secrets: secrets, rejection)
  }
}
