import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures
import Testing

@Suite struct RecordingAndTimelineTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "what a recorder wrote is what the app's states were, at every step, forwards and backwards",
    arguments: [LogWriter.Options.States.adaptive, .full])
  func everyStep(_ states: LogWriter.Options.States) throws {
    let url = folder.url("run-\(states).jsonl")
    let dispatcher = Dispatcher([CartStore(), Checkout(), NotesStore()], seed: 1)
    var options = Recorder.Options()
    options.log.states = states
    let recorder = Recorder(to: url, options: options)
    dispatcher.use(recorder)
    var models = [dispatcher.model]
    for round in 0..<40 {
      switch round % 5 {
      case 0, 1: dispatcher.dispatch(CartAction.add("item \(round)"))
      case 2: dispatcher.dispatch(Checkout.Action.begin)
      case 3: dispatcher.dispatch(NotesAction.write("t\(round)"))
      default: dispatcher.dispatch(CartAction.nothing)
      }
      models.append(dispatcher.model)
    }
    try recorder.close()

    let log = try LogFile.open(url.path)
    try log.waitForIndex()
    #expect(log.findings == [])
    let timeline = Timeline(log)
    #expect(timeline.end == 39)
    for position in Array(timeline.positions) + timeline.positions.reversed() {
      for store in ["cart", "checkout", "notes"] {
        let live = try models[position + 1].snapshot(of: StoreID(store)).map {
          try LogEncoder().encode($0)
        }
        #expect(try timeline.state(of: store, at: position) == live, "\(store) at \(position)")
      }
    }
  }
}
