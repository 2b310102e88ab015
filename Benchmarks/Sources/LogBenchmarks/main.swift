import FluxLog
import Foundation
import Harness

// `LogBenchmarks [STEPS]` writes a log and indexes it: 20,000,000 steps, 2.6 GB, take two minutes.
// `LogBenchmarks index PATH` indexes a log, in a process that has done nothing else.
let arguments = Array(CommandLine.arguments.dropFirst())
if arguments.count == 2, arguments[0] == "index" {
  let bars = try indexing(arguments[1])
  for bar in bars { print(bar) }
  exit(bars.allSatisfy(\.isMet) ? 0 : 1)
}

let steps = arguments.first.flatMap { Int($0) } ?? 2_000_000
let folder = FileManager.default.temporaryDirectory.appending(
  path: "flux-benchmark-\(ProcessInfo.processInfo.processIdentifier)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
let bars = try writing(folder)
let log = folder.appending(path: "indexed.jsonl").path()
_ = try Recording(of: Count.self, path: log, steps: steps, durability: .buffered)
let child = Process()
child.executableURL = Bundle.main.executableURL
child.arguments = ["index", log]
try child.run()
child.waitUntilExit()
for bar in bars { print(bar) }
try FileManager.default.removeItem(at: folder)
exit(child.terminationStatus == 0 && bars.allSatisfy(\.isMet) ? 0 : 1)
