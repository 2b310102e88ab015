import FluxJSON

/// One pass over some steps that continue the model before them, for one question to each of them.
///
/// Gives up as soon as anything about the steps is special: a gap, damage, or an unknown state. The caller then asks a
/// ``Timeline`` about each step. So a pass never has to decide what such a step means.
final class PiecePass {
  private let positions: Range<Int>
  private let pass: StepPass
  private let model: PassedModel
  private let current = CurrentStep()
  /// The values before the current step that ``slots(_:)`` was asked for.
  private var earlier: [EarlierValue] = []
  /// `true` if each step can have another answer, and not only those that write a store.
  private let readsStep: Bool
  private let footprint: Footprint

  /// The document of the current step.
  let document: QueryDocument

  /// Prepares a pass; `nil` if the question, or the log here, needs a ``Timeline``.
  ///
  /// Without `keepsBefore`, the document does not have the states before a step, which are put together for each step.
  ///
  /// - Throws: ``LogError`` if a line or the index cannot be read.
  init?(
    _ footprint: Footprint, over positions: Range<Int>, of timeline: Timeline,
    keepsBefore: Bool = true
  ) throws(LogError) {
    let lastBreak = timeline.log.breaks.last(atOrBefore: positions.lowerBound)
    guard let stores = footprint.stores, !positions.isEmpty,
      timeline.log.continuesModel(in: positions),
      // The model has only the stores of the question, and a break can change or hide others.
      lastBreak == nil || !footprint.readsAllChanges,
      try lastBreak.map({ (found) throws(LogError) in
        try timeline.log.isHiddenByGap(found, at: positions.lowerBound - 1)
      }) != true
    else { return nil }
    pass = try StepPass(timeline.log, positions)
    let model = try PassedModel(
      stores, keepsBefore: keepsBefore && footprint.reads("before"), along: pass,
      after: lastBreak?.kind
    ) { (store) throws(LogError) in
      try timeline.storeState(store, at: positions.lowerBound - 1)
    }
    guard let model else { return nil }
    self.positions = positions
    self.model = model
    self.footprint = footprint
    readsStep = !footprint.readsStatesOnly
    document = model.document { [current] in current.step }
  }

  /// Calls `body` with each position, and `true` if the step cannot change the answer.
  ///
  /// - Returns: `false` if the pass gave up.
  /// - Throws: ``LogError`` if a line cannot be read, and any error of `body`.
  func forEach(_ body: (_ position: Int, _ isSame: Bool) throws -> Void) throws -> Bool {
    for position in positions {
      guard let step = try pass.advance(), step.interruption == nil, step.missing == 0 else {
        return false
      }
      current.step = step
      for index in earlier.indices {
        earlier[index].value = model.value(inSlot: earlier[index].slot, of: earlier[index].store)
      }
      try model.take(step)
      let isSame = !readsStep && model.written.isEmpty && position > positions.lowerBound
      try body(position, isSame)
    }
    return true
  }

  // MARK: Single values

  /// Prepares to read the values at places of the document.
  func slots(_ places: [Pointer]) -> [PlaceSlot]? {
    var slots: [PlaceSlot] = []
    for place in places {
      let tokens = place.tokens
      if tokens == ["action", "type"] {
        slots.append(.type)
        continue
      }
      guard tokens.count > 1, let store = model.index(of: tokens[1]) else { return nil }
      let pointer = Pointer(tokens: tokens.dropFirst(2))
      let slot = model.addSlot(pointer, in: store)
      guard tokens[0] == "before" else {
        slots.append(.after(store: store, slot: slot))
        continue
      }
      slots.append(.before(earlier.count))
      earlier.append(EarlierValue(store: store, slot: slot))
    }
    return slots
  }

  /// Returns the value of a slot; `nil` if it is unknown.
  func value(_ slot: PlaceSlot) -> PlaceExpression.Value? {
    switch slot {
    case .type:
      guard let step = current.step else { return .absent }
      return .json(type(step.type))
    case .after(let store, let slot): return model.value(inSlot: slot, of: store)
    case .before(let index): return earlier[index].value
    }
  }

  private var types: [JSON?] = []

  private func type(_ number: Int) -> JSON {
    if number < types.count, let known = types[number] { return known }
    let type = JSON(stringLiteral: pass.typeName(number))
    types += Array(repeating: nil, count: max(0, number + 1 - types.count))
    types[number] = type
    return type
  }
}

/// A value that a ``PiecePass`` can read without a document.
enum PlaceSlot {
  /// The type of the action.
  case type
  /// A value in a store's state after the step.
  case after(store: Int, slot: Int)
  /// A value in a store's state before the step, by its number among those.
  case before(Int)
}

/// A value that is remembered while the next step is taken.
private struct EarlierValue {
  let store: Int
  let slot: Int
  /// The value before the current step; `nil` if it is unknown.
  var value: PlaceExpression.Value?
}

private final class CurrentStep {
  var step: StepPass.Step?
}

extension LogFile {
  /// `true` if no gap and no damage is right before one of these steps.
  func continuesModel(in positions: Range<Int>) -> Bool {
    guard let last = breaks.last(atOrBefore: positions.upperBound - 1) else { return true }
    return last.position < positions.lowerBound
  }
}

// MARK: Answers

/// Something unknown: the step has to be asked for in another way.
private struct UnknownValue: Error {}

extension Timeline {
  /// Returns the steps of a piece for which an expression holds; `nil` if a pass cannot tell.
  func matches(of expression: StepExpression, in piece: Range<Int>) -> [Int]? {
    do {
      let places = expression.places
      // The document, which may have states before each step, is only read without places.
      guard
        var pass = try PiecePass(
          expression.footprint, over: piece, of: self, keepsBefore: places == nil)
      else { return nil }
      let slots = places.flatMap { pass.slots($0.places) }
      if places != nil, slots == nil {
        guard let whole = try PiecePass(expression.footprint, over: piece, of: self) else {
          return nil
        }
        pass = whole
      }
      var matches: [Int] = []
      var holds = false
      let isComplete = try pass.forEach { position, isSame in
        if !isSame {
          if let places, let slots {
            var isUnknown = false
            holds = places.holds { place in
              guard let value = pass.value(slots[place]) else {
                isUnknown = true
                return .absent
              }
              return value
            }
            if isUnknown { throw UnknownValue() }
          } else {
            holds = try expression.holds(for: pass.document)
          }
        }
        if holds { matches.append(position) }
      }
      return isComplete ? matches : nil
    } catch {
      // Asking for the steps one by one shows which one is the problem, and if it matters.
      return nil
    }
  }

  /// Returns the value of a query at the first step of a piece, and at each step at which it changes; `nil` if a pass
  /// cannot tell.
  func values(of query: ValueQuery, in piece: Range<Int>) -> [(position: Int, value: WatchedValue)]?
  {
    do {
      guard let pass = try PiecePass(query.footprint, over: piece, of: self) else { return nil }
      let place: Pointer? = if case .path(let path) = query { path.place } else { nil }
      let slot = place.flatMap { $0.isPlain ? pass.slots([$0])?.first : nil }
      var values: [(position: Int, value: WatchedValue)] = []
      let isComplete = try pass.forEach { position, isSame in
        guard !isSame else { return }
        let value: WatchedValue
        if let slot {
          guard let found = pass.value(slot) else { throw UnknownValue() }
          value = WatchedValue(found.json)
        } else {
          switch query {
          case .path(let path): value = WatchedValue(try path.nodes(in: pass.document), of: path)
          case .expression(let expression):
            value = WatchedValue(try expression.value(in: pass.document))
          }
        }
        if values.last?.value != value { values.append((position, value)) }
      }
      return isComplete ? values : nil
    } catch {
      return nil
    }
  }
}

extension Pointer {
  /// `true` if its tokens are names and nothing else: an array could read a number as an index.
  fileprivate var isPlain: Bool {
    tokens.first == "state" && tokens.count > 1
      && !tokens.contains { $0 == "-" || $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
  }
}
