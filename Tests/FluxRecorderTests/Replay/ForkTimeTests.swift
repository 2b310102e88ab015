import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Synchronization
import TestFixtures
import Testing

/// On a fork, follow-ups have the times that they have in the recording, so that reducers that read `step.now` do the same.
@Suite struct ForkTimeTests {
  private enum StampAction: Action {
    case stamp, stampTwice, stampThrice
  }

  private struct StampStore: Store {
    /// The follow-ups of ``StampAction/stampTwice``.
    var followUpCount = 1
    let initialState: [Date] = []

    func reduce(_ stamps: inout [Date], _ action: StampAction, _ step: inout Step) {
      stamps.append(step.now)
      switch action {
      case .stamp: break
      case .stampTwice: for _ in 0..<followUpCount { step.dispatch(StampAction.stamp) }
      case .stampThrice: step.dispatch(StampAction.stampTwice)
      }
    }
  }

  private let folder: TemporaryFolder
  private let app = AppDefinition(name: "Stamps", stores: { [StampStore()] })
  private let timeline: Timeline

  /// Records steps that are a second apart: one, two with a follow-up, three with a follow-up that has one, and one.
  init() throws {
    folder = try TemporaryFolder()
    let seconds = Mutex(0.0)
    let dispatcher = Dispatcher(
      [StampStore()],
      now: {
        seconds.withLock { seconds in
          seconds += 1
          return Date(timeIntervalSince1970: 1_700_000_000 + seconds)
        }
      })
    let recorder = Recorder(to: folder.url("stamps.jsonl"))
    dispatcher.use(recorder)
    for action in [StampAction.stamp, .stampTwice, .stampThrice, .stamp] {
      dispatcher.dispatch(action)
    }
    try recorder.close()
    timeline = Timeline(try LogFile.open(folder.path("stamps.jsonl")))
  }

  @Test("an app that does the same leads to the same times")
  func same() throws {
    let fork = try Fork.redispatching(0..<7, of: timeline, in: app)
    #expect(fork.steps.map(\.repeats) == [1, 2, 3, 4, 5, 6, 7])
    #expect(try fork.steps.map(\.time) == (0..<7).map { try timeline.log.step(at: $0).time })
    let comparison = try fork.compare()
    #expect(comparison.isSame, "\(comparison)")
  }

  @Test("a step that is left out changes no other time")
  func skip() throws {
    let fork = try Fork.redispatching(0..<7, of: timeline, in: app, skipping: [2])
    #expect(fork.steps.map(\.repeats) == [1, 4, 5, 6, 7])
    #expect(
      try fork.steps.map(\.time)
        == [0, 3, 4, 5, 6].map { try timeline.log.step(at: $0).time })
  }

  @Test("a follow-up that the recording does not have gets the time of the step before it")
  func more() throws {
    let app = AppDefinition(name: "Stamps", stores: { [StampStore(followUpCount: 2)] })
    let fork = try Fork.redispatching(1..<4, of: timeline, in: app)
    #expect(
      fork.steps.map(\.type).suffix(4) == [
        "stamp/stampThrice", "stamp/stampTwice", "stamp/stamp", "stamp/stamp",
      ])
    let recorded = try (1..<6).map { try timeline.log.step(at: $0).time }
    #expect(
      fork.steps.map(\.time)
        == [
          recorded[0], recorded[1], recorded[1], recorded[2], recorded[2], recorded[2], recorded[2],
        ])
  }

  @Test("a new action and its follow-ups have one time")
  func fresh() throws {
    let fork = try Fork(at: 6, of: timeline, in: app)
    let steps = try fork.dispatch(["type": "stamp/stampTwice"])
    #expect(try steps.map(\.time) == [6, 6].map { try timeline.log.step(at: $0).time })
  }
}
