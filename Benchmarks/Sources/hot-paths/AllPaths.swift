import FluxCore
import FluxJSON
import FluxLog
import FluxRecorder
import FluxReplay
import Foundation
import Harness
import Inputs

/// What all inputs are generated from.
let seed: UInt64 = 20_261_120

/// The paths that an app and a session are on all the time.
func allPaths() -> [HotPath] {
  json + difference + log + session + app
}

private var todos: TodoStore.Todos { TodoStore(count: 100, seed: seed).initialState }

private var json: [HotPath] {
  [
    HotPath("parse 14 KB", runs: 20) { _ in
      let bytes = try LogEncoder().bytes(of: todos)
      return { try JSON.parse(bytes) }
    },
    HotPath("encode 100 todos", runs: 10) { _ in
      let (encoder, todos) = (LogEncoder(), todos)
      return { try encoder.bytes(of: todos) }
    },
    HotPath("decode 100 todos", runs: 5) { _ in
      let document = try LogEncoder().encode(todos)
      return { try LogDecoder().decode(TodoStore.Todos.self, from: document) }
    },
  ]
}

private var difference: [HotPath] {
  [
    HotPath("difference of 14 KB", runs: 500) { _ in
      var state = todos
      let before = try LogEncoder().encode(state)
      state.items[50].isDone = true
      let after = try LogEncoder().encode(state)
      return { before.patch(to: after) }
    },
    HotPath("apply a patch to 14 KB", runs: 200) { _ in
      let document = try LogEncoder().encode(todos)
      let patch = try JSON.parse(
        #"[{"op":"replace","path":"/items/50/title","value":"another"}]"#)
      return { try document.applying([patch]) }
    },
  ]
}

private var log: [HotPath] {
  [
    HotPath("index 10,000 small steps", runs: 1) { folder in
      let path = try smallSteps(10_000, in: folder)
      return {
        let log = try LogFile.open(path, options: oneThread)
        try log.waitForIndex()
      }
    },
    HotPath("seek, nothing cached", runs: 20) { folder in
      let log = try todoLog(in: folder)
      var random = SeededGenerator(seed: seed)
      let position = Int.random(in: 0..<log.count, using: &random)
      return { try Timeline(log).state(of: "todo", at: position) }
    },
    HotPath("next", runs: 50) { folder in
      let timeline = Timeline(try todoLog(in: folder))
      var position = 0
      return {
        position += 1
        return try timeline.state(of: "todo", at: position)
      }
    },
  ]
}

/// One thread indexes, so that the threads do not meet at other places in each run.
var oneThread: LogFile.Options {
  var options = LogFile.Options()
  options.threads = 1
  return options
}

/// Writes a log of small steps, and returns its path.
func smallSteps(_ count: Int, in folder: URL) throws -> String {
  let url = folder.appending(path: "small.jsonl")
  let small = try SmallSteps(to: url, durability: .buffered)
  _ = small.handOver(count, of: Count.self)
  try small.close()
  return url.path(percentEncoded: false)
}

private func todoLog(in folder: URL) throws -> LogFile {
  let url = folder.appending(path: "todos.jsonl")
  try TodoSession(todos: 100, seed: seed, now: SteadyClock().now).record(to: url, steps: 200)
  let log = try LogFile.open(url.path(percentEncoded: false))
  try log.waitForIndex()
  return log
}

private var app: [HotPath] {
  [
    HotPath("dispatch", runs: 5_000) { _ in
      let dispatcher = Dispatcher([TodoStore(count: 2, seed: seed)])
      return { dispatcher.dispatch(TodoAction.toggle(id: 1)) }
    },
    HotPath("dispatch, one middleware", runs: 5_000) { _ in
      let dispatcher = Dispatcher([TodoStore(count: 2, seed: seed)])
      dispatcher.use(Silence())
      return { dispatcher.dispatch(TodoAction.toggle(id: 1)) }
    },
    HotPath(name: "record a step, two todos", runs: 1_000) { folder in
      try recording(2, in: folder)
    },
    HotPath(name: "record a step, 100 todos", runs: 200) { folder in
      try recording(100, in: folder)
    },
    HotPath(name: "record a step, 1,400 lines", runs: 200) { folder in
      let session = TextSession(lines: 1_400, seed: seed, now: SteadyClock().now)
      let (dispatcher, recorder) = session.recorded(to: folder.appending(path: "text.jsonl"))
      return { runs in
        for (step, action) in session.actions(runs).enumerated() {
          dispatcher.dispatch(action)
          if step % 16 == 15 { try recorder.flush() }
        }
        try recorder.close()
      }
    },
    HotPath(name: "record a step, reflecting 100 todos", runs: 50) { folder in
      let todos = ReflectedTodos(
        count: 100, url: folder.appending(path: "reflected.jsonl"), seed: seed)
      return { runs in try todos.record(steps: runs) }
    },
    HotPath("verify 500 steps of 1,400 lines", runs: 1) { folder in
      let url = folder.appending(path: "text.jsonl")
      let session = TextSession(lines: 1_400, seed: seed, now: SteadyClock().now)
      try session.record(to: url, steps: 500)
      let log = try LogFile.open(url.path(percentEncoded: false))
      try log.waitForIndex()
      let app = AppDefinition(stores: session.stores)
      var options = Verification.Options()
      options.now = LogInstant(microseconds: 0)
      return {
        try app.verify(Timeline(log), options: options).verdict
      }
    },
    HotPath("verify 500 steps", runs: 1) { folder in
      let url = folder.appending(path: "tallies.jsonl")
      try recordTallies(to: url, steps: 500, seed: seed, now: SteadyClock().now)
      let log = try LogFile.open(url.path(percentEncoded: false))
      try log.waitForIndex()
      let app = AppDefinition(stores: makeTallyStores)
      var options = Verification.Options()
      options.now = LogInstant(microseconds: 0)
      return {
        try app.verify(Timeline(log), options: options).verdict
      }
    },
  ]
}

/// Dispatching, and all that the recorder does until the steps are in the file.
///
/// In bursts that are waited for: how far the writing thread lags behind, and so how often a state that is still to be
/// written has to be copied, is not left to chance.
private func recording(_ count: Int, in folder: URL) throws -> (Int) throws -> Void {
  let session = TodoSession(todos: count, seed: seed, now: SteadyClock().now)
  let (dispatcher, recorder) = session.recorded(to: folder.appending(path: "recorded.jsonl"))
  return { runs in
    for (step, action) in session.actions(runs).enumerated() {
      dispatcher.dispatch(action)
      if step % 16 == 15 { try recorder.flush() }
    }
    try recorder.close()
  }
}

/// A middleware that does nothing.
private struct Silence: Middleware {}
