import FluxInspector
import FluxJSON
import FluxLog
import FluxSystem

/// The numbers that stand for frames, variables, sources and targets in messages.
///
/// A number stands for the same thing for the whole session, because things are places and never the values there.
/// Safe to use from any thread.
final class Handles: Sendable {
  /// A frame: the place of a step, in the stack of a thread.
  struct Frame: Hashable {
    /// The number of the thread.
    let thread: Int
    let place: Place
    /// The number of a cause that is not in the log; such a frame has no scopes.
    var missing: UInt64?
  }

  /// The origin of a value.
  enum Root: Hashable {
    /// The document of the step.
    case document
    /// One of its changes: the value before it, or after it.
    case change(Int, isNew: Bool)
    /// The recorded or the replayed value of a divergence.
    case finding(isReplayed: Bool)
    /// A value that an evaluation made.
    case evaluated(Int)
  }

  /// Something with variables.
  enum Container: Hashable {
    case action(Place)
    case changes(Place)
    case change(Place, Int)
    case finding(Place)
    /// A scope of one store.
    case store(Place, BytewiseName)
    /// A value, by its origin and the names and indices below it.
    case value(Place, Root, [Location.Element])
    /// A range of the members of a value that has many.
    case group(Place, Root, [Location.Element], Range<Int>)
  }

  private struct Table<Thing: Hashable> {
    private var things: [Thing] = []
    private var numbers: [Thing: Int] = [:]

    mutating func number(of thing: Thing) -> Int {
      if let number = numbers[thing] { return number }
      things.append(thing)
      numbers[thing] = things.count
      return things.count
    }

    subscript(number: Int) -> Thing? {
      number > 0 && number <= things.count ? things[number - 1] : nil
    }
  }

  private struct State {
    var frames = Table<Frame>()
    var containers = Table<Container>()
    var places = Table<Place>()
    var targets = Table<Int>()
    var evaluated: [Int: JSON] = [:]
    var evaluations = 0
  }

  /// The number of evaluated containers that are kept, the newest ones.
  private static let keptEvaluations = 500

  private let state = Monitor(State())

  func number(of frame: Frame) -> Int { state.withLock { $0.frames.number(of: frame) } }

  func frame(_ number: Int) -> Frame? { state.withLock { $0.frames[number] } }

  func number(of container: Container) -> Int {
    state.withLock { $0.containers.number(of: container) }
  }

  func container(_ number: Int) -> Container? { state.withLock { $0.containers[number] } }

  /// The number of the source that shows the line of a place.
  func number(ofLineAt place: Place) -> Int { state.withLock { $0.places.number(of: place) } }

  func placeOfLine(_ number: Int) -> Place? { state.withLock { $0.places[number] } }

  /// The number of a target for `goto`: a position of the recording.
  func number(ofTarget position: Int) -> Int { state.withLock { $0.targets.number(of: position) } }

  func target(_ number: Int) -> Int? { state.withLock { $0.targets[number] } }

  /// Keeps a value that an evaluation made; returns its origin.
  func keep(_ value: JSON) -> Root {
    state.withLock { state in
      state.evaluations += 1
      state.evaluated[state.evaluations] = value
      state.evaluated[state.evaluations - Self.keptEvaluations] = nil
      return .evaluated(state.evaluations)
    }
  }

  func evaluated(_ number: Int) -> JSON? { state.withLock { $0.evaluated[number] } }
}
