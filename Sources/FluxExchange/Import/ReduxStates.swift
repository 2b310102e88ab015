import FluxJSON
import FluxReplay

/// Reads the states and actions of a session one by one, with the references in them resolved.
struct ReduxStates {
  /// An element of `computedStates`.
  struct Computed {
    /// The root state; nil if it is undefined.
    let state: JSON?
    /// The error of the reducer.
    let error: JSON?
  }

  private let session: ReduxSession
  /// The references that were found so far.
  var references: JSANReferences

  init(_ session: ReduxSession) {
    self.session = session
    let values = ReferencedValues(session)
    references = JSANReferences { try values.value(at: $0) }
  }

  /// Reads a value.
  ///
  /// - Throws: `CommandError` that names the place of a fault.
  mutating func value(at place: Range<Int>, _ path: [String]) throws -> JSON {
    try Self.value(in: session.source, at: place, path, &references)
  }

  private static func value(
    in source: ImportSource, at place: Range<Int>, _ path: [String],
    _ references: inout JSANReferences
  ) throws -> JSON {
    let name = JSANReferences.text(path)
    let value = try source.parse(place, at: name)
    do {
      let resolved = try references.resolve(value, at: path)
      guard resolved.depth <= ReduxImporter.maximumDepth else {
        throw source.problem(
          name,
          "more than \(ReduxImporter.maximumDepth) arrays and objects inside each other, which a line of a log "
            + "cannot have")
      }
      return resolved
    } catch JSANReferences.Failure.tooLarge {
      let most = MemoryLimit.standard.description
      throw source.problem(
        name, "the references in this value expand to more than \(most)", hint: MemoryLimit.advice)
    } catch is JSANReferences.Failure {
      throw source.problem(name, "the references in this value nest too deeply")
    }
  }

  /// Reads the state before the actions of a list.
  static func preloaded(
    _ preloaded: (source: ImportSource, place: Range<Int>), references: inout JSANReferences
  ) throws -> JSON {
    let source = preloaded.source
    // The text of a string has its place in the file already.
    let whole = try source.parse(
      preloaded.place, at: source.place.isEmpty ? "$.preloadedState" : "$")
    // A text of its own has its own root.
    var own = JSANReferences { path in whole.value(atPath: path[...]) }
    let state = try value(in: source, at: preloaded.place, [], &own)
    references.add(own)
    return state
  }

  /// Reads an element of `computedStates`; nil if there is none.
  mutating func computed(at index: Int, _ losses: inout LossCount) throws -> Computed? {
    guard let places = session.computed, index < places.count else { return nil }
    let json = try value(at: places[index], ["computedStates", String(index)])
    for member in json.members where member.name != "state" && member.name != "error" {
      losses.add(
        "other members of a computed state", at: "$.computedStates[\(index)].\(member.name)")
    }
    let state = json["state"].flatMap { $0.jsanTag == "u" ? nil : $0 }
    // A cycle stays in the place of the whole element.
    let error = json["error"].flatMap { $0.isNull || $0.jsanTag == "u" ? nil : $0 }
    return Computed(state: state, error: error)
  }
}

/// The values that references name, of which the last ones are kept.
private final class ReferencedValues {
  private let session: ReduxSession
  private var kept: [(start: Int, value: JSON)] = []

  init(_ session: ReduxSession) {
    self.session = session
  }

  func value(at path: [String]) throws -> JSON? {
    guard let first = path.first else { return nil }
    let (place, used) = place(of: first, path)
    guard let place else { return nil }
    return try parsed(place, path).value(atPath: path.dropFirst(used))
  }

  /// Returns the place of the value that is read, and the number of names that lead to it.
  private func place(of first: String, _ path: [String]) -> (Range<Int>?, used: Int) {
    let second = path.count > 1 ? path[1] : nil
    if let list = session.list {
      return (Int(first).flatMap { $0 < list.count && $0 >= 0 ? list[$0] : nil }, 1)
    }
    switch (first, second) {
    case ("actionsById", let name?):
      var names = session.names
      return (session.actions?[names.id(name)], 2)
    case ("computedStates", let index?):
      guard let places = session.computed, let index = Int(index), index >= 0,
        index < places.count
      else { return (nil, 2) }
      return (places[index], 2)
    default:
      return (session.values[first] ?? session.others.first { $0.name == first }?.place, 1)
    }
  }

  private func parsed(_ place: Range<Int>, _ path: [String]) throws -> JSON {
    if let known = kept.first(where: { $0.start == place.lowerBound }) { return known.value }
    let value = try session.source.parse(place, at: JSANReferences.text(path))
    if kept.count >= 32 { kept.removeFirst() }
    kept.append((place.lowerBound, value))
    return value
  }
}

extension JSON {
  /// The value at a path of names and indices inside this one; nil if there is none.
  fileprivate func value(atPath path: ArraySlice<String>) -> JSON? {
    path.reduce(self) { $0?.child($1) }
  }
}
