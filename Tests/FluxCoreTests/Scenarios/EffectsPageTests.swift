import FluxCore
import FluxJSON
import TestFixtures
import Testing

/// The code of the page about effects.
@Suite struct EffectsPageTests {
  actor Service {
    private var loads = 0

    func load() throws -> Int {
      loads += 1
      return loads
    }

    func offer() -> Int { 7 }
    func buy(_ offer: Int) -> Int { offer * 10 }
  }

  enum Loaded: StateValue {
    case books(Int)
    case failure(String)

    init(_ outcome: Result<Int, any Error>) {
      switch outcome {
      case .success(let count): self = .books(count)
      case .failure(let error): self = .failure("\(error)")
      }
    }
  }

  enum LibraryAction: Action, Equatable { case load, sync, buy, bought(Int), loaded(Loaded) }

  struct LibraryStore: Store {
    struct State: StateValue {
      var books = 0
      var isSynced: Bool { books > 1 }
    }

    let initialState = State()
    let service: Service

    func reduce(_ library: inout State, _ action: LibraryAction, _ step: inout Step) {
      switch action {
      case .load:
        step.effect("load", ending: { LibraryAction.loaded(Loaded($0)) }) { [service] in
          try await service.load()
        }
      case .sync:
        step.effect("sync") { [service] send in
          do {
            while !send[LibraryStore.self].isSynced {
              try await send.sleep(for: .seconds(60))
              send(LibraryAction.loaded(.books(try await service.load())))
            }
          } catch {
            send(LibraryAction.loaded(.failure("\(error)")))
          }
        }
      case .buy:
        step.effect("buy") { [service] send in
          let offer = await service.offer()
          await send.commit { send(LibraryAction.bought(await service.buy(offer))) }
        }
      case .bought(let books): library.books += books
      case .loaded(.books(let books)): library.books = books
      case .loaded(.failure): library.books = -1
      }
    }
  }

  @Test("the page's effects", .hangLimit)
  func effects() async {
    let clock = ManualClock()
    let dispatcher = Dispatcher([LibraryStore(service: Service())], clock: clock)
    await dispatcher.run(LibraryAction.load)
    #expect(dispatcher[LibraryStore.self].books == 1)
    async let sync = dispatcher.run(LibraryAction.sync)
    await clock.sleeper()
    clock.advance(by: .seconds(60))
    _ = await sync
    #expect(dispatcher[LibraryStore.self].books == 2)
    await dispatcher.run(LibraryAction.buy)
    #expect(dispatcher[LibraryStore.self].books == 72)
  }

  @Test("the page's actions can be recorded", arguments: [Loaded.books(2), .failure("no network")])
  func recorded(_ outcome: Loaded) throws {
    let action = LibraryAction.loaded(outcome)
    let json = try LogEncoder().encode(action)
    #expect(try LogDecoder().decode(LibraryAction.self, from: json) == action)
  }
}
