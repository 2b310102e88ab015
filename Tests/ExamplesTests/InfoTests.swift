import FluxCore
import InfoExample
import Observation
import Testing

@Suite struct InfoTests {
  struct FixedInfo: InfoService {
    var result: Result<[InfoSection], Offline> = .success([
      InfoSection(title: "Opening hours", rows: ["Mon-Fri 9-18", "Sat 10-14"])
    ])

    func sections() throws -> [InfoSection] { try result.get() }
  }

  struct Offline: Error {}

  @Test("a fetch goes from idle through fetching to completed, with the sections")
  func fetch() async {
    let info = Dispatcher([InfoStore(service: FixedInfo())]).store(InfoStore.self)
    let states = info.states()
    await info.run(.fetch)
    let seen = await states.prefix(3).reduce(into: [InfoState]()) { $0.append($1) }
    #expect(seen.map(\.status) == [.idle, .fetching, .completed])
    #expect(seen.map(\.sections.count) == [0, 0, 1])
  }

  @Test("a failed fetch shows the reason and keeps the existing sections")
  func failure() async {
    let service = FixedInfo(result: .failure(Offline()))
    let info = Dispatcher([InfoStore(service: service)]).store(InfoStore.self)
    let known = InfoSection(title: "Known", rows: [])
    info.dispatch(.fetched([known]))
    await info.run(.fetch)
    #expect(info.status == .failed(reason: "Offline()"))
    #expect(info.sections == [known])
  }

  /// Answers when a test lets it, and counts the requests.
  actor SlowInfo: InfoService {
    private(set) var requests = 0
    private let answer: AsyncStream<[InfoSection]>

    init(answer: AsyncStream<[InfoSection]>) {
      self.answer = answer
    }

    func sections() async throws -> [InfoSection] {
      requests += 1
      for await sections in answer { return sections }
      throw CancellationError()
    }
  }

  @Test("a fetch during a fetch asks the service only once")
  func fetchTwice() async {
    let (answers, answer) = AsyncStream<[InfoSection]>.makeStream()
    let service = SlowInfo(answer: answers)
    let info = Dispatcher([InfoStore(service: service)]).store(InfoStore.self)
    async let first = info.run(.fetch)
    _ = await info.states().first { $0.status == .fetching }
    #expect(info.dispatch(.fetch).result == .unchanged)
    answer.yield([])
    _ = await first
    #expect(info.status == .completed)
    #expect(await service.requests == 1)
  }

  @Test("the view model shows the rows of the sections, or the failure")
  @MainActor
  func viewModel() async {
    let info = Dispatcher([InfoStore(service: FixedInfo())]).store(InfoStore.self)
    let model = InfoViewModel(info: info)
    await until { model.message == "Nothing here yet." }
    #expect(model.rows == [])
    model.refresh()
    await until { model.rows == ["# Opening hours", "Mon-Fri 9-18", "Sat 10-14"] }
    await until { !model.isLoading && model.message == nil }
    info.dispatch(.failed(reason: "offline"))
    await until { model.message == "Cannot be shown: offline" }
    #expect(model.rows.count == 3)
  }

  @Test("the view model shows that the info is loading, and is not kept alive by the store")
  @MainActor
  func viewModelLoading() async {
    let (answers, answer) = AsyncStream<[InfoSection]>.makeStream()
    let service = SlowInfo(answer: answers)
    let info = Dispatcher([InfoStore(service: service)]).store(InfoStore.self)
    var model: InfoViewModel? = InfoViewModel(info: info)
    weak let observer = model
    model?.refresh()
    await until { model?.isLoading == true }
    answer.yield([])
    await until { model?.isLoading == false }
    model = nil
    #expect(observer == nil)
    #expect(info.dispatch(.failed(reason: "offline")).result == .changed)
  }

  /// Waits until an observable condition is true.
  @MainActor
  private func until(_ condition: () -> Bool) async {
    while !condition() {
      await withCheckedContinuation { continuation in
        withObservationTracking {
          _ = condition()
        } onChange: {
          continuation.resume()
        }
      }
    }
  }
}
