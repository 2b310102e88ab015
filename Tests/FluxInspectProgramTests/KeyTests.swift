import Foundation
import TerminalTesting
import TestFixtures
import Testing

@Suite("The keys of flux-inspect", .waiting)
struct KeyTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(TodoLog.lines)
  }

  @Test("Tab completes commands, types of actions, stores and paths")
  func completes() throws {
    let terminal = try folder.open()
    try terminal.type("goto 1\n")
    let prompt = "(TodoMVC 1/5 todo/add)"
    let words = [
      ("rev\t", "reverse-continue"), ("print to\t", "print todos"),
      ("print todos.it\t", "print todos.items"), ("state t\t", "state todos"),
      ("goto todo/t\t2", "goto todo/toggle#2"), ("set co\t", "set color"),
      ("source \(folder.path("lo"))\t", "source \(folder.path("log.jsonl"))"),
    ]
    for (typed, completed) in words {
      try terminal.wait(forLine: prompt)
      try terminal.type(typed)
      try terminal.wait(forLine: "\(prompt) \(completed)")
      try terminal.type("\u{15}\u{B}")
    }
    try terminal.type("b\t\t")
    try terminal.wait(for: "all candidates") { screen in
      ["back", "bisect", "blame", "bookmark", "break", "browse"].allSatisfy(screen.text.contains)
    }
    try terminal.type("\u{15}")
    try terminal.quit(prompt: prompt)
  }

  @Test("Alt with an arrow, and an arrow on an empty line, go by a step")
  func steps() throws {
    let terminal = try folder.open()
    try terminal.type("\u{1B}[C")
    try terminal.wait(forLine: "(TodoMVC 1/5 todo/add)")
    try terminal.type("abc\u{1B}[1;3C")
    try terminal.wait(forLine: "(TodoMVC 2/5 todo/saved) abc")
    try terminal.type("\u{1B}[D\u{1B}[C\u{1B}[1;3D")
    try terminal.wait(forLine: "(TodoMVC 1/5 todo/add) abc")
    try terminal.type("\u{15}\u{1B}[D")
    try terminal.wait(forLine: "(TodoMVC start/5)")
    try terminal.type("\u{1B}[D")
    try terminal.wait(for: "the bell") { $0.bells == 1 }
    try terminal.quit(prompt: "(TodoMVC start/5)")
  }

  @Test("pasted lines are commands, one after the other")
  func pastes() throws {
    let terminal = try folder.open()
    try terminal.paste("goto 1\nstep\ncount *")
    try terminal.wait(forLine: "(TodoMVC 2/5 todo/saved) count *")
    try terminal.type("\n")
    try terminal.wait(for: "\n5\n")
    try terminal.quit(prompt: "(TodoMVC 2/5 todo/saved)")
  }

  @Test(
    "lines are edited as the user's settings say",
    arguments: [
      ("", "ount *\u{1}c"), ("bind -v", "ount *\u{1B}Ic"),
      ("flux-inspect:bind ^T ed-move-to-beg", "ount *\u{14}c"),
    ])
  func edits(_ settings: String, _ typed: String) throws {
    try folder.write(settings + "\n", to: "editrc")
    let terminal = try folder.open(environment: ["EDITRC": folder.path("editrc")])
    try terminal.type(typed)
    try terminal.wait(forLine: "(TodoMVC start/5) count *")
    try terminal.type("\n")
    try terminal.wait(for: "\n5\n")
    try terminal.quit(prompt: "(TodoMVC start/5)")
  }

  @Test("the session says once that lines cannot be kept, and still finds them")
  func noHistory() throws {
    try FileManager.default.createDirectory(
      at: folder.url("home/.local/state/flux-inspect/history"), withIntermediateDirectories: true)
    let terminal = try folder.open()
    try terminal.wait(for: "flux-inspect/history: cannot")
    try terminal.run("goto 1", prompt: "(TodoMVC 1/5 todo/add)")
    try terminal.run("goto 2", prompt: "(TodoMVC 2/5 todo/saved)")
    #expect(terminal.screen.text.components(separatedBy: "warning: ").count == 2)
    try terminal.quit(prompt: "(TodoMVC 2/5 todo/saved)")
  }

  @Test("lines are kept for the user alone, by two sessions at once, and found again with Ctrl-R")
  func keepsHistory() throws {
    let one = try folder.open()
    let two = try folder.open()
    try one.run("goto 1", prompt: "(TodoMVC 1/5 todo/add)")
    try two.run("goto 2", prompt: "(TodoMVC 2/5 todo/saved)")
    try one.run("count todo/*", prompt: "(TodoMVC 1/5 todo/add)")
    try one.quit(prompt: "(TodoMVC 1/5 todo/add)")
    try two.quit(prompt: "(TodoMVC 2/5 todo/saved)")
    let history = "home/.local/state/flux-inspect/history"
    #expect(try folder.text(of: history) == "goto 1\ngoto 2\ncount todo/*\nquit\nquit\n")
    #expect(try folder.permissions(of: history) == 0o600)
    let three = try folder.open()
    try three.type("\u{12}to 2")
    try three.wait(for: "the search") { $0.text.contains("goto 2\nbck:to 2") }
    try three.type("\n")
    try three.quit(prompt: "(TodoMVC 2/5 todo/saved)")
  }
}
