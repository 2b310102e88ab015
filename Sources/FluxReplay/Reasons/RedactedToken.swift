import FluxJSON
import FluxLog

/// A token in the inputs of a step, wherever it occurs: equal values have equal tokens.
struct RedactedToken {
  private struct Occurrence {
    /// The store of the state; nil for the payload.
    let store: String?
    let path: Pointer
  }

  private let token: JSON
  private var occurrences: [Occurrence]

  /// The first place: a pointer into the payload, or from the model.
  var description: String {
    guard let place = occurrences.first else { return "" }
    let path = place.path.description
    guard let store = place.store else { return path.isEmpty ? "the payload" : path }
    return Pointer(tokens: [store]).description + path
  }

  /// Returns `true` if the token is in the payload, or in the state of a store.
  func isIn(_ store: String?) -> Bool {
    occurrences.contains { place in
      place.store.map { store?.hasSameBytes(as: $0) == true } ?? true
    }
  }

  /// Finds the tokens of the payload, then those of the states, beginning with one store.
  static func all(in inputs: LoneStep.Inputs, first: String?) -> [RedactedToken] {
    var tokens: [RedactedToken] = []
    var known: [String: Int] = [:]
    if let payload = inputs.step.action["payload"] {
      add(payload, nil, to: &tokens, &known)
    }
    for (store, state) in inputs.states(first: first) { add(state, store, to: &tokens, &known) }
    return tokens
  }

  /// Returns a short list, a longer one and a dictionary that the token may stand for.
  ///
  /// There are none if all of its places are in states that the replay has led to: those have as many elements as the
  /// replay added.
  func collections(from begin: StoreDictionary<JSON>) -> [[JSON]] {
    let isEmptied = occurrences.contains { place in
      guard let store = place.store else { return true }
      return begin[store].map { $0.hasToken(at: place.path) } ?? false
    }
    guard isEmptied, let name = token.string else { return [] }
    let lists = [1, 10].map { JSON(array: Array(repeating: token, count: $0)) }
    return [lists, [JSON(dictionaryLiteral: (name, token))]]
  }

  /// Returns the texts and the numbers that the token may stand for: those of the states after and before the step if it
  /// is in the payload, and otherwise those of the payload.
  func likelyValues(in inputs: LoneStep.Inputs, first: String?, most: Int) -> [[JSON]] {
    let sources =
      occurrences.contains { $0.store == nil }
      ? inputs.changes.compactMap(\.state) + inputs.states(first: first).map(\.value)
      : [inputs.step.action["payload"]].compactMap(\.self)
    var pending = Array(sources.reversed())
    var (texts, numbers): ([JSON], [JSON]) = ([], [])
    while let value = pending.popLast(), texts.count < most || numbers.count < most {
      switch value.kind {
      case .string where texts.count < most && !texts.contains(value): texts.append(value)
      case .number where numbers.count < most && !numbers.contains(value): numbers.append(value)
      case .object:
        // A dictionary has identifiers as names.
        pending += value.parts.reversed().map(\.value)
        pending += value.parts.reversed().map { JSON(stringLiteral: $0.step.token) }
      default: pending += value.parts.reversed().map(\.value)
      }
    }
    return [texts, numbers]
  }

  private static func add(
    _ value: JSON, _ store: String?, to tokens: inout [RedactedToken], _ known: inout [String: Int]
  ) {
    guard RedactionToken.isAnywhere(in: value) else { return }
    var pending: [(path: [String], value: JSON)] = [([], value)]
    while let (path, value) = pending.popLast() {
      if value.isRedactionToken {
        let occurrence = Occurrence(store: store, path: Pointer(tokens: path))
        if let index = known[value.text] {
          tokens[index].occurrences.append(occurrence)
        } else {
          known[value.text] = tokens.count
          tokens.append(RedactedToken(token: value, occurrences: [occurrence]))
        }
      }
      for part in value.parts.reversed() {
        pending.append((path + [part.step.token], part.value))
      }
    }
  }

  /// Returns the inputs with another value in the places of the token; nil if it cannot be replaced.
  func replaced(by value: JSON, in inputs: LoneStep.Inputs) throws -> LoneStep.Inputs? {
    var inputs = inputs
    for place in occurrences {
      if let store = place.store {
        guard let state = inputs.start.states?[store] else { return nil }
        inputs.start.states?[store] = try Patch([.replace(place.path, value)]).applied(to: state)
      } else {
        let path = Pointer(tokens: ["payload"] + place.path.tokens)
        inputs.step.action = try Patch([.replace(path, value)]).applied(to: inputs.step.action)
      }
    }
    return inputs
  }
}

extension JSON {
  /// `true` if a token is at a place.
  fileprivate func hasToken(at place: Pointer) -> Bool {
    var value: JSON? = self
    for token in place.tokens { value = value?.child(token) }
    return value?.isRedactionToken == true
  }
}

extension LoneStep.Inputs {
  /// The states before the step, beginning with one store.
  fileprivate func states(first: String?) -> [(key: String, value: JSON)] {
    let states = start.states?.ordered ?? []
    return states.filter { $0.key == first } + states.filter { $0.key != first }
  }
}
