import FluxCore
import FluxLog
import FluxRecorder
import Foundation
import TestFixtures

/// Records a run, and makes of it the log of a run that crashed when only so many lines were written.
func recordCrash(
  in folder: TemporaryFolder, afterLines count: Int,
  stores: [any Store] = [TallyStore(), Lamp()],
  options change: (inout Recorder.Options) -> Void = { _ in }, _ use: (Dispatcher) -> Void
) throws -> (whole: Timeline, crashed: Timeline) {
  let url = folder.url("whole.jsonl")
  let dispatcher = Dispatcher(stores, seed: 7)
  var options = Recorder.Options()
  change(&options)
  let recorder = Recorder(to: url, options: options)
  dispatcher.use(recorder)
  use(dispatcher)
  try recorder.flush()
  let crashed = folder.url("crashed.jsonl")
  try FileManager.default.copyItem(
    atPath: url.inFlight.path, toPath: crashed.inFlight.path)
  try recorder.close()
  let lines = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
  try (lines.prefix(count + 1) + [""]).joined(separator: "\n")
    .write(to: crashed, atomically: true, encoding: .utf8)
  return (Timeline(try LogFile.open(url.path)), Timeline(try LogFile.open(crashed.path)))
}
