import FluxJSON
import FluxSystem

/// Resolves the references of jsan, the serializer of Redux DevTools, by copying what they name.
///
/// `{"$jsan":"$.computedStates[0].state"}` stands for the value at that path. Other tags, such as the one for a date,
/// keep their text. A reference to a value around it is a cycle, which stays as it is.
struct JSANReferences {
  /// Returns the value at a path of names and indices; nil if there is none.
  typealias LookUp = (_ path: [String]) throws -> JSON?

  /// The greatest depth of a value with its references resolved.
  static let maximumDepth = ReduxImporter.maximumDepth

  private let lookUp: LookUp
  /// The cycles, and the references that lead nowhere, each by the place where it was found.
  private(set) var cycles: [String] = []
  private(set) var dangling: [String] = []

  init(_ lookUp: @escaping LookUp) { self.lookUp = lookUp }

  /// A reason why the references of a value cannot be resolved.
  enum Failure: Error {
    case tooLarge
    case tooDeep
  }

  /// Returns a value with its references resolved.
  ///
  /// - Throws: ``Failure``, and errors of the look-up.
  mutating func resolve(_ value: JSON, at path: [String]) throws -> JSON {
    guard value.mayHaveTags else { return value }
    var writer = JSONWriter()
    try write(value, at: path, inside: [], depth: 0, to: &writer)
    return try writer.json()
  }

  /// Writes a value; `callers` are the places of the references that led here.
  private mutating func write(
    _ value: JSON, at path: [String], inside callers: [[String]], depth: Int,
    to writer: inout JSONWriter
  ) throws {
    guard writer.bytes.count <= MemoryLimit.standard.byteCount else { throw Failure.tooLarge }
    guard depth <= Self.maximumDepth else { throw Failure.tooDeep }
    if let tag = value.jsanTag, tag.utf8.first == UInt8(ascii: "$") {
      return try write(
        reference: value, to: Self.path(tag), at: path, inside: callers, depth, &writer)
    }
    guard value.mayHaveTags else { return writer.raw(value) }
    try writer.rewrite(value) { part, writer in
      try write(
        part.value, at: path + [part.step.token], inside: callers, depth: depth + 1, to: &writer)
    }
  }

  private mutating func write(
    reference: JSON, to target: [String], at path: [String], inside callers: [[String]],
    _ depth: Int, _ writer: inout JSONWriter
  ) throws {
    // Pointers compare names byte by byte.
    let around = Pointer(tokens: target)
    guard !(callers + [path]).contains(where: { Pointer(tokens: $0).isWithin(around) }) else {
      cycles.append(Self.text(callers.first ?? path))
      return writer.raw(reference)
    }
    guard callers.count < 64 else { throw Failure.tooDeep }
    guard let value = try lookUp(target) else {
      dangling.append(Self.text(callers.first ?? path))
      return writer.raw(reference)
    }
    try write(value, at: target, inside: callers + [path], depth: depth, to: &writer)
  }

  /// Adds what was found in another text.
  mutating func add(_ other: JSANReferences) {
    cycles += other.cycles
    dangling += other.dangling
  }

  // MARK: Paths

  /// Splits a path of jsan: `$.a[0]["b c"]`.
  static func path(_ text: String) -> [String] {
    var names: [String] = []
    var rest = text.unicodeScalars.dropFirst()[...]
    while let first = rest.popFirst() {
      if first == "." {
        let name = rest.prefix { $0 != "." && $0 != "[" }
        names.append(String(name))
        rest = rest.dropFirst(name.count)
      } else if first == "[", rest.first == "\"" {
        var end = rest.index(after: rest.startIndex)
        while end < rest.endIndex, rest[end] != "\"" {
          end = rest.index(after: end)
          if end < rest.endIndex, rest[rest.index(before: end)] == "\\" {
            end = rest.index(after: end)
          }
        }
        guard end < rest.endIndex else { break }
        let quoted = String(rest[...end])
        names.append(unquoted(quoted))
        rest = rest[rest.index(after: end)...].drop { $0 == "]" }
      } else if first == "[" {
        let index = rest.prefix { $0 != "]" }
        names.append(String(index))
        rest = rest.dropFirst(index.count + 1)
      }
    }
    return names
  }

  private static func unquoted(_ name: String) -> String {
    do {
      return try JSON.parse(name).string ?? name
    } catch {
      // A path that nobody wrote with jsan names no value.
      return name
    }
  }

  /// `true` if a name stands behind a point without brackets and quotes: letters, digits and underscores.
  static func isWord(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20)
          || byte == UInt8(ascii: "_")
      }
  }

  /// Writes a path for people, in the form of jsan.
  static func text(_ path: [String]) -> String {
    path.reduce(into: "$") { text, name in
      if Int(name) != nil, text != "$.actionsById" {
        text += "[\(name)]"
      } else if isWord(name) {
        text += ".\(name)"
      } else {
        text += "[\(JSON(stringLiteral: name).text)]"
      }
    }
  }
}

extension JSON {
  /// The text of a tag of jsan, `{"$jsan":"…"}`; nil for all other values.
  var jsanTag: String? {
    guard kind == .object, count == 1 else { return nil }
    return self["$jsan"]?.string
  }

  /// The name of a tag's member, as JSON text.
  static let jsanName = "\"$jsan\""

  /// `false` if the value has no member with the name of a tag.
  var mayHaveTags: Bool {
    let tag = Array(Self.jsanName.utf8)
    return unsafe withBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      var offset = 1
      // Few texts have a dollar sign. Reads no more than the count.
      while offset < bytes.count,
        let found = unsafe memchr(start + offset, 0x24, bytes.count - offset)
      {
        let place = unsafe UnsafeRawPointer(found) - start
        if unsafe bytes[(place - 1)...].starts(with: tag) { return true }
        offset = place + 1
      }
      return false
    }
  }

  /// The value with each member `$jsan` in an array, as jsan writes a member of that name that is no tag.
  ///
  /// With `keepsTags`, the value has the form of jsan already. Then only references are no tags: those that an import left
  /// lead nowhere, or around their own place.
  func jsanEscaped(keepsTags: Bool) -> [UInt8] {
    var writer = JSONWriter()
    writeJSAN(to: &writer, keepsTags ? Self.wrapReference : Self.wrap)
    return writer.bytes
  }

  private static func wrapReference(_ writer: inout JSONWriter, _ value: JSON) {
    guard value.string?.utf8.first == UInt8(ascii: "$") else { return writer.raw(value) }
    wrap(&writer, value)
  }

  private static func wrap(_ writer: inout JSONWriter, _ value: JSON) {
    writer.beginArray()
    value.writeJSAN(to: &writer, wrap)
    writer.endArray()
  }

  /// The value with the content of each member `$jsan` that is an array of one.
  var jsanUnescaped: JSON {
    get throws(JSONError) {
      guard mayHaveTags else { return self }
      var writer = JSONWriter()
      writeJSAN(to: &writer, Self.unwrap)
      return try writer.json()
    }
  }

  private static func unwrap(_ writer: inout JSONWriter, _ value: JSON) {
    let content = value.kind == .array && value.count == 1 ? value[0] : nil
    (content ?? value).writeJSAN(to: &writer, unwrap)
  }

  /// Writes the value; `writeTag` writes the values of members `$jsan`.
  private func writeJSAN(
    to writer: inout JSONWriter, _ writeTag: (inout JSONWriter, JSON) -> Void
  ) {
    guard mayHaveTags else { return writer.raw(self) }
    writer.rewrite(self) { part, writer in
      if part.step.token == "$jsan" {
        writeTag(&writer, part.value)
      } else {
        part.value.writeJSAN(to: &writer, writeTag)
      }
    }
  }
}
