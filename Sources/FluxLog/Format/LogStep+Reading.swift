import FluxJSON

extension LogStep {
  /// Reads a step line; the contents of its states and patches are not checked.
  init(_ line: JSON) throws(LineFault) {
    let members = LineMembers(line)
    number = try members.integer("n")
    time = try members.time("t")
    guard let action = try members.optionalObject("action") else { throw members.missing("action") }
    self.action = action
    type = try LineMembers(action, prefix: "action").string("type")
    target = try members.optionalString("target")
    cause = try members.optionalInteger("cause")
    effect = try members.optionalString("effect")
    from = try members.optionalString("from")
    source = try members.optionalString("at")
    took = try members.optionalInteger("took")
    states = try members.optionalObject("states")
    patches = try members.optionalObject("patches")
    removed = try members.optionalStrings("removed") ?? []
    rejection = try LogRejection(members)
    try checkPatches(members)
    try checkStores(members)
  }

  private func checkPatches(_ members: LineMembers) throws(LineFault) {
    guard let patches else { return }
    for patch in patches.members where patch.value.kind != .array {
      throw LineMembers(patches, prefix: "patches").wrongType(patch.name, "an array of operations")
    }
  }

  /// Checks that a rejected step writes no store, and that no step writes a store twice.
  private func checkStores(_ members: LineMembers) throws(LineFault) {
    if rejection != nil {
      for name in ["states", "patches", "removed"] {
        guard let member = members[name] else { continue }
        throw LineFault(
          problem: .changeInRejectedStep(member: name), byte: member.byteOffset)
      }
    }
    // Most steps write one store, which cannot be written twice.
    guard (states?.count ?? 0) + (patches?.count ?? 0) + removed.count > 1 else { return }
    var written: Set<BytewiseName> = []
    for store in changed where !written.insert(BytewiseName(store)).inserted {
      let place = members["removed"] ?? members["patches"]
      throw LineFault(problem: .storeWrittenTwice(store), byte: place?.byteOffset ?? 0)
    }
  }
}

extension LogRejection {
  fileprivate init?(_ line: LineMembers) throws(LineFault) {
    guard let object = try line.optionalObject("rejected") else { return nil }
    let members = LineMembers(object, prefix: "rejected")
    reason = try members.string("reason")
    message = try members.optionalString("message") ?? ""
    store = try members.optionalString("store")
  }
}
