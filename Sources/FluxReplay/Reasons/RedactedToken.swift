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
    // An associated value without a label is `_0`, and the token of the payload leaves out an optional one.
    return [lists] + [name, "_0"].map { [JSON(dictionaryLiteral: ($0, token))] }
  }

  /// `true` if the token is in the payload.
  var isInPayload: Bool { occurrences.contains { $0.store == nil } }

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
  /// The most values of the states or the payload to try for one token: as many texts, and as many numbers.
  private static let mostLikelyValues = 32

  /// Returns the texts and the numbers of the states that a token in the payload may stand for, those around a divergence
  /// first.
  func likelyValuesOfPayload(for found: Divergence) -> [[JSON]] {
    Self.textsAndNumbers(
      of: values(around: found) + changes.compactMap(\.state)
        + states(first: found.store).map(\.value))
  }

  /// Returns the texts and the numbers of the payload that a token in the states may stand for.
  func likelyValuesOfStates() -> [[JSON]] {
    Self.textsAndNumbers(of: [step.action["payload"]].compactMap(\.self))
  }

  private static func textsAndNumbers(of sources: [JSON]) -> [[JSON]] {
    var pending = Array(sources.reversed())
    var (texts, numbers): ([JSON], [JSON]) = ([], [])
    while let value = pending.popLast(),
      texts.count < mostLikelyValues || numbers.count < mostLikelyValues
    {
      switch value.kind {
      case .string where texts.count < mostLikelyValues && !texts.contains(value):
        texts.append(value)
      case .number where numbers.count < mostLikelyValues && !numbers.contains(value):
        numbers.append(value)
      case .object:
        // A dictionary has identifiers as names.
        pending += value.parts.reversed().map(\.value)
        pending += value.parts.reversed().map { JSON(stringLiteral: $0.step.token) }
      default: pending += value.parts.reversed().map(\.value)
      }
    }
    return [texts, numbers]
  }

  /// Returns the names and indices in the path of a divergence, and the values that share a container with it in the state
  /// after the step, innermost first.
  ///
  /// An action names an element of a list by its identifier or its index, and a list may have thousands of others before it.
  private func values(around found: Divergence) -> [JSON] {
    let tokens = found.path?.tokens.dropFirst() ?? []
    var value = changes.first { found.store?.hasSameBytes(as: $0.store) == true }?.state
    var around: [[JSON]] = []
    for token in tokens {
      guard let container = value else { break }
      let name = Int64(token).map { JSON(integerLiteral: $0) } ?? JSON(stringLiteral: token)
      let siblings = container.parts.map(\.value).filter { [.string, .number].contains($0.kind) }
      around.append([name] + siblings)
      value = container.child(token)
    }
    return around.reversed().flatMap(\.self)
  }

  /// The states before the step, beginning with one store.
  func states(first: String?) -> [(key: String, value: JSON)] {
    let states = start.states?.ordered ?? []
    return states.filter { $0.key == first } + states.filter { $0.key != first }
  }
}
