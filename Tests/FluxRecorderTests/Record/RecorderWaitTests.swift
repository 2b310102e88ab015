import Dispatch
import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

/// Threads that a recorder lets wait, and code of the app that the writing thread runs.
@Suite struct RecorderWaitTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "a dispatcher's observer that records and an open step that dispatches do not wait for each other",
    .hangLimit)
  func crosswise() async throws {
    let dispatcher = Dispatcher([Meter()])
    let recorder = Recorder(inMemory: 1 << 20)
    recorder.start(states: ["list": 0])
    let (isInTurn, isInStep) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let receipt = dispatcher.store(Meter.self).onChange { change in
      guard change.step == 1 else { return }
      isInTurn.signal()
      isInStep.wait()
      recorder.record(NamedAction("list/observed"), states: ["list": 1])
    }
    async let observed = onThread { dispatcher.dispatch(Meter.Action.read(1)).result }
    let result = await onThread {
      let step = recorder.begin(NamedAction("list/began"))
      isInStep.signal()
      isInTurn.wait()
      let result = dispatcher.dispatch(Meter.Action.read(2)).result
      step.commit(states: ["list": 2])
      return result
    }
    #expect(result == .queued)
    #expect(await observed == .changed)
    // Behind the queued action.
    dispatcher.dispatch(Batch(nil, []))
    #expect(dispatcher[Meter.self].value == 2)
    #expect(try recorder.timeline().log.count == 2)
    withExtendedLifetime(receipt) {}
  }

  @Test(
    "a log handler may flush and dispatch on the writing thread", .hangLimit,
    arguments: [LogWriter.Options.Durability.ahead, .buffered, .synced],
    [LogWriter.Options.Overflow.thin, .block, .drop])
  func logHandler(
    durability: LogWriter.Options.Durability, overflow: LogWriter.Options.Overflow
  ) async throws {
    let dispatcher = Dispatcher([Meter()])
    var options = Recorder.Options()
    options.log.durability = durability
    options.log.overflow = overflow
    let messages = LogMessages()
    let url = folder.url("meter.jsonl")
    let recorder = Recorder(to: url, options: options, logger: messages.logger)
    dispatcher.use(recorder)
    let calls = Calls(recorder, dispatcher)
    messages.onMessage = { calls.make() }
    dispatcher.enqueue(Meter.Action.read(Meter.unencodable)) { _ in
      // In the turn, for which the log handler must not wait.
      do { try recorder.flush() } catch {}
    }
    while calls.pendingCount > 0 { await Task.yield() }
    #expect(dispatcher[Meter.self].value == 2)
    do { try recorder.close() } catch {}
    messages.onMessage = nil
    #expect(try LogFile.open(url.path).end != nil)
  }

  private func onThread<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      Thread { continuation.resume(returning: body()) }.start()
    }
  }

  /// Calls the recorder and its dispatcher, once.
  private final class Calls: @unchecked Sendable {
    // Sendable: `lock` guards the variables.
    private let recorder: Recorder
    private let dispatcher: Dispatcher
    private let lock = NSLock()
    private var hasBegun = false
    private var rest = 2

    /// The number of calls that have not come to their end.
    var pendingCount: Int { lock.withLock { rest } }

    init(_ recorder: Recorder, _ dispatcher: Dispatcher) {
      (self.recorder, self.dispatcher) = (recorder, dispatcher)
    }

    func make() {
      let isFirst = lock.withLock {
        defer { hasBegun = true }
        return !hasBegun
      }
      guard isFirst else { return }
      do { try recorder.flush() } catch {}
      dispatcher.dispatch(Meter.Action.read(1))
      dispatcher.enqueue(Meter.Action.read(2)) { [self] _ in end() }
      end()
    }

    private func end() { lock.withLock { rest -= 1 } }
  }

  /// Has a state that cannot always be encoded.
  private struct Meter: Store {
    enum Action: FluxCore.Action { case read(Int) }

    struct Reading: Codable, Equatable, Sendable {
      var value = 0

      init() {}

      init(from decoder: any Decoder) throws {
        value = try decoder.singleValueContainer().decode(Int.self)
      }

      func encode(to encoder: any Encoder) throws {
        if value == Meter.unencodable { throw CancellationError() }
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }

    static let unencodable = 666

    let id: StoreID = "meter"
    let initialState = Reading()

    func reduce(_ reading: inout Reading, _ action: Action, _ step: inout Step) {
      guard case .read(let value) = action else { return }
      reading.value = value
    }
  }
}
