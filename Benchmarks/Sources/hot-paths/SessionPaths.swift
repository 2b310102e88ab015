import FluxLog
import FluxRules
import Foundation
import Inputs

/// The paths of the questions that are asked of all steps of a log.
var session: [HotPath] {
  [
    // It asks the index alone, so one run is lost in what opening a log takes.
    command("find an action type in 10,000 steps", "find \(SmallSteps.rareType)", runs: 50),
    command("find an expression in 10,000 steps", "find todos.count == 5000"),
    command("history in 10,000 steps", "history todos.count"),
    HotPath("check 10,000 steps", runs: 1) { folder in
      let path = try smallSteps(10_000, in: folder)
      return { try Timeline(try LogFile.open(path, options: oneThread)).check() }
    },
    HotPath("ten rules in 10,000 steps", runs: 1) { folder in
      let path = try smallSteps(10_000, in: folder)
      let rules = try RuleSet(SmallSteps.rules)
      return { try RuleCheck(rules).run([path]) }
    },
    // A large state with many small patches, which are laid over its text.
    HotPath("seek, 1,400 lines", runs: 5) { folder in
      let url = folder.appending(path: "text.jsonl")
      try TextSession(lines: 1_400, seed: seed, now: SteadyClock().now).record(to: url, steps: 500)
      let log = try LogFile.open(url.path(percentEncoded: false), options: oneThread)
      try log.waitForIndex()
      let store = log.header.stores[0].name
      return { try Timeline(log).state(of: store, at: 450) }
    },
  ]
}

/// A command on an open log whose index is complete.
private func command(_ name: String, _ line: String, runs: Int = 1) -> HotPath {
  HotPath(name, runs: runs) { folder in
    var session = try InspectedSession(try smallSteps(10_000, in: folder))
    try session.run("end")
    try session.run("start")
    return { try session.run(line) }
  }
}
