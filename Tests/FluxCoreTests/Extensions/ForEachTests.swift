import TestFixtures
import Testing

@testable import FluxCore

/// A list of timers, and lists of them.
private struct Watch: StateValue, Identifiable {
  let id: Int
  var ticks = 0
  var laps: Keyed<Lap> = []
}

private struct Lap: StateValue, Identifiable {
  let id: String
  var note = ""
}

private enum WatchAction: Action, Equatable {
  case start, tick, stop, fail
  case twice, batch
  case add(lap: String)
  case lap(id: String, LapAction)
}

private enum LapAction: Action, Equatable {
  case load
  case loaded(String)
}

private enum BoardAction: Action, Equatable {
  case add(id: Int), remove(id: Int), move(id: Int, to: Int), rename(id: Int, to: Int)
  case watch(id: Int, WatchAction)
  case startAndRemove(id: Int)
}

private struct Board: StateValue {
  var watches: Keyed<Watch> = []
}

private struct WatchReducer {
  let gate: Gate

  func reduce(_ watch: inout Watch, _ action: WatchAction, _ step: inout Step) throws {
    switch action {
    case .start:
      let name = "watch \(watch.id)"
      step.effect("run", .keeping) { [gate] send in
        await gate.pass(name)
        send(WatchAction.tick)
      }
    case .tick: watch.ticks += 1
    case .stop: step.cancel("run")
    case .fail:
      watch.ticks = 99
      throw Rejection("the watch is broken")
    case .twice:
      step.dispatch(WatchAction.tick)
      step.dispatch(WatchAction.tick)
    case .batch:
      step.dispatch(Batch("both", [WatchAction.tick, BoardAction.add(id: 8), WatchAction.tick]))
    case .add(let lap): watch.laps.append(Lap(id: lap))
    case .lap(let id, let action):
      try step.forEach(\.laps, of: &watch, id, action, as: WatchAction.lap) {
        [gate] lap, action, step in
        switch action {
        case .load:
          let name = lap.id
          step.effect("load", then: LapAction.loaded) {
            await gate.pass(name)
            return "note of \(name)"
          }
        case .loaded(let note): lap.note = note
        }
      }
    }
  }
}

private struct BoardStore: Store {
  var id: StoreID = "board"
  let gate: Gate
  let initialState = Board()

  func reduce(_ board: inout Board, _ action: BoardAction, _ step: inout Step) throws {
    switch action {
    case .add(let id): board.watches.append(Watch(id: id))
    case .remove(let id): board.watches.remove(id: id)
    case .move(let id, let place): board.watches.move(id: id, to: place)
    case .rename(let id, let new):
      board.watches.remove(id: id)
      board.watches.append(Watch(id: new))
    case .watch(let id, let action):
      try step.forEach(
        \.watches, of: &board, id, action, as: BoardAction.watch,
        WatchReducer(gate: gate).reduce)
    case .startAndRemove(let id):
      try step.forEach(
        \.watches, of: &board, id, .start, as: BoardAction.watch,
        WatchReducer(gate: gate).reduce)
      board.watches.remove(id: id)
    }
  }
}

/// A store that has a board as its child.
private struct Office: Projection {
  struct State: StateValue { var board = Board() }
  let gate: Gate
  let initialState = State()
  var reactions: [Reaction<State>] { [.child(\.board, BoardStore(gate: gate))] }
}

@Suite("Elements of a list", .hangLimit) struct ForEachTests {
  private let gate = Gate()

  private func board(_ ids: Int...) -> StoreHandle<BoardStore> {
    let board = Dispatcher([BoardStore(gate: gate)]).store(BoardStore.self)
    for id in ids { board.dispatch(.add(id: id)) }
    return board
  }

  @Test("an action reaches the element with its identifier, wherever that is")
  func address() {
    let board = board(1, 2)
    board.dispatch(.watch(id: 2, .tick))
    board.dispatch(.move(id: 2, to: 0))
    board.dispatch(.watch(id: 2, .tick))
    #expect(board.watches.map(\.ticks) == [2, 0])
    #expect(board.watches.ids == [2, 1])
  }

  @Test("an element that is not there, or that refuses, rejects the step")
  func rejections() {
    let board = board(1)
    let missing = board.dispatch(.watch(id: 7, .tick))
    #expect(missing.rejection?.description == "board: there is no element 7")
    let refused = board.dispatch(.watch(id: 1, .fail))
    #expect(refused.rejection?.description == "board: the watch is broken")
    #expect(board.watches.map(\.ticks) == [0])
  }

  @Test("an element's own follow-ups come back to it")
  func followUps() {
    let board = board(1, 2)
    let outcome = board.dispatch(.watch(id: 2, .twice))
    #expect(
      outcome.followUps.map { $0.action as? BoardAction } == [
        .watch(id: 2, .tick), .watch(id: 2, .tick),
      ])
    #expect(board.watches.map(\.ticks) == [0, 2])
    board.dispatch(.watch(id: 2, .batch))
    #expect(board.watches.map { [$0.id, $0.ticks] } == [[1, 0], [2, 4], [8, 0]])
  }

  @Test("an effect of the same name runs for each element, and its action comes back to its own")
  func effects() async {
    let board = board(1, 2)
    let states = board.states()
    for id in [1, 2] { board.dispatch(.watch(id: id, .start)) }
    for id in [1, 2] { await gate.arrival(of: "watch \(id)") }
    board.dispatch(.watch(id: 1, .stop))
    gate.open("watch 1")
    gate.open("watch 2")
    _ = await states.first { $0.watches[id: 2]?.ticks == 1 }
    #expect(board.watches[id: 1]?.ticks == 0)
  }

  @Test("the effects of an element end when it is removed, and go on when it moves")
  func removal() async {
    let board = board(1, 2, 3)
    async let first = board.run(.watch(id: 1, .start))
    async let second = board.run(.watch(id: 2, .start))
    for id in [1, 2] { await gate.arrival(of: "watch \(id)") }
    board.dispatch(.move(id: 2, to: 0))
    board.dispatch(.remove(id: 1))
    board.dispatch(.add(id: 1))
    gate.open("watch 1")
    gate.open("watch 2")
    _ = await (first, second)
    #expect(board.watches.map { [$0.id, $0.ticks] } == [[2, 1], [3, 0], [1, 0]])
    #expect(!board.dispatcher.engine.effects.hasEffectsOfElements)
  }

  @Test("an effect whose element leaves in the same step does not start")
  func startedAndRemoved() async {
    let board = board(1)
    let outcome = await board.run(.startAndRemove(id: 1))
    #expect(outcome.effects == ["run"])
    #expect(board.watches.isEmpty)
    #expect(!board.dispatcher.engine.effects.hasEffectsOfElements)
  }

  @Test("elements of elements: actions, effects and their end, also through a child store")
  func nested() async {
    let dispatcher = Dispatcher([Office(gate: gate)])
    let office = dispatcher.store(Office.self)
    func send(_ action: BoardAction) { dispatcher.dispatch(action) }
    for id in [1, 2] {
      send(.add(id: id))
      for lap in ["a", "b"] { send(.watch(id: id, .add(lap: "\(id)\(lap)"))) }
    }
    for (id, lap) in [(1, "1a"), (1, "1b"), (2, "2a")] {
      send(.watch(id: id, .lap(id: lap, .load)))
      await gate.arrival(of: lap)
    }
    send(.remove(id: 1))
    send(.add(id: 1))
    send(.watch(id: 1, .add(lap: "1a")))
    let states = office.states()
    for lap in ["1a", "1b", "2a"] { gate.open(lap) }
    _ = await states.first { $0.board.watches[id: 2]?.laps[id: "2a"]?.note == "note of 2a" }
    #expect(office.board.watches[id: 1]?.laps.elements == [Lap(id: "1a")])
  }

  @Test("the name of an action goes on in the element's")
  func names() {
    let board = board(1)
    let names = Recorded<String>()
    board.dispatcher.use(Dispatching { names.append($0.name) })
    board.dispatch(.watch(id: 1, .add(lap: "a")))
    board.dispatch(.watch(id: 1, .lap(id: "a", .loaded("x"))))
    #expect(names.all == ["board/watch/add", "board/watch/lap/loaded"])
  }

  @Test("a handle of an element stays valid when the element moves, and is nil once it is gone")
  func handles() {
    let board = board(1, 2)
    let watch = board.child(\.watches, id: 2)
    let seen = Recorded<Int?>()
    let receipt = watch.observe(\.?.ticks) { seen.append($0) }
    board.dispatch(.watch(id: 2, .tick))
    board.dispatch(.move(id: 2, to: 0))
    board.dispatch(.watch(id: 2, .add(lap: "a")))
    let lap = watch.child(\.laps, id: "a")
    #expect(watch.ticks == 1)
    #expect(lap.state?.id == "a")
    board.dispatch(.watch(id: 2, .tick))
    board.dispatch(.remove(id: 2))
    #expect(watch.state == nil && watch.ticks == nil && lap.state == nil)
    #expect(seen.all == [0, 1, 2, nil])
    withExtendedLifetime(receipt) {}
  }
}
