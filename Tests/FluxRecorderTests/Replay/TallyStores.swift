import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation

enum TallyAction: Action, Equatable {
  case add(Int)
  case stamp
  case chain(Int)
  /// Asks for a chain.
  case relay(Int)
  case refuse
  case fetch
  case note(String)
  case reset
}

struct Tally: StateValue {
  var total = 0
  var notes: [String] = []
  var stamp: Date?
  var id: UUID?
  var dice: UInt64 = 0
  var share = 0.0
}

/// The rules of a reducer; a test can change one of them.
struct TallyRules: Sendable {
  enum FollowUps: Sendable { case asEver, none, one, another, elsewhere }

  var begin: @Sendable () -> Tally = { Tally() }
  var factor = 1
  var refuses = true
  var refusal = "nothing to refuse"
  var refusesAdding = false
  var limit: Int?
  var readsClock = false
  var makesIdentifiers = false
  var followUps = FollowUps.asEver
  var followsUpStamps = false
  var divisor = 3.0
  /// Added to a share.
  var drift: @Sendable () -> Double = { 0 }
  var sortsNotes = false
  var fetches: String? = "fetch"
  var runEffect: @Sendable () async -> Int = { 5 }
}

struct TallyStore: Store {
  var id: StoreID { "tally" }
  var initialState: Tally { rules.begin() }
  var rules = TallyRules()

  func reduce(_ tally: inout Tally, _ action: TallyAction, _ step: inout Step) throws {
    switch action {
    case .add(let amount):
      if let limit = rules.limit, tally.total > limit { throw Rejection("the tally is full") }
      if rules.refusesAdding { throw Rejection("the tally is closed") }
      tally.total += amount * rules.factor
      tally.share = Double(tally.total) / rules.divisor + rules.drift()
    case .stamp:
      tally.stamp = rules.readsClock ? Date() : step.now
      tally.dice = step.random.next() % 6 + 1
      tally.id = rules.makesIdentifiers ? UUID() : step.uuid()
      if rules.followsUpStamps { step.dispatch(TallyAction.add(0)) }
    case .chain(let count): follow(count, &step)
    case .relay(let count): step.dispatch(TallyAction.chain(count))
    case .refuse: if rules.refuses { throw Rejection("\(rules.refusal)") }
    case .fetch:
      if let name = rules.fetches {
        step.effect(EffectName(name), then: TallyAction.add, rules.runEffect)
      }
    case .note(let text):
      tally.notes.append(text)
      if rules.sortsNotes { tally.notes.sort() }
    case .reset: tally = Tally()
    }
  }

  private func follow(_ count: Int, _ step: inout Step) {
    switch rules.followUps {
    case .asEver: for number in 1...count { step.dispatch(TallyAction.add(number)) }
    case .none: break
    case .one: step.dispatch(TallyAction.add(1))
    case .another: for _ in 1...count { step.dispatch(TallyAction.add(7)) }
    case .elsewhere: for number in 1...count { step.dispatch(TallyAction.add(number), to: "tally") }
    }
  }
}

/// A feature that comes, changes and goes.
struct Lamp: Feature {
  enum Phase: StateValue { case on(brightness: Int) }
  enum Action: FluxCore.Action { case turnOn, brighten, turnOff }

  func reduce(_ lamp: inout Phase?, _ action: Action, _ step: inout Step) throws {
    switch (lamp, action) {
    case (nil, .turnOn): lamp = .on(brightness: 1)
    case (.on(let brightness), .brighten): lamp = .on(brightness: brightness + 1)
    case (.on, .turnOff): lamp = nil
    default: throw Rejection.impossible
    }
  }
}

/// Records what is done with a dispatcher, and opens the log.
func record(
  _ stores: [any Store] = [TallyStore(), Lamp()], to url: URL, seed: UInt64 = 7,
  _ change: (inout Recorder.Options) -> Void = { _ in },
  _ use: (Dispatcher) throws -> Void
) throws -> LogFile {
  let clock = Ticks(Date(timeIntervalSinceReferenceDate: 800_000_000))
  let dispatcher = Dispatcher(stores, seed: seed, now: { clock.next() })
  var options = Recorder.Options()
  change(&options)
  let recorder = Recorder(to: url, options: options)
  dispatcher.use(recorder)
  try use(dispatcher)
  try recorder.close()
  return try LogFile.open(url.path)
}

/// Changes one line of a log, counted from 1, and leaves out its sum, as somebody would who edits it.
func edit(_ url: URL, line: Int, _ change: (String) -> String) throws -> LogFile {
  var lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
  let text = lines[line - 1].replacing(/,"sum":"[0-9a-f]{8}"}$/, with: "}")
  let changed = change(text)
  guard changed != text else { throw EditError(line: line, text: text) }
  lines[line - 1] = changed
  let edited = url.deletingLastPathComponent().appending(path: "edited-\(url.lastPathComponent)")
  try lines.joined(separator: "\n").write(to: edited, atomically: true, encoding: .utf8)
  return try LogFile.open(edited.path)
}

/// A change that changes nothing.
struct EditError: Error {
  let line: Int
  let text: String
}

/// The tally with other rules.
func tally(_ rules: TallyRules = TallyRules()) -> AppDefinition<Never, Never> {
  AppDefinition { [TallyStore(rules: rules), Lamp()] }
}

enum HotelAction: Action {
  case open(key: String)
  case admit(name: String, password: String)
}

/// Keeps what a log must not have.
struct HotelStore: Store {
  struct Guest: StateValue {
    let name: String
    let password: String
  }

  struct State: StateValue {
    var key: String?
    var guests: [Guest] = []
  }

  let id: StoreID = "hotel"
  let initialState = State()
  var isShut = false
  var isForgetful = false

  func reduce(_ hotel: inout State, _ action: HotelAction, _ step: inout Step) throws {
    switch action {
    case .open(let key):
      if isShut { throw Rejection("no key fits, not even \(key)") }
      hotel.key = isForgetful ? nil : key
    case .admit(let name, let password):
      hotel.guests.append(Guest(name: name, password: password))
    }
  }
}
