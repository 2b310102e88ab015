import FluxCore
import FluxLog
import FluxRecorder
import Foundation

/// How fast an app can go on and on while it is recorded, from the first dispatch until all is in the file.
struct Throughput {
  let stepsPerSecond: Double
  let bytesPerStep: Double

  /// As fast as a loop dispatches, each step changing one of so many todos.
  init(todos count: Int, steps: Int, path: String, durability: LogWriter.Options.Durability) throws
  {
    let dispatcher = Dispatcher([TodoStore(count: count, seed: 1)])
    var options = Recorder.Options()
    options.log.durability = durability
    options.log.replacesExisting = true
    let recorder = Recorder(to: URL(filePath: path), options: options)
    dispatcher.use(recorder)
    try self.init(path: path, steps: steps) {
      for step in 0..<steps { dispatcher.dispatch(TodoAction.toggle(id: step * 7 % count)) }
      try recorder.close()
    }
  }

  /// The same, by the recorder that an app's author would write.
  init(handWritten steps: Int, todos count: Int, path: String) throws {
    let dispatcher = Dispatcher([TodoStore(count: count, seed: 1)])
    let recorder = try HandWrittenRecorder(path: path)
    dispatcher.use(recorder)
    try self.init(path: path, steps: steps) {
      for step in 0..<steps { dispatcher.dispatch(TodoAction.toggle(id: step * 7 % count)) }
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
