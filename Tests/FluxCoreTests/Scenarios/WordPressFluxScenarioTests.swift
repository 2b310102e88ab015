import FluxCore
import Testing

/// The features of WordPressFlux: scenarios W1 to W6.
@Suite struct WordPressFluxScenarioTests {
  enum NumberAction: Action { case double }

  struct NumberStore: Store {
    let initialState = 1

    func reduce(_ number: inout Int, _ action: NumberAction, _ step: inout Step) {
      number += number
    }
  }

  struct SeenActions: Projection {
    let initialState = 0
    var reactions: [Reaction<Int>] { [.on(NumberAction.self) { seen, _, _ in seen += 1 }] }
  }

  @Test("W1: a dispatcher of one's own has seen 0 actions, and 1 after one dispatch")
  func ownDispatcher() {
    let mine = Dispatcher([SeenActions()])
    let other = Dispatcher([SeenActions()])
    #expect(mine[SeenActions.self] == 0)
    mine.dispatch(NumberAction.double)
    #expect(mine[SeenActions.self] == 1)
    #expect(other[SeenActions.self] == 0)
  }

  @Test("W2: while its receipt is held onChange has 1, then 2 events; once it is let go still 2")
  func receipt() {
    let numbers = Dispatcher([NumberStore()]).store(NumberStore.self)
    let events = Recorded<UInt64>()
    var receipt: Receipt? = numbers.onChange { events.append($0.step) }
    withExtendedLifetime(receipt) {
      numbers.dispatch(.double)
      #expect(events.all == [1])
      numbers.dispatch(.double)
      #expect(events.all == [1, 2])
    }
    receipt = nil
    numbers.dispatch(.double)
    #expect(events.all == [1, 2])
    #expect(numbers.state == 8)
  }

  @Test("W3: s += s from 1 is one event from 1 to 2")
  func oneWrite() {
    let (events, state) = changes { $0.dispatch(NumberAction.double) }
    #expect(events == [[1, 2]])
    #expect(state == 2)
  }

  @Test("W4: s += s twice is 4 and two events")
  func twoWrites() {
    let (events, state) = changes {
      $0.dispatch(NumberAction.double)
      $0.dispatch(NumberAction.double)
    }
    #expect(events == [[1, 2], [2, 4]])
    #expect(state == 4)
  }

  @Test("W5: s += s twice in one transaction is 4 and one event from 1 to 4")
  func transaction() {
    let (events, state) = changes {
      $0.dispatch(Batch("quadruple", [NumberAction.double, NumberAction.double]))
    }
    #expect(events == [[1, 4]])
    #expect(state == 4)
  }

  /// The changes that an observer of a number store sees, as pairs of old and new.
  private func changes(_ body: (Dispatcher) -> Void) -> (events: [[Int]], state: Int) {
    let dispatcher = Dispatcher([NumberStore()])
    let events = Recorded<[Int]>()
    let receipt = dispatcher.store(NumberStore.self).onChange { events.append([$0.old, $0.new]) }
    withExtendedLifetime(receipt) { body(dispatcher) }
    return (events.all, dispatcher[NumberStore.self])
  }

  /// Keeps the number of open queries of each call in its state.
  struct LibraryStore: QueryStore {
    let initialState: [Int] = []

    func reduce(_ calls: inout [Int], _ action: NumberAction, _ step: inout Step) {}

    func queriesChanged(_ queries: [String], _ calls: inout [Int], _ step: inout Step) {
      calls.append(queries.count)
    }
  }

  @Test("W6: one query is one active query and one call of queriesChanged; its end calls with 0")
  func query() {
    let library = Dispatcher([LibraryStore()]).store(LibraryStore.self)
    var receipt: Receipt? = library.query("books by Lem")
    withExtendedLifetime(receipt) {
      #expect(library.activeQueries.count == 1)
      #expect(library.state == [1])
    }
    receipt = nil
    // A released receipt closes its query soon; a later dispatch runs after that.
    library.dispatcher.dispatch(Batch(nil, []))
    #expect(library.activeQueries.isEmpty)
    #expect(library.state == [1, 0])
  }
}
