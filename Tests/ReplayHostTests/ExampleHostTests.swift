import FluxHost
import FluxJSON
import FluxLog
import FluxReplay
import Foundation
import TestFixtures
import Testing

/// The example apps, recorded by themselves and replayed in a process of their own.
@Suite(.waiting) struct ExampleHostTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a program with commands on its standard input; returns its log.
  private func record(_ program: String, _ arguments: [String], _ commands: String) throws
    -> Timeline
  {
    let path = folder.path("\(program).jsonl")
    let process = Process()
    process.executableURL = URL(filePath: BuiltProduct.path(program))
    process.arguments = arguments + [path]
    let (input, output) = (Pipe(), Pipe())
    // Where the process that reads the memory of a crashed one dies, swift-backtrace waits for it for ever, and keeps
    // the output open.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    process.standardError = output
    try process.run()
    input.fileHandleForWriting.write(Data(commands.utf8))
    try input.fileHandleForWriting.close()
    _ = try output.fileHandleForReading.readToEnd()
    process.waitUntilExit()
    return Timeline(try LogFile.open(path))
  }

  private func app(_ program: String) throws -> HostApp {
    HostApp(executable: BuiltProduct.path(program), limits: .call(30))
  }

  /// A recording of the project, which is frozen.
  private func recording(_ name: String) throws -> Timeline {
    let folder = URL(filePath: #filePath).appending(path: "../../../Recordings").standardized
    return Timeline(try LogFile.open(folder.appending(path: name).path))
  }

  @Test(
    "a frozen recording passes, and its twin of another version of the app diverges",
    arguments: [
      (
        "notes", "notes-example", Divergence.Kind.different, UInt64(4), "/notes/notes/1/text",
        #""Call Ann at nine""#, #""call Ann at nine""#
      ),
      ("search-effects", "search-example", .effectExtra, 9, "", "", #""-search""#),
      (
        "todomvc-titles", "todomvc-example", .different, 3, "/todos/items/1/title",
        #"" two eggs ""#, #""two eggs""#
      ),
    ])
  func frozen(
    _ name: String, _ program: String, _ kind: Divergence.Kind, _ step: UInt64, _ path: String,
    _ recorded: String, _ replayed: String
  ) throws {
    let app = try app(program)
    #expect(try app.verify(recording("\(name).jsonl")).verdict == .passed)
    let report = try app.verify(recording("\(name)-diverged.jsonl"))
    #expect(report.divergences.map(\.kind) == [kind])
    let divergence = try #require(report.divergences.first)
    #expect(divergence.step == step)
    #expect(divergence.path?.description ?? "" == path)
    #expect(divergence.recorded?.text ?? "" == recorded)
    #expect(divergence.replayed?.text ?? "" == replayed)
  }

  @Test(
    "a recording passes in the app's own executable, once and twice",
    arguments: [
      (
        "todomvc-example",
        """
        add milk
        add tea
        toggle 1
        rename 2 green tea
        show active
        undo
        clear
        load

        """, 8
      ),
      (
        "shop-example",
        """
        load
        sign-in ada open-sesame
        put tea
        put tea
        checkout
        pay
        close
        expire

        """, 8
      ),
      ("counter-example", "increase\nadd 5\nremove 100\n", 3),
    ])
  func passes(_ program: String, _ commands: String, _ minimum: Int) throws {
    let timeline = try record(program, ["--record"], commands)
    var options = Verification.Options()
    for runsTwice in [false, true] {
      options.runsTwice = runsTwice
      let report = try app(program).verifyHere(timeline, options: options)
      #expect(report.verdict == .passed, "\(report.text)")
      #expect(report.steps >= minimum)
    }
  }

  @Test("an app describes its name and stores")
  func description() throws {
    let description = try app("todomvc-example").describe()
    #expect(description.name == "TodoMVC")
    #expect(description.version == "1.0")
    #expect(description.stores == [.init(name: "todos", type: "TodoState")])
  }

  @Test("an action that crashed the app crashes its replay, and the failure names the step")
  func crash() throws {
    let timeline = try record("crash-example", ["trap"], "")
    let inFlight = try timeline.log.inFlight()
    let crashing = try #require(inFlight.last)
    let app = try app("crash-example")
    let session = try app.start(.replay())
    var actions: [ReplayAction] = []
    for position in 0..<timeline.log.count {
      actions.append(ReplayAction(try timeline.step(at: position)))
    }
    for action in inFlight {
      actions.append(
        ReplayAction(number: action.number, time: action.time, action: try #require(action.action)))
    }
    let failure = #expect(throws: ReplayFailure.self) { try session.dispatch(actions) }
    #expect(failure?.step == crashing.number)
    #expect(failure?.action == "basket/split")
    guard case .exited(.signal) = failure?.reason else {
      Issue.record("\(failure.map(\.description) ?? "nothing")")
      return
    }
    #expect(failure?.lastWords.first?.contains("Division by zero") == true)
  }
}
