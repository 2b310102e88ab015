import FluxInspector
import FluxJSON
package import FluxLog

/// A session of Redux DevTools in a file: the places of its parts.
///
/// Only ids and places are held; actions and states are read one by one.
package struct ReduxSession {
  /// The text that has the actions and the states.
  let source: ImportSource
  var names = ReduxNames()
  /// The members that are not listed below, with their places.
  var others: [(name: String, place: Range<Int>)] = []
  /// The members of lifted state that have one value, with their places.
  var values: [String: Range<Int>] = [:]
  /// The actions of lifted state.
  var actions: ReduxActions?
  /// The ids of the actions in the order in which they ran, `@@INIT` first.
  var staged: [ReduxID]?
  var skipped: [ReduxID] = []
  /// The states of lifted state, each an object with `state`, and `error` if the reducer threw.
  var computed: [Range<Int>]?
  /// `true` if a computed state has no `state`, because the root state was undefined.
  var hasUndefinedState = false
  /// The actions of a list without states.
  var list: [Range<Int>]?
  /// The names of the members next to a list and its state, such as the title of a report.
  var listCompanions: [String] = []
  /// The text of the state before the actions of a list, if the file has it.
  var preloaded: (source: ImportSource, place: Range<Int>)?

  /// `true` if this program exported the session.
  var isOwn: Bool { actions != nil && values["flux"] != nil }

  private static let single: Set = [
    "flux", "committedState", "currentStateIndex", "isLocked", "isPaused", "monitorState",
    "nextActionId",
  ]

  /// Finds the session in a file.
  ///
  /// - Throws: `CommandError` that names the fault, or what the file has instead of a session.
  package static func find(in file: LogPlace) throws -> ReduxSession {
    do {
      return try find(in: ImportSource(file), depth: 0)
    } catch let error as CommandError {
      guard isLog(file) else { throw error }
      throw CommandError(
        .unreadable, "\(file.path): this is already a log",
        hint: "open it with flux-inspect, without import")
    }
  }

  private static func find(in source: ImportSource, depth: Int) throws -> ReduxSession {
    do {
      var scanner = try source.scanner()
      switch try scanner.peek() {
      case UInt8(ascii: "["):
        var session = ReduxSession(source: source)
        try session.takeList(&scanner)
        try expectEnd(&scanner, of: source)
        return session
      case UInt8(ascii: "{"):
        var session = ReduxSession(source: source)
        try session.takeMembers(&scanner)
        try expectEnd(&scanner, of: source)
        return try session.recognized(depth: depth)
      case UInt8(ascii: "\"") where depth < 3:
        let place = try scanner.skipValue()
        try scanner.expectEnd()
        return try find(in: source.text(inString: place, at: "the string"), depth: depth + 1)
      case nil: throw unrecognized(source, "an empty file")
      case _:
        let place = try scanner.skipValue()
        do {
          _ = try source.parse(place, at: "$")
        } catch let error as CommandError {
          throw CommandError(error.code, error.message, hint: accepted)
        }
        throw unrecognized(source, "a single value")
      }
    } catch let error as JSONError {
      throw source.fault(error)
    }
  }

  /// Refuses more values after the first, as JSON Lines have.
  private static func expectEnd(
    _ scanner: inout JSONScanner, of source: ImportSource
  ) throws {
    do {
      try scanner.expectEnd()
    } catch let error as JSONError {
      throw CommandError(.unreadable, source.fault(error).message, hint: accepted)
    }
  }

  private static func isLog(_ file: LogPlace) -> Bool {
    do {
      _ = try LogFile.open(file)
      return true
    } catch {
      return false
    }
  }

  private static func unrecognized(_ source: ImportSource, _ found: String) -> CommandError {
    CommandError(
      .unreadable, "\(source.path): \(source.place)not a Redux DevTools session: found \(found)",
      hint: accepted)
  }

  private static let accepted = """
    an import needs lifted state (actionsById, stagedActionIds, computedStates), an export of the browser \
    extension (payload, preloadedState), or an array of actions
    """

  // MARK: Shapes

  /// Returns the session if the members that were found make one, or the session inside them.
  private func recognized(depth: Int) throws -> ReduxSession {
    var session = self
    if session.actions != nil {
      session.actions?.finish()
      return session
    }
    let payload = others.first { $0.name == "payload" }?.place
    if let payload, let inner = try session.list(inPayload: payload, depth: depth) { return inner }
    if let state = others.first(where: { $0.name == "state" })?.place, depth < 3 {
      // A message of the extension to a monitor has the lifted state in a member.
      var scanner = source.scanner(state)
      if try scanner.peek() == UInt8(ascii: "\"") {
        let text = try source.text(inString: state, at: "$.state")
        return try Self.find(in: text, depth: depth + 1)
      }
    }
    let members = (others.map(\.name) + values.keys.sorted()).prefix(10).joined(separator: ", ")
    throw Self.unrecognized(
      source, members.isEmpty ? "an object without members" : "an object with \(members)")
  }

  private func list(inPayload place: Range<Int>, depth: Int) throws -> ReduxSession? {
    var scanner = source.scanner(place)
    var inner: ReduxSession
    switch try scanner.peek() {
    case UInt8(ascii: "\"") where depth < 3:
      inner = try Self.find(in: source.text(inString: place, at: "$.payload"), depth: depth + 1)
    case UInt8(ascii: "["):
      inner = ReduxSession(source: source)
      try inner.takeList(&scanner)
    default: return nil
    }
    inner.listCompanions = others.map(\.name).filter { $0 != "payload" && $0 != "preloadedState" }
    if let state = others.first(where: { $0.name == "preloadedState" })?.place {
      var scanner = source.scanner(state)
      if try scanner.peek() == UInt8(ascii: "\"") {
        let text = try source.text(inString: state, at: "$.preloadedState")
        inner.preloaded = (text, 0..<text.byteCount)
      } else {
        inner.preloaded = (source, state)
      }
    }
    return inner
  }

  private mutating func takeList(_ scanner: inout JSONScanner) throws {
    var places: [Range<Int>] = []
    let source = source
    try scanner.forEachElement { scanner in
      let place = try scanner.skipValue()
      if places.isEmpty {
        let first = try source.parse(place, at: "$[0]")
        // Redux dispatches no action without a type, so this is another list, such as one of reports.
        guard first["type"] != nil || first["action"]?.kind == .object else {
          throw Self.unrecognized(source, "an array that begins with no action")
        }
      }
      places.append(place)
    }
    list = places
  }

  private mutating func takeMembers(_ scanner: inout JSONScanner) throws {
    try scanner.forEachMember { scanner, name in
      let first = try scanner.peek()
      switch name {
      case "actionsById" where first == UInt8(ascii: "{") || first == UInt8(ascii: "["):
        try takeActions(&scanner, isArray: first == UInt8(ascii: "["))
      case "stagedActionIds" where first == UInt8(ascii: "["):
        staged = try ids(name, &scanner)
      case "skippedActionIds" where first == UInt8(ascii: "["):
        skipped = try ids(name, &scanner)
      case "computedStates" where first == UInt8(ascii: "["): try takeStates(&scanner)
      case _ where Self.single.contains(name): values[name] = try scanner.skipValue()
      case _:
        others.append((name, try scanner.skipValue()))
        // Any JSON file can come here, also one that is a dictionary with millions of members.
        if others.count > 1000, actions == nil, staged == nil {
          throw Self.unrecognized(source, "an object with more than 1,000 members")
        }
      }
    }
  }

  private mutating func takeActions(_ scanner: inout JSONScanner, isArray: Bool) throws {
    var found = ReduxActions()
    func take(_ name: String, _ scanner: inout JSONScanner) throws {
      found.append(names.id(name), try scanner.skipValue())
    }
    if isArray {
      try scanner.forEachElement { try take(String(found.count), &$0) }
    } else {
      try scanner.forEachMember { try take($1, &$0) }
    }
    actions = found
  }

  private mutating func takeStates(_ scanner: inout JSONScanner) throws {
    var states: [Range<Int>] = []
    try scanner.forEachElement { scanner in
      guard try scanner.peek() == UInt8(ascii: "{") else {
        throw source.problem(
          "$.computedStates[\(states.count)]", "expected an object with a member state")
      }
      let start = scanner.position
      var hasState = false
      try scanner.forEachMember { scanner, name in
        let place = try scanner.skipValue()
        // An undefined state is left out, or has the tag of jsan for it.
        let text = place.count < 32 ? try scanner.bytes(place).filter { $0 > 0x20 } : []
        let isTag = text.elementsEqual(#"{"$jsan":"u"}"#.utf8)
        if name == "state" || name == "$jsan" { hasState = !isTag }
      }
      if !hasState { hasUndefinedState = true }
      states.append(start..<scanner.position)
    }
    computed = states
  }

  private mutating func ids(
    _ name: String, _ scanner: inout JSONScanner
  ) throws -> [ReduxID] {
    var ids: [ReduxID] = []
    try scanner.forEachElement { scanner in
      let place = try scanner.skipValue()
      let text = String(decoding: try scanner.bytes(place), as: UTF8.self)
      if let number = Int64(text), number >= 0 {
        ids.append(names.id(String(number)))
        return
      }
      let id = try scanner.parse(place)
      guard let known = id.string ?? id.number?.int64.map(String.init) else {
        throw source.problem("$.\(name)[\(ids.count)]", "expected the id of an action")
      }
      ids.append(names.id(known))
    }
    return ids
  }
}
