import FluxCore
import FluxLog
import FluxRecorder
import Foundation

/// How fast an app can go on and on while it is recorded, from the first dispatch until all is in the file.
struct Throughput {
  let stepsPerSecond: Double
  let bytesPerStep: Double

  /// Small states, as fast as a loop dispatches them.
  init(lamps steps: Int, path: String, durability: LogWriter.Options.Durability) throws {
    let dispatcher = Dispatcher([LampStore()])
    var options = Recorder.Options()
    options.log.durability = durability
    try self.init(path: path, steps: steps, dispatcher, options) { step in
      dispatcher.dispatch(LampAction.toggle(id: step % 8))
    }
  }

  /// 1,000 todos of which each step changes one.
  init(todos steps: Int, path: String) throws {
    let dispatcher = Dispatcher([TodoStore(count: 1_000, seed: 1)])
    try self.init(path: path, steps: steps, dispatcher, Recorder.Options()) { step in
      dispatcher.dispatch(TodoAction.toggle(id: step * 7 % 1_000))
    }
  }

  /// The same, by the recorder that an app's author would write.
  init(handWritten steps: Int, path: String) throws {
    let dispatcher = Dispatcher([TodoStore(count: 1_000, seed: 1)])
    let recorder = try HandWrittenRecorder(path: path)
    dispatcher.use(recorder)
    try self.init(path: path, steps: steps) {
      for step in 0..<steps { dispatcher.dispatch(TodoAction.toggle(id: step * 7 % 1_000)) }
      try recorder.close()
    }
  }

  private init(
    path: String, steps: Int, _ dispatcher: Dispatcher, _ options: Recorder.Options,
    _ dispatch: (Int) -> Void
  ) throws {
    var options = options
    options.log.replacesExisting = true
    let recorder = Recorder(to: URL(filePath: path), options: options)
    dispatcher.use(recorder)
    try self.init(path: path, steps: steps) {
      for step in 0..<steps { dispatch(step) }
      try recorder.close()
    }
  }

  private init(path: String, steps: Int, _ run: () throws -> Void) throws {
    let clock = ContinuousClock()
    let start = clock.now
    try run()
    stepsPerSecond = Double(steps) / ((clock.now - start) / .seconds(1))
    let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    bytesPerStep = Double(size) / Double(steps)
  }
}
