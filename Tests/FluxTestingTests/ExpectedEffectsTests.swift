import FluxCore
import FluxTesting
import Testing

@Suite("Effects that send nothing")
struct ExpectedEffectsTests {
  private func issues(
    _ body:
      nonisolated(nonsending) @escaping @Sendable (StoreExpectation<Jobs>) async -> Void
  ) async throws -> [String] {
    let jobs = Dispatcher(testing: [Jobs()]).store(Jobs.self)
    return try await Run().perform { await expect(jobs) { await body($0) } }.issues
  }

  private func silent(_ step: String) -> String {
    #"\#(step), started the effect work of jobs, which sent nothing; expect it with effects: ["work"]"#
  }

  @Test("one of two concurrent effects with the same name is an issue")
  func concurrent() async throws {
    #expect(
      try await issues {
        $0.send(.work(sends: false))
        $0.send(.work(sends: true))
        await $0.receive(.done) { $0.count = 1 }
      } == [silent(#"step 1, jobs/work {"sends":false}"#)])
  }

  @Test("that of one element is an issue, whatever another element does")
  func elements() async throws {
    #expect(
      try await issues {
        $0.send(.add(1)) { $0.list.append(Job(id: 1)) }
        $0.send(.add(2)) { $0.list.append(Job(id: 2)) }
        $0.send(.job(id: 1, .work))
        $0.send(.job(id: 2, .work), effects: ["work"])
        $0.send(.job(id: 2, .stop), effects: ["-work"])
      } == [silent(#"step 3, jobs/job/work {"_1":{},"id":1}"#)])
  }

  @Test("one that is cancelled, replaced, or whose element goes is no issue")
  func ended() async throws {
    #expect(
      try await issues {
        $0.send(.add(1)) { $0.list.append(Job(id: 1)) }
        $0.send(.job(id: 1, .work))
        $0.send(.remove(1)) { $0.list.remove(id: 1) }
        $0.send(.work(sends: false))
        $0.send(.stop, effects: ["-work"])
        $0.send(.replace)
        $0.send(.replace, effects: ["replaced"])
      } == [])
  }

  @Test("one that a restored model cancelled is no issue, and one that began afterwards is")
  func restored() async throws {
    let dispatcher = Dispatcher(testing: [Jobs()])
    let before = dispatcher.model
    let run = try await Run().perform {
      try await expect(dispatcher.store(Jobs.self)) {
        $0.send(.work(sends: false))
        try dispatcher.restore(before)
        $0.send(.work(sends: false))
      }
    }
    #expect(run.issues == [silent(#"step 2, jobs/work {"sends":false}"#)])
  }
}

private struct Job: StateValue, Identifiable { let id: Int }

private enum JobAction: Action { case work, stop }

private enum JobsAction: Action {
  case add(Int), remove(Int), job(id: Int, JobAction)
  case work(sends: Bool), stop, replace, done
}

private struct Jobs: Store {
  struct State: StateValue {
    var list: Keyed<Job> = []
    var count = 0
  }

  let initialState = State()

  func reduce(_ jobs: inout State, _ action: JobsAction, _ step: inout Step) throws {
    switch action {
    case .add(let id): jobs.list.append(Job(id: id))
    case .remove(let id): jobs.list.remove(id: id)
    case .job(let id, let action):
      try step.forEach(\.list, of: &jobs, id, action, as: JobsAction.job) { _, action, step in
        switch action {
        case .work: step.effect("work") { _ in }
        case .stop: step.cancel("work")
        }
      }
    case .work(let sends):
      step.effect("work", .concurrent) { send in
        if sends { send(JobsAction.done) }
      }
    case .stop: step.cancel("work")
    case .replace: step.effect("replaced") { _ in }
    case .done: jobs.count += 1
    }
  }
}
