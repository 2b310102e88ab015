import FluxCore
import FluxLog
import FluxRecorder
import Foundation

/// The code of the page about recording on people's devices, which must compile.
private enum DevicePages {
  static func startRecording() {
    func startRecording(_ dispatcher: Dispatcher, _ support: URL) -> Recorder {
      var options = Recorder.Options()
      options.launchLimits = [.bytes(32 << 20), .age(.seconds(14 * 86_400))]
      options.redaction = .only(
        ["/todos/items/*/done", "/filter"], actions: ["todo/toggle": ["/id"]])
      let recorder = Recorder(in: support.appending(path: "Logs"), name: "todo", options: options)
      dispatcher.use(recorder)
      return recorder
    }
    _ = startRecording
  }

  static func lifeCycle() {
    func enterBackground(_ recorder: Recorder) {
      do {
        try recorder.flush()
      } catch {
        print("not recorded: \(error)")
      }
    }
    _ = enterBackground
  }

  static func options() -> Recorder.Options {
    var options = Recorder.Options()
    options.log.locking = .released
    options.log.ring = .written
    return options
  }

  static func reports() {
    func reportToSupport(_ recorder: Recorder, _ temporary: URL) throws -> URL {
      let url = temporary.appending(path: "todo-\(UUID()).jsonl")
      try recorder.export(last: .minutes(10), to: url)
      return url
    }
    func lastCrash(_ recorder: Recorder) -> [URL] {
      guard let ended = recorder.logs.first(where: { !$0.isRecording }) else { return [] }
      return ended.urls + ended.inFlightURLs
    }
    _ = (reportToSupport, lastCrash)
  }

  static func sampling() {
    func shouldRecord(_ installation: UInt64) -> Bool { installation % 100 < 5 }
    _ = shouldRecord
  }

  static func deletion() {
    func deleteLogs(_ recorder: Recorder, _ folder: URL) throws {
      try recorder.close()
      for launch in try RecordedLaunch.all(in: folder, name: "todo") where !launch.isRecording {
        try launch.delete()
      }
    }
    _ = deleteLogs
  }
}
