import TestFixtures
import Testing

@testable import LineEditor

@Suite("Edit settings")
struct EditSettingsTests {
  @Test("are at EDITRC, else at home, else nowhere")
  func places() throws {
    let folder = try TemporaryFolder()
    try folder.write("bind -v\n", to: ".editrc")
    let home = folder.path("")
    #expect(EditSettings(environment: ["HOME": home]).lines.map(\.text) == ["bind -v"])
    #expect(EditSettings(environment: ["HOME": home, "EDITRC": ""]).lines.count == 1)
    #expect(EditSettings(environment: ["HOME": home, "EDITRC": "/nowhere"]).lines == [])
    for home in ["", ".", nil] {
      #expect(EditSettings(environment: ["HOME": home].compactMapValues(\.self)).path == "")
    }
  }

  @Test("run all lines, and tell those that are not understood")
  func apply() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("rc")
    try folder.write("bad one\nbind -v\nbind ^A x\n\u{1B}bad\n", to: "rc")
    let settings = EditSettings(environment: ["EDITRC": path])
    var run: [String] = []
    let problems = settings.apply {
      run.append($0)
      return !$0.contains("bad")
    }
    #expect(run == ["bad one", "bind -v", "bind ^A x", "\u{1B}bad"])
    #expect(
      problems.map(\.description) == [
        "\(path):1: ignored unknown setting: bad one (see editrc(5))",
        "\(path):4: ignored unknown setting: \\u{1b}bad (see editrc(5))",
      ])
    run = []
    settings.bindAgain {
      run.append($0)
      return true
    }
    #expect(run == ["bind ^A x"])
  }

  @Test("say so where they cannot be read")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let settings = EditSettings(environment: ["EDITRC": folder.path("")])
    let problems = settings.apply { _ in true }
    #expect(
      problems.map(\.description) == ["\(folder.path("")): cannot read: not a regular file"])
  }

  @Test("know the keys that are the user's")
  func boundKeys() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "bind \"^[[A\" x\nbind -a ^T y\nother:bind ^B z\nbind ^X^U two\n", to: "rc")
    let settings = EditSettings(environment: ["EDITRC": folder.path("rc")])
    #expect(settings.boundKeys(program: "program") == [Key(.up), .control("t")])
  }
}
