import FluxJSON
import FluxSystem

/// Folds a value to a number of bytes: what is small stays whole, and what is large says its size and how to ask for it.
///
/// `{"folded":"array of 300 elements, 34567 bytes","path":"todos.items"}` stands for a value that is left out, and
/// `{"folded":"288 more elements","path":"todos.items[12:]"}` for the rest of an array.
struct Fold {
  /// The bytes of a value that is left out.
  private static let markerSize = 120
  private static let largestPathCount = 10
  /// The bytes of the longest path to ask with.
  static let longestPath = 400

  /// The paths of what was left out, the first ones.
  private(set) var paths: [String] = []
  /// `true` if something left out has a path, but one that is too long to be given.
  private(set) var hasLongPaths = false
  /// The number of places that were folded.
  private(set) var count = 0

  /// The number of folded places as the beginning of a sentence: `2 values are folded`.
  func sentence(_ noun: String) -> String {
    "\(count.counted(noun)) \(count == 1 ? "is" : "are") folded"
  }

  /// Returns a value in about `budget` bytes; less than a marker has are not met.
  ///
  /// The path selects the value; nil if there is none to ask with. The depth is the levels to show; nil for all. What the
  /// shape gives a type keeps it: a text is cut, a list loses its last elements, and neither becomes an object.
  mutating func fold(
    _ json: JSON, as shape: Shape = .any, at path: String?, to budget: Int, depth: Int? = nil
  ) -> JSON {
    if depth == nil, json.byteCount <= budget { return json }
    let before = self
    let result = folded(json, shape, path, budget, depth)
    // A marker must not be longer than the value that it stands for.
    guard depth != nil || result.byteCount < json.byteCount else {
      self = before
      return json
    }
    return result
  }

  private mutating func folded(
    _ json: JSON, _ shape: Shape, _ path: String?, _ budget: Int, _ depth: Int?
  ) -> JSON {
    switch (shape, json.kind) {
    case (.any, _), (.object, .object), (.array(.any), .array): break
    case (.text, .string): return cut(json, budget)
    case (.array, .array): return beginning(json, shape, budget)
    default: return json
    }
    switch json.kind {
    // Its members cannot be told apart by paths.
    case .object where json.repeatsName: return marker(json.size, path)
    // Each level of a deep value takes some of the room, and none may be left for its parts.
    case .object where budget <= 0, .array where budget <= 0:
      return json.count == 0 ? json : marker(json.size, path)
    case .object where depth != 0: return object(json, shape, path, budget, depth.map { $0 - 1 })
    case .array where depth != 0: return array(json, path, budget, depth.map { $0 - 1 })
    case .object, .array: return json.count == 0 ? json : marker(json.size, path)
    case .string where json.byteCount > budget:
      let bytes = max(20, budget - Self.markerSize)
      let text = json.string ?? ""
      return marker(
        "text of \(json.byteCount) bytes", path, beginning: text.cut(toBytes: bytes / 4))
    case .number where json.byteCount > budget:
      return marker("number of \(json.byteCount.counted("digit"))", path)
    default: return json
    }
  }

  private mutating func object(
    _ json: JSON, _ shape: Shape, _ path: String?, _ budget: Int, _ depth: Int?
  ) -> JSON {
    let members = Array(json.members)
    var names = max(budget, Self.markerSize)
    let shown = members.prefix(max(1, budget / Self.markerSize + 1)).prefix { member in
      names -= member.name.utf8.count
      return names >= 0
    }
    // A name is never cut, because then it would be another one.
    guard !shown.isEmpty || json.byteCount <= budget else { return marker(json.size, path) }
    let isCut = shown.count < members.count && json.byteCount > budget
    let sizes = (isCut ? shown : members[...]).map { $0.value.byteCount + $0.name.utf8.count + 4 }
    let share = Self.share(of: budget - (isCut ? Self.markerSize : 0), sizes)
    var result: JSONMembers = []
    for member in isCut ? shown : members[...] {
      let child = path.map { Self.path($0, member: member.name) }
      let room = share - member.name.utf8.count - 4
      let form = shape.members.first { $0.name == member.name }?.shape ?? .any
      result.append((member.name, fold(member.value, as: form, at: child, to: room, depth: depth)))
    }
    if isCut {
      let rest = path.map { $0.isEmpty ? "$.state.*" : "\($0).*" }
      result.append(("…", marker((members.count - shown.count).counted("more member"), rest)))
    }
    return JSON(object: result)
  }

  private mutating func array(_ json: JSON, _ path: String?, _ budget: Int, _ depth: Int?) -> JSON {
    var result: [JSON] = []
    var rest = budget - Self.markerSize
    let count = json.count
    for (index, element) in json.elements.enumerated() {
      let child = path.map { "\($0)[\(index)]" }
      let isWhole = element.byteCount + 1 <= rest
      // The first elements of an array of large ones are folded, and say what the others are like.
      guard isWhole || index < 2 else { break }
      let folded = fold(element, at: child, to: isWhole ? rest : max(0, rest / 2), depth: depth)
      result.append(folded)
      rest -= folded.byteCount + 1
    }
    if result.count < count {
      result.append(
        marker(
          (count - result.count).counted("more element"), path.map { "\($0)[\(result.count):]" }))
    }
    return JSON(array: result)
  }

  /// Returns the elements of an array that fit, without a sign of the others.
  private mutating func beginning(_ json: JSON, _ shape: Shape, _ budget: Int) -> JSON {
    guard case .array(let form) = shape else { return json }
    var rest = budget - 2
    var result: [JSON] = []
    for element in json.elements {
      guard element.byteCount + 1 <= rest || result.isEmpty else { break }
      result.append(fold(element, as: form, at: nil, to: max(0, rest)))
      rest -= element.byteCount + 1
    }
    if result.count < json.count { count += 1 }
    return JSON(array: result)
  }

  /// Returns the beginning of a text.
  private mutating func cut(_ json: JSON, _ budget: Int) -> JSON {
    count += 1
    return JSON(stringLiteral: (json.string ?? "").cut(toBytes: max(20, budget - 5)) + "…")
  }

  private mutating func marker(_ size: String, _ path: String?, beginning: String? = nil) -> JSON {
    count += 1
    let isLong = (path?.utf8.count ?? 0) > Self.longestPath
    if isLong { hasLongPaths = true }
    let path = isLong ? nil : path
    if let path, paths.count < Self.largestPathCount { paths.append(path) }
    return JSON(writing: { writer in
      writer.beginObject()
      writer.member("folded", size)
      writer.member("begins", beginning)
      writer.member("path", path)
      writer.endObject()
    })
  }

  /// The largest size of a member with which all fit: small ones leave their room to the large ones.
  private static func share(of budget: Int, _ sizes: [Int]) -> Int {
    var rest = budget
    var left = sizes.count
    for size in sizes.sorted() {
      let share = rest / max(1, left)
      guard size <= share else { return share }
      rest -= size
      left -= 1
    }
    return budget
  }

  /// The path of a member, in the short form that people write; the path of the model is empty.
  static func path(_ path: String, member name: String) -> String {
    let isPlain =
      name.unicodeScalars.first.map { $0.isASCII && ($0.properties.isAlphabetic || $0 == "_") }
      == true
      && name.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || $0 == "_" || ("0"..."9").contains($0))
      }
      && !["true", "false", "null"].contains(name)
    if isPlain { return path.isEmpty ? name : "\(path).\(name)" }
    let quoted = name.unicodeScalars.reduce(into: "") { text, scalar in
      switch scalar {
      case "'", "\\": text += "\\\(scalar)"
      case _ where scalar.isPrintable: text.unicodeScalars.append(scalar)
      default: text += scalar.escape(as: .json)
      }
    }
    return "\(path.isEmpty ? "$.state" : path)['\(quoted)']"
  }
}

extension JSON {
  /// The kind and size of a container.
  fileprivate var size: String {
    let (noun, part) = kind == .object ? ("object", "member") : ("array", "element")
    let number = kind == .object ? members.reduce(0) { count, _ in count + 1 } : count
    return "\(noun) of \(number.counted(part)), \(byteCount.counted("byte"))"
  }
}
