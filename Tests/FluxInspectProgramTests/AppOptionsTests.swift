import Foundation
import TestFixtures
import Testing

/// The ways to name the app that replays.
@Suite("the app of a session", .waiting)
struct AppOptionsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.log(CounterLog.passing, "log.jsonl")
  }

  /// The path of a file as the program resolves it: folders for temporary files can be links.
  private func real(_ name: String) -> String {
    folder.url("").resolvingSymlinksInPath().appending(path: name).path(percentEncoded: false)
  }

  /// The app that `verify` tries to start; the whole complaint if it tries none.
  private func app(_ arguments: String..., variable: String? = nil) throws -> String {
    let errors = try ProgramRun(
      ["log.jsonl", "-e", "verify"] + arguments,
      environment: variable.map { ["FLUX_APP": $0] } ?? [:], in: folder
    ).errors
    guard errors.hasPrefix("error: "),
      let end = errors.firstRange(of: ": the app cannot be replayed")
    else { return errors }
    return String(errors[..<end.lowerBound].dropFirst("error: ".count))
  }

  private func trust(_ arguments: String...) throws -> ProgramRun {
    try ProgramRun(["trust"] + arguments, in: folder)
  }

  private static let none = """
    error: this replays actions, which needs the app
    hint: start with --app PATH, the executable of an app that serves its stores, or a replay host for Redux or \
    another language; or use an inspector that the app ships itself

    """

  @Test("an argument names the app before FLUX_APP, and that before the project's file")
  func order() throws {
    #expect(try app(variable: "") == Self.none)
    #expect(try app(variable: "./one") == "./one")
    #expect(try app("--app", "./two", variable: "./one") == "./two")
    try folder.write(#"{"app":"three"}"#, to: "other.json")
    #expect(try app("--config", "other.json", variable: "./one") == real("three"))
    try folder.write(#"{"app":"/four"}"#, to: ".flux-inspect.json")
    #expect(try trust().code == 0)
    #expect(try app() == "/four")
    #expect(
      try ProgramRun(["trust"], environment: ["HOME": "home"], in: folder)
        == ProgramRun(
          3,
          errors: """
            error: there is no place for the mark of a trusted file
            hint: set HOME to the path of your home folder

            """))
    #expect(try app(variable: "./one") == "./one")
    #expect(try app("--config", "other.json") == real("three"))
    let both = try ProgramRun(["log.jsonl", "--app", "a", "--config", "b"], in: folder)
    #expect(both.code == 2)
    #expect(
      both.errors.hasPrefix("Error: --app and --config both name the app; remove one of them\n"))
    let empty = try ProgramRun(["log.jsonl", "--app", ""], in: folder)
    #expect(empty.code == 2)
    #expect(
      empty.errors.hasPrefix("Error: --app names no app; write the path of its executable\n"))
  }

  @Test("the project's file counts once it is trusted, until it changes or the trust is withdrawn")
  func trusted() throws {
    let path = real(".flux-inspect.json")
    let note = """
      note: \(path) is not trusted to name the app; to trust it: flux-inspect trust \(real(""))

      """
    try folder.write(#"{"app":"bin/shop"}"#, to: ".flux-inspect.json")
    #expect(try app() == note + Self.none)
    #expect(
      try trust()
        == ProgramRun(0, "\(path) is trusted; it names the app \(real("bin/shop"))\n"))
    #expect(try app() == real("bin/shop"))
    try folder.write(#"{"app":"bin/other"}"#, to: ".flux-inspect.json")
    #expect(try app() == note + Self.none)
    #expect(try trust(".").code == 0)
    #expect(try app() == real("bin/other"))
    #expect(
      try trust(folder.path(""), "--revoke") == ProgramRun(0, "\(path) is no longer trusted\n"))
    #expect(try app() == note + Self.none)
    #expect(try trust("--revoke") == ProgramRun(0, "\(path) is not trusted\n"))
    // The content that was trusted before the other one.
    try folder.write(#"{"app":"bin/shop"}"#, to: ".flux-inspect.json")
    #expect(try app() == note + Self.none)
  }

  @Test("the trust in a file that is gone can be withdrawn")
  func gone() throws {
    try folder.write(#"{"app":"bin/shop"}"#, to: ".flux-inspect.json")
    #expect(try trust().code == 0)
    try FileManager.default.removeItem(at: folder.url(".flux-inspect.json"))
    let path = real(".flux-inspect.json")
    #expect(try trust("--revoke") == ProgramRun(0, "\(path) is no longer trusted\n"))
    try folder.write(#"{"app":"bin/shop"}"#, to: ".flux-inspect.json")
    #expect(try app().hasPrefix("note: \(path) is not trusted"))
  }

  @Test("a file that nobody asked for and that cannot be read is no error")
  func unreadable() throws {
    try FileManager.default.createDirectory(
      at: folder.url(".flux-inspect.json"), withIntermediateDirectories: false)
    let run = try ProgramRun(["log.jsonl", "-e", "count *"], in: folder)
    #expect(run.code == 0)
    #expect(run.errors.hasPrefix("note: cannot read "), "\(run.errors)")
  }

  @Test("the file of the nearest folder counts for the folders below it")
  func below() throws {
    try FileManager.default.createDirectory(
      at: folder.url("a/b"), withIntermediateDirectories: true)
    try folder.write(#"{"app":"top"}"#, to: ".flux-inspect.json")
    #expect(try trust().code == 0)
    func errors() throws -> String {
      try ProgramRun(
        [folder.path("log.jsonl"), "-e", "verify"],
        through: ["/usr/bin/env", "--chdir", "a/b"], in: folder
      ).errors
    }
    #expect(try errors().hasPrefix("error: \(real("top")): the app cannot be replayed"))
    try folder.write(#"{"app":"near"}"#, to: "a/.flux-inspect.json")
    #expect(try errors().hasPrefix("note: \(real("a/.flux-inspect.json")) is not trusted"))
    #expect(try trust("a").code == 0)
    #expect(try errors().hasPrefix("error: \(real("a/near")): the app cannot be replayed"))
  }

  @Test(
    "a file that says anything else is refused, also by trust",
    arguments: [
      ("", "byte 0: there is no JSON value; expected one"),
      ("[]", "expected an object, found an array"),
      ("{}", "expected the path of the app as a string, found null"),
      (#"{"app":1}"#, "expected the path of the app as a string, found 1"),
      (#"{"app":""}"#, #"expected the path of the app as a string, found """#),
      (#"{"app":"a","init":"b"}"#, "it has a member init, and may only name the app"),
    ])
  func mistakes(text: String, mistake: String) throws {
    try folder.write(text, to: ".flux-inspect.json")
    let path = real(".flux-inspect.json")
    for arguments in [["trust"], ["log.jsonl", "--config", ".flux-inspect.json"]] {
      let run = try ProgramRun(arguments, in: folder)
      #expect(run.code == 3)
      #expect(run.errors.hasPrefix("error: \(path): \(mistake)"), "\(run.errors)")
    }
  }

  @Test("if there is no file, trust shows what one contains")
  func missing() throws {
    #expect(
      try trust().errors == #"""
        error: cannot read ./.flux-inspect.json: No such file or directory
        hint: such a file is {"app":".build/debug/shop"}

        """#)
  }
}
