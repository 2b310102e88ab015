import FluxJSON
import FluxLog
import FluxReplay

/// A value of a tree: a model, whose stores may be unknown, or JSON.
enum TreeValue {
  /// A store of a model.
  struct Store {
    let name: String
    let state: StoreState
    var isUnwritten = false
    /// The reason why the state is unknown, or the origin of one that the log lacks.
    var remark: String?
  }

  case model([Store])
  case json(JSON)

  /// The value as JSON; nil for a model.
  var json: JSON? {
    switch self {
    case .json(let json): json
    case .model(let stores):
      JSON(object: stores.compactMap { store in store.state.json.map { (store.name, $0) } })
    }
  }

  /// Returns the value that reference tokens lead to; nil if there is none.
  func descendant(_ tokens: [String]) -> TreeValue? {
    guard let first = tokens.first else { return self }
    let rest = Array(tokens.dropFirst())
    switch self {
    case .model(let stores):
      let store = stores.first { $0.name.hasSameBytes(as: first) }
      return store?.state.json.flatMap { TreeValue.json($0).descendant(rest) }
    case .json(let json):
      return json.child(first).flatMap { TreeValue.json($0).descendant(rest) }
    }
  }
}

/// Collects the rows of a tree that are visible and asked for.
struct TreeWalk {
  private static let longestString = 1000

  let open: Set<String>
  let closed: Set<String>
  let depth: Int
  let from: Int
  let count: Int
  /// The text that keys or scalars have to contain.
  let search: TextNeedle?
  let deadline: ContinuousClock.Instant
  let marksChanges: Bool
  /// `true` to open containers in which something changed.
  let opensChanges: Bool

  private(set) var rows: [Answer] = []
  private(set) var total = 0
  /// The index of the first row that changed itself; nil if there is none.
  private(set) var firstChange: Int?
  /// The path at which the time was over; nil at the end.
  private(set) var next: String?
  private(set) var scanned = 0
  /// The keys that lead to the value at which the walk goes on, from the containers that it is in.
  private(set) var resume: ArraySlice<String>

  private var isCut: Bool { next != nil }

  /// `true` for a child before the one at which the walk goes on.
  private mutating func isBeforeResume(_ key: String, _ wanted: inout String?) -> Bool {
    guard let name = wanted else { return false }
    guard name.hasSameBytes(as: key) else { return true }
    wanted = nil
    resume.removeFirst()
    return false
  }

  /// Visits the children of a container in their order.
  mutating func visitChildren(
    of value: TreeValue, _ before: TreeValue?, at path: String, depth: Int
  ) {
    var wanted = resume.first
    switch value {
    case .model(let stores):
      for store in stores where !isBeforeResume(store.name, &wanted) {
        let token = Pointer(tokens: [store.name]).description
        let old = before?.descendant([store.name])?.json
        visit(store.state.json, old, .name(store.name), at: path + token, depth, store: store)
      }
    case .json(let json) where json.kind == .array:
      let old = before?.json.flatMap { $0.kind == .array ? Array($0.elements) : nil } ?? []
      for (index, element) in json.elements.enumerated()
      where !isBeforeResume(String(index), &wanted) {
        let before = index < old.count ? old[index] : nil
        visit(element, before, .index(index), at: "\(path)/\(index)", depth)
        if isCut { return }
      }
      for index in json.count..<max(json.count, old.count) {
        appendRemoved(old[index], .index(index), at: "\(path)/\(index)", depth)
      }
    case .json(let json):
      for member in json.members where !isBeforeResume(member.name, &wanted) {
        let token = Pointer(tokens: [member.name]).description
        visit(
          member.value, before?.json?[member.name], .name(member.name), at: path + token, depth)
        if isCut { return }
      }
      guard let old = before?.json, old.kind == .object else { return }
      for member in old.members where json[member.name] == nil {
        let token = Pointer(tokens: [member.name]).description
        appendRemoved(member.value, .name(member.name), at: path + token, depth)
      }
    }
  }

  private mutating func visit(
    _ value: JSON?, _ old: JSON?, _ key: Location.Element, at path: String, _ depth: Int,
    store: TreeValue.Store? = nil
  ) {
    guard !isCut else { return }
    scanned += 1
    if scanned & 0xFF == 0, ContinuousClock.now >= deadline { next = path }
    guard !isCut else { return }
    let isContainer = value?.isContainer == true
    guard let search else {
      let opensHere =
        depth < self.depth
        || opensChanges && isContainer && Self.change(from: old, to: value) == "inside"
      let isOpen = isContainer && (open.contains(path) || opensHere && !closed.contains(path))
      append(value, old, key, at: path, depth, store, isOpen: isOpen)
      if isOpen, let value {
        visitChildren(of: .json(value), old.map { .json($0) }, at: path, depth: depth + 1)
      }
      return
    }
    let isMatch = search.isFound(in: key.token) || value?.matches(search) == true
    // The row of a container comes before those inside it, and it is open only if there are any.
    let (place, before, change) = (rows.count, total, firstChange)
    append(value, old, key, at: path, depth, store, isOpen: isContainer, isMatch: isMatch)
    if isContainer, let value {
      visitChildren(of: .json(value), old.map { .json($0) }, at: path, depth: depth + 1)
    }
    // If the time is over, more rows inside it may come.
    guard total == before + 1, !isMatch || isContainer && !isCut else { return }
    (total, firstChange) = (before, change)
    rows.removeSubrange(place...)
    guard isMatch else { return }
    append(value, old, key, at: path, depth, store, isOpen: false, isMatch: true)
  }

  private mutating func append(
    _ value: JSON?, _ old: JSON?, _ key: Location.Element, at path: String, _ depth: Int,
    _ store: TreeValue.Store?, isOpen: Bool, isMatch: Bool = false
  ) {
    defer { total += 1 }
    let isVisible = total >= from && rows.count < count
    guard isVisible || firstChange == nil else { return }
    let change = marksChanges ? Self.change(from: old, to: value) : nil
    if firstChange == nil, change != nil, change != "inside" { firstChange = total }
    guard isVisible else { return }
    let removed = marksChanges ? Self.removedNames(from: old, to: value) : []
    rows.append(
      Answer { members in
        try Self.set(key, at: path, depth, &members)
        try Self.describe(value, store, isOpen: isOpen, &members)
        try members.set("changed", ifPresent: change)
        if change == "replaced" { try members.setValue("old", old) }
        try members.set("removed", ifPresent: removed.isEmpty ? nil : removed)
        try members.set("match", ifTrue: isMatch)
      })
  }

  /// Appends a value that the step removed.
  private mutating func appendRemoved(
    _ old: JSON, _ key: Location.Element, at path: String, _ depth: Int
  ) {
    guard marksChanges, search == nil else { return }
    defer { total += 1 }
    if firstChange == nil { firstChange = total }
    guard total >= from, rows.count < count else { return }
    rows.append(
      Answer { members in
        try Self.set(key, at: path, depth, &members)
        try members.set("kind", "removed")
        try members.set("changed", "removed")
        try members.setValue("old", old)
      })
  }

  private static func set(
    _ key: Location.Element, at path: String, _ depth: Int, _ members: inout AnswerMembers
  ) throws {
    try members.set("path", path)
    switch key {
    case .name(let name): try members.set("key", name)
    case .index(let index): try members.set("key", index)
    }
    try members.set("depth", depth)
  }

  private static func describe(
    _ value: JSON?, _ store: TreeValue.Store?, isOpen: Bool, _ members: inout AnswerMembers
  ) throws {
    guard let value else {
      let isAbsent = store?.state == .absent
      let isUnwritten = store?.isUnwritten == true
      try members.set("kind", isAbsent ? "absent" : isUnwritten ? "unwritten" : "unknown")
      try members.set("text", ifPresent: isAbsent ? "absent" : store?.remark)
      return
    }
    try members.set("kind", value.kindName)
    try members.set("remark", ifPresent: store?.remark)
    switch value.kind {
    case .array, .object:
      try members.set("count", value.count)
      try members.set("open", isOpen)
      try members.set("bytes", value.byteCount)
      try members.set("preview", value.excerpt(120))
    case .string:
      let text = value.string ?? ""
      let length = text.unicodeScalars.count
      guard length > longestString else { return try members.set("value", value) }
      try members.set("value", String(text.unicodeScalars.prefix(longestString)))
      try members.set("length", length)
    case .number, .bool, .null: try members.set("value", value)
    }
  }

  /// The way in which the value at a path differs from the value there before; nil if it is the same.
  private static func change(from old: JSON?, to new: JSON?) -> String? {
    guard let new else { return nil }
    guard let old else { return "added" }
    guard old != new else { return nil }
    return new.isContainer && old.kind == new.kind ? "inside" : "replaced"
  }

  private static func removedNames(from old: JSON?, to new: JSON?) -> [String] {
    guard let old, let new, old.kind == .object, new.kind == .object, old != new else { return [] }
    return old.members.map(\.name).filter { new[$0] == nil }
  }
}

extension JSON {
  /// `true` if a scalar's text contains a text.
  fileprivate func matches(_ search: TextNeedle) -> Bool {
    switch kind {
    case .array, .object: false
    case .string: string.map(search.isFound(in:)) ?? false
    case .number, .bool, .null: search.isFound(in: text)
    }
  }
}
