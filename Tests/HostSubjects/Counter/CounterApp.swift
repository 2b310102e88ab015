import FluxJSON
import FluxLog
public import FluxReplay

/// A counter without any framework, served to another process: `{"counter":{"count":0}}`.
///
/// Actions: `counter/add {"amount"}`; `counter/double`, which dispatches `counter/add`; `counter/draw`, which
/// sets a random number; `counter/shuffle`, which sets a number that depends on the order of a set;
/// `counter/read {"input"}`, which stores a ``HiddenReading``;
/// `counter/lie {"number","store","steps"}`, whose step has another number, changes another store, or appears
/// several times; and those of ``Mischief``, which a state can also name.
public struct CounterApp: ReplayApp {
  /// Creates the app.
  public init() {}

  /// The counter, and its old name.
  public func describe() throws(ReplayFailure) -> AppDescription {
    AppDescription(
      name: "Counter", version: "1.0", stores: [.init(name: "counter", type: "Counter")],
      actionTypes: ["counter"], storeAliases: ["number": "counter"], upcastStores: ["number"],
      tells: [.effects, .cancels, .messages])
  }

  /// Starts a session with a counter of its own.
  public func start(_ start: SessionStart) throws(ReplayFailure) -> any ReplaySession {
    try CounterSession(start)
  }
}

/// The counter itself.
final class CounterSession: ReplaySession {
  private var count: Int64
  private var reading: JSON?
  private var next: UInt64
  private let mode: SessionStart.Mode

  init(_ start: SessionStart) throws(ReplayFailure) {
    let state = start.states?["counter"] ?? start.states?["number"]
    count = try state.map { (state) throws(ReplayFailure) in try Self.count(state) } ?? 0
    next = start.next
    mode = start.mode
  }

  private static func count(_ state: JSON) throws(ReplayFailure) -> Int64 {
    perform(state["mischief"])
    // An old state is a plain number.
    guard let count = (state["count"] ?? state).number?.int64 else {
      throw ReplayFailure(.statesNotRestorable([.init(store: "counter", why: "no \"count\"")]))
    }
    return count
  }

  private static func perform(_ mischief: JSON?) {
    mischief?.string.flatMap { Mischief(rawValue: $0) }?.perform(nil)
  }

  /// The order of twelve strings in a set, as a number in base 12.
  private static func orderOfSet() -> Int64 {
    Set((0..<12).map { String($0) }).reduce(0) { $0 * 12 + (Int64($1) ?? 0) }
  }

  private var state: JSON {
    let count = JSON(integerLiteral: count)
    return reading.map { ["count": count, "reading": $0] } ?? ["count": count]
  }

  func dispatch(_ actions: [ReplayAction]) throws(ReplayFailure) -> [ReplayedStep] {
    actions.flatMap { run($0.action, number: $0.number, time: $0.time) }
  }

  private func run(
    _ action: JSON, number: UInt64?, time: LogTime, target: String? = nil, cause: UInt64? = nil
  ) -> [ReplayedStep] {
    var step = ReplayedStep(number: number ?? next, time: time)
    next = step.number + 1
    if cause != nil { (step.action, step.target) = (action, target) }
    step.cause = cause
    let amount = action["payload"]?["amount"]?.number?.int64
    switch action["type"]?.string {
    case "counter/add":
      guard let amount else {
        step.outcome = .undecodable("no amount")
        if mode == .simulate { next = step.number }
        return [step]
      }
      guard count + amount >= 0 else {
        step.outcome = .rejected(
          LogRejection(reason: "refused", message: "below 0", store: "counter"))
        return [step]
      }
      count += amount
      step.changes = [.init(store: "counter", state: state)]
    case "counter/double":
      step.followUps = [
        .init(
          action: ["type": "counter/add", "payload": ["amount": .init(integerLiteral: count)]],
          target: "counter")
      ]
    case "counter/draw":
      count = .random(in: 1000..<1_000_000)
      step.changes = [.init(store: "counter", state: state)]
    case "counter/shuffle":
      count = Self.orderOfSet()
      step.changes = [.init(store: "counter", state: state)]
    case "counter/read":
      reading = action["payload"]?["input"]?.string.flatMap { HiddenReading(rawValue: $0) }?.value
      step.changes = [.init(store: "counter", state: state)]
    case "counter/lie":
      let lie = action["payload"]
      step.number = lie?["number"]?.number?.uint64 ?? step.number
      if let store = lie?["store"]?.string { step.changes = [.init(store: store, state: state)] }
      return Array(repeating: step, count: Int(lie?["steps"]?.number?.int64 ?? 1))
    case let type?:
      Mischief(rawValue: type)?.perform(action["payload"])
    case nil: step.outcome = .undecodable("no type")
    }
    guard mode == .simulate else { return [step] }
    return step.followUps.reduce(into: [step]) { steps, followUp in
      steps += run(
        followUp.action, number: nil, time: time, target: followUp.target, cause: step.number)
    }
  }

  func states() throws(ReplayFailure) -> StoreDictionary<JSON> { ["counter": state] }

  func upcast(_ states: [RecordedState]) throws(ReplayFailure) -> [JSON] {
    for state in states { Self.perform(state.state["mischief"]) }
    return states.map { ["count": $0.state] }
  }

  func end() {}
}
