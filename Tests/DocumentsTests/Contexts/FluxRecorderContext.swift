import FluxCore
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Observation

/// The context of the code in FluxRecorder's documentation: an app that is being recorded.
struct FluxRecorderContext {
  struct Flags { let sync: Bool }

  enum CounterAction: Action, Equatable { case increase }
  struct ScrollAction: Action {}

  @Observable final class Cart {
    var items: [String] = []
    var total = 0
  }

  let dispatcher: Dispatcher
  let recorder: Recorder
  let folder: URL
  let url: URL
  let reportURL: URL
  @Given var options: Recorder.Options
  let flags: Flags

  let log: LogFile
  let shopApp: AppDefinition<Never, Never>
  @Given var evolution: Evolution

  struct Counter: Codable, Sendable { var count = 0 }

  let states: [String: (any Encodable & Sendable)?]
  let store: (state: Counter, name: String)
  @Given var state: Counter
  let action: CounterAction
  let reducer: (Counter, CounterAction) -> Counter
  let reduce: (inout Counter, CounterAction, inout StepInputs) -> Void

  func importPhotos() {}
  func dispatch(_ action: CounterAction, file: StaticString, line: UInt) {}
}

typealias DocsContext = FluxRecorderContext
